/* The page: who the reader is, the line to the daemon, the start and the chat.

   All words come from the daemon: those of the page by GET /page, a table as scenes and what is said as letters by one
   stream, which is read with fetch. A press or a sentence is a POST with an id of its own, repeated under that id until it
   is answered, so that it counts once. A hidden tab has no stream, and tabs that show the same share one. */

import {$, el, art, portrait, table_clear, table_deck, table_free, table_key, table_open, table_scene, table_show, table_version} from "./table.js";

const files = new URL(".", import.meta.url).href;
const boxed = window.parent !== window; /* in a frame: what is kept there is blocked or parted */
const channels = !boxed && "BroadcastChannel" in window && navigator.locks;

const title = document.title;

let page = null; /* the answer of GET /page */
let here = {t: 0, r: ""}; /* the table and the room on the screen */
let left = 0; /* the table that the reader went away from: its line does not call them back */
let letters = []; /* newest last */
let newest = 0; /* id of the newest letter */
let link = ""; /* of the room that the reader has opened */
let deck = "";
let line = null; /* ends the stream, or the wait for it */
let channel = null;

/* In an app of a network: the module that speaks with it, and the secret that stands in for a cookie. */
let frame = null;
let bearer = "";

/* What the browser keeps; it may keep nothing. */
const kept = {
    get: (name) => {
        try {
            return localStorage.getItem(name);
        } catch {
            return null;
        }
    },
    set: (name, value) => {
        try {
            localStorage.setItem(name, value);
        } catch {
            /* it is asked for again */
        }
    },
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/* ---- Questions and answers ----------------------------------------------------------------------- */

let hushed = 0;
function note(text, ms = 6000) {
    clearTimeout(hushed);
    if ($("note").textContent !== text) $("note").textContent = text;
    $("note").hidden = !text;
    if (text && ms) hushed = setTimeout(note, ms, "");
}

function refused(answer, said) {
    if (said?.text) note(said.text);
    return Object.assign(new Error("refused"), {refused: answer.status});
}

const reach = (path, options) => fetch(path, frame ? {...options, credentials: "omit", headers: {...options.headers, ...(bearer ? {Authorization: "Bearer " + bearer} : {})}} : options);

async function get(path) {
    const answer = await reach(path, {cache: "no-store"});
    if (!answer.ok) throw refused(answer, await answer.json().catch(() => null));
    return answer.json();
}

/* Repeats what got no answer, under the same id. */
async function post(path, what) {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
    for (let wait = 500, renewed = false; ; wait = Math.min(2 * wait, 15000)) {
        let answer = null;
        try {
            answer = await reach(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({token: page?.token, id, ...what})});
        } catch {
            note(page?.words.lost ?? "", 0);
        }
        if (answer?.ok) {
            if ($("note").textContent === page?.words.lost) note("");
            return answer.json();
        }
        if (answer?.status === 403 && !renewed && page) {
            renewed = true;
            page = await get("/page").catch(() => page);
            continue;
        }
        if (answer && answer.status !== 503 && answer.status !== 502) throw refused(answer, await answer.json().catch(() => null));
        await pause(Math.random() * wait + (answer ? 1000 : 250));
    }
}

const typed = () => {
    const name = $("name")?.value.trim() ?? "";
    if (name) kept.set("name", (page.name = name));
    return name ? {name} : {};
};

/* Sends one act of the reader's. The answer names a table of theirs: `goes` there if the act was about a table. */
async function act(path, what, goes) {
    try {
        const answer = await post(path, {...what, ...typed()});
        if (answer.r) {
            link = answer.link;
            go({t: 0, r: answer.r});
        } else if (goes && answer.t && answer.t !== here.t && answer.t !== left) go({t: answer.t, r: ""});
        if (answer.scene) await show(answer.scene);
        if (answer.say) note(answer.say);
        return answer;
    } catch (failed) {
        if (!failed.refused) throw failed;
        return null;
    } finally {
        table_free();
    }
}

const say = (text) => act("/say", {text, ...(here.t ? {t: here.t} : {}), ...(here.r ? {r: here.r} : {})});
const press = (data, room = here.t ? "" : here.r) => act("/press", {press: data, t: here.t, ...(room ? {r: room} : {})}, here.t || here.r);

