"""What watchers of one table cost its players: watch_bench.py KOIKOI WATCHERS PRESSES

Two browsers play; first nobody watches, then so many do, by as many streams of a process of their own. One JSON object a
line: ms from a press to its answer and to the other player's scene, ms to the last watcher's, CPU of the daemon a press,
and how many different documents the watchers got of one scene. Ends with 1 if a watcher missed the last scene, or if one
scene was written twice."""
import collections
import hashlib
import json
import multiprocessing
import os
import re
import selectors
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web"))
from browser import Browser, Daemon, wait_until
from match import meet, move_of


class Watcher:
    """One stream; `scenes` are those that came since it was asked last."""

    def __init__(self, port, path, secret):
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.sendall(("GET /stream?w=%s HTTP/1.1\r\nHost: k\r\nKoikoi-Secret: %s\r\n\r\n" % (path, secret)).encode())
        self.line.setblocking(False)
        self.raw, self.text = b"", b""

    def read(self):
        self.raw += self.line.recv(1 << 16)
        if self.raw.startswith(b"HTTP/"):
            head, found, rest = self.raw.partition(b"\r\n\r\n")
            self.raw = rest if found else self.raw
            if not found:
                return []
        while (end := self.raw.find(b"\r\n")) > 0:  # chunks
            size = int(self.raw[:end], 16)
            if len(self.raw) < end + size + 4:
                break
            self.text += self.raw[end + 2:end + 2 + size]
            self.raw = self.raw[end + size + 4:]
        *events, self.text = self.text.split(b"\n\n")
        return [e for e in events if e.startswith(b"event: scene")]


def watch(port, path, secret, n, said):
    """Says (version, when the last one has it, documents) as soon as all have a scene."""
    os.nice(10)  # they are elsewhere
    lines = selectors.DefaultSelector()
    for _ in range(n):
        w = Watcher(port, path, secret)
        lines.register(w.line, selectors.EVENT_READ, w)
    have, documents = collections.Counter(), collections.defaultdict(set)
    while True:
        for key, _ in lines.select():
            for event in key.data.read():
                version = int(re.search(rb'"v":\s*(\d+)', event).group(1))
                have[version] += 1
                documents[version].add(hashlib.sha256(re.sub(rb'"now":\s*\d+', b"", event)).digest())
                if have[version] == n:
                    said.send((version, time.monotonic(), len(documents[version])))


def cpu_ms(daemon):
    fields = open("/proc/%d/stat" % daemon.process.pid).read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def percentile(values, percent):
    values = sorted(values)
    return round(values[(len(values) - 1) * percent // 100], 1) if values else 0


class Table:
    def __init__(self, daemon, seed):
        self.players = [Browser(daemon, "Ann", seed=seed), Browser(daemon, "Bo", seed=seed)]
        self.no, self.room = meet(*self.players)
        line = self.players[1].stream(t=self.no, r=self.room)
        words = lambda: " ".join(w for k, e in self.players[1].events if k == "letter" for _, w in e["text"])
        for b in self.players:
            b.act("/say", text="/table watch", t=self.no, r=self.room)
        wait_until(lambda: re.search(r"/watch/\S+#\S+", words()))
        self.path, self.secret = re.search(r"/watch/([^#\s]+)#(\S+)", words()).groups()
        line.close()

    def press(self):
        """One press; returns who pressed, its answer and when it was sent, or None at the end."""
        for b in self.players:
            scene = b.get("/scene?t=%d" % self.no)
            if scene["phase"] == "over":
                return None
            press = move_of(scene, b.chance)
            if press:
                began = time.monotonic()
                return b, b.act("/press", press=press, t=self.no)["scene"], began
        return None


def play(daemon, n_watchers, presses):
    """The presses of as many matches as it takes, one after the other."""
    answers, others, last, spent, worst, seed = [], [], [], 0, 0, 100 + n_watchers
    while len(answers) < presses:
        seed += 1
        table, crowd, said = Table(daemon, seed), None, None
        lines = [b.stream(t=table.no) for b in table.players]
        if n_watchers:
            said, theirs = multiprocessing.Pipe(False)
            crowd = multiprocessing.Process(target=watch, args=(daemon.port, table.path, table.secret, n_watchers, theirs), daemon=True)
            crowd.start()
            assert said.poll(60), "not all watch"
            said.recv()
        began = cpu_ms(daemon)
        while len(answers) < presses and (done := table.press()):
            presser, scene, sent = done
            answered = time.monotonic()
            other = table.players[1 - table.players.index(presser)]
            has = lambda: (other.newest("scene") or {"v": 0})["v"] >= scene["v"]
            while not has():
                time.sleep(0.0005)
                assert time.monotonic() < sent + 15, "the other player has no scene"
            answers.append(1000 * (answered - sent))
            others.append(1000 * (time.monotonic() - sent))
            version = 0
            while crowd and version < scene["v"]:
                assert said.poll(15), "a watcher missed a scene"
                version, when, documents = said.recv()
                worst = max(worst, documents)
            if crowd:
                last.append(1000 * (when - sent))
        spent += cpu_ms(daemon) - began
        if crowd:
            crowd.kill()
        for line in lines:
            line.close()
    print(json.dumps({"bench": "watch", "watchers": n_watchers, "presses": len(answers), "answer_ms_p50": percentile(answers, 50),
                      "answer_ms_p95": percentile(answers, 95), "other_ms_p50": percentile(others, 50), "other_ms_p95": percentile(others, 95),
                      "last_watcher_ms_p95": percentile(last, 95), "cpu_ms": round(spent / len(answers), 2), "documents": worst}), flush=True)
    return worst <= 1


def main():
    program, watchers, presses = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    daemon = Daemon(program)
    good = [play(daemon, n, presses) for n in (0, watchers)]
    daemon.kill()
    sys.exit(not all(good))


main()
