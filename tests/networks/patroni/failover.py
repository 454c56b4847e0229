#!/usr/bin/env python3
"""Matches on three daemons while Patroni gives their store to another server: failover.py PROGRAM FOLDER BIN ROUNDS SEED

Three accounts, each with a Telegram of its own, at whose tables people play; three daemons, of which each has one. The
server that writes is killed, stopped, cut off from the network and switched over, its synchronous replica stopped, in an
order that SEED gives. From the moment in which Patroni says that another writes (or that another replica is the
synchronous one), each account must answer what is written from then on within LIMIT_S, and BUSY times what an answer takes
without a fault. In the end, as in soak.py, nothing that was acknowledged may be lost, or have happened twice."""
import json
import os
import re
import signal
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.path.insert(0, os.path.join(here, "..", "soak"))
from nodes import Cluster, PATIENCE, until
import players as people
import soak

LIMIT_S = 5
PROMOTED_S, WHOLE_S = 60, 90  # what Patroni may take, which is not ours
BUSY = 3  # a machine that does other things is slower at all that an answer needs
IN_FLIGHT = 2  # answers of an account that may be under way at a fault, and are said again
KINDS = "kill", "stop", "cut", "switch", "replica"


def writable(store):
    return store + "?target_session_attrs=read-write&connect_timeout=2"


class Calm(people.Players):
    """Players on a Telegram without faults, who hear /ping answered."""
    batches = 50,

    def __init__(self, *args):
        self.written, self.pongs = 0, {}
        super().__init__(*args)
        self.calm = True

    def ping(self):
        with self.lock:
            self.written += 1
            word = "w%dz" % self.written
            self.say({"id": 90, "is_bot": False, "first_name": "Eve"}, -9000 - self.written, "/ping " + word)
            return word

    def seen(self, chat, text):
        super().seen(chat, text)
        if text.startswith("pong "):
            self.pongs.setdefault(text.split()[1], []).append(time.monotonic())


soak.STEP_S = 0.15  # people think ...
people.IDLE_S = 8  # ... and do not ask again all the time while nobody answers


