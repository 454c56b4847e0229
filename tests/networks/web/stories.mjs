/* Stories of the page: node stories.mjs BUILD [STORY...]. Each has a daemon of its own and prints a line; the last lines
   are the counts. SHOTS=folder keeps screenshots of every view. */
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {chromium, firefox, webkit} from "./engines.mjs";
import {apps} from "./apps.mjs";
import {asleep} from "./asleep.mjs";
import {chats, far} from "./chats.mjs";
import {begin} from "./daemon.mjs";
import {framed, frames, networks} from "./frames.mjs";
import {listen, secret} from "./heard.mjs";
import {shots} from "./shots.mjs";
import {widget} from "./widget.mjs";
import {look, next, over, play, until} from "./player.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [build, ...chosen] = process.argv.slice(2);
const sizes = [[360, 640], [390, 844], [844, 390], [768, 1024], [1440, 900]];

function expect(holds, what) {
    if (!holds) throw new Error(what);
}

/* In the page: what a finger can miss or the eye cannot reach; null while cards travel, as what moves is nowhere yet (the rings
   of goals, which pulse for ever, are no cards). `large`: letters are twice as large, so scrolling is right. */
function measure(large) {
    if (document.getAnimations().some((a) => a.playState === "running" && a.effect.getComputedTiming().endTime < Infinity)) return null;
    const found = [];
    const page = document.documentElement;
    const seen = (e) => e.getClientRects().length > 0;
    if (page.scrollWidth > innerWidth) found.push(`wider than the screen: ${page.scrollWidth}`);
    if (!large && page.scrollHeight > innerHeight) found.push(`higher than the screen: ${page.scrollHeight}`);
    const middle = document.querySelector("#middle").getBoundingClientRect();
    for (const e of document.querySelectorAll("#field button, #stock svg")) {
        const r = e.getBoundingClientRect();
        if (seen(e) && (r.left < middle.left - 1 || r.right > middle.right + 1 || r.top < middle.top - 1 || r.bottom > middle.bottom + 1)) found.push("off the field: " + e.ariaLabel);
    }
    for (const e of document.querySelectorAll("button, input, a")) {
        const r = e.getBoundingClientRect();
        if (!seen(e) || e.ariaDisabled === "true") continue;
        const [w, h] = e.closest("#hand") ? [38.5, 83] : e.closest("#field") ? [36, 58] : [44, 44];
        if (r.width < w - 0.5 || r.height < h - 0.5) found.push(`small: ${e.ariaLabel ?? e.textContent} ${Math.round(r.width)}×${Math.round(r.height)}`);
        if (!large && (r.left < -1 || r.right > innerWidth + 1 || (!e.closest("#log, #study") && r.bottom > innerHeight + 1))) found.push("off the screen: " + (e.ariaLabel ?? e.textContent));
    }
    const cut = ["#head", "#status", "#choice button", "#start button", "#send"].flatMap((s) => [...document.querySelectorAll(s)]);
    for (const e of cut) if (seen(e) && (e.scrollWidth > e.clientWidth + 1 && e.clientWidth)) found.push("cut: " + e.textContent);
    return found;
}

/* Looks and measures at once: between a look and another a scene may come, and its cards travel. */
const faults = (person, large = false) => until("cards lie still", () => person.evaluate(measure, large));

/* The size of the screen, and the page laid out in it. */
async function sized(person, width, height) {
    await person.size(width, height);
    await person.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120)))));
}

async function named(person, text, name) {
    await until(text, () => person.evaluate((t) => [...document.querySelectorAll("button")].some((b) => b.textContent.startsWith(t) && b.getClientRects().length), text));
    if (name) await person.evaluate((n) => (document.querySelector("#name").value = n), name);
    await person.evaluate((t) => [...document.querySelectorAll("button")].find((b) => b.textContent.startsWith(t) && b.getClientRects().length).click(), text);
}

/* Opponents challenge to two rounds, or as many. */
async function short(page, rounds = 2) {
    await page.route("**/page", async (route) => {
        const answer = await route.fetch();
        const said = await answer.json();
        for (const c of said.computers) c.say += ` console ${rounds}`;
        await route.fulfill({response: answer, json: said});
    });
}

