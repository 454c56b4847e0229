"""Stories of pages: python3 tests/web/pages.py PROGRAM"""
import gzip
import json
import re
import sys
import time

from browser import Browser, Daemon, Stream, wait_until
from match import codes_in, meet, move_of
from stories import tell

PROGRAM = sys.argv[1]


def the_newcomer_plays_the_computer(daemon):
    ann = Browser(daemon, "Ann")
    assert [c["name"] for c in ann.page["computers"]][0] == "Mei" and len(ann.page["computers"]) == 5
    files = re.search(r'src="(/f/\w+/)', gzip.decompress(ann.ask("GET", "/")[1]).decode())[1]
    sheet = gzip.decompress(ann.ask("GET", files + "decks/hanafuda.svg")[1]).decode()
    for c in ann.page["computers"]:
        assert sheet.count('<symbol id="%s" ' % c["face"]) == 1, c
    assert ann.page["words"]["computer"] == "Play the computer" and ann.page["name"] == ""
    offer = ann.act("/say", text="/challenge mei 3", name="Ann")
    assert [b["text"] for b in offer["scene"]["buttons"]][:2] == ["Start", "Withdraw"]
    assert [s.get("face") for s in offer["scene"]["seats"]] == [None, "mei"]
    scene = ann.act("/press", press=offer["scene"]["buttons"][0]["press"], t=offer["t"])["scene"]
    line = ann.stream(t=scene["t"], v=scene["v"])
    turns = 0
    while scene["phase"] != "over":
        press = move_of(scene, ann.chance)
        if press:
            got = ann.act("/press", press=press, t=scene["t"])["scene"]
            assert got["v"] > scene["v"], "a legal press moves the table on"
            scene, turns = got, turns + 1
        else:
            wait_until(lambda: (ann.newest("scene") or scene)["v"] > scene["v"])
            scene = ann.newest("scene")
    line.close()
    assert turns > 3 and scene["status"] == "The match is over", (turns, scene)
    assert {"Rematch", "Replay"} <= {b["text"] for b in scene["buttons"]}
    assert ann.get("/page")["name"] == "Ann"


def no_byte_names_a_hidden_card(daemon):
    ann, bo, cleo = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "Cleo")
    table, room = meet(ann, bo, "/challenge 12")  # long enough, whatever is dealt
    cleo.act("/say", text="/challenge mei", name="Cleo")
    lines = [ann.stream(t=table, r=room), bo.stream(t=table, r=room), cleo.stream(r=room)]
    checked = 0
    for turn in range(400):
        scenes = {b.name: b.get("/scene?t=%d" % table) for b in (ann, bo)}
        if len({s["v"] for s in scenes.values()}) > 1:
            continue
        if scenes["Ann"]["phase"] == "over":
            break
        hidden = {n: {c["card"] for c in s["hand"]} for n, s in scenes.items()}
        names = {n: {s["names"][c] for c in hidden[n]} for n, s in scenes.items()}
        assert not hidden["Ann"] & hidden["Bo"]
        for reader, other in ((ann, "Bo"), (bo, "Ann")):
            scene = scenes[reader.name]
            open_cards = set(scene["field"]) | {c for s in scene["seats"] for g in s["taken"] for c in g} | hidden[reader.name]
            open_cards |= {scene["drawn"]["card"]} if scene["drawn"] else set()
            open_cards |= {c for a in scene["acts"] for c in [a["card"]] + a["took"] if c}
            assert set(scene["names"]) <= open_cards, set(scene["names"]) - open_cards
            assert not codes_in(scene) & hidden[other]
            checked += 1
        since = {b.name: len(b.heard) for b in (ann, bo, cleo)}
        mover = next((b for b in (ann, bo) if move_of(scenes[b.name], b.chance)), None)
        if not mover:
            time.sleep(0.02)
            continue
        other = bo if mover is ann else ann
        mover.act("/press", press=move_of(scenes[mover.name], mover.chance), t=table)
        time.sleep(0.01)
        after = other.get("/scene?t=%d" % table)
        still = {c["card"] for c in after["hand"]} & hidden[other.name]
        for reader, secret in ((mover, other), (cleo, other)):
            for _, data in reader.heard[since[reader.name]:]:
                text = data.decode(errors="replace")
                for card in still:
                    assert '"%s"' % card not in text, (reader.name, card, text)
                    name = scenes[secret.name]["names"][card]
                    same = list(scenes[secret.name]["names"].values()).count(name) > 1 or name.endswith("plain")
                    assert same or name not in text, (reader.name, name, text)
                checked += 1
    assert checked > 200, checked
    assert not any(k == "scene" for k, _ in cleo.events)
    status, _ = cleo.ask("GET", "/scene?t=%d" % table)
    assert status == 404
    for line in lines:
        line.close()


