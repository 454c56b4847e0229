// Who can read what: opens everything that each person was told in private with the keys of each, and counts. What
// player.mjs writes with secrets=FILE is read: the sealed events of a person's private chats, and all the keys that the
// person's device has in the end.
//
//   node secrets.mjs NODE_MODULES FILE FILE...
//
// Prints a line a pair, whose chats and whose keys. Ends with 1 unless everybody opens all of their own, and nothing of
// another's.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const [, , modules, ...files] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const tell = console.log;
console.debug = console.log = console.info = console.warn = () => undefined; // the library is talkative
const wasm = require('@matrix-org/matrix-sdk-crypto-wasm');
await wasm.initAsync();
const people = files.map(file => JSON.parse(readFileSync(file)));
let wrong = people.length < 2;

// How many of the events these keys open.
async function opened(keys, events) {
    const machine = await wasm.OlmMachine.initialize(new wasm.UserId('@reader:koi.test'), new wasm.DeviceId('READER'));
    const any = new wasm.DecryptionSettings(wasm.TrustRequirement.Untrusted);
    await machine.importExportedRoomKeys(keys, () => undefined);
    let n = 0;
    for (const event of events)
        await machine.decryptRoomEvent(JSON.stringify(event), new wasm.RoomId(event.room_id), any).then(() => n++, () => undefined);
    machine.close();
    return n;
}
for (const owner of people) for (const reader of people) {
    const n = await opened(reader.keys, owner.events), own = owner === reader;
    tell(`what ${owner.name} was told, with the keys of ${reader.name}: ${n} of ${owner.events.length}`);
    if (own ? n < owner.events.length || n < 10 : n > 0) wrong = true;
}
process.exit(wrong ? 1 : 0);
