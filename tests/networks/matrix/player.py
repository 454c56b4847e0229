"""An opponent with matrix-nio: accepts a challenge, is ready for every round, and plays until the match is over or
the process is ended.

    python player.py HOMESERVER NAME [vote|type|react]
"""
import asyncio
import sys

from person import FLAG, Person


class Opponent(Person):
    def __init__(self, *args):
        super().__init__(*args)
        self.over, self.accepted = asyncio.Event(), set()

    async def heard(self, room, body, edited, thread):
        if "!koi accept" in body and (room, thread) not in self.accepted:
            self.accepted.add((room, thread))
            await self.say(room, "!koi accept", thread)
        elif "!koi ready" in body and not edited:
            await self.say(room, "!koi ready", thread)
        if FLAG in body:
            self.over.set()


async def main():
    opponent = Opponent(*sys.argv[1:])
    await opponent.log_in()
    await opponent.client.sync(timeout=0)
    await opponent.live(opponent.over.wait())
    print(f"opened {opponent.opened}", flush=True)


asyncio.run(main())
