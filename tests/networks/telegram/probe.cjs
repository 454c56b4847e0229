// Can a client library that others wrote live with our fake?   node probe.cjs NODE_MODULES_PARENT URL TOKEN CHAT
// A fake that a real client cannot use proves nothing about the daemon. Prints cmocka's lines.
const path = require('node:path');
const { createRequire } = require('node:module');
const [, , modules, url, token, chat] = process.argv;
const { Api, InputFile, GrammyError } = createRequire(path.resolve(modules, 'x.js'))('grammy');
const api = new Api(token, { apiRoot: url, timeoutSeconds: 10 });
const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');
const file = (bytes) => new InputFile(bytes, 'b.png');
const png = () => file(dot);
const sized = (width, height) => { // as its head says; nobody looks at the pixels
    const bytes = Buffer.from(dot);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return file(bytes);
};
const photo = (media, caption) => ({ type: 'photo', media, caption });
const group = -chat;
const must = (what, condition) => { if (!condition) throw Error(what); };
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const refused = async (code, words, call) => {
    const error = await call().then(() => null, (e) => e);
    must('was accepted', error);
    if (!(error instanceof GrammyError)) throw error;
    must(error.description, error.error_code === code && words.test(error.description));
};
const keyboard = (data) => ({ reply_markup: { inline_keyboard: [[{ text: 'A', callback_data: data }]] } });
const same = /message is not modified/;
let message, picture, hidden;

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
    'a picture has sizes, each with ids of its own': async () => {
        picture = await api.sendPhoto(chat, sized(1000, 700), { caption: 'c', ...keyboard('a') });
        const ids = picture.photo.flatMap((size) => [size.file_id, size.file_unique_id]);
        const largest = picture.photo.at(-1);
        must('ids', ids.length >= 4 && ids.every(Boolean) && new Set(ids).size === ids.length);
        must('size', largest.width === 1000 && largest.height === 700 && picture.photo[0].width < 1000);
        must('a text', picture.text === undefined);
    },
    'a picture is sent again by its id': async () => {
        const again = await api.sendPhoto(chat, picture.photo.at(-1).file_id);
        must('another', again.photo.at(-1).file_id === picture.photo.at(-1).file_id);
    },
    'an unknown file id is refused': () => refused(400, /wrong file identifier/, () => api.sendPhoto(chat, 'photo77')),
    'no picture at all is refused': () => refused(400, /no photo in the request/, () => api.raw.sendPhoto({ chat_id: chat })),
    'a file that is no picture is refused': () =>
        refused(400, /IMAGE_PROCESS_FAILED/, () => api.sendPhoto(chat, file(Buffer.from('GIF? no.'.repeat(20))))),
    'half a picture is refused': () =>
        refused(400, /IMAGE_PROCESS_FAILED/, () => api.sendPhoto(chat, file(dot.subarray(0, 60)))),
    'a picture over 10 MB is refused': () =>
        refused(400, /too big/, () => api.sendPhoto(chat, file(Buffer.concat([dot, Buffer.alloc(11 << 20)])))),
    'a picture that is too wide is refused': () =>
        refused(400, /PHOTO_INVALID_DIMENSIONS/, () => api.sendPhoto(chat, sized(9900, 700))),
    'a picture that is too narrow is refused': () =>
        refused(400, /PHOTO_INVALID_DIMENSIONS/, () => api.sendPhoto(chat, sized(2100, 100))),
    'a caption of 1024 units after its formatting': () =>
        api.sendPhoto(chat, png(), { caption: `<b>${'\u{1F3B4}'.repeat(512)}</b>`, parse_mode: 'HTML' }),
    'a caption over 1024 units is refused': () => refused(400, /caption is too long/, () =>
        api.sendPhoto(chat, png(), { caption: '\u{1F3B4}'.repeat(512) + 'x' })),
    'a caption is edited': async () => {
        const edited = await api.editMessageCaption(chat, picture.message_id, { caption: 'd', ...keyboard('a') });
        must('wrong', edited.caption === 'd' && edited.photo.length === picture.photo.length);
    },
    'the same caption is refused': () => refused(400, same, () =>
        api.editMessageCaption(chat, picture.message_id, { caption: 'd', ...keyboard('a') })),
    'the same picture, caption and buttons are refused': () => refused(400, same, () =>
        api.editMessageMedia(chat, picture.message_id, photo(picture.photo.at(-1).file_id, 'd'), keyboard('a'))),
    'the same picture with another caption is an edit': () =>
        api.editMessageMedia(chat, picture.message_id, photo(picture.photo.at(-1).file_id, 'e'), keyboard('a')),
    'the same picture with other buttons is an edit': () =>
        api.editMessageMedia(chat, picture.message_id, photo(picture.photo.at(-1).file_id, 'e'), keyboard('b')),
    'a text becomes a picture': async () => {
        const sent = await api.sendMessage(chat, 'x');
        const edited = await api.editMessageMedia(chat, sent.message_id, photo(png(), 'c'));
        must('wrong', edited.message_id === sent.message_id && edited.photo.length > 0 && edited.text === undefined);
    },
    'a picture becomes no text': () => refused(400, /there is no text in the message to edit/, () =>
        api.editMessageText(chat, picture.message_id, 'x')),
    'a text has no caption': () => refused(400, /there is no caption in the message to edit/, () =>
        api.editMessageCaption(chat, message.message_id, { caption: 'x' })),
    'an edit to a file id that nobody knows is refused': () => refused(400, /wrong file identifier/, () =>
        api.editMessageMedia(chat, picture.message_id, photo('photo77'))),
    'an edit to a part that is not there is refused': () => refused(400, /wrong file identifier/, () =>
        api.editMessageMedia(chat, picture.message_id, photo('attach://nothing'))),
    'a hidden message has no number for all': async () => {
        hidden = await api.raw.sendMessage({ chat_id: group, text: 'x',
                                             ephemeral_message_parameters: { receiver_user_id: +chat } });
        must('wrong', hidden.message_id === 0 && hidden.ephemeral_message_id > 0);
        hidden = { chat_id: group, receiver_user_id: +chat, ephemeral_message_id: hidden.ephemeral_message_id };
    },
    'a hidden text becomes a picture that is brought along': async () => {
        must('wrong', await api.raw.editEphemeralMessageMedia({ ...hidden, media: photo(png(), 'c') }) === true);
        await refused(400, /there is no text/, () => api.raw.editEphemeralMessageText({ ...hidden, text: 'x' }));
        await api.raw.editEphemeralMessageCaption({ ...hidden, caption: 'd' });
        await refused(400, same, () => api.raw.editEphemeralMessageCaption({ ...hidden, caption: 'd' }));
    },
    'a hidden message is not edited or erased as one for all': async () => {
        const id = hidden.ephemeral_message_id;
        await refused(400, /not found/, () => api.deleteMessage(group, id));
        await refused(400, /not found/, () => api.editMessageText(group, id, 'x'));
        must('wrong', await api.raw.deleteEphemeralMessage(hidden) === true);
    },
    'nothing is hidden in a private chat': () => refused(400, /BOT_NOT_ADMIN/, () => api.raw.sendMessage(
        { chat_id: chat, text: 'x', ephemeral_message_parameters: { receiver_user_id: +chat } })),
    'kinds of updates that are no list are refused': () =>
        refused(400, /allowed_updates/, () => api.raw.getUpdates({ allowed_updates: 'message' })),
    'a language of three letters is refused': () => refused(400, /./, () =>
        api.setMyCommands([{ command: 'koi', description: 'play' }], { language_code: 'eng' })),
    'a link that is none is refused': () => refused(400, /BUTTON_URL_INVALID/, () =>
        api.sendMessage(chat, 'x', { reply_markup: { inline_keyboard: [[{ text: 'A', url: 'there' }]] } })),
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
