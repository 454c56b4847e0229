// More devices of a person who plays in an encrypted room: one that the person's identity has signed, and one that it has
// not. The first reads all that the bot says; the other reads nothing and is not heard, neither sealed nor in the clear.

const POLL = 'org.matrix.msc3381.poll.start';

// A client on a device of its own. `first`, if given, is the person's first client, which signs it.
async function device(sdk, homeserver, login, first, mode) {
    const {user_id: userId, access_token: accessToken, device_id: deviceId} = await sdk.createClient({baseUrl: homeserver}).loginRequest(login);
    const client = sdk.createClient({baseUrl: homeserver, userId, accessToken, deviceId, cryptoCallbacks: {}});
    await client.initRustCrypto({useIndexedDB: false});
    if (mode) client.getCrypto().setDeviceIsolationMode(mode);
    await client.startClient({initialSyncLimit: 1});
    await new Promise(done => client.once('sync', done));
    const known = async () => (await (first ?? client).getCrypto().getUserDeviceInfo([userId], true)).get(userId)?.has(deviceId);
    while (!await known()) await new Promise(done => setTimeout(done, 100));
    if (first) await first.getCrypto().crossSignDevice(deviceId);
    return client;
}

// Counts what a device could read of the bot's sealed events and what it could not.
function count(client, bot) {
    const seen = {read: 0, unread: 0, events: []};
    client.on('Room.timeline', (event, room, toStart) => {
        if (toStart || event.getSender() !== bot || event.getWireType() !== 'm.room.encrypted') return;
        seen.events.push(event);
    });
    return seen;
}
async function settle(client, seen, most) {
    for (const event of seen.events) {
        for (let tries = 0; tries < most; tries++) {
            await client.decryptEventIfNeeded(event);
            if (event.isDecryptionFailure()) await event.attemptDecryption(client.getCrypto(), {isRetry: true});
            if (!event.isDecryptionFailure()) break;
            await new Promise(done => setTimeout(done, 100));
        }
        if (event.isDecryptionFailure()) seen.unread++;
        else seen.read++;
    }
}

// Returns {speak, judge}: the unsigned device gives the match up, sealed and in the clear; `judge` adds what is wrong.
export async function moreDevices(sdk, homeserver, login, first, mode, bot) {
    const signed = await device(sdk, homeserver, login, first, mode), other = await device(sdk, homeserver, login);
    const ofSigned = count(signed, bot), ofOther = count(other, bot);
    return {
        async speak(room) {
            const content = {msgtype: 'm.text', body: '!koi resign'};
            for (let twice = 0; twice < 2; twice++) {
                await other.sendEvent(room, 'm.room.message', content);
                await other.http.authedRequest('PUT', `/rooms/${encodeURIComponent(room)}/send/m.room.message/clear${twice}`, undefined, content);
            }
        },
        async judge(problems) {
            await settle(signed, ofSigned, 20);
            await settle(other, ofOther, 1);
            if (ofSigned.unread > 0) problems.add(`the second device cannot read ${ofSigned.unread} of ${ofSigned.events.length}`);
            if (ofOther.read > 0) problems.add(`a device that is not signed reads ${ofOther.read} of ${ofOther.events.length}`);
            if (ofSigned.read < 10 || ofOther.unread < 10) problems.add('the devices have seen next to nothing');
            if (!ofSigned.events.some(event => event.getType() === POLL)) problems.add('no hand on the second device');
            signed.stopClient();
            other.stopClient();
            return {second: ofSigned.read, unsigned: ofOther.unread};
        }
    };
}
