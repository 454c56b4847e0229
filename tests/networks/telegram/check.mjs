// Is this call, is this answer what the Bot API says? Knows the schema, not the state of any chat.
import path from 'node:path';
import { createRequire } from 'node:module';

export function checker(schema, modules) {
    const require = createRequire(path.resolve(modules, 'x.js'));
    const Ajv = require('ajv').default ?? require('ajv');
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false,
                          code: { optimize: false } }); // made for one story: what counts is how soon it is there
    const within = (size) => (range, value) =>
        typeof value !== 'string' || (size(value) >= range[0] && size(value) <= range[1]);
    // The documentation counts characters after the entities have been read.
    const shown = (s) => s.replace(/<[^>]*>/g, '').replace(/&[a-z]+;/g, '.');
    ajv.addKeyword({ keyword: 'inCharacters', validate: within((s) => [...shown(s)].length) });
    ajv.addKeyword({ keyword: 'inBytes', validate: within((s) => Buffer.byteLength(s)) });
    ajv.addSchema({ $id: 'api', definitions: schema.definitions });
    const compiled = {};
    const rule = (key, node) => compiled[key] ??= ajv.compile(
        JSON.parse(JSON.stringify(node), (k, v) => (k === '$ref' ? 'api' + v : v)));
    const byName = Object.fromEntries(Object.keys(schema.methods).map((m) => [m.toLowerCase(), m]));

    const resolved = (node) => {
        while (node?.$ref) node = schema.definitions[node.$ref.split('/').pop()];
        return node ?? {};
    };
    const kinds = (node) => {
        const at = resolved(node);
        if (at.anyOf) return at.anyOf.flatMap(kinds);
        if ('const' in at) return [typeof at.const];
        return [].concat(at.type ?? (at.enum ? typeof at.enum[0] : 'object'));
    };
    // The deepest complaints say most.
    const complaints = (errors) => {
        const real = errors.filter((e) => e.keyword !== 'anyOf');
        const depth = (e) => e.instancePath.split('/').length;
        const deepest = Math.max(...real.map(depth));
        return real.filter((e) => depth(e) === deepest).slice(0, 4)
            .map((e) => `${e.instancePath} ${e.message ?? e.keyword} ${JSON.stringify(e.params)}`);
    };

    function multipart(body, type) {
        const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
        if (!boundary) throw Error('multipart without a boundary');
        const mark = Buffer.from('--' + boundary), parts = [];
        for (let at = body.indexOf(mark), next; at >= 0; at = next) {
            next = body.indexOf(mark, at + mark.length);
            if (next < 0) break;
            const part = body.subarray(at + mark.length + 2, next - 2), end = part.indexOf('\r\n\r\n');
            const head = part.subarray(0, end).toString();
            parts.push({
                name: /[; ]name="([^"]*)"/i.exec(head)?.[1], file: /filename="([^"]*)"/i.exec(head)?.[1],
                body: part.subarray(end + 4),
            });
        }
        return parts;
    }

    // {params, files, problems}: the parameters with the types the schema gives them.
    function read(method, query, headers, body) {
        const type = headers['content-type'] ?? '', problems = [], files = new Set();
        const texts = [...query];
        let params = {};
        if (type.startsWith('application/json')) params = JSON.parse(body.toString() || '{}');
        else if (type.startsWith('multipart/form-data'))
            for (const part of multipart(body, type))
                if (part.file === undefined) texts.push([part.name, part.body.toString()]);
                else files.add(part.name);
        else if (type.startsWith('application/x-www-form-urlencoded'))
            texts.push(...new URLSearchParams(body.toString()));
        else if (body.length) problems.push(`a body of type "${type}" is not read`);
        const known = resolved(schema.methods[method].params).properties ?? {};
        for (const [key, text] of texts) {
            const wanted = kinds(known[key] ?? { type: 'string' });
            params[key] = text;
            if (wanted.includes('object') || wanted.includes('array')) {
                try { params[key] = JSON.parse(text); } catch {
                    if (!wanted.includes('string')) problems.push(`${key} is not JSON`);
                }
            } else if (wanted.includes('integer') || wanted.includes('number')) {
                if (/^-?\d+(\.\d+)?$/.test(text)) params[key] = Number(text);
            } else if (wanted.includes('boolean') && /^(true|false)$/i.test(text))
                params[key] = text.toLowerCase() === 'true';
        }
        for (const name of files) if (name in known && !(name in params)) params[name] = `attach://${name}`;
        return { params, files, problems };
    }

    // Lengths are meant after the entities are parsed: as HTML, without its tags.
    function parsed(params) {
        if (params.parse_mode !== 'HTML') return params;
        const signs = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
        const plain = (html) => html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (sign) => signs[sign] ?? sign);
        const texts = ['text', 'caption'].filter((key) => typeof params[key] === 'string');
        return { ...params, ...Object.fromEntries(texts.map((key) => [key, plain(params[key])])) };
    }

    function checkCall(method, { params, files, problems }) {
        const found = [...problems], fits = rule('call ' + method, schema.methods[method].params);
        if (!fits(parsed(params))) found.push(...complaints(fits.errors));
        const walk = (node, where) => {
            if (node && typeof node === 'object')
                for (const [k, v] of Object.entries(node)) walk(v, `${where}/${k}`);
            else if (typeof node === 'string' && node.startsWith('attach://') && !files.has(node.slice(9)))
                found.push(`${where} names ${node}, and there is no such part`);
        };
        walk(params, '');
        (params.reply_markup?.inline_keyboard ?? []).flat().forEach((button) => {
            const actions = Object.keys(button ?? {}).filter((k) => !['text', 'style', 'icon_custom_emoji_id'].includes(k));
            if (actions.length !== 1) found.push(`a button with ${actions.length} actions: ${JSON.stringify(button)}`);
        });
        return found;
    }

    function checkAnswer(method, status, body) {
        let answer;
        try { answer = JSON.parse(body); } catch { return ['not JSON']; }
        if (answer.ok === true) {
            const fits = schema.methods[method].returns && rule('answer ' + method, schema.methods[method].returns);
            return !fits || fits(answer.result) ? [] : complaints(fits.errors);
        }
        const found = [];
        if (answer.ok !== false || !Number.isInteger(answer.error_code) || typeof answer.description !== 'string')
            found.push('neither a result nor an error');
        if (answer.error_code !== status) found.push(`error_code ${answer.error_code} with status ${status}`);
        if (answer.error_code === 429 && !Number.isInteger(answer.parameters?.retry_after))
            found.push('429 without retry_after');
        return found;
    }
    // Rules are made when they are first needed, which takes up to a second; what is named here has them now.
    function prepare(methods) {
        for (const method of methods) {
            checkCall(method, { params: {}, files: new Set(), problems: [] });
            checkAnswer(method, 200, '{"ok":true}');
        }
    }
    return { byName, read, checkCall, checkAnswer, prepare };
}
