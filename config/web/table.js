/* The table: draws a scene and turns taps into the presses that stand in it.

   A scene (config/formats/scene.schema.json) says what lies where, what may be tapped and which press each tap sends; here
   is no rule of the game and no sentence. table_show() makes the page agree with a scene, keeps the elements of cards that
   stay, and lets the cards of its acts travel from where they lay. */

const TRAVEL = 260; /* ms */
const svg = "http://www.w3.org/2000/svg";

let scene = null; /* the one on the screen */
let words = {};
let send = () => {}; /* (press) sends it; the answer is another scene */
let tell = () => {}; /* (advice) shows it over the table, to those who asked for some */
let open_page = () => {}; /* (path) shows the page that a button leads to */
let asked = false; /* a quiet button was pressed, which may have been the one for advice */
let picked = ""; /* the card of the hand that the reader has raised */
let sent = false; /* a press is on its way: taps wait */
let places = []; /* codes on the field, "" for a place that was left */
let ahead = 0; /* ms that this clock is ahead of the daemon's */
let travels = []; /* animations under way */

export const $ = (id) => document.getElementById(id);

export function el(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {}))
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else if (value === true) made.setAttribute(name, "");
        else if (value !== false && value != null) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

/* Cards of the deck, and those that were ever drawn: they alone stand in the page, since a browser lays out whatever does,
   with all that it repeats inside. */
let deck = new Map();
const drawn = new Set();

function symbol(use, id) {
    use.setAttribute("href", "#" + id);
    drawn.add(id);
    const found = deck.get(id);
    if (found && !found.isConnected) $("sheet").firstChild.append(found);
}

export function table_deck(sheet) {
    deck = new Map([...sheet.children].map((card) => [card.id, card]));
    sheet.replaceChildren(...[...drawn].flatMap((id) => deck.get(id) ?? []));
    $("sheet").replaceChildren(sheet);
}

/* Picture of a card; with a name it is an image of that name, without one it is decoration. */
export function art(card, name) {
    const picture = document.createElementNS(svg, "svg");
    const use = document.createElementNS(svg, "use");
    picture.setAttribute("viewBox", "0 0 160 256");
    if (name) {
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", name);
        picture.dataset.card = card;
    } else picture.setAttribute("aria-hidden", "true");
    symbol(use, card);
    picture.append(use);
    return picture;
}

/* Portrait of a character of the computer; it stands beside a name. */
export function portrait(face) {
    const picture = art(face);
    picture.setAttribute("viewBox", "0 0 160 160");
    picture.classList.add("face");
    return picture;
}

/* Children of `list` become one for each key, in order. One that stays is not moved, so that it keeps the focus. */
function keyed(list, keys, make) {
    const wanted = new Set(keys);
    const old = new Map();
    for (const child of [...list.children])
        if (wanted.has(child.dataset.key)) old.set(child.dataset.key, child);
        else child.remove();
    let at = list.firstElementChild;
    for (const key of keys) {
        let child = old.get(key);
        if (child && child === at) at = at.nextElementSibling;
        else {
            if (!child) {
                child = make(key);
                child.dataset.key = key;
            }
            list.insertBefore(child, at);
        }
    }
    return [...list.children];
}

/* ---- Taps ---------------------------------------------------------------------------------------- */

/* The card that is raised: of the hand, or the drawn one, which waits for a choice. */
function raised() {
    if (scene.phase === "draw" && scene.drawn?.moves.length) return scene.drawn;
    return scene.hand.find((h) => h.card === picked) ?? null;
}

function press(data) {
    if (sent || !data) return;
    sent = true;
    send(data);
}

/* The press is answered or given up. */
export function table_free() {
    sent = false;
}

function tap_hand(card) {
    const held = scene.hand.find((h) => h.card === card);
    if (!held || (!held.moves.length && !held.back)) return;
    if (held.kept && held.back) press(held.back);
    else if (picked !== card) picked = card;
    else if (held.moves.length === 1) press(held.moves[0].press);
    else picked = "";
    marks();
}

function tap_field(card) {
    press(raised()?.moves.find((m) => m.take.includes(card))?.press);
}

function let_go() {
    picked = "";
    marks();
}

