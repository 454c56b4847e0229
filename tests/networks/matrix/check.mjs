// The Matrix specification as a judge: a proxy in front of a homeserver that checks what is asked and
// what is answered against the schemas in matrix-cs.json (see NOTICE.md).
//
//   node check.mjs NODE_MODULES LISTEN UPSTREAM VERDICT LISTENS
//
// With KILL_EVERY=n in the environment it ends the process whose id is in the file VICTIM (none, if that is empty) with
// SIGKILL at every n-th request that is no sync, from number KILL_FIRST (n) on: by turns before the server has it, and
// after the server has carried it out, before the answer.
//
// The file LISTENS is made when it can be asked.
// SIGTERM writes the verdict, a JSON object, and exits: {requests, bad, answers, limited, problems: [...]}.
// "limited" counts answers 429. Things the specification only discourages are not counted.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {createRequire} from 'node:module';

const [, , modules, listen, upstream, verdict, listens] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const Ajv = require('ajv/dist/2020').default;
const spec = JSON.parse(fs.readFileSync(new URL('matrix-cs.json', import.meta.url)));

const options = {strict: false, allErrors: true, validateFormats: false};
const base = {$id: 'm', $defs: spec.$defs};
const strict = new Ajv(options).addSchema(base);
const lenient = new Ajv({...options, coerceTypes: 'array'}).addSchema(base);   // query values are text
const compiled = new Map();

