"""Stories of links that may be passed on: python3 tests/web/links.py PROGRAM"""
import gzip
import json
import shutil
import subprocess
import sys

from browser import Browser, Daemon, wait_until
from match import codes_in, meet, move_of, play_out
from stories import tell

PROGRAM = sys.argv[1]


def page_of(scene):
    return next(b["page"] for b in scene["buttons"] if b.get("page", "").startswith("replay/"))


def opened(browser, page, what):
    path, secret = page.split("#")
    status, data = browser.ask("GET", "/%s/%s" % (path, what), headers={"Koikoi-Secret": secret}.items())
    if browser.headers.get("content-encoding") == "gzip":
        data = gzip.decompress(data)
    return status, data


def a_finished_match_is_a_page(daemon):
    ann, friend = Browser(daemon, "Ann"), Browser(daemon, "")
    page = page_of(play_out(daemon, ann, "/challenge mei 12"))
    path, secret = page.split("#")
    assert len(secret) == 22
    assert friend.ask("GET", "/" + path)[0] == 200 and "text/html" in friend.headers["content-type"]
    status, data = opened(friend, page, "steps")
    assert status == 200 and len(friend.heard[-1][1]) <= 65536, (status, len(friend.heard[-1][1]))
    replay = json.loads(data)
    steps = replay["steps"]
    assert len(replay["names"]) == 48 and len(steps) > 12
    for n, step in enumerate(steps):
        assert step["v"] == n + 1 and step["from"] == n and step["me"] == -1 and not step["mine"]
        assert not any("press" in json.dumps(step[k]) for k in ("hand", "buttons", "drawn")), step
        if step["phase"] in ("hand", "draw", "decide"):
            held = [c for s in step["seats"] for c in s["hand"]]
            lie = step["field"] + [c for s in step["seats"] for g in s["taken"] for c in g] + ([step["drawn"]["card"]] if step["drawn"] else [])
            assert len(set(held + lie)) == len(held + lie) == 48 - step["stock"], step
            assert [len(s["hand"]) for s in step["seats"]] == [s["cards"] for s in step["seats"]]
    assert steps[-1]["phase"] == "over" and steps[0]["phase"] == "hand"
    status, record = opened(friend, page, "record")
    name = daemon.folder.name + "/one.koikoi"
    with open(name, "wb") as to:
        to.write(record)
    assert subprocess.run([PROGRAM, "verify", name], capture_output=True).returncode == 0
    deals = [json.loads(l) for l in record.decode().splitlines() if '"t":"deal"' in l]
    assert [set(h) for h in deals[0]["hands"]] == [set(s["hand"]) for s in steps[0]["seats"]]
    wait_until(lambda: opened(friend, page, "review")[0] == 200, 60)
    review = json.loads(opened(friend, page, "review")[1])
    assert len(review["rounds"]) >= 1 and all(0 <= m["step"] < len(steps) for m in review["moves"])
    for m in review["moves"]:
        assert steps[m["step"]]["turn"] == m["seat"], m
    assert {m["mark"] for m in review["moves"]} <= {"", "best", "worst"}
    assert secret not in open(daemon.folder.name + "/log").read()
    for wrong in (path + "#" + "A" * 22, path + "#", path + "#" + secret[:-1], path.replace("-", "-A") + "#" + secret, path.replace("1-", "2-") + "#" + secret):
        for what in ("steps", "review", "record"):
            assert opened(friend, wrong, what)[0] == 404, (wrong, what)
    assert friend.ask("POST", "/" + path + "/steps", {})[0] == 405


def no_replay_begins_before_the_end():
    """The link of a match, known from a later day, opens nothing while the match runs."""
    daemon = Daemon(PROGRAM)
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, _ = meet(ann, bo)
    mover = next(b for b in (ann, bo) if move_of(b.get("/scene?t=%d" % table), b.chance))
    mover.act("/press", press=move_of(mover.get("/scene?t=%d" % table), mover.chance), t=table)
    daemon.kill()
    state = daemon.folder.name + "/state"
    shutil.copytree(state, state + ".then", ignore=shutil.ignore_patterns("*.sock"))
    daemon.start()
    while True:
        scenes = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
        if scenes[ann]["phase"] == "over":
            break
        for b in (ann, bo):
            press = move_of(b.get("/scene?t=%d" % table), b.chance)
            if press:
                b.act("/press", press=press, t=table)
    page = page_of(scenes[ann])
    assert opened(ann, page, "steps")[0] == 200
    daemon.kill()
    shutil.rmtree(state)
    shutil.move(state + ".then", state)
    daemon.start()
    hidden = {c["card"] for b in (ann, bo) for c in b.get("/scene?t=%d" % table)["hand"]}
    for b in (ann, bo):
        for what in ("steps", "review", "record"):
            status, data = opened(b, page, what)
            assert status == 404 and not codes_in(json.loads(data)) & hidden, (what, status)
    daemon.stop()


tell(PROGRAM, [a_finished_match_is_a_page], [no_replay_begins_before_the_end])
