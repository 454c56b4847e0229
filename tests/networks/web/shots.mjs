/* Pictures of every view, compared with those that are kept in shots/: one a view and scheme, of all sizes side by side, each a
   fifth as large as the screen. The page is the daemon's; what it shows are the scenes of tests/core/scene, which stay.

   KEEP=1 keeps what it sees in place of what was kept: look at it, all of it, before it is committed. */
import {createServer} from "node:http";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {chromium, firefox, webkit} from "./engines.mjs";
import {until} from "./player.mjs";

const root = process.cwd();
const kept = join(root, "tests/networks/web/shots");
const room = "0123456789abcdef0123456789abcdef";
const sizes = [[360, 640], [390, 844], [844, 390], [768, 1024], [1440, 900]];
const scale = 0.2;
/* Of 255: on average, and in the worst block of 12 by 12 points. Engines differ in letters and their places. */
const tolerance = {chromium: [3, 36], firefox: [8, 48], webkit: [13, 40]};

const scene = (name) => JSON.parse(readFileSync(join(root, `tests/core/scene/${name}.json`), "utf8"));
const offer = {id: 3, r: room, who: "", slot: "offer:12", text: [["b", "Ann"], ["", " challenges anyone to Koi-Koi (#12)\n3 rounds, about 10 minutes"]], buttons: [{text: "Accept", press: "a", style: "take", row: false}, {text: "Decline", press: "d", style: "", row: true}], popup: false, gone: false};
const talk = [{id: 1, r: "", who: "Bo", slot: "", text: [["", "Good luck!"]], buttons: [], popup: false, gone: false}, {id: 2, r: "", who: "", slot: "", text: [["b", "Ann"], ["", " may take one move back."]], buttons: [{text: "Allow", press: "u", style: "take", row: false}, {text: "No", press: "n", style: "", row: true}], popup: false, gone: false}];

const tap = (text) => (person) => until(text, () => person.evaluate((t) => {
    const button = [...document.querySelectorAll("button")].find((b) => (b.getAttribute("aria-label") ?? b.textContent).startsWith(t) && b.getClientRects().length);
    button?.click();
    return !!button;
}, text));
const at_table = {path: "/t/12", ready: "table"};
const views = {
    start: {path: "/", ready: "start"},
    opponents: {path: "/", ready: "start", then: tap("Play the computer")},
    room: {path: "/", ready: "start", then: async (person) => {
        await tap("Play a friend")(person);
        await until("the offer", () => person.evaluate(() => document.querySelectorAll("#start .acts button").length));
    }},
    guest: {path: "/r/" + room, ready: "start"},
    gone: {path: "/watch/12-nothing#nothing", ready: "start", then: (person) => until("the note", () => person.evaluate(() => {
        const note = document.querySelector("#note");
        const text = note.textContent;
        /* it would go after six seconds */
        if (!note.hidden) new MutationObserver(() => note.hidden && Object.assign(note, {textContent: text, hidden: false})).observe(note, {attributes: true});
        return !note.hidden;
    }))},
    replay: {path: "/replay/12-steps#secret", ready: "replay"},
    picked: {...at_table, scene: "hand", then: tap("3 cherry plain")},
    chat: {...at_table, scene: "hand", then: tap("Chat")},
    menu: {...at_table, scene: "hand", then: tap("Menu")},
    watch: {path: "/watch/12-open#secret", ready: "table", scene: "watcher"},
    ...Object.fromEntries(["offer", "hand", "after_a_move", "kept", "waiting", "draw", "decide", "ready", "over", "three"].map((name) => [name, {...at_table, scene: name}])),
};

/* What a replay shows is the hand with all cards open. */
function steps() {
    const first = scene("hand");
    const {names, ...step} = {...first, me: -1, mine: false, tap: "", hand: [], buttons: [], v: 1, from: 0};
    step.seats = step.seats.map((s, i) => ({...s, hand: i ? ["1r", "2p1", "4a", "4p1", "6r", "7a", "9p1", "12p1"] : first.hand.map((c) => c.card)}));
    const all = {...names, "1r": "1 pine poetry ribbon", "2p1": "2 plum plain", "4a": "4 wisteria cuckoo", "4p1": "4 wisteria plain", "6r": "6 peony blue ribbon", "7a": "7 clover boar", "9p1": "9 chrysanthemum plain", "12p1": "12 paulownia plain"};
    return {names: all, steps: [step, {...step, v: 2, from: 1}]};
}

