#!/usr/bin/env python3
"""Weeks of play under all faults together: soak.py PROGRAM FOLDER SECONDS SEED [PORT]

People play at many tables on a Telegram that fails in every way (players.py), while the daemon is killed, ended and
stopped; on PostgreSQL, if PORT names a server, there are three daemons and the holder is cut off from it too. The clock
of the daemons runs SPEED times as fast. Backups are made meanwhile.

Prints one JSON line. Ends with 1 if anything was lost: an acknowledged update that is not in the store, a move that was
taken twice, a record that does not verify, a result that is missing or counted twice, a damaged store, a backup that
cannot be restored or does not play on."""
import collections
import glob
import itertools
import json
import os
import random
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "cluster"))
from cluster import Daemon, Relay, server_store, strike, until
from players import Half, Players, Table

# Times as fast as the machine's clock. Daemons that stand by look at the server as often as their clock says.
SPEED = int(os.environ.get("SPEED") or (40 if len(sys.argv) > 5 else 300))
TABLES = int(os.environ.get("TABLES", "12"))
ACCOUNTS = int(os.environ.get("ACCOUNTS") or (6 if len(sys.argv) > 5 else 1))
STEP_S, CHECK_S, SETTLE_S = 0.05, 2, 30
# A poll gives up after 65 s of the fast clock: 0.2 s of the machine's, which on a busy one is less than this Telegram
# needs to answer. While a daemon goes on asking in vain, it has longer.
ALIVE_S, ASKING_S = 30, 120
begun = time.time()


def fast_clock():
    return begun + (time.time() - begun) * SPEED


class FastDaemon(Daemon):
    """Its clock goes on where that of the one before it stood."""
    def environment(self):
        env = {name: value for name, value in self.env.items() if not name.startswith("KOIKOI_TELEGRAM_")}
        env["KOIKOI_CONFIG"] = self.config
        if SPEED == 1:
            return env
        library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        ahead = int(fast_clock() - time.time())
        return dict(env, LD_PRELOAD=library[0], FAKETIME="+%d x%d" % (ahead, SPEED))


def account(i):
    return "telegram" + (".a%d" % i if i else "")


def heard_sql(i, ids):
    return "SELECT heard.id FROM heard JOIN account ON account.id = heard.account WHERE name = '%s' AND heard.id IN (%s)" % (
        account(i), ",".join("'%d'" % n for n in ids))


