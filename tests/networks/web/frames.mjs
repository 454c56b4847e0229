/* Stories of the page in frames: a Mini App in a page that speaks Telegram's events, a watched match on somebody's own
   site. The networks beside the daemon are those of tests/web/networks.py, as a process. */
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {chromium} from "./engines.mjs";
import {listen} from "./heard.mjs";
import {click, play, until} from "./player.mjs";

function expect(holds, what) {
    if (!holds) throw new Error(what);
}

/* A network by its name in networks.py: network.env are the daemon's options; network.ask("say", 7, "Ann", "/help") calls a method of the network. */
async function network(folder, name) {
    const child = spawn("python3", [folder + "/networks.py", name], {stdio: ["pipe", "pipe", "inherit"]});
    const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
    const line = async () => JSON.parse((await lines.next()).value);
    const {env} = await line();
    let turn = Promise.resolve();
    const ask = (what, ...fields) => (turn = turn.then(() => {
        child.stdin.write(JSON.stringify({do: what, with: fields}) + "\n");
        return line();
    }));
    return {env, ask, end: () => child.kill()};
}

/* One by its name; or several, each by its name: {telegram, matrix, env, end}. */
export async function networks(folder, names) {
    if (typeof names === "string") return network(folder, names);
    const found = {};
    for (const name of names) found[name] = await network(folder, name);
    const all = Object.values(found);
    return {...found, env: Object.assign({}, ...all.map((n) => n.env)), end: () => all.forEach((n) => n.end())};
}

/* A page that frames the app; `said` is what the app has said to it. */
const host = (src, script) => `<!doctype html><title>host</title><body style="margin:0"><iframe id="app" style="border:0;width:100vw;height:100vh" src="${src.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>
<script>
${script}
</script></body>`;

/* Telegram's web client: keeps what the app says and answers what it asks for. */
const telegram_client = `
const said = [];
const app = document.getElementById("app");
function tell(eventType, eventData) { app.contentWindow.postMessage(JSON.stringify({eventType, eventData}), "*"); }
addEventListener("message", (event) => {
    if (event.source !== app.contentWindow || typeof event.data !== "string") return;
    const {eventType, eventData} = JSON.parse(event.data);
    said.push([eventType, eventData]);
    if (eventType === "web_app_request_safe_area") tell("safe_area_changed", {top: 11, bottom: 22, left: 0, right: 0});
    if (eventType === "web_app_request_content_safe_area") tell("content_safe_area_changed", {top: 33, bottom: 0, left: 0, right: 0});
    if (eventType === "web_app_request_viewport") tell("viewport_changed", {height: innerHeight, width: innerWidth, is_state_stable: true, is_expanded: true});
});`;

export const themes = {
    dark: {bg_color: "#17212b", text_color: "#f5f5f5", secondary_bg_color: "#232e3c"},
    light: {bg_color: "#ffffff", text_color: "#000000", secondary_bg_color: "#f1f1f1"},
};

export const start_of = (url, data, theme) => `${url}/app/telegram#${new URLSearchParams({tgWebAppData: data, tgWebAppVersion: "9.1", tgWebAppPlatform: "web", tgWebAppThemeParams: JSON.stringify(theme)})}`;

/* Opens `src`, in a frame of a page at `origin`, cookies of other sites blocked. */
export async function framed(browser, origin, src, seconds, script = telegram_client) {
    const eye = await browser.open("");
    await eye.page.addInitScript(listen);
    await eye.page.route(origin + "/**", (route) => route.fulfill({contentType: "text/html", body: host(src, script)}));
    await eye.page.goto(origin + "/");
    const frame = await until("the frame", () => eye.page.frames().find((f) => f !== eye.page.mainFrame() && f.url().startsWith("http")), seconds);
    const said = (kind) => eye.page.evaluate((k) => said.filter(([e]) => e === k).map(([, d]) => d), kind);
    const tell = (kind, data) => eye.page.evaluate(([k, d]) => tell(k, d), [kind, data]);
    return {...eye, frame, said, tell, evaluate: (f, x) => frame.evaluate(f, x), tap: (what) => frame.evaluate(click, what)};
}

/* A match of Ann's in the group; returns the table that its board names. */
async function table_of(telegram, person, name) {
    const buttons = async () => (await telegram.ask("buttons")) ?? [];
    await telegram.ask("say", person, name, "/challenge mei 3");
    const start = await until("an offer", async () => (await buttons()).find((b) => b.text.includes("Start")));
    await telegram.ask("press", person, name, start.callback_data, 1);
    const table = await until("a board", async () => (await buttons()).find((b) => b.url?.includes("startapp=")));
    return table.url.split("startapp=")[1];
}

