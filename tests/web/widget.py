"""Stories of the page beside a Matrix room: python3 tests/web/widget.py PROGRAM"""
import json
import re
import sys
import threading
import time

from apps import Frame, Widget, confirmed
from browser import Browser, Daemon, wait_until
from match import codes_in, move_of
from networks import Matrix, Telegram
from stories import tell

PROGRAM = sys.argv[1]
ANN, BO, EVE = "@ann:hs.test", "@bo:hs.test", "@eve:hs.test"


def table_of(matrix, daemon, person=ANN, rival="mei"):
    """A match in the room; returns its number, by a page of the person's own."""
    matrix.say(person, "!koi challenge %s 3" % rival)
    matrix.say(person, "!koi accept")
    matrix.hears("Ann to move" if person == ANN else "to move")
    page = confirmed(matrix, daemon, person)
    wait_until(lambda: page.get("/page?chat=" + matrix.room)["t"])
    return page.get("/page?chat=" + matrix.room)["t"]


def an_admin_puts_the_table_beside_the_room():
    matrix = Matrix()
    daemon = Daemon(PROGRAM, **matrix.options)
    matrix.say(ANN, "!koi widget")
    state = matrix.wait(lambda room, kind, _: (room, kind) == (matrix.room, "im.vector.modular.widgets"))
    assert state["url"] == "https://koi.test/app/matrix?chat=%21tea%3Ahs.test" and state["creatorUserId"] == matrix.bot
    matrix.hears("stands beside this room")
    matrix.say(BO, "!koi widget")  # without the power
    matrix.hears("takes power level 50; yours is 0")
    matrix.say(ANN, "!koi widget off")
    matrix.hears("no longer stands")
    assert [c for _, kind, c in matrix.sent if kind == "im.vector.modular.widgets"] == [state, {}]
    assert daemon.stop() == 0
    matrix.close()


def the_bot_says_which_power_it_lacks():
    for powers, words in (({"@koi:hs.test": 0, ANN: 100}, "I need power level 50; I have 0"), ({"@koi:hs.test": 49, ANN: 50}, "I need power level 50; I have 49")):
        matrix = Matrix(powers=powers)
        daemon = Daemon(PROGRAM, **matrix.options)
        matrix.say(ANN, "!koi widget")
        matrix.hears(words)
        assert not [k for _, k, _ in matrix.sent if "widgets" in k]
        assert daemon.stop() == 0
        matrix.close()
    matrix = Matrix()
    daemon = Daemon(PROGRAM, **{k: v for k, v in matrix.options.items() if k != "KOIKOI_WEB_URL"})
    matrix.say(ANN, "!koi widget")
    matrix.hears("no address that others reach")
    assert daemon.stop() == 0
    matrix.close()


def ends_of_windows(daemon, waits=False):
    with daemon.store() as store:
        return store.execute("SELECT max(until) FROM login WHERE (code <> '') = ?", (waits,)).fetchone()[0]