def all_players(seed, kind):
    """Tables of one account; and, between each account and the next, two groups that play against each other."""
    tables = [[Table(n) for n in range(i * TABLES // ACCOUNTS, (i + 1) * TABLES // ACCOUNTS)] for i in range(ACCOUNTS)]
    for i in range(ACCOUNTS if ACCOUNTS > 1 else 0):
        halves = Half(200 + i, 0), Half(200 + i, 1)
        halves[0].other, halves[1].other = reversed(halves)
        tables[i].append(halves[0])
        tables[(i + 1) % ACCOUNTS].append(halves[1])
    return [kind(some, seed + i, fast_clock) for i, some in enumerate(tables)]


class Soak:
    def __init__(self, program, folder, seconds, seed, port, kind=Players):
        self.program, self.folder, self.port = program, folder, port
        self.server = server_store(port) if port else None
        self.random = random.Random(seed)
        self.end = time.monotonic() + seconds
        self.players = all_players(seed, kind)
        self.config = folder + "/koikoi.conf"
        with open(os.open(self.config, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            for i, players in enumerate(self.players):
                file.write("[%s]\ntoken = %d:TEST\napi_root = %s\npace = 0\npictures = no\n" % (
                    account(i), 123456 + i, players.root))
        self.struck, self.wrong, self.backups, self.kept = {}, [], 0, None
        self.silent = []  # after each fault, seconds until all accounts have acknowledged something
        self.checked, self.between = [0] * ACCOUNTS, 0
        self.over = threading.Event()
        self.daemons = []

    def report(self, good, what):
        if not good:
            self.wrong.append(what)
            print("  FAIL  " + what, flush=True)
        return good

    # ---- the daemons ----

    def start(self):
        names = ("one", "two", "three") if self.port else ("one",)
        for name in names:
            relay = Relay(self.port) if self.port else None
            patient = "?connect_timeout=%d" % (5 * SPEED)  # 5 s of the machine's clock
            store = server_store(relay.port) + patient if relay else self.folder + "/soak.db"
            FastDaemon.config = self.config
            self.daemons.append(FastDaemon(name, self.program, store, self.folder, self.players[0].root, relay))
            until(lambda: self.daemons[0].count("started"), 20)

    def disturb(self):
        kinds = ["kill", "kill", "end", "stop"] + (["cut"] if self.port else ["backup"])
        kind = self.random.choice(kinds)
        self.struck[kind] = self.struck.get(kind, 0) + 1
        if kind == "backup":
            return self.backup()
        self.revive()
        holder = self.random.choice(self.daemons)
        strike(kind, holder)
        time.sleep(self.random.random() * 2)
        if kind == "cut":
            holder.relay.set_cut(False)
        elif kind == "stop":
            holder.process.send_signal(signal.SIGCONT)
        else:
            holder.process.wait(20)
            holder.start()
        return self.report(self.alive(), "%s: nothing is acknowledged afterwards: %s" % (
            kind, [self.last_words(daemon) for daemon in self.daemons]))

    def alive(self):
        """Something is acknowledged again, on each account."""
        begun = time.monotonic()
        before = [(players.acknowledged, players.polls) for players in self.players]

        def acknowledged():
            return all(p.acknowledged > n for p, (n, _) in zip(self.players, before))
        good = until(acknowledged, ALIVE_S)
        if not good and all(p.polls > polls + 10 for p, (_, polls) in zip(self.players, before)):
            good = until(acknowledged, ASKING_S - ALIVE_S)
        self.silent.append(time.monotonic() - begun)
        return good

    def revive(self):
        """As a service manager does. By itself a daemon never ends."""
        ended = [daemon for daemon in self.daemons if daemon.process.poll() is not None]
        for daemon in ended:
            self.report(False, "a daemon ended with %s: %s" % (daemon.process.returncode, self.last_words(daemon)))
            self.struck["ended itself"] = self.struck.get("ended itself", 0) + 1
            daemon.start()
        return bool(ended)

    def last_words(self, daemon):
        with open(daemon.log, errors="replace") as log:
            return (log.read().splitlines() or [""])[-1]

    def tool(self, *words, store=None):
        env = dict(self.daemons[0].env)
        if store:
            env["KOIKOI_STORE"] = store
        return subprocess.run([self.program, *words], env=env, capture_output=True, text=True, errors="replace")

    def backup(self):
        """The last one is kept."""
        path = "%s/backup%d" % (self.folder, self.backups)
        done = self.tool("backup", path)
        if not self.report(done.returncode == 0, "backup: " + done.stderr):
            return False
        if self.kept:
            os.unlink(self.kept)
        self.kept, self.backups = path, self.backups + 1
        return True

    # ---- what was acknowledged ----

    def heard(self, i, ids):
        """Which of these updates of an account the store knows."""
        sql = heard_sql(i, ids)
        if self.server:
            answer = subprocess.run(["psql", "-XAtq", self.server, "-c", sql], capture_output=True, text=True)
            self.report(answer.returncode == 0, "psql: " + answer.stderr)
            return {int(n) for n in answer.stdout.split()}
        store = sqlite3.connect("file:%s/soak.db?mode=ro" % self.folder, uri=True, timeout=20)
        try:
            return {int(n) for (n,) in store.execute(sql)}
        finally:
            store.close()

    def check_acknowledged(self):
        for n, players in enumerate(self.players):
            with players.lock:
                top = players.acknowledged
            ids = range(self.checked[n] + 1, top + 1)
            for i in range(0, len(ids), 500):
                part = ids[i:i + 500]
                lost = sorted(set(part) - self.heard(n, part))
                self.report(not lost, "acknowledged by %s, and not in the store: %s" % (account(n), lost[:9]))
            self.checked[n] = max(self.checked[n], top)

    # ---- the run ----

    def disturb_all(self):
        while time.monotonic() < self.end and len(self.wrong) < 20:
            time.sleep(1 + self.random.random() * 5)
            self.disturb()

    def play(self):
        while not self.over.is_set():
            for players in self.players:
                players.step()
            time.sleep(STEP_S)

    def watch(self):
        while not self.over.wait(CHECK_S):
            self.check_acknowledged()

    def run(self):
        self.start()
        # What was said before a bot's first poll is not for it.
        self.report(until(lambda: all(players.polls > 3 for players in self.players), 60), "an account is not polled")
        for players in self.players:
            players.greet()
        threads = [threading.Thread(target=work) for work in (self.play, self.watch)]
        for thread in threads:
            thread.start()
        try:
            self.disturb_all()
            for players in self.players:
                players.calm = True
            self.report(self.alive(), "after the last fault nothing is acknowledged")
        finally:
            self.over.set()
            for thread in threads:
                thread.join()
        self.report(until(lambda: all(p.acknowledged >= p.number for p in self.players), SETTLE_S), "updates stay unheard")
        self.check_acknowledged()
        if self.revive():
            time.sleep(2)
        for daemon in self.daemons:
            daemon.process.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            self.report(daemon.process.wait(20) == 0, "a daemon ended with %s: %s" % (
                daemon.process.returncode, self.last_words(daemon)))

    # ---- afterwards ----

    def examine(self, path):
        """Checks one store, a file; returns the numbers of its finished matches and their moves."""
        store = sqlite3.connect(path)
        self.report([("ok",)] == store.execute("PRAGMA integrity_check").fetchall(), path + ": integrity_check")
        found = self.tool("doctor", store=path).stdout
        self.report("fine    it is sound: " in found, path + ": doctor: " + found)
        aside, = store.execute("SELECT COUNT(*) FROM quarantine").fetchone()
        for (why,) in store.execute("SELECT why FROM quarantine LIMIT 3"):
            print("  in quarantine: %s" % why)
        self.report(aside == 0, "%s: %d in quarantine" % (path, aside))
        records = {}
        for session, lines in store.execute("SELECT session, lines FROM record ORDER BY session, id"):
            records[session] = records.get(session, "") + lines
        finished = {n: text for n, text in records.items() if '"t":"match_end"' in text.replace(" ", "")}
        for n, text in finished.items():
            kept = "%s/match.koikoi" % self.folder
            with open(kept, "w") as file:
                file.write(text)
            for check in "replay", "verify":
                done = self.tool(check, kept)
                self.report(done.returncode == 0, "match %d: %s: %s" % (n, check, done.stderr.strip()))
        self.examine_results(store, finished)
        live, = store.execute("SELECT COUNT(*) FROM session WHERE live = 1").fetchone()
        store.close()
        return finished, live

    def examine_results(self, store, finished):
        """A match counts once for each of its two people, in its chat or both, and over all (chat 0)."""
        counted = {}
        for session, chat, n in store.execute("SELECT session, chat, COUNT(*) FROM played GROUP BY 1, 2"):
            counted.setdefault(session, {})[chat] = n
        odd = [n for n, chats in counted.items() if set(chats.values()) != {2} or 0 not in chats or len(chats) not in (2, 3)]
        self.between = sum(len(chats) == 3 for chats in counted.values())
        self.report(not ACCOUNTS > 1 or self.between > 0 or len(counted) < 20, "no match between two accounts has ended")
        self.report(not odd, "matches that count more or less than once: %s" % odd[:9])
        missing = [n for n in finished if n not in counted]
        self.report(not missing, "finished matches without a result: %s" % missing[:9])

    def moves_are_recorded(self, finished):
        """Each move that was answered as taken stands in the record of its match, by number alone."""
        taken = {}
        for n, _ in itertools.chain(*(players.accepted for players in self.players)):
            found = re.match(r"[a-zA-Z](\d+)$", n)
            if found:
                taken[int(found.group(1))] = taken.get(int(found.group(1)), 0) + 1
        self.report(not finished or any(n in taken for n in finished), "finished matches, and no move of them was seen")
        for n, text in finished.items():
            moves = sum(json.loads(line)["t"] in ("play", "draw", "decide", "declare") for line in text.splitlines())
            self.report(taken.get(n, 0) <= moves,
                        "match %d: %d moves taken, %d in the record" % (n, taken.get(n, 0), moves))
        twice = [data for players in self.players for data in players.twice]
        self.report(not twice, "taken twice: %s" % twice[:9])

    def restore(self):
        """The last backup, which is older than what people see, is put back: its matches are there and go on."""
        _, live = self.examine(self.kept)
        place = self.folder + "/restored.db"
        done = self.tool("restore", self.kept, store=place)
        if not self.report(done.returncode == 0, "restore: " + done.stderr):
            return
        listed = self.tool("matches", store=place).stdout
        self.report("running matches: %d" % live in listed, "restored: not %d matches: %s" % (live, listed[-40:]))
        daemon = self.daemons[0]
        daemon.env["KOIKOI_STORE"] = place
        before = self.played(place)
        daemon.start()
        self.over.clear()
        player = threading.Thread(target=self.play)
        player.start()
        good = until(lambda: self.played(place) > before + 50, 60)
        self.over.set()
        player.join()
        daemon.process.send_signal(signal.SIGTERM)
        daemon.process.wait(20)
        self.report(good, "the restored store does not play on")
        self.examine(place)

    def played(self, path):
        """How much the records of a store hold."""
        store = sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=20)
        try:
            return store.execute("SELECT COUNT(*) FROM record").fetchone()[0]
        finally:
            store.close()

    def last_store(self):
        if not self.server:
            return self.folder + "/soak.db"
        path = self.folder + "/moved.db"
        done = self.tool("move-store", self.server, path)
        self.report(done.returncode == 0, "move-store: " + done.stderr)
        return path


def totals(soak):
    """What was played."""
    def total(count):
        return sum(count(players) for players in soak.players)
    return {"updates": total(lambda p: p.number), "presses": total(lambda p: len(p.queries)),
            "moves_taken": total(lambda p: len(p.accepted)), "challenges": total(lambda p: p.matches)}


def main():
    program, folder, seconds, seed = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    port = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    soak = Soak(program, folder, seconds, seed, port)
    finished = {}
    try:
        soak.run()
        finished, _ = soak.examine(soak.last_store())
        soak.moves_are_recorded(finished)
        if not soak.port:
            soak.kept or soak.backup()
            soak.restore()
    finally:
        for daemon in soak.daemons:
            daemon.process.kill()
    answers = sum((collections.Counter(players.faults) for players in soak.players), collections.Counter())
    print(json.dumps({
        "soak": "postgresql" if port else "sqlite", "seconds": round(seconds), "seed": seed,
        "days": round((fast_clock() - begun) / 86400, 1), "accounts": ACCOUNTS, "faults": soak.struck, "answers": answers,
        **totals(soak), "silent_s": [round(s, 1) for s in (statistics.median(soak.silent), max(soak.silent))] if soak.silent else [],
        "between_accounts": soak.between, "matches_finished": len(finished), "backups": soak.backups,
        "wrong": soak.wrong[:20]}), flush=True)
    print("[  PASSED  ] 1 test(s)." if not soak.wrong else "[  FAILED  ] 1 test(s)")
    return bool(soak.wrong)


if __name__ == "__main__":
    sys.exit(main())
