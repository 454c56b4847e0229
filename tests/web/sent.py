"""Stories of what is sent on: python3 tests/web/sent.py PROGRAM"""
import gzip
import json
import re
import subprocess
import sys
import time

from browser import Browser, Daemon, wait_until
from match import codes_in, finished, meet, move_of, opened, page_of, steps_of_replay
from stories import tell

sys.path.append("tests/formats")
from check_record import check

PROGRAM = sys.argv[1]


def steps_of(browser, page):
    """All steps, each with the presses that play on from it, which come one by one."""
    status, data = opened(browser, page, "steps")
    assert status == 200, status
    steps = steps_of_replay(json.loads(data))
    assert not any(s["buttons"] for s in steps)
    for n, step in enumerate(steps):
        step["buttons"] = json.loads(opened(browser, page, "step?s=%d" % n)[1])["steps"][0]["buttons"]
    assert json.loads(opened(browser, page, "step?s=%d" % len(steps))[1])["steps"] == []
    return steps


def finish(browser, scene, moves=2):
    """Plays some moves, and gives up; the last scene."""
    for _ in range(moves):
        found = lambda: browser.get("/scene?t=%d" % scene["t"])
        wait_until(lambda: (now := found())["phase"] == "over" or move_of(now, browser.chance))
        scene = found()
        if scene["phase"] == "over":
            return scene
        scene = browser.act("/press", press=move_of(scene, browser.chance), t=scene["t"])["scene"]
    for _ in range(2):
        browser.act("/say", text="/resign %d" % scene["t"])
    scene = browser.get("/scene?t=%d" % scene["t"])
    assert scene["phase"] == "over", scene
    return scene


def played(daemon, a, b):
    """A match of two people, from how they meet to its end; the last scene of the first."""
    return finished(a, b, meet(a, b)[0])


def counted(daemon):
    """What seasons, ratings and meetings say."""
    with daemon.store() as store:
        return [store.execute("SELECT * FROM " + table).fetchall() for table in ("played", "result", "rating", "pairing", "counted", "badge")]


def lies(scene):
    return scene["field"], [s["taken"] for s in scene["seats"]], [s["score"] for s in scene["seats"]], scene["stock"]


def checked(daemon, browser, scene):
    """The record of a match that is over, judged by the program and by one that shares no code with it."""
    record = opened(browser, page_of(scene), "record")[1]
    name = daemon.folder.name + "/on.koikoi"
    with open(name, "wb") as to:
        to.write(record)
    assert check(record.decode()) is None, check(record.decode())
    for judge in ([PROGRAM, "replay", name], [PROGRAM, "verify", name]):
        found = subprocess.run(judge, capture_output=True, text=True)
        assert found.returncode == 0, (judge, found.stdout[-400:], found.stderr)
    return [json.loads(l) for l in record.decode().splitlines()], found.stdout


