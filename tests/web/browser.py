"""A browser without a screen, and the daemon that it talks to."""
import contextlib
import http.client
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

from networks import PATIENCE


# Rules (even.json) by which no deal ends a round, or is void, before the first move, as one in sixty of sensei's does.
EVEN = {"KOIKOI_RULES": "even", "KOIKOI_RULES_DIR": os.path.dirname(os.path.abspath(__file__))}
SOUND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sound.sh")


def free_port():
    """Below those that the kernel gives to connections, so that a daemon that was killed finds it free again."""
    while True:
        port = random.randrange(20000, 32768)
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


class Daemon:
    """`koikoi run` with pages on a free port, and EVEN rules; the same state and port after each start."""

    def __init__(self, program, *arguments, **options):
        self.program, self.arguments = program, arguments
        self.folder = tempfile.TemporaryDirectory()
        self.options = options
        self.port = free_port()
        self.start()

    def start(self):
        self.said = self.folder.name + "/said"
        env = {"PATH": os.environ["PATH"], "HOME": self.folder.name, "KOIKOI_STATE_DIR": self.folder.name + "/state",
               "KOIKOI_WEB_LISTEN": "127.0.0.1:%d" % self.port,
               "KOIKOI_METRICS": "yes", "KOIKOI_METRICS_LISTEN": "127.0.0.1:0", **EVEN}
        env.update(self.options)
        log = self.folder.name + "/log"
        typed = "--adapter" in self.arguments  # a terminal beside the pages
        with open(log, "w") as to, open(self.said, "w") as said:
            self.process = subprocess.Popen([self.program, "run", *self.arguments], env=env, stdout=said, stderr=to,
                                            stdin=subprocess.PIPE if typed else subprocess.DEVNULL)
        wait_until(lambda: " pages at=http" in open(log).read() or self.process.poll() is not None)
        assert self.process.poll() is None, open(log).read()

    def type(self, line, answer):
        """Types into the terminal and waits for what matches; returns the match."""
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        wait_until(lambda: re.search(answer, open(self.said).read()))
        return re.findall(answer, open(self.said).read())[-1]

    def kill(self):
        self.process.kill()
        self.process.wait()

    @contextlib.contextmanager
    def store(self):
        """Its database, closed at the end: whoever closes it later, as the collector does, locks it for a moment."""
        store = sqlite3.connect(self.folder.name + "/state/koikoi.db")
        try:
            with store:
                yield store
        finally:
            store.close()

    def rewritten(self, sql, *values):
        """Killed, its store changed, started again. Returns the number of rows that were changed."""
        self.kill()
        with self.store() as store:
            rows = store.execute(sql, values).rowcount
        self.start()
        return rows

    def stop(self):
        """Ends it; its store must be sound. Returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        store = {k: v for k, v in self.options.items() if k in ("KOIKOI_STORE", "KOIKOI_KEY_FILE")}
        env = {"PATH": os.environ["PATH"], "HOME": self.folder.name, **EVEN, **store}
        sound = subprocess.run(["sh", SOUND, self.program, self.folder.name + "/state"], env=env, capture_output=True, text=True)
        assert sound.returncode == 0, sound.stdout
        self.folder.cleanup()
        return code


def wait_until(holds, seconds=PATIENCE):
    until, pause = time.monotonic() + seconds, 0.01
    while not holds():
        if time.monotonic() > until:
            raise AssertionError("waited in vain")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)


class Browser:
    def __init__(self, daemon, name, lang="en", seed=1):
        self.daemon, self.name, self.lang = daemon, name, lang
        self.cookie, self.acts, self.events = None, 0, []
        self.chance = random.Random("%s %d" % (name, seed))
        self.heard = []  # (when, bytes) of all answers and events
        self.page = self.get("/page")

    def ask(self, method, path, body=None, headers=()):
        c = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=PATIENCE)
        head = {"Accept-Language": self.lang, "Accept-Encoding": "gzip, deflate", **({"Cookie": self.cookie} if self.cookie else {}), **dict(headers)}
        if body is not None:
            head.setdefault("Content-Type", "application/json")
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        c.request(method, path, body, head)
        r = c.getresponse()
        data = r.read()
        self.headers = {k.lower(): v for k, v in r.getheaders()}
        if r.getheader("Set-Cookie"):
            self.cookie = r.getheader("Set-Cookie").split(";")[0]
        c.close()
        self.heard.append((time.monotonic(), json.dumps(self.headers).encode()))
        self.heard.append((time.monotonic(), data))
        return r.status, data

    def get(self, path):
        status, data = self.ask("GET", path)
        assert status == 200, (path, status, data)
        return json.loads(data)

    def fresh_id(self):
        self.acts += 1
        return "act-%08d-%d" % (self.chance.getrandbits(26), self.acts)

    def act(self, path, **body):
        body = {"token": self.page["token"], "id": self.fresh_id(), **body}
        status, data = self.ask("POST", path, body)
        assert status == 200, (path, body, status, data)
        answer = json.loads(data)
        assert not re.search(r"\d{10}", str(answer.get("say", ""))), "a time that nobody can read: %s" % answer["say"]
        return answer

    def stream(self, secret="", headers=(), **wants):
        """Reads events into self.events until the line ends."""
        query = "&".join("%s=%s" % w for w in wants.items())
        c = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=PATIENCE)
        c.request("GET", "/stream?" + query, headers={**({"Cookie": self.cookie} if self.cookie else {}), **({"Koikoi-Secret": secret} if secret else {}), **dict(headers)})
        socket = c.sock
        r = c.getresponse()
        if r.status != 200:
            return r.status
        self.heard.append((time.monotonic(), json.dumps(r.getheaders()).encode()))
        lines = Stream(self, socket, r)
        lines.start()
        return lines

    def newest(self, kind):
        found = [e for k, e in self.events if k == kind]
        return found[-1] if found else None


class Stream(threading.Thread):
    def __init__(self, browser, socket, answer):
        super().__init__(daemon=True)
        self.browser, self.socket, self.answer, self.ended = browser, socket, answer, False

    def run(self):
        kind = None
        try:
            for line in self.answer:
                self.browser.heard.append((time.monotonic(), line))
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    kind = text[7:]
                elif text.startswith("data: "):
                    self.browser.events.append((kind, json.loads(text[6:])))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        self.ended = True

    def close(self):
        try:
            self.socket.shutdown(2)
        except OSError:
            pass  # it has ended by itself
