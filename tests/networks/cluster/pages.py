#!/usr/bin/env python3
"""Two daemons on one store, each with pages: pages.py PROGRAM PORT FOLDER ROUNDS SEED

The accounts are two, the pages' own and one of Telegram, so that each daemon has one; pages are served by both. Ann's browser talks to one, Bo's to the other; each sees the other's tap through its own stream. Then one is killed in
the middle of the match, and both go on at the other, with the same cookies."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "web"))
from browser import Browser, Daemon, wait_until
from match import meet, move_of
from networks import Telegram
from cluster import PATIENCE, server_store

SEEN_S = 1


def main():
    program, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    results, seen, daemons, telegram = [], [], [], Telegram()

    def report(good, name):
        results.append(good)
        print("  %s  %s" % ("ok  " if good else "FAIL", name), flush=True)

    def wait(holds, seconds=SEEN_S * PATIENCE):
        try:
            wait_until(holds, seconds)
            return True
        except AssertionError:
            return False

    try:
        for _ in range(2):
            daemons.append(Daemon(program, KOIKOI_STORE=server_store(port, "pages"), KOIKOI_KEY_FILE=folder + "/key", **telegram.options))
        regrouped = lambda: open(daemons[0].folder.name + "/log").read().count(" started ") == 2
        report(wait(regrouped, 10 * PATIENCE), "each daemon has an account, and pages")
        ann, bo = Browser(daemons[0], "Ann"), Browser(daemons[1], "Bo")
        table, room = meet(ann, bo)
        report(True, "a room of one is entered at the other")
        lines = [b.stream(t=table, r=room) for b in (ann, bo)]
        report(wait(lambda: ann.newest("scene") and bo.newest("scene")), "both have the table")

        def ask(browser, method, path, body=None):
            """As the page does it: again while no daemon answers, or one takes accounts over."""
            until = time.monotonic() + 10 * PATIENCE
            while True:
                try:
                    status, data = browser.ask(method, path, body)
                except OSError:
                    status, data = 503, b""
                if status != 503 or time.monotonic() > until:
                    assert status == 200, (path, status, data)
                    return json.loads(data)
                time.sleep(0.1)

        def scene(browser):
            return ask(browser, "GET", "/scene?t=%d" % table)

        def press(browser, data):
            return ask(browser, "POST", "/press", {"token": browser.page["token"], "id": browser.fresh_id(), "press": data, "t": table})["scene"]

        def tap():
            """One tap of whoever may; returns the mover and the version that it led to, or None at the end."""
            while True:
                scenes = {b: scene(b) for b in (ann, bo)}
                if scenes[ann]["phase"] == "over":
                    return None
                mover = next((b for b in (ann, bo) if move_of(scenes[b], b.chance)), None)
                if mover:
                    return mover, press(mover, move_of(scenes[mover], mover.chance))["v"]
                time.sleep(0.02)

        late = 0
        for _ in range(24):
            mover, version = tap()
            other = bo if mover is ann else ann
            begun = time.monotonic()
            late += not wait(lambda: other.newest("scene")["v"] >= version)
            seen.append(time.monotonic() - begun)
        seen.sort()
        report(late == 0, "%d taps at one daemon, each seen through the other; median %.0f ms, worst %.0f ms" % (
            len(seen), 1000 * seen[len(seen) // 2], 1000 * seen[-1]))
        ann.act("/say", text="a word", t=table, r=room)
        report(wait(lambda: any(e["who"] == "Ann" for k, e in bo.events if k == "letter")), "so is a word")
        mover, version = tap()
        daemons[0].kill()
        ann.daemon = daemons[1]

        report(wait(lambda: scene(ann)["v"] >= version), "one is killed: the other has the table as it was")
        line = ann.stream(t=table, r=room)
        taps = 0
        while tap():
            taps += 1
        report(taps > 0, "the match goes on to its end: %d taps" % taps)
        for line in (*lines, line):
            line.close()
    finally:
        for daemon in daemons:
            if daemon.process.poll() is None:
                daemon.stop()
    print("[  PASSED  ] %d test(s)." % sum(results))
    if not all(results):
        print("[  FAILED  ] %d test(s)" % (len(results) - sum(results)))
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