/* ---- The stream ---------------------------------------------------------------------------------- */

async function heard(event) {
    if (event.kind === "scene") await show(event.data);
    else if (event.kind === "letter") letter({id: event.id, ...event.data});
    else if (event.kind === "go" && event.data.r) {
        /* the room has a new link */
        for (const l of letters) if (l.r === here.r) l.r = event.data.r;
        link = event.data.link;
        go({t: here.t, r: event.data.r});
    } else if (event.kind === "go" && event.data.t !== here.t && event.data.t !== left) go({t: event.data.t, r: ""});
}

/* Reads events until the line breaks; returns false if it should stay down. */
async function read(signal, alive) {
    const v = table_version();
    const answer = await reach(`/stream?${here.watch ? "w=" + here.watch : "t=" + here.t}${v >= 0 ? "&v=" + v : ""}${newest ? "&l=" + newest : ""}${here.r ? "&r=" + here.r : ""}`, {signal, cache: "no-store", headers: here.watch ? {"Koikoi-Secret": here.secret} : {}});
    if (!answer.ok) {
        if (answer.status === 404) gone(page.words.gone);
        throw refused(answer, await answer.json().catch(() => null));
    }
    alive();
    const text = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
        /* The daemon says something every 20 s; a line that is silent for longer is down, though nothing says so. */
        let late = 0;
        const silence = new Promise((_, fail) => (late = setTimeout(() => fail(new Error("silence")), 50000)));
        const {value, done} = await Promise.race([text.read(), silence]).finally(() => clearTimeout(late));
        if (done) return true;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
            const fields = Object.fromEntries(block.split("\n").filter((l) => l && l[0] !== ":").map((l) => [l.slice(0, l.indexOf(":")), l.slice(l.indexOf(":") + 1).trim()]));
            if (!fields.event) continue;
            const event = {kind: fields.event, id: Number(fields.id ?? 0), data: JSON.parse(fields.data || "{}")};
            if (event.kind === "bye" && event.data.why === "unwatched") gone(page.words.unwatched);
            if (event.kind === "bye" && event.data.why === "gone") {
                page = await get("/page").catch(() => page);
                gone(page.words.gone);
            }
            if (event.kind === "bye") return !["many", "unwatched", "gone"].includes(event.data.why);
            channel?.postMessage({event});
            await heard(event);
        }
    }
}

async function stream(signal) {
    for (let wait = 1, fails = 0; !signal.aborted;) {
        const attempt = new AbortController();
        const stop = () => attempt.abort();
        signal.addEventListener("abort", stop);
        try {
            const again = await read(attempt.signal, () => {
                wait = 1;
                fails = 0;
                if ($("note").textContent === page.words.lost) note("");
            });
            if (!again) return;
        } catch {
            if (signal.aborted) return;
        } finally {
            attempt.abort();
            signal.removeEventListener("abort", stop);
        }
        if (++fails > 1) note(page.words.lost, 0);
        await Promise.race([pause(Math.random() * 1000 * wait), new Promise((done) => window.addEventListener("online", done, {once: true}))]);
        wait = Math.min(2 * wait, 15);
    }
}

/* One stream for what is on the screen, held by one of the tabs that show it: browsers open six to an address. */
function follow() {
    line?.abort();
    channel?.close();
    line = channel = null;
    if (document.hidden || !page || here.path) return;
    const mine = (line = new AbortController());
    const name = `koikoi ${here.t} ${here.r}`;
    if (!channels || here.watch) {
        stream(mine.signal);
        return;
    }
    let holds = false;
    const shared = (channel = new BroadcastChannel(name));
    shared.onmessage = ({data}) => {
        if (data.event) heard(data.event);
        else if (data.asks && holds) get("/scene?t=" + here.t).then((scene) => shared.postMessage({event: {kind: "scene", data: scene}}), () => {});
        if (data.asks && holds) for (const l of letters) shared.postMessage({event: {kind: "letter", id: l.id, data: l}});
    };
    shared.postMessage({asks: true});
    navigator.locks.request(name, {signal: mine.signal}, () => {
        holds = true;
        return stream(mine.signal);
    }).catch(() => {});
}

/* ---- Where the reader is ------------------------------------------------------------------------- */

