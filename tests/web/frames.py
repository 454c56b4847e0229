"""Stories of the page in a frame of another program: python3 tests/web/frames.py PROGRAM"""
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

from apps import Frame
from browser import Browser, Daemon, wait_until
from match import move_of
from networks import Telegram, sign
from stories import tell

PROGRAM = sys.argv[1]


def table_of_ann(telegram, person=7, name="Ann"):
    """Ann plays the computer in the group; returns the number that the board's button names."""
    telegram.say(person, name, "/challenge mei 3")
    wait_until(lambda: telegram.buttons() and any("Start" in b["text"] for b in telegram.buttons()))
    start = next(b for b in telegram.buttons() if "Start" in b["text"])
    telegram.press(person, name, start["callback_data"], telegram.messages)
    wait_until(lambda: any("/table?startapp=" in b.get("url", "") for b in telegram.buttons()))
    url = next(b["url"] for b in telegram.buttons() if "startapp=" in b.get("url", ""))
    assert re.fullmatch(r"https://t\.me/koi_bot/table\?startapp=[0-9]+", url), url
    return url.split("=")[1]


def a_person_of_telegram_plays_in_the_app():
    telegram = Telegram()
    daemon = Daemon(PROGRAM, **telegram.options)
    table = table_of_ann(telegram)
    ann = Frame(daemon, telegram.start_data(7, "Ann", table))
    assert ann.status == 200 and ann.page["network"] == "Telegram" and ann.page["name"] == "Ann"
    scene = ann.get("/scene?t=" + table)
    assert len(scene["hand"]) == 8
    while not move_of(scene, ann.chance):
        time.sleep(0.02)
        scene = ann.get("/scene?t=" + table)
    before = len(telegram.calls)
    after = ann.act("/press", press=move_of(scene, ann.chance), t=int(table))["scene"]
    assert after["v"] > scene["v"]

    def is_told():
        """A turn is told when it is over: the card that was drawn may leave a choice."""
        move = move_of(ann.get("/scene?t=" + table), ann.chance)
        if move:
            ann.act("/press", press=move, t=int(table))
        return any(re.search("<b>Ann</b> (plays|lays|took)", f.get("text", "")) for _, f in telegram.calls[before:])

    wait_until(is_told)
    # What the link names gives nothing: who has no seat sees no card.
    eve = Frame(daemon, telegram.start_data(9, "Eve", table))
    assert eve.status == 200
    assert eve.ask("GET", "/scene?t=" + table)[0] == 404
    line = eve.stream(t=table)
    time.sleep(0.3)
    assert not eve.events
    line.close()
    # A secret of a frame is no cookie, and a cookie none of a frame.
    other = Browser(daemon, "")
    other.cookie = "koikoi=" + ann.secret
    ann.secret = "0" * 32
    assert ann.ask("GET", "/scene?t=" + table)[0] == 404
    status, data = ann.ask("POST", "/say", {"token": ann.page["token"], "id": "act-00000001", "text": "/help"})
    assert status == 403 and "chat" in json.loads(data)["text"], data
    assert daemon.stop() == 0
    telegram.close()


def start_data_counts_once_and_for_an_hour():
    telegram = Telegram()
    daemon = Daemon(PROGRAM, **telegram.options)
    user = json.dumps(telegram.user(7, "Ann"))
    now = int(time.time())
    good = {"auth_date": str(now), "query_id": "A", "user": user}
    refused = {
        "old": sign(telegram.token, {**good, "auth_date": str(now - 3700)}),
        "of tomorrow": sign(telegram.token, {**good, "auth_date": str(now + 86400)}),
        "of another bot": sign("4243:secret-of-another", good),
        "without a date": sign(telegram.token, {"query_id": "A", "user": user}),
        "without a person": sign(telegram.token, {"auth_date": str(now), "query_id": "A"}),
        "of a bot": sign(telegram.token, {**good, "user": json.dumps({**telegram.user(8, "B"), "is_bot": True})}),
        "without a hash": urllib.parse.urlencode(good),
        "with an empty hash": urllib.parse.urlencode(good) + "&hash=",
        "nothing": "",
        "long": "a=" + "b" * 5000,
    }
    whole = sign(telegram.token, good)
    fields = whole.split("&")
    refused["changed"] = whole.replace("Ann", "Bob")
    refused["with a field more"] = whole + "&extra=1"
    refused["with a field less"] = "&".join(f for f in fields if not f.startswith("query_id"))
    for f in fields:
        refused["twice " + f.split("=")[0]] = whole + "&" + f
        refused["twice, first " + f.split("=")[0]] = f + "&" + whole
    forged = urllib.parse.quote(json.dumps(telegram.user(9, "Eve")))
    refused["two people"] = "user=" + forged + "&" + whole
    refused["two people, the other way"] = whole + "&user=" + forged
    refused["a hash of its own"] = "hash=" + "0" * 64 + "&" + whole
    # A line break in a value, which the sum cannot tell from two fields.
    joined = sign(telegram.token, {"auth_date": str(now), "query_id": "A\nuser=" + user})
    refused["two fields in one"] = joined
    for why, data in refused.items():
        assert Frame(daemon, data).status in (400, 403, 413), why
    assert Frame(daemon, whole.replace("hash=", "HASH=")).status == 403
    assert Frame(daemon, whole).status == 200
    assert Frame(daemon, whole).status == 403, "twice"
    assert Frame(daemon, whole.replace("hash=", "hash=").upper().replace("HASH", "hash")).status == 403
    again = sign(telegram.token, {**good, "query_id": "B", "signature": "counts in the sum"})
    upper = again.split("hash=")[0] + "hash=" + again.split("hash=")[1].upper()
    assert Frame(daemon, again).status == 200
    assert Frame(daemon, upper).status == 403, "the same hash in other letters"
    daemon.kill()
    daemon.start()
    assert Frame(daemon, whole).status == 403, "twice, after a kill"
    assert Frame(daemon, sign(telegram.token, {**good, "query_id": "C"}), "web").status == 400
    assert Frame(daemon, sign(telegram.token, {**good, "query_id": "C"}), "matrix").status == 400
    log = open(daemon.folder.name + "/log").read()
    assert whole.split("hash=")[1] not in log and telegram.token not in log
    assert daemon.stop() == 0
    telegram.close()


