"""Pages behind nginx and caddy, set up as bot/web/README.md says: python3 proxies.py PROGRAM

A stream, presses and a long wait pass through both."""
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "web"))
from browser import Browser, Daemon, wait_until  # noqa: E402
from match import meet, move_of  # noqa: E402

PAGE = open(os.path.join(ROOT, "bot", "web", "README.md")).read()
SILENCE_S = 25  # longer than the 20 s after which the daemon says something


class Door:
    """The daemon, as a browser reaches it through a proxy."""

    def __init__(self, name, daemon, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        sample = re.search("```%s\n(.*?)```" % name, PAGE, re.S).group(1).replace("127.0.0.1:8094", "127.0.0.1:%d" % daemon.port)
        at = os.path.join(folder, name)
        if name == "nginx":
            text = ("daemon off; pid %s.pid; error_log stderr warn; events {}\nhttp { access_log off; client_body_temp_path %s.body; proxy_temp_path %s.proxy;"
                    " fastcgi_temp_path %s.f; uwsgi_temp_path %s.u; scgi_temp_path %s.s; server { listen 127.0.0.1:%d;\n%s}}\n" % (at, at, at, at, at, at, self.port, sample))
            command = ["nginx", "-e", "stderr", "-c", at]
        else:
            text = "{\n admin off\n auto_https off\n}\n" + sample.replace("play.example.org", "http://127.0.0.1:%d" % self.port)
            command = ["caddy", "run", "--adapter", "caddyfile", "--config", at]
        with open(at, "w") as to:
            to.write(text)
        self.log = open(at + ".log", "w")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env={**os.environ, "HOME": folder})
        wait_until(self.answers)

    def answers(self):
        assert self.process.poll() is None, open(self.log.name).read()
        with socket.socket() as try_it:
            return try_it.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self):
        self.process.terminate()
        self.process.wait(20)


def press(people, table):
    """The next move of whoever has it; returns the version after it."""
    while True:
        for b in people:
            move = move_of(b.get("/scene?t=%d" % table), b.chance)
            if move:
                return b.act("/press", press=move, t=table)["scene"]["v"]
        time.sleep(0.05)


def main(program):
    daemon = Daemon(program, KOIKOI_WEB_URL="https://play.example.org", KOIKOI_WEB_TRUSTED_PROXY="127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        doors = [Door(name, daemon, folder) for name in ("nginx", "caddy")]
        tables = []
        for door in doors:
            people = [Browser(door, name) for name in ("Ann", "Bo")]
            assert people[0].cookie.startswith("__Host-koikoi="), people[0].cookie
            table, _ = meet(*people)
            lines = [b.stream(t=table) for b in people]
            wait_until(lambda: all(b.newest("scene") for b in people))
            begun = time.monotonic()
            v = press(people, table)
            wait_until(lambda: all(b.newest("scene")["v"] >= v for b in people))
            tables.append((people, table, lines, time.monotonic() - begun))
        time.sleep(SILENCE_S)
        for people, table, lines, _ in tables:
            assert not any(line.ended for line in lines), "the proxy ends a silent stream"
            v = press(people, table)
            wait_until(lambda: all(b.newest("scene")["v"] >= v for b in people))
        for (people, _, lines, took), name in zip(tables, ("nginx", "caddy")):
            for line in lines:
                line.close()
            print("  ok    behind %s: a press in %d ms, a stream silent for %d s" % (name, 1000 * took, SILENCE_S))
        for door in doors:
            door.close()
    assert daemon.stop() == 0


main(sys.argv[1])