def a_match_goes_on_from_a_step(daemon):
    ann, friend = Browser(daemon, "Ann"), Browser(daemon, "Friend")
    over = played(daemon, ann, Browser(daemon, "Bo"))
    page = page_of(over)
    steps, before = steps_of(friend, page), counted(daemon)
    begun = [json.loads(l) for l in opened(friend, page, "record")[1].decode().splitlines()]
    assert not any(s["buttons"] for s in steps if s["phase"] in ("ready", "over"))
    open_steps = [n for n, s in enumerate(steps) if s["buttons"]]
    assert open_steps == [n for n, s in enumerate(steps) if s["phase"] in ("hand", "draw", "decide")]
    choices = steps[open_steps[0]]["buttons"]
    assert [b["sub"] for b in choices] == ["the stock as it was dealt", "the rest of the stock shuffled anew"] * 2, choices
    tried = 0
    for n in open_steps[::max(1, len(open_steps) // 6)]:
        for k in (0, 1, 2, 3):
            if (n + k) % 2 and tried > 6:
                continue
            step, seat, anew = steps[n], k // 2, k % 2
            got = friend.act("/press", press=step["buttons"][k]["press"], name="Friend")
            scene = got["scene"]
            assert got["t"] > over["t"] and scene["me"] == seat and scene["phase"] == step["phase"], (got["say"], scene)
            assert scene["seats"][seat]["name"] == "Friend" and lies(scene) == lies(step)
            assert {c["card"] for c in scene["hand"]} == set(step["seats"][seat]["hand"])
            hidden = set(step["seats"][1 - seat]["hand"])
            assert not codes_in(scene) & hidden and not any("hand" in s for s in scene["seats"]), "what is hidden stays so"
            assert scene["mine"] == (step["turn"] == seat)
            end = finish(friend, scene)
            lines, said = checked(daemon, friend, end)
            own, first = lines[0], begun[0]
            m = own["from"]["lines"]
            assert own["from"]["match"] == over["t"] and own["id"] == first["id"] and own["players"][seat] == "Friend"
            assert not {"Ann", "Bo"} & set(own["players"] + own.get("lots_draw", {}).get("joined", []))
            last = max(i for i in range(m) if lines[i]["t"] == "deal")
            assert lines[1:last] == begun[1:last] and lines[last + 1:m] == begun[last + 1:m]
            fresh = {**lines[last], "stock": sorted(lines[last]["stock"])}
            fresh.pop("anew", None)
            assert fresh == {**begun[last], "stock": sorted(begun[last]["stock"])}
            rest = step["stock"]
            assert ("anew" in lines[last]) == bool(anew and rest) and (anew or lines[last]["stock"] == begun[last]["stock"])
            kept = len(lines[last]["stock"]) - rest
            assert lines[last]["stock"][:kept] == begun[last]["stock"][:kept], "what was turned up stays"
            assert "goes on from match %d" % over["t"] in said and ("shuffled anew by the host" in said) == bool(anew and rest)
            tried += 1
    assert tried >= 8, tried
    assert counted(daemon) == before, "it counts for nothing"


def it_goes_on_from_itself(daemon):
    """A study of a study, its stock dealt anew again; and again from the same place."""
    ann = Browser(daemon, "Ann")
    scene = played(daemon, ann, Browser(daemon, "Bo"))
    for at in (2, 2, 3, 4):
        steps = [s for s in steps_of(ann, page_of(scene)) if s["buttons"]]
        step = steps[min(at, len(steps) - 1)]  # a round may end in the third step
        scene = finish(ann, ann.act("/press", press=step["buttons"][1]["press"])["scene"])
        lines, _ = checked(daemon, ann, scene)
        cards = [a["cards"] for l in lines if l["t"] == "deal" for a in l.get("anew", [])]
    assert cards == sorted(cards, reverse=True) and len(set(cards)) == len(cards) > 1, cards


def it_begins_once_whatever_happens(daemon):
    ann = Browser(daemon, "Ann")
    steps = [s for s in steps_of(ann, page_of(played(daemon, ann, Browser(daemon, "Bo")))) if s["buttons"]]
    step = next(s for s in steps[3:] if s["turn"] == 0)  # no move of the computer comes before the second look
    press, act = step["buttons"][0]["press"], ann.fresh_id()
    first = ann.act("/press", press=press, id=act)
    daemon.kill()
    daemon.start()
    again = ann.act("/press", press=press, id=act)
    assert again["t"] == first["t"] and lies(again["scene"]) == lies(first["scene"])
    verify = ann.act("/say", text="/verify %d" % first["t"])
    line = ann.stream()
    wait_until(lambda: any("It goes on from match" in json.dumps(e) for k, e in ann.events))
    line.close()
    checked(daemon, ann, finish(ann, again["scene"], 0))


def only_a_finished_match_goes_on(daemon):
    ann, stranger = Browser(daemon, "Ann"), Browser(daemon, "Stranger")
    steps = [s for s in steps_of(ann, page_of(played(daemon, ann, Browser(daemon, "Bo")))) if s["buttons"]]
    press = steps[3]["buttons"][0]["press"]
    head, mac = press.rsplit(".", 1)
    no, version, index = head[1:].split(".")
    running = stranger.act("/say", text="/challenge mei 3", name="Stranger")
    for forged in ("%s%s.%s.%s.%s" % (head[0], running["t"], version, index, mac), "%s%s.%s.%s.%s" % (head[0], no, 999, index, mac),
                   "%s%s.%s.%s.%s" % (head[0], no, version, 9, mac)):
        got = stranger.act("/press", press=forged)
        assert got["say"] and got["t"] == running["t"], got


def a_link_has_a_preview(daemon):
    """What is read without the secret: a title, a sentence, a picture of ours; of a match that is over alone."""
    ann, bo, reader = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "", "de")
    table, _ = meet(ann, bo)
    over = played(daemon, Browser(daemon, 'A"<b>&x'), Browser(daemon, "Bo", seed=2))
    path, secret = page_of(over).split("#")
    began = len(reader.heard)
    status, page = reader.ask("GET", "/" + path)
    assert status == 200 and "default-src 'none'" in reader.headers["content-security-policy"]
    html = gzip.decompress(page).decode()
    files = re.search(r"/f/[0-9a-f]+/", html).group()
    for address, secret_of in (("/" + path, ""), ("/", ""), (files + "page.js", ""), ("/%s/steps" % path, secret), ("/%s/record" % path, secret)):
        reads = lambda accepts, method="GET": reader.ask(method, address, None, {"Accept-Encoding": accepts, **({"Koikoi-Secret": secret_of} if secret_of else {})})
        packed = reads("br, gzip;q=0.5")[1]
        assert reader.headers["content-encoding"] == "gzip" and reader.headers["vary"] == "Accept-Encoding"
        for accepts in ("identity", "gzip;q=0, identity", "gzip; q=0.0", "*;q=0", "br", ""):
            assert reads(accepts) == (200, gzip.decompress(packed)) and "content-encoding" not in reader.headers, (address, accepts)
        assert secret_of or reads("identity", "HEAD") == (200, b"")
    began = len(reader.heard)
    meta = dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)">', html))
    assert "A&quot;&lt;b>&amp;x" in meta["title"] and "Bo" in meta["title"], meta
    assert all(re.search(r"\d+", s["score"]).group() in meta["title"] for s in over["seats"]), meta
    assert meta["description"].endswith("alle Karten offen.")
    assert html.index("og:image") < html.index("</head>")
    address = meta["image"].split("127.0.0.1:%d" % daemon.port)[1]
    status, png = reader.ask("GET", address)
    assert status == 200 and png.startswith(b"\x89PNG") and len(png) < 300000 and reader.headers["content-type"] == "image/png"
    assert reader.ask("GET", address)[1] == png
    assert not any(secret.encode() in data for _, data in reader.heard[began:])
    text = " ".join(meta.values())
    names = json.loads(opened(reader, page_of(over), "steps")[1])["names"]
    assert not [n for n in names.values() if n in text]
    for other in ("/" + path.replace("-", "-A"), "/replay/%d-%s" % (table, path.split("-", 1)[1])):
        status, page = reader.ask("GET", other)
        assert status == 200 and b"og:" not in gzip.decompress(page)
        assert [reader.ask("GET", other + part)[0] for part in ("/poster.png", "/what", "/steps/more")] == [404] * 3


