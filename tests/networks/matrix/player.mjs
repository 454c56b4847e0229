// A person with a real client (matrix-js-sdk): makes a room, invites the bot and the opponents, challenges
// them, and plays. Says "moved" for each move of theirs; ends with a line of JSON about the match, and with 1 if
// there were problems: see `judge`.
//
//   node player.mjs NODE_MODULES HOMESERVER NAME OPPONENTS PRESET [OPTION=VALUE...]
//
// OPPONENTS: names with commas between. Options:
//   way=vote|type|react    how moves are made; as in person.py. With a poll, react puts the number under the poll or
//                          under the picture above it, by turns
//   moves=N                stop after so many of one's own; 0: play to the end
//   upgrade=N              the room is upgraded after so many
//   late=MS                invitations are accepted after so many milliseconds
//   thread=1               all is said in a thread of the room
//   direct=ROOM            the private chat must be this one
//   sealed=1               with encryption, judging devices as Element does: those that are not cross-signed are not
//                          heard; the room is encrypted, and what the bot says must be
//   sealed=N               the same, but the room becomes encrypted after so many of one's own moves
//   devices=1              with sealed: two more devices of the person's, one of them not signed: see devices.mjs
//   secrets=FILE           with sealed: writes what was said sealed in private chats, and the keys of this device, for
//                          secrets.mjs
//   rotate=1               with sealed: the room wants another key after each event, and each of the bot's must have one
//   replay=1               with sealed: a ciphertext of ours is sent once more, and must be heard once
//   guest=1                makes no room: waits for the challenge, accepts it and plays until the end
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {moreDevices} from './devices.mjs';

const [, , modules, homeserver, name, opponents, preset, ...options] = process.argv;
const {way = 'vote', moves: wanted = 0, upgrade = 0, late = 0, thread, direct, sealed = 0, guest, devices, secrets, rotate, replay} = Object.fromEntries(options.map(o => o.split('=')));
const require = createRequire(path.resolve(modules, 'x.js'));
const load = async what => import(pathToFileURL(require.resolve(what)));
const sdk = await load('matrix-js-sdk');
const {logger} = await load('matrix-js-sdk/lib/logger.js');
logger.setLevel?.('silent');
const POLL = 'org.matrix.msc3381.poll.start', VOTE = 'org.matrix.msc3381.poll.response';
const SEAL = {algorithm: 'm.megolm.v1.aes-sha2', ...(rotate && {rotation_period_msgs: 1})};
const bot = '@bot:koi.test', others = opponents.split(',').map(o => `@${o}:koi.test`);

const tell = console.log, password = {type: 'm.login.password', identifier: {type: 'm.id.user', user: name}, password: `password-${name}`};
if (+sealed) console.debug = console.log = console.info = console.warn = () => undefined; // the crypto of the client is talkative
const login = process.env.LOGIN === 'token'                 // where the server knows no passwords
    ? {user_id: `@${name}:koi.test`, access_token: `password-${name}`, device_id: 'PERSON'}
    : await sdk.createClient({baseUrl: homeserver}).loginRequest(password);
const client = sdk.createClient({baseUrl: homeserver, userId: login.user_id, accessToken: login.access_token,
    deviceId: login.device_id, cryptoCallbacks: {}});
let signedOnly, more, unread = 0, given = false;
if (+sealed) {
    const {OnlySignedDevicesIsolationMode} = await load('matrix-js-sdk/lib/crypto-api/index.js');
    await client.initRustCrypto({useIndexedDB: false});
    signedOnly = new OnlySignedDevicesIsolationMode();
    client.getCrypto().setDeviceIsolationMode(signedOnly);
    await client.getCrypto().bootstrapCrossSigning({authUploadDeviceSigningKeys: upload => upload({
        type: 'm.login.password', identifier: {type: 'm.id.user', user: login.user_id}, password: `password-${name}`})});
}
await client.startClient({initialSyncLimit: 1});
await new Promise(done => client.once('sync', done));