def a_person_plays_in_the_widget():
    matrix = Matrix()
    daemon = Daemon(PROGRAM, **matrix.options)
    table = table_of(matrix, daemon)
    ann = Widget(daemon, matrix.openid(ANN))
    assert not ann.secret and ann.ask("GET", "/scene?t=%d" % table)[0] == 404, "nothing before the code is written"
    asked, code, end = len(matrix.asked), ann.said, ends_of_windows(daemon, waits=True)
    for _ in range(3):
        assert not ann.prove() and len(matrix.asked) == asked, "a page that waits asks its homeserver once"
        assert ann.status == 200 and ann.said == code, "it goes on showing its code"
    assert ends_of_windows(daemon, waits=True) == end, "its code waits no longer for being asked about"
    matrix.say(ANN, ann.said)
    matrix.hears("It is you")
    wait_until(ann.prove)
    first = ends_of_windows(daemon)
    wait_until(lambda: ann.prove() and ends_of_windows(daemon) > first)  # a year from its last use
    page = ann.get("/page?chat=" + matrix.room)
    assert page["network"] == "Matrix" and page["t"] == table and ann.sees(table)
    scene = ann.get("/scene?t=%d" % table)
    while not move_of(scene, ann.chance):
        time.sleep(0.02)
        scene = ann.get("/scene?t=%d" % table)
    ann.page = page
    after = ann.act("/press", press=move_of(scene, ann.chance), t=table)["scene"]
    assert after["v"] > scene["v"]
    matrix.hears("Ann")
    # The window is known from then on, with a token of its person; also after a kill.
    daemon.kill()
    daemon.start()
    again = Widget(daemon, matrix.openid(ANN), ann.window)
    assert again.secret and again.window == ann.window
    # What the window keeps opens nothing by itself, nor with another's token.
    assert Widget(daemon, "", ann.window).status == 403
    alone = Widget(daemon, matrix.openid(ANN))
    alone.secret = ann.window
    assert not alone.sees(table)
    bo = Widget(daemon, matrix.openid(BO), ann.window)
    assert bo.status == 200 and not bo.secret and bo.window != ann.window
    # Another sees their own tables alone.
    matrix.say(BO, bo.said)
    wait_until(bo.prove)
    assert not bo.sees(table) and bo.get("/page?chat=" + matrix.room)["t"] == 0
    log = open(daemon.folder.name + "/log").read()
    assert "openid-" not in log and ann.secret not in log and ann.window not in log
    assert daemon.stop() == 0
    matrix.close()


def a_token_that_was_passed_on_opens_nothing():
    matrix = Matrix()
    daemon = Daemon(PROGRAM, **matrix.options)
    table = table_of(matrix, daemon)
    token = matrix.openid(ANN)  # of another widget that Ann has opened, in the hands of its owner
    eve = Widget(daemon, token)
    assert eve.said and not eve.secret
    matrix.say(EVE, eve.said)  # who writes the code that their page shows
    matrix.hears("No table of yours shows this code")
    assert not eve.prove() and not eve.sees(table)
    ann = Widget(daemon, token)
    assert ann.said != eve.said
    code = ann.said
    matrix.say(ANN, code)
    wait_until(ann.prove)
    assert ann.sees(table) and not eve.prove(), "a code counts for the window that shows it"
    matrix.say(ANN, code)  # again: it waits no more
    wait_until(lambda: sum("No table of yours" in json.dumps(c) for _, _, c in matrix.sent) == 2)
    for wrong in ("000000", "12345", "1234567", "-12345"):
        matrix.say(EVE, "!koi widget " + wrong)
    assert not eve.prove() and not eve.sees(table)
    # Windows without end: so many wait for one person at a time.
    status = [Widget(daemon, token).status for _ in range(12)]
    assert status[0] == 200 and status[-1] == 403, status
    assert Widget(daemon, matrix.openid(ANN), ann.window).secret, "the known window stays"
    assert daemon.stop() == 0
    matrix.close()


def only_allowed_homeservers_are_asked():
    matrix, other = Matrix(), Matrix("127.0.0.1:1")
    daemon = Daemon(PROGRAM, **matrix.options)
    whole = json.loads(matrix.openid(ANN))
    strange = {
        "unknown": {**whole, "access_token": "openid-of-nobody"},
        "without a token": {"matrix_server_name": "hs.test"},
        "without a server": {"access_token": whole["access_token"]},
        "of a server that is not allowed": {**whole, "matrix_server_name": "elsewhere.test"},
        "of one at a private address": {**whole, "matrix_server_name": "127.0.0.1:%d" % other.port},
        "of one in a path": {**whole, "matrix_server_name": "hs.test/@elsewhere.test"},
        "of one in capitals": {**whole, "matrix_server_name": "HS.test"},
        "with a line break": {**whole, "access_token": "openid-0\r\nHost: elsewhere.test"},
        "of several": {**whole, "matrix_server_name": ["hs.test"]},
    }
    for why, bytes_ in strange.items():
        assert Widget(daemon, json.dumps(bytes_)).status == 403, why
    for bytes_ in ("", "[]", "null", "{", "x" * 5000):
        assert Widget(daemon, bytes_).status in (400, 403, 413), bytes_[:9]
    # A server speaks for its own people alone.
    for sub in ("@ann:elsewhere.test", "@ann", "ann:hs.test", "@ann:hs.test.elsewhere.test", "@ann:elsewhere.test:hs.test", "", 7):
        assert Widget(daemon, matrix.openid(ANN, sub)).status == 403, sub
    assert not other.asked
    matrix.redirect = "http://127.0.0.1:%d/_matrix/federation/v1/openid/userinfo?access_token=x" % other.port
    assert Widget(daemon, matrix.openid(ANN)).status == 403 and not other.asked, "a redirect is followed"
    assert daemon.stop() == 0
    # Allowed by name, but at an address of this machine, by number and by name; and the bot's own where the list has others.
    for server in ("127.0.0.1:%d" % other.port, "localhost:%d" % other.port, "localhost"):
        daemon = Daemon(PROGRAM, KOIKOI_MATRIX_WIDGET_HOMESERVERS=server, **matrix.options)
        matrix.redirect = None
        assert Widget(daemon, json.dumps({**whole, "matrix_server_name": server})).status == 403, server
        asked = len(matrix.asked)
        assert Widget(daemon, matrix.openid(ANN)).status == 403 and len(matrix.asked) == asked
        assert daemon.stop() == 0
    assert not other.asked
    matrix.close()
    other.close()