def said_to(browser, text, found, **where):
    """What is said to them, until it has what is looked for; returns the match."""
    browser.events = []
    line = browser.stream(**where)
    browser.act("/say", text=text, name=browser.name, **where)
    words = lambda: " ".join(w for k, e in browser.events if k == "letter" for _, w in e["text"])
    wait_until(lambda: re.search(found, words()))
    line.close()
    return re.findall(found, words())[-1]


def answers_of(scene):
    cards = scene["hand"] + ([scene["drawn"]] if scene["drawn"] else [])
    return [m["press"] for c in cards for m in c["moves"]] + [b["press"] for b in scene["buttons"] if "page" not in b]


def meta_of(browser, path):
    status, page = browser.ask("GET", path)
    assert status == 200, status
    return dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)">', gzip.decompress(page).decode()))


def a_puzzle_is_a_page(daemon):
    """Anybody answers by tapping; what follows is told to who has answered, and once the day is over."""
    ann, friend, other = Browser(daemon, "Ann"), Browser(daemon, ""), Browser(daemon, "")
    path = said_to(ann, "/puzzle", r"/puzzle/\S+")
    assert "#" not in path and friend.cookie
    scene = friend.get(path + "/scene")
    answers = answers_of(scene)
    assert scene["t"] == 0 and scene["mine"] and len(answers) > 1 and len(scene["say"]) == 1
    meta = meta_of(friend, path)
    assert scene["say"][0] in meta["description"] and not [n for n in scene["names"].values() if n in " ".join(meta.values())]
    png = friend.ask("GET", meta["image"].split(":%d" % daemon.port)[1])[1]
    assert png.startswith(b"\x89PNG")
    head, mac = answers[0].rsplit(".", 1)
    assert friend.act("/press", press=head[:-1] + "9." + mac).get("scene") is None, "a forged answer"
    got = friend.act("/press", press=answers[0])["scene"]
    assert "The solution comes with the next puzzle" in got["say"][0] and not answers_of(got) and not got["mine"] and got["v"] > scene["v"]
    again = friend.act("/press", press=answers[1])["scene"]
    assert again["say"] == got["say"] == friend.get(path + "/scene")["say"], "the first answer counts"
    assert other.get(path + "/scene")["mine"], "another person has not answered"
    heard = [data for b in (friend, other) for _, data in b.heard]
    assert not [d for d in heard if b"% to win" in d or "💡".encode() in d], "the day is not over"
    practice = "/" + next(b["page"] for b in got["buttons"])
    scene = other.get(practice + "/scene")
    solved = [other.act("/press", press=press)["scene"]["say"] for press in answers_of(scene)]
    assert all("%" in " ".join(say) for say in solved) and sum("You found it" in " ".join(say) for say in solved) >= 1
    assert other.get(practice + "/scene")["mine"], "practice is not kept"
    for wrong in (path.replace("-", "-A"), path.replace("/puzzle/", "/puzzle/1"), "/replay/" + path.split("/")[2]):
        assert friend.ask("GET", wrong + ("/steps" if "replay" in wrong else "/scene"))[0] == 404 and not meta_of(friend, wrong), wrong


