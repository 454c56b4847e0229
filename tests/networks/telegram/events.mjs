// Looks back over one match by buttons that ended with /export, as the fake's ledger has it:
//     node ledger.mjs LEDGER KOIKOI [WAYS [MS]]
// Every press was answered; every accepted press is one move of the record, in its order, and nothing else
// is; each move was told to all before the next one was pressed; what was sealed and revealed was said; the
// last board tells the result of the record. WAYS (asked,done,...): the bot died in each of them, at every kind
// of call. MS: nobody waited longer.
// Prints one line; ends with 1 and the reasons if it is not so.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const [, , file, koikoi, ways, patience] = process.argv;
const ledger = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const wrong = [];
const must = (what, condition) => { if (!condition) wrong.push(what); };

// ---- the record, from the pieces it was sent in; a piece may have come twice ----
const pieces = ledger.filter((l) => l.t === 'bot' && (l.to || l.chat > 0) && l.text.startsWith('{"t":')).map((l) => l.text);
const text = [...new Set(pieces)].join('\n') + '\n';
const record = text.trim().split('\n').map((line) => JSON.parse(line));
const [match] = record, end = record.at(-1);
must('the record is whole', match.t === 'match' && end.t === 'match_end');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'koikoi-ledger-'));
const kept = path.join(folder, 'match.koikoi');
fs.writeFileSync(kept, text);
for (const check of ['replay', 'verify']) {
    const run = spawnSync(koikoi, [check, kept], { encoding: 'utf8' });
    must(`koikoi ${check}: ${run.stderr}`, run.status === 0);
}
fs.rmSync(folder, { recursive: true });

// ---- what was decided by a person: a drawn card only if two unlike cards of its month lay there ----
const month = (card) => parseInt(card, 10);
const unlike = (a, b) => a.replace(/p\d/, 'p') !== b.replace(/p\d/, 'p');
const decided = [];
let table = [];
for (const l of record) {
    const same = l.card ? table.filter((c) => month(c) === month(l.card)) : [];
    const choice = same.length === 2 && unlike(...same);
    if (l.t === 'deal') table = [...l.table];
    if (l.t === 'play' || (l.t === 'draw' && choice)) decided.push({ seat: l.p, what: 'card' });
    if (l.t === 'decide') decided.push({ seat: l.p, what: l.do });
    if (l.t === 'declare') decided.push({ seat: l.p, what: 'declare' });
    if (l.t === 'play' || l.t === 'draw')
        table = l.take.length ? table.filter((c) => !l.take.includes(c)) : [...table, l.card];
}

// ---- what was pressed ----
const answers = new Map(ledger.filter((l) => l.t === 'answer').map((l) => [l.tap, l.text]));
const presses = ledger.map((l, at) => ({ ...l, at })).filter((l) => l.t === 'press');
for (const p of presses) must(`tap ${p.tap} [${p.label}] was answered`, answers.has(p.tap));
const kind = (label) => (/^koi-koi!$/.test(label) ? 'koikoi' : /^Shobu(: |$)/.test(label) ? 'stop'
    : /^Declare /.test(label) ? 'declare' : 'card');
const version = (data) => +data.split('.')[1];
// A button of a hand is answered without words; one of the board, for whom there are popups alone, with the hand
// or the question that follows: what is refused or asked back has other words.
const accepted = (p) => {
    const words = answers.get(p.tap);
    return p.data[0] === 'p' ? words === ''
        : /[jSK]/.test(p.data[0]) && !/▾/.test(p.label) && (words === '' || /^#\d+: |Stop here, or|the round ends, you get/.test(words));
};
const moves = presses.filter(accepted).map((p) => ({
    at: p.at, ms: p.ms, version: version(p.data), label: p.label, what: kind(p.label),
    seat: match.players.findIndex((name) => name.toLowerCase() === p.by) }));
must(`${moves.length} moves were accepted, ${decided.length} are in the record`, moves.length === decided.length);
moves.forEach((m, i) => {
    const is = decided[i] ?? {};
    must(`move ${i + 1}, [${m.label}] by seat ${m.seat}: the record has ${is.what} by seat ${is.seat}`,
        m.seat === is.seat && m.what === is.what);
    must(`move ${i + 1}, [${m.label}]: no state was moved from twice`, i === 0 || m.version > moves[i - 1].version);
});

// ---- what was said to all: a turn is told when it is over, after its last press ----
const said = ledger.map((l, at) => ({ ...l, at })).filter((l) => l.t === 'bot' && !l.to);
moves.forEach((m, i) => {
    let next = i + 1;
    while (next < moves.length && moves[next].seat === m.seat && moves[next].version === moves[next - 1].version + 1)
        next++;
    const until = moves[next]?.at ?? Infinity, name = match.players[m.seat];
    const then = said.filter((l) => l.at > m.at && l.at < until);
    const told = m.what === 'card' ? `^${name} (plays|lays down|draws) ` : m.what === 'koikoi'
        ? `${name} calls koi-koi` : m.what === 'stop' ? `${name} wins round` : `${name} `;
    must(`move ${i + 1}, [${m.label}] by ${name}, was told to all`, then.some((l) => RegExp(told, 'm').test(l.text)));
    must(`what followed move ${i + 1}, [${m.label}], was shown to all`, then.some((l) =>
        l.data.some((d) => version(d) > m.version) || /The match is over/.test(l.text)));
});
const everything = said.map((l) => l.text).join('\n');
const secrets = [match.lots_draw, ...record.slice(1)].flatMap((l) => [l?.commit, l?.server_seed]).filter(Boolean);
for (const s of secrets) must(`${s} was said`, everything.includes(s));
const last = said.filter((l) => /wins match|is a draw/.test(l.text)).at(-1)?.text ?? '';
match.players.forEach((name, seat) =>
    must(`the result says ${name} ${end.scores[seat]}`, last.includes(`${name} ${end.scores[seat]}`)));

// ---- where it died ----
const deaths = ledger.filter((l) => l.t === 'death');
for (const way of ways ? ways.split(',') : [])
    for (const what of ['getUpdates', 'answerCallbackQuery', 'sendMessage', 'editMessageText',
                        'editEphemeralMessageText', 'deleteMessage'])
        must(`it died at ${what}: ${way}`, deaths.some((d) => d.way === way && d.what === what));

// ---- how long anybody waited: for the answer to a tap, and until all could hear of a move ----
const answered = new Map(ledger.filter((l) => l.t === 'answer').map((l) => [l.tap, l.ms]));
const shown = (m) => ledger.find((l, at) => at > m.at && l.t === 'bot' && l.data.some((d) => version(d) > m.version));
const waits = [...presses.map((p) => answered.get(p.tap) - p.ms), ...moves.map((m) => (shown(m)?.ms ?? m.ms) - m.ms)];
const longest = Math.max(...waits);
must(`nobody waits longer than ${patience} ms; somebody waited ${longest}`, !(longest > +patience));

console.log(`${moves.length} moves, ${presses.length} presses, ${said.length} said to all, ` +
    `${secrets.length} seals and seeds, ${deaths.length} deaths, ` +
    `at most ${longest} ms`);
for (const w of wrong.slice(0, 12)) console.log('  not so: ' + w);
process.exit(wrong.length ? 1 : 0);
