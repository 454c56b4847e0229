"""Tables in browsers under load: web_bench.py BUILD SHARE

1,000 people at 500 tables, each with a stream, tap 250 times a second in all, while a Telegram has its own load of 30 commands
a second in 300 chats. One JSON object a line: `calm` and `deaf` (with 100 streams that are never read) with the milliseconds
from the planned moment of a tap until both screens have it, the memory of a connection, the share of a core of the daemon
and of its pages, the share of the time in which it waited for a processor that another program had (it is in the milliseconds),
that of this program (near 1 it limits the figures), steps of more than 50 ms; then `killed`: kill -9 in the middle, how long until all streams are back,
and whether a move was lost or made twice. SHARE: of people, taps and time, 1 for figures. Ends with 1 if something was lost."""
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

BUILD, SHARE = sys.argv[1], float(sys.argv[2])
TABLES, TAPS_S, DEAF = max(5, int(500 * SHARE)), max(20, 250 * SHARE), max(5, int(100 * SHARE))
SECONDS = max(3, 20 * SHARE)
LATE_S = 10
idle = []  # connections for requests, as browsers keep them
VERSION = re.compile(rb'"v":(\d+)')


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Daemon:
    def __init__(self, folder):
        self.port, self.metrics_port, self.telegram_port = free_port(), free_port(), free_port()
        self.log = folder + "/log"
        self.env = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "KOIKOI_STATE_DIR": folder + "/state",
                    "KOIKOI_WEB_LISTEN": "127.0.0.1:%d" % self.port, "KOIKOI_WEB_STREAMS": "4000", "KOIKOI_METRICS": "yes",
                    "KOIKOI_METRICS_LISTEN": "127.0.0.1:%d" % self.metrics_port, "KOIKOI_TELEGRAM_TOKEN": "123456:TEST",
                    "KOIKOI_TELEGRAM_API_ROOT": "http://127.0.0.1:%d" % self.telegram_port, "KOIKOI_TELEGRAM_PACE": "0"}

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([BUILD + "/koikoi", "run"], env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def rss_kb(self):
        with open("/proc/%d/status" % self.process.pid) as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def cpu_s(self):
        with open("/proc/%d/stat" % self.process.pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def starved_s(self):
        """How long it was ready to run and another program had the processor."""
        with open("/proc/%d/schedstat" % self.process.pid) as stat:
            return int(stat.read().split()[1]) / 1e9

    def slow_steps(self):
        with open(self.log, errors="replace") as log:
            return sum(" slow_step " in line for line in log)

    async def pages_s(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.metrics_port)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        found = re.search(rb"^koikoi_pages_cpu_seconds_total ([\d.]+)", await reader.read(), re.M)
        writer.close()
        return float(found[1])


class Person:
    def __init__(self, daemon, name):
        self.daemon, self.name, self.cookie, self.token = daemon, name, "", ""
        self.table, self.version, self.scene, self.back = 0, -1, b"", 0
        self.changed = asyncio.Event()
        self.up = False

    async def ask(self, method, path, body=None):
        """One request, again while no daemon answers, as the page does it."""
        data = b"" if body is None else json.dumps(body).encode()
        head = "%s %s HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\n%s%sContent-Length: %d\r\n\r\n" % (
            method, path, "Cookie: %s\r\n" % self.cookie if self.cookie else "",
            "Content-Type: application/json\r\n" if body is not None else "", len(data))
        for attempt in range(60):
            try:
                reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", self.daemon.port, limit=1 << 20)
                writer.write(head.encode() + data)
                top = await reader.readuntil(b"\r\n\r\n")
                content = await reader.readexactly(int(re.search(rb"Content-Length: (\d+)", top)[1]))
                idle.append((reader, writer))
                if top.startswith(b"HTTP/1.1 200"):
                    cookie = re.search(rb"Set-Cookie: ([^;]+)", top)
                    self.cookie = cookie[1].decode() if cookie else self.cookie
                    return content
                assert top.startswith(b"HTTP/1.1 503"), top
            except (OSError, asyncio.IncompleteReadError):
                pass  # the connection was an old one, or the daemon is away
            await asyncio.sleep(random.random() * min(1, 0.1 * (attempt + 1)))
        raise AssertionError("no answer: " + path)

    async def act(self, path, **body):
        return json.loads(await self.ask("POST", path, {"token": self.token, "id": "%032x" % random.getrandbits(128), "name": self.name, **body}))

    async def come(self):
        self.token = json.loads(await self.ask("GET", "/page"))["token"]

    def heard(self, scene):
        self.scene, self.version = scene, int(VERSION.search(scene)[1])
        self.changed.set()

    async def stream(self):
        """Reads for ever; comes back after a random time when the line ends."""
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.daemon.port, limit=1 << 20)
                writer.write(("GET /stream?t=%d%s HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\nCookie: %s\r\n\r\n" % (
                    self.table, "&v=%d" % self.version if self.version >= 0 else "", self.cookie)).encode())
                if b" 200 " in await reader.readline():
                    self.up, self.back = True, time.monotonic()
                    while line := await reader.readline():
                        if line.startswith(b'data: {"t":') and b'"phase"' in line:
                            self.heard(line[6:])
                writer.close()
            except OSError:
                pass
            self.up = False
            await asyncio.sleep(random.random())

    def press(self):
        """What this person may tap now, or None."""
        scene = json.loads(self.scene)
        if scene["phase"] == "ready":
            return next((b["press"] for b in scene["buttons"] if b["style"] == "take"), None)
        if not scene["mine"]:
            return None
        if scene["phase"] == "decide":
            return scene["buttons"][0]["press"]
        cards = [scene["drawn"]] if scene["phase"] == "draw" else scene["hand"]
        moves = [m["press"] for c in cards for m in c["moves"]]
        return random.choice(moves) if moves else None


class Table:
    def __init__(self, daemon, no):
        self.people = [Person(daemon, "%s %d" % (name, no)) for name in ("Ann", "Bo")]
        self.busy, self.answered = False, 0

    async def meet(self):
        ann, bo = self.people
        await ann.come()
        await bo.come()
        room = await ann.act("/room")
        accept = next(b["press"] for b in room["scene"]["buttons"] if b["text"] != "Withdraw")
        opened = await self.offer(bo, room["r"])
        self.no = (await bo.act("/press", press=opened or accept, r=room["r"]))["t"]
        for person in self.people:
            person.table = self.no

    async def offer(self, bo, room):
        """The Accept button of the room's letter, from a stream that ends after it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", bo.daemon.port, limit=1 << 20)
        writer.write(("GET /stream?r=%s HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\nCookie: %s\r\n\r\n" % (room, bo.cookie)).encode())
        while line := await reader.readline():
            if line.startswith(b"data: ") and b"Accept" in line:
                writer.close()
                return next(b["press"] for b in json.loads(line[6:])["buttons"] if b["text"] == "Accept")
        raise AssertionError("no offer")

    async def tap(self, planned, times):
        """One tap; notes how long after the planned moment both screens had it."""
        try:
            for person in random.sample(self.people, 2):
                press = person.press() if person.scene else None
                if press:
                    break
            else:
                return
            version = (await person.act("/press", press=press, t=self.no))["scene"]["v"]
            self.answered = max(self.answered, version)
            for other in self.people:
                until = time.monotonic() + LATE_S
                while other.version < version and time.monotonic() < until:
                    other.changed.clear()
                    try:
                        await asyncio.wait_for(other.changed.wait(), 1)
                    except asyncio.TimeoutError:
                        pass
                if other.version < version:
                    times.append(float("inf"))
                    return
            times.append(time.monotonic() - planned)
        finally:
            self.busy = False


async def taps(tables, seconds, times):
    begun, n, running = time.monotonic(), 0, set()
    while (planned := begun + n / TAPS_S) < begun + seconds:
        n += 1
        await asyncio.sleep(max(0, planned - time.monotonic()))
        table = random.choice(tables)
        if table.busy:
            continue
        table.busy = True
        task = asyncio.create_task(table.tap(planned, times))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)


async def measured(name, daemon, tables, **more):
    times, cpu, pages, slow, begun = [], daemon.cpu_s(), await daemon.pages_s(), daemon.slow_steps(), time.monotonic()
    busy, starved = time.process_time(), daemon.starved_s()
    await taps(tables, SECONDS, times)
    wall = time.monotonic() - begun
    busy = (time.process_time() - busy) / wall
    times.sort()
    at = lambda share: round(1000 * times[min(len(times) - 1, int(share * len(times)))], 1) if times else -1
    lost = sum(t == float("inf") for t in times)
    print(json.dumps({"bench": "web", "load": name, "people": 2 * len(tables), "taps": len(times), "taps_per_s": round(len(times) / wall, 1),
                      "p50_ms": at(0.5), "p95_ms": at(0.95), "max_ms": at(1), "cpu_percent": round(100 * (daemon.cpu_s() - cpu) / wall, 1),
                      "pages_cpu_percent": round(100 * (await daemon.pages_s() - pages) / wall, 1), "slow_steps": daemon.slow_steps() - slow,
                      "starved_percent": round(100 * (daemon.starved_s() - starved) / wall, 1), "generator_busy": round(busy, 2), "lost": lost, **more}), flush=True)
    return lost


async def killed(daemon, tables):
    people = [p for t in tables for p in t.people]
    times = []
    load = asyncio.create_task(taps(tables, max(3, SECONDS / 2), times))
    await asyncio.sleep(1)
    daemon.kill()
    struck = time.monotonic()
    daemon.start()
    while not all(p.up and p.back > struck for p in people) and time.monotonic() < struck + 30:
        await asyncio.sleep(0.02)
    back = time.monotonic() - struck
    await load
    # what was answered stands, and both see the same
    wrong = 0
    for table in tables:
        versions = [json.loads(await p.ask("GET", "/scene?t=%d" % table.no))["v"] for p in table.people]
        wrong += min(versions) < table.answered or versions[0] != versions[1]
    lost = sum(t == float("inf") for t in times) + wrong
    print(json.dumps({"bench": "web", "load": "kill -9", "people": len(people), "all_streams_back_s": round(back, 2), "lost": lost}), flush=True)
    return lost + (back > 30)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(folder)
        chat = None
        try:
            daemon.start()
            tables = [Table(daemon, i) for i in range(TABLES)]
            for i in range(0, TABLES, 50):
                await asyncio.gather(*(t.meet() for t in tables[i:i + 50]))
            before = daemon.rss_kb()
            streams = [asyncio.create_task(p.stream()) for t in tables for p in t.people]
            while not all(p.scene for t in tables for p in t.people):
                await asyncio.sleep(0.05)
            memory = (daemon.rss_kb() - before) / len(streams)
            n = int(30 * (2 * SECONDS + 20))
            chat = subprocess.Popen([BUILD + "/fake/telegram", "--load", "--port=%d" % daemon.telegram_port, "--chats=300", "--rate=30", "--n=%d" % n,
                                     "--max-s=%d" % (3 * SECONDS + 60)], stdout=subprocess.DEVNULL)
            while "poll_works_again" not in open(daemon.log).read():
                await asyncio.sleep(0.1)
            bad = await measured("calm", daemon, tables, kb_a_connection=round(memory, 1), setup=len(tables))
            deaf = []
            for i in range(DEAF):
                person = tables[i % TABLES].people[0]
                line = socket.socket()
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # full after the first scene, not in an hour
                line.connect(("127.0.0.1", daemon.port))
                line.sendall(("GET /stream?t=%d HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n" % (person.table, person.cookie)).encode())
                deaf.append(line)
            bad += await measured("deaf", daemon, tables, never_read=len(deaf))
            for line in deaf:
                line.close()
            bad += await killed(daemon, tables)
            for stream in streams:
                stream.cancel()
        finally:
            if chat:
                chat.kill()
                chat.wait()
            daemon.kill()
    return bad > 0


sys.exit(asyncio.run(main()))