def a_press_that_is_not_ones_own_changes_nothing(daemon):
    ann, bo, cleo = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "Cleo")
    table, _ = meet(ann, bo)
    scenes = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
    mover = next(b for b in (ann, bo) if scenes[b]["mine"])
    other = bo if mover is ann else ann
    first, v = move_of(scenes[mover], mover.chance), scenes[mover]["v"]
    forged = first[:-1] + ("A" if first[-1] != "A" else "B")
    for who, press in ((mover, forged), (other, first), (mover, "x" * 64), (mover, "?")):
        got = who.act("/press", press=press, t=table)
        assert got["scene"]["v"] == v and got["say"], (press, got["say"])
    cleo.act("/say", text="/ping", name="Cleo")
    got = cleo.act("/press", press=first, t=table)
    assert "scene" not in got and got["say"]
    again = mover.fresh_id()
    moved = mover.act("/press", press=first, t=table, id=again)["scene"]
    assert moved["v"] > v
    settled = mover.get("/scene?t=%d" % table)["v"]
    assert mover.act("/press", press=first, t=table, id=again)["scene"]["v"] == settled, "the same act again"
    late = mover.act("/press", press=first, t=table)
    assert late["scene"]["v"] == settled and late["say"], "an old press"
    body = {"id": mover.fresh_id(), "press": first, "t": table}
    for token in (None, "", "0" * 32, other.page["token"]):
        status, _ = mover.ask("POST", "/press", {**body, **({"token": token} if token is not None else {})})
        assert status == 403, token
    for bad in (b"", b"{", b"[]", b'{"id":"short"}', b"\xff\xfe", b'{"id":7,"press":{}}', b"{}" + b" " * 3000):
        status, _ = mover.ask("POST", "/press", bad)
        assert status == 400, bad
    status, _ = mover.ask("POST", "/press", b"x" * 5000)
    assert status == 413
    status, _ = mover.ask("POST", "/press", json.dumps({**body, "token": mover.page["token"]}).encode(),
                          {"Content-Type": "text/plain"}.items())
    assert status == 415
    for path in ("/press", "/say", "/room", "/login"):
        assert mover.ask("GET", path + "?id=abcdefgh&press=" + first)[0] == 405
    assert mover.get("/scene?t=%d" % table)["v"] == settled
    for path in ("/f/../koikoi.conf", "/f/", "/nothing", "/f/0000/table.css", "/health", "/metrics"):
        assert mover.ask("GET", path)[0] == 404, path
    mover.ask("GET", "/")
    assert "default-src 'none'" in mover.headers["content-security-policy"]
    assert mover.headers["x-content-type-options"] == "nosniff" and mover.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in mover.headers["content-security-policy"]


def answers_have_their_heads(daemon):
    """What a browser, a proxy and a stranger's page read before the body, row by row."""
    ann = Browser(daemon, "Ann")
    ann.ask("GET", "/")
    tag, files = ann.headers["etag"], re.search(r"/f/\w+/", gzip.decompress(ann.ask("GET", "/")[1]).decode())[0]
    kept, no, for_ever = {"cache-control": "no-cache", "etag": tag}, {"cache-control": "no-store"}, "public, max-age=31536000, immutable"
    html, script, words = ({"content-type": t} for t in ("text/html; charset=utf-8", "text/javascript; charset=utf-8", "application/json"))
    for method, path, head, status, wanted in (
            ("GET", "/", {}, 200, {**kept, **html}), ("HEAD", "/", {}, 200, {**kept, **html}), ("POST", "/", {}, 405, {}),
            ("GET", "/", {"If-None-Match": tag}, 304, kept), ("GET", "/", {"If-None-Match": tag[:-2] + '"'}, 200, kept),
            ("GET", "/t/1", {}, 200, html), ("GET", "/t/1/2", {}, 404, no), ("GET", "/r/" + "0" * 32, {}, 200, html),
            ("GET", files + "page.js", {}, 200, {"cache-control": for_ever, **script}), ("GET", files, {}, 404, no),
            ("GET", files + "page.css", {}, 200, {"content-type": "text/css; charset=utf-8"}),
            ("GET", files + "decks/hanafuda.svg", {}, 200, {"content-type": "image/svg+xml"}),
            ("GET", "/page", {}, 200, {**no, **words}), ("HEAD", "/page", {}, 405, {}), ("POST", "/page", {}, 405, {}),
            ("GET", "/scene?t=0", {}, 404, {**no, **words}), ("GET", "/scene?t=x", {}, 404, no), ("GET", "/scene", {}, 404, no),
            ("GET", "/stream?r=" + "0" * 32, {}, 404, no), ("GET", "/stream?w=1-x", {}, 404, no)):
        got, body = ann.ask(method, path, None, head)
        assert got == status and wanted.items() <= ann.headers.items(), (method, path, head, got, ann.headers)
        assert (body == b"") == (method == "HEAD" or status in (304, 405)), (method, path, body)
        assert {"content-security-policy", "x-content-type-options", "referrer-policy"} <= set(ann.headers) or status == 405