const at_table = (person) => until("a table", () => person.evaluate(() => document.body.dataset.ready === "table" && document.querySelector("#table").hidden === false));

/* Ann plays the computer; the match is a short one, since a whole one takes minutes. */
async function alone(browser, daemon, options, rounds) {
    const ann = await browser.open("", options);
    await short(ann.page, rounds);
    await ann.page.goto(daemon.url + "/");
    await named(ann, "Play the computer", "Ann");
    await until("opponents", () => ann.evaluate(() => document.querySelectorAll("#start button small").length >= 5));
    await ann.evaluate(() => document.querySelector("#start button").click());
    await at_table(ann);
    return ann;
}

const say = (person, text) => person.evaluate((t) => {
    document.querySelector("#box").value = t;
    document.querySelector("#beside form").requestSubmit();
}, text);

/* Both players let others watch. */
async function watch_link(people) {
    for (const person of people) await say(person, "/table watch");
    return until("the link", () => people[1].evaluate(() => document.querySelector("#log").textContent.match(/http\S+\/watch\/\S+/)?.[0]));
}

/* Ann opens a room, Bo follows her link and accepts. */
async function together(first, second, daemon) {
    const ann = await first.open(daemon.url + "/");
    await named(ann, "Play a friend", "Ann");
    const link = await until("a link", () => ann.evaluate(() => [...document.querySelectorAll("label")].find((l) => l.textContent.startsWith("Link"))?.querySelector("input")?.value));
    const bo = await second.open(link);
    await until("the offer", () => bo.evaluate(() => !!document.querySelector("#name") && [...document.querySelectorAll("#start button")].some((b) => b.textContent.startsWith("Accept"))));
    const lines = await bo.evaluate(() => document.querySelector("#start .offer p").innerText.trim().split("\n").length);
    expect(lines >= 3, `the lines of an offer run into one: ${lines}`);
    await named(bo, "Accept", "Bo");
    await at_table(ann);
    await at_table(bo);
    return [ann, bo];
}

