/* The daemon under test: a process of its own on a port of its own, killed and started again on the same state.

     const daemon = await begin(build);  daemon.url;  await daemon.kill();  await daemon.start();  await daemon.end(); */
import {spawn, spawnSync} from "node:child_process";
import {mkdtempSync, openSync, readFileSync, rmSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";

export function free_port() {
    return new Promise((found) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const {port} = server.address();
            server.close(() => found(port));
        });
    });
}

/* Below those that the kernel gives to connections, so that a daemon that was killed finds it free again. */
const kept_port = () => new Promise((found) => {
    const port = 20000 + Math.floor(Math.random() * 12768);
    const server = createServer().on("error", () => found(kept_port())).listen(port, "127.0.0.1", () => server.close(() => found(port)));
});

/* Rules by which no deal ends a round, or is void, before the first move: tests/web/even.json. */
const even = {KOIKOI_RULES: "even", KOIKOI_RULES_DIR: join(process.cwd(), "tests/web")};

export async function begin(build, more = {}) {
    const folder = mkdtempSync(join(tmpdir(), "koikoi-web-"));
    const port = await kept_port();
    const url = `http://127.0.0.1:${port}`;
    const log = openSync(join(folder, "log"), "a");
    const env = {...process.env, KOIKOI_STATE_DIR: folder, KOIKOI_WEB_LISTEN: `127.0.0.1:${port}`, LC_ALL: "C.UTF-8", ...even, ...more};
    let child = null;
    let gone = Promise.resolve();
    const daemon = {
        url,
        folder,
        log: () => readFileSync(join(folder, "log"), "utf8"),
        async start() {
            child = spawn(join(build, "koikoi"), ["run"], {env, stdio: ["ignore", log, log]});
            const started = child;
            gone = new Promise((done) => started.once("exit", (code, signal) => done({code, signal})));
            for (let i = 0; i < 300; i++) {
                if (started.exitCode !== null) throw new Error("the daemon ended: " + daemon.log().slice(-2000));
                if (await fetch(url + "/page").then((a) => a.ok, () => false)) return;
                await new Promise((done) => setTimeout(done, 100));
            }
            throw new Error("the daemon does not answer: " + daemon.log().slice(-2000));
        },
        async kill() {
            child.kill("SIGKILL");
            await gone;
        },
        async end() {
            child.kill("SIGTERM");
            const {code, signal} = await gone;
            const sound = spawnSync("sh", ["tests/sound.sh", join(build, "koikoi"), folder], {encoding: "utf8"});
            if (sound.status !== 0) throw new Error(sound.stdout);
            rmSync(folder, {recursive: true, force: true});
            if (code !== 0) throw new Error(`SIGTERM: expected exit 0, got ${code ?? signal}`);
        },
    };
    await daemon.start();
    return daemon;
}