def held_back(matrix):
    """The questions who somebody is, as they come, and the event that lets them be answered."""
    whole = matrix.answer
    asked, answers = [], threading.Event()

    def answer(method, path, *rest):
        if "userinfo" in path:
            asked.append(path)
            answers.wait()
        return whole(method, path, *rest)

    matrix.answer = answer
    return asked, answers


def a_slow_homeserver_holds_nothing_up():
    matrix = Matrix()
    daemon = Daemon(PROGRAM, **matrix.options)
    slow, answers = held_back(matrix)
    pages = []
    first = threading.Thread(target=lambda: pages.append(Widget(daemon, matrix.openid(ANN))))
    first.start()
    wait_until(lambda: slow)
    Browser(daemon, "Bo").get("/page")
    assert not pages, "another page is answered first"
    answers.set()
    first.join()
    answers.clear()
    assert pages[0].status == 200 and pages[0].said
    second = Browser(daemon, "")

    def ends():
        try:
            second.ask("POST", "/prove", {"network": "matrix", "bytes": matrix.openid(BO)})
        except OSError:
            pass

    waits = threading.Thread(target=ends)
    waits.start()
    wait_until(lambda: len(slow) == 2)
    assert daemon.stop() == 0, "a stop does not wait for it"
    answers.set()
    waits.join()
    matrix.close()


def a_homeserver_that_answers_nobody_leaves_the_others_their_places():
    matrix, other = Matrix(), Matrix("127.0.0.1:1")
    servers = "hs.test localhost:%d" % other.port
    daemon = Daemon(PROGRAM, KOIKOI_MATRIX_WIDGET_HOMESERVERS=servers, **matrix.options)
    held, answers = held_back(matrix)
    pages = []
    visits = [threading.Thread(target=lambda: pages.append(Widget(daemon, matrix.openid(ANN)).status)) for _ in range(8)]
    for visit in visits:
        visit.start()
    wait_until(lambda: len(held) == len(visits))
    assert Widget(daemon, matrix.openid(BO)).status == 429 and len(held) == len(visits)
    elsewhere = json.dumps({"access_token": "x", "matrix_server_name": "localhost:%d" % other.port})
    assert Widget(daemon, elsewhere).status == 403, "one at a private address is refused, not put off"
    answers.set()
    for visit in visits:
        visit.join()
    assert pages == [200] * len(visits)
    assert Widget(daemon, matrix.openid(BO)).status == 200, "the places are free again"
    assert daemon.stop() == 0
    matrix.close()
    other.close()


def only_named_hosts_show_it():
    matrix = Matrix()
    daemon = Daemon(PROGRAM, KOIKOI_WEB_FRAMES="https://app.element.io", **matrix.options)
    page = Browser(daemon, "")
    for path, hosts in (("/app/matrix?chat=%21tea", "https://app.element.io"), ("/", "'none'"), ("/t/1", "'none'"), ("/page?chat=%21tea", "'none'")):
        page.ask("GET", path)
        assert page.headers["content-security-policy"].endswith("frame-ancestors " + hosts), path
    assert daemon.stop() == 0
    matrix.close()


