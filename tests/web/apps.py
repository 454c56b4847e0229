"""Pages inside the apps of networks: a Mini App of Telegram, a widget of Matrix. They have no cookies."""
import json
import re

from browser import Browser, wait_until


class Frame(Browser):
    """A page in a frame: it has no cookie, but what it was given for its proof."""

    def __init__(self, daemon, bytes_, network="telegram"):
        self.secret = ""
        super().__init__(daemon, "", seed=len(bytes_))
        self.cookie = None
        self.status, data = self.ask("POST", "/prove", {"network": network, "bytes": bytes_})
        if self.status == 200:
            self.secret = json.loads(data)["secret"]
            self.page = self.get("/page")

    def ask(self, method, path, body=None, headers=()):
        answer = super().ask(method, path, body, [*headers, *([("Authorization", "Bearer " + self.secret)] if self.secret else [])])
        self.cookie = None
        return answer


class Widget(Browser):
    """A page in a client's frame: `window` is what its storage keeps, the secret what it has in memory."""

    def __init__(self, daemon, bytes_, window=""):
        super().__init__(daemon, "")
        self.bytes, self.window, self.secret, self.said = bytes_, window, "", ""
        self.prove()

    def prove(self):
        self.status, data = self.ask("POST", "/prove", {"network": "matrix", "bytes": self.bytes, "window": self.window})
        answer = json.loads(data or "{}")
        self.said = answer.get("say", "")
        self.window = answer.get("window", self.window)
        self.secret = answer.get("secret", "")
        return bool(self.secret)

    def ask(self, method, path, body=None, headers=()):
        self.cookie = None
        return super().ask(method, path, body, [*headers, *([("Authorization", "Bearer " + self.secret)] if getattr(self, "secret", "") else [])])

    def sees(self, table):
        status, data = self.ask("GET", "/scene?t=%d" % table)
        return status == 200 and len(json.loads(data)["hand"]) == 8


def confirmed(matrix, daemon, person):
    page = Widget(daemon, matrix.openid(person))
    assert page.status == 200 and not page.secret and re.fullmatch("!koi widget [0-9]{6}", page.said), page.said
    matrix.say(person, page.said)
    wait_until(page.prove)
    return page
