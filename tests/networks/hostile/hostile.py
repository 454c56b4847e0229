#!/usr/bin/env python3
"""Plays a daemon against hostile servers: hostile.py PROGRAM SHARE

One daemon serves a Telegram and a homeserver at once. Each gives it every hostile answer of answers.py, to a poll or
to a message of the bot; then somebody writes /ping, in a chat of their own, and must read the answer within 10 s
(the daemon's back-off included). The daemon must stay the same process, its memory must come back, and SIGTERM must
end it. SHARE: every n-th answer alone."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import answers
from servers import Matrix, Telegram

PATIENCE = float(os.environ.get("PATIENCE", "1"))
WITHIN_S, SLOW_S, KEPT_MIB = 10 * PATIENCE, 20 * PATIENCE, 48
SOUND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sound.sh")
SLOW = {"a body in drops"}  # refused after 10 s
results, lock = [], threading.Lock()


def memory_mib(pid):
    with open("/proc/%d/statm" % pid) as f:
        return int(f.read().split()[1]) * resource.getpagesize() >> 20


def report(good, name, why=""):
    with lock:
        results.append(good)
        print("  ok    %s" % name if good else "  FAIL  %s: %s" % (name, why), flush=True)


def play(server, daemon, where, kinds, share, offset):
    for i, (name, answer) in enumerate(sorted(kinds.items())):
        if (i + offset) % share:
            continue
        title = "%s, %s: %s" % (server.name, where, name)
        if daemon.poll() is not None:
            report(False, title, "the daemon has ended: %d" % daemon.returncode)
            return
        begun = time.time()
        word = "w%s%d" % (where[0], i)
        server.put(where, answer)
        if where == "send":
            server.ping("first" + word)
        taken = server.waits_for(lambda: getattr(server, where) is None, SLOW_S)
        server.ping(word)
        limit = SLOW_S if name in SLOW else WITHIN_S
        heard = server.says(word, limit) if where == "poll" else server.says("pong " + word, limit)
        why = "" if taken else "the answer was not asked for"
        why = why or ("" if heard else "no answer to a ping")
        report(not why, "%s (%.1f s)" % (title, time.time() - begun), why)


def all_kinds(server, daemon, polls, receipts, share, offset):
    play(server, daemon, "poll", polls, share, offset)
    play(server, daemon, "send", receipts, share, offset)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    program, share = sys.argv[1], int(sys.argv[2])
    offset = int(time.time() // 3600) % share
    telegram, matrix = Telegram(), Matrix()
    with tempfile.TemporaryDirectory(prefix="koikoi-hostile.") as folder:
        with open(folder + "/log", "wb") as log:
            env = dict(os.environ, KOIKOI_STATE_DIR=folder + "/state", KOIKOI_TELEGRAM_TOKEN="123456:TEST",
                       KOIKOI_TELEGRAM_API_ROOT=telegram.root, KOIKOI_MATRIX_HOMESERVER=matrix.root,
                       KOIKOI_TELEGRAM_PACE="0",
                       KOIKOI_MATRIX_TOKEN="tok", KOIKOI_MATRIX_USER="@koi:x", KOIKOI_MATRIX_PACE="0")
            daemon = subprocess.Popen([program, "run"], env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            for server in telegram, matrix:
                server.ping("begin")
                report(server.says("pong begin", 20 * PATIENCE), server.name + ": a good answer to begin with")
            before = memory_mib(daemon.pid)
            pair = [threading.Thread(target=all_kinds, args=a) for a in (
                (telegram, daemon, answers.telegram(), answers.telegram_receipts(), share, offset),
                (matrix, daemon, answers.matrix(), answers.matrix_receipts(), share, offset))]
            for thread in pair:
                thread.start()
            for thread in pair:
                thread.join()
            after = before
            for _ in range(100):
                after = memory_mib(daemon.pid)
                if after <= before + KEPT_MIB:
                    break
                time.sleep(0.1)
            report(after <= before + KEPT_MIB, "memory: %d MiB before, %d MiB after" % (before, after), "not given back")
            daemon.send_signal(signal.SIGTERM)
            try:
                code = daemon.wait(15 * PATIENCE)
                report(code == 0, "SIGTERM ends it", "code %d" % code)
            except subprocess.TimeoutExpired:
                report(False, "SIGTERM ends it", "it goes on")
                daemon.kill()
                daemon.wait()
            sound = subprocess.run(["sh", SOUND, program, folder + "/state"], capture_output=True, text=True)
            report(sound.returncode == 0, "its store is sound", sound.stdout)
        finally:
            if daemon.poll() is None:
                daemon.kill()
            if not all(results):
                with open(folder + "/log", errors="replace") as log:
                    print("".join(log.readlines()[-40:]))
    passed = sum(results)
    print("[  PASSED  ] %d test(s)." % passed)
    if passed < len(results):
        print("[  FAILED  ] %d test(s)" % (len(results) - passed))
    return passed < len(results)


sys.exit(main())
