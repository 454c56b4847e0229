"""People who meet the bot for the first time, each with what they try: newcomers.py HOMESERVER

Plain calls of the client-server API, as a client makes them. Prints a line for each thing that is not as it should be,
and ends with the number of things looked at.
"""
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE, BOT = sys.argv[1], "@bot:koi.test"
POLL = "org.matrix.msc3381.poll.start"
problems, looked = [], 0


def quote(text):
    return urllib.parse.quote(text, safe="")


class Person:
    def __init__(self, name):
        self.id, self.token, self.sent, self.synced = f"@{name}:koi.test", None, 0, 0
        self.token = self.call("POST", "login", {"type": "m.login.password", "password": f"password-{name}",
                                                 "identifier": {"type": "m.id.user", "user": name}})["access_token"]

    def call(self, method, path, body=None, may_fail=False):
        request = urllib.request.Request(f"{BASE}/_matrix/client/v3/{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if may_fail:
                return {"status": error.code, **json.load(error)}
            raise

    def room(self, name, invite=(BOT,), **more):
        body = {"name": name, "preset": "private_chat", "invite": list(invite), **more}
        return self.call("POST", "createRoom", body)["room_id"]

    def join(self, room):
        self.call("POST", f"join/{quote(room)}", {})

    def invite(self, room, who):
        return self.call("POST", f"rooms/{quote(room)}/invite", {"user_id": who}, may_fail=True)

    def send(self, room, kind, content):
        self.sent += 1
        return self.call("PUT", f"rooms/{quote(room)}/send/{kind}/t{self.sent}", content)["event_id"]

    def say(self, room, text, **more):
        return self.send(room, "m.room.message", {"msgtype": "m.text", "body": text, **more})

    def react(self, event, key):
        self.send(event["room_id"], "m.reaction",
                  {"m.relates_to": {"rel_type": "m.annotation", "event_id": event["event_id"], "key": key}})

    def answer(self, event, text):
        """As Element writes it: the author of what is answered is mentioned."""
        self.say(event["room_id"], text, **{
            "m.mentions": {"user_ids": [BOT]}, "m.relates_to": {"m.in_reply_to": {"event_id": event["event_id"]}}})

    def heard(self, room, part="", kind=None):
        """The bot's newest message that holds this; None if there is none yet."""
        page = self.call("GET", f"rooms/{quote(room)}/messages?dir=b&limit=100", may_fail=True)
        for event in page.get("chunk", []):
            text = json.dumps(event["content"], ensure_ascii=False)
            if event["sender"] == BOT and part in text and kind in (None, event["type"]) and event["content"]:
                return {**event, "room_id": room}
        return None

    def hears(self, room, part="", kind=None):
        return until(lambda: self.heard(room, part, kind), f"{self.id} hears “{part}”")

    def heard_anywhere(self, part):
        self.new_direct()
        for room in self.call("GET", "joined_rooms")["joined_rooms"]:
            found = self.heard(room, part)
            if found:
                return found
        return None

    def said(self, room):
        """How many messages the bot has written there."""
        return self.said_part(room, "")

    def said_part(self, room, part):
        page = self.call("GET", f"rooms/{quote(room)}/messages?dir=b&limit=100")
        return sum(e["sender"] == BOT and "state_key" not in e and part in json.dumps(e["content"])
                   for e in page["chunk"])

    def membership(self, room, who):
        found = self.call("GET", f"rooms/{quote(room)}/state/m.room.member/{quote(who)}", may_fail=True)
        return found.get("membership")

    def rooms(self):
        """As they are now: the server remembers the answer to the same request for a while."""
        self.synced += 1
        return self.call("GET", f"sync?timeout={self.synced}")["rooms"]

    def new_direct(self):
        """Joins the private chat that the bot has opened; None if there is none."""
        for room, state in self.rooms().get("invite", {}).items():
            if any(e["sender"] == BOT and e["content"].get("is_direct") for e in state["invite_state"]["events"]):
                self.join(room)
                return room
        return None

    def direct(self):
        return until(self.new_direct, f"a private chat for {self.id}")


def until(what, name):
    deadline = time.time() + 60
    while time.time() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"in vain: {name}")


def must(true, what):
    global looked
    looked += 1
    if not true:
        problems.append(what)


def meets(person, room):
    until(lambda: person.membership(room, BOT) == "join", f"the bot in {room}")


def challenge_accepted_by_reaction(ann, bo):
    """Ann names Bo without a pill; Bo's thumb accepts, and later so does a word in answer."""
    room = ann.room("Tea", [BOT, bo.id])
    bo.join(room)
    meets(ann, room)
    ann.say(room, "!koi challenge @bo sensei 3")
    offer = bo.hears(room, "to Koi-Koi (#")
    must(bo.id in json.dumps(offer["content"]), f"the challenge names Bo: {offer}")
    bo.react(offer, "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-3}")
    bo.hears(room, "the match begins")
    # the player to move has a hand, and so a private chat
    first, chat = until(lambda: next(((who, chat) for who in (ann, bo) if (chat := who.new_direct())), None), "a hand")
    guest = first.invite(chat, "@eve:koi.test")
    must(guest.get("status") == 403, f"a guest invites a third person: {guest}")
    ann.say(room, "!koi resign")
    until(lambda: ann.heard_anywhere("again to confirm"), "asks whether Ann means it")
    ann.say(room, "!koi resign")
    bo.react(bo.hears(room, "\N{CHEQUERED FLAG}"), "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}")
    ann.answer(ann.hears(room, "A rematch"), "accept")
    until(lambda: ann.said_part(room, "the match begins") == 2, "a word in answer accepts")


