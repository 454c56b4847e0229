"""A Telegram on the loopback with people who play at many tables, and that answers as on a bad day: 429, 5xx, broken,
late, twice. It knows which updates the bot has acknowledged, and which presses were answered as moves.

It knows no hidden messages, so hands come in private chats. A refusal says whether the request was carried out, as the
real server's does: 429 and 500 never, 502 and a reset always."""
import itertools
import json
import os
import random
import re
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile"))
from servers import Telegram, response

IDLE_S = 2  # a table where nothing moved for so long asks for its hands
GIVE_UP_S = 20  # and then for the end of its match
MOVES = "apjSKe"  # letters of buttons that accept, play, stop, call or are ready
KEPT = re.compile("^Kept: |is no longer kept")  # it was the other's turn
OVER = re.compile("wins match|is a draw|without a result|has expired|declines|resigns|"
                  "No match is running")
CODE = re.compile(r"/join(?:@\w+)? (?:<code>)?([A-Za-z0-9-]{4,})")
TO_MOVE = re.compile(r"(P\d+z) to move")
MOVED = re.compile("You (played|laid down|drew|called) ")
REFUSED = {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 1",
           "parameters": {"retry_after": 1}}
FORMS = ["standard 3", "sensei 3", "okoshki 3", "steam 3", "standard 3 clock=1d", "sensei 3 clock=2h"]


class Table:
    def __init__(self, n):
        self.group = -(1000 + n)
        self.people = [{"id": 100 + 2 * n + i, "is_bot": False, "first_name": "P%dz" % (2 * n + i),
                        "username": "player%d" % (2 * n + i), "language_code": "en"} for i in (0, 1)]
        self.moved = self.nudged = time.monotonic()
        self.wanted = True  # a new match
        self.mover = ""  # whose turn the newest board tells


class Half(Table):
    """One of two groups, each with an account of its own, that play against each other: who sits in the other one is
    here by name only. `other` is set by whoever makes both."""
    def __init__(self, n, here):
        super().__init__(n)
        self.here, self.code, self.other = here, "", None
        self.group -= 500 * here