def a_season_is_a_page(daemon):
    """A room's season: its table for who has the secret, its picture for previews."""
    ann, bo, friend = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "", "de")
    table, room = meet(ann, bo)
    for x in (ann, ann):
        x.act("/say", text="/resign %d" % table, t=table, r=room)
    path, secret = said_to(ann, "/board", r"/season/(\S+)#(\S+)", r=room)
    assert friend.ask("GET", "/season/" + path)[0] == 200
    status, data = opened(friend, "season/%s#%s" % (path, secret), "table")
    shown = json.loads(data)
    assert status == 200 and [row[1] for row in shown["rows"][1:]] == ["Bo", "Ann"] and shown["rows"][0][1] == "Name", shown
    meta = meta_of(friend, "/season/" + path)
    assert meta["title"] == shown["head"]
    png = friend.ask("GET", meta["image"].split(":%d" % daemon.port)[1])[1]
    assert png.startswith(b"\x89PNG")
    for wrong in (path + "#", path + "#" + "A" * 22, path.replace("-", "-A") + "#" + secret, "1" + path + "#" + secret):
        assert opened(friend, "season/" + wrong, "table")[0] == 404
    assert not any(secret.encode() in data for _, data in friend.heard)


def a_season_is_shown_as_its_chat_allows():
    daemon = Daemon(PROGRAM, "--adapter", "terminal,web", USER="ann")
    friend = Browser(daemon, "")
    daemon.type("/board", "October|January|April|July")
    assert "/season/" not in open(daemon.said).read()
    daemon.type("/challenge", "challenges")
    daemon.type("/as bo", "[Bb]o")
    daemon.type("/accept", "Round 1")
    daemon.type("/resign", "counts as a loss")
    daemon.type("/resign", "gives up")
    daemon.type("/settings watch=on", "Settings saved")
    page = daemon.type("/board", r"/(season/[^#\s]+#\S+)")
    assert opened(friend, page, "table")[0] == 200 and meta_of(friend, "/" + page.split("#")[0])
    daemon.type("/settings watch=off", "Settings saved[^§]*Settings saved")
    assert opened(friend, page, "table")[0] == 404 and not meta_of(friend, "/" + page.split("#")[0])
    assert friend.ask("GET", "/" + page.split("#")[0] + "/poster.png")[1][:4] != b"\x89PNG"
    daemon.stop()


