"""Networks beside the pages, as small as a test of frames needs them: a Bot API server, and the start data of its apps.

    telegram = Telegram();  Daemon(PROGRAM, **telegram.options)
    telegram.say(7, "Ann", "/challenge mei 3");  telegram.wait(lambda call: ...);  telegram.start_data(7, "Ann", "12")

As a program it serves one for tests that are no Python: what is said comes by lines of JSON."""
import hashlib
import hmac
import http.server
import json
import os
import threading
import time
import urllib.parse

GROUP = -1001234567890
# Seconds until a test gives up. What works takes a hundredth; under a sanitizer, on a busy machine, the review of twelve
# rounds takes minutes.
PATIENCE = 240 * int(os.environ.get("PATIENCE", "1"))


class Server:
    """An HTTP server on a free port, whose `answer(method, path, fields)` returns a status and a document."""

    def __init__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, document = outer.answer(self.command, self.path, body, self.headers)
                data = json.dumps(document).encode()
                self.send_response(status)
                if status // 100 == 3:
                    self.send_header("Location", document)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                try:
                    self.wfile.write(data)
                except OSError:
                    pass  # the daemon has gone, as a kill has it

            do_GET = do_POST = do_PUT = do

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.changed = threading.Condition()
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def sign(token, fields):
    """The fields of start data, with their hash, as the app has them behind the # of its address."""
    key = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    text = "\n".join("%s=%s" % f for f in sorted(fields.items()))
    return urllib.parse.urlencode({**fields, "hash": hmac.new(key, text.encode(), hashlib.sha256).hexdigest()})


class Telegram(Server):
    def __init__(self, token="4242:secret-of-the-bot"):
        super().__init__()
        self.token, self.calls, self.updates, self.messages = token, [], [], 100
        self.options = {"KOIKOI_TELEGRAM_TOKEN": token, "KOIKOI_TELEGRAM_API_ROOT": "http://127.0.0.1:%d" % self.port,
                        "KOIKOI_TELEGRAM_APP": "table", "KOIKOI_TELEGRAM_PICTURES": "no", "KOIKOI_TELEGRAM_PACE": "0"}

    def answer(self, _, path, body, headers):
        method = path.split("/")[-1].split("?")[0]
        fields = json.loads(body) if headers.get("Content-Type", "").startswith("application/json") and body else dict(urllib.parse.parse_qsl(body.decode("utf-8", "replace")))
        with self.changed:
            self.calls.append((method, fields))
            self.changed.notify_all()
            if method == "getMe":
                result = {"id": int(self.token.split(":")[0]), "is_bot": True, "first_name": "Koi", "username": "koi_bot", "can_join_groups": True}
            elif method == "getUpdates":
                offset = int(fields.get("offset") or 0)
                self.changed.wait_for(lambda: any(u["update_id"] >= offset for u in self.updates), min(2, float(fields.get("timeout") or 0)))
                result = [u for u in self.updates if u["update_id"] >= offset] if offset >= 0 else []
            elif method.startswith(("send", "edit")) and method != "sendChatAction":
                self.messages += 1
                result = {"message_id": int(fields.get("message_id") or self.messages), "date": int(time.time()), "chat": {"id": int(fields.get("chat_id") or 0), "type": "supergroup"}, "text": fields.get("text", "")}
            else:
                result = True
        return 200, {"ok": True, "result": result}

    def push(self, kind, what):
        with self.changed:
            self.updates.append({"update_id": 1000 + len(self.updates), kind: what})
            self.changed.notify_all()

    @staticmethod
    def user(person, name):
        return {"id": person, "is_bot": False, "first_name": name, "language_code": "en"}

    def say(self, person, name, text, chat=GROUP):
        where = {"id": chat, "type": "supergroup", "title": "Club"} if chat == GROUP else {"id": chat, "type": "private"}
        self.messages += 1
        command = [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}] if text[0] == "/" else []
        self.push("message", {"message_id": self.messages, "date": int(time.time()), "chat": where, "from": self.user(person, name), "text": text, "entities": command})

    def press(self, person, name, data, message, chat=GROUP):
        self.push("callback_query", {"id": "q%d" % len(self.updates), "from": self.user(person, name), "chat_instance": "1", "data": data,
                                     "message": {"message_id": message, "date": int(time.time()), "chat": {"id": chat, "type": "supergroup"}}})

    def buttons(self):
        """All buttons that were sent, newest first."""
        with self.changed:
            calls = list(self.calls)
        return [b for _, f in reversed(calls) if f.get("reply_markup") for row in f["reply_markup"].get("inline_keyboard", []) for b in row]

    def texts(self):
        with self.changed:
            return [f.get("text", "") for _, f in self.calls]

    def wait(self, found, seconds=PATIENCE):
        """Waits for a call that is wanted; returns it."""
        until = time.monotonic() + seconds
        with self.changed:
            while True:
                for call in self.calls:
                    if found(*call):
                        return call
                assert time.monotonic() < until, "no such call: %s" % self.calls[-3:]
                self.changed.wait(0.2)

    def start_data(self, person, name, start="", **more):
        fields = {"auth_date": str(int(time.time())), "chat_type": "supergroup", "query_id": "AA%d" % time.monotonic_ns(), "signature": "unread",
                  "user": json.dumps(self.user(person, name)), **({"start_param": start} if start else {}), **more}
        return sign(self.token, fields)