/* The replay of a match that people give up, on somebody's own site: stepped by keyboard, checked, and nothing else. */
async function study_framed(browser, people) {
    for (let i = 0; i < 2; i++) await say(people[0], "/resign");
    const link = await until("the replay's link", () => people[1].evaluate(() => document.querySelector("#log").textContent.match(/http\S+\/replay\/[\w-]+#[\w-]{22}/)?.[0]));
    const eye = await framed(browser, "https://club.example", link);
    const shown = () => eye.evaluate(() => ({at: document.querySelector("#count")?.textContent ?? "", hands: document.querySelectorAll("#hand [data-card], .shown [data-card]").length, fair: document.querySelector("#fair")?.dataset.good}));
    await until("the replay", async () => (await shown()).at.startsWith("0 / "));
    expect((await shown()).hands === 16, "two hands are open");
    await eye.evaluate(() => document.querySelector("#step-on").focus());
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await eye.page.keyboard.press(key);
    await until("a step", async () => (await shown()).at.startsWith("1 / "));
    await until("the shuffles are checked", async () => (await shown()).fair === "true");
    const ways = await eye.evaluate(() => [...document.querySelectorAll("button, input, a")].filter((b) => b.getClientRects().length && b.getAttribute("aria-disabled") !== "true" && !b.closest("#track, #steps .row, #study, #chat-open")).map((b) => b.id || b.textContent));
    expect(ways.length === 0, `ways out of the frame: ${ways}`);
    if (process.env.SHOTS) await eye.shot(process.env.SHOTS + "/site-replay.png");
    expect(eye.errors.length === 0, eye.errors.join("; "));
    await eye.close();
}

const stories = {
    ...frames,
    ...chats,
    ...shots,
    ...widget,
    ...apps,

    /* Two browsers, a whole match; no byte that one gets names a card that the other holds. */
    async two(daemon) {
        const browser = await chromium();
        try {
            const open = browser.open;
            browser.open = async (url) => {
                const person = await open("");
                await person.page.addInitScript(listen);
                await person.page.goto(url);
                return person;
            };
            const people = await together(browser, browser, daemon);
            const said = await play(people, {idle: 60});
            const compared = await secret(people);
            expect(!people.some((p) => p.errors.length), "errors in the page: " + people.flatMap((p) => p.errors).slice(0, 3));
            return `${said} sentences, ${compared} scenes compared`;
        } finally {
            await browser.close();
        }
    },

    /* The keyboard alone: digits tap cards and choices, arrows and Enter take from the field, Tab reaches the rest. */
    async keyboard(daemon) {
        const browser = await chromium();
        try {
            const ann = await browser.open("");
            const {keyboard} = ann.page;
            await short(ann.page);
            await ann.page.goto(daemon.url + "/");
            const focused = () => ann.evaluate(() => (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim());
            const tab_to = async (start) => {
                for (let i = 0; i < 60; i++) {
                    if ((await focused()).startsWith(start)) return;
                    await keyboard.press("Tab");
                }
                throw new Error("Tab does not reach " + start);
            };
            await until("the start", () => ann.evaluate(() => document.body.dataset.ready === "start"));
            await tab_to("Play the computer");
            await keyboard.press("Enter");
            await until("opponents", () => ann.evaluate(() => document.querySelectorAll("#start button small").length >= 5));
            await keyboard.press("Enter");
            await at_table(ann);
            let moves = 0;
            for (let last = Date.now(), before = ""; ;) {
                const view = await ann.evaluate(look);
                if (over(view)) break;
                if (view.text !== before) last = Date.now();
                before = view.text;
                expect(Date.now() - last < 40000, "nothing changes: " + view.text.slice(0, 300));
                const tap = next(view);
                const pressed = async () => {
                    await keyboard.press("Enter");
                    await until("an answer", async () => (await ann.evaluate(look)).text !== view.text, 10);
                };
                if (!tap) await new Promise((done) => setTimeout(done, 50));
                else if (!tap.list) {
                    await tab_to(tap.name.slice(0, 4));
                    await pressed();
                } else if (tap.list === "Your hand") {
                    await keyboard.press(String(1 + view.hand.findIndex((b) => b.name === tap.name)));
                    moves++;
                } else {
                    await keyboard.press("ArrowUp");
                    for (let i = 0; i < 14 && (await focused()) !== tap.name; i++) await keyboard.press("ArrowRight");
                    if ((await focused()) !== tap.name) await tab_to(tap.name);
                    await pressed();
                }
            }
            return `${moves} cards`;
        } finally {
            await browser.close();
        }
    },

    /* The accessibility tree alone: what playwright's snapshot of it says, and the sentences of the live region. */
    async tree(daemon) {
        const browser = await chromium();
        try {
            const ann = await alone(browser, daemon);
            const {page} = ann;
            await page.evaluate(() => {
                window.spoken = [];
                new MutationObserver(() => window.spoken.push(document.querySelector("[role=status]").textContent)).observe(document.querySelector("[role=status]"), {childList: true, subtree: true, characterData: true});
            });
            const part = (snapshot, head) => (snapshot.split(new RegExp(`^ *- ${head}:$`, "m"))[1] ?? "").split("\n").slice(1);
            const buttons = (lines) => {
                const found = [];
                for (const line of lines) {
                    const [, name, rest] = /- '?button "([^"]*)"(.*)/.exec(line) ?? [];
                    if (name) found.push({name, off: /\[disabled\]/.test(rest), on: /\[pressed\]/.test(rest)});
                    else if (!/listitem|img/.test(line)) break;
                }
                return found;
            };
            let before = "";
            let moves = 0;
            for (let last = Date.now(); ;) {
                const snapshot = await page.getByRole("main").ariaSnapshot();
                if (snapshot !== before) last = Date.now();
                before = snapshot;
                expect(Date.now() - last < 40000, "nothing changes: " + snapshot);
                const loose = [...snapshot.matchAll(/- '?button "([^"]*)"/g)].map((m) => ({name: m[1]}));
                const view = {hand: buttons(part(snapshot, 'list "Your hand"')), field: buttons(part(snapshot, 'list "Field"')), others: loose, mine: /Your move/.test(snapshot)};
                if (over(view)) break;
                const tap = next(view);
                if (!tap) await new Promise((done) => setTimeout(done, 60));
                else {
                    const root = tap.list ? page.getByRole("list", {name: tap.list}) : page.getByRole("main");
                    await root.getByRole("button", {name: tap.name, exact: true}).first().click({timeout: 5000, force: true}).catch(() => {});
                    moves++;
                }
            }
            const spoken = (await page.evaluate(() => window.spoken)).filter(Boolean);
            /* a move of Ann's is two taps at most, and each player's is said */
            const plays = spoken.filter((s) => / (plays|played|lays|laid) /.test(s));
            expect(plays.length * 4 >= moves, `expected the live region to say the moves of ${moves} taps, got ${plays.length}`);
            expect(spoken.some((s) => /wins match|is a draw/.test(s)), "expected the live region to say how the match ended; last: " + spoken.at(-1));
            return `${moves} taps, ${plays.length} moves said`;
        } finally {
            await browser.close();
        }
    },

    /* axe-core over every view, dark and light; nothing scrolls, hides or is too small to tap. */
    async views(daemon) {
        const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
        const browser = await chromium();
        const found = [];
        let views = 0;
        const shots = process.env.SHOTS;
        const check = async (person, view, scheme) => {
            views++;
            await person.page.evaluate(axe);
            const {violations} = await person.page.evaluate(() => window.axe.run(document, {resultTypes: ["violations"]}));
            for (const v of violations) found.push(`${view} ${scheme}: ${v.id} ${v.nodes[0].html.slice(0, 120)}`);
            for (const [width, height] of sizes) {
                await sized(person, width, height);
                for (const fault of await faults(person)) found.push(`${view} ${width}×${height}: ${fault}`);
                if (shots) await person.shot(`${shots}/${view}-${scheme}-${width}.png`);
            }
            await person.size(390, 844);
        };
        try {
            const met = new Set();
            for (const colorScheme of ["dark", "light"]) {
                const kinds = new Set();
                const options = {colorScheme, bypassCSP: true};
                const bo = await browser.open(daemon.url + "/", options);
                await until("the start", () => bo.evaluate(() => document.body.dataset.ready === "start"));
                await check(bo, "start", colorScheme);
                await named(bo, "Play the computer");
                await check(bo, "opponents", colorScheme);
                const ann = await alone(browser, daemon, options, 4);
                await play([ann], {
                    turns: 400,
                    each: async (person, taps, view) => {
                        const kind = view.others.some((b) => b.name.startsWith("Stop")) ? "decide" : view.others.some((b) => b.name.startsWith("Ready")) ? "ready" : view.hand.some((b) => b.on) ? "picked" : view.field.some((b) => !b.off) ? "draw" : "hand";
                        if (kinds.has(kind)) return;
                        met.add(kind);
                        kinds.add(kind);
                        await check(person, kind, colorScheme);
                    },
                });
                if (over(await ann.evaluate(look))) await check(ann, "over", colorScheme);
                await ann.evaluate(() => document.querySelector("#chat-open").click());
                await check(ann, "chat", colorScheme);
                await ann.evaluate(() => document.querySelector("#chat-close").click());
                await ann.evaluate(() => document.querySelector("#menu-open").click());
                await check(ann, "menu", colorScheme);
                await ann.page.keyboard.press("Escape");
                await ann.evaluate(() => (document.documentElement.style.fontSize = "200%"));
                for (const fault of await faults(ann, true)) found.push("letters twice as large: " + fault);
                await bo.close();
                await ann.close();
            }
            for (const kind of ["hand", "picked", "decide", "ready"]) expect(met.has(kind), "the matches had no view " + kind);
            expect(!found.length, [...new Set(found)].slice(0, 12).join("\n        "));
            return `${views} views`;
        } finally {
            await browser.close();
        }
    },

    /* Cards travel for 260 ms and a next scene ends that; with reduced motion none does. */
    async motion(daemon) {
        const browser = await chromium();
        try {
            for (const reducedMotion of ["no-preference", "reduce"]) {
                const ann = await alone(browser, daemon, {reducedMotion});
                await ann.evaluate(() => {
                    window.flights = [];
                    const animate = Element.prototype.animate;
                    Element.prototype.animate = function (...what) {
                        window.flights.push({card: this.dataset.card, ms: what[1].duration});
                        return animate.apply(this, what);
                    };
                });
                await play([ann], {turns: 8});
                const flights = await ann.evaluate(() => window.flights);
                if (reducedMotion === "reduce") expect(!flights.length, `expected no card to travel, got ${flights.length}`);
                else expect(flights.length && flights.every((f) => f.card && f.ms === 260), "expected cards to travel 260 ms: " + JSON.stringify(flights.slice(0, 3)));
                await ann.close();
            }
        } finally {
            await browser.close();
        }
    },

    /* Budget of the first table: 64 KB over the wire and seven requests at most. */
    async budget(daemon) {
        const browser = await chromium();
        try {
            const first = await alone(browser, daemon);
            const url = first.url();
            const state = await first.context.storageState();
            await first.close();
            const again = await browser.open("", {storageState: state});
            const wire = await again.context.newCDPSession(again.page);
            await wire.send("Network.enable");
            const asked = new Map();
            let bytes = 0;
            wire.on("Network.requestWillBeSent", (e) => e.request.url.startsWith("http") && asked.set(e.requestId, e.request.url));
            wire.on("Network.dataReceived", (e) => (bytes += e.encodedDataLength));
            await again.page.goto(url);
            await at_table(again);
            await new Promise((done) => setTimeout(done, 500));
            const foreign = [...asked.values()].filter((a) => !a.startsWith(daemon.url));
            expect(!foreign.length, "asks elsewhere: " + foreign);
            expect(asked.size <= 7, `expected 7 requests, got ${asked.size}: ${[...asked.values()].join(" ")}`);
            expect(bytes <= 65536, `expected 64 KB, got ${bytes}`);
            const told = `${asked.size} requests, ${bytes} bytes`;
            await wire.send("Network.clearBrowserCache");
            await again.close();
            const slow = await browser.open("", {storageState: state});
            const slower = await slow.context.newCDPSession(slow.page);
            await slower.send("Network.emulateNetworkConditions", {offline: false, latency: 100, downloadThroughput: 125000, uploadThroughput: 125000});
            await slower.send("Emulation.setCPUThrottlingRate", {rate: 4});
            const begun = Date.now();
            await slow.page.goto(url, {waitUntil: "commit"});
            await at_table(slow);
            return `${told}; at 1 Mbit/s, 100 ms and a fourth of the processor drawn in ${Date.now() - begun} ms`;
        } finally {
            await browser.close();
        }
    },

    /* The line is cut at every tap for a moment: the press is repeated and counts once. */
    async cut(daemon) {
        const browser = await chromium();
        try {
            const ann = await alone(browser, daemon);
            const said = await play([ann], {
                turns: 60,
                each: async (person, taps) => {
                    if (taps % 2) return;
                    await person.context.setOffline(true);
                    setTimeout(() => person.context.setOffline(false).catch(() => {}), 250);
                },
            });
            expect(said > 8, `expected the match to go on, got ${said} sentences`);
            return `${said} sentences`;
        } finally {
            await browser.close();
        }
    },

    /* kill -9 at taps: the page finds the daemon again and the match goes on where it was. */
    async killed(daemon) {
        const browser = await chromium();
        try {
            const ann = await alone(browser, daemon);
            let kills = 0;
            let started = null;
            const said = await play([ann], {
                turns: 40,
                each: async (person, taps) => {
                    if (taps % 5 !== 3) return;
                    kills++;
                    await started;
                    await daemon.kill();
                    started = new Promise((done) => setTimeout(done, 100)).then(daemon.start);
                },
            });
            await started;
            expect(said > 8, `expected the match to go on, got ${said} sentences`);
            return `${kills} kills, ${said} sentences`;
        } finally {
            await browser.close();
        }
    },

    /* The same at every step, by a browser without a screen, which knows each press that it sent. */
    steps: () => execFileSync("python3", ["tests/networks/web/steps.py", build + "/koikoi"], {encoding: "utf8", timeout: 600000}).trim(),

    /* Eight tabs at one address: every one loads and shows each move, and one that is hidden has no stream. */
    async tabs(daemon) {
        const browser = await chromium();
        try {
            const ann = await alone(browser, daemon);
            const tabs = [ann.page];
            for (let i = 1; i < 8; i++) {
                const tab = await ann.context.newPage();
                await tab.goto(ann.page.url());
                await until(`tab ${i + 1}`, () => tab.evaluate(() => document.body.dataset.ready === "table"));
                tabs.push(tab);
            }
            await play([ann], {turns: 6});
            const said = await until("your move", () => ann.evaluate(() => /Your move/.test(document.querySelector("#turn").textContent) && document.querySelector("#field").textContent.length >= 0 && document.querySelector("#say").textContent));
            for (const [i, tab] of tabs.entries()) await until(`tab ${i + 1} shows it`, () => tab.evaluate((s) => document.querySelector("#say").textContent === s, said));
        } finally {
            await browser.close();
        }
    },

    /* A finished match stepped through by keyboard; its shuffles are checked here, and a forged record is found out. */
    async replay(daemon) {
        const browser = await chromium();
        try {
            const ann = await alone(browser, daemon);
            await play([ann]);
            await named(ann, "Replay");
            const shown = () => ann.evaluate(() => ({at: document.querySelector("#count")?.textContent, hands: [...document.querySelectorAll("#hand [data-card], .shown [data-card]")].map((e) => e.dataset.card), fair: document.querySelector("#fair")?.dataset.good, said: document.querySelector("#say").textContent}));
            await until("the replay", async () => (await shown()).at?.startsWith("0 / "));
            expect(new Set((await shown()).hands).size === 16, "two hands of eight are open");
            const keys = async (...list) => {
                for (const key of list) await ann.page.keyboard.press(key);
                return shown();
            };
            const third = await keys("ArrowRight", "ArrowRight", "ArrowRight");
            expect(third.at.startsWith("3 / "), `three steps on: ${third.at}`);
            expect((await keys("ArrowLeft")).at.startsWith("2 / "), "one back");
            const [last, of] = (await keys("End")).at.split(" / ");
            expect(last === of && Number(of) > 8, "the end");
            expect(/wins match|is a draw/.test((await shown()).said), "the end is said");
            expect((await keys("Home")).at.startsWith("0 / "), "the beginning");
            await until("the shuffles are checked", async () => (await shown()).fair === "true");
            await until("the review", () => ann.evaluate(() => document.querySelectorAll("#curve polyline").length === 1), 120);
            for (const [w, h] of sizes) {
                await sized(ann, w, h);
                const found = (await faults(ann)).filter((f) => !/^small: (Best|Costliest)/.test(f));
                expect(found.length === 0, `${w}×${h}: ${found.join("; ")}`);
                if (process.env.SHOTS) await ann.shot(`${process.env.SHOTS}/replay-${w}.png`);
            }
            const url = ann.page.url();
            for (const [what, forge] of [["two cards change places", (r) => r.replace(/("stock":\[)("\w+"),("\w+")/, "$1$3,$2")], ["another seed", (r) => r.replace(/("round_end".*"server_seed":")../, "$1zz")]]) {
                const other = await browser.open();
                await other.page.route("**/record", async (route) => {
                    const answer = await route.fetch();
                    await route.fulfill({response: answer, body: forge(await answer.text())});
                });
                await other.page.goto(url);
                await until(`${what} is found out`, () => other.evaluate(() => document.querySelector("#fair")?.dataset.good === "false"));
                await other.close();
            }
            const wrong = await browser.open(url.replace(/#.*/, "#" + "A".repeat(22)));
            await until("a wrong secret", () => wrong.evaluate(() => /no longer works/.test(document.querySelector("#start").textContent)));
            expect(ann.errors.length === 0, ann.errors.join("; "));
            return `${of} steps`;
        } finally {
            await browser.close();
        }
    },

    /* A third person watches by link: no hand, nothing to tap, the line lost and back; told to go when it is switched off. */
    async watch(daemon) {
        const browser = await chromium();
        try {
            const people = await together(browser, browser, daemon);
            const link = await watch_link(people);
            const eye = await browser.open(link);
            await at_table(eye);
            const seen = () => eye.evaluate(() => ({hand: document.querySelectorAll("#hand li").length, acts: document.querySelectorAll("#choice button, #acts button").length, backs: document.querySelectorAll(".backs svg").length, said: document.querySelector("#say").textContent, chat: document.querySelector("#beside").getClientRects().length}));
            const first = await seen();
            expect(first.hand === 0 && first.acts === 0 && first.chat === 0 && first.backs >= 14, JSON.stringify(first));
            for (let i = 0; i < 12; i++) {
                await play(people, {turns: 3});
                for (const [w, h] of sizes.slice(0, 3)) {
                    await sized(eye, w, h);
                    const found = await faults(eye);
                    expect(found.length === 0, `${w}×${h}: ${found.join("; ")}`);
                }
            }
            await until("the moves", async () => (await seen()).said !== first.said);
            await eye.context.setOffline(true);
            const before = (await seen()).said;
            await play(people, {turns: 2});
            await eye.context.setOffline(false);
            await until("the line is back", async () => (await seen()).said !== before, 60);
            for (const [w, h] of sizes) {
                await sized(eye, w, h);
                const found = await faults(eye);
                expect(found.length === 0, `${w}×${h}: ${found.join("; ")}`);
                if (process.env.SHOTS) await eye.shot(`${process.env.SHOTS}/watch-${w}.png`);
            }
            await say(people[0], "/table off");
            await until("told to go", () => eye.evaluate(() => document.querySelector("#table").hidden && /switched off/.test(document.querySelector("#note").textContent)));
        } finally {
            await browser.close();
        }
    },

    /* A match on somebody's own site, in a frame without cookies: watched there, and nothing else; a strange site shows none. */
    async site(daemon) {
        const browser = await chromium({frames: true});
        try {
            const people = await together(browser, browser, daemon);
            const link = await watch_link(people);
            const eye = await framed(browser, "https://club.example", link);
            await at_table(eye);
            expect((await eye.context.cookies(daemon.url)).length === 0, "a frame needs no cookie");
            const before = await eye.evaluate(() => document.querySelector("#say").textContent);
            await play(people, {turns: 4});
            await until("the moves", async () => (await eye.evaluate(() => document.querySelector("#say").textContent)) !== before);
            const ways = await eye.evaluate(() => [...document.querySelectorAll("button, input, a")].filter((b) => b.getClientRects().length && b.getAttribute("aria-disabled") !== "true").length);
            expect(ways === 0, `${ways} ways to the rest`);
            if (process.env.SHOTS) await eye.shot(process.env.SHOTS + "/site.png");
            await say(people[0], "/table off");
            await until("told to go", () => eye.evaluate(() => document.querySelector("#table").hidden && /switched off/.test(document.querySelector("#start").textContent)));
            expect(eye.page.url() === "https://club.example/", "the site stays where it is");
            await study_framed(browser, people);
            for (const [site, src] of [["https://thief.example", link], ["https://club.example", daemon.url + "/"]]) {
                const none = await framed(browser, site, src, 3).catch(() => null);
                expect(!none || !(await none.evaluate(() => document.body.dataset.ready).catch(() => null)), `${site} frames ${src}`);
            }
        } finally {
            await browser.close();
        }
    },

    /* A puzzle that somebody was sent: answered by keyboard at a phone's size, without an account; the next one's solution is read. */
    async puzzle(daemon) {
        const browser = await chromium();
        try {
            const ann = await browser.open(daemon.url + "/");
            await named(ann, "Learn", "Ann");
            await say(ann, "/puzzle");
            const link = await until("the link", () => ann.evaluate(() => document.querySelector("#log").textContent.match(/http\S+\/puzzle\/\d+-[\w-]{11}/)?.[0]));
            for (const colorScheme of ["dark", "light"]) {
                const friend = await browser.open(link, {viewport: {width: 360, height: 640}, colorScheme});
                const said = () => friend.evaluate(() => document.querySelector("#say").textContent);
                const answer = async () => {
                    await at_table(friend);
                    if (process.env.SHOTS) await friend.shot(`${process.env.SHOTS}/puzzle-${colorScheme}.png`);
                    const answered = () => friend.evaluate(() => /Another one/.test(document.querySelector("#choice").textContent));
                    await until("an answer", async () => {
                        if (await answered()) return true;
                        await friend.page.keyboard.press("1");
                        await friend.evaluate(() => document.querySelector("#field .goal, #field .lay")?.click());
                        await new Promise((done) => setTimeout(done, 1000));
                        return answered();
                    });
                };
                await answer();
                expect(/The solution comes with the next puzzle/.test(await said()), await said());
                await friend.page.reload();
                await until("the answer is kept", async () => /Your answer/.test(await said()));
                await named(friend, "Another one");
                await until("another", async () => friend.page.url() !== link && /^(?!.*Your answer)./.test(await said()));
                await answer();
                expect(/%/.test(await said()) && /You (found|chose)/.test(await said()), await said());
                const found = await faults(friend);
                expect(found.length === 0, found.join("; "));
                expect(await friend.evaluate(() => document.querySelector("#say").scrollHeight <= document.querySelector("#say").clientHeight + 1), "the solution is cut");
                if (process.env.SHOTS) await friend.shot(`${process.env.SHOTS}/puzzle-solved-${colorScheme}.png`);
                expect(friend.errors.length === 0, friend.errors.join("; "));
                await friend.close();
            }
        } finally {
            await browser.close();
        }
    },

    /* nginx and caddy, set up as the page of the pages says, pass a stream, presses and a long silence. */
    proxies() {
        const said = execFileSync("python3", ["tests/networks/web/proxies.py", build + "/koikoi"], {encoding: "utf8", timeout: 120000});
        return said.trim().replace(/\s*\n\s*ok\s*/g, "; ").replace(/^ok\s*/, "");
    },

    /* Firefox against WebKit: a whole match. */
    async engines(daemon) {
        const [one, two] = [await firefox(), await webkit()];
        try {
            const people = await together(one, two, daemon);
            const shots = process.env.SHOTS;
            let shot = 0;
            const said = await play(people, {
                idle: 90,
                each: async (person, t) => {
                    if (shots && t % 40 === 10) await person.shot(`${shots}/engine-${shot++}.png`);
                },
            });
            return `${said} sentences`;
        } finally {
            await one.close();
            await two.close();
        }
    },
};

Object.assign(stories, asleep(together));
stories.site.options = {KOIKOI_WEB_FRAMES: "https://club.example"};

let passed = 0;
const failures = [];
for (const name of chosen.length ? chosen : Object.keys(stories)) {
    const begun = Date.now();
    let daemon = null;
    let beside = null;
    try {
        const {network, peers} = stories[name];
        beside = network ? await networks(here, network) : peers ? await far(peers) : null;
        daemon = await begin(build, {...beside?.env, ...stories[name].options});
        const more = await stories[name](daemon, beside, build);
        await daemon.end();
        passed++;
        console.log(`  ok    ${name}${more ? ": " + more : ""} (${Math.round((Date.now() - begun) / 1000)} s)`);
    } catch (failure) {
        failures.push(name);
        console.log(`  FAIL  ${name}: ${failure.message}`);
        console.log(daemon?.log().split("\n").slice(-6).join("\n") ?? "");
        await daemon?.kill().catch(() => {});
    } finally {
        beside?.end();
    }
}
console.log(`[  PASSED  ] ${passed} test(s).`);
if (failures.length) console.log(`[  FAILED  ] ${failures.length} test(s)\nonce more: ${failures.join(" ")}`);
process.exit(failures.length ? 1 : 0);