def next_day(daemon, change="due = 1"):
    """The hour at which a chat's duel ends and the next one begins."""
    daemon.rewritten("UPDATE duel SET " + change)


def duel_of_a_room(daemon, ann):
    """A room with yesterday's duel, which still runs: its link, the path and secret of its page, the press of its post."""
    ann.act("/say", text="/start", name="Ann")
    room = ann.act("/room", name="Ann")["r"]
    said_to(ann, "/settings duel=00:00", "Settings saved", r=room)
    next_day(daemon)
    today, _ = said_to(ann, "/ping day", r"/(duel/[^#\s]+)#(\S+)", r=room)
    next_day(daemon, "day = day - 1")
    path, secret = said_to(ann, "/duel", r"/((?!%s)duel/[^#\s]+)#(\S+)" % today, r=room)
    return room, path, secret, [b["press"] for k, e in ann.events if k == "letter" for b in e.get("buttons", []) if b["text"] == "Play the duel"][-1]


def tells_of_the_deal(heard):
    """Cards, seeds and their hashes, scores: what nobody may learn before the day is over."""
    text = b" ".join(heard).decode(errors="replace")
    return re.findall(r'"(?:[1-9]|1[0-2])[brap][1-3]?"|\b[0-9a-f]{40,}\b|"scores?"|"points"|[+−]\d', text)


def a_duel_is_a_page():
    """Until its day is over it says what it is and lets people try; nothing of the deal, a result, or a hash."""
    daemon = Daemon(PROGRAM)
    ann, bo, eve, reader = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "Eve"), Browser(daemon, "", "de")
    room, path, secret, _ = duel_of_a_room(daemon, ann)
    shown = lambda b: json.loads(opened(b, path + "#" + secret, "table")[1])

    def seen(b):
        meta = meta_of(b, "/" + path)
        png = b.ask("GET", meta["image"].split(":%d" % daemon.port)[1])[1]
        assert png.startswith(b"\x89PNG") and b.headers["content-type"] == "image/png"
        return meta, png

    began = len(reader.heard)
    meta, png = seen(reader)
    assert "Duell des Tages" in meta["title"] and "dieselben Karten" in meta["description"], meta
    first = shown(eve)
    assert first["rows"] == [] and [b["text"] for b in first["buttons"]] == ["Play the duel"] and "against Mei" in first["lines"][0], first
    # Ann tries by the page's button, with the link alone: no room is named.
    press = first["buttons"][0]["press"]
    for wrong in (path.split("/")[1] + "#" + "A" * 22, path.split("/")[1], "1" + path.split("/")[1] + "#" + secret, "x"):
        status, _ = bo.ask("POST", "/press", {"token": bo.page["token"], "id": bo.fresh_id(), "press": press, "link": wrong, "name": "Bo"})
        assert status == 403, wrong
    link = path.split("/")[1] + "#" + secret
    # No other press, and no word, comes into the room that way.
    for what in ({"text": "/settings duel=off"}, {"press": "x" * 40}):
        status, _ = bo.ask("POST", "/say" if "text" in what else "/press", {"token": bo.page["token"], "id": bo.fresh_id(), "link": link, "name": "Bo", **what})
        assert status == 403, what
    got = [b.act("/press", press=press, link=link, name=b.name) for b in (ann, bo)]
    assert got[0]["t"] and got[1]["t"] and got[0]["t"] != got[1]["t"], got
    again = bo.act("/press", press=press, link=link, name="Bo")
    assert "One try a day" in again["say"] and again["t"] == got[1]["t"]
    running = seen(reader)
    over = finish(ann, ann.get("/scene?t=%d" % got[0]["t"]))
    assert seen(reader) == running == (meta, png), "what a preview shows tells of no try and no result"
    named = shown(eve)
    assert named["rows"] == [] and "Playing: Ann, Bo" in named["lines"] and named["buttons"], named
    so_far = shown(ann)
    assert [row[1] for row in so_far["rows"][1:]] == ["Ann", "Bo"] and not so_far["buttons"] and "Keep it to yourself" in " ".join(so_far["lines"]), so_far
    assert shown(bo)["rows"] == [] and not shown(bo)["buttons"] and "begun this duel" in " ".join(shown(bo)["lines"])
    eve.heard = eve.heard[-2:]
    for b, since in ((reader, began), (eve, 0)):
        plain = [gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data for _, data in b.heard[since + 1::2] if data[:4] != b"\x89PNG"]
        assert not tells_of_the_deal([p for p in plain if b"<script" not in p] + [json.dumps(meta_of(b, "/" + path)).encode()]), plain
    for wrong in (path + "#", path + "#" + "A" * 22, path.replace("-", "-A") + "#" + secret, path.replace("duel/", "duel/1") + "#" + secret):
        assert opened(eve, wrong, "table")[0] == 404, wrong
    assert not meta_of(eve, "/" + path.replace("-", "-A")) and eve.ask("GET", "/" + path + "/seed")[0] == 404
    next_day(daemon)
    wait_until(lambda: "over" in shown(eve)["head"])
    closed = shown(eve)
    assert [row[1] for row in closed["rows"][1:]] == [row[1] for row in so_far["rows"][1:]] and not closed["buttons"], closed
    meta, after = seen(eve)
    assert "over" in meta["title"] and after != png
    late = eve.act("/press", press=press, link=link, name="Eve")
    assert "is over" in late["say"] and not late["t"], late
    assert not any(secret.encode() in data for _, data in reader.heard)
    daemon.stop()


