// A person with a real client (matrix-js-sdk): makes a room, invites the bot and the opponents, challenges
// them, and plays. Says "moved" for each move of theirs; ends with a line of JSON about the match, and with 1 if
// there were problems: see `judge`.
//
//   node player.mjs NODE_MODULES HOMESERVER NAME OPPONENTS PRESET [OPTION=VALUE...]
//
// OPPONENTS: names with commas between. Options:
//   way=vote|type|react    how moves are made; as in person.py
//   moves=N                stop after so many of one's own; 0: play to the end
//   upgrade=N              the room is upgraded after so many
//   thread=1               all is said in a thread of the room
//   direct=ROOM            the private chat must be this one
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [, , modules, homeserver, name, opponents, preset, ...options] = process.argv;
const {way = 'vote', moves: wanted = 0, upgrade = 0, thread, direct} = Object.fromEntries(options.map(o => o.split('=')));
const require = createRequire(path.resolve(modules, 'x.js'));
const load = async what => import(pathToFileURL(require.resolve(what)));
const sdk = await load('matrix-js-sdk');
const {logger} = await load('matrix-js-sdk/lib/logger.js');
logger.setLevel?.('silent');
const POLL = 'org.matrix.msc3381.poll.start', VOTE = 'org.matrix.msc3381.poll.response';
const bot = '@bot:koi.test', others = opponents.split(',').map(o => `@${o}:koi.test`);

const login = process.env.LOGIN === 'token'                 // where the server knows no passwords
    ? {user_id: `@${name}:koi.test`, access_token: `pw-${name}`, device_id: 'PERSON'}
    : await sdk.createClient({baseUrl: homeserver}).loginRequest({
        type: 'm.login.password', identifier: {type: 'm.id.user', user: name}, password: `pw-${name}`});
const client = sdk.createClient({baseUrl: homeserver, userId: login.user_id, accessToken: login.access_token,
    deviceId: login.device_id});
await client.startClient({initialSyncLimit: 1});
await new Promise(done => client.once('sync', done));

const tables = new Set(), directs = new Set(), problems = new Set();
let room, root, moves = 0, boards = 0, mentions = 0, started, finished = false, upgraded = false, chain = Promise.resolve();
// One request after another, and a client that obeys limits and does not give up, like a person's own.
const act = what => chain = chain.then(async () => {
    for (;;) {
        try { return await what(); } catch (e) {
            const refused = e.httpStatus >= 400 && e.httpStatus < 500 && e.httpStatus !== 429;
            if (refused) { console.error(String(e)); return undefined; }
            await new Promise(r => setTimeout(r, e.data?.retry_after_ms ?? 500));
        }
    }
});
const inThread = () => root && {'m.relates_to': {rel_type: 'm.thread', event_id: root, is_falling_back: true,
    'm.in_reply_to': {event_id: root}}};
const say = (text, where = room) => act(() => client.sendEvent(where, 'm.room.message',
    {msgtype: 'm.text', body: text, ...(where === room ? inThread() : undefined)}));
