// An identity of an account, made in a client: cross-signing keys, and secret storage that a recovery key opens. Prints
// the recovery key without its blanks, then the public master key; or, asked to look, what master key the account has; or,
// asked to sign, makes no storage and signs a device of another client's.
//
//   node identity.mjs NODE_MODULES HOMESERVER NAME make|look|sign [DEVICE]
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [, , modules, baseUrl, name, what, device] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const load = async module => import(pathToFileURL(require.resolve(module)));
const sdk = await load('matrix-js-sdk');
(await load('matrix-js-sdk/lib/logger.js')).logger.setLevel?.('silent');
const tell = console.log;
console.debug = console.log = console.info = console.warn = () => undefined;

const password = {type: 'm.login.password', identifier: {type: 'm.id.user', user: name}, password: `password-${name}`};
const login = await sdk.createClient({baseUrl}).loginRequest(password);
let secret;
const client = sdk.createClient({
    baseUrl, userId: login.user_id, accessToken: login.access_token, deviceId: login.device_id,
    cryptoCallbacks: {getSecretStorageKey: async ({keys}) => [Object.keys(keys)[0], secret.privateKey], cacheSecretStorageKey: () => undefined}});
const asked = {device_keys: {[login.user_id]: []}};
const master = async () => Object.values((await client.http.authedRequest('POST', '/keys/query', undefined, asked)).master_keys[login.user_id].keys)[0];
if (what === 'look') {
    tell(await master());
    await client.logout();
    process.exit(0);
}
await client.initRustCrypto({useIndexedDB: false});
await client.startClient({initialSyncLimit: 1});
await new Promise(done => client.once('sync', done));
const crypto = client.getCrypto();
await crypto.bootstrapCrossSigning({authUploadDeviceSigningKeys: upload => upload(password)});
if (what === 'sign') {
    const known = async () => (await crypto.getUserDeviceInfo([login.user_id], true)).get(login.user_id)?.has(device);
    while (!await known()) await new Promise(done => setTimeout(done, 100));
    await crypto.crossSignDevice(device);
    await client.logout();
    process.exit(0);
}
await crypto.bootstrapSecretStorage({createSecretStorageKey: async () => secret = await crypto.createRecoveryKeyFromPassphrase()});
tell(secret.encodedPrivateKey.replace(/\s/g, ''), await master());
await client.logout();
process.exit(0);