/* The daemon's pages and files, in front of them what does not change: the reader, their tables, scenes, letters. */
async function stage(daemon) {
    const shown = {view: ""};
    const server = createServer(async (request, response) => {
        const url = new URL(request.url, daemon.url);
        const json = (status, value) => response.writeHead(status, {"Content-Type": "application/json"}).end(JSON.stringify(value));
        const view = views[shown.view];
        try {
            if (url.pathname === "/stream" && url.search.includes("w=12-nothing")) json(404, {});
            else if (url.pathname === "/stream") {
                response.writeHead(200, {"Content-Type": "text/event-stream"});
                const events = [...(view.scene && !url.searchParams.get("v") ? [["scene", scene(view.scene)]] : []), ...(url.searchParams.get("r") ? [offer] : talk).filter((l) => l.id > Number(url.searchParams.get("l"))).map((l) => ["letter", l])];
                for (const [kind, data] of events) response.write(`event: ${kind}\n${data.id ? `id: ${data.id}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
            } else if (url.pathname === "/page") {
                const page = await (await fetch(daemon.url + "/page?lang=en")).json();
                json(200, {...page, name: "Ann", t: 0, tables: [{t: 12, text: "Ann – Bo", mine: true}]});
            } else if (url.pathname === "/room") json(200, {r: room, link: "https://play.example.org/r/" + room, t: 0});
            else if (url.pathname === "/host") response.writeHead(200, {"Content-Type": "text/html"}).end(`<!doctype html><style>body{margin:0}iframe{border:0;display:block}</style><iframe src="${url.search.slice(1)}"></iframe>`);
            else if (url.pathname.startsWith("/replay/") && url.pathname.endsWith("/steps")) json(200, steps());
            else if (/^\/replay\/.*\/(review|record)$/.test(url.pathname)) json(404, {});
            else {
                const answer = await fetch(daemon.url + url.pathname + url.search);
                const type = answer.headers.get("content-type");
                const bytes = Buffer.from(await answer.arrayBuffer());
                /* in a frame that only makes it small it is the page that stands alone */
                const alone = type.startsWith("text/html") ? bytes.toString().replace("<head>", "<head><script>if (parent.location.pathname === '/host') parent = window</script>") : bytes;
                response.writeHead(answer.status, {"Content-Type": type}).end(alone);
            }
        } catch (failure) {
            json(503, {error: failure.message});
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return {shown, url: `http://127.0.0.1:${server.address().port}`, end: () => (server.closeAllConnections(), server.close())};
}

/* In a page of its own: pictures side by side, made small; and what two such rows differ by. */
async function montage({shots, places, scale, width, height}) {
    const canvas = new OffscreenCanvas(width, height);
    const to = canvas.getContext("2d");
    to.fillRect(0, 0, width, height);
    for (const [i, shot] of shots.entries()) {
        const [x, w, h] = places[i];
        const seen = await (await fetch("data:image/png;base64," + shot)).blob();
        const picture = await createImageBitmap(seen, 0, 0, Math.round(w / scale), Math.round(h / scale));
        /* by halves, as a picture made a fifth as large at once skips most of its points */
        let from = picture;
        for (let n = 2; picture.width / n > w; n *= 2) {
            const half = new OffscreenCanvas(picture.width / n, picture.height / n);
            half.getContext("2d").drawImage(from, 0, 0, half.width, half.height);
            from = half;
        }
        to.drawImage(from, x, 0, w, h);
    }
    const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality: 0.7})).arrayBuffer());
    return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
}

async function compare({one, other, places}) {
    const points = async (text) => {
        const picture = await createImageBitmap(await (await fetch("data:image/webp;base64," + text)).blob());
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const at = canvas.getContext("2d");
        at.drawImage(picture, 0, 0);
        return at;
    };
    const [a, b] = [await points(one), await points(other)];
    return places.map(([x, w, h]) => {
        const [p, q] = [a, b].map((at) => at.getImageData(x, 0, w, h).data);
        const blocks = new Map();
        let sum = 0;
        for (let i = 0; i < w * h; i++) {
            const d = (Math.abs(p[4 * i] - q[4 * i]) + Math.abs(p[4 * i + 1] - q[4 * i + 1]) + Math.abs(p[4 * i + 2] - q[4 * i + 2])) / 3;
            const block = Math.floor((i % w) / 12) + 100 * Math.floor(i / w / 12);
            blocks.set(block, (blocks.get(block) ?? 0) + d);
            sum += d;
        }
        return [sum / (w * h), Math.max(...blocks.values()) / 144];
    });
}

