// Can a client library that others wrote live with our fake?   node probe.cjs NODE_MODULES_PARENT URL TOKEN CHAT
// A fake that a real client cannot use proves nothing about the daemon. Prints cmocka's lines.
const path = require('node:path');
const { createRequire } = require('node:module');
const [, , modules, url, token, chat] = process.argv;
const { Api, InputFile, GrammyError } = createRequire(path.resolve(modules, 'x.js'))('grammy');
const api = new Api(token, { apiRoot: url, timeoutSeconds: 10 });
const png = () => new InputFile(Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64'),
    'b.png');
const must = (what, condition) => { if (!condition) throw Error(what); };
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const refused = async (code, words, call) => {
    const error = await call().then(() => null, (e) => e);
    must('was accepted', error);
    if (!(error instanceof GrammyError)) throw error;
    must(error.description, error.error_code === code && words.test(error.description));
};
const keyboard = (data) => ({ reply_markup: { inline_keyboard: [[{ text: 'A', callback_data: data }]] } });
let message;

const probes = {
    'getMe is a bot with a username': async () => {
        const me = await api.getMe();
        must('no bot', me.is_bot === true && typeof me.username === 'string');
    },
    'getUpdates with a timeout is held': async () => {
        await api.getUpdates({ offset: -1 });
        const from = Date.now();
        await api.getUpdates({ timeout: 2 });
        must('answered at once', Date.now() - from >= 1500);
    },
    'a message with buttons': async () => {
        message = await api.sendMessage(chat, 'koi', keyboard('a'));
        must('wrong', message.message_id > 0 && message.text === 'koi' && message.chat.id === +chat && message.date < 1e11);
    },
    'an edit answers with the message': async () => {
        const edited = await api.editMessageText(chat, message.message_id, 'koi 2');
        must('wrong', edited.text === 'koi 2' && edited.edit_date > 0);
    },
    'an edit without change is refused': () =>
        refused(400, /not modified/, () => api.editMessageText(chat, message.message_id, 'koi 2')),
    'an edit of nothing is refused': () => refused(400, /not found/, () => api.editMessageText(chat, 999999, 'x')),
    'an empty text is refused': () => refused(400, /empty/, () => api.sendMessage(chat, '')),
    'a text over 4096 is refused': () => refused(400, /too long/, () => api.sendMessage(chat, 'x'.repeat(4097))),
    'button data over 64 bytes is refused': () =>
        refused(400, /BUTTON_DATA_INVALID/, () => api.sendMessage(chat, 'x', keyboard('x'.repeat(65)))),
    'broken HTML is refused': () =>
        refused(400, /can't parse entities/, () => api.sendMessage(chat, '<b>x', { parse_mode: 'HTML' })),
    'an unknown press is refused': () => refused(400, /too old|invalid/, () => api.answerCallbackQuery('nope')),
    'a picture': async () => {
        const sent = await api.sendPhoto(chat, png(), { caption: 'c' });
        must('wrong', Array.isArray(sent.photo) && sent.caption === 'c');
    },
    'a picture is replaced': async () => {
        const sent = await api.sendPhoto(chat, png());
        await api.editMessageMedia(chat, sent.message_id, { type: 'photo', media: png(), caption: 'd' });
    },
    'the list of commands': () => api.setMyCommands([{ command: 'koi', description: 'play' }]),
    'an unknown inline query is refused': () => refused(400, /./, () => api.answerInlineQuery('nope', [])),
    'of two polls at once the first ends with 409': async () => {
        const first = api.getUpdates({ timeout: 5 }).then(() => 'answered', (e) => e.error_code);
        await later(300);
        const second = api.getUpdates({ timeout: 1 }).catch(() => 0);
        const end = await first;
        await second;
        must('the first: ' + end, end === 409);
    },
};

(async () => {
    const failed = [];
    for (const [name, probe] of Object.entries(probes))
        await probe().then(() => console.log('  ok   ', name), (e) => {
            failed.push(name);
            console.log('  FAIL ', name, String(e.message).slice(0, 200));
        });
    console.log(`[  PASSED  ] ${Object.keys(probes).length - failed.length} test(s).`);
    if (failed.length) console.log(`[  FAILED  ] ${failed.length} test(s)`);
    process.exit(failed.length ? 1 : 0);
})();
