// Check of one match by buttons that ended with /export, by the fake's event log:
//     node events.mjs EVENTS KOIKOI [WAYS [MS]]
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
const events = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const wrong = [];
const must = (what, condition) => { if (!condition) wrong.push(what); };

// ---- the record, from the file in private; it may have come twice ----
const files = events.filter((l) => l.t === 'bot' && l.chat > 0 && l.file).map((l) => l.file);
must('one record came', new Set(files).size === 1);
const text = files[0] ?? '';
const record = text.trim().split('\n').map((line) => JSON.parse(line));
const [match] = record, end = record.at(-1);
must('the record is whole', match.t === 'match' && end.t === 'match_end');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'koikoi-events-'));
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
// With the last card played the round stops by itself; only a dealer under oya-kan is asked.
const decided = [];
let table = [], hands = [], dealer = -1;
for (const l of record) {
    const same = l.card ? table.filter((c) => month(c) === month(l.card)) : [];
    const choice = same.length === 2 && unlike(...same);
    if (l.t === 'deal') [table, hands, dealer] = [[...l.table], l.hands.map((h) => h.length), l.dealer];
    if (l.t === 'play') hands[l.p]--;
    if (l.t === 'play' || (l.t === 'draw' && choice)) decided.push({ seat: l.p, what: 'card' });
    const asked = hands[l.p] > 0 || (match.rules.exhausted === 'oya_kan' && l.p === dealer);
    if (l.t === 'decide' && asked) decided.push({ seat: l.p, what: l.do });
    if (l.t === 'declare') decided.push({ seat: l.p, what: 'declare' });
    if (l.t === 'play' || l.t === 'draw')
        table = l.take.length ? table.filter((c) => !l.take.includes(c)) : [...table, l.card];
}

// ---- what was pressed ----
const answers = new Map(events.filter((l) => l.t === 'answer').map((l) => [l.tap, l.text]));
const presses = events.map((l, at) => ({ ...l, at })).filter((l) => l.t === 'press');
for (const p of presses) must(`tap ${p.tap} [${p.label}] was answered`, answers.has(p.tap));
const kind = (label) => (/^koi-koi!$/.test(label) ? 'koikoi' : /^(?:Agari|Shobu)(: |$)/.test(label) ? 'stop'
    : /^Declare /.test(label) ? 'declare' : 'card');
const version = (data) => +data.split('.')[1];
// A button that plays a card is answered with what it did, any other of a hand without words; one of the board, for
// whom there are popups alone, with the hand or the question that follows: what is refused or asked back has other
// words.
const accepted = (p) => {
    const words = answers.get(p.tap);
    const did = words === '' || /^You (played|laid down|drew|called) /.test(words);
    return p.data[0] === 'p' ? did
        : /[jSK]/.test(p.data[0]) && !/▾/.test(p.label) && (did || /^#\d+: |Stop here, or|the round ends, you get/.test(words));
};
// The number of a card that could take several has shown the choice, if the next press of the same person is of the
// same state.
const asksOn = (p) => p.data[0] === 'j' &&
    version(presses.find((q) => q.at > p.at && q.by === p.by && accepted(q))?.data ?? '.') === version(p.data);
const moveOf = (p, at = p.at, v = version(p.data)) => ({ at, ms: p.ms, version: v, label: p.label, what: kind(p.label),
    seat: match.players.findIndex((name) => name.toLowerCase() === p.by) });
// A card chosen while the other thinks is kept, and played once its turn has come: then the record has it between two
// presses, and nobody but its owner chose it.
const moves = [], waiting = new Map();
const playKept = (until) => {
    const next = decided[moves.length], before = moves.at(-1), p = waiting.get(next?.seat);
    if (!p || !before || next.what !== 'card' || !until(next, before)) return false;
    waiting.delete(next.seat);
    moves.push({ ...moveOf(p, before.at, before.version + 1), kept: true });
    return true;
};
for (const p of presses) {
    const words = answers.get(p.tap) ?? '', m = moveOf(p);
    if (/^Kept: /.test(words)) waiting.set(m.seat, p);
    else if (/ is no longer kept\.$/.test(words)) waiting.delete(m.seat);
    if (!accepted(p) || asksOn(p)) continue;
    while (playKept((next, before) => next.seat !== m.seat || m.version > before.version + 1));
    waiting.delete(m.seat);
    moves.push(m);
}
while (playKept(() => true));
must(`${moves.length} moves were accepted, ${decided.length} are in the record`, moves.length === decided.length);
moves.forEach((m, i) => {
    const is = decided[i] ?? {};
    must(`move ${i + 1}, [${m.label}] by seat ${m.seat}: the record has ${is.what} by seat ${is.seat}`,
        m.seat === is.seat && m.what === is.what);
    must(`move ${i + 1}, [${m.label}]: no state was moved from twice`, i === 0 || m.version > moves[i - 1].version);
});

// ---- what was said to all: a turn is told when it is over, after its last press ----
const said = events.map((l, at) => ({ ...l, at })).filter((l) => l.t === 'bot' && !l.to);
moves.forEach((m, i) => {
    let next = i + 1;
    while (next < moves.length && (moves[next].kept ||
        (moves[next].seat === m.seat && moves[next].version === moves[next - 1].version + 1))) next++;
    // Around a kept move the next player may be quicker than the board that the network makes wait.
    const ahead = moves.slice(Math.max(i - 1, 0), next + 1).some((other) => other.kept);
    const until = ahead ? Infinity : moves[next]?.at ?? Infinity, name = match.players[m.seat];
    const then = said.filter((l) => l.at > m.at && l.at < until);
    const told = m.what === 'card' ? `^${name} (plays|lays down|draws|took) ` : m.what === 'koikoi'
        ? `${name} calls KOI-KOI!` : m.what === 'stop' ? `${name} wins round` : `${name} `;
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
const deaths = events.filter((l) => l.t === 'death');
const anew = said.some((l) => l.calls && /^Round \d+ of /.test(l.text)); // a board that took the place of the last one
for (const way of ways ? ways.split(',') : [])
    for (const what of ['getUpdates', 'answerCallbackQuery', 'sendMessage', 'editMessageText',
                        'editEphemeralMessageText', ...(anew ? ['deleteMessage'] : [])])
        must(`it died at ${what}: ${way}`, deaths.some((d) => d.way === way && d.what === what));

// ---- how long anybody waited: for the answer to a tap, and until all could hear of a move ----
const answered = new Map(events.filter((l) => l.t === 'answer').map((l) => [l.tap, l.ms]));
const shown = (m) => events.find((l, at) => at > m.at && l.t === 'bot' && l.data.some((d) => version(d) > m.version));
const waits = [...presses.map((p) => answered.get(p.tap) - p.ms), ...moves.map((m) => (shown(m)?.ms ?? m.ms) - m.ms)];
const longest = Math.max(...waits);
must(`nobody waits longer than ${patience} ms; somebody waited ${longest}`, !(longest > +patience));

console.log(`${moves.length} moves, ${presses.length} presses, ${said.length} said to all, ` +
    `${secrets.length} seals and seeds, ${deaths.length} deaths, ` +
    `at most ${longest} ms`);
for (const w of wrong.slice(0, 12)) console.log('  not so: ' + w);
process.exit(wrong.length ? 1 : 0);
