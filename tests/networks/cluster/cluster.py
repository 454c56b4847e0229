#!/usr/bin/env python3
"""Faults on three daemons that share a store: cluster.py PROGRAM PORT FOLDER ROUNDS SEED

Each daemon reaches the database through a relay of its own. Someone writes /ping ten times a second, while the holder
of the store is killed, ended, stopped, cut off, or its machine vanishes, in an order that SEED gives. Another must take
over in time, and every ping must be answered; twice only if the first answer left close to a fault, and at most two such a fault."""
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile"))
from servers import Telegram, response

PATIENCE = float(os.environ.get("PATIENCE", "1"))
LIMIT_S = {"kill": 0.5, "end": 0.5, "stop": 4, "cut": 0.5, "vanish": 4}  # of the median
HICCUP_S = 0.5  # that one alone may take longer
NEAR_S = 1
LATE_STOPS = 3
IN_FLIGHT = 2  # answers that may be under way at a fault and are said again


class Relay:
    """TCP relay to the database; `cut` closes its connections and refuses new ones, `silent` passes nothing on, not even
    the end of a connection."""
    def __init__(self, port):
        self.to, self.cut, self.silent, self.open = port, False, False, set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near = self.listener.accept()[0]
            if self.cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:  # nobody is there
                near.close()
                continue
            self.open |= {near, far}
            for pair in (near, far), (far, near):
                threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source, sink):
        try:
            while data := source.recv(65536):
                if not self.silent:
                    sink.sendall(data)
        except OSError:
            pass
        if self.silent:
            return
        for end in source, sink:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def set_cut(self, cut):
        self.cut = cut
        for end in list(self.open) if cut else ():
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self.open.discard(end)


class Chat(Telegram):
    """A Telegram that gives an update again until a poll's offset acknowledges it."""
    def answer(self, method, path, body):
        if path.split("/")[-1].split("?")[0] != "getUpdates":
            return super().answer(method, path, body)
        found = re.search(rb'offset"?[=:] ?(-?\d+)', path.encode() + b" " + body)
        offset = int(found.group(1)) if found else 0
        with self.lock:
            self.updates = [u for u in self.updates if u["update_id"] >= offset]
            self.lock.wait_for(lambda: self.updates, 1)
            return None, response(json.dumps({"ok": True, "result": self.updates[:50]}))

    def heard(self, body):
        with self.lock:
            self.said.append((time.monotonic(), body.decode(errors="replace")))


def server_store(port, name="cluster"):
    return "postgresql://koi@127.0.0.1:%d/%s" % (port, name)


class Daemon:
    def __init__(self, name, program, store, folder, root, relay=None):
        self.relay, self.log = relay, "%s/%s.log" % (folder, name)
        self.env = dict(os.environ, KOIKOI_STATE_DIR="%s/%s" % (folder, name), KOIKOI_KEY_FILE=folder + "/key",
                        KOIKOI_STORE=store, KOIKOI_TELEGRAM_TOKEN="123456:TEST", KOIKOI_TELEGRAM_API_ROOT=root,
                        KOIKOI_TELEGRAM_PACE="0")
        self.program = program
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([self.program, "run"], env=self.environment(), stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)

    def environment(self):
        return self.env

    def count(self, word):
        with open(self.log, errors="replace") as log:
            return log.read().count(" %s " % word)


def until(condition, seconds):
    end = time.monotonic() + seconds * PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def strike(kind, holder):
    if kind == "cut":
        holder.relay.set_cut(True)
        return
    if kind == "vanish":
        holder.relay.silent = True
    holder.process.send_signal({"end": signal.SIGTERM, "stop": signal.SIGSTOP}.get(kind, signal.SIGKILL))


def recover(kind, daemon):
    """Whether the struck daemon stands by again."""
    before = daemon.count("standing_by")
    if kind in ("kill", "end", "vanish"):
        daemon.process.wait(10)
        daemon.relay.silent = False
        daemon.start()
    elif kind == "stop":
        daemon.process.send_signal(signal.SIGCONT)
    else:
        daemon.relay.set_cut(False)
    return until(lambda: daemon.count("standing_by") > before, 25)


