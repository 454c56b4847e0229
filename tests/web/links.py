"""Stories of links that may be passed on: python3 tests/web/links.py PROGRAM"""
import gzip
import json
import re
import shutil
import subprocess
import sys
import time

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


def let_watch(ann, bo, table, room):
    """Both let others watch; returns the link's path and secret."""
    line = bo.stream(t=table, r=room)
    said = lambda: [w for k, e in bo.events if k == "letter" for _, w in e["text"]]
    ann.act("/say", text="/table watch", t=table, r=room)
    wait_until(lambda: any("as soon as everyone" in w for w in said()))
    assert not any("/watch/" in w for w in said()), "one player alone lets nobody watch"
    bo.act("/say", text="/table watch", t=table, r=room)
    wait_until(lambda: any("/watch/" in w for w in said()))
    line.close()
    link = re.search(r"/watch/([^#\s]+)#(\S+)", " ".join(said()))
    return link.group(1), link.group(2)


def watchers_see_what_all_see(daemon):
    """No byte that a watcher gets, of a whole match, names a card that a hand or the stock holds at that moment."""
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, room = meet(ann, bo)
    path, secret = let_watch(ann, bo, table, room)
    crowd = [Browser(daemon, "W%d" % i) for i in range(4)]
    assert crowd[0].ask("GET", "/watch/" + path)[0] == 200
    assert crowd[0].stream(w=path) == 404 and crowd[0].stream(secret="A" * 22, w=path) == 404
    assert crowd[0].ask("GET", "/scene?t=%d" % table)[0] == 404
    lines = [w.stream(secret=secret, w=path) for w in crowd]
    wait_until(lambda: all(w.newest("scene") for w in crowd))
    searched = 0
    while True:
        scenes = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
        if len({s["v"] for s in scenes.values()}) > 1:
            continue
        if scenes[ann]["phase"] == "over":
            break
        mover = next((b for b in (ann, bo) if move_of(scenes[b], b.chance)), None)
        if not mover:
            time.sleep(0.02)
            continue
        since = [len(w.heard) for w in crowd]
        mover.act("/press", press=move_of(scenes[mover], mover.chance), t=table)
        after = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
        wait_until(lambda: all(w.newest("scene")["v"] >= after[ann]["v"] for w in crowd))
        hidden = {c["card"] for b in (ann, bo) for c in after[b]["hand"]} & {c["card"] for b in (ann, bo) for c in scenes[b]["hand"]}
        for w, n in zip(crowd, since):
            scene = w.newest("scene")
            shown = scene["field"] + [c for s in scene["seats"] for g in s["taken"] for c in g] + ([scene["drawn"]["card"]] if scene["drawn"] else [])
            shown += [c for a in scene["acts"] for c in [a["card"]] + a["took"] if c]
            assert scene["me"] == -1 and not scene["hand"] and not scene["buttons"] and set(scene["names"]) <= set(shown), scene
            for _, data in w.heard[n:]:
                assert not any('"%s"' % card in data.decode() for card in hidden), (hidden, data)
                searched += len(hidden)
        assert len({json.dumps(w.newest("scene")) for w in crowd}) == 1, "one scene for all"
    assert searched > 200
    for line in lines:
        line.close()


def watching_ends_when_a_player_says_so(daemon):
    ann, bo, watcher = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "")
    table, room = meet(ann, bo)
    path, secret = let_watch(ann, bo, table, room)
    line = watcher.stream(secret=secret, w=path)
    wait_until(lambda: watcher.newest("scene"))
    ann.act("/say", text="/table off", t=table, r=room)
    wait_until(lambda: line.ended)
    assert watcher.events[-1] == ("bye", {"why": "unwatched"})
    watcher.events = []
    again = watcher.stream(secret=secret, w=path)
    wait_until(lambda: again.ended)
    assert [k for k, _ in watcher.events] == ["bye"]


def a_group_is_watched_if_its_admins_let_it():
    """A group of the terminal: the players' leave is not enough."""
    daemon = Daemon(PROGRAM, "--adapter", "terminal,web", USER="ann")
    daemon.type("/challenge mei 3", "challenges")
    daemon.type("/accept", "Round 1")
    daemon.type("/table watch", "Watching is not allowed here")
    daemon.type("/settings watch=on", "Settings saved")
    link = daemon.type("/table watch", r"/watch/([^#\s]+#\S+)")
    path, secret = link.split("#")
    watcher = Browser(daemon, "")
    line = watcher.stream(secret=secret, w=path)
    wait_until(lambda: watcher.newest("scene"))
    daemon.type("/settings watch=off", "Settings saved[^§]*Settings saved")
    wait_until(lambda: line.ended, 30)
    assert watcher.events[-1] == ("bye", {"why": "unwatched"})
    daemon.stop()


tell(PROGRAM, [a_finished_match_is_a_page, watchers_see_what_all_see, watching_ends_when_a_player_says_so], [no_replay_begins_before_the_end, a_group_is_watched_if_its_admins_let_it])
