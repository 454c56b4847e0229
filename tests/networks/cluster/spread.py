#!/usr/bin/env python3
"""Accounts that are spread over three daemons: spread.py PROGRAM PORT FOLDER ROUNDS SEED

Six accounts of Telegram, each with a server of its own, on three daemons that share a store, each through a relay of its
own; one of the accounts has a webhook, which each daemon answers. A daemon is killed, ended, stopped or cut off, in an order
that SEED gives: soon /ping is answered again on every account, and once the daemon is back each has its share. People type
/ping all the time: every one is answered; twice only if the first answer left close to a fault."""
import http.client
import json
import os
import random
import re
import signal
import socket
import statistics
import sys
import threading
import time

from cluster import Chat, Daemon, IN_FLIGHT, PATIENCE, Relay, server_store, strike, until
from servers import response

ACCOUNTS, DAEMONS = 6, 3
HOOKED = ACCOUNTS - 1  # the account with a webhook
SECRET = "sixteen_or_more_0"
NEAR_S = 1
# What was asked at the fault is answered, by daemons that have given back what they had and shared all out anew.
LIMIT_S = {"kill": 1.5, "end": 1.5, "stop": 5, "cut": 3, "vanish": 5}


class Hooked(Chat):
    """A Telegram that brings its updates to any of the daemons that listens, again until one of them has answered 200."""
    ports, brought = [], 0

    def answer(self, method, path, body):
        if path.split("/")[-1].startswith("getWebhookInfo"):
            return None, response(json.dumps({"ok": True, "result": {"url": "http://here.test/hook", "pending_update_count": 0}}))
        return super().answer(method, path, body)

    def type(self, text):
        with self.lock:
            self.number += 1
            update = self.update(self.number, text)
        threading.Thread(target=self.bring, args=(json.dumps(update),), daemon=True).start()

    def bring(self, update):
        for turn in range(400):
            port = self.ports[(hash(update) + turn) % len(self.ports)]
            try:
                visit = http.client.HTTPConnection("127.0.0.1", port, timeout=0.5)
                visit.request("POST", "/hook", update, {"X-Telegram-Bot-Api-Secret-Token": SECRET})
                if visit.getresponse().status == 200:
                    self.brought += 1
                    return
            except OSError:
                pass
            time.sleep(0.05)


class Spread(Daemon):
    """One daemon of several, with the configuration of all."""
    def __init__(self, name, program, folder, config, port, relay):
        self.config, self.listens = config, port
        super().__init__(name, program, server_store(relay.port, "spread"), folder, "", relay)

    def environment(self):
        env = {name: value for name, value in self.env.items() if not name.startswith("KOIKOI_TELEGRAM_")}
        return dict(env, KOIKOI_CONFIG=self.config, KOIKOI_LISTEN="127.0.0.1:%d" % self.listens)

    def has(self):
        """The accounts of the last start."""
        with open(self.log, errors="replace") as log:
            found = re.findall(r" started .*networks=(\S*)", log.read())
        return found[-1].split(",") if found else []


def configure(path, chats):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        for i, chat in enumerate(chats):
            file.write("[telegram.a%d]\ntoken = %d:TEST\napi_root = %s\npace = 0\n" % (i, i + 1, chat.root))
            if i == HOOKED:
                file.write("webhook_url = http://here.test/hook\nwebhook_secret = %s\n" % SECRET)


def free_ports(n):
    """Below those that the system lends to connections."""
    found = []
    while len(found) < n:
        port = random.randrange(10240, 32000)
        with socket.socket() as probe:
            if port not in found and probe.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
    return found