function finish(ended) {
    if (finished) return;
    finished = true;
    const seconds = (Date.now() - started) / 1000;
    if (ended && mentions === 0) problems.add('nobody was told that it is their move');
    const chats = [...directs].filter(id => client.getRoom(id)?.getMember(bot)?.membership === 'join');
    if (chats.length !== 1) problems.add(`${chats.length} private chats`);
    if (direct && chats[0] !== direct) problems.add('another private chat than last time');
    console.log(JSON.stringify({player: name, preset, ended, moves, boards, upgraded, seconds,
        seconds_per_move: +(seconds / Math.max(moves, 1)).toFixed(2), direct: chats[0], problems: [...problems]}));
    client.stopClient();
    setTimeout(() => process.exit(problems.size > 0 ? 1 : 0), 500);
}
async function doUpgrade() {
    upgraded = true;
    const made = await client.http.authedRequest('POST', `/rooms/${encodeURIComponent(room)}/upgrade`, undefined, {new_version: '12'});
    room = made.replacement_room;
    tables.add(room);
    for (const other of others) await client.invite(room, other);
}
function moved() {
    moves++;
    console.error('moved');
    if (+upgrade && moves === +upgrade) act(doUpgrade);
    if (+wanted && moves >= +wanted) finish(false);
}
const anyOf = list => list[Math.floor(Math.random() * list.length)];
function vote(event) {
    const choice = anyOf(event.getContent()[POLL].answers);
    act(() => client.sendEvent(event.getRoomId(), VOTE, {
        'm.relates_to': {rel_type: 'm.reference', event_id: event.getId()}, [VOTE]: {answers: [choice.id]}}));
    moved();
}
// What can be answered to a hand, a question or a decision, by number or word.
function answer(where, body, post) {
    const numbers = [...body.matchAll(/^(\d+)\. /gm)].map(m => m[1]);
    const said = body.includes('!koi stop') ? anyOf(['stop', 'koikoi'])
        : body.includes(' to move') ? undefined : anyOf(numbers);
    if (!said) return;
    if (way === 'react' && +said) act(() => client.sendEvent(where, 'm.reaction',
        {'m.relates_to': {rel_type: 'm.annotation', event_id: post, key: `${said}\uFE0F\u20E3`}}));
    else say(said, where);
    moved();
}
// What holds for everything the bot says: boards are edits of notices and ping nobody, a ping is a text that mentions
// one by id, cards to choose from are shown in private alone, a thread is not left.
function judge(event, content, here) {
    const edit = content['m.new_content'], mentioned = content['m.mentions']?.user_ids ?? [];
    mentions += mentioned.includes(login.user_id);
    if (event.getType() === POLL && here) problems.add('a poll of moves in the room');
    if (event.getType() !== 'm.room.message') return;
    if (!content['m.mentions']) problems.add(`no word of who is mentioned: ${content.body}`);
    if (edit && mentioned.length > 0) problems.add('an edit that pings');
    if (mentioned.length > 0 && content.msgtype !== 'm.text') problems.add('a ping that clients keep quiet');
    if (here && /^\d+\. .* → /m.test((edit ?? content).body)) problems.add('a hand in the room');
    if (!(edit ?? content).body) problems.add('no plain body');
    if (here && root && !edit && event.getWireContent()['m.relates_to']?.event_id !== root) problems.add('out of the thread');
}
client.on('Room.timeline', (event, where, toStart) => {
    if (toStart || event.getSender() !== bot || event.getTs() < started) return;
    const content = event.getContent(), edit = content['m.new_content'], body = (edit ?? content).body ?? '';
    const here = tables.has(where.roomId);
    judge(event, content, here);
    if (event.getType() === POLL && way === 'vote') return vote(event);
    if (!here && way !== 'vote' && event.getType() === 'm.room.message')
        answer(where.roomId, body, edit ? content['m.relates_to'].event_id : event.getId());
    if (edit) boards += here;
    else if (body.includes('!koi ready')) say('!koi ready');
    if (body.includes('🏁') && where?.roomId === room) finish(true);
});
client.on('RoomMember.membership', (event, member) => {
    if (member.userId !== login.user_id || member.membership !== 'invite') return;
    if (event.getContent().is_direct) directs.add(member.roomId);
    act(() => client.joinRoom(member.roomId));
});

for (const old of client.getRooms()) if (old.getMember(login.user_id)?.getDMInviter() === bot) directs.add(old.roomId);
started = Date.now();
({room_id: room} = await client.createRoom({name: `Table of ${name}`, preset: 'public_chat', invite: [bot, ...others]}));
tables.add(room);
const present = () => [bot, ...others].every(who => client.getRoom(room)?.getMember(who)?.membership === 'join');
while (!present()) await new Promise(done => setTimeout(done, 100));
if (thread) ({event_id: root} = await client.sendTextMessage(room, 'A quiet game?'));
await say(`!koi challenge ${others.join(' ')} ${preset}`);