def a_browser_is_its_cookie_and_its_language():
    daemons = {url: Daemon(PROGRAM, KOIKOI_WEB_URL=url) for url in ("", "https://play.example.org/")}
    for url, name in (("", "koikoi"), ("https://play.example.org/", "__Host-koikoi")):
        ann = Browser(daemons[url], "Ann")
        ann.act("/say", text="/ping", name="Ann")
        mine, other = ann.cookie, "%s=%s" % (name, "0" * 32)
        assert re.fullmatch(name + "=[0-9a-f]{32}", mine), mine
        for cookie, known in ((mine, True), ("a=b; " + mine, True), (mine + ";a=b", True), (name + "=?; " + mine, True),
                              (mine + "0", False), (mine[:-1], False), ("x" + mine, False), (mine[:-1] + "g", False),
                              (other, False), (other + "; " + mine, False), (mine + "; " + other, True), ("", False)):
            ann.cookie = None
            page = json.loads(ann.ask("GET", "/page", None, {"Cookie": cookie})[1])
            assert (page["name"] == "Ann") == known, (cookie, page["name"])
            set_now = ann.headers.get("set-cookie", "")
            assert (set_now == "") == (known or cookie.startswith(other)), (cookie, set_now)
            if set_now:
                assert set_now.split("; ")[1:] == ["Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"] + ["Secure"] * (url != "")
        ann.cookie = mine
        room = ann.act("/room")
        assert room["link"] == (url or "http://127.0.0.1:%d/" % ann.daemon.port) + "r/" + room["r"]
    new = Browser(daemons[""], "Cleo")
    for query, header, wanted in (("", "de", "de"), ("", "xx, de;q=0.5", "de"), ("", "de-AT", "de"), ("", "fr;q=0.9,de", "fr"),
                                  ("", "xx", "en"), ("", "", "en"), ("", ",, ja", "ja"), ("?lang=fr", "de", "fr"), ("?lang=", "de", "de")):
        page = json.loads(new.ask("GET", "/page" + query, None, {"Accept-Language": header})[1])
        assert page["lang"] == wanted, (query, header, page["lang"])
    for daemon in daemons.values():
        daemon.stop()


def an_act_is_read_to_the_letter(daemon):
    """Ids, fields and words at the ends of what they may be."""
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    _, room = meet(ann, bo)
    line = bo.stream(r=room)
    heard = lambda: [w for k, e in bo.events if k == "letter" and e["who"] for _, w in e["text"]]
    send = lambda **body: ann.ask("POST", "/say", {"token": ann.page["token"], "id": ann.fresh_id(), "text": "/ping", **body})[0]
    for act, status in (("a" * 8, 200), ("a" * 7, 400), ("b" * 40, 200), ("b" * 41, 400), ("azAZ09-_", 200), ("aaaaaaa.", 400), ("aaaaaaa@", 400),
                        ("aaaaaaa[", 400), ("aaaaaaa`", 400), ("aaaaaaa{", 400), ("aaaaaaa/", 400), ("aaaaaaa:", 400), ("aaaaaaaé", 400)):
        assert send(id=act) == status, act
    for text, status in (("x" * 2000, 200), ("x" * 2001, 400), ("x", 200), ("", 400)):
        assert send(text=text) == status, text
    began = len(heard())
    for said, talk in ((":)", True), ("/ping", False), ("0", False), ("9 lives", False), ("  8", False), ("  a word", True), ("é", True), ("z" * 500, True)):
        assert send(text=said, r=room) == 200, said
        if talk:
            wait_until(lambda: len(heard()) > began)
            assert heard()[-1] == said.strip(), heard()[-1]
        assert len(heard()) == began + talk, (said, heard())
        began += talk
    line.close()


def names_are_text(daemon):
    ann, bo = Browser(daemon, "<b>Ann"), Browser(daemon, "Bo\u202e")
    table, room = meet(ann, bo)
    scene = ann.get("/scene?t=%d" % table)
    assert [s["name"] for s in scene["seats"] if "Ann" in s["name"]] == ["<b>Ann"]
    assert not any("\u202e" in s["name"] for s in scene["seats"])
    assert ann.headers["content-type"].startswith("application/json")


