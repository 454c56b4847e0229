"""How long a press in a running match waits for its answer, calm and under each load, in one run, and how long typed
questions wait in a group where no match speaks: press_bench.py KOIKOI SHARE

A Telegram and a Matrix homeserver on the loopback. One JSON object a line; ms from the moment that the daemon got the
update. SHARE: of the time and of the people, 1 for figures. Ends with 1 if a press or a question was not answered."""
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

TEA, DEN, MUTE = -1001, -1002, -1003
HANG_S = 15


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer):
        outer = self
        self.lock = threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16

            def do(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, value = answer(outer, self.command, self.path, body)
                text = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                self.wfile.flush()

            do_GET = do_POST = do_PUT = do

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.handle_error = lambda *_: None  # the daemon hangs up when it ends
        self.url = "http://127.0.0.1:%d" % self.server_port
        threading.Thread(target=self.serve_forever, daemon=True).start()


# ---- Telegram ----

queue, given, waits, sent, buttons, pictures = [], {}, {}, [], {}, []
ids = [0]
ME = {"id": 7, "is_bot": True, "first_name": "Koi-Koi", "username": "koikoi_bot"}


def telegram_answer(server, _, path, body):
    method, _, query = path.rsplit("/", 1)[1].partition("?")
    try:
        asked = json.loads(body) if body[:1] == b"{" else None
    except ValueError:
        asked = None
    if body[:2] == b"--":
        asked = {k.decode(): v.decode("utf-8", "replace")
                 for k, v in re.findall(rb'name="(\w+)"\r\n\r\n(.*?)\r\n--', body, re.S)}
    elif asked is None:
        asked = dict(urllib.parse.parse_qsl(query + "&" + body.decode("utf-8", "replace")))
    with server.lock:
        now = time.monotonic()
        if method == "getUpdates":
            offset = int(asked.get("offset", 0))
            queue[:] = [u for u in queue if u["update_id"] >= offset]
            if not queue:
                server.lock.wait(min(int(asked.get("timeout", 0)), 2))
            found = [u for u in queue if u["update_id"] >= offset][:100]
            for update in found:
                given.setdefault(update["update_id"], time.monotonic())
            return 200, {"ok": True, "result": found}
        if method == "getMe":
            return 200, {"ok": True, "result": ME}
        if method == "answerCallbackQuery":
            waits.setdefault(asked["callback_query_id"], now)
            return 200, {"ok": True, "result": True}
        if "ephemeral_message_parameters" in asked:  # the bot is no administrator
            return 400, {"ok": False, "error_code": 400,
                         "description": "Bad Request: BOT_NOT_ADMIN"}
        if method in ("sendMessage", "editMessageText", "sendPhoto", "editMessageMedia"):
            markup = asked.get("reply_markup") or {}
            markup = json.loads(markup) if isinstance(markup, str) else markup
            for row in markup.get("inline_keyboard", []):
                for button in row:
                    if "callback_data" in button:
                        buttons[button["text"]] = buttons[int(asked["chat_id"]), button["text"]] = button["callback_data"]
            ids[0] += 1
            sent.append((now, int(asked["chat_id"]), asked.get("text", "")))
            result = {"message_id": ids[0], "date": 1, "chat": {"id": int(asked["chat_id"])}}
            if b"\x89PNG" in body:
                pictures.append(now)
                result["photo"] = [{"file_id": "f%d" % ids[0], "file_unique_id": "u%d" % ids[0], "width": 540, "height": 500}]
            return 200, {"ok": True, "result": result}
    if method == "getChatMember":
        time.sleep(HANG_S)
        return 200, {"ok": True, "result": {"status": "member"}}
    return 200, {"ok": True, "result": True}


def person(n):
    return {"id": 1000 + n, "is_bot": False, "first_name": "P%d" % n, "username": "p%d_" % n, "language_code": "en"}


def push(update):
    with telegram.lock:
        ids[0] += 1
        update["update_id"] = ids[0]
        queue.append(update)
        telegram.lock.notify_all()
        return ids[0]


def say(n, chat, text):
    kind = {"id": chat, "type": "supergroup", "title": "G"} if chat < 0 else {"id": chat, "type": "private"}
    entities = [{"type": "mention", "offset": m.start(), "length": len(m.group())} for m in re.finditer(r"@\w+", text)]
    message = {"message_id": ids[0] + 1, "date": int(time.time()), "from": person(n), "chat": kind, "text": text}
    return push({"message": dict(message, entities=entities) if entities else message})


def press(n, label, chat=TEA):
    key = "q%d" % (ids[0] + 1)
    kind = {"id": chat, "type": "supergroup", "title": "G"} if chat < 0 else {"id": chat, "type": "private"}
    message = {"message_id": 1, "date": int(time.time()), "chat": kind}
    data = buttons[(chat, label) if chat > 0 else label]
    return key, push({"callback_query": {"id": key, "from": person(n), "chat_instance": "1", "data": data,
                                         "message": message}})


# ---- Matrix: rooms that cannot be joined ----

hanging = []


def matrix_answer(server, method, path, _):
    if path.endswith("/whoami"):
        return 200, {"user_id": "@koi:hs", "device_id": "D"}
    if "/join/" in path:
        time.sleep(HANG_S)
        return 504, {"errcode": "M_UNKNOWN"}
    if "/sync" in path:
        with server.lock:
            if not hanging:
                server.lock.wait(1)
            rooms = {room: {"invite_state": {"events": [
                {"type": "m.room.member", "state_key": "@koi:hs", "sender": "@x%d:hs" % n,
                 "content": {"membership": "invite"}}]}} for n, room in enumerate(hanging)}
            hanging.clear()
        time.sleep(0.05)
        return 200, {"next_batch": "s%d" % time.monotonic_ns(), "rooms": {"invite": rooms} if rooms else {}}
    return (404, {"errcode": "M_NOT_FOUND"}) if method == "GET" else (200, {})


# ---- the loads ----

def until(what, seconds=20):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def share(times, part):
    return round(sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000, 1) if times else None


def report(load, times, lost, **more):
    print(json.dumps(dict({"bench": "press", "load": load, "n": len(times), "lost": lost, "p50_ms": share(times, 0.5),
                           "p95_ms": share(times, 0.95)}, **more)), flush=True)
    return lost == 0


def presses(load, seconds, strain=None):
    """Somebody in a running match presses four times a second while `strain` runs."""
    began = time.monotonic()
    thread = threading.Thread(target=strain or (lambda: None), daemon=True)
    thread.start()
    asked, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        asked.append(press(1, "Yaku"))
        time.sleep(0.25)
    thread.join(60)
    until(lambda: all(key in waits for key, _ in asked), 60)
    times = [waits[key] - given[update] for key, update in asked if key in waits and update in given]
    drawn = sum(at >= began for at in list(pictures))
    return report(load, times, len(asked) - len(times), **({"pictures": drawn} if drawn else {}))


def strangers():
    for n in range(int(10000 * part)):
        say(100 + n, 1100 + n, "/ping x%d" % n)
        if n % 40 == 39:
            time.sleep(0.1)


def questions_to_telegram():
    for n in range(int(100 * part) + 1):
        say(20000 + n, DEN, "/settings rounds=3")


def joins():
    with matrix.lock:
        hanging.extend("!r%d:hs" % n for n in range(int(20 * part) + 1))
        matrix.lock.notify_all()


def opens_a_hand(n):
    """Of a match with the computer, dealt for them alone: no two pictures are the same."""
    say(n, 1000 + n, "/challenge computer beginner standard 3")
    if until(lambda: (1000 + n, "Start") in buttons, 60):
        press(n, "Start", 1000 + n)


def hands(first=30000):
    crowd = [threading.Thread(target=opens_a_hand, args=(first + n,)) for n in range(int(300 * part) + 5)]
    for one in crowd:
        one.start()
        time.sleep(1 / 15)
    for one in crowd:
        one.join()


def mute_group():
    asked = []
    for n in range(12):
        word = "pong " + "abcdefghijkl"[n]
        asked.append((word, say(50 + n, MUTE, word.replace("pong", "/ping"))))
        time.sleep(20 / 12 * max(part, 0.2))
    # several answers are one message
    told = lambda word: next((at for at, chat, text in list(sent) if chat == MUTE and word in text), None)
    until(lambda: all(told(word) for word, _ in asked), 60)
    times = [told(word) - given[update] for word, update in asked if told(word) and update in given]
    return report("typed questions in a mute group", times, len(asked) - len(times))


program, part = sys.argv[1], float(sys.argv[2])
telegram, matrix = Server(telegram_answer), Server(matrix_answer)
folder = tempfile.mkdtemp(prefix="koikoi-press.")
environment = dict(os.environ, KOIKOI_STATE_DIR=folder, KOIKOI_TELEGRAM_TOKEN="7:abc-DEF_7", KOIKOI_MATRIX_TOKEN="t",
                   KOIKOI_TELEGRAM_API_ROOT=telegram.url, KOIKOI_MATRIX_E2EE="no",
                   KOIKOI_MATRIX_HOMESERVER=matrix.url, KOIKOI_MATRIX_USER="@koi:hs")


def start(**more):
    with open(os.path.join(folder, "log"), "w") as log:
        return subprocess.Popen([program, "run"], env=dict(environment, **more), stdout=log, stderr=log,
                                stdin=subprocess.DEVNULL)


daemon = start()
good = False
try:
    say(2, 1002, "/ping a")
    say(1, TEA, "/challenge @p2_ standard")
    if until(lambda: "Accept" in buttons):
        press(2, "Accept")
    if until(lambda: "Yaku" in buttons):
        time.sleep(31 * part)  # after a start half of each window counts as used
        good = all([presses("calm", 20 * part), mute_group(),
                    presses("100 questions to Telegram that hang", 20 * part, questions_to_telegram),
                    presses("20 joins on Matrix that hang", 20 * part, joins),
                    presses("300 hands as pictures in 20 s", 30 * part, hands),
                    presses("10,000 strangers in 25 s", 30 * part, strangers)])
        # the same people without pictures: what is left of their wait is not that of drawing
        daemon.terminate()
        daemon.wait(20)
        daemon = start(KOIKOI_TELEGRAM_PICTURES="no")
        time.sleep(31 * part)
        good &= presses("300 hands as words in 20 s", 30 * part, lambda: hands(32000))
    else:
        print(open(os.path.join(folder, "log")).read()[-3000:], file=sys.stderr)
finally:
    daemon.terminate()
    daemon.wait(20)
    shutil.rmtree(folder)
sys.exit(not good)
