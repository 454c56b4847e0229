// A person with a real client (matrix-js-sdk): makes a room, invites the bot and the opponents, challenges
// them, and plays by voting in the polls the bot sends. Ends with a line of JSON about the match.
//
//   node player.mjs NODE_MODULES HOMESERVER NAME OPPONENTS PRESET VOTES UPGRADE
//
// OPPONENTS: names with commas between. // VOTES: stop after so many votes of one's own; 0: play to the end. UPGRADE: 1 = the room is upgraded
// in mid-match.
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [, , modules, homeserver, name, opponents, preset, votesWanted, upgrade] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const load = async what => import(pathToFileURL(require.resolve(what)));
const sdk = await load('matrix-js-sdk');
const {logger} = await load('matrix-js-sdk/lib/logger.js');
logger.setLevel?.('silent');
const POLL = 'org.matrix.msc3381.poll.start', VOTE = 'org.matrix.msc3381.poll.response';
const bot = '@bot:koi.test', others = opponents.split(',').map(o => `@${o}:koi.test`);

const login = await sdk.createClient({baseUrl: homeserver}).loginRequest({
    type: 'm.login.password', identifier: {type: 'm.id.user', user: name}, password: `pw-${name}`});
const client = sdk.createClient({baseUrl: homeserver, userId: login.user_id, accessToken: login.access_token,
    deviceId: login.device_id});
await client.startClient({initialSyncLimit: 1});
await new Promise(done => client.once('sync', done));

let room, votes = 0, boards = 0, started, finished = false, upgraded = false, chain = Promise.resolve();
// One request after another, and a client that obeys limits like a person's own.
const act = what => chain = chain.then(async () => {
    for (;;) {
        try { return await what(); } catch (e) {
            if (e.httpStatus !== 429) { console.error(String(e)); return undefined; }
            await new Promise(r => setTimeout(r, e.data?.retry_after_ms ?? 1000));
        }
    }
});
const say = text => act(() => client.sendTextMessage(room, text));
function finish(won) {
    if (finished) return;
    finished = true;
    const seconds = (Date.now() - started) / 1000;
    console.log(JSON.stringify({player: name, preset, ended: won, votes, boards, upgraded, seconds,
        seconds_per_vote: +(seconds / Math.max(votes, 1)).toFixed(2)}));
    client.stopClient();
    setTimeout(() => process.exit(0), 500);
}
async function doUpgrade() {
    upgraded = true;
    const made = await client.http.authedRequest('POST', `/rooms/${encodeURIComponent(room)}/upgrade`, undefined, {new_version: '12'});
    room = made.replacement_room;
    for (const other of others) await client.invite(room, other);
}
function vote(event) {
    const answers = event.getContent()[POLL].answers;
    const choice = answers[Math.floor(Math.random() * answers.length)];
    votes++;
    act(() => client.sendEvent(event.getRoomId(), VOTE, {
        'm.relates_to': {rel_type: 'm.reference', event_id: event.getId()}, [VOTE]: {answers: [choice.id]}}));
    if (+upgrade && votes === 3) act(doUpgrade);
    if (+votesWanted && votes >= +votesWanted) finish(false);
}
client.on('Room.timeline', (event, where, toStart) => {
    if (toStart || event.getSender() !== bot || event.getTs() < started) return;
    if (event.getType() === POLL) return vote(event);
    const content = event.getContent(), body = (content['m.new_content'] ?? content).body ?? '';
    if (content['m.new_content']) boards++;
    else if (body.includes('!koi ready')) say('!koi ready');
    if (body.includes('🏁') && where?.roomId === room) finish(true);
});
client.on('RoomMember.membership', (event, member) => {
    if (member.userId === login.user_id && member.membership === 'invite') act(() => client.joinRoom(member.roomId));
});

started = Date.now();
({room_id: room} = await client.createRoom({name: `Table of ${name}`, preset: 'public_chat', invite: [bot, ...others]}));
const present = () => [bot, ...others].every(who => client.getRoom(room)?.getMember(who)?.membership === 'join');
while (!present()) await new Promise(done => setTimeout(done, 100));
await say(`!koi challenge ${others.join(' ')} ${preset}`);
