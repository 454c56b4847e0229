"""Stories of links that may be passed on: python3 tests/web/links.py PROGRAM"""
import gzip
import json
import re
import shutil
import subprocess
import sys
import time

from browser import Browser, Daemon, wait_until
from match import codes_in, finished, meet, move_of, opened, page_of, play_out, steps_of_replay
from stories import tell

PROGRAM = sys.argv[1]


def a_finished_match_is_a_page(daemon):
    ann, bo, friend = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "")
    page = page_of(finished(ann, bo, meet(ann, bo)[0]))
    path, secret = page.split("#")
    assert len(secret) == 22
    assert friend.ask("GET", "/" + path)[0] == 200 and "text/html" in friend.headers["content-type"]
    status, data = opened(friend, page, "steps")
    assert status == 200 and len(friend.heard[-1][1]) <= 65536, (status, len(friend.heard[-1][1]))
    replay = json.loads(data)
    steps = steps_of_replay(replay)
    for n in range(0, len(steps), 1 + len(steps) // 9):
        whole = json.loads(opened(friend, page, "step?s=%d" % n)[1])["steps"][0]
        whole, step = {**whole, "buttons": [], "now": 0}, {**steps[n], "now": 0}
        assert whole == step, [(n, k, whole.get(k), step.get(k)) for k in {**whole, **step} if whole.get(k) != step.get(k)]
    assert len(replay["names"]) == 48 and len(steps) > 12
    for n, step in enumerate(steps):
        assert step["v"] == n + 1 and step["from"] == n and step["me"] == -1 and not step["mine"]
        assert not any("press" in json.dumps(step[k]) for k in ("hand", "drawn")), step
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
    wait_until(lambda: opened(friend, page, "review")[0] == 200)
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


def a_replay_weighs_little(daemon):
    """What a browser loads of a match of twelve rounds, with its review and its record: 64 KB."""
    friend = Browser(daemon, "")
    for seed in range(2, 9):
        ann, bo = Browser(daemon, "Ann", seed=seed), Browser(daemon, "Bo", seed=seed)
        over = finished(ann, bo, meet(ann, bo, "/challenge 12")[0])
        if "Round 12" in over["head"]:
            break
    assert "Round 12" in over["head"], over["head"]
    page = page_of(over)
    began = len(friend.heard)
    html = gzip.decompress(friend.ask("GET", "/" + page.split("#")[0])[1]).decode()
    files = re.search(r"/f/[0-9a-f]+/", html).group()
    for name in ("page.css", "page.js", "table.js", "replay.css", "replay.js", "check.js", "decks/hanafuda.cards.svg"):
        assert friend.ask("GET", files + name)[0] == 200, name
    friend.get("/page")
    assert opened(friend, page, "steps")[0] == 200
    assert opened(friend, page, "record")[0] == 200
    sizes = [len(data) for _, data in friend.heard[began + 1::2]]  # each after its head
    wait_until(lambda: opened(friend, page, "review")[0] == 200)
    sizes.append(len(friend.heard[-1][1]))
    assert sum(sizes) <= 64 * 1024, sizes


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
    path = "/" + page.split("#")[0]
    plain = ann.ask("GET", "/")[1]
    searched = 0
    for _ in range(1000):
        scenes = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
        if scenes[ann]["phase"] == "over":
            break
        hidden = {c["card"] for s in scenes.values() for c in s["hand"]}
        reader = Browser(daemon, "")
        for what in ("steps", "step?s=0", "review", "record"):
            assert opened(reader, page, what)[0] == 404, what
        assert reader.ask("GET", path)[1] == plain, "the page alone, the same for every match"
        assert [reader.ask("GET", path + what)[0] for what in ("/poster.png", "/what")] == [404] * 2
        for _, data in reader.heard[-12:]:
            assert data == plain or not any(b'"%s"' % card.encode() in data for card in hidden), data
            searched += len(hidden)
        for b in (ann, bo):
            press = move_of(scenes[b], b.chance)
            if press:
                b.act("/press", press=press, t=table)
                break
    assert searched > 1000, searched
    assert opened(ann, page, "steps")[0] == 200, "now it is over"
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
    searched, outside = 0, Browser(daemon, "")
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
        for what in ("", "/poster.png"):
            outside.ask("GET", "/watch/" + path + what)
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
            for _, data in w.heard[n:] + [(0, d) for _, d in outside.heard[-4:] if d[:2] != b"\x1f\x8b"]:
                assert not any('"%s"' % card in data.decode() for card in hidden), (hidden, data)
                searched += len(hidden)
        assert len({json.dumps({**w.newest("scene"), "now": 0}) for w in crowd}) == 1, "one scene for all"
    assert searched > 200
    for line in lines:
        line.close()


def each_scene_comes_once_to_all():
    """More watchers than are told at once; players and watchers get no scene twice, whatever else makes them look."""
    daemon = Daemon(PROGRAM, "--adapter", "terminal,web", USER="ann")
    ann, bo, crowd = Browser(daemon, "Ann"), Browser(daemon, "Bo"), [Browser(daemon, "") for _ in range(40)]
    table, room = meet(ann, bo)
    path, secret = let_watch(ann, bo, table, room)
    readers, bo.events = [*crowd, ann, bo], []
    lines = [w.stream(secret=secret, w=path) for w in crowd] + [b.stream(t=table, r=room) for b in (ann, bo)]
    for _ in range(3):
        wait_until(lambda: len({b.newest("scene")["v"] if b.newest("scene") else 0 for b in readers}) == 1)
        daemon.type("/settings watch=on", "Settings saved")  # of another chat: all look again
        mover = next(b for b in (ann, bo) if move_of(b.newest("scene"), b.chance))
        v = mover.act("/press", press=move_of(mover.newest("scene"), mover.chance), t=table)["scene"]["v"]
        wait_until(lambda: all(b.newest("scene")["v"] >= v for b in readers))
    for b in readers:
        versions = [e["v"] for k, e in b.events if k == "scene"]
        assert versions == sorted(set(versions)), versions
    for line in lines:
        line.close()
    daemon.stop()


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
    link = daemon.type("/table watch", r"/watch/([^#\s]+#[\w-]{22})")
    path, secret = link.split("#")
    watcher = Browser(daemon, "")
    line = watcher.stream(secret=secret, w=path)
    wait_until(lambda: watcher.newest("scene"))
    daemon.type("/settings watch=off", "Settings saved[^§]*Settings saved")
    wait_until(lambda: line.ended)
    assert watcher.events[-1] == ("bye", {"why": "unwatched"})
    daemon.stop()


def letters(browser):
    return [w for k, e in browser.events if k == "letter" for _, w in e["text"]]


def links_of_a_table_are_renewed_by_those_at_it(daemon):
    ann, bo, cleo, watcher = (Browser(daemon, name) for name in ("Ann", "Bo", "Cleo", ""))
    table, room = meet(ann, bo)
    path, secret = let_watch(ann, bo, table, room)
    lines = {b: b.stream(r=room, **({} if b is cleo else {"t": table})) for b in (ann, bo, cleo)}
    watching = watcher.stream(secret=secret, w=path)
    wait_until(lambda: watcher.newest("scene"))
    cleo.act("/say", text="/link new", name="Cleo", r=room)
    wait_until(lambda: any("Only those at the table" in w for w in letters(cleo)))
    ann.act("/say", text="a word", r=room)
    wait_until(lambda: "a word" in letters(cleo))
    v = ann.get("/scene?t=%d" % table)["v"]
    for b in (ann, bo):
        b.events = []
    ann.act("/say", text="/link new", t=table, r=room)
    wait_until(lambda: watching.ended and lines[cleo].ended)
    assert watcher.events[-1] == cleo.events[-1] == ("bye", {"why": "gone"})
    assert watcher.stream(secret=secret, w=path) == 404 and cleo.stream(r=room) == 404
    wait_until(lambda: all(b.newest("go") for b in (ann, bo)))
    new = ann.newest("go")
    assert new == bo.newest("go") and new["r"] != room and new["link"].endswith("/r/" + new["r"]), new
    wait_until(lambda: any(new["link"] in w for w in letters(ann)) and any("/watch/" in w for w in letters(bo)))
    assert not any(new["link"] in w for w in letters(bo)), "the new link is for who asked"
    _, again = re.search(r"/watch/([^#\s]+)#(\S+)", " ".join(letters(bo))).groups()
    assert again != secret
    fresh = watcher.stream(secret=again, w=path)
    wait_until(lambda: watcher.events[-1][0] == "scene" and not fresh.ended)
    cleo.events = []
    before = cleo.stream(r=new["r"])
    ann.act("/say", text="only here", r=new["r"])
    status, _ = cleo.ask("POST", "/say", {"token": cleo.page["token"], "id": cleo.fresh_id(), "text": "hear me", "r": room})
    wait_until(lambda: "only here" in letters(cleo) and "only here" in letters(bo))
    assert "hear me" not in letters(bo)
    mover = next(b for b in (ann, bo) if move_of(b.get("/scene?t=%d" % table), b.chance))
    assert mover.act("/press", press=move_of(mover.get("/scene?t=%d" % table), mover.chance), t=table)["scene"]["v"] > v, "the match goes on"
    for line in (*lines.values(), fresh, before):
        line.close()


def the_replay_has_a_new_link(daemon):
    ann, friend = Browser(daemon, "Ann"), Browser(daemon, "")
    old = page_of(play_out(daemon, ann))
    assert opened(friend, old, "steps")[0] == 200
    table = int(old.split("/")[1].split("-")[0])
    ann.act("/say", text="/link new", t=table)
    new = page_of(ann.get("/scene?t=%d" % table))
    assert [opened(friend, page, "steps")[0] for page in (old, new)] == [404, 200]


def browsers_are_logged_out():
    daemon = Daemon(PROGRAM, "--adapter", "terminal,web", USER="ann")
    daemon.type("/dm", "")
    daemon.type("/challenge mei 3", "challenges")
    daemon.type("/accept", "Round 1")
    browsers = [Browser(daemon, "One"), Browser(daemon, "Two")]
    tickets = []
    for _ in browsers:
        tickets.append(daemon.type("/table", r"/table#([0-9a-f]{64})[^§]*" * (1 + len(tickets))))
    tickets = [t if isinstance(t, str) else t[-1] for t in tickets]
    one, two = browsers
    one.act("/login", ticket=tickets[0])
    assert one.get("/page")["network"] == "Terminal"
    status, said = one.ask("POST", "/room", {"token": one.page["token"], "id": one.fresh_id()})
    assert status == 403 and "Terminal" in json.loads(said)["text"], "a friend is played in the chats of that network"
    line = one.stream(t=1)
    wait_until(lambda: one.newest("scene"))
    daemon.type("/link new", "logged out")
    wait_until(lambda: line.ended)
    assert one.events[-1] == ("bye", {"why": "gone"})
    assert one.get("/page")["network"] == "" and one.ask("GET", "/scene?t=1")[0] == 404
    assert two.ask("POST", "/login", {"token": two.page["token"], "id": two.fresh_id(), "ticket": tickets[1]})[0] == 403
    ticket = re.findall(r"/table#([0-9a-f]{64})", open(daemon.said).read())[-1]
    assert ticket not in tickets
    two.act("/login", ticket=ticket)
    assert two.get("/scene?t=1")["t"] == 1
    daemon.stop()


tell(PROGRAM, [a_finished_match_is_a_page, a_replay_weighs_little, watchers_see_what_all_see, watching_ends_when_a_player_says_so,
               links_of_a_table_are_renewed_by_those_at_it, the_replay_has_a_new_link],
     [each_scene_comes_once_to_all, browsers_are_logged_out, no_replay_begins_before_the_end, a_group_is_watched_if_its_admins_let_it])