def three_play_in_three_apps():
    """Ann in Telegram's Mini App, Bo in Element's widget, Cleo in a browser: one match to its end, with a kill."""
    telegram, matrix = Telegram(), Matrix()
    daemon = Daemon(PROGRAM, **{**matrix.options, **telegram.options})
    cleo = Browser(daemon, "Cleo")
    line = cleo.stream()
    cleo.act("/say", text="/challenge code mongolopedia 3 players=3", name="Cleo")
    said = lambda: " ".join(w for k, e in cleo.events if k == "letter" for _, w in e["text"])
    code = lambda: re.search(r"\b\d+-[a-km-z2-9]{8}\b", said() + json.dumps(cleo.newest("scene")))
    wait_until(code)
    line.close()
    code = code().group()
    telegram.say(7, "Ann", "/join " + code)
    wait_until(lambda: any("Accept" in b["text"] for b in telegram.buttons()))
    accept = next(b for b in telegram.buttons() if "Accept" in b["text"])
    telegram.press(7, "Ann", accept["callback_data"], telegram.messages)
    matrix.say(BO, "!koi join " + code)
    matrix.hears("challenges")
    matrix.say(BO, "!koi accept")
    url = lambda: next((b["url"] for b in telegram.buttons() if "/table?startapp=" in b.get("url", "")), "")
    wait_until(url)
    table = int(url().split("=")[1])
    ann, bo = Frame(daemon, telegram.start_data(7, "Ann", str(table))), confirmed(matrix, daemon, BO)
    bo.page = bo.get("/page?chat=" + matrix.room)
    assert ann.page["network"] == "Telegram" and bo.page["network"] == "Matrix" and bo.page["t"] == table
    people, presses, searched = (ann, bo, cleo), 0, 0
    scenes = lambda: {p: p.get("/scene?t=%d" % table) for p in people}
    hands = lambda found: {p: {c["card"] for c in s["hand"]} for p, s in found.items()}
    while True:
        found = scenes()
        if len({s["v"] for s in found.values()}) > 1:
            continue
        if found[cleo]["phase"] == "over":
            break
        held = hands(found)
        for p, s in found.items():
            assert not codes_in(s) & set().union(*(held[o] for o in people if o is not p)), "another's hand"
            searched += len(held[p])
        mover = next((p for p in people if move_of(s := found[p], p.chance)), None)
        if not mover:
            time.sleep(0.02)
            continue
        act = {"press": move_of(found[mover], mover.chance), "t": table, "id": mover.fresh_id()}
        after = mover.act("/press", **act)["scene"]
        presses += 1
        if presses == 9:
            daemon.kill()
            daemon.start()
            again = mover.act("/press", **act)["scene"]
            assert again["v"] >= after["v"] and (again["v"] > after["v"] or again["hand"] == after["hand"]), "a kill lost the move, or played it twice"
    assert presses > 9 and searched > 100, (presses, searched)
    result = r"(Ann|Bo|Cleo) wins match #%d|Match #%d is a draw" % (table, table)
    ends = [m.group() for p in people for m in [re.search(result, " ".join(p.get("/scene?t=%d" % table)["say"]))] if m]
    assert len(set(ends)) == 1 and len(ends) == 3, [p.get("/scene?t=%d" % table)["say"] for p in people]
    wait_until(lambda: any(ends[0] in re.sub("<[^>]*>", "", text) for text in telegram.texts()))
    matrix.hears(ends[0])
    assert daemon.stop() == 0
    telegram.close()
    matrix.close()


tell(PROGRAM, [], [three_play_in_three_apps, an_admin_puts_the_table_beside_the_room, the_bot_says_which_power_it_lacks, a_person_plays_in_the_widget, a_token_that_was_passed_on_opens_nothing,
                   only_allowed_homeservers_are_asked, a_slow_homeserver_holds_nothing_up,
                   a_homeserver_that_answers_nobody_leaves_the_others_their_places, only_named_hosts_show_it])