const place = (list) => {
    let x = 0;
    return list.map(([w, h]) => {
        const at = [x, Math.round(scale * w), Math.round(scale * h)];
        x += at[1] + 4;
        return at;
    });
};

async function settled(person, view) {
    await until(`${view.path} is ready`, () => person.evaluate((r) => document.body.dataset.ready === r, view.ready));
    await view.then?.(person);
    await until("its cards", () => person.evaluate(() => document.querySelectorAll("#sheet svg").length > 0));
}

async function look(engine, daemon, {schemes, shot, framed}) {
    const browser = await engine();
    const tools = await chromium();
    const {page: bench} = await tools.open("about:blank");
    const set = await stage(daemon);
    const [most, worst] = tolerance[browser.name];
    const found = [];
    let pictures = 0;
    let bytes = 0;
    try {
        for (const colorScheme of schemes)
            for (const [name, view] of Object.entries(views)) {
                if (process.env.VIEWS && !process.env.VIEWS.split(" ").includes(name)) continue;
                set.shown.view = name;
                const person = await browser.open(set.url + (framed ? "/host?" : "") + view.path, {colorScheme, reducedMotion: "reduce", framed});
                await person.size(...sizes[1]);
                await settled(person, view);
                const shots = [];
                for (const [w, h] of shot) {
                    await person.size(w, h);
                    await person.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120)))));
                    const {reduced, moving} = await person.evaluate(() => ({
                        reduced: matchMedia("(prefers-reduced-motion: reduce)").matches,
                        moving: document.getAnimations().filter((a) => a.playState === "running").map((a) => `${a.effect.target.id || a.effect.target.className}${a.effect.pseudoElement ?? ""} ${a.animationName ?? a.transitionProperty ?? "travels"}`),
                    }));
                    if (!reduced) throw new Error(`${browser.name} does not reduce motion`);
                    if (moving.length) found.push(`${name} ${w}×${h}: moves, though motion is reduced: ${moving.join(", ")}`);
                    const file = join(daemon.folder, "shot.png");
                    await person.shot(file);
                    shots.push(readFileSync(file).toString("base64"));
                    if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${name}-${colorScheme}-${w}-${browser.name}.png`), readFileSync(file));
                }
                await person.close();
                pictures += shots.length;
                const all = place(sizes);
                const places = shot.map((s) => all[sizes.indexOf(s)]);
                const [width, height] = [all.at(-1)[0] + all.at(-1)[1], Math.max(...all.map((p) => p[2]))];
                const now = await bench.evaluate(montage, {shots, places, scale, width, height});
                const file = join(kept, `${name}-${colorScheme}.webp`);
                if (process.env.KEEP && browser.name === "chromium") {
                    mkdirSync(kept, {recursive: true});
                    writeFileSync(file, Buffer.from(now, "base64"));
                }
                if (!existsSync(file)) {
                    found.push(`${name} ${colorScheme}: no picture is kept`);
                    continue;
                }
                bytes += readFileSync(file).length;
                const apart = await bench.evaluate(compare, {one: now, other: readFileSync(file).toString("base64"), places});
                for (const [i, [mean, block]] of apart.entries())
                    if (mean > most || block > worst) found.push(`${name} ${colorScheme} ${shot[i].join("×")}: differs by ${mean.toFixed(1)}, in places by ${block.toFixed(0)}`);
            }
    } finally {
        await browser.close();
        await tools.close();
        set.end();
    }
    if (found.length) throw new Error(found.slice(0, 40).join("\n        "));
    return `${pictures} pictures, ${Math.round(bytes / 1024)} KB kept`;
}

/* An engine whose pages are all dark, or all light. */
async function both(engine, daemon, framed) {
    const told = [];
    for (const scheme of ["dark", "light"]) told.push(await look(() => engine({dark: scheme === "dark", still: true}), daemon, {schemes: [scheme], shot: sizes, framed}));
    return told.join("; ");
}

export const shots = {
    shots: (daemon) => look(chromium, daemon, {schemes: ["dark", "light"], shot: sizes}),
    shots_firefox: (daemon) => both(firefox, daemon, false),
    shots_webkit: (daemon) => both(webkit, daemon, true),
};
