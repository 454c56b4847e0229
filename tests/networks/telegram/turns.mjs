// Account of the turns of a match, from the fake's event log: node turns.mjs EVENTS [MOST]
// Prints one JSON line. Times are in ms: from the tap that plays to its answer, to the player's own hand, to the board,
// and until the next player knows; and from "My hand" to the hand. Messages and edits are those that the group saw.
// MOST: ends with 1 if a turn within a round cost the group more of them, or if there was no turn.
import fs from 'node:fs';

const [, , file, most] = process.argv;
const events = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const people = { ann: 1, bo: 2, kei: 3, dan: 4 };
const percentile = (sorted, share) => (sorted.length ? sorted[Math.ceil(share * sorted.length) - 1] : null);
const figures = (times) => {
    const sorted = times.filter((x) => x !== undefined).sort((a, b) => a - b);
    return { n: sorted.length, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), max: sorted.at(-1) ?? null };
};
// Unknown if the same person presses something else before.
const after = (i, is) => {
    for (let k = i + 1; k < events.length; k++) {
        if (is(events[k]))
            return events[k].ms - events[i].ms;
        if (events[k].t === 'press' && events[k].by === events[i].by)
            return undefined;
    }
    return undefined;
};
const played = /^You (played|laid down|drew|called)/;
const answers = new Map(events.filter((e) => e.t === 'answer').map((e) => [e.tap, e]));
const number = (text) => /#(\d+)/.exec(text)?.[1];
const board = (e, chat) => e.t === 'bot' && e.chat === chat && e.to === 0 && / to move|🏁|It goes on|your move/.test(e.text);

const answer = [], own = [], shown = [], told = [], hands = [], costs = [];
events.forEach((e, i) => {
    const me = people[e.by];
    if (e.t !== 'press' || !me)
        return;
    const mine = (x) => x.t === 'bot' && x.to === me;
    const said = answers.get(e.tap);
    if (e.label.includes('My hand'))
        hands.push(after(i, mine));
    if (!said || !played.test(said.text))
        return;
    // Of the same match, where several are played in one group: its own board, or another's that tells of it.
    const no = number(events.slice(i).find(mine)?.text ?? '');
    const tells = (text) => !no || !number(text) || new RegExp(`#${no}(?!\\d)`).test(text);
    const next = (x) => board(x, e.chat) && tells(x.text);
    answer.push(said.ms - e.ms);
    own.push(after(i, mine));
    shown.push(after(i, next));
    told.push(after(i, (x) => next(x) || (x.t === 'bot' && x.to !== 0 && x.to !== me)));
    const end = events.findIndex((x, k) => k > i && x.t === 'press');
    const seen = events.slice(i + 1, end < 0 ? events.length : end)
        .filter((x) => x.t === 'bot' && x.chat === e.chat && x.to === 0);
    if (seen.length && seen.every((x) => / to move/.test(x.text)))
        costs.push(seen.length);
});
const into = events.filter((e) => e.t === 'bot' && e.chat < 0 && e.to === 0);
const standing = new Set(into.map((e) => `${e.chat} ${e.id}`));
const hidden = events.filter((e) => e.t === 'bot' && e.chat < 0 && e.to !== 0).length;
const aTurn = (n) => +(n / answer.length).toFixed(2);
console.log(JSON.stringify({
    turns: answer.length,
    answer: figures(answer),
    own: figures(own),
    board: figures(shown),
    told: figures(told),
    hand: figures(hands),
    messages_a_turn: aTurn(standing.size),
    edits_a_turn: aTurn(into.length - standing.size),
    hidden_a_turn: aTurn(hidden),
    most_a_turn: Math.max(0, ...costs),
}));
process.exit(most && (costs.length === 0 || Math.max(...costs) > +most) ? 1 : 0);
