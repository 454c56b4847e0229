/* Stories of the page as a widget: the library that Element shows widgets with is the host, in a page of another site whose
   frames have no cookies. The homeserver is that of tests/web/networks.py. */
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {framed} from "./frames.mjs";
import {play, until} from "./player.mjs";

export const ORIGIN = "https://element.example";
const library = createRequire(import.meta.url).resolve("matrix-widget-api/dist/api.min.js");

function expect(holds, what) {
    if (!holds) throw new Error(what);
}

/* The client: `openid` is what it gives a widget that asks, after asking its user; null: the user says no. */
const client = (src, openid) => `${readFileSync(library, "utf8")}
const said = [];
const {ClientWidgetApi, Widget, WidgetDriver} = mxwidgets();
class Driver extends WidgetDriver {
    validateCapabilities(wanted) {
        said.push(["capabilities", [...wanted]]);
        return Promise.resolve(new Set());
    }
    askOpenID(observer) {
        said.push(["openid", {}]);
        observer.update({state: "request"});
        const token = ${JSON.stringify(openid)};
        setTimeout(() => observer.update(token ? {state: "allowed", token} : {state: "blocked"}), 200);
    }
}
const frame = document.getElementById("app");
const api = new ClientWidgetApi(new Widget({id: "koikoi", creatorUserId: "@koi:hs.test", type: "m.custom", url: ${JSON.stringify(src)}, waitForIframeLoad: true}), frame, new Driver());
api.on("ready", () => said.push(["ready", {}]));
api.on("error:preparing", (e) => said.push(["failed", String(e)]));`;

/* The widget beside the room, of the person whose token it is given. */
export const beside = async (browser, daemon, matrix, openid) => {
    const src = `${daemon.url}/app/matrix?chat=${encodeURIComponent("!tea:hs.test")}`;
    return framed(browser, ORIGIN, src, 20, client(src, openid && JSON.parse(openid)));
};
const text = (page) => page.evaluate(() => document.querySelector("#start")?.textContent ?? "");

export const widget = {
    /* Ann opens the table beside the room, writes the code it shows, and plays; another's token opens nothing. */
    async widget(daemon, matrix) {
        const browser = await import("./engines.mjs").then((e) => e.chromium({frames: true}));
        const ann = "@ann:hs.test";
        try {
            await matrix.ask("say", ann, "!koi challenge mei 3");
            await matrix.ask("say", ann, "!koi accept");
            await matrix.ask("hears", "Ann to move");
            const page = await beside(browser, daemon, matrix, await matrix.ask("openid", ann));
            const code = await until("a code", async () => /!koi widget [0-9]{6}/.exec(await text(page))?.[0]);
            expect((await page.said("ready")).length === 1 && (await page.said("failed")).length === 0, "the host is content");
            expect((await page.said("capabilities"))[0].length === 0, "the page wants nothing of the client");
            expect(await page.evaluate(() => !document.querySelector("#hand").children.length), "a card before the code");
            if (process.env.SHOTS) await page.shot(process.env.SHOTS + "/widget-code.png");
            await matrix.ask("say", ann, code);
            await until("the table", () => page.evaluate(() => document.body.dataset.ready === "table"));
            await play([page], {turns: 3});
            expect((await page.context.cookies(daemon.url)).length === 0, "a frame needs no cookie");
            if (process.env.SHOTS) await page.shot(process.env.SHOTS + "/widget.png");
            /* The same window once more: it is known. */
            await page.page.reload();
            const again = await until("the frame", () => page.page.frames().find((f) => f.parentFrame() && f.url().startsWith("http")));
            await until("the table again", () => again.evaluate(() => document.body.dataset.ready === "table").catch(() => false));
            expect(page.errors.length === 0, page.errors.join("; "));
            await page.close();
            for (const [why, openid] of [["the user says no", null], ["a token of nobody", JSON.stringify({...JSON.parse(await matrix.ask("openid", ann)), access_token: "forged"})], ["of a server that is not allowed", await matrix.ask("openid", "@ann:elsewhere.test")]]) {
                const no = await beside(browser, daemon, matrix, openid);
                await until(why, async () => /Open the table again/.test(await text(no)));
                expect(await no.evaluate(() => !document.querySelector("#hand").children.length), why);
                await no.close();
            }
            /* Ann's token in the hands of another widget's owner: a code that only Ann can write. */
            const eve = await beside(browser, daemon, matrix, await matrix.ask("openid", ann));
            const other = await until("a code", async () => /!koi widget [0-9]{6}/.exec(await text(eve))?.[0]);
            await matrix.ask("say", "@eve:hs.test", other);
            await matrix.ask("hears", "No table of yours");
            await new Promise((done) => setTimeout(done, 3000));
            expect(await eve.evaluate(() => !document.querySelector("#hand").children.length), "a token that was passed on");
            await eve.close();
        } finally {
            await browser.close();
        }
    },
};
widget.widget.network = "matrix";
widget.widget.options = {KOIKOI_WEB_FRAMES: ORIGIN};