/* Rings what the raised card takes, dims the rest, offers the free place. */
function marks() {
    const up = raised();
    const takes = new Map((up?.moves ?? []).flatMap((m) => m.take.map((c) => [c, m])));
    for (const button of $("field").querySelectorAll("button[data-card]")) {
        const move = takes.get(button.dataset.card);
        button.classList.toggle("goal", !!move);
        button.classList.toggle("dim", !!up && !move);
        button.setAttribute("aria-disabled", String(!move));
        button.setAttribute("aria-label", scene.names[button.dataset.card] + (move?.makes ? ", " + move.makes : ""));
    }
    const down = up?.moves.find((m) => !m.take.length);
    $("field").querySelector("[data-key=lay]")?.remove();
    if (down) {
        const free = $("field").querySelector("li.card");
        const place = el("li", {"data-key": "lay"}, el("button", {class: "card lay", type: "button", onclick: () => press(down.press)}, words.lay));
        $("field").insertBefore(place, free);
        if (free) free.hidden = true;
    } else for (const free of $("field").querySelectorAll("li.card")) free.hidden = false;
    rows(places.length + (down && !places.includes("") ? 1 : 0));

    const off = scene.phase === "decide" && scene.me >= 0;
    for (const button of $("hand").querySelectorAll("button")) {
        const held = scene.hand.find((h) => h.card === button.dataset.card);
        const free = held.moves.length > 0 || !!held.back;
        button.classList.toggle("picked", held.card === picked);
        button.classList.toggle("kept", held.kept);
        button.classList.toggle("takes", held.moves.some((m) => m.take.length));
        button.setAttribute("aria-disabled", String(!free));
        button.setAttribute("aria-pressed", String(held.card === picked || held.kept));
    }
    $("hand").classList.toggle("off", off);
}

/* One row or two of equal length: from five places an upright screen has two, from seven a wide one. */
function rows(n) {
    const up = n <= 4 ? Math.max(n, 1) : Math.ceil(n / 2);
    const wide = n <= 6 ? Math.max(n, 1) : Math.ceil(n / 2);
    for (const [name, value] of [["up", up], ["up-rows", n <= 4 ? 1 : 2], ["wide", wide], ["wide-rows", n <= 6 ? 1 : 2]])
        $("field").style.setProperty("--" + name, value);
}

/* ---- Drawing ------------------------------------------------------------------------------------- */

function card_button(card, tap) {
    return el("li", {}, el("button", {class: "card", type: "button", "data-card": card, "aria-label": scene.names[card], onclick: () => tap(card)}, art(card)));
}

/* The seat that is drawn below; for those without one, the first. */
const own = () => scene.own ?? Math.max(0, scene.me);

/* A hand that all may see, under the captures of its seat. */
function open_hand(box, s) {
    let list = box.querySelector(".shown");
    if (!list) box.querySelector(".shelf").before((list = el("ul", {class: "shown", role: "list"})));
    list.setAttribute("aria-label", `${words.hand}: ${s.name}`);
    keyed(list, s.hand, (card) => el("li", {title: scene.names[card]}, art(card, scene.names[card])));
}

function seat(box, i) {
    const s = scene.seats[i];
    const mine = i === scene.me;
    if (!box.firstChild) {
        const piles = scene.groups.map(() => el("ul", {class: "pile", role: "list"}));
        box.append(el("div", {class: "who"}, portrait(""), el("h2"), el("span", {class: "backs", role: "img"}), el("span", {class: "koi"}), el("b")),
            el("div", {class: "shelf"}, ...piles), el("div", {class: "near"}));
    }
    const [face, name, backs, calls, score] = box.firstChild.children;
    box.setAttribute("aria-label", s.name);
    box.setAttribute("role", "region");
    box.classList.toggle("on", scene.turn === i);
    name.textContent = s.name;
    name.title = s.name;
    face.toggleAttribute("hidden", !s.face);
    symbol(face.firstChild, s.face ?? "");
    backs.hidden = mine || !s.cards || !!s.hand;
    backs.setAttribute("aria-label", s.held ?? String(s.cards));
    if (!mine) keyed(backs, Array.from({length: s.cards}, (_, k) => String(k)), () => art("back"));
    calls.hidden = !s.calls;
    calls.textContent = s.calls;
    score.textContent = s.score;
    s.taken.forEach((cards, k) => {
        const pile = box.querySelector(".shelf").children[k];
        pile.setAttribute("aria-label", scene.groups[k]);
        keyed(pile, cards, (card) => el("li", {title: scene.names[card]}, art(card, scene.names[card])));
    });
    if (s.hand && i !== own()) open_hand(box, s);
    box.querySelector(".near").replaceChildren(...s.made.map((m) => el("b", {}, m)), ...s.near.map((n) =>
        el("span", {}, el("span", {}, n.name), el("i", {"aria-hidden": "true"}, "●".repeat(n.have) + "○".repeat(Math.max(0, n.need - n.have))), el("span", {class: "hide"}, `${n.have}/${n.need}`))));
}

function field(fresh) {
    const here = scene.field;
    if (fresh) places = [];
    places = places.map((card) => (here.includes(card) ? card : ""));
    for (const card of here)
        if (!places.includes(card)) places.includes("") ? (places[places.indexOf("")] = card) : places.push(card);
    keyed($("field"), places.map((card, i) => card || "free" + i), (key) =>
        key.startsWith("free") ? el("li", {class: "card", "aria-hidden": "true"}) : card_button(key, tap_field));
}