class Failover(soak.Soak):
    def __init__(self, program, folder, cluster, rounds, seed):
        super().__init__(program, folder, 0, seed, 0, Calm)
        self.cluster, self.server = cluster, cluster.store("koikoi")
        self.plan = os.environ.get("STORIES", "").split()
        if not self.plan:
            self.plan = list(KINDS) * rounds
            self.random.shuffle(self.plan)
        self.answered = {}  # by kind of fault

    def good(self, good, what):
        """As report(), and says so."""
        if self.report(good, what):
            print("  ok    " + what, flush=True)
        return good

    def start(self):
        soak.FastDaemon.config = self.config
        for name in "one", "two", "three":
            self.daemons.append(soak.FastDaemon(name, self.program, self.server, self.folder, self.players[0].root))
            until(lambda: self.daemons[0].count("started"), 20)

    def watch(self):
        """In the end all of it is asked for: a server that wakes shows for a moment what it had."""

    def heard(self, i, ids):
        found = []
        until(lambda: found.append(self.ask_heard(i, ids)) or found[-1] is not None or time.sleep(0.5), PROMOTED_S)
        return found[-1] or set()

    def ask_heard(self, i, ids):
        sql = soak.heard_sql(i, ids)
        answer = subprocess.run(["timeout", "10", "psql", "-XAtq", writable(self.server), "-c", sql], capture_output=True, text=True)
        return {int(n) for n in answer.stdout.split()} if answer.returncode == 0 else None

    # ---- words for the host ----

    def told(self, command, *words):
        said = self.tool(command).stdout
        self.good(all(word in said for word in words), "%s says: %s" % (command, "; ".join(words)))
        if not all(word in said for word in words):
            print(said)

    def check_words(self):
        """The cluster is whole."""
        place = {n: "127.0.0.1:%d" % n.relays["server"].port for n in self.cluster.nodes}
        writes = self.cluster.primary()
        self.told("check-config", "postgresql://%s/koikoi" % ",".join(place.values()))
        self.told("status", ", written at %s" % place[writes])
        self.told("doctor", *(place[n] + (" takes what is written, and so does a synchronous replica" if n is writes
                                          else " takes nothing that is written") for n in place))

    # ---- faults ----

    def strike(self, kind):
        """Returns what ends the fault, and a condition for what Patroni does about it."""
        old, replica = self.cluster.primary(), self.cluster.replica()
        another = lambda: self.cluster.primary(but=old) is not None
        if kind == "kill":
            old.kill()
            return old.start, another
        if kind == "cut":
            old.set_cut_off(True)
            return lambda: old.set_cut_off(False), another
        if kind == "switch":
            asked = self.cluster.switch_over()
            return lambda: self.good(asked.wait(60) == 0, "patronictl switchover") or print(asked.stdout.read()), another
        struck = old if kind == "stop" else replica
        struck.signal(signal.SIGSTOP)
        other_replica = lambda: self.cluster.replica() not in (None, replica)
        return lambda: struck.signal(signal.SIGCONT), another if kind == "stop" else other_replica

    def answer(self, kind):
        """Each account answers what is written from now on."""
        begun = time.monotonic()
        words = [players.ping() for players in self.players]
        until(lambda: all(word in p.pongs for p, word in zip(self.players, words)), 60)
        silent = [i for i, (p, word) in enumerate(zip(self.players, words)) if word not in p.pongs]
        seconds = time.monotonic() - begun
        self.answered.setdefault(kind, []).append(seconds)
        return self.good(not silent and seconds <= LIMIT_S * PATIENCE + BUSY * self.calm_s,
                         "%s: each account answers %.2f s later, before it within %.2f s%s" % (
                             kind, seconds, self.calm_s, ", but for %s" % silent if silent else ""))

    def usual(self):
        """Seconds that an answer of each account takes without a fault, on this machine as it is now."""
        begun = time.monotonic()
        words = [players.ping() for players in self.players]
        until(lambda: all(word in p.pongs for p, word in zip(self.players, words)), 30)
        return time.monotonic() - begun

    def disturb(self, kind):
        self.calm_s = self.usual()
        before, ends = time.monotonic(), [os.path.getsize(daemon.log) for daemon in self.daemons]
        if not self.follow(kind, before):
            for daemon, end in zip(self.daemons, ends):
                with open(daemon.log, errors="replace") as log:
                    log.seek(end)
                    lines = [line for line in log if not re.search(" (slow_step|send_\\w+|match_\\w+) ", line)]
                    print("--- %s\n%s" % (daemon.log, "".join(lines[:30])))

    def follow(self, kind, before):
        for players in self.players:
            players.ping()
        heal, followed = self.strike(kind)
        time.sleep(0.05)
        acted = until(lambda: followed() or time.sleep(0.05), PROMOTED_S)
        good = self.good(acted, "%s: Patroni acts %.1f s after it" % (kind, time.monotonic() - before)) and self.answer(kind)
        time.sleep(1)
        heal()
        whole = self.good(self.cluster.wait_whole(WHOLE_S), "%s: the cluster is whole again" % kind)
        return not self.revive() and good and whole

    def disturb_all(self):
        for kind in self.plan:
            time.sleep(2)
            self.disturb(kind)
        self.check_words()

    def judge_pings(self):
        pings = [(p, "w%dz" % (n + 1)) for p in self.players for n in range(p.written)]
        lost = [word for p, word in pings if word not in p.pongs]
        twice = [word for p, word in pings if len(p.pongs.get(word, [])) > 1]
        self.good(not lost, "%d pings, each answered%s" % (len(pings), ": not " + " ".join(lost[:9]) if lost else ""))
        self.good(len(twice) <= IN_FLIGHT * len(self.players) * len(self.plan), "%d of them twice" % len(twice))


def main():
    program, folder, bin_dir, rounds, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    play, cluster = None, Cluster(folder + "/nodes", bin_dir)
    try:
        if not cluster.wait_whole(WHOLE_S):
            raise SystemExit("patroni: no cluster after %d s: %s" % (WHOLE_S * PATIENCE, cluster.roles()))
        subprocess.run(["psql", "-Xq", writable(cluster.store("postgres")), "-c", "CREATE DATABASE koikoi"], check=True)
        play = Failover(program, folder, cluster, rounds, seed)
        play.run()
        play.judge_pings()
        finished, _ = play.examine(play.last_store())
        play.moves_are_recorded(finished)
        played = soak.totals(play)
        play.good(len(finished) > 0, "%d matches finished, %s" % (len(finished), json.dumps(played)))
    finally:
        for daemon in play.daemons if play else []:
            daemon.process.kill()
        cluster.end()
    for kind, times in sorted(play.answered.items()):
        print("  %s: answers after %s s" % (kind, ", ".join("%.2f" % s for s in times)))
    print("[  PASSED  ] 1 test(s)." if not play.wrong else "[  FAILED  ] 1 test(s)")
    return bool(play.wrong)


if __name__ == "__main__":
    sys.exit(main())
