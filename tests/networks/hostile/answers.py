"""Hostile answers: name -> the bytes of a whole response, or a function that writes them to a connection."""
import json
import time
import zlib

from servers import response

MIB = 1 << 20
PLAIN = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def gzip(body):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()


def drip(connection):
    connection.sendall((PLAIN + "Content-Length: 100000\r\n\r\n").encode())
    try:
        for _ in range(60):
            connection.sendall(b" ")
            time.sleep(0.5)
    except OSError:
        pass


def endless_head(connection):
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        for i in range(200000):
            connection.sendall(b"X-%d: %s\r\n" % (i, b"x" * 100))
    except OSError:
        pass


def endless_body(connection):
    try:
        connection.sendall((PLAIN + "Connection: close\r\n\r\n{").encode())
        for _ in range(200):
            connection.sendall(b" " * MIB)
    except OSError:
        pass


def endless_interim(connection):
    try:
        for _ in range(100000):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    except OSError:
        pass


def http(good):
    """What any HTTP client may meet; `good` is a body that the bot takes."""
    head = PLAIN.encode()
    return {
        "nothing, and hangs up": b"",
        "a reset": b"RST",
        "no HTTP": b"\x00\x01\x02 SSH-2.0-OpenSSH_9.2\r\n" * 50,
        "a body without a head": good,
        "a status of 0": response(good, "000 Zero"),
        "a status of 999": response(good, "999 Odd"),
        "a status line without a status": b"HTTP/1.1\r\n\r\n" + good,
        "a version of the future": response(good).replace(b"HTTP/1.1", b"HTTP/9.9", 1),
        "204 with a body": response(good, "204 No Content"),
        "304": response(b"", "304 Not Modified"),
        "500 with a long page": response(b"<p>sorry" * 400000, "500 Error"),
        "a page to log in": response(b"<html>pay for this wifi</html>"),
        "401 without a reason": response(b"<html>who are you</html>", "401 Unauthorized"),
        "an empty body": response(b""),
        "a body that breaks off": response(good[: len(good) // 2]),
        "less than its Content-Length": response(good, length=len(good) + 1000),
        "more than its Content-Length": response(good, length=len(good) // 2),
        "a negative Content-Length": response(good, length=-7),
        "a Content-Length of 2^63": response(good, length=1 << 63),
        "two Content-Lengths": response(good, headers=["Content-Length: 3"]),
        "chunks that are none": head + b"Transfer-Encoding: chunked\r\n\r\nzzz\r\n" + good,
        "a chunk of 2^64": head + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + good,
        "chunks without end": head + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n{\r\n" * 1000,
        "a header of 1 MiB": head + b"X: " + b"y" * MIB + b"\r\n\r\n" + good,
        "a header with NULs": head + b"X: \x00\x00\r\nDate: \x00\r\n\r\n" + good,
        "headers without end": endless_head,
        "interim answers without end": endless_interim,
        "a body without end": endless_body,
        "a body in drops": drip,
        "a redirect to itself": response(b"", "302 Found", ["Location: "]),
        "a redirect to a file": response(b"", "302 Found", ["Location: file:///etc/hostname"]),
        "a redirect elsewhere": response(b"", "307 Moved", ["Location: http://127.0.0.1:1/"]),
        "a gzip bomb": response(gzip(b" " * (200 * MIB)), headers=["Content-Encoding: gzip"]),
        "gzip that is none": response(good, headers=["Content-Encoding: gzip"]),
        "a date of the year 9999": response(good, headers=["Date: Fri, 31 Dec 9999 23:59:59 GMT"]),
        "a wait before the past": response(b"{}", "429 Slow", ["Retry-After: -5"]),
        "a wait in words": response(b"{}", "503 Slow", ["Retry-After: tomorrow"]),
        "a byte order mark": response(b"\xef\xbb\xbf" + good),
        "NULs": response(b"\x00" * 100000),
        "bytes that are no UTF-8": response(good.replace(b"1", b"\xff\xfe\xc0\x80")),
    }


def shapes(wrap):
    """JSON of any shape where the news should be; wrap(text) is the body of an answer."""
    deep = 200000
    kinds = {
        "null": "null", "a number": "7", "a string": '"news"', "true": "true", "an object": '{"a":1}',
        "a list of nulls": "[null,null]", "a list of lists": "[[],[[]]]", "a list of strings": '["a","b"]',
        "an empty element": "[}]", "commas": "[,,,,]", "an open string": '["', "an open list": "[[[",
        "lists in lists": "[" * deep, "objects in objects": '[{"a":' * deep, "closed ones": "[" * deep + "]" * deep,
        "a number of 1 MiB": "[" + "9" * MIB + "]", "infinite numbers": "[1e999,-1e999,1e-999,NaN,Infinity,0x7]",
        "the same key a thousand times": "{" + ",".join('"join":{}' for _ in range(1000)) + "}",
        "a key of 1 MiB": '{"' + "k" * MIB + '":1}', "backslashes": '["' + "\\" * (MIB + 1) + '"]',
        "lone surrogates": '["\\ud800\\udfff\\udc00 \\u0000"]', "a million values": "[" + "0," * 1000000 + "0]",
    }
    return {"news: " + name: response(wrap(text)) for name, text in kinds.items()}


def telegram():
    def wrap(text):
        return '{"ok":true,"result":%s}' % text

    def update(message, n='"update_id":5'):
        return "{%s,\"message\":%s}" % (n, message)

    def message(text='"/ping x"', chat="-5", sender="5", more=""):
        return '{"message_id":1,"date":1,"text":%s,"chat":{"id":%s,"type":"group"},"from":{"id":%s}%s}' % (
            text, chat, sender, more)

    def news(*updates):
        return response(wrap("[" + ",".join(updates) + "]"))

    ids = ["-1", "0", "1.5", '"7"', "9223372036854775807", "-9223372036854775808", "1e300", "null", "{}", "[1]", "true"]
    entity = '{"type":"%s","offset":%s,"length":%s,"user":%s}'
    entities = ",".join(entity % (t, o, n, u) for t in ("mention", "text_mention", "x") for o in ("0", "-1", "9e15", '"0"')
                        for n in ("1", "-1", "9e15", "null") for u in ("{}", "null", '{"id":{}}'))
    kinds = http(wrap("[]").encode())
    kinds.update(shapes(wrap))
    kinds.update({
        "a text of 8 MiB": news(update(message(json.dumps("x" * (8 * MIB))))),
        "a text of 3 MiB": news(update(message(json.dumps("/ping " + "x" * (3 * MIB))))),
        "a text of 65,537 bytes": news(update(message(json.dumps("/ping " + "x" * 65531)))),
        "a name of 2 MiB": news(update(message(more=',"from":{"id":5,"first_name":"%s"}' % ("n" * (2 * MIB))))),
        "40,000 tiny updates": news(*['{"update_id":%d}' % (5 + i) for i in range(40000)]),
        "9,000 messages": news(*[update(message(), '"update_id":%d' % (5 + i)) for i in range(9000)]),
        "update ids of all kinds": news(*[update(message(), '"update_id":' + i) for i in ids]),
        "chat ids of all kinds": news(*[update(message(chat=i), '"update_id":%d' % (20 + n)) for n, i in enumerate(ids)]),
        "senders of all kinds": news(*[update(message(sender=i), '"update_id":%d' % (40 + n)) for n, i in enumerate(ids)]),
        "entities of all kinds": news(update(message('"/ping \\ud83d\\ude00@bo"', more=',"entities":[%s]' % entities))),
        "the same update a thousand times": news(*[update(message())] * 1000),
        "an error with ok": response('{"ok":true,"error_code":400,"result":[]}', "400 Bad"),
        "an error that is a list": response('{"ok":false,"description":[1],"parameters":[2]}', "400 Bad"),
        "a wait of -5 s": response('{"ok":false,"error_code":429,"parameters":{"retry_after":-5}}', "429 Slow"),
        "a wait that is a text": response('{"ok":false,"error_code":429,"parameters":{"retry_after":"9"}}', "429 Slow"),
        "a press without parts": news('{"update_id":5,"callback_query":{"id":"1","data":"x","message":null}}'),
        "an inline id of 60 KB": news('{"update_id":5,"callback_query":{"id":"%s","from":{"id":5},"data":"%s",'
                                      '"inline_message_id":"%s"}}' % ("q" * 60000, "d" * 60000, "i" * 60000)),
        "a chat that moved to itself": news(update('{"chat":{"id":-5},"migrate_to_chat_id":-5}'),
                                            update('{"chat":{"id":-5},"migrate_to_chat_id":1e300}', '"update_id":6')),
    })
    return kinds


def telegram_receipts():
    def wrap(text):
        return '{"ok":true,"result":%s}' % text

    return dict(http(wrap('{"message_id":5}').encode()), **shapes(wrap), **{
        "a message id of 2^63": response(wrap('{"message_id":9223372036854775807}')),
        "a message id that is a text": response(wrap('{"message_id":"5"}')),
        "a wait of 300 years": response('{"ok":false,"error_code":429,"parameters":{"retry_after":9e9}}', "429 Slow"),
        "a move to nowhere": response('{"ok":false,"error_code":400,"parameters":{"migrate_to_chat_id":1e300}}', "400 B"),
    })


def matrix():
    def wrap(text):
        return '{"next_batch":"h1","rooms":{"join":%s}}' % text

    def events(*events):
        return response(wrap('{"!r1:x":{"timeline":{"events":[%s]}}}' % ",".join(events)))

    def event(n="$h1", sender="@bo:x", content='{"msgtype":"m.text","body":"!koi ping x"}', kind="m.room.message", more=""):
        return '{"type":"%s","event_id":%s,"sender":%s,"content":%s%s}' % (
            kind, json.dumps(n), json.dumps(sender), content, more)

    kinds = http(wrap("{}").encode())
    kinds.update(shapes(wrap))
    tokens = {"2,500 percent signs": '"' + "%" * 2500 + '"', "a number": "7", "nothing": '""', "a list": '["s"]',
              "1 MiB": '"' + "t" * MIB + '"', "line feeds": '"s\\r\\nHost: x"'}
    for name, token in tokens.items():
        kinds["a next_batch of " + name] = response('{"next_batch":%s,"rooms":{}}' % token)
    state = '{"state":{"events":[%s]}}'
    long_name = event(kind="m.room.name", content='{"name":"%s"}' % ("n" * 60000), more=',"state_key":""')
    kinds.update({
        "a body of 40 MiB": response(wrap('{"a":"%s"}' % ("x" * (40 * MIB)))),
        "a text of 8 MiB": events(event(content='{"msgtype":"m.text","body":"%s"}' % ("x" * (8 * MIB)))),
        "200,000 tiny events": events(*[event("$h%d" % i) for i in range(200000)]),
        "a room with a long name, 9,000 events": response(wrap('{"!r1:x":{"state":{"events":[%s]},"timeline":{"events":[%s]}}}' % (
            long_name, ",".join(event("$n%d" % i) for i in range(9000))))),
        "500 rooms with long names": response(wrap("{" + ",".join(
            '"!n%d:x":' % i + state % long_name for i in range(500)) + "}")),
        "50,000 rooms": response(wrap("{" + ",".join('"!m%d:x":{}' % i for i in range(50000)) + "}")),
        "ids of all kinds": events(*[event(n, s) for n in ("", "$", "x", "$" + "x" * 70000, "$\n", "$\ud83d\ude00")
                                     for s in ("", "@", "@:", "@bo:x", "@" + "b" * 70000 + ":x", "@b o:x")]),
        "power levels of all kinds": response(wrap('{"!r1:x":' + state % ",".join(
            event(kind="m.room.power_levels", content='{"users":%s,"users_default":%s}' % (u, d), more=',"state_key":""')
            for u in ("[]", "7", '{"@a:x":{}}', '{"@a:x":1e300}', '{"a":"b"}') for d in ("1e300", '"x"', "{}", "-1e300")) + "}")),
        "additional creators of all kinds": response(wrap('{"!r2:x":' + state % event(
            kind="m.room.create", content='{"room_version":"12","additional_creators":[1,null,"%s",{},"@c:x"]}' % ("c" * 99999),
            more=',"state_key":""') + "}")),
        "pills without end": events(event(content=json.dumps({
            "msgtype": "m.text", "body": "x", "format": "org.matrix.custom.html",
            "formatted_body": '<a href="https://matrix.to/#/%40' * 500}))),
        "a tombstone in a circle": events(event(kind="m.room.tombstone", content='{"replacement_room":"!r1:x"}', more=',"state_key":""')),
        "an unknown error": response('{"errcode":7,"error":[],"retry_after_ms":"x"}', "400 Bad"),
        "a wait of -5 s": response('{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":-5000}', "429 Slow"),
    })
    return kinds


def matrix_receipts():
    def wrap(text):
        return '{"event_id":%s}' % text

    return dict(http(wrap('"$ok"').encode()), **shapes(wrap), **{
        "an event id of 60 KB": response(wrap('"$' + "e" * 60000 + '"')),
        "an event id of percent signs": response(wrap('"$' + "%" * 250 + '"')),
        "a move, 403": response('{"errcode":"M_FORBIDDEN"}', "403 Forbidden"),
    })
