/* Three engines behind one short interface, for the stories that each of them plays:

     const browser = await firefox();  const page = await browser.open(url);
     page.evaluate(f, x)  page.tap({list, name})  page.shot(file)  page.size(w, h)  browser.close()

   chromium by playwright-core, Firefox by puppeteer-core (WebDriver BiDi), WebKitGTK by WebDriver. */
import {spawn} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {chromium as playwright} from "playwright-core";
import puppeteer from "puppeteer-core";
import {click} from "./player.mjs";

/* With `frames` pages of other sites, made up by the test, may frame those of this machine, and their cookies are blocked. */
export async function chromium({frames = false} = {}) {
    const more = frames ? ["--disable-features=LocalNetworkAccessChecks", "--test-third-party-cookie-phaseout"] : [];
    const browser = await playwright.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", ...more]});
    return {
        browser,
        name: "chromium",
        async open(url, options = {}) {
            const context = await browser.newContext({locale: "en-GB", viewport: {width: 390, height: 844}, ...options});
            const page = await context.newPage();
            const errors = [];
            page.on("pageerror", (e) => errors.push(e.message));
            page.on("console", (m) => m.type() === "error" && !/ERR_|Failed to load/.test(m.text()) && errors.push(m.text()));
            if (url) await page.goto(url);
            return {
                page, context, errors,
                evaluate: (f, x) => page.evaluate(f, x),
                tap: (what) => page.evaluate(click, what),
                shot: (path) => page.screenshot({path}),
                size: (width, height) => page.setViewportSize({width, height}),
                url: () => page.url(),
                close: () => context.close(),
            };
        },
        close: () => browser.close(),
    };
}

/* `dark` is of all its pages, and `still`: their reader wants no motion. */
export async function firefox({dark = false, still = false} = {}) {
    const browser = await puppeteer.launch({browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, extraPrefsFirefox: {"intl.accept_languages": "en", "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1, "ui.prefersReducedMotion": Number(still)}});
    return {
        name: "firefox",
        async open(url) {
            const context = await browser.createBrowserContext();
            const page = await context.newPage();
            await page.setViewport({width: 390, height: 844});
            await page.goto(url);
            return {
                errors: [],
                evaluate: (f, x) => page.evaluate(f, x),
                tap: (what) => page.evaluate(click, what),
                shot: (path) => page.screenshot({path}),
                size: (width, height) => page.setViewport({width, height}),
                close: () => context.close(),
            };
        },
        close: () => browser.close(),
    };
}

/* WebKitGTK's MiniBrowser; one session a page, since a session has one set of cookies. Its window is 447 wide at least: a page
   that is `framed` stands in the only frame of its host page, which is as small as wanted. `dark` and `still` as above: they are settings of GTK. */
export async function webkit({dark = false, still = false} = {}) {
    const settings = mkdtempSync(join(tmpdir(), "koikoi-gtk-"));
    mkdirSync(join(settings, "gtk-3.0"));
    writeFileSync(join(settings, "gtk-3.0/settings.ini"), `[Settings]\ngtk-enable-animations=${!still}\n`);
    const port = await new Promise((found) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const {port} = server.address();
            server.close(() => found(port));
        });
    });
    const driver = spawn("xvfb-run", ["-a", "-s", "-screen 0 1600x1200x24", "WebKitWebDriver", "--port=" + port], {detached: true, stdio: "ignore", env: {...process.env, LIBGL_ALWAYS_SOFTWARE: "1", LANGUAGE: "en", LC_ALL: "C.UTF-8", XDG_CONFIG_HOME: settings, GTK_THEME: dark ? "Adwaita:dark" : "Adwaita"}});
    const ask = async (method, path, body) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {method, body: body && JSON.stringify(body)});
        const {value} = await answer.json();
        if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
        return value;
    };
    for (let i = 0; i < 100 && !(await ask("GET", "/status").catch(() => null)); i++) await new Promise((done) => setTimeout(done, 100));
    const mini = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
    const sessions = [];
    return {
        name: "webkit",
        async open(url, {framed = false} = {}) {
            const {sessionId} = await ask("POST", "/session", {capabilities: {alwaysMatch: {"webkitgtk:browserOptions": {binary: process.env.MINIBROWSER ?? mini, args: ["--automation"]}}}});
            const at = "/session/" + sessionId;
            sessions.push(at);
            await ask("POST", at + "/url", {url});
            const run = (f, x) => ask("POST", at + "/execute/sync", {script: `return (${f})(arguments[0])`, args: [x ?? null]});
            if (framed) {
                await ask("POST", at + "/window/rect", {width: 1560, height: 1160});
                await ask("POST", at + "/frame", {id: 0});
            }
            /* The frame stands in the corner of the window: what is seen of both is taken, and cut by who looks. */
            const framed_size = async (width, height) => {
                await ask("POST", at + "/frame", {id: null});
                await run(([w, h]) => Object.assign(document.querySelector("iframe").style, {width: w + "px", height: h + "px"}) && null, [width, height]);
                await ask("POST", at + "/frame", {id: 0});
            };
            return {
                errors: [],
                evaluate: run,
                tap: (what) => ask("POST", at + "/execute/sync", {script: `return (${click})(arguments[0])`, args: [what]}),
                shot: async (path) => writeFileSync(path, Buffer.from(await ask("GET", at + "/screenshot"), "base64")),
                size: (width, height) => framed ? framed_size(width, height) : ask("POST", at + "/window/rect", {width, height}),
                close: () => ask("DELETE", at).then(() => sessions.splice(sessions.indexOf(at), 1)),
            };
        },
        async close() {
            for (const at of sessions) await ask("DELETE", at).catch(() => {});
            process.kill(-driver.pid);
            rmSync(settings, {recursive: true, force: true});
        },
    };
}
