"""Two scripted servers, a Telegram and a Matrix homeserver, on raw sockets: for what no HTTP library would send.

Each answers well until a hostile answer is put into `poll` or `send`: the next poll, or the next message that the bot
sends, gets its bytes, once, and the connection is closed."""
import json
import socket
import struct
import threading
import time


def response(body, status="200 OK", headers=(), length=None):
    body = body if isinstance(body, bytes) else body.encode()
    lines = ["HTTP/1.1 " + status, "Content-Type: application/json"]
    lines += ["Content-Length: %d" % (len(body) if length is None else length)]
    return "\r\n".join(lines + list(headers)).encode() + b"\r\n\r\n" + body


class Server:
    def __init__(self):
        self.lock = threading.Condition()
        self.poll = self.send = None
        self.updates = []
        self.said = []
        self.number = 1000
        self.over = False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.root = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        held = b""
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                while b"\r\n\r\n" not in held:
                    more = connection.recv(65536)
                    if not more:
                        return
                    held += more
                head, held = held.split(b"\r\n\r\n", 1)
                length = 0
                for line in head.split(b"\r\n")[1:]:
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                while len(held) < length:
                    held += connection.recv(1 << 20)
                body, held = held[:length], held[length:]
                method, path = head.split(b"\r\n")[0].decode().split(" ")[:2]
                hostile, answer = self.answer(method, path, body)
                if hostile:
                    self.attack(connection, hostile)
                    return
                connection.sendall(answer)
        except OSError:
            pass
        finally:
            connection.close()

    def attack(self, connection, hostile):
        connection.settimeout(40)
        if callable(hostile):
            hostile(connection)
        elif hostile == b"RST":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            connection.sendall(hostile)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(2)
            while connection.recv(65536):
                pass

    def take(self, name):
        with self.lock:
            hostile = getattr(self, name)
            setattr(self, name, None)
            self.lock.notify_all()
            return hostile

    def wait_update(self):
        with self.lock:
            self.lock.wait_for(lambda: self.updates or self.poll is not None, 1)
            updates, self.updates = self.updates, []
            return updates

    def heard(self, body):
        with self.lock:
            self.said.append(body.decode(errors="replace"))
            self.lock.notify_all()

    def put(self, name, hostile):
        with self.lock:
            setattr(self, name, hostile)
            self.lock.notify_all()

    def type(self, text):
        with self.lock:
            self.number += 1
            self.updates.append(self.update(self.number, text))
            self.lock.notify_all()

    def waits_for(self, condition, seconds):
        with self.lock:
            return self.lock.wait_for(condition, seconds)

    def says(self, text, seconds):
        return self.waits_for(lambda: any(text in said for said in self.said), seconds)


class Telegram(Server):
    name = "telegram"
    top = 1000

    def update(self, n, text):
        return {"update_id": n, "message": {
            "message_id": n, "date": int(time.time()), "text": text,
            "chat": {"id": -n, "type": "group", "title": "Group %d" % n},
            "from": {"id": n, "is_bot": False, "first_name": "Ann"}}}

    def answer(self, method, path, body):
        call = path.split("/")[-1].split("?")[0]
        if call == "getMe":
            return None, response('{"ok":true,"result":{"id":1,"is_bot":true,"username":"koikoi_bot"}}')
        if call == "getUpdates":
            hostile = self.take("poll")
            updates = [] if hostile else self.wait_update()
            if not updates:
                hostile = hostile or self.take("poll")
            return hostile, response(json.dumps({"ok": True, "result": updates}))
        if call.startswith("send"):
            self.heard(body)
            sent = {"message_id": 5, "date": 1, "chat": {"id": -5}}
            return self.take("send"), response(json.dumps({"ok": True, "result": sent}))
        return None, response('{"ok":true,"result":true}')

    def ping(self, word):
        self.type("/ping " + word)


class Matrix(Server):
    """A sync from where the one before it began has the same events once more, as on a real homeserver."""
    name = "matrix"
    rooms = 400
    given = ("", {})

    def update(self, n, text):
        return {"!r%d:x" % (n % self.rooms): {"timeline": {"events": [{
            "type": "m.room.message", "event_id": "$e%d" % n, "sender": "@ann%d:x" % n,
            "origin_server_ts": int(time.time() * 1000),
            "content": {"msgtype": "m.text", "body": text}}]}}}

    def answer(self, method, path, body):
        if "/account/whoami" in path:
            return None, response('{"user_id":"@koi:x","device_id":"D"}')
        if "/sync" in path:
            return self.sync(path)
        if "/send/" in path:
            self.heard(body)
            self.number += 1
            return self.take("send"), response('{"event_id":"$s%d"}' % self.number)
        return None, response("{}")

    def sync(self, path):
        hostile = self.take("poll") if "since=" in path else None
        rooms = {}
        if "since=" not in path or "full_state=true" in path:
            rooms = {"!r%d:x" % n: {"timeline": {"events": []}} for n in range(self.rooms)}
        elif not hostile:
            since = path.split("since=")[1].split("&")[0]
            if since == self.given[0]:
                rooms = self.given[1]
            else:
                for update in self.wait_update():
                    rooms.update(update)
                self.given = (since, rooms)
            if not rooms:
                hostile = self.take("poll")
        self.number += 1
        return hostile, response(json.dumps({"next_batch": "s%d" % self.number, "rooms": {"join": rooms}}))

    def ping(self, word):
        self.type("!koi ping " + word)