async function sheet(name) {
    if (deck === name) return;
    deck = name;
    const text = await (await fetch(`${files}decks/${name}.svg`)).text();
    if (deck === name) table_deck(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
}

/* True for a scene of the table on the screen; a position to be solved is of no table. */
const is_here = (scene) => scene.t === here.t && (!!scene.t || !!here.position);

async function show(scene) {
    if (!is_here(scene)) return;
    await sheet(scene.deck);
    if (!is_here(scene)) return;
    $("start").hidden = true;
    $("table").hidden = false;
    $("table").classList.toggle("solved", !!here.position && !scene.mine);
    beside();
    table_show(scene);
    framed();
    document.title = (scene.mine ? "● " : "") + (here.position ? scene.head : scene.seats.map((s) => s.name).filter(Boolean).join(" – ")) + " · " + title;
    document.body.dataset.ready = "table";
}

/* A match that goes on from a step of a replay. What was refused leads nowhere. */
async function play_on(data) {
    const before = await get("/page").catch(() => page);
    const answer = await act("/press", {press: data});
    if (answer?.t && !before.tables.some((t) => t.t === answer.t)) {
        go({t: answer.t, r: ""});
        if (answer.scene) await show(answer.scene);
    }
}

/* A link that may be passed on: the page of a finished match. Its module comes when it is needed. */
let replay = null;

async function shared(path, hash) {
    const [secret, step] = hash.slice(1).split("/");
    here = {t: 0, r: "", path};
    line?.abort();
    table_clear();
    if (!replay) {
        document.head.append(el("link", {rel: "stylesheet", href: files + "replay.css"}));
        replay = await import("./replay.js");
    }
    replay.replay_close();
    const game = await replay.replay_open(page.words, page.name, path, secret, Number(step) || 0, () => chat(true), play_on);
    if (here.path !== path) return;
    if (!game) {
        opening(el("p", {}, page.words.gone), choice(page.words.back, home));
        return;
    }
    await sheet(game.scene.deck + (game.scene.seats.some((s) => s.face) ? "" : ".cards"));
    $("start").hidden = true;
    $("table").hidden = false;
    beside();
    document.title = game.scene.seats.map((s) => s.name).join(" – ") + " · " + title;
    game.begin();
    document.body.dataset.ready = "replay";
}

/* A puzzle: a position whose moves are answers. */
async function puzzle(path) {
    here = {t: 0, r: "", path, position: true, alone: true};
    line?.abort();
    replay?.replay_close();
    table_clear();
    const scene = await get(path + "/scene").catch(() => null);
    if (here.path !== path) return;
    if (scene) await show(scene);
    else opening(el("p", {}, page.words.gone), choice(page.words.back, home));
}

/* A chat's season or the duel of a day: its picture, its table, what is to be said of it, and who may begins a try. */
async function board(path, hash) {
    here = {t: 0, r: "", path, alone: true};
    line?.abort();
    replay?.replay_close();
    table_clear();
    const answer = await reach(path + "/table", {cache: "no-store", headers: {"Koikoi-Secret": hash.slice(1)}}).catch(() => null);
    const found = answer?.ok ? await answer.json() : null;
    if (here.path !== path) return;
    const back = choice(page.words.back, home);
    if (!found) return opening(el("p", {}, page.words.gone), back);
    const acts = found.buttons ?? [];
    const link = path.split("/").pop() + hash;
    const [names, ...rows] = found.rows;
    const shown = (names ?? []).map((_, c) => rows.some((row) => row[c]));
    const line_of = (row, tag) => el("tr", {}, ...row.filter((_, c) => shown[c]).map((text) => el(tag, {}, text)));
    opening(el("h2", {}, found.head), ...(names || found.buttons ? [el("img", {src: `${path}/poster.png?lang=${page.lang}`, alt: ""})] : []), ...(names ? [el("table", {}, el("thead", {}, line_of(names, "th")), el("tbody", {}, ...rows.map((row) => line_of(row, "td"))))] : []),
        ...found.lines.map((text) => el("p", {}, text)), ...(acts.length && !page.network ? [name_field()] : []), ...acts.map((b) => choice(b.text, () => act("/press", {press: b.press, link}, true), "", "main")), back);
    $("fan").hidden = true;
    document.title = found.head + " · " + title;
}

function go(to, quietly) {
    here = to;
    replay?.replay_close();
    table_clear();
    const path = to.t ? "/t/" + to.t : to.r ? "/r/" + to.r : "/";
    if (!quietly && !boxed && !frame && location.pathname !== path) history.pushState(null, "", path);
    $("beside").classList.remove("open");
    if (!to.t) start();
    framed();
    follow();
}

/* What was shown is to be seen no more. On somebody's own site there is nothing else. */
function gone(why) {
    if (boxed && !frame) {
        here = {t: 0, r: ""};
        table_clear();
        return opening(el("p", {}, why));
    }
    home();
    note(why);
}

function home() {
    left = here.t;
    go({t: 0, r: ""});
}

/* A match that runs, as all may see it. */
function watch(path, hash) {
    go({t: parseInt(path, 10) || 0, r: "", watch: path, secret: hash.slice(1)}, true);
}

/* What links open, by the first part of their path. */
const pages = {
    replay: shared,
    puzzle,
    season: board,
    duel: board
};

function routed(to = location) {
    const [, kind, what] = to.pathname.split("/");
    if (kind === "watch") return watch(what, to.hash);
    if (Object.hasOwn(pages, kind)) return pages[kind](`/${kind}/${what}`, to.hash);
    const own = kind === "t" && page.tables.find((x) => x.t === Number(what));
    if (own) sheet(own.deck); /* while the table itself is still on its way */
    go({t: kind === "t" ? Number(what) || 0 : 0, r: kind === "r" ? what : ""}, true);
}

/* ---- The start ----------------------------------------------------------------------------------- */

const name_field = () => el("label", {}, page.words.name, el("input", {id: "name", value: page.name || kept.get("name") || "", maxlength: "40", autocomplete: "nickname"}));
const choice = (text, onclick, about, kind) => el("button", {type: "button", class: kind ?? "", onclick}, text, ...(about ? [" ", el("small", {}, about)] : []));

function opening(...rest) {
    $("start").hidden = false;
    $("table").hidden = true;
    $("start").replaceChildren(el("div", {id: "fan"}, ...["1b", "3b", "8b", "11b", "12b"].map((c) => art(c))), el("h1", {}, title), ...rest);
    document.title = title;
    document.documentElement.lang = page.lang;
    sheet(deck || "hanafuda");
    beside();
    document.body.dataset.ready = "start";
}

function start() {
    if (here.r) return room();
    const w = page.words;
    if (!page.chat) return opening(el("p", {}, w.closed), ...tables()); /* the bot cannot write to them: they have the tables that they sit at */
    opening(name_field(), choice(w.computer, computers, "", "main"), choice(w.friend, () => act("/room", {}), "", "main"),
        el("div", {class: "two"}, choice(w.learn, () => ask(page.learn)), choice(w.watch, () => ask(page.watch))), ...tables());
}

function tables() {
    if (!page.tables.length) return [];
    return [el("nav", {class: "stack", "aria-label": page.words.tables}, el("p", {}, page.words.tables), ...page.tables.map((t) => choice((t.mine ? "● " : "") + t.text, () => go({t: t.t, r: ""})))) ];
}

function computers() {
    const name = typed();
    opening(el("p", {}, page.words.choose), ...page.computers.map((c) => opponent(c, name)), choice(page.words.back, start, "", "back"));
    $("start").querySelector("button").focus();
}

function opponent(c, name) {
    const button = choice(c.name, () => act("/say", {text: c.say, ...name}, true), `${c.level} · ${c.about}`, "with-face");
    button.prepend(portrait(c.face));
    return button;
}

function ask(text) {
    $("beside").classList.add("open");
    beside();
    say(text);
}

/* The room behind a link: its owner sees the link, who follows it what was offered there. */
function room() {
    const field = $("name")?.value;
    const offers = letters.filter((l) => l.r === here.r);
    const own = link.endsWith("/" + here.r);
    const buttons = offers.findLast((l) => l.buttons?.length)?.buttons ?? [];
    const first = own ? [shared_link()] : [name_field(), ...buttons.filter((b) => b.style === "take").map((b) => action(b, here.r))];
    opening(...offers.map((l) => el("div", {class: "offer"}, el("p", {}, ...runs(l.text)))), ...first,
        el("div", {class: "acts"}, ...buttons.filter((b) => b.style !== "take").map((b) => action(b, here.r))), choice(page.words.back, home));
    $("fan").hidden = true;
    if (field && $("name")) $("name").value = field;
}

function shared_link() {
    const input = el("input", {readonly: true, value: link, onfocus: (e) => e.target.select()});
    const copy = () => navigator.clipboard ? navigator.clipboard.writeText(link).catch(() => input.select()) : input.select();
    return el("div", {class: "stack"}, el("p", {}, page.words.share), el("label", {}, page.words.link, input), choice(page.words.copy, copy), choice(page.words.new_link, () => say("/link new")));
}

/* ---- What is said -------------------------------------------------------------------------------- */

/* A letter's text: runs of words in a style each; those of a fold are behind its title. */
function runs(text) {
    const found = [];
    for (const [style, words] of text) {
        const has = (letter) => style.includes(letter);
        const shown = has("w") ? new Date(Number(words) * 1000).toLocaleString(page.lang, {dateStyle: "medium", timeStyle: "short"}) : words;
        if (has("f") && !has("F")) found.push(el("details", {}, el("summary", {}, shown.trim())));
        else {
            const run = has("b") || has("n") ? el("b", {}, shown) : has("c") || has("t") ? el("code", {}, shown) : shown;
            has("F") && found.at(-1) instanceof HTMLDetailsElement ? found.at(-1).append(run) : found.push(run);
        }
    }
    return found;
}

function action(b, room) {
    if (b.href) return el("a", {class: "button", href: b.href, rel: "noopener noreferrer", target: "_blank"}, b.text);
    return el("button", {type: "button", class: {take: "main", danger: "go"}[b.style] ?? "", onclick: () => press(b.press, room)}, b.text);
}

function letter(l) {
    if (l.popup) {
        note(l.text.map((run) => run[1]).join(""));
        return;
    }
    newest = Math.max(newest, l.id);
    const at = letters.findIndex((o) => o.id === l.id || (l.slot && o.slot === l.slot && o.r === l.r));
    if (at >= 0) letters.splice(at, 1);
    if (!l.gone) letters.push(l);
    letters = letters.slice(-100);
    if ($("beside").classList.contains("open")) kept.set("seen", newest);
    $("chat-open").classList.toggle("new", newest > Number(kept.get("seen")));
    said();
    if (here.r) room();
}

function said() {
    const low = $("log").scrollHeight - $("log").scrollTop - $("log").clientHeight < 60;
    $("log").replaceChildren(...letters.map((l) => el("li", {}, ...(l.who ? [el("b", {}, l.who + " ")] : []), ...runs(l.text), ...(l.buttons?.length ? [el("div", {class: "acts"}, ...l.buttons.map((b) => action(b, l.r)))] : []))));
    if (low) $("log").scrollTop = $("log").scrollHeight;
}

/* The chat stands beside a table, and beside the start once it was opened. */
function beside() {
    const alone = !!(here.watch || here.alone);
    document.body.classList.toggle("position", !!here.position);
    $("chat-open").hidden = alone;
    $("beside").hidden = alone || !here.t && !here.path && !$("beside").classList.contains("open");
}

function chat(open) {
    $("beside").classList.toggle("open", open);
    $("chat-open").classList.remove("new");
    kept.set("seen", newest);
    beside();
    framed();
    said();
    if (open) $("log").scrollTop = $("log").scrollHeight;
    (open ? $("box") : $("chat-open")).focus();
}

function menu() {
    const w = page.words;
    const shut = (then) => () => {
        $("menu").close();
        then();
    };
    $("menu").setAttribute("aria-label", w.menu);
    $("menu").replaceChildren(el("div", {class: "stack"}, ...page.tables.filter((t) => t.t !== here.t).map((t) => choice((t.mine ? "● " : "") + t.text, shut(() => go({t: t.t, r: ""})))),
        choice(w.learn, shut(() => ask(page.learn))), choice(w.computer, shut(() => (home(), computers()))), choice(w.friend, shut(() => act("/room", {}))), choice(w.back, shut(() => {}))));
    $("menu").showModal();
    get("/page").then((fresh) => (page = fresh), () => {});
}

/* ---- In a frame ---------------------------------------------------------------------------------- */

/* Tells the app how far from its start the page is, and whether it waits for the reader. */
function framed() {
    frame?.frame_at(!!(here.t || here.r || here.path || $("beside").classList.contains("open")), !!table_scene()?.mine);
}

function step_back() {
    if ($("menu").open) $("menu").close();
    else if ($("beside").classList.contains("open")) chat(false);
    else home();
}

/* The secret for what proves the reader. Where others may have got that too, this window shows a code until its person
   has written it into a chat, once. */
async function prove(network, bytes) {
    for (let shown = ""; ; await pause(2000)) {
        const answer = await post("/prove", {network, bytes, window: kept.get("window") ?? prove.window ?? ""}).catch(() => null);
        if (!answer?.say) return answer?.secret ?? "";
        page ??= await get("/page");
        kept.set("window", (prove.window = answer.window));
        if (shown !== answer.say) opening(el("p", {}, answer.text), el("p", {}, el("code", {}, answer.say)));
        shown = answer.say;
    }
}

/* Proves the reader by what the app gives, and shows the table that its button names, or that of the chat it stands by. */
async function enter(network) {
    const early = [];
    const keep = (event) => early.push(event);
    addEventListener("message", keep);
    frame = await import(`./${network}.js`);
    removeEventListener("message", keep);
    const {bytes, table, chat} = await frame.frame_open(step_back, early);
    bearer = await prove(network, bytes);
    page = await get("/page" + (chat ? "?chat=" + encodeURIComponent(chat) : ""));
    wire();
    if (!bearer) return opening(el("p", {}, page.words.reopen));
    if (!table) return go({t: page.t, r: ""});
    const scene = await get("/scene?t=" + table).catch(() => null);
    go({t: scene ? table : 0, r: ""});
    if (table && !scene) note(page.words.players, 30000);
}

/* ---- Begin --------------------------------------------------------------------------------------- */

function wire() {
    const w = page.words;
    for (const [id, text] of [["chat-open", w.chat], ["chat-close", w.back], ["menu-open", w.menu], ["beside", w.chat], ["log", w.chat], ["box", w.chat]]) $(id).setAttribute("aria-label", text);
    $("box").placeholder = w.chat;
    $("send").textContent = w.send;
    $("chat-open").onclick = () => chat(true);
    $("chat-close").onclick = () => chat(false);
    $("menu-open").onclick = menu;
    new ResizeObserver(() => ($("log").scrollTop = $("log").scrollHeight)).observe($("log"));
    $("note").onclick = () => note("");
    $("log").onclick = (event) => event.target.closest("button, a") || matchMedia("(min-width: 900px)").matches || $("beside").classList.contains("open") || chat(true);
    $("beside").querySelector("form").onsubmit = (event) => {
        event.preventDefault();
        const text = $("box").value.trim();
        $("box").value = "";
        if (text) say(text);
    };
    table_open(w, press, (advice) => note(advice, 30000), (path) => {
        if (boxed || frame) return routed(new URL("/" + path, location.href));
        history.pushState(null, "", "/" + path);
        routed();
    });
    addEventListener("keydown", (event) => {
        if (event.key === "Escape" && $("beside").classList.contains("open") && here.t) chat(false);
        else if (here.path && !here.alone && !$("menu").open) replay?.replay_key(event);
        else if ((here.t || here.position) && !$("menu").open) table_key(event);
    });
    addEventListener("popstate", () => routed());
    addEventListener("hashchange", () => here.path && routed());
    addEventListener("pageshow", (event) => event.persisted && follow());
    document.addEventListener("visibilitychange", follow);
}

async function begin() {
    const [, kind, network] = location.pathname.split("/");
    document.body.classList.toggle("boxed", boxed && kind !== "app");
    if (kind === "app") return enter(network);
    for (let wait = 1; !page; wait = Math.min(2 * wait, 15)) {
        page = await get("/page").catch(() => null);
        if (!page) await pause(Math.random() * 1000 * wait);
    }
    wire();
    if (location.pathname === "/table" && location.hash.length > 1) {
        const ticket = location.hash.slice(1);
        history.replaceState(null, "", "/table");
        const answer = await post("/login", {ticket}).catch(() => null);
        page = await get("/page").catch(() => page);
        if (answer?.t) history.replaceState(null, "", "/t/" + answer.t);
    }
    routed();
}

begin();
