/* The shuffles of a match record, checked by the browser's own cryptography (bot/formats/README.md, "Fair shuffle").

   check(record) gives the number of the first line that does not hold, 0 if all do, and the deals. It is the reader's own
   judge, so that it knows the order of the cards and of dealing by itself. */

const MONTHS = "brpp arpp brpp arpp arpp arpp arpp bapp arpp arpp barp bppp".split(" ");
const ORDER = MONTHS.flatMap((kinds, m) => [...kinds].map((k, i) => m + 1 + k + (k === "p" && kinds.split("p").length > 2 ? kinds.slice(0, i + 1).split("p").length - 1 : "")));

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (b) => b.toString(16).padStart(2, "0")).join("");
const raw = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

async function sealed(seed, commit) {
    return /^[0-9a-f]{64}$/.test(seed) && hex(await crypto.subtle.digest("SHA-256", raw(seed))) === commit;
}

/* Numbers of 32 bits from HMAC-SHA256 over the deal's name and a counter. */
async function* stream(seed, parts) {
    const key = await crypto.subtle.importKey("raw", raw(seed), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    for (let k = 0; ; k++) {
        const block = new DataView(await crypto.subtle.sign("HMAC", key, bytes([...parts, k].join("\0"))));
        for (let i = 0; i < 32; i += 4) yield block.getUint32(i, true);
    }
}

async function shuffled(seed, id, round, attempt, clients, beacon) {
    const parts = [beacon ? "koikoi-deck-v2" : "koikoi-deck-v1", id, round, attempt, ...clients, ...(beacon ? [beacon] : [])];
    const numbers = stream(seed, parts);
    const deck = [...ORDER];
    for (let i = deck.length - 1; i > 0; i--) {
        const limit = Math.floor(2 ** 32 / (i + 1)) * (i + 1);
        let v;
        do v = (await numbers.next()).value;
        while (v >= limit);
        [deck[i], deck[v % (i + 1)]] = [deck[v % (i + 1)], deck[i]];
    }
    return deck;
}

/* Who gets each card: packets to the others, the dealer and the table, in the order of the rule set. */
function dealt(deck, rules, players, dealer) {
    const others = Array.from({length: players - 1}, (_, i) => (dealer + 1 + i) % players);
    const order = {others_dealer_table: [...others, dealer], dealer_others_table: [dealer, ...others], players_table: [dealer, ...others]}[rules.deal.order];
    const hands = Array.from({length: players}, () => []);
    const table = [];
    const goals = [...order.map((p) => [hands[p], rules.hand[players]]), [table, rules.table[players]]];
    let at = 0;
    while (goals.some(([to, size]) => to.length < size))
        for (const [to, size] of goals) for (let k = 0; k < rules.deal.packet && to.length < size; k++) to.push(deck[at++]);
    return {hands, table, stock: deck.slice(at)};
}

/* Lots: the cards from the top, and for players who are level in month and kind the next one each. */
async function drawn(match) {
    const {commit, server_seed, client_seeds, joined} = match.lots_draw;
    if (!(await sealed(server_seed, commit))) return false;
    const deck = await shuffled(server_seed, match.id, 0, 1, client_seeds);
    const lots = deck.slice(0, joined.length);
    const rank = (card) => card.replace(/(\D)\d$/, "$1");
    for (let next = lots.length, level; (level = lots.map((a, i) => lots.some((b, k) => k !== i && rank(a) === rank(b)))).some(Boolean); )
        level.forEach((again, i) => again && (lots[i] = deck[next++]));
    return match.lots.every((card) => lots.includes(card)) && match.players.every((name) => joined.includes(name));
}

async function deal_holds(match, deal, seed) {
    if (!(await sealed(seed, deal.commit))) return false;
    const deck = await shuffled(seed, match.id, deal.round, deal.attempt, deal.client_seeds, deal.beacon?.value);
    for (const {cards, seed: fresh} of deal.anew ?? []) {
        const rest = new Set(deck.splice(-cards));
        deck.push(...(await shuffled(fresh, match.id, deal.round, deal.attempt, [])).filter((card) => rest.has(card)));
    }
    const {hands, table, stock} = dealt(deck, match.rules, match.players.length, deal.dealer);
    return JSON.stringify({hands, table, stock}) === JSON.stringify({hands: deal.hands, table: deal.table, stock: deal.stock});
}

export async function check(record) {
    const deals = [];
    let match = null, open = null, n = 0;
    for (const text of record.split("\n")) {
        n++;
        if (!text) continue;
        try {
            const line = JSON.parse(text);
            if (line.t === "match") {
                match = line;
                if (match.lots_draw && match.lots && !(await drawn(match))) return {wrong: n, deals};
            } else if (line.t === "deal") {
                if (open) return {wrong: open.n, deals};
                open = {...line, n};
            } else if (line.server_seed && (line.t === "round_end" || line.t === "void")) {
                if (!open || !(await deal_holds(match, open, line.server_seed))) return {wrong: open?.n ?? n, deals};
                deals.push(open);
                open = null;
            }
        } catch {
            return {wrong: n, deals};
        }
    }
    return {wrong: !match || open ? open?.n ?? 1 : 0, deals};
}
