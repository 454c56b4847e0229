/* A finished match, step by step: all hands open, the review's curve, the shuffles checked here.

   The steps are scenes (config/formats/scene.schema.json), drawn by table.js like those of a running match. The secret of
   the link stands behind the # of the address and goes to the daemon in a header alone, so that no log has it. */

import {$, el, table_clear, table_show} from "./table.js";
import {check} from "./check.js";

const svg = "http://www.w3.org/2000/svg";

let words = {};
let link = {}; /* path, secret */
let game = null; /* the steps, where each round starts, whose side the reader sits on, the review */
let at = 0;
let told = () => {};
let press = () => {}; /* (data) plays on from a step */

const ask = (what) => fetch(`${link.path}/${what}`, {cache: "no-store", headers: {"Koikoi-Secret": link.secret}});
const icon = (d) => {
    const picture = document.createElementNS(svg, "svg");
    const path = document.createElementNS(svg, "path");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    path.setAttribute("d", d);
    picture.append(path);
    return picture;
};

/* ---- Steps --------------------------------------------------------------------------------------- */

const last = () => game.steps.length - 1;
const round_on = () => game.starts.find((s) => s > at) ?? last();
const round_back = () => game.starts.findLast((s) => s < at) ?? 0;
const judged = (step) => game.review?.moves.find((m) => m.step === step);

const goes_on = () => ["hand", "draw", "decide"].includes(game.steps[at].phase);

function go(step) {
    const to = Math.min(Math.max(step, 0), last());
    const on = to === at + 1;
    at = to;
    if (!on) table_clear();
    table_show({...game.steps[at], names: game.names, own: game.own, buttons: []});
    if (location.pathname === link.path) history.replaceState(null, "", `${link.path}#${link.secret}${at ? "/" + at : ""}`);
    $("step").value = at;
    $("step").setAttribute("aria-valuetext", `${at} / ${last()}`);
    $("count").textContent = `${at} / ${last()}`;
    for (const [id, off] of [["step-back", at === 0], ["round-back", at === 0], ["step-on", at === last()], ["round-on", at === last()]]) $(id).setAttribute("aria-disabled", String(off));
    $("play-on").setAttribute("aria-disabled", String(!goes_on()));
    $("needle")?.setAttribute("transform", `translate(${(100 * at) / Math.max(1, last())} 0)`);
    const move = judged(at);
    $("judged").textContent = move?.text ?? "";
    $("judged").dataset.mark = move?.mark ?? "";
    for (const found of $("study").querySelectorAll("[data-step]")) found.toggleAttribute("aria-current", Number(found.dataset.step) === at);
}

function key(event) {
    if (!game || $("table").hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.id === "step") return;
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, PageDown: round_on(), PageUp: round_back(), ArrowDown: round_on(), ArrowUp: round_back(), Home: 0, End: last()}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
}

function controls() {
    const button = (id, name, path, to) => el("button", {id, class: "icon", type: "button", "aria-label": name, onclick: () => go(to())}, icon(path));
    const slider = el("input", {id: "step", type: "range", min: 0, max: last(), "aria-label": words.step, oninput: (e) => go(Number(e.target.value))});
    return el("div", {id: "steps"}, el("div", {id: "track"}, slider, el("div", {id: "curve"})),
        el("div", {class: "row"}, button("round-back", words.round_back, "M18 6l-6 6 6 6M12 6l-6 6 6 6M4 5v14", round_back), button("step-back", words.step_back, "M15 5l-7 7 7 7", () => at - 1), el("output", {id: "count", for: "step"}), button("step-on", words.step_on, "M9 5l7 7-7 7", () => at + 1), button("round-on", words.round_on, "M6 6l6 6-6 6M12 6l6 6-6 6M20 5v14", round_on)), el("button", {id: "play-on", type: "button", onclick: play_on}, words.play_on));
}

/* Whose hand to play from here, and with which stock. */
async function play_on() {
    const from = at;
    const answer = goes_on() && (await ask("step?s=" + from).catch(() => null));
    const list = answer?.ok ? (await answer.json()).steps[0].buttons : [];
    if (!list.length || !game || at !== from) return;
    const shut = (then) => () => {
        $("menu").close();
        then();
    };
    $("menu").setAttribute("aria-label", words.play_on);
    $("menu").replaceChildren(el("div", {class: "stack"}, el("p", {}, `${words.play_on} · ${at} / ${last()}`), ...list.map((b) => el("button", {type: "button", onclick: shut(() => press(b.press))}, b.text, " ", el("small", {}, b.sub))),
        el("button", {type: "button", class: "back", onclick: shut(() => {})}, words.back)));
    $("menu").showModal();
}

/* ---- The review ---------------------------------------------------------------------------------- */

/* Chances of the player below, at each step where they are known. */
function chances() {
    const {review, own, starts, steps} = game;
    const known = new Map();
    if (review.rounds.length === starts.length) review.rounds.forEach((r, i) => known.set(starts[i], r.start[own]));
    for (const m of review.moves)
        if (m.seat === own) known.set(m.step, m.win);
        else if (steps[0].seats.length === 2) known.set(m.step, 100 - m.win);
    if (review.end.length) known.set(last(), review.end[own]);
    return [...known].sort((a, b) => a[0] - b[0]);
}