def bots_of_one_network_share_the_page():
    first, second = Telegram(), Telegram("4243:secret-of-the-second")
    both = {**first.options, **{k.replace("TELEGRAM_", "TELEGRAM_TWO_"): v for k, v in second.options.items()}}
    daemon = Daemon(PROGRAM, **both)
    for bot in (first, second):
        table = table_of_ann(bot)
        ann = Frame(daemon, bot.start_data(7, "Ann", table))
        assert ann.status == 200 and ann.page["name"] == "Ann"
        assert len(ann.get("/scene?t=" + table)["hand"]) == 8
    assert Frame(daemon, sign("4244:secret-of-a-third", {"auth_date": str(int(time.time())), "user": json.dumps(first.user(7, "Ann"))})).status == 403
    assert daemon.stop() == 0
    first.close()
    second.close()


def only_named_hosts_may_frame():
    telegram = Telegram()
    daemon = Daemon(PROGRAM, KOIKOI_WEB_FRAMES="https://club.example.org https://app.element.io vector://vector", **telegram.options)
    ann = Browser(daemon, "")

    def framed_by(path):
        status, _ = ann.ask("GET", path)
        return status, re.search(r"frame-ancestors ([^;]*)$", ann.headers["content-security-policy"]).group(1)

    option = "https://club.example.org https://app.element.io vector://vector"
    for path in ("/", "/t/1", "/table", "/r/" + "a" * 32, "/page", "/scene?t=1"):
        assert framed_by(path)[1] == "'none'", path
    for path in ("/watch/1-abc", "/replay/1-abc"):
        assert framed_by(path) == (200, option), path
    assert framed_by("/replay/1-abc/steps")[1] == "'none'"
    assert framed_by("/app/telegram") == (200, "https://web.telegram.org " + option)
    for path in ("/app/web", "/app/matrix", "/app/terminal", "/app/", "/app/telegram/x"):
        assert framed_by(path) == (404, "'none'"), path
    assert daemon.stop() == 0
    state = tempfile.mkdtemp()
    for bad in ("*", "https://*", "'self'", "https://a.example;script-src", "https://", "javascript:", "https:", "a.example:", "*.", "a:b", "https://a.example/path", "vector:", "vector://", "vector://*", "vector://vector/", "://vector", "Vector://vector", "a b://c"):
        wrong = subprocess.run([PROGRAM, "run"], env={"PATH": "/usr/bin:/bin", "KOIKOI_STATE_DIR": state, "KOIKOI_WEB_LISTEN": "127.0.0.1:0", "KOIKOI_WEB_FRAMES": bad}, capture_output=True, timeout=20)
        assert wrong.returncode == 3 and b"frames" in wrong.stderr, (bad, wrong)
    alone = Daemon(PROGRAM)
    ann = Browser(alone, "")
    for path in ("/watch/1-abc", "/replay/1-abc"):
        assert framed_by(path) == (200, "'none'"), path
    assert framed_by("/app/telegram") == (404, "'none'")
    assert alone.stop() == 0
    telegram.close()


tell(PROGRAM, [], [a_person_of_telegram_plays_in_the_app, start_data_counts_once_and_for_an_hour,
                   bots_of_one_network_share_the_page, only_named_hosts_may_frame])
