"""The table beside a room of a real homeserver: widget.py HOMESERVER PAGES

Ann has it put there, once the bot has the power; her client's OpenID token proves her to the daemon, which asks the
homeserver. Plain calls, as a client and the page in it make them. Ends with the number of things looked at."""
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE, PAGES, BOT = sys.argv[1], sys.argv[2], "@bot:koi.test"
looked = 0


def ask(method, url, body=None, token=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode(),
                                     headers={"Content-Type": "application/json", **({"Authorization": "Bearer " + token} if token else {})})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def until(what, name):
    deadline = time.time() + 60
    while time.time() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit("in vain: " + name)


def must(true, what):
    global looked
    looked += 1
    if not true:
        raise SystemExit(what)


class Person:
    def __init__(self, name):
        self.id, self.token, self.sent = "@%s:koi.test" % name, None, 0
        self.token = self.call("POST", "login", {"type": "m.login.password", "password": "password-" + name, "identifier": {"type": "m.id.user", "user": name}})["access_token"]

    def call(self, method, path, body=None):
        return ask(method, BASE + "/_matrix/client/v3/" + path, body, self.token)[1]

    def say(self, room, text):
        self.sent += 1
        self.call("PUT", "rooms/%s/send/m.room.message/t%d" % (room, self.sent), {"msgtype": "m.text", "body": text})

    def hears(self, room, words):
        def heard():
            page = self.call("GET", "rooms/%s/messages?dir=b&limit=100" % room)
            return [e for e in page.get("chunk", []) if e["sender"] == BOT and words in json.dumps(e["content"], ensure_ascii=False)]
        return until(heard, words)

    def openid(self):
        return self.call("POST", "user/%s/openid/request_token" % urllib.parse.quote(self.id), {})


def prove(token, window=""):
    return ask("POST", PAGES + "/prove", {"network": "matrix", "bytes": json.dumps(token), "window": window})


ann, bo = Person("ann"), Person("bo")
name = ann.call("POST", "createRoom", {"name": "Tea", "preset": "private_chat", "invite": [BOT, bo.id]})["room_id"]
room = urllib.parse.quote(name)
bo.call("POST", "join/" + room, {})
until(lambda: ann.call("GET", "rooms/%s/state/m.room.member/%s" % (room, urllib.parse.quote(BOT))).get("membership") == "join", "the bot joins")

# ---- the state event: the bot says what it lacks, and Bo what he does ----
ann.say(room, "!koi widget")
must(ann.hears(room, "I need power level 50; I have 0"), "the bot's level")
powers = ann.call("GET", "rooms/%s/state/m.room.power_levels/" % room)
powers["users"][BOT] = 50
ann.call("PUT", "rooms/%s/state/m.room.power_levels/" % room, powers)
bo.say(room, "!koi widget")
must(ann.hears(room, "takes power level 50; yours is 0"), "Bo's level")
ann.say(room, "!koi widget")
ann.hears(room, "stands beside this room")
state = ann.call("GET", "rooms/%s/state/im.vector.modular.widgets/koikoi" % room)
must(state["url"].endswith("/app/matrix?chat=" + urllib.parse.quote(name, safe="")), state)

# ---- a match, and the page beside it ----
ann.say(room, "!koi challenge mei 3")
ann.hears(room, "challenges Mei")
ann.say(room, "!koi accept")
ann.hears(room, "to move")
token = ann.openid()
status, first = prove(token)
must(status == 200 and "secret" not in first and re.fullmatch("!koi widget [0-9]{6}", first["say"]), first)
bo.say(room, first["say"])
bo.hears(room, "No table of yours shows this code")
must("secret" not in prove(token, first["window"])[1], "another wrote the code")
ann.say(room, first["say"])
secret = until(lambda: prove(token, first["window"])[1].get("secret"), "the code is written")
page = until(lambda: [p for p in [ask("GET", PAGES + "/page?chat=" + urllib.parse.quote(name, safe=""), token=secret)[1]] if p["t"]], "the room's match")[0]
status, scene = ask("GET", PAGES + "/scene?t=%d" % page["t"], token=secret)
must(page["network"] == "Matrix" and status == 200 and scene["hand"], "Ann's hand")
must("secret" in prove(ann.openid(), first["window"])[1], "the window is known, with a new token")
must("secret" not in prove(bo.openid(), first["window"])[1], "but not with another's")

# ---- what is refused: by the homeserver, and unasked ----
for why, wrong in (("forged", {**token, "access_token": "forged"}), ("an access token", {**token, "access_token": ann.token}), ("of another server", {**token, "matrix_server_name": "elsewhere.test"})):
    must(prove(wrong)[0] == 403, why)
ann.say(room, "!koi widget off")
ann.hears(room, "no longer stands")
must(ann.call("GET", "rooms/%s/state/im.vector.modular.widgets/koikoi" % room) == {}, "it is gone")
print(json.dumps({"looked": looked}))