const property = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const frames = {
    /* A Telegram player holds their cards in the app: theme, areas, back, taps, a move that the group sees. */
    async mini_app(daemon, telegram) {
        const browser = await chromium({frames: true});
        try {
            const table = await table_of(telegram, 7, "Ann");
            const data = await telegram.ask("start_data", 7, "Ann", table);
            const ann = await framed(browser, "https://web.telegram.org", start_of(daemon.url, data, themes.light));
            await until("the table", () => ann.evaluate(() => document.body.dataset.ready === "table"));
            expect(!ann.frame.url().includes("#"), "what proves the reader stays in the address");
            expect((await ann.page.context().cookies(daemon.url)).length === 0, "a frame needs no cookie");
            for (const kind of ["web_app_ready", "web_app_expand"]) expect((await ann.said(kind)).length === 1, kind);
            expect((await ann.said("web_app_setup_swipe_behavior"))[0].allow_vertical_swipe === false, "a swipe closes the table");
            await until("back is shown", async () => (await ann.said("web_app_setup_back_button")).at(-1)?.is_visible === true);
            await until("the safe areas", () => ann.evaluate(() => getComputedStyle(document.querySelector("#table")).paddingTop === "44px"));
            const light = await ann.evaluate(property, "--felt");
            await ann.tell("theme_changed", {theme_params: themes.dark});
            await until("the dark table", async () => (await ann.evaluate(property, "--felt")) !== light);
            expect((await ann.evaluate(property, "--paper")) === themes.dark.bg_color, "the app's own colour");
            expect((await ann.said("web_app_set_header_color")).length === 2, "the app's bar follows");
            await play([ann], {turns: 4});
            expect((await ann.said("web_app_trigger_haptic_feedback")).some((h) => h.type === "impact"), "a tap is felt");
            await until("the group sees the move", async () => ((await telegram.ask("texts")) ?? []).some((t) => /<b>Ann<\/b> (plays|lays)/.test(t)));
            if (process.env.SHOTS) await ann.shot(process.env.SHOTS + "/mini-app.png");
            await ann.tell("back_button_pressed");
            await until("the start", () => ann.evaluate(() => document.body.dataset.ready === "start" && document.querySelector("#table").hidden));
            await until("no way back from the start", async () => (await ann.said("web_app_setup_back_button")).at(-1).is_visible === false);
            await new Promise((done) => setTimeout(done, 1500));
            expect(await ann.evaluate(() => document.querySelector("#table").hidden), "the table that was left comes back");
            if (process.env.SHOTS) await ann.shot(process.env.SHOTS + "/mini-app-start.png");
            expect(ann.errors.length === 0, ann.errors.join("; "));
            await ann.close();
            /* The same once more, and another bot's: no table. */
            for (const spent of [data, (await telegram.ask("start_data", 7, "Ann", table)).replace(/hash=./, (h) => (h === "hash=0" ? "hash=1" : "hash=0"))]) {
                const again = await framed(browser, "https://web.telegram.org", start_of(daemon.url, spent, themes.dark));
                await until("a word why", () => again.evaluate(() => /Open the table again/.test(document.querySelector("#start").textContent)));
                expect(await again.evaluate(() => !document.querySelector("#hand").children.length), "no card");
                await again.close();
            }
            /* In an app on a phone: events by the proxy, answers by a function. */
            const phone = await browser.open("");
            await phone.page.addInitScript(() => {
                window.said = [];
                window.TelegramWebviewProxy = {postEvent: (kind, data) => window.said.push([kind, JSON.parse(data)])};
            });
            await phone.page.goto(start_of(daemon.url, await telegram.ask("start_data", 7, "Ann", table), themes.dark));
            await until("the table", () => phone.evaluate(() => document.body.dataset.ready === "table"));
            await phone.evaluate(() => window.Telegram.WebView.receiveEvent("safe_area_changed", {top: 7, bottom: 0, left: 0, right: 0}));
            await until("the safe area", () => phone.evaluate(() => getComputedStyle(document.querySelector("#table")).paddingTop === "7px"));
            expect(await phone.evaluate(() => window.said.some(([k]) => k === "web_app_ready")), "ready");
            await phone.close();
            /* A page of somebody else cannot frame it. */
            const thief = await framed(browser, "https://thief.example", start_of(daemon.url, await telegram.ask("start_data", 7, "Ann", table), themes.dark), 3).catch(() => null);
            expect(!thief || !(await thief.evaluate(() => document.body.dataset.ready).catch(() => null)), "a strange page frames the app");
        } finally {
            await browser.close();
        }
    },
};
frames.mini_app.network = "telegram";
