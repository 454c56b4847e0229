"""A person with a real client (matrix-nio): joins where invited, accepts a challenge, votes in the polls the
bot sends, until the match is over or the process is ended.

    python player.py HOMESERVER NAME
"""
import asyncio
import random
import sys

from nio import AsyncClient, AsyncClientConfig, InviteMemberEvent, RoomMessage, UnknownEvent

HOMESERVER, NAME = sys.argv[1:3]
BOT = "@bot:koi.test"
POLL, VOTE = "org.matrix.msc3381.poll.start", "org.matrix.msc3381.poll.response"


async def main():
    config = AsyncClientConfig(encryption_enabled=False, max_limit_exceeded=None)
    client = AsyncClient(HOMESERVER, f"@{NAME}:koi.test", config=config)
    await client.login(f"pw-{NAME}")
    await client.sync(timeout=0)
    over = asyncio.Event()
    accepted = set()

    async def on_invite(room, event):
        if event.membership == "invite" and event.state_key == client.user_id:
            await client.join(room.room_id)

    async def on_poll(room, event):
        poll = event.source.get("content", {}).get(POLL)
        if event.sender != BOT or not poll:
            return
        content = {
            "m.relates_to": {"rel_type": "m.reference", "event_id": event.event_id},
            VOTE: {"answers": [random.choice(poll["answers"])["id"]]},
        }
        await client.room_send(room.room_id, VOTE, content)

    async def on_text(room, event):
        if event.sender != BOT:
            return
        if "!koi accept" in event.body and room.room_id not in accepted:
            accepted.add(room.room_id)
            await client.room_send(room.room_id, "m.room.message", {"msgtype": "m.text", "body": "!koi accept"})
        elif "!koi ready" in event.body and "m.new_content" not in event.source["content"]:
            await client.room_send(room.room_id, "m.room.message", {"msgtype": "m.text", "body": "!koi ready"})
        if "\N{CHEQUERED FLAG}" in event.body:
            over.set()

    client.add_event_callback(on_invite, InviteMemberEvent)
    client.add_event_callback(on_poll, UnknownEvent)
    client.add_event_callback(on_text, RoomMessage)
    running = asyncio.ensure_future(client.sync_forever(timeout=10000))
    await over.wait()
    running.cancel()
    await client.close()


asyncio.run(main())