const asked = new Set(), closedTables = new Set(), tables = new Set(), directs = new Set(), problems = new Set(), told = [];
const accepted = new Set(), keys = new Set();
let pongs = 0, answered = () => undefined, replayed;
let picture, rung = false, pictured = 0, room, root, sealedEvents = 0, openedPictures = 0, pictureBytes = 0, moves = 0, boards = 0, mentions = 0, started, finished = false, upgraded = false, over = false, chain = Promise.resolve();
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
async function finish(ended) {
    if (finished) return;
    finished = true;
    await replayed;
    if (replay && pongs !== 1) problems.add(`a ciphertext that came twice was heard ${pongs} times`);
    const read = await more?.judge(problems);
    if (more && (given || unread > 1)) problems.add(given ? 'an unsigned device gave the match up' : `${unread} times told that it is not heard`);
    if (secrets) writeFileSync(secrets, JSON.stringify({name, keys: await client.getCrypto().exportRoomKeysAsJson(), events: told}));
    const seconds = (Date.now() - started) / 1000;
    if (ended && mentions === 0) problems.add('nobody was told that it is their move');
    const chats = [...directs].filter(id => ['join', 'invite'].includes(client.getRoom(id)?.getMyMembership()) &&
        client.getRoom(id).getMember(bot)?.membership === 'join');
    if (chats.length !== 1) problems.add(`${chats.length} private chats`);
    if (+sealed && !guest && !closedTables.has(room)) problems.add('the bot said nothing sealed in the room');
    if (direct && chats[0] !== direct) problems.add('another private chat than last time');
    tell(JSON.stringify({player: name, preset, ended, moves, pictured, boards, upgraded, sealed: sealedEvents, keys: keys.size, pongs, openedPictures, pictureBytes, ...read, seconds,
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
// The same ciphertext under another id, as our homeserver could send it; what is said after it is answered after it.
async function sayTwice() {
    const answer = text => new Promise(done => { answered = body => body.includes(`pong ${text}`) && done(); });
    const once = answer('once'), place = `/rooms/${encodeURIComponent(room)}`;
    const {event_id} = await client.sendTextMessage(room, '!koi ping once');
    await once;
    const {type, content} = await client.http.authedRequest('GET', `${place}/event/${encodeURIComponent(event_id)}`);
    if (type !== 'm.room.encrypted') problems.add('a replay of what was not sealed');
    await client.http.authedRequest('PUT', `${place}/send/${type}/again`, undefined, content);
    const after = answer('after');
    await client.sendTextMessage(room, '!koi ping after');
    await after;
}
function moved() {
    moves++;
    console.error('moved');
    if (+sealed > 1 && moves === +sealed) act(() => client.sendStateEvent(room, 'm.room.encryption', SEAL));
    if (+upgrade && moves === +upgrade) act(doUpgrade);
    if (replay && moves === 1) replayed = sayTwice();
    if (more && moves === 2) act(() => more.speak(room));
    if (+wanted && moves >= +wanted) finish(false);
}
const anyOf = list => list[Math.floor(Math.random() * list.length)];
function vote(event) {
    const choice = anyOf(event.getContent()[POLL].answers);
    act(() => client.sendEvent(event.getRoomId(), VOTE, {
        'm.relates_to': {rel_type: 'm.reference', event_id: event.getId()}, [VOTE]: {answers: [choice.id]}}));
    moved();
}
// The number of an answer that has one, as a reaction to the poll or to the picture above it; else a vote.
function react(event) {
    const labels = event.getContent()[POLL].answers.map(a => a['org.matrix.msc1767.text']);
    const numbers = labels.map(label => /^(\d+)\. /.exec(label)?.[1]).filter(n => n);
    if (numbers.length === 0) return vote(event);
    const under = moves % 2 && picture ? picture : event.getId();
    act(() => client.sendEvent(event.getRoomId(), 'm.reaction',
        {'m.relates_to': {rel_type: 'm.annotation', event_id: under, key: `${anyOf(numbers)}\uFE0F\u20E3`}}));
    pictured += under === picture;
    picture = undefined; // it is that of one hand; a question that follows has none
    moved();
}
// Not every server has the rule of push for people who are mentioned.
const mentions_ring = () => JSON.stringify(client.pushRules ?? {}).includes('is_user_mention');
// What rings for a hand: by the rules of push of the server, as this client reads them. A picture and its poll ring once.
function ring(event) {
    if (event.getContent()['m.new_content']) return;
    const rings = !!client.getPushActionsForEvent(event)?.notify, poll = event.getType() === POLL;
    if (event.getContent().msgtype === 'm.image') { picture = event.getId(); rung = rings; return; }
    if (!poll) return;
    if (rung && rings) problems.add('two notifications for one hand');
    // A question about one's own choice does not ring: whoever chose is there.
    const hand = /Your hand/.test(JSON.stringify(event.getContent()));
    if (hand && !rung && !rings && mentions_ring()) problems.add('a hand that does not ring');
    rung = false;
}
// What can be answered to a hand, a question or a decision, by number.
function answer(where, body, post) {
    const numbers = [...body.matchAll(/^(\d+)\. /gm)].map(m => m[1]);
    const said = body.includes(' to move') ? undefined : anyOf(numbers);
    if (!said) return;
    if (way === 'react' && +said) act(() => client.sendEvent(where, 'm.reaction',
        {'m.relates_to': {rel_type: 'm.annotation', event_id: post, key: `${said}\uFE0F\u20E3`}}));
    else say(said, where);
    moved();
}
// What holds for everything the bot says: boards are edits of notices and ping nobody, a ping is a text that mentions
// one by id, cards to choose from are shown in private alone, a thread is not left.
function judge(event, content, here) {
    const asks = content[POLL]?.answers.map(a => a.id).join();
    // A table that moves to another room shows its hands anew.
    if (asks && asked.has(asks) && !+upgrade) problems.add(`asked twice: ${asks}`);
    asked.add(asks);
    const edit = content['m.new_content'], mentioned = content['m.mentions']?.user_ids ?? [];
    mentions += mentioned.includes(login.user_id);
    const said = here && !edit ? content.body ?? '' : '';
    if (said.includes('🏁') && !mentioned.includes(login.user_id)) problems.add('a result that does not mention its player');
    if (said.includes('!koi ready') && mentioned.length === 0) problems.add('a round that waits for people and mentions nobody');
    if (event.getType() === POLL && here) problems.add('a poll of moves in the room');
    if (event.getType() !== 'm.room.message') return;
    if (!content['m.mentions']) problems.add(`no word of who is mentioned: ${content.body}`);
    if (edit && mentioned.length > 0) problems.add('an edit that pings');
    if (mentioned.length > 0 && !['m.text', 'm.image'].includes(content.msgtype)) problems.add('a ping that clients keep quiet');
    if (here && /^\d+\. .* → /m.test((edit ?? content).body)) problems.add('a hand in the room');
    if (!(edit ?? content).body) problems.add('no plain body');
    if (here && root && !edit && event.getWireContent()['m.relates_to']?.event_id !== root) problems.add('out of the thread');
}
// Whoever the bot writes to in an encrypted room reads it; its words never go in the clear there.
async function opened(event, where) {
    if (!+sealed || event.isState()) return true;
    // In a room that was closed in mid-match the bot learns of it with its next sync: from its first sealed event on.
    const seal = client.getRoom(where.roomId)?.currentState.getStateEvents('m.room.encryption', '');
    const closed = +sealed > 1 && tables.has(where.roomId) ? closedTables.has(where.roomId) : seal && event.getTs() > seal.getTs();
    if (event.getWireType() === 'm.room.encrypted') {
        sealedEvents++;
        const {session_id} = event.getWireContent();
        if (rotate && tables.has(where.roomId) && keys.has(session_id)) problems.add('two events of one key');
        if (tables.has(where.roomId)) keys.add(session_id);
        if (directs.has(where.roomId)) told.push(event.event);
        closedTables.add(where.roomId);
        for (let tries = 0; tries < 600; tries++) {
            // The key may come before the client has looked up the device it is from.
            if (event.isDecryptionFailure()) await event.attemptDecryption(client.getCrypto(), {isRetry: true});
            else await client.decryptEventIfNeeded(event);
            if (!event.isBeingDecrypted() && !event.isDecryptionFailure()) return true;
            await new Promise(done => setTimeout(done, 100));
        }
        problems.add(`cannot be read: ${event.decryptionFailureReason}`);
        return false;
    }
    if (closed && event.getWireType() !== 'm.room.redaction') problems.add(`in the clear: ${event.getWireType()}`);
    return true;
}
// A picture in an encrypted room is one too: this client opens it.
async function openPicture(content) {
    if (!content.file) { problems.add('a picture in the clear'); return; }
    const url = `${homeserver}/_matrix/client/v1/media/download/${content.file.url.slice('mxc://'.length)}`;
    const answer = await fetch(url, {headers: {Authorization: `Bearer ${login.access_token}`}});
    const bytes = Buffer.from(await answer.arrayBuffer()), {webcrypto} = await import('node:crypto');
    const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('base64').replace(/=+$/, '');
    const key = await webcrypto.subtle.importKey('jwk', content.file.key, 'AES-CTR', false, ['decrypt']);
    const plain = Buffer.from(await webcrypto.subtle.decrypt(
        {name: 'AES-CTR', counter: Buffer.from(content.file.iv, 'base64'), length: 64}, key, bytes));
    if (hash !== content.file.hashes.sha256) problems.add('a picture with another hash');
    if (plain.subarray(1, 4).toString() !== 'PNG') problems.add('a picture that does not open');
    else openedPictures++;
}
client.on('Room.timeline', async (event, where, toStart) => {
    if (toStart || event.getSender() !== bot || event.getTs() < started) return;
    if (!await opened(event, where)) return;
    const content = event.getContent(), edit = content['m.new_content'], body = (edit ?? content).body ?? '';
    const here = tables.has(where.roomId);
    judge(event, content, here);
    pongs += here && body.includes('pong once');
    if (here) answered(body);
    unread += here && body.includes('Verify this session');
    given ||= body.includes('gives up the match');
    pictureBytes += (edit ?? content).msgtype === 'm.image' ? (edit ?? content).info.size : 0;
    if (+sealed === 1 && (edit ?? content).msgtype === 'm.image') await openPicture(edit ?? content);
    if (!here && !+sealed) ring(event);                     // what is sealed rings by its type alone, for the server
    if (event.getType() === POLL && way !== 'type') return way === 'vote' ? vote(event) : react(event);
    if (!here && way !== 'vote' && event.getType() === 'm.room.message' && content.msgtype !== 'm.image')
        answer(where.roomId, body, edit ? content['m.relates_to'].event_id : event.getId());
    if (edit) boards += here;
    else if (guest && body.includes('!koi accept') && !accepted.has(where.roomId)) {
        accepted.add(where.roomId);
        say('!koi accept', where.roomId);
    } else if (body.includes('!koi ready')) say('!koi ready', guest ? where.roomId : room);
    if (guest && body.includes('🏁')) finish(true);
    if (body.includes('🏁') && where?.roomId === room) over = true;
    if (over && (!more || unread > 0)) finish(true);    // the bot has a minute to say that it does not hear a device
});
client.on('RoomMember.membership', (event, member) => {
    if (member.userId !== login.user_id || member.membership !== 'invite') return;
    if (event.getContent().is_direct) directs.add(member.roomId);
    setTimeout(() => act(() => client.joinRoom(member.roomId)), +late);
});

for (const old of client.getRooms()) if (old.getMember(login.user_id)?.getDMInviter() === bot) directs.add(old.roomId);
if (devices) more = await moreDevices(sdk, homeserver, password, client, signedOnly, bot);
started = Date.now();
if (guest) await new Promise(() => undefined);
({room_id: room} = await client.createRoom({name: `Table of ${name}`, preset: 'public_chat', invite: [bot, ...others],
    initial_state: +sealed === 1 ? [{type: 'm.room.encryption', state_key: '', content: SEAL}] : []}));
tables.add(room);
const present = () => [bot, ...others].every(who => client.getRoom(room)?.getMember(who)?.membership === 'join');
while (!present()) await new Promise(done => setTimeout(done, 100));
if (thread) ({event_id: root} = await client.sendTextMessage(room, 'A quiet game?'));
await say(`!koi challenge ${others.join(' ')} ${preset}`);
