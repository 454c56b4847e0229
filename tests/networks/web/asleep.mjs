/* A laptop asleep: its browser is stopped with all its processes, and time passes. Meanwhile its owner moves by another
   device, the other player answers, and the daemon is restarted once. Awake again the page has an old table on its screen,
   and a press from it that is an hour old.

   The hour passes by the daemon's clock, which is moved; ASLEEP=3600 waits as many seconds instead. */
import {execFileSync} from "node:child_process";
import {existsSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {chromium} from "./engines.mjs";
import {look, next, play, until} from "./player.mjs";

const HOUR_S = 3600;
const waits_s = Number(process.env.ASLEEP ?? 0);

/* Moves the daemon's clock, the monotonic one too. */
const clock = join(tmpdir(), `koikoi-clock-${process.pid}`);
const library = readdirSync("/usr/lib").map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`).find(existsSync);
const ahead = (seconds) => writeFileSync(clock, `+${seconds}`);

/* Browsers that were started here: each leads a group of processes. */
const browsers = () => execFileSync("sh", ["-c", `pgrep -P ${process.pid} -f chromium || true`], {encoding: "utf8"}).split("\n").filter(Boolean).map(Number);

/* The same person on another device: the cookie of the page, and what it would send. */
async function device(daemon, person) {
    const cookies = await person.context.cookies(daemon.url);
    const headers = {Cookie: cookies.map((c) => `${c.name}=${c.value}`).join("; "), "Content-Type": "application/json", "Accept-Language": "en"};
    const t = Number(person.url().match(/\/t\/(\d+)/)[1]);
    /* once more where the hour has ended a connection that was kept */
    const ask = (path, options) => fetch(daemon.url + path, {headers, ...options}).catch(() => fetch(daemon.url + path, {headers, ...options}));
    const get = async (path) => (await ask(path)).json();
    return {
        scene: () => get("/scene?t=" + t),
        async press(press) {
            const {token} = await get("/page");
            const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
            const answer = await ask("/press", {method: "POST", body: JSON.stringify({token, id, press, t})});
            return (await answer.json()).scene;
        },
    };
}

/* In the page: the version of the scene on the screen. */
const version = async () => (await import(new URL("table.js", document.querySelector("script[type=module]").src))).table_version();

/* All that changes the table. */
const presses = (scene) => [...[scene.drawn, ...scene.hand].flatMap((c) => c?.moves ?? []), ...scene.buttons.filter((b) => b.style !== "quiet")].map((m) => m.press);

export function asleep(together) {
    const story = async (daemon) => {
        if (!library) throw new Error("faketime: not found");
        const before = new Set(browsers());
        const one = await chromium();
        const [laptop] = browsers().filter((pid) => !before.has(pid));
        const two = await chromium();
        try {
            const [ann, bo] = await together(one, two, daemon);
            /* her own presses on the way, which would move the table after it was looked at */
            let sent = 0;
            ann.page.on("request", (r) => (sent += r.method() === "POST"));
            for (const end of ["requestfinished", "requestfailed"]) ann.page.on(end, (r) => (sent -= r.method() === "POST"));
            await play([ann, bo], {turns: 5});
            const other = await device(daemon, ann);
            const told = [];
            for (const restarted of [false, true]) {
                /* till it is Ann's to play, with more than one press on her screen */
                await play([ann, bo], {choose: (list) => list[0], each: async () => {}, turns: 1});
                const old = await until("Ann is to tap", async () => {
                    const scene = next(await ann.evaluate(look)) && !sent && (await other.scene());
                    if (scene?.mine) return scene;
                    await play([bo], {turns: 1, idle: 2}).catch(() => {});
                    return null;
                });
                const stale = presses(old);
                if (!stale.length) throw new Error("nothing to press: " + JSON.stringify(old).slice(0, 300));
                process.kill(-laptop, "SIGSTOP");
                const slept = Date.now();
                const now = await other.press(stale[0]);
                if (!(now.v > old.v)) throw new Error(`the other device's press: expected a version above ${old.v}, got ${now.v}`);
                await play([bo], {turns: 1, idle: 3}).catch(() => {});
                if (restarted) {
                    await daemon.kill();
                    await daemon.start();
                }
                if (waits_s) await new Promise((done) => setTimeout(done, slept + 1000 * waits_s - Date.now()));
                else ahead(HOUR_S * (restarted ? 2 : 1));
                const {v} = await other.scene();
                process.kill(-laptop, "SIGCONT");
                const woke = Date.now();
                /* the finger is faster than the line: what the screen showed an hour ago */
                const tap = next(await ann.evaluate(look));
                if (tap) await ann.tap(tap);
                for (const press of stale) await other.press(press);
                const after = (await other.scene()).v;
                if (after !== v) throw new Error(`expected version ${v} after old presses, got ${after}`);
                await until("the page has caught up", async () => (await ann.evaluate(version)) === v);
                told.push(`${restarted ? "restarted meanwhile" : "its line kept"}: caught up after ${Date.now() - woke} ms, ${stale.length} old presses`);
            }
            for (const person of [ann, bo]) if (person.errors.length) throw new Error(person.errors.join("; "));
            await play([ann, bo], {turns: 12});
            if (!(await other.scene()).hand) throw new Error("the cookie is worth nothing any more");
            return told.join("; ");
        } finally {
            process.kill(-laptop, "SIGCONT");
            await one.close();
            await two.close();
            rmSync(clock, {force: true});
        }
    };
    if (!waits_s && library) {
        ahead(0);
        story.options = {LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: "1"};
    }
    return {asleep: story};
}