def stop_late(holder, daemons, faults, report):
    """Told to stop when it does not know yet that another has its accounts. Returns that one."""
    time.sleep(1)  # it has answered what waited for it
    others = [d for d in daemons if d is not holder]
    held = {d: d.count("started") for d in others}
    faults.append(time.monotonic())
    holder.process.send_signal(signal.SIGSTOP)
    until(lambda: any(d.count("started") > held[d] for d in others), 20)
    holder.process.send_signal(signal.SIGTERM)
    holder.process.send_signal(signal.SIGCONT)
    try:
        status = holder.process.wait(10 * PATIENCE)
    except subprocess.TimeoutExpired:
        status = "that it plays on"
        holder.process.kill()
        holder.process.wait()
    report(status == 0, "stopped late, it ends with %s" % status)
    holder.start()
    faults.append(time.monotonic())
    until(lambda: holder.count("standing_by"), 10)
    return next((d for d in others if d.count("started") > held[d]), holder)


def play(daemons, plan, faults, report):
    held = {d: d.count("started") for d in daemons}
    holder = next(d for d in daemons if held[d])
    taken = {}
    for kind in plan:
        time.sleep(0.5)
        held = {d: d.count("started") for d in daemons}
        begun = time.monotonic()
        faults.append(begun)
        strike(kind, holder)
        others = [d for d in daemons if d is not holder]
        until(lambda: any(d.count("started") > held[d] for d in others), 20)
        seconds = time.monotonic() - begun
        taken.setdefault(kind, []).append(seconds)
        report(seconds <= (LIMIT_S[kind] + HICCUP_S) * PATIENCE, "%s: taken over in %.2f s" % (kind, seconds))
        new = next((d for d in others if d.count("started") > held[d]), None)
        report(recover(kind, holder), "%s: the old holder stands by again" % kind)
        faults.append(time.monotonic())
        if not new:
            break
        holder = new
    for _ in range(LATE_STOPS):
        holder = stop_late(holder, daemons, faults, report)
    for kind, times in sorted(taken.items()):
        median = statistics.median(times)
        print("  %s: %d, median %.2f s, worst %.2f s" % (kind, len(times), median, max(times)))
        if len(times) > 2:
            report(median <= LIMIT_S[kind] * PATIENCE, "%s: mostly within %.1f s" % (kind, LIMIT_S[kind]))


def main():
    program, port, folder, rounds, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
    chat, results, faults, over = Chat(), [], [], threading.Event()

    def report(good, name):
        results.append(good)
        print("  %s  %s" % ("ok  " if good else "FAIL", name), flush=True)

    plan = list(LIMIT_S) * rounds
    random.Random(seed).shuffle(plan)
    daemons = []
    try:
        def daemon(name):
            relay = Relay(port)
            return Daemon(name, program, server_store(relay.port), folder, chat.root, relay)
        daemons += [daemon("one")]
        until(lambda: daemons[0].count("started"), 10)
        daemons += [daemon("two"), daemon("three")]
        report(until(lambda: all(d.count("standing_by") for d in daemons[1:]), 10), "two daemons stand by")
        sent = []

        def write():
            while not over.wait(0.1):
                sent.append("w%dz" % len(sent))
                chat.ping(sent[-1])
        writer = threading.Thread(target=write)
        writer.start()
        try:
            play(daemons, plan, faults, report)
        finally:
            over.set()
            writer.join()
        def answers(word):
            return [at for at, said in list(chat.said) if "pong " + word in said]
        until(lambda: all(answers(word) for word in sent[-20:]), 20)
        lost = [word for word in sent if not answers(word)]
        report(not lost, "%d pings, each answered%s" % (len(sent), ": not " + " ".join(lost[:9]) if lost else ""))
        twice = [word for word in sent if len(answers(word)) > 1]
        far = [w for w in twice if not any(abs(answers(w)[0] - at) < NEAR_S for at in faults)]
        for word in twice[:20]:
            first, second = answers(word)[:2]
            near = min(faults, key=lambda at: abs(first - at))
            print("  %s: first answer %+.2f s from a fault, again %.2f s later" % (word, first - near, second - first))
        report(not far and len(twice) <= IN_FLIGHT * (len(plan) + LATE_STOPS),
               "%d answered twice, %d far from a fault" % (len(twice), len(far)))
    finally:
        for daemon in daemons:
            daemon.process.kill()
            if not all(results):
                with open(daemon.log, errors="replace") as log:
                    print("".join(log.readlines()[-12:]))
    print("[  PASSED  ] %d test(s)." % sum(results))
    if not all(results):
        print("[  FAILED  ] %d test(s)" % (len(results) - sum(results)))
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