def a_duel_opens_when_its_day_is_over():
    """Until then others are dealt the same cards: neither replay nor preview, for whoever has the link."""
    daemon = Daemon(PROGRAM)
    ann, reader = Browser(daemon, "Ann"), Browser(daemon, "")
    room, _, _, press = duel_of_a_room(daemon, ann)
    got = ann.act("/press", press=press, r=room)
    assert got["t"] > 1, got
    table = got["t"]
    over = finish(ann, ann.get("/scene?t=%d" % table))
    page = page_of(over)
    path = "/" + page.split("#")[0]
    closed = lambda: [opened(reader, page, what)[0] for what in ("steps", "step?s=0", "review", "record")] == [404] * 4
    assert over["phase"] == "over" and closed() and not meta_of(reader, path) and reader.ask("GET", path + "/poster.png")[0] == 404
    next_day(daemon)
    wait_until(lambda: not closed())
    assert opened(reader, page, "steps")[0] == 200 and "Ann" in meta_of(reader, path)["title"]
    daemon.stop()


def previews_have_a_ceiling():
    daemon = Daemon(PROGRAM, KOIKOI_WEB_TRUSTED_PROXY="127.0.0.1")
    path, secret = page_of(played(daemon, Browser(daemon, "Ann"), Browser(daemon, "Bo"))).split("#")
    far, reader = {"X-Forwarded-For": "198.51.100.9"}.items(), Browser(daemon, "")
    shown = [b"og:image" in gzip.decompress(reader.ask("GET", "/" + path, None, far)[1]) for _ in range(62)]
    assert shown == [True] * 60 + [False] * 2, "the page itself still opens"
    assert reader.ask("GET", "/" + path + "/poster.png", None, far)[0] == 429
    asked = [reader.ask("GET", "/" + path + "/step?s=0", None, [*far, ("Koikoi-Secret", secret)])[0] for _ in range(62)]
    assert asked == [200] * 60 + [429] * 2, "documents have one of their own"
    assert reader.ask("GET", "/" + path + "/step?s=0", None, {"Koikoi-Secret": secret, "X-Forwarded-For": "198.51.100.10"})[0] == 200
    daemon.stop()


STORIES = [a_link_has_a_preview, a_puzzle_is_a_page, a_season_is_a_page, a_match_goes_on_from_a_step, it_goes_on_from_itself, it_begins_once_whatever_happens, only_a_finished_match_goes_on]

tell(PROGRAM, STORIES, [previews_have_a_ceiling, a_duel_is_a_page, a_duel_opens_when_its_day_is_over, a_season_is_shown_as_its_chat_allows])