class Players(Telegram):
    """Everything below is under self.lock."""
    batches = 1, 5, 50  # updates of an answer

    def __init__(self, tables, seed, clock):
        self.random, self.clock = random.Random(seed), clock
        self.calm = False  # no faults
        self.polls = 0
        self.acknowledged = self.handed = 0  # the highest id that an offset confirmed, that was given out
        self.chats = {}
        self.queries, self.faults = {}, {}
        self.accepted, self.twice, self.matches = set(), [], 0
        self.next_message = 0
        self.tables = tables
        super().__init__()
        self.number = 0

    # ---- the server ----

    def fault(self, kind, share):
        if self.calm or self.random.random() >= share:
            return False
        self.faults[kind] = self.faults.get(kind, 0) + 1
        return True

    def answer(self, method, path, body):
        call, _, query = path.split("/")[-1].partition("?")
        try:
            asked = json.loads(body) if body[:1] == b"{" else dict(urllib.parse.parse_qsl(query + "&" + body.decode()))
        except ValueError:
            asked = {}
        if call == "getUpdates":
            return self.poll_answer(int(asked.get("offset", 0)))
        if call == "getMe":
            return None, ok({"id": 1, "is_bot": True, "first_name": "Koi", "username": "koikoi_bot"})
        with self.lock:
            if self.fault("429", 0.02):
                return None, response(json.dumps(REFUSED), "429 Too Many Requests")
            if self.fault("500", 0.01):
                return None, response('{"ok":false,"error_code":500,"description":"Internal Server Error"}',
                                      "500 Internal Server Error")
            lost, gone, late = self.fault("502", 0.01), self.fault("reset", 0.01), self.fault("late", 0.02)
            result = self.carry_out(call, asked)
        if late:
            time.sleep(self.random.random())
        if gone:
            return b"RST", b""
        if lost:
            return None, response("Bad Gateway", "502 Bad Gateway")
        return None, result

    def poll_answer(self, offset):
        with self.lock:
            self.polls += offset >= 0  # the first question of all has none, and what waits then is not for the bot
            self.acknowledged = max(self.acknowledged, offset - 1)
            self.updates = [u for u in self.updates if u["update_id"] >= offset]
            if self.fault("poll 502", 0.01):
                return None, response("Bad Gateway", "502 Bad Gateway")
            self.lock.wait_for(lambda: self.updates or offset < 0, 0.05)
            batch = self.updates[:self.random.choice(self.batches)]
            if batch:
                self.handed = max(self.handed, batch[-1]["update_id"])
            if len(batch) > 1 and self.fault("updates twice", 0.05):
                batch = [u for u in batch for _ in (0, 1)]
            if batch and self.fault("poll reset", 0.01):
                return b"RST", b""
            return None, ok(batch)

    def carry_out(self, call, asked):
        chat = int(asked.get("chat_id", 0) or 0)
        here = self.chats.setdefault(chat, {})
        if call == "sendMessage":
            self.next_message += 1
            here[self.next_message] = self.message(asked)
            self.seen(chat, here[self.next_message]["text"])
            return ok(self.shown(chat, self.next_message))
        if call in ("editMessageText", "editMessageReplyMarkup"):
            n = int(asked.get("message_id", 0))
            if n not in here:
                return bad("message to edit not found")
            new = self.message(asked)
            if call == "editMessageReplyMarkup":
                new["text"] = here[n]["text"]
            if new == here[n]:
                return bad("message is not modified")
            here[n] = new
            self.seen(chat, new["text"])
            return ok(self.shown(chat, n))
        if call == "deleteMessage":
            return ok(True) if here.pop(int(asked.get("message_id", 0)), None) else bad("message to delete not found")
        if call == "answerCallbackQuery":
            self.answered(asked.get("callback_query_id"), asked.get("text", ""))
        return ok(True)

    def message(self, asked):
        markup = asked.get("reply_markup") or {}
        markup = json.loads(markup) if isinstance(markup, str) else markup
        rows = markup.get("inline_keyboard", [])
        buttons = [b["callback_data"] for row in rows for b in row if "callback_data" in b]
        return {"text": asked.get("text", ""), "buttons": buttons}

    def shown(self, chat, n):
        text = self.chats[chat][n]["text"]
        return {"message_id": n, "date": int(self.clock()), "chat": self.chat(chat), "text": text}

    def chat(self, n):
        return {"id": n, "type": "group", "title": "Table %d" % -n} if n < 0 else {"id": n, "type": "private",
                                                                                  "first_name": "P"}

    def answered(self, query, text):
        press = self.queries.get(query)
        if press and KEPT.search(text):
            press["table"].mover = press["other"]
        if not press or not MOVED.match(text) or "text" in press:
            return
        press["text"] = text
        data = press["data"].split(".")
        move = (data[0], data[1])
        if move in self.accepted:
            self.twice.append(press["data"])
        self.accepted.add(move)

    def seen(self, chat, text):
        for table in self.tables:
            if chat != table.group:
                continue
            if code := CODE.search(text):
                table.code = code.group(1)
            if OVER.search(text):
                table.wanted, table.mover = True, ""
            elif found := TO_MOVE.search(text):
                table.mover = found.group(1)

    # ---- the people ----

    def say(self, person, chat, text):
        self.number += 1
        update = {"message_id": 5000000 + self.number, "date": int(self.clock()), "text": text, "from": person,
                  "chat": self.chat(chat)}
        if text[:1] == "/":
            update["entities"] = [{"type": "bot_command", "offset": 0, "length": len(text.split(" ")[0])}]
        self.updates.append({"update_id": self.number, "message": update})
        self.lock.notify_all()

    def press(self, table, person, chat, n, data):
        self.number += 1
        query = "q%d" % self.number
        other = next(p for p in table.people if p["id"] != person["id"])
        self.queries[query] = {"data": data, "table": table, "other": other["first_name"]}
        self.updates.append({"update_id": self.number, "callback_query": {
            "id": query, "from": person, "message": dict(self.shown(chat, n)), "data": data, "chat_instance": "1"}})
        self.lock.notify_all()

    def moves(self, chat):
        """The newest message there with buttons that move something."""
        for n in itertools.islice(reversed(self.chats.get(chat, {})), 6):
            found = [data for data in self.chats[chat][n]["buttons"] if data[0] in MOVES]
            if found:
                return n, found
        return 0, []

    def turn(self, table):
        """What the people of one table do now."""
        now = time.monotonic()
        if table.wanted:
            table.wanted, table.moved, table.nudged = False, now, now
            self.matches += 1
            if isinstance(table, Half):
                self.meet(table)
                return
            first = self.random.randrange(2)
            self.say(table.people[first], table.group, "/challenge @%s %s" % (
                table.people[1 - first]["username"], self.random.choice(FORMS)))
            return
        for i, person in enumerate(table.people):
            if isinstance(table, Half) and i != table.here:
                continue
            if table.mover not in ("", person["first_name"]) and self.random.random() < 0.99:
                continue
            for chat in (person["id"], table.group):
                n, found = self.moves(chat)
                at = (chat, n, json.dumps(self.chats[chat][n])) if n else None
                if not found or person.setdefault("done", {}).get(chat) == at:
                    continue
                person["done"][chat] = at
                table.moved = table.nudged = now
                self.press(table, {k: v for k, v in person.items() if k != "done"}, chat, n, self.random.choice(found))
        if now - table.moved > GIVE_UP_S:
            table.moved = now
            self.say_as(table, 0, "/resign")
            self.say_as(table, 0, "/resign")
            table.wanted = True
        elif now - table.nudged > IDLE_S:
            table.nudged, table.mover = now, ""
            for i in (0, 1):
                table.people[i].pop("done", None)
                self.say_as(table, i, "/hand")

    def meet(self, half):
        """The first of two groups makes a code; the second uses the newest one that it has not used."""
        if half.here == 0:
            self.say_as(half, 0, "/challenge code " + self.random.choice(FORMS))
        elif half.other.code not in ("", half.code):
            half.code = half.other.code
            self.say_as(half, 1, "/join " + half.code)
        else:
            half.wanted = True
            self.matches -= 1

    def say_as(self, table, i, text):
        if isinstance(table, Half) and i != table.here:
            return
        self.say({k: v for k, v in table.people[i].items() if k != "done"}, table.group, text)

    def greet(self):
        with self.lock:
            for table in self.tables:
                for i, person in enumerate(table.people):
                    if not isinstance(table, Half) or i == table.here:
                        self.say(person, person["id"], "/start")

    def step(self):
        with self.lock:
            if len(self.updates) < 200:
                for table in self.tables:
                    self.turn(table)


def ok(result):
    return response(json.dumps({"ok": True, "result": result}))


def bad(why):
    refused = {"ok": False, "error_code": 400, "description": "Bad Request: " + why}
    return response(json.dumps(refused), "400 Bad Request")