/* A button of the scene; what it is worth stands under it. */
function button(b) {
    const tap = () => {
        if (b.page) return open_page(b.page);
        if (b.style === "quiet") asked = true;
        press(b.press);
    };
    const kind = {take: "main", yaku: "main", danger: "go"}[b.style] ?? "";
    return el("button", {type: "button", class: kind, onclick: tap}, b.text, ...(b.sub ? [" ", el("small", {}, b.sub)] : []));
}

function buttons() {
    const beside = scene.phase === "over" || scene.phase === "offer" ? [] : scene.buttons.filter((b) => b.style === "quiet");
    for (const [box, list] of [["choice", scene.buttons.filter((b) => !beside.includes(b))], ["acts", beside]]) {
        const key = JSON.stringify(list);
        if ($(box).dataset.list === key) continue;
        $(box).dataset.list = key;
        $(box).replaceChildren(...list.map(button));
    }
}

/* "23 h", "12 min", "40 s": the browser's own words for it. */
function left(ms) {
    const [n, unit] = ms >= 172800e3 ? [ms / 86400e3, "day"] : ms >= 3600e3 ? [ms / 3600e3, "hour"] : ms >= 60e3 ? [ms / 60e3, "minute"] : [ms / 1e3, "second"];
    return new Intl.NumberFormat(scene.lang, {style: "unit", unit, unitDisplay: "narrow"}).format(Math.max(0, Math.floor(n)));
}

function clock() {
    const text = scene?.due ? " · " + left(scene.due - (Date.now() - ahead)) : "";
    if ($("clock").textContent !== text) $("clock").textContent = text;
}
setInterval(clock, 1000);

/* Where the focus goes when its card has left: the first button to choose from, else the card that took its place. */
function refocus(list, index) {
    if (!list || (document.activeElement && document.activeElement !== document.body)) return;
    const choice = $("choice").querySelector("button");
    const cards = $(list).querySelectorAll("button");
    (choice ?? cards[Math.min(index, cards.length - 1)] ?? $("hand").querySelector("button"))?.focus({preventScroll: true});
}

/* ---- Travel -------------------------------------------------------------------------------------- */

function lie() {
    const where = new Map();
    for (const e of $("table").querySelectorAll("[data-card]")) where.set(e.dataset.card, e.getBoundingClientRect());
    return where;
}