def people_of_a_room_read_each_other(daemon):
    ann, bo, cleo = Browser(daemon, "Ann"), Browser(daemon, "Bo"), Browser(daemon, "Cleo")
    table, room = meet(ann, bo)
    lines = [bo.stream(t=table, r=room), cleo.stream()]
    act = ann.fresh_id()
    for _ in range(2):
        ann.act("/say", text="a fine <b>moon</b>", r=room, id=act)
    wait_until(lambda: any(e["who"] == "Ann" for k, e in bo.events if k == "letter"))
    said = [e for k, e in bo.events if k == "letter" and e["who"]]
    assert [e["text"] for e in said] == [[["", "a fine <b>moon</b>"]]], said
    codes = [ann.ask("POST", "/say", {"token": ann.page["token"], "id": ann.fresh_id(), "text": "on", "r": room})[0] for _ in range(30)]
    assert codes == [200] * 18 + [429] * 12, "twenty a minute, those that are repeated too"
    assert not any(k == "letter" for k, _ in cleo.events)
    for line in lines:
        line.close()


def an_address_has_a_ceiling():
    proxied = {"X-Forwarded-For": "203.0.113.5, 198.51.100.9"}.items()
    for trusted, wanted in (("127.0.0.1", 429), ("", 200)):
        daemon = Daemon(PROGRAM, KOIKOI_WEB_TRUSTED_PROXY=trusted, KOIKOI_WEB_PER_ADDRESS="2")
        codes = []
        for i in range(21):
            b = Browser(daemon, "N%d" % i)
            codes.append(b.ask("POST", "/say", {"token": b.page["token"], "id": b.fresh_id(), "text": "/ping"}, proxied)[0])
        assert codes[:20] == [200] * 20 and codes[20] == wanted, codes
        lines = [Browser(daemon, "S%d" % i).stream(headers=proxied) for i in range(3)]
        assert isinstance(lines[1], Stream) and (lines[2] == 429) == (wanted == 429), lines
        for line in (one for one in lines if isinstance(one, Stream)):
            line.close()
        daemon.stop()


def a_kept_card_waits_in_the_daemon(daemon):
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, _ = meet(ann, bo)
    scenes = {b: b.get("/scene?t=%d" % table) for b in (ann, bo)}
    waits = next(b for b in (ann, bo) if not scenes[b]["mine"])
    assert scenes[waits]["tap"] == "keep"
    card = next(c for c in scenes[waits]["hand"] if c["moves"])
    kept = waits.act("/press", press=card["moves"][0]["press"], t=table)["scene"]
    mine = next(c for c in kept["hand"] if c["kept"])
    assert mine["card"] == card["card"] and mine["back"]
    back = waits.act("/press", press=mine["back"], t=table)["scene"]
    assert not any(c["kept"] for c in back["hand"])


def a_killed_daemon_goes_on(daemon):
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, room = meet(ann, bo)
    players = (ann, bo)
    for kill in range(3):
        scenes = {b: b.get("/scene?t=%d" % table) for b in players}
        mover = next((b for b in players if move_of(scenes[b], b.chance)), None)
        if not mover:
            break
        lines = [b.stream(t=table, r=room, v=scenes[b]["v"]) for b in players]
        press, act = move_of(scenes[mover], mover.chance), mover.fresh_id()
        v = mover.act("/press", press=press, t=table, id=act)["scene"]["v"]
        daemon.kill()
        wait_until(lambda: all(line.ended for line in lines))
        daemon.start()
        assert mover.act("/press", press=press, t=table, id=act)["scene"]["v"] == v, "heard before the kill"
        for b in players:
            b.events = []
            line = b.stream(t=table, r=room)
            wait_until(lambda: b.newest("scene"))
            assert b.newest("scene")["v"] == v
            letters = [e["id"] for k, e in b.events if k == "letter"]
            assert letters == sorted(set(letters))
            line.close()


def the_seventh_stream_ends_the_oldest(daemon):
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, room = meet(ann, bo)
    lines = [ann.stream(t=table) for _ in range(7)]
    wait_until(lambda: lines[0].ended)
    assert ("bye", {"why": "many"}) in ann.events
    time.sleep(0.1)
    assert not any(line.ended for line in lines[1:])
    for line in lines:
        line.close()


