"""A match of three rounds with the daemon killed, or the line cut, at every step: steps.py PROGRAM

A press is sent in one of three ways, in turn: after the daemon was killed and has come back; then killed before the
answer is read; then answered and killed. Each press is sent again under its id, as a page does it. What the match's record
says in the end are the moves that were tapped, each once. Meanwhile the line is cut at every step, and the next one says
what the page has not seen."""
import json
import os
import socket
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "tests", "web"))
from browser import Browser, Daemon, wait_until  # noqa: E402
from match import move_of, opened, page_of  # noqa: E402


def restart(daemon):
    daemon.kill()
    daemon.start()


def sent_unread(browser, body):
    """The press as bytes on a line whose answer nobody reads."""
    data = json.dumps(body).encode()
    s = socket.create_connection(("127.0.0.1", browser.daemon.port))
    s.sendall(b"POST /press HTTP/1.1\r\nHost: x\r\nCookie: %s\r\nAccept-Language: en\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (browser.cookie.encode(), len(data)) + data)
    return s


def pressed(browser, press, table, way):
    daemon = browser.daemon
    body = {"token": browser.page["token"], "id": browser.fresh_id(), "press": press, "t": table}
    if way == 0:
        restart(daemon)
    elif way == 1:
        line = sent_unread(browser, body)
        time.sleep(browser.chance.random() * 0.01)
        restart(daemon)
        line.close()
    else:
        assert browser.ask("POST", "/press", body)[0] == 200
        restart(daemon)
    status, data = browser.ask("POST", "/press", body)
    assert status == 200, (status, data)
    return json.loads(data)["scene"]


class Cut:
    """A stream that is cut at every step."""

    def __init__(self, browser, table):
        self.browser, self.table, self.v, self.n = browser, table, 0, 0

    def see(self, v):
        """A new line, from what the last one had said, comes to the table as it is now."""
        before = len(self.browser.events)
        line = self.browser.stream(t=self.table, **({"v": self.v} if self.v else {}))
        told = lambda: [e["v"] for k, e in self.browser.events[before:] if k == "scene"]
        wait_until(lambda: told() and told()[-1] >= v if self.v < v else True)
        line.close()
        assert all(b > a for a, b in zip([self.v] + told(), told())), "a scene came twice: %s after %d" % (told(), self.v)
        self.v = max([self.v] + told())
        self.n += 1


def what_is(scene, press):
    """What the record must say of this press; None for one that is no move."""
    for c in scene["hand"] + ([scene["drawn"]] if scene["drawn"] else []):
        for m in c["moves"]:
            if m["press"] == press:
                return "draw" if scene["phase"] == "draw" else "play", c["card"], m["take"]
    style = next(b["style"] for b in scene["buttons"] if b["press"] == press)
    return ("decide", {"take": "stop", "danger": "koikoi"}[style]) if scene["phase"] == "decide" else None


def recorded(record, seat, chosen):
    """The moves of that seat; of the cards it drew those that it had to choose for, of its stops those that were a choice:
    the table stops by itself for who has no card any more, or no call (console allows one a round)."""
    cards, calls = 0, 0
    for line in map(json.loads, record.splitlines()):
        if line["t"] == "deal":
            cards, calls = len(line["hands"][seat]), 0
        calls += line["t"] == "decide" and line["do"] == "koikoi"
        if line.get("p") != seat or line["t"] not in ("play", "draw", "decide"):
            continue
        cards -= line["t"] == "play"
        if line["t"] == "decide":
            if line["do"] == "koikoi" or (cards and not calls):
                yield "decide", line["do"]
        elif line["t"] == "play" or ("draw", line["card"], line["take"]) in chosen:
            yield line["t"], line["card"], line["take"]


def played(program):
    daemon = Daemon(program)
    ann = Browser(daemon, "Ann")
    offer = ann.act("/say", text="/challenge mei console 3", name="Ann")
    table = offer["t"]
    scene = ann.act("/press", press=offer["scene"]["buttons"][0]["press"], t=table)["scene"]
    line, mine, kills = Cut(ann, table), [], 0
    until = time.monotonic() + 500
    while scene["phase"] != "over" and time.monotonic() < until:
        press = move_of(scene, ann.chance)
        if not press:
            time.sleep(0.02)
            scene = ann.get("/scene?t=%d" % table)
            continue
        move = what_is(scene, press)
        after = pressed(ann, press, table, kills % 3)
        kills += 1
        assert after["v"] > scene["v"], "a legal press moves the table on"
        mine += [move] if move else []
        line.see(after["v"])
        scene = after
    assert scene["phase"] == "over", "the match ends"
    told = list(recorded(opened(ann, page_of(scene), "record")[1].decode(), scene["me"], mine))
    assert told == mine and kills > 1, "tapped: %s; recorded: %s" % (mine, told)
    daemon.stop()
    print("%d kills and %d cuts, %d moves, each recorded once" % (kills, line.n, len(mine)))


played(sys.argv[1])
