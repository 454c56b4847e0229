/* Stories of a browser against people in chats: a group on Telegram, a room on Matrix, both at one table. The networks are
   the fake ones of tests/fake; they find the challenge by its code, as people would carry it over.

   The daemon is killed in the middle: what it had answered before stands afterwards, and the match goes on. */
import {spawn} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {chromium} from "./engines.mjs";
import {free_port} from "./daemon.mjs";
import {look, play, until} from "./player.mjs";

function expect(holds, what) {
    if (!holds) throw new Error(what);
}

/* A person of a group who plays by buttons until the match is over; `never` guards their hand from the group. */
const telegram_play = (code) => `person tess 1 Tess @tess
group tea 5 "Tea room"
always tess@tea presses Ready
tess@tea> /join ${code}
within 30 tea: challenges
tess@tea presses Accept
within 60 tea: to move
repeat 900 until tea: wins match|is a draw
  try within 0 tess@tea presses again My hand
  try within 1 tess@tea presses again random but Take back| My hand|Yaku|Score|Rules|How to play|A turn|The sets|This table|More|Rematch|Verify|Give up|Decline|Accept|Open
  try within 0.4 tea: this is only to wait
end
never tea: Your hand
`;

/* Networks by name: what the daemon is told of one at `port`, and the program with its person. */
const networks = {
    telegram: {
        env: (port) => ({KOIKOI_TELEGRAM_TOKEN: "123456:TEST", KOIKOI_TELEGRAM_API_ROOT: `http://127.0.0.1:${port}`, KOIKOI_TELEGRAM_PACE: "0"}),
        join(build, port, code, folder) {
            writeFileSync(join(folder, "tess.play"), telegram_play(code));
            return ["fake/telegram", `--port=${port}`, `--play=${join(folder, "tess.play")}`, "--max-s=240", "--trace"];
        },
    },
    matrix: {
        env: (port) => ({KOIKOI_MATRIX_HOMESERVER: `http://127.0.0.1:${port}`, KOIKOI_MATRIX_USER: "@bot:koi.test", KOIKOI_MATRIX_PASSWORD: "pw-bot", KOIKOI_MATRIX_PACE: "0", KOIKOI_MATRIX_PICTURES: "no"}),
        join: (build, port, code) => ["fake/matrix", `--port=${port}`, `--joins=${code}`, "--players=1"],
    },
};

/* Where each network will be, before the daemon begins. */
export async function far(names) {
    const ports = {};
    for (const name of names) ports[name] = await free_port();
    return {ports, env: Object.assign({}, ...names.map((n) => networks[n].env(ports[n]))), end: () => {}};
}

function person(build, name, port, code, folder) {
    const [program, ...options] = networks[name].join(build, port, code, folder);
    const child = spawn(join(build, program), options, {stdio: ["ignore", "pipe", "pipe"]});
    const it = {said: "", done: new Promise((done) => child.on("exit", done)), end: () => child.kill()};
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (it.said += bytes));
    return it;
}

const say = (ann, text) => ann.evaluate((t) => {
    document.querySelector("#box").value = t;
    document.querySelector("#beside form").requestSubmit();
}, text);

const scene = (ann) => ann.evaluate(() => fetch("/scene?t=" + location.pathname.split("/")[2]).then((a) => (a.ok ? a.json() : null), () => null));

/* Ann in a browser makes a challenge with a code, somebody of each network takes it up, and they play to the end. */
async function against(daemon, build, ports) {
    const browser = await chromium();
    const others = [];
    try {
        const names = Object.keys(ports);
        const ann = await browser.open(daemon.url + "/");
        await until("the start", () => ann.evaluate(() => document.body.dataset.ready === "start"));
        await ann.evaluate(() => (document.querySelector("#name").value = "Ann"));
        await say(ann, `/challenge code mongolopedia 3 players=${names.length + 1}`);
        const code = await until("the code", () => ann.evaluate(() => document.querySelector("#log").textContent.match(/\b\d+-[a-km-z2-9]{8}\b/)?.[0]));
        for (const name of names) others.push(person(build, name, ports[name], code, daemon.folder));
        await until("the table", () => ann.evaluate(() => document.body.dataset.ready === "table" && document.querySelectorAll("#hand li").length > 0), 60);
        let kills = 0;
        const said = await play([ann], {
            idle: 120,
            each: async (_, taps) => {
                if (taps % 7 !== 5 || kills === 2) return;
                kills++;
                const before = await scene(ann);
                await daemon.kill();
                await daemon.start();
                const after = await scene(ann);
                expect(after.v >= before.v && (after.v > before.v || JSON.stringify(after.hand.map((c) => c.card)) === JSON.stringify(before.hand.map((c) => c.card))), `a kill lost something: version ${before.v}, then ${after.v}`);
            },
        });
        expect(kills > 0, "the match was over before a kill");
        const result = (await ann.evaluate(look)).text.match(/(\S+ wins match #\d+|[^.]* is a draw)/)?.[0];
        expect(result, "no result on the page: " + (await ann.evaluate(look)).said);
        for (const [i, other] of others.entries()) {
            const code = await Promise.race([other.done, new Promise((late) => setTimeout(late, 60000, "late"))]);
            expect(code === 0, `${names[i]}: exit ${code}: ${other.said.slice(-1500)}`);
            expect(other.said.includes(result), `${names[i]} did not read "${result}": ${other.said.slice(-600)}`);
        }
        expect(!ann.errors.length, ann.errors.join("; "));
        return `${result}, ${kills} kills, ${said} sentences`;
    } catch (failure) {
        throw new Error([failure.message, ...others.map((other) => other.said.slice(-1500))].join("\n"));
    } finally {
        for (const other of others) other.end();
        await browser.close();
    }
}

/* Each has `peers`: the networks beside the page. */
export const chats = {
    group: (daemon, {ports}, build) => against(daemon, build, ports),
    room: (daemon, {ports}, build) => against(daemon, build, ports),
    three: (daemon, {ports}, build) => against(daemon, build, ports),
};
chats.group.peers = ["telegram"];
chats.room.peers = ["matrix"];
chats.three.peers = ["telegram", "matrix"];
