"""A match by browsers without a screen: how they meet, what they may press."""
import gzip
import time

from browser import wait_until


def move_of(scene, chance):
    """A press that the scene allows, or None while another is to act."""
    if scene["phase"] == "ready":
        return next((b["press"] for b in scene["buttons"] if b["style"] == "take"), None)
    if not scene["mine"]:
        return None
    if scene["phase"] == "decide":
        return scene["buttons"][chance.choice((0, 0, 1))]["press"]
    cards = [scene["drawn"]] if scene["phase"] == "draw" else scene["hand"]
    return chance.choice([m["press"] for c in cards for m in c["moves"]])


def meet(ann, bo, say=None):
    """A match of two browsers, by the link of a room; returns its number."""
    room = ann.act("/room", name=ann.name)
    offer = room
    assert room["link"].endswith("/r/" + room["r"]) and len(room["r"]) == 32
    if say:
        for _ in range(2):  # taking a challenge back asks once
            ann.act("/press", press=room["scene"]["buttons"][0]["press"], r=room["r"])
        offer = ann.act("/say", text=say, r=room["r"])

    def accepts():
        return [b["press"] for k, e in bo.events if k == "letter" and e["slot"].startswith("posted:%d:" % offer["t"]) for b in e["buttons"] if b["text"] == "Accept"]

    line = bo.stream(r=room["r"])
    wait_until(accepts)
    accept = accepts()[-1]
    table = bo.act("/press", press=accept, r=room["r"], name=bo.name)
    line.close()
    assert table["t"] > 0 and table["scene"]["phase"] in ("hand", "ready"), table
    return table["t"], room["r"]


def codes_in(value):
    """Every card code in a document, as a value or as a key."""
    if isinstance(value, dict):
        return set(value) | set().union(*map(codes_in, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(codes_in, value)) if value else set()
    return {value} if isinstance(value, str) else set()


def play_out(daemon, ann, say="/challenge mei 3"):
    """A match of Ann's with the computer, to its end; returns the last scene."""
    offer = ann.act("/say", text=say, name=ann.name)
    scene = ann.act("/press", press=offer["scene"]["buttons"][0]["press"], t=offer["t"])["scene"]
    while scene["phase"] != "over":
        press = move_of(scene, ann.chance)
        if press:
            scene = ann.act("/press", press=press, t=scene["t"])["scene"]
        else:
            time.sleep(0.02)
            scene = ann.get("/scene?t=%d" % scene["t"])
    return scene


def finished(a, b, table):
    """A match of two people, to its end; the last scene of the first."""
    while True:
        scenes = [x.get("/scene?t=%d" % table) for x in (a, b)]
        if scenes[0]["phase"] == "over":
            return scenes[0]
        for x, scene in zip((a, b), scenes):
            press = move_of(scene, x.chance)
            if press:
                x.act("/press", press=press, t=table)


def page_of(scene):
    """The link of the replay, of the last scene."""
    found = [b["page"] for b in scene["buttons"] if b.get("page", "").startswith("replay/")]
    assert len(found) == 1, scene
    return found[0]


def opened(browser, page, what):
    path, secret = page.split("#")
    status, data = browser.ask("GET", "/%s/%s" % (path, what), headers={"Koikoi-Secret": secret}.items())
    if browser.headers.get("content-encoding") == "gzip":
        data = gzip.decompress(data)
    return status, data


def steps_of_replay(document):
    """The steps of a replay, each made whole again from the one before."""
    steps = []
    for n, change in enumerate(document["steps"]):
        step = {**(steps[-1] if steps else {}), **change, "v": n + 1, "from": n, "seats": []}
        for p, seat in enumerate(change["seats"]):
            before = steps[-1]["seats"][p] if steps else {}
            played = [a["card"] for a in step["acts"] if a["p"] == p]
            hand = seat.get("hand", [c for c in before.get("hand", []) if c not in played])
            step["seats"].append({**before, **seat, "hand": hand, "cards": seat.get("cards", len(hand))})
        steps.append(step)
    return steps
