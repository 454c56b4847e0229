/* Story of three at one table, each in an app of their own: Ann in Telegram's Mini App, Bo in Element's widget, Cleo in a tab of
   a browser. The apps are pages of other sites that frame the table, as in frames.mjs and widget.mjs. */
import {chromium} from "./engines.mjs";
import {framed, start_of, themes} from "./frames.mjs";
import {listen, secret} from "./heard.mjs";
import {look, play, until} from "./player.mjs";
import {ORIGIN, beside} from "./widget.mjs";

function expect(holds, what) {
    if (!holds) throw new Error(what);
}

const ready = (person) => until("the table", () => person.evaluate(() => document.body.dataset.ready === "table" && document.querySelectorAll("#hand li").length > 0), 60);
const shown = (person) => person.evaluate(() => document.querySelector("#start")?.textContent ?? "");

/* Cleo's challenge, taken up by its code in the group and in the room; returns the number of the table. */
async function meet(cleo, telegram, matrix) {
    await until("the start", () => cleo.evaluate(() => document.body.dataset.ready === "start"));
    await cleo.evaluate(() => {
        document.querySelector("#name").value = "Cleo";
        document.querySelector("#box").value = "/challenge code mongolopedia 3 players=3";
        document.querySelector("#beside form").requestSubmit();
    });
    const code = await until("the code", () => cleo.evaluate(() => document.querySelector("#log").textContent.match(/\b\d+-[a-km-z2-9]{8}\b/)?.[0]));
    const button = (what, holds) => until(what, async () => (await telegram.ask("buttons"))?.find(holds));
    await telegram.ask("say", 7, "Ann", "/join " + code);
    await telegram.ask("press", 7, "Ann", (await button("the offer", (b) => b.text.includes("Accept"))).callback_data, 1);
    await matrix.ask("say", "@bo:hs.test", "!koi join " + code);
    await matrix.ask("hears", "challenges");
    await matrix.ask("say", "@bo:hs.test", "!koi accept");
    return (await button("a board", (b) => b.url?.includes("startapp="))).url.split("startapp=")[1];
}

export const apps = {
    /* A whole match, with a kill -9 in the middle: all read the same end, in the page and in the chats, and no scene of one names
       a card that another holds. */
    async apps(daemon, {telegram, matrix}) {
        const browser = await chromium({frames: true});
        try {
            const cleo = await browser.open("");
            await cleo.page.addInitScript(listen);
            await cleo.page.goto(daemon.url + "/");
            const table = await meet(cleo, telegram, matrix);
            const ann = await framed(browser, "https://web.telegram.org", start_of(daemon.url, await telegram.ask("start_data", 7, "Ann", table), themes.dark));
            const bo = await beside(browser, daemon, matrix, await matrix.ask("openid", "@bo:hs.test"));
            await matrix.ask("say", "@bo:hs.test", await until("a code", async () => /!koi widget [0-9]{6}/.exec(await shown(bo))?.[0]));
            const people = [ann, bo, cleo];
            for (const person of people) await ready(person);
            let killed = 0;
            const said = await play(people, {
                idle: 90,
                each: async (_, taps) => {
                    if (taps !== 12) return;
                    killed++;
                    await daemon.kill();
                    await daemon.start();
                },
            });
            expect(killed === 1, "the match was over before a kill");
            const result = new RegExp(`(Ann|Bo|Cleo) wins match #${table}|Match #${table} is a draw`);
            const ends = [];
            for (const person of people) ends.push((await person.evaluate(look)).text.match(result)?.[0]);
            expect(ends[0] && ends.every((e) => e === ends[0]), `the ends differ: ${ends.join(", ")}`);
            await until("the group reads the end", async () => (await telegram.ask("texts"))?.some((t) => t.replace(/<[^>]*>/g, "").includes(ends[0])));
            await matrix.ask("hears", ends[0]);
            for (const app of [ann, bo]) expect((await app.context.cookies(daemon.url)).length === 0, "a frame needs no cookie");
            const compared = await secret(people);
            expect(people.every((p) => !p.errors.length), people.flatMap((p) => p.errors).join("; "));
            if (process.env.SHOTS) for (const [i, name] of ["mini-app", "widget", "tab"].entries()) await people[i].shot(`${process.env.SHOTS}/apps-${name}.png`);
            return `${ends[0]}, ${said} sentences, ${compared} scenes compared`;
        } finally {
            await browser.close();
        }
    },
};
apps.apps.network = ["telegram", "matrix"];
apps.apps.options = {KOIKOI_WEB_FRAMES: ORIGIN};
