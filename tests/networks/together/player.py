"""A person on Matrix who takes up a challenge from elsewhere: makes a room, invites the bot, types the code there,
accepts, and plays until the match is over. Then asks for the scoreboard of the room, and for a rematch, which is
taken back; prints the result and the scoreboard.

    PYTHONPATH=../matrix python player.py HOMESERVER NAME CODE-FILE

With SIGN in the environment (see person.py) the room is encrypted.
"""
import asyncio
import os
import sys

from nio import RoomMemberEvent

from person import BOT, FLAG, Person


class Guest(Person):
    def __init__(self, *args):
        super().__init__(*args)
        self.bot_is_here, self.over, self.shown, self.again = (asyncio.Event() for _ in range(4))
        self.room, self.accepted = None, False
        self.client.add_event_callback(self.on_member, RoomMemberEvent)

    async def on_member(self, where, event):
        if where.room_id == self.room and event.state_key == BOT and event.membership == "join":
            self.bot_is_here.set()

    async def heard(self, room, body, edited, thread):
        if room != self.room:
            return
        if "!koi accept" in body and not self.accepted:
            self.accepted = True
            await self.say(room, "!koi accept")
        elif "!koi ready" in body and not edited:
            await self.say(room, "!koi ready")
        if FLAG in body:
            print(body)
            self.over.set()
        if self.over.is_set() and "W–L" in body:
            print(body)
            self.shown.set()
        if self.over.is_set() and "challenges" in body:
            self.again.set()

    async def story(self, code_file):
        await self.bot_is_here.wait()
        while not os.path.getsize(code_file):
            await asyncio.sleep(0.2)
        with open(code_file, encoding="ascii") as file:
            await self.say(self.room, "!koi join " + file.read().strip())
        await self.over.wait()
        await self.say(self.room, "!koi board")
        await self.shown.wait()
        await self.say(self.room, "!koi rematch")
        await self.again.wait()
        await self.say(self.room, "!koi cancel")


async def main():
    homeserver, name, code_file = sys.argv[1:4]
    guest = Guest(homeserver, name)
    await guest.log_in()
    sealed = [{"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}]
    room = await guest.client.room_create(name="Isle", invite=[BOT], initial_state=sealed if guest.sign else [])
    guest.room = room.room_id
    await guest.live(guest.story(code_file))


asyncio.run(main())