class Matrix(Server):
    """A homeserver with one room, of the bot and those who have written there. People get OpenID tokens from openid()."""

    def __init__(self, name="hs.test", powers=None):
        super().__init__()
        self.name, self.bot, self.room = name, "@koi:" + name, "!tea:" + name
        self.powers = powers or {self.bot: 50, "@ann:" + name: 100}
        self.sent, self.asked, self.tokens, self.rooms, self.synced = [], [], {}, {self.room: {self.bot}}, False
        self.redirect = None
        self.stream = [(self.room, "m.room.power_levels", self.bot, {"users": self.powers}, "")]
        self.options = {"KOIKOI_MATRIX_HOMESERVER": "http://127.0.0.1:%d" % self.port, "KOIKOI_MATRIX_TOKEN": "tok", "KOIKOI_MATRIX_USER": self.bot,
                        "KOIKOI_MATRIX_E2EE": "no", "KOIKOI_MATRIX_PICTURES": "no", "KOIKOI_MATRIX_PACE": "0", "KOIKOI_WEB_URL": "https://koi.test"}

    def event(self, n):
        room, kind, sender, content, key = self.stream[n]
        return room, {"event_id": "$%d" % n, "type": kind, "sender": sender, "origin_server_ts": int(time.time() * 1000), "content": content, **({} if key is None else {"state_key": key})}

    def answer(self, method, path, body, headers):
        url = urllib.parse.urlsplit(path)
        step = [urllib.parse.unquote(p) for p in url.path.split("/")]
        query = dict(urllib.parse.parse_qsl(url.query))
        with self.changed:
            if "userinfo" in step:
                self.asked.append(query.get("access_token"))
                if self.redirect:
                    return 302, self.redirect
                who = self.tokens.get(query.get("access_token"))
                return (200, {"sub": who}) if who else (401, {"errcode": "M_UNKNOWN_TOKEN"})
            content = json.loads(body) if body else {}
            if "m.room.encryption" in step:
                return 404, {"errcode": "M_NOT_FOUND"}
            if "whoami" in step:
                return 200, {"user_id": self.bot, "device_id": "D"}
            if "sync" in step:
                since = int(query.get("since", "0"))
                self.synced |= since > 0
                self.changed.notify_all()
                self.changed.wait_for(lambda: len(self.stream) > since, min(2, int(query.get("timeout", "0")) / 1000))
                joined = {room: {"timeline": {"events": [], "limited": False}, "state": {"events": [] if since else self.members(room)}} for room in self.rooms}
                for n in range(since, len(self.stream)):
                    room, event = self.event(n)
                    joined[room]["timeline" if since else "state"]["events"].append(event)
                return 200, {"next_batch": str(len(self.stream)), "rooms": {"join": {room: at for room, at in joined.items() if at["timeline"]["events"] or at["state"]["events"]}}}
            if "members" in step:
                return 200, {"chunk": self.members(step[5])}
            if "createRoom" in step:
                room = "!dm%d:%s" % (len(self.rooms), self.name)
                self.rooms[room] = {self.bot, *content["invite"]}
                return 200, {"room_id": room}
            if method == "PUT" and ("send" in step or "state" in step):
                self.sent.append((step[5], step[7], content))
                self.changed.notify_all()
                return 200, {"event_id": "$sent%d" % len(self.sent)}
        return 200, {}

    def members(self, room):
        return [{"type": "m.room.member", "state_key": who, "sender": who, "content": {"membership": "join"}} for who in self.rooms[room]]

    def say(self, who, text, room=None):
        room = room or self.room
        with self.changed:
            assert self.changed.wait_for(lambda: self.synced, PATIENCE)
            if who not in self.rooms[room]:
                self.rooms[room].add(who)
                self.stream.append((room, "m.room.member", who, {"membership": "join", "displayname": who[1:].split(":")[0].title()}, who))
            self.stream.append((room, "m.room.message", who, {"msgtype": "m.text", "body": text}, None))
            self.changed.notify_all()

    def openid(self, who, sub=None):
        """What the person's client gives a widget."""
        token = "openid-%d" % len(self.tokens)
        self.tokens[token] = who if sub is None else sub
        return json.dumps({"access_token": token, "token_type": "Bearer", "matrix_server_name": who.split(":", 1)[1], "expires_in": 3600})

    def wait(self, found, seconds=PATIENCE):
        """Waits for an event that is wanted, (room, type, content); returns its content."""
        until = time.monotonic() + seconds
        with self.changed:
            while True:
                for event in self.sent:
                    if found(*event):
                        return event[2]
                assert time.monotonic() < until, "no such event: %s" % self.sent[-3:]
                self.changed.wait(0.2)

    def hears(self, words, seconds=PATIENCE):
        return self.wait(lambda room, kind, content: words in json.dumps(content, ensure_ascii=False), seconds)


if __name__ == "__main__":
    import sys

    served = {"telegram": Telegram, "matrix": Matrix}[sys.argv[1]]()
    print(json.dumps({"env": served.options}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        result = getattr(served, asked["do"])(*asked["with"])
        print(json.dumps(result if isinstance(result, (str, list)) else None), flush=True)