function curve() {
    const shape = (tag, attributes) => {
        const made = document.createElementNS(svg, tag);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        return made;
    };
    const x = (step) => (100 * step) / Math.max(1, last());
    const points = chances().map(([step, share]) => `${x(step).toFixed(2)},${(100 - share).toFixed(1)}`);
    const picture = shape("svg", {viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": `${words.chances}: ${game.steps[0].seats[game.own].name}`});
    picture.append(...game.starts.slice(1).map((s) => shape("line", {class: "round", x1: x(s), x2: x(s), y1: 0, y2: 100})), shape("line", {class: "half", x1: 0, x2: 100, y1: 50, y2: 50}),
        shape("polygon", {points: `0,100 ${points.join(" ")} 100,100`}), shape("polyline", {points: points.join(" ")}), shape("line", {id: "needle", x1: 0, x2: 0, y1: 0, y2: 100}));
    const mark = (m) => el("button", {type: "button", class: m.mark, "data-step": m.step, "aria-label": `${words[m.mark]}: ${m.text}`, title: m.text, onclick: () => go(m.step)});
    $("curve").replaceChildren(picture, ...game.review.moves.filter((m) => m.mark).map((m) => {
        const made = mark(m);
        made.style.insetInlineStart = x(m.step) + "%";
        return made;
    }));
    $("track").classList.add("drawn");
}

function moments(mark) {
    const list = game.review.moves.filter((m) => m.mark === mark);
    return list.length ? [el("h2", {}, words[mark]), el("ul", {role: "list"}, ...list.map((m) => el("li", {}, el("button", {type: "button", class: mark, "data-step": m.step, onclick: () => go(m.step)}, el("span", {}, el("small", {}, game.steps[m.step].head), m.text)))))] : [];
}

async function review() {
    const place = $("found");
    place.replaceChildren(el("p", {class: "wait"}, words.reviewing));
    for (let tries = 0; tries < 60; tries++) {
        const answer = await ask("review").catch(() => null);
        if (answer?.status === 200) {
            game.review = await answer.json();
            place.replaceChildren(...moments("worst"), ...moments("best"));
            curve();
            go(at);
            return;
        }
        if (answer && answer.status !== 202) break;
        await new Promise((done) => setTimeout(done, 1500));
    }
    place.replaceChildren();
}

/* ---- The shuffles -------------------------------------------------------------------------------- */

const same = (a, b) => a.length === b.length && a.every((card) => b.includes(card));

/* What is shown must be what was dealt: the first step of a round is one of the deals. */
const shown = (deals) => game.starts.every((s) => deals.some((d) => same(game.steps[s].field, d.table) && game.steps[s].seats.every((seat, p) => same(seat.hand, d.hands[p]))));

async function shuffles() {
    const place = $("fair");
    if (!window.crypto?.subtle) {
        place.textContent = words.unchecked;
        return;
    }
    place.textContent = words.checking;
    const answer = await ask("record").catch(() => null);
    if (!answer?.ok) return;
    const record = await answer.text();
    const {wrong, deals} = await check(record);
    const good = !wrong && shown(deals);
    place.textContent = good ? words.fair : words.forged + (wrong ? ` (${wrong})` : "");
    place.dataset.good = good;
    $("record").href = URL.createObjectURL(new Blob([record], {type: "application/jsonl"}));
    $("record").hidden = false;
}

/* ---- The page ------------------------------------------------------------------------------------ */

function study() {
    return el("div", {id: "study", tabindex: "0", role: "region", "aria-label": words.review, onclick: (e) => e.target.closest("button, a") || told()}, el("p", {id: "judged"}), el("div", {id: "found"}), el("p", {id: "fair", role: "status"}),
        el("div", {class: "acts"}, el("a", {id: "record", class: "button", hidden: true, download: `koikoi-${game.steps[0].t}.koikoi`}, words.record)));
}

export const replay_key = key;

export function replay_close() {
    game = null;
    for (const id of ["steps", "study"]) $(id)?.remove();
    document.body.classList.remove("replay");
}

/* Shows the match of the link; `open` opens the study on a small screen, `sender` sends a press. Returns its first scene, null if not found. */
export async function replay_open(with_words, me, path, secret, step, open, sender) {
    words = with_words;
    link = {path, secret};
    told = open;
    press = sender;
    const answer = await ask("steps").catch(() => null);
    if (!answer?.ok) return null;
    const {names, steps: changes} = await answer.json();
    const steps = [];
    for (const s of changes) {
        const before = steps.at(-1);
        const acts = s.acts ?? before?.acts;
        const seats = s.seats.map((seat, p) => {
            const hand = seat.hand ?? before.seats[p].hand.filter((card) => !acts.some((a) => a.p === p && a.card === card));
            return {...before?.seats[p], ...seat, hand, cards: seat.cards ?? hand.length};
        });
        steps.push({...before, ...s, v: steps.length + 1, from: steps.length, seats});
    }
    const seats = steps[0].seats;
    const mine = [seats.findIndex((s) => s.name === me), seats.findIndex((s) => !s.computer)].find((i) => i >= 0);
    game = {names, steps, own: mine ?? 0, starts: steps.flatMap((s, i) => (i === 0 || steps[i - 1].phase === "ready" ? [i] : [])), review: null};
    document.body.classList.add("replay");
    $("below").append(controls());
    $("beside").prepend(study());
    at = -2;
    return {scene: steps[0], begin: () => (go(step), review(), shuffles())};
}
