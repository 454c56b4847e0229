// Plays one scenario of the fake Telegram with a checking proxy between the daemon and the fake:
//     node validate.mjs SCHEMA NODE_MODULES_PARENT FAKE [OPTION...]
// Prints each violation and one JSON line; ends with 1 if there was one, or if the scenario failed.
import fs from 'node:fs';
import http from 'node:http';
import { spawn } from 'node:child_process';
import { checker } from './check.mjs';

const [, , schemaFile, modules, fake, ...options] = process.argv;
const check = checker(JSON.parse(fs.readFileSync(schemaFile)), modules);
check.prepare(['getMe', 'getUpdates', 'sendMessage', 'editMessageText', 'editEphemeralMessageText',
               'answerCallbackQuery', 'deleteMessage', 'setMyCommands']);
const seen = { calls: 0, badCalls: 0, badAnswers: 0, methods: {} };
const cuts = options.some((one) => one.startsWith('--p-cut='));
let upstream = 0;

function callProblems(request, body) {
    const url = new URL(request.url, 'http://x');
    const [, token, name] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
    const method = check.byName[name?.toLowerCase()];
    seen.calls++;
    if (!method) return [null, [`no such method: ${url.pathname.replace(token, '…')}`]];
    seen.methods[method] = (seen.methods[method] ?? 0) + 1;
    try {
        return [method, check.checkCall(method, check.read(method, url.searchParams, request.headers, body))];
    } catch (e) {
        return [method, ['cannot be read: ' + e.message]];
    }
}

function complain(kind, method, problems, body) {
    if (!problems.length) return;
    seen[kind]++;
    console.log(JSON.stringify({ [kind]: method, problems, body: body.toString().slice(0, 600) }));
}

function isJson(body) {
    try {
        JSON.parse(body);
        return true;
    } catch {
        return false;
    }
}

const proxy = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (d) => chunks.push(d));
    request.on('end', () => {
        const body = Buffer.concat(chunks);
        const [method, problems] = callProblems(request, body);
        complain('badCalls', method, problems, body);
        const to = http.request({ host: '127.0.0.1', port: upstream, path: request.url, method: request.method,
                                  headers: request.headers }, (answer) => {
            const parts = [];
            response.writeHead(answer.statusCode, answer.headers);
            answer.on('data', (d) => { parts.push(d); response.write(d); });
            answer.on('error', () => response.destroy());
            answer.on('end', () => {
                response.end();
                const whole = Buffer.concat(parts);
                // A proxy in between may answer in HTML, or cut an answer short; these are ordered faults.
                if (method && answer.statusCode < 500 && answer.complete && !(cuts && !isJson(whole)))
                    complain('badAnswers', method, check.checkAnswer(method, answer.statusCode, whole), whole);
            });
        });
        to.on('error', () => response.destroy());
        response.on('close', () => to.destroy());
        to.end(body);
    });
});

proxy.listen(0, '127.0.0.1', () => {
    const child = spawn(fake, [`--through=${proxy.address().port}`, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (d) => {
        said += d;
        upstream ||= +(/http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0);
    });
    child.on('exit', (code) => {
        console.log(said.trim().split('\n').pop());
        console.log(JSON.stringify(seen));
        process.exit(code || seen.badCalls || seen.badAnswers ? 1 : 0);
    });
});