def shared_out(daemons):
    """Each account has one daemon, each daemon its share."""
    all_of_them = [name for daemon in daemons for name in daemon.has()]
    return len(all_of_them) == len(set(all_of_them)) == ACCOUNTS and all(len(d.has()) == ACCOUNTS // DAEMONS for d in daemons)


class Writers:
    """Somebody on each account writes all the time."""
    def __init__(self, chats):
        self.chats, self.over, self.sent = chats, threading.Event(), [[] for _ in chats]
        self.threads = [threading.Thread(target=self.write, args=(i,)) for i in range(len(chats))]
        for thread in self.threads:
            thread.start()

    def write(self, i):
        while not self.over.wait(0.2):
            word = "w%dq%dz" % (i, len(self.sent[i]))
            self.sent[i].append(word)
            self.chats[i].ping(word)

    def answers(self, i, word):
        return [at for at, said in list(self.chats[i].said) if "pong " + word in said]

    def newest_answered(self):
        newest = [sent[-1] for sent in self.sent]
        return lambda: all(self.answers(i, word) for i, word in enumerate(newest))

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


def play(daemons, plan, order, writers, faults, report):
    taken = {}
    for kind in plan:
        time.sleep(1)
        struck = order.choice(daemons)
        begun = time.monotonic()
        faults.append(begun)
        strike(kind, struck)
        time.sleep(0.05)  # what is written from now on meets the fault
        for i, chat in enumerate(writers.chats):
            writers.sent[i].append("f%dq%dz" % (i, len(writers.sent[i])))
            chat.ping(writers.sent[i][-1])
        until(writers.newest_answered(), 20)
        seconds = time.monotonic() - begun
        faults.append(time.monotonic())
        taken.setdefault(kind, []).append(seconds)
        report(seconds <= LIMIT_S[kind] * PATIENCE, "%s: all accounts answer after %.2f s" % (kind, seconds))
        if kind in ("kill", "end", "vanish"):
            struck.process.wait(10)
            struck.relay.silent = False
            struck.start()
        elif kind == "stop":
            struck.process.send_signal(signal.SIGCONT)
        else:
            struck.relay.set_cut(False)
        faults.append(time.monotonic())
        report(until(lambda: shared_out(daemons), 20), "%s: each daemon has its share again" % kind)
        faults.append(time.monotonic())
    for kind, times in sorted(taken.items()):
        print("  %s: %d, median %.2f s, worst %.2f s" % (kind, len(times), statistics.median(times), max(times)))


def judge(writers, faults, plan, report):
    until(lambda: all(writers.answers(i, word) for i, sent in enumerate(writers.sent) for word in sent[-20:]), 20)
    lost = [word for i, sent in enumerate(writers.sent) for word in sent if not writers.answers(i, word)]
    written = sum(map(len, writers.sent))
    report(not lost, "%d pings, each answered%s" % (written, ": not " + " ".join(lost[:9]) if lost else ""))
    twice = [(i, word) for i, sent in enumerate(writers.sent) for word in sent if len(writers.answers(i, word)) > 1]
    far = [word for i, word in twice if not any(abs(writers.answers(i, word)[0] - at) < NEAR_S for at in faults)]
    report(not far and len(twice) <= IN_FLIGHT * ACCOUNTS * len(plan),
           "%d answered twice, %d far from a fault" % (len(twice), len(far)))


def main():
    program, port, folder, rounds, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
    chats = [Hooked() if i == HOOKED else Chat() for i in range(ACCOUNTS)]
    results, faults, daemons = [], [], []

    def report(good, name):
        results.append(good)
        print("  %s  %s" % ("ok  " if good else "FAIL", name), flush=True)

    order = random.Random(seed)
    plan = list(LIMIT_S) * rounds
    order.shuffle(plan)
    configure(folder + "/spread.conf", chats)
    chats[HOOKED].ports = free_ports(DAEMONS)
    try:
        for i in range(DAEMONS):
            daemons.append(Spread("spread%d" % i, program, folder, folder + "/spread.conf", chats[HOOKED].ports[i], Relay(port)))
        report(until(lambda: shared_out(daemons), 20), "each of %d daemons has %d of %d accounts" % (
            DAEMONS, ACCOUNTS // DAEMONS, ACCOUNTS))
        time.sleep(1)  # what is said before a bot's first poll is not for it
        writers = Writers(chats)
        try:
            play(daemons, plan, order, writers, faults, report)
        finally:
            writers.end()
        judge(writers, faults, plan, report)
        report(chats[HOOKED].brought == len(writers.sent[HOOKED]), "each update of the webhook was taken")
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
