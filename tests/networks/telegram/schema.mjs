// Makes one JSON schema of the Bot API out of a package of types that others keep:
//     node schema.mjs NODE_MODULES_PARENT OUT.json
// OUT = {version, methods: {name: {params, returns}}, definitions}
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';

const [, , root, out] = process.argv;
const require = createRequire(path.resolve(root, 'x.js'));
const { createGenerator } = await import(require.resolve('ts-json-schema-generator'));
const types = path.resolve(root, 'node_modules/@gramio/types/out');

// "1-4096 characters", "1-64 bytes", "up to 200 characters": limits stand in the prose alone.
function limits(prose) {
    const range = /(\d+)-(\d+) (characters|bytes)/.exec(prose ?? '');
    const most = /(?:up to|at most|no more than) (\d+) (characters|bytes)/i.exec(prose ?? '');
    if (range) return { [range[3] === 'bytes' ? 'inBytes' : 'inCharacters']: [+range[1], +range[2]] };
    if (most) return { [most[2] === 'bytes' ? 'inBytes' : 'inCharacters']: [0, +most[1]] };
    return {};
}

// What only TypeScript needs is taken out: helpers that "can be turned into" a value, and prose.
function plain(node) {
    if (Array.isArray(node)) return node.map(plain);
    if (!node || typeof node !== 'object') return node;
    if (node.anyOf) {
        const real = node.anyOf.filter(
            (one) => !(one.properties && ('toString' in one.properties || 'toJSON' in one.properties)));
        if (real.length === 1) return plain({ ...node, anyOf: undefined, ...real[0] });
        node = { ...node, anyOf: real };
    }
    const clean = {};
    for (const [key, value] of Object.entries(node)) {
        if (value === undefined || (key === 'description' && typeof value === 'string')) continue;
        const named = key === 'properties' || key === 'definitions';
        clean[key] = named ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)])) : plain(value);
    }
    return { ...clean, ...(typeof node.description === 'string' ? limits(node.description) : {}) };
}

const source = fs.readFileSync(path.join(types, 'methods.d.ts'), 'utf8');
const version = /Based on Bot API (v[\d.]+)/.exec(source)?.[1];
const params = {};
let returns = `import type * as Params from '${types}/params';\nimport type * as Objects from '${types}/objects';\n`;
for (const [, name, kind, inside] of source.matchAll(/^ {4}(\w+): (CallAPI\w*)<\s*([\s\S]*?)\s*>\n/gm)) {
    const parts = inside.replace(/,\s*$/, '');
    const comma = kind === 'CallAPIWithoutParams' ? -1 : parts.indexOf(',');
    params[name] = comma < 0 ? null : parts.slice(0, comma).trim().replace('Params.', '');
    returns += `export type Ret_${name} = ${comma < 0 ? parts : parts.slice(comma + 1).trim()};\n`;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bot-api-'));
fs.writeFileSync(path.join(folder, 'returns.ts'), returns);
const generate = (file) => createGenerator({
    path: file, type: '*', skipTypeCheck: true, additionalProperties: false, expose: 'export', topRef: true,
}).createSchema('*').definitions;
const all = { ...generate(path.join(types, 'params.d.ts')), ...generate(path.join(folder, 'returns.ts')) };
fs.rmSync(folder, { recursive: true });

const schema = { version, methods: {}, definitions: {} };
for (const [name, node] of Object.entries(all)) schema.definitions[name] = plain(node);
schema.definitions.TelegramInputFile = { type: 'string' };
for (const [name, type] of Object.entries(params))
    schema.methods[name] = {
        params: type ? { $ref: `#/definitions/${type}` } : { type: 'object', additionalProperties: false },
        returns: schema.definitions[`Ret_${name}`] ? { $ref: `#/definitions/Ret_${name}` } : null,
    };
fs.writeFileSync(out, JSON.stringify(schema));
console.log(`Bot API ${version}, ${Object.keys(schema.methods).length} methods`);