def names(ann, people):
    """A name that fits no member, and one that fits two."""
    room = ann.room("Names", [BOT, *(person.id for person in people)])
    for person in people:
        person.call("PUT", f"profile/{quote(person.id)}/displayname", {"displayname": "Mei"})
        person.join(room)
    meets(ann, room)
    ann.say(room, "!koi challenge @stranger")
    until(lambda: ann.heard_anywhere("whole address"), "how to name somebody")
    ann.say(room, "!koi challenge @Mei")
    asked = until(lambda: ann.heard_anywhere("Which “Mei”"), "which Mei is meant")
    for person in people:
        must(person.id in json.dumps(asked["content"]), "every Mei is named")
    must(ann.heard(room, "to Koi-Koi (#") is None, "no challenge to a stranger")


def cannot_play(kei):
    """An encrypted room, a space, a room where only admins write."""
    closed = kei.room("Closed", initial_state=[{"type": "m.room.encryption", "state_key": "", "content": {
        "algorithm": "m.megolm.v1.aes-sha2"}}])
    notice = kei.hears(closed, "encrypted")
    chat = until(lambda: kei.new_direct() or kei.heard_anywhere("challenge code"), "a private chat for the inviter")
    chat = chat if isinstance(chat, str) else chat["room_id"]
    kei.hears(chat, "join")
    must(kei.said(closed) == 1, f"{kei.said(closed)} messages in an encrypted room")
    space = kei.room("Space", creation_content={"type": "m.space"})
    kei.hears(chat, "is a space")
    until(lambda: kei.membership(space, BOT) == "leave", "the bot leaves the space")
    mute = kei.room("Quiet", power_level_content_override={"events_default": 50})
    kei.hears(chat, "“Quiet”")
    must(kei.said(mute) == 0, "no word where it may not write")
    levels = kei.call("GET", f"rooms/{quote(mute)}/state/m.room.power_levels/")
    kei.call("PUT", f"rooms/{quote(mute)}/state/m.room.power_levels/", {**levels, "events_default": 0})
    must(kei.hears(mute, "Koi-Koi"), "a greeting once it may write")
    return closed, notice, chat


def thumb_in_an_encrypted_room(kei, bo, closed, notice):
    kei.invite(closed, bo.id)
    bo.join(closed)
    before = bo.heard(closed) is not None
    bo.react(notice, "\N{WHITE HEAVY CHECK MARK}")
    return before


def crowded(kei):
    """A private chat of Kei's own making, and Eve comes in during a match with the computer."""
    chat = kei.room("", [BOT], is_direct=True, preset="trusted_private_chat")
    kei.hears(chat, "")
    kei.say(chat, "start")
    kei.hears(chat, "", POLL)
    kei.say(chat, "challenge computer sensei 3")
    kei.hears(chat, "challenges")
    kei.say(chat, "ready")
    until(lambda: kei.heard(chat, "Your cards") or kei.heard(chat, "→"), "a hand in the private chat")
    kei.invite(chat, "@eve:koi.test")
    kei.hears(chat, "no longer alone")
    return chat


def moves_on(ann, first):
    """An upgrade of a room for the invited alone, as Element does it; or the invite comes ahead of the tombstone."""
    room = ann.room("Den")
    meets(ann, room)
    ann.say(room, "!koi settings rounds=6")
    ann.hears(room, "6")
    if first == "tombstone":
        new = ann.call("POST", f"rooms/{quote(room)}/upgrade", {"new_version": "11"})["replacement_room"]
        time.sleep(2)
        ann.invite(new, BOT)
    else:
        new = ann.room("Den", creation_content={"predecessor": {"room_id": room}})
        meets(ann, new)
        time.sleep(2)
        ann.call("PUT", f"rooms/{quote(room)}/state/m.room.tombstone/", {"replacement_room": new, "body": "moved"})
    meets(ann, new)
    until(lambda: ann.membership(room, BOT) == "leave", "the bot leaves the old room")
    ann.say(new, "!koi settings")
    must(ann.hears(new, "rounds"), "the settings are asked for")
    must("6" in json.dumps(ann.hears(new, "rounds")["content"]), f"settings lost, {first} first")


def main():
    for name in "ann", "bo", "kei", "eve":
        globals()[name] = Person(name)
    try:
        challenge_accepted_by_reaction(ann, bo)
        names(ann, [bo, kei])
        moves_on(ann, "tombstone")
        moves_on(ann, "invite")
        closed, notice, _ = cannot_play(kei)
        thumb_in_an_encrypted_room(kei, bo, closed, notice)
        until(lambda: bo.new_direct() or bo.heard_anywhere("challenge code"), "a thumb opens a private chat")
        crowded(kei)
    except AssertionError as error:
        problems.append(str(error))
    for problem in problems:
        print(problem)
    print(json.dumps({"looked": looked, "problems": len(problems)}))
    sys.exit(1 if problems else 0)


main()
