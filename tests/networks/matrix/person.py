"""A person with a real client (matrix-nio): joins where invited, and plays each hand that the bot shows in private,
at random. What else they do, a story says in its own file.

A way of playing: "vote" in the bot's polls; or, where it sends none, "type" the number of a card, or "react" with
it to the message that shows the hand.

With SIGN, a command, in the environment the client has encryption; the command, given the id of its device, signs that.
"""
import asyncio
import os
import random
import re
import subprocess
import tempfile
import time
import uuid

from aiohttp import ClientError
from nio import (AsyncClient, AsyncClientConfig, ErrorResponse, InviteMemberEvent, LocalProtocolError, MegolmEvent,
                 RoomMessage, UnknownEvent)

BOT = "@bot:koi.test"
POLL, VOTE = "org.matrix.msc3381.poll.start", "org.matrix.msc3381.poll.response"
FLAG = "\N{CHEQUERED FLAG}"


def chosen(body):
    """What can be answered to a hand, a question or a decision; "" if nothing is asked."""
    numbers = re.findall(r"^(\d+)\. ", body, re.M)
    return random.choice(numbers) if numbers and " to move" not in body else ""


async def again(what, tries=60):
    """Does what a person's own client would: tries again until the server has answered, other than with a refusal."""
    for _ in range(tries):
        try:
            answer = await what()
            status = answer.transport_response.status if isinstance(answer, ErrorResponse) else 200
            if status < 500 and status != 429:
                break
        except (ClientError, asyncio.TimeoutError, LocalProtocolError) as error:
            answer = error
        await asyncio.sleep(0.5)
    if isinstance(answer, (ErrorResponse, Exception)):
        print(f"not done: {answer!r}", flush=True)


class Person:
    def __init__(self, homeserver, name, way="vote"):
        self.sign = os.environ.get("SIGN", "").split()
        self.keys = tempfile.TemporaryDirectory()
        config = AsyncClientConfig(encryption_enabled=bool(self.sign), max_limit_exceeded=None)
        self.client = AsyncClient(homeserver, f"@{name}:koi.test", store_path=self.keys.name, config=config)
        self.name, self.way, self.opened = name, way, 0
        self.came = {}              # by room, unix ms
        self.client.add_event_callback(self.on_sealed, MegolmEvent)
        self.client.add_event_callback(self.on_invite, InviteMemberEvent)
        self.client.add_event_callback(self.on_poll, UnknownEvent)
        self.client.add_event_callback(self.on_message, RoomMessage)

    async def log_in(self):
        """By password; or, where the server knows none, by a token of the same name: LOGIN=token."""
        if os.environ.get("LOGIN") == "token":
            self.client.restore_login(self.client.user, "PERSON", f"password-{self.name}")
        else:
            await self.client.login(f"password-{self.name}")
        if self.sign:
            await self.client.keys_upload()
            subprocess.run([*self.sign, self.client.device_id], check=True)

    async def send(self, room, kind, content):
        once = str(uuid.uuid4())
        await again(lambda: self.client.room_send(room, kind, content, tx_id=once, ignore_unverified_devices=True))

    async def on_sealed(self, room, event):
        """What was said before this person came is not for them."""
        if event.server_timestamp > self.came.get(room.room_id, float("inf")):
            print(f"cannot be read: {event.session_id} of {event.sender}", flush=True)

    async def say(self, room, text, thread=None):
        content = {"msgtype": "m.text", "body": text}
        if thread:
            content["m.relates_to"] = {"rel_type": "m.thread", "event_id": thread, "is_falling_back": True,
                                       "m.in_reply_to": {"event_id": thread}}
        await self.send(room, "m.room.message", content)

    async def heard(self, room, body, edited, thread):
        """What a story does when the bot has said something in a room."""

    async def on_invite(self, room, event):
        if event.membership == "invite" and event.state_key == self.client.user_id:
            await again(lambda: self.client.join(room.room_id))
            self.came[room.room_id] = time.time() * 1000

    async def on_poll(self, room, event):
        poll = event.source.get("content", {}).get(POLL)
        self.opened += event.sender == BOT and event.decrypted
        if event.sender != BOT or not poll or self.way != "vote":
            return
        content = {
            "m.relates_to": {"rel_type": "m.reference", "event_id": event.event_id},
            VOTE: {"answers": [random.choice(poll["answers"])["id"]]},
        }
        await self.send(room.room_id, VOTE, content)

    async def on_message(self, room, event):
        if event.sender != BOT:
            return
        self.opened += event.decrypted
        content = event.source["content"]
        relation = content.get("m.relates_to", {})
        now = content.get("m.new_content")
        body = (now or content).get("body", "")
        if self.way != "vote" and room.member_count == 2:
            await self.play(room.room_id, body, relation["event_id"] if now else event.event_id)
        thread = relation.get("event_id") if relation.get("rel_type") == "m.thread" else None
        await self.heard(room.room_id, body, bool(now), thread)

    async def play(self, room, body, post):
        answer = chosen(body)
        if answer.isdigit() and self.way == "react":
            content = {"m.relates_to": {"rel_type": "m.annotation", "event_id": post, "key": answer + "\uFE0F\u20E3"}}
            await self.send(room, "m.reaction", content)
        elif answer:
            await self.say(room, answer)

    async def live(self, story):
        """Until the story is over; fails with the client."""
        running = asyncio.ensure_future(self.client.sync_forever(timeout=10000, full_state=True))
        story = asyncio.ensure_future(story)
        await asyncio.wait({running, story}, return_when=asyncio.FIRST_COMPLETED)
        if not story.done():
            running.result()
        running.cancel()
        await self.client.close()
