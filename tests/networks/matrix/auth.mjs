// A server for next-generation login: oidc-provider as the authority of a Synapse that has no passwords of its own.
// It registers clients, grants devices, and gives refresh tokens that are good for one use; access tokens live
// for SECONDS. Besides, for the tests:
//
//   GET  /people/NAME,...     makes these people and a device of each at the homeserver; NAME's own token is password-NAME
//   POST /oauth2/introspect   whose token it is, as Synapse asks
//
//   node auth.mjs NODE_MODULES PORT HOMESERVER SECRET SECONDS
import http from 'node:http';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [, , modules, port, homeserver, secret, seconds] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const {default: Provider} = await import(pathToFileURL(require.resolve('oidc-provider')));
const issuer = `http://127.0.0.1:${port}`, API = 'urn:matrix:client:api:*', DEVICE = 'urn:matrix:client:device:';
const own = 'PERSON';

const provider = new Provider(issuer, {
    scopes: [API, `${DEVICE}KOIKOI-DAEMON`],
    features: {deviceFlow: {enabled: true}, registration: {enabled: true}, revocation: {enabled: true},
        devInteractions: {enabled: true}},
    clientAuthMethods: ['none'],
    ttl: {AccessToken: +seconds, RefreshToken: 3600, DeviceCode: 600, Grant: 3600, Session: 3600, Interaction: 600},
    issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    findAccount: async (ctx, id) => ({accountId: id, claims: async () => ({sub: id})}),
    discovery: {account_management_uri: `${issuer}/account`},
});

async function mas(what, body) {
    const answer = await fetch(`${homeserver}/_synapse/mas/${what}`, {method: 'POST', body: JSON.stringify(body),
        headers: {'Authorization': `Bearer ${secret}`, 'Content-Type': 'application/json'}});
    if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
}
const makes = async (localpart, device_id) => mas('upsert_device', {localpart, device_id});
async function people(names) {
    for (const localpart of names) {
        await mas('provision_user', {localpart});
        await makes(localpart, own);
    }
}
async function introspect(token) {
    if (token.startsWith('password-')) return {active: true, scope: API, username: token.slice(9), device_id: own};
    const found = await provider.AccessToken.find(token);
    if (!found || found.isExpired) return {active: false};
    const device = found.scope.split(' ').find(s => s.startsWith(DEVICE));
    if (device) await makes(found.accountId, device.slice(DEVICE.length));
    return {active: true, scope: found.scope, username: found.accountId, expires_in: found.remainingTTL};
}
async function body(request) {
    const parts = [];
    for await (const part of request) parts.push(part);
    return Buffer.concat(parts).toString();
}
provider.on('grant.success', ctx => console.log(`granted ${ctx.oidc.params.grant_type}`));
provider.on('grant.error', (ctx, e) => e.message === 'authorization_pending' || console.log(`refused ${e.error_detail ?? e.message}`));
const oauth = provider.callback();
http.createServer(async (request, answer) => {
    try {
        if (request.url.startsWith('/people/')) {
            await people(request.url.slice(8).split(','));
            answer.end('done\n');
        } else if (request.url === '/oauth2/introspect') {
            const told = await introspect(new URLSearchParams(await body(request)).get('token'));
            answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(told));
        } else {
            oauth(request, answer);
        }
    } catch (e) {
        console.error(e);
        answer.writeHead(500).end(String(e));
    }
}).listen(+port, '127.0.0.1', () => console.log('listening'));
