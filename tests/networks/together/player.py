"""A person on Matrix (matrix-nio) who takes up a challenge from elsewhere: makes a room, invites the bot, types the
code there, accepts, and votes in the polls that the bot sends, until the match is over. Then asks for the
scoreboard of the room, and for a rematch, which is taken back; prints the result and the scoreboard.

    python player.py HOMESERVER NAME CODE-FILE
"""
import asyncio
import os
import random
import sys

from nio import AsyncClient, AsyncClientConfig, InviteMemberEvent, RoomMemberEvent, RoomMessage, UnknownEvent

HOMESERVER, NAME, CODE_FILE = sys.argv[1:4]
BOT = "@bot:koi.test"
POLL, VOTE = "org.matrix.msc3381.poll.start", "org.matrix.msc3381.poll.response"


async def main():
    config = AsyncClientConfig(encryption_enabled=False, max_limit_exceeded=None)
    client = AsyncClient(HOMESERVER, f"@{NAME}:koi.test", config=config)
    await client.login(f"pw-{NAME}")
    room = (await client.room_create(name="Isle", invite=[BOT])).room_id
    bot_is_here, over, shown, again = (asyncio.Event() for _ in range(4))
    accepted = False

    async def say(text):
        await client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text})

    async def on_member(where, event):
        if where.room_id == room and event.state_key == BOT and event.membership == "join":
            bot_is_here.set()

    async def on_invite(where, event):
        if event.membership == "invite" and event.state_key == client.user_id:
            await client.join(where.room_id)

    async def on_poll(where, event):
        poll = event.source.get("content", {}).get(POLL)
        if event.sender != BOT or not poll:
            return
        content = {
            "m.relates_to": {"rel_type": "m.reference", "event_id": event.event_id},
            VOTE: {"answers": [random.choice(poll["answers"])["id"]]},
        }
        await client.room_send(where.room_id, VOTE, content)

    async def on_text(where, event):
        nonlocal accepted
        if event.sender != BOT or where.room_id != room:
            return
        if "!koi accept" in event.body and not accepted:
            accepted = True
            await say("!koi accept")
        elif "!koi ready" in event.body and "m.new_content" not in event.source["content"]:
            await say("!koi ready")
        if "\N{CHEQUERED FLAG}" in event.body:
            print(event.body)
            over.set()
        if over.is_set() and "won-dr-lost" in event.body:
            print(event.body)
            shown.set()
        if over.is_set() and "challenges" in event.body:
            again.set()

    client.add_event_callback(on_member, RoomMemberEvent)
    client.add_event_callback(on_invite, InviteMemberEvent)
    client.add_event_callback(on_poll, UnknownEvent)
    client.add_event_callback(on_text, RoomMessage)
    running = asyncio.ensure_future(client.sync_forever(timeout=10000, full_state=True))
    await bot_is_here.wait()
    while not os.path.getsize(CODE_FILE):
        await asyncio.sleep(0.2)
    with open(CODE_FILE, encoding="ascii") as file:
        await say("!koi join " + file.read().strip())
    await over.wait()
    await say("!koi board")
    await shown.wait()
    await say("!koi rematch")
    await again.wait()
    await say("!koi cancel")
    running.cancel()
    await client.close()


asyncio.run(main())