def the_banned_talk_to_no_room():
    daemon = Daemon(PROGRAM)
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, room = meet(ann, bo)
    assert daemon.rewritten("UPDATE person SET banned = 1 WHERE name = 'Bo'") == 1
    line = ann.stream(t=table, r=room)
    bo.act("/say", text="hear me", r=room)
    ann.act("/say", text="anyone?", r=room)
    wait_until(lambda: any("anyone?" in json.dumps(e) for k, e in ann.events if k == "letter"))
    assert "hear me" not in json.dumps(ann.events)
    line.close()
    daemon.stop()


def a_store_that_is_damaged_is_found_out():
    """What each story ends with, of a match whose row says something else than was written."""
    daemon = Daemon(PROGRAM)
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    table, _ = meet(ann, bo)
    assert daemon.rewritten("UPDATE session SET sum = sum + 1 WHERE id = ?", table) == 1
    try:
        daemon.stop()
    except AssertionError as found:
        assert "not sound" in str(found), found
        daemon.folder.cleanup()
    else:
        raise AssertionError("a wrong checksum was not found")


def the_first_line_learns_of_the_first_match(daemon):
    """A stream that began before its reader had done anything, and so before they were anybody."""
    ann, bo = Browser(daemon, "Ann"), Browser(daemon, "Bo")
    lines = [ann.stream(), bo.stream()]
    ann.act("/say", text="/challenge code standard 3", name="Ann")
    said = lambda: " ".join(w for k, e in ann.events if k == "letter" for _, w in e["text"])
    wait_until(lambda: re.search(r"\b\d+-[a-km-z2-9]{8}\b", said()))
    bo.act("/say", text="/join " + re.search(r"\b\d+-[a-km-z2-9]{8}\b", said())[0], name="Bo")
    accept = lambda: [b["press"] for k, e in bo.events if k == "letter" for b in e.get("buttons", []) if b["text"] == "Accept"]
    wait_until(accept)
    table = bo.act("/press", press=accept()[-1])["t"]
    wait_until(lambda: ann.newest("go") == bo.newest("go") == {"t": table})
    for line in lines:
        line.close()


def a_stop_ends_streams_in_good_order():
    daemon = Daemon(PROGRAM)
    ann = Browser(daemon, "Ann")
    line = ann.stream()
    assert daemon.stop() == 0
    wait_until(lambda: line.ended)
    assert ("bye", {}) in ann.events


def a_person_of_another_network_opens_their_table():
    daemon = Daemon(PROGRAM, "--adapter", "terminal,web", USER="ann")
    daemon.type("/dm", "")
    daemon.type("/challenge mei 3", "challenges")
    daemon.type("/accept", "Round 1")
    ticket = daemon.type("/table", r"/table#([0-9a-f]{64})")
    ann, thief = Browser(daemon, "Ann"), Browser(daemon, "Thief")
    assert ann.ask("GET", "/table")[0] == 200, "a preview of the link does not use it up"
    ann.act("/login", ticket=ticket)
    page = ann.get("/page")
    assert page["network"] == "Terminal" and page["name"] == "Ann" and page["t"] == 1, page
    status, data = thief.ask("POST", "/login", {"token": thief.page["token"], "id": thief.fresh_id(), "ticket": ticket})
    assert status == 403 and json.loads(data)["text"], (status, data)
    assert thief.ask("GET", "/scene?t=1")[0] == 404
    wait_until(lambda: move_of(ann.get("/scene?t=1"), ann.chance))
    scene = ann.get("/scene?t=1")
    moved = ann.act("/press", press=move_of(scene, ann.chance), t=1)["scene"]
    assert moved["v"] > scene["v"]
    wrong = ann.act("/press", press=move_of(scene, ann.chance), t=1)
    assert wrong["say"], "the popup of a press on a page comes to the page"
    stored = open(daemon.folder.name + "/state/koikoi.db", "rb").read() + open(daemon.folder.name + "/state/koikoi.db-wal", "rb").read()
    assert ann.cookie.split("=")[1].encode() not in stored
    daemon.stop()


STORIES = [the_newcomer_plays_the_computer, no_byte_names_a_hidden_card, a_press_that_is_not_ones_own_changes_nothing,
           answers_have_their_heads, an_act_is_read_to_the_letter, names_are_text, people_of_a_room_read_each_other, a_kept_card_waits_in_the_daemon, a_killed_daemon_goes_on, the_seventh_stream_ends_the_oldest, the_first_line_learns_of_the_first_match]


ALONE = [a_browser_is_its_cookie_and_its_language, an_address_has_a_ceiling, a_person_of_another_network_opens_their_table, the_banned_talk_to_no_room, a_store_that_is_damaged_is_found_out,
         a_stop_ends_streams_in_good_order]

tell(PROGRAM, STORIES, ALONE)
