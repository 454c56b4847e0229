"""A distance between a daemon and its server: relay.py PORT MS [FILE]

Listens on a free port of the loopback, which it prints, and passes on what comes to PORT and back, each way half of MS
late. The number of round trips, how often a client spoke after it had been answered, stands in FILE at the end (SIGTERM).
"""

import asyncio
import os
import selectors
import signal
import sys

port, half = int(sys.argv[1]), float(sys.argv[2]) / 2000
trips = 0


async def carry(reader, writer, heard, asks):
    """heard: who spoke last on this connection, shared by both ways."""
    global trips
    loop = asyncio.get_running_loop()
    late = asyncio.Queue()

    async def deliver():
        while (item := await late.get()) is not None:
            await asyncio.sleep(max(0, item[0] - loop.time()))
            writer.write(item[1])
        writer.close()

    delivery = asyncio.create_task(deliver())
    while data := await reader.read(1 << 20):
        trips += asks and heard[0] != "client"
        heard[0] = "client" if asks else "server"
        late.put_nowait((loop.time() + half, data))
    late.put_nowait(None)
    await delivery


async def meet(reader, writer):
    there = await asyncio.open_connection("127.0.0.1", port)
    heard = [""]
    await asyncio.gather(carry(reader, there[1], heard, True), carry(there[0], writer, heard, False), return_exceptions=True)


async def main():
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            print(trips, file=file)
    os._exit(0)  # connections may be open


# epoll waits for whole milliseconds, select for microseconds
loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
loop.run_until_complete(main())