// References point into the bundle.
const absolute = schema => JSON.parse(JSON.stringify(schema), (k, v) => k === '$ref' ? 'm' + v : v);
function validator(ajv, schema) {
    if (!compiled.has(schema)) compiled.set(schema, ajv.compile(absolute(schema)));
    return compiled.get(schema);
}
const reasons = (check, where) => (check.errors ?? []).slice(0, 5)
    .map(e => `${where}${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
const isJson = type => /^application\/json/i.test(type ?? '');

const operations = spec.ops.map(op => {
    const names = [];
    const pattern = op.path.replace(/[.]/g, '\\.').replace(/\{([^}]+)\}/g, (_, n) => { names.push(n); return '([^/]*)'; });
    return {...op, names, pattern: new RegExp(`^${pattern}$`)};
}).sort((a, b) => a.names.length - b.names.length || b.path.length - a.path.length);

function checkContent(type, content, where, out) {
    const schema = spec.events[`${type}$${content?.msgtype}`] ?? spec.events[type];
    if (!schema) return;                                   // not an event type of the specification
    const check = validator(strict, schema);
    if (!check(content)) out.push(...reasons(check, where));
    const replaces = content?.['m.relates_to']?.rel_type === 'm.replace';
    if (replaces && !content['m.new_content'] && type !== 'm.room.encrypted') out.push(`${where}: m.replace without m.new_content`);
    if (content?.['m.new_content']) checkContent(type, content['m.new_content'], `${where}/m.new_content`, out);
}

function checkParameters(op, values, url, out) {
    for (const p of op.params) {
        let value;
        if (p.in === 'path') value = values[op.names.indexOf(p.name)];
        else if (p.in === 'query') {
            const all = url.searchParams.getAll(p.name);
            value = all.length === 0 ? undefined : p.schema?.type === 'array' ? all : all[0];
        } else continue;
        if (value === undefined || value === '') {
            const mayBeEmpty = p.name === 'stateKey' && value === '';
            if (p.required && !mayBeEmpty) out.push(`missing ${p.in} parameter ${p.name}`);
            continue;
        }
        if (!p.schema) continue;
        p.whole ??= {type: 'object', properties: {v: p.schema}};
        const check = validator(lenient, p.whole);
        if (!check({v: value})) out.push(...reasons(check, `${p.in} parameter ${p.name}`));
    }
    if (url.searchParams.has('access_token')) out.push('a token in the query');
}

function checkBody(op, headers, body, out) {
    const wanted = op.body;
    if (!wanted?.content?.['application/json']) return undefined;
    if (body.length === 0) {
        if (wanted.required) out.push('request body required');
        return undefined;
    }
    let value;
    try { value = JSON.parse(body); } catch (e) { out.push(`body is not JSON: ${e.message}`); return undefined; }
    const schema = wanted.content['application/json'].schema;
    if (schema) {
        const check = validator(strict, schema);
        if (!check(value)) out.push(...reasons(check, 'body'));
    }
    return value;
}

function checkRequest(method, rawUrl, headers, body) {
    const url = new URL(rawUrl, 'http://x'), out = [];
    if (url.pathname === '/_matrix/federation/v1/openid/userinfo') return {op: null, out};   // of servers; has its token in the query
    const op = operations.find(o => o.m === method && o.pattern.test(url.pathname));
    if (!op) return {op: null, out: [`no such endpoint: ${method} ${url.pathname}`]};
    const values = op.pattern.exec(url.pathname).slice(1).map(decodeURIComponent);
    checkParameters(op, values, url, out);
    if (op.auth && !/^Bearer \S+$/.test(headers.authorization ?? '')) out.push('no Authorization: Bearer header');
    const value = checkBody(op, headers, body, out);
    if (value && /\/rooms\/\{roomId\}\/(send|state)\//.test(op.path))
        checkContent(values[op.names.indexOf('eventType')], value, 'content', out);
    return {op, out};
}

function checkAnswer(op, status, headers, body) {
    const schema = op.responses[String(status)]?.content?.['application/json']?.schema;
    if (!schema || !isJson(headers['content-type'])) return [];
    const check = validator(strict, schema);
    try { return check(JSON.parse(body)) ? [] : reasons(check, `answer ${status} `); } catch { return ['answer is not JSON']; }
}

const count = {requests: 0, bad: 0, answers: 0, limited: 0, kills: 0, problems: []};
const every = +(process.env.KILL_EVERY ?? 0);
let aimed = every - +(process.env.KILL_FIRST ?? every);
function note(kind, what, problems) {
    if (problems.length === 0) return;
    count[kind]++;
    if (count.problems.length < 50) count.problems.push(`${what}: ${problems.join('; ')}`);
}

// An empty file: no process.
function kill() {
    const victim = +fs.readFileSync(process.env.VICTIM);
    count.kills++;
    if (victim > 1) try { process.kill(victim, 'SIGKILL'); } catch { /* it is dead */ }
}

http.createServer((asked, answer) => {
    const bytes = [];
    asked.on('data', d => bytes.push(d));
    asked.on('end', () => {
        const body = Buffer.concat(bytes), {op, out} = checkRequest(asked.method, asked.url, asked.headers, body);
        count.requests++;
        const shot = every > 0 && !asked.url.includes('/sync?') && ++aimed > 0 && aimed % every === 0;
        const hang_up = () => { kill(); asked.socket.destroy(); };
        if (shot && count.kills % 2 === 0) return hang_up();
        note('bad', `${asked.method} ${asked.url.slice(0, 120)}`, out);
        const up = http.request({host: '127.0.0.1', port: +upstream, path: asked.url, method: asked.method, headers: asked.headers}, r => {
            const parts = [];
            if (shot) { r.resume(); r.on('end', hang_up); return; }
            answer.writeHead(r.statusCode, r.headers);
            r.on('data', d => { parts.push(d); answer.write(d); });
            r.on('end', () => {
                answer.end();
                count.limited += r.statusCode === 429;
                if (op) note('answers', `${r.statusCode} to ${asked.method} ${op.path}`, checkAnswer(op, r.statusCode, r.headers, Buffer.concat(parts)));
            });
        });
        up.on('error', () => { if (!answer.headersSent) answer.statusCode = 502; answer.end(); });
        answer.on('close', () => up.destroy());
        up.end(body);
    });
}).listen(+listen, '127.0.0.1', () => fs.writeFileSync(listens, ''));

process.on('SIGTERM', () => { fs.writeFileSync(verdict, JSON.stringify(count)); process.exit(0); });