function fly(e, from, to, turns) {
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.height / to.height})`;
    const frames = turns
        ? [{transform: start + " scaleX(0)", offset: 0}, {transform: start, offset: 0.35}, {transform: "none"}]
        : [{transform: start}, {transform: "none"}];
    const section = e.closest("#table > *");
    e.style.transformOrigin = "0 0";
    section.classList.add("moving");
    const travel = e.animate(frames.map((f) => ({zIndex: 9, ...f})), {duration: TRAVEL, easing: "cubic-bezier(.2, .8, .2, 1)"});
    travels.push(travel);
    travel.finished.then(() => section.classList.remove("moving"), () => {});
}

/* Cards of the acts travel from where they lay: a played one from the hand it was in, a drawn one from the stock. */
function travel(before, acts) {
    const now = lie();
    const moved = new Map();
    for (const act of acts) {
        if (!act.card) continue;
        const hand = act.do === "draw" ? $("stock") : $("table").querySelector(`[data-seat="${act.p}"] .backs`);
        moved.set(act.card, {from: before.get(act.card) ?? hand?.getBoundingClientRect(), turns: act.do === "draw" && !before.has(act.card)});
        for (const card of act.took ?? []) if (!moved.has(card)) moved.set(card, {from: before.get(card)});
    }
    for (const h of scene.hand) moved.has(h.card) || moved.set(h.card, {from: before.get(h.card)});
    for (const [card, {from, turns}] of moved) {
        const to = now.get(card);
        if (!from?.height || !to || (Math.abs(from.x - to.x) < 2 && Math.abs(from.y - to.y) < 2)) continue;
        fly($("table").querySelector(`[data-card="${card}"]`), from, to, turns);
    }
}

/* ---- The scene ----------------------------------------------------------------------------------- */

export function table_open(with_words, sender, teller, opener) {
    open_page = opener;
    words = with_words;
    send = sender;
    tell = teller;
    $("hand").setAttribute("aria-label", words.hand);
    $("field").setAttribute("aria-label", words.field);
}

export const table_version = () => scene?.v ?? -1;
export const table_scene = () => scene;

export function table_clear() {
    scene = null;
    places = [];
    picked = "";
    sent = false;
    $("say").textContent = "";
}

/* An older scene than the one on the screen changes nothing; one of the same version only what time has changed. */
export function table_show(next) {
    const was = scene;
    if (was && was.t === next.t && next.v < was.v) return;
    const same = was && was.t === next.t && next.v === was.v;
    const on = was && was.t === next.t && next.v > was.v && next.from === was.v;
    const before = on ? lie() : new Map();
    const focus = ["hand", "field", "choice"].find((id) => $(id).contains(document.activeElement));
    const index = focus ? [...$(focus).querySelectorAll("button")].indexOf(document.activeElement) : 0;
    for (const t of travels) t.cancel();
    travels = [];

    scene = next;
    sent = false;
    ahead = Date.now() - scene.now;
    if (!scene.hand.some((h) => h.card === picked && h.moves.length) || !(on || same)) picked = "";
    document.documentElement.lang = scene.lang;
    const watching = scene.me < 0 && !scene.seats[0].hand;
    $("head").textContent = scene.head + (watching ? " · " + words.watching : "");
    $("hand").hidden = watching;
    $("status").textContent = scene.status;
    $("turn").classList.toggle("me", scene.mine);
    $("turn").hidden = !scene.status;
    clock();

    const below = own();
    const order = scene.seats.map((_, i) => (below + 1 + i) % scene.seats.length).filter((i) => i !== below);
    keyed($("others"), order.map(String), (key) => el("section", {class: "seat", "data-seat": key})).forEach((box, k) => seat(box, order[k]));
    $("mine").dataset.seat = below;
    seat($("mine"), below);
    field(!was || was.t !== scene.t || was.head !== scene.head);
    const cards = scene.phase !== "offer" && scene.phase !== "over" && scene.phase !== "ready";
    $("stock").hidden = !cards;
    if (cards) {
        keyed($("stock"), scene.drawn ? ["back", "drawn " + scene.drawn.card, "left"] : ["back", "left"], (key) =>
            key === "back" ? art("back") : key === "left" ? el("span") : el("div", {id: "drawn"}, art(scene.drawn.card, scene.names[scene.drawn.card])));
        $("stock").lastChild.textContent = scene.left;
    }
    const open = scene.seats[below].hand;
    keyed($("hand"), open ?? scene.hand.map((h) => h.card), (card) =>
        open ? el("li", {}, el("span", {class: "card"}, art(card, scene.names[card]))) : card_button(card, tap_hand));
    buttons();
    marks();
    if (!same) $("say").replaceChildren(...scene.say.flatMap((s, i) => (i ? [" ", el("span", {}, s)] : [el("span", {}, s)])));
    /* Without cards on the field the sentences stand there, for the eye alone: the status says them. */
    $("result").replaceChildren(...(cards ? [] : scene.say.map((s) => el("span", {}, s))));
    $("say").classList.toggle("told", !cards);
    const advice = scene.hint.join("\n");
    const told = advice === $("advice").textContent;
    $("advice").textContent = advice;
    if (advice && !told && asked && !$("advice").offsetParent) tell(advice);
    asked &&= !advice || told;
    for (const card of scene.flash ?? []) $("table").querySelector(`.pile [data-card="${card}"]`)?.classList.add("flash");
    refocus(focus, index);
    if (on && !matchMedia("(prefers-reduced-motion: reduce)").matches) travel(before, scene.acts);
}

/* ---- Keys ---------------------------------------------------------------------------------------- */

/* Arrows walk along a row and between rows, digits tap the card of that number (or what may be chosen), Escape lets go. */
export function table_key(event) {
    if (!scene || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const rows = ["field", "hand", "choice"].map((id) => [...$(id).querySelectorAll("button")].filter((b) => b.offsetParent)).filter((r) => r.length);
    const row = rows.find((r) => r.includes(document.activeElement));
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    const turn = {ArrowUp: -1, ArrowDown: 1}[event.key];
    if (event.key === "Escape") let_go();
    else if (/^[1-9]$/.test(event.key)) {
        const choice = scene.phase === "decide" || !scene.hand.length ? $("choice").querySelectorAll("button") : [];
        const goals = scene.phase === "draw" ? $("field").querySelectorAll(".goal") : [];
        const list = choice.length ? choice : goals.length ? goals : $("hand").querySelectorAll("button");
        const chosen = list[event.key - 1];
        chosen?.focus();
        chosen?.click();
    } else if (step && row) {
        const rtl = getComputedStyle(row[0]).direction === "rtl" ? -1 : 1;
        row[(row.indexOf(document.activeElement) + step * rtl + row.length) % row.length].focus();
    } else if ((step || turn) && rows.length) {
        const next = row ? rows[rows.indexOf(row) + turn] : rows.at(-1);
        if (!next) return;
        const goal = next.find((b) => b.classList.contains("goal") || b.classList.contains("picked"));
        (goal ?? next[0]).focus();
    } else return;
    event.preventDefault();
}
