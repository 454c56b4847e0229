#!/usr/bin/env python3
"""Checks match records without any of the program's own code: tests/formats/check_record.py FILE...

Written from the rules (engine/rules/README.md) and the formats (bot/formats/README.md) alone, in plain Python:
shuffles, lots, deals, takes, yaku, multipliers, points, totals, dealers, ends. Prints "FILE: line N:
reason" for the first wrong line of each file; the exit status is 1 if any file was wrong.
"""
import copy, hashlib, hmac, json, sys

DECK = ("1b 1r 1p1 1p2 2a 2r 2p1 2p2 3b 3r 3p1 3p2 4a 4r 4p1 4p2 5a 5r 5p1 5p2 6a 6r 6p1 6p2 7a 7r 7p1 7p2 "
        "8b 8a 8p1 8p2 9a 9r 9p1 9p2 10a 10r 10p1 10p2 11b 11a 11r 11p 12b 12p1 12p2 12p3").split()
BRIGHT_YAKU = ["goko", "shiko", "ame_shiko", "sanko"]


class Wrong(Exception):
    pass


def need(ok, reason):
    if not ok:
        raise Wrong(reason)


def month(c):
    return DECK.index(c) // 4 + 1


def kind(c):
    return "".join(x for x in c if x.isalpha())


def card_points(c):
    return {"b": 20, "a": 10, "r": 5, "p": 1}[kind(c)]


# ---- shuffles ----

def shuffle(server_seed, match, rnd, attempt, clients, beacon=None):
    def blocks():
        k = 0
        while True:
            parts = ["koikoi-deck-v2" if beacon else "koikoi-deck-v1", match, str(rnd), str(attempt)] + clients
            parts += ([beacon] if beacon else []) + [str(k)]
            yield from hmac.new(server_seed, b"\0".join(p.encode() for p in parts), hashlib.sha256).digest()
            k += 1
    stream, deck = blocks(), list(DECK)
    for i in range(47, 0, -1):
        limit = 2 ** 32 // (i + 1) * (i + 1)
        while True:
            v = int.from_bytes(bytes(next(stream) for _ in range(4)), "little")
            if v < limit:
                break
        j = v % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def seed_of(hexa):
    need(isinstance(hexa, str) and len(hexa) == 64 and hexa == hexa.lower(), "server_seed is not 64 hex digits")
    return bytes.fromhex(hexa)


def draw_lots(deck, n):
    lots, after = deck[:n], n
    rank = lambda c: (month(c), -card_points(c))
    while len({rank(c) for c in lots}) < n:
        tied = [i for i in range(n) if sum(rank(c) == rank(lots[i]) for c in lots) > 1]
        for i in tied:
            lots[i] = deck[after]
            after += 1
    order = sorted(range(n), key=lambda i: rank(lots[i]))
    return order, [lots[i] for i in order]


def deal(rules, n, dealer, deck):
    """hands by seat, table, stock"""
    size, on_table = rules["hand"][str(n)], rules["table"][str(n)]
    packet, order = rules["deal"]["packet"], rules["deal"]["order"]
    seats = [(dealer + i) % n for i in range(n)]
    turn = {"others_dealer_table": seats[1:] + seats[:1] + ["table"],
            "players_table": seats + ["table"],
            "dealer_others_table": seats + ["table"]}[order]
    piles = {s: [] for s in turn}
    want = {s: on_table if s == "table" else size for s in turn}
    at = 0
    while any(len(piles[s]) < want[s] for s in turn):
        for s in turn:
            k = min(packet, want[s] - len(piles[s]))
            piles[s] += deck[at:at + k]
            at += k
    return [piles[s] for s in range(n)], piles["table"], deck[at:]


# ---- yaku ----

def whole(t, m):
    return all(c in t for c in DECK[4 * m:4 * m + 4])


def yaku(rules, taken, called, round_no):
    """called: whether the owner of the cards has called koi-koi"""
    now = (round_no - 1) % 12
    worth, t = rules["yaku"], set(taken)
    view = rules["viewing"]
    animals = [c for c in t if kind(c) == "a"]
    ribbons = [c for c in t if kind(c) == "r"]
    plains = [c for c in t if kind(c) == "p"]
    if rules["sake_is_plain"] and "9a" in t:
        plains = plains + ["9a"]
    dry, rain = len(t & {"1b", "3b", "8b", "12b"}), "11b" in t
    out = {}
    # brights: one of them
    have = []
    if dry == 4 and rain:
        have.append("goko")
    if dry == 4:
        have.append("shiko")
    if dry >= 3 and rain:
        have.append("ame_shiko")
    if dry >= 3:
        have.append("sanko")
    have = [y for y in BRIGHT_YAKU if y in have and worth[y] > 0]
    bright = max(have, key=lambda y: worth[y], default=None)       # max keeps the first of equals
    # viewings
    seen = {}
    wet = {"none": False, "rainman": rain, "rainman_or_lightning": rain or "11p" in t,
           "willow": any(month(c) == 11 for c in t)}[view["rain_cancels"]]
    if not wet:
        for name, c in (("tsukimi", "8b"), ("hanami", "3b")):
            if view.get("season") == "only" and month(c) != now + 1:
                continue
            if worth[name] > 0 and {c, "9a"} <= t:
                seen[name] = (called and view.get("after_koikoi")) or worth[name]
    if len(seen) == 2 and view["both"] > 0:
        seen = {name: view["both"] for name in seen}
    if view.get("season") == "double":
        own = {2: "hanami", 7: "tsukimi"}.get(now)
        seen = {name: v * (2 if name == own else 1) for name, v in seen.items()}
    if not view["with_brights"] and bright and seen:
        if sum(seen.values()) > worth[bright]:
            bright = None
        else:
            seen = {}
    if bright:
        out[bright] = worth[bright]
    out.update(seen)
    # trios and counts
    red, blue = {"1r", "2r", "3r"}, {"6r", "9r", "10r"}
    groups = [(animals, 5, "tane", [("inoshikacho", {"7a", "10a", "6a"})]),
              (ribbons, 5, "tanzaku", [("akatan", red), ("aotan", blue)])]
    for cards, least, count, trios in groups:
        formed = [name for name, trio in trios if worth[name] > 0 and trio <= t]
        for i, name in enumerate(formed):
            out[name] = worth[name]
            if rules["trio_extra"] == "add":
                out[name] += len(cards) - 3
            elif rules["trio_extra"] == "absorb" and i == 0:
                out[name] += len(cards) - 3 * len(formed)
        if {"akatan", "aotan"} <= set(formed):
            out["akatan"] += rules.get("both_ribbons", 0)
        if worth[count] > 0 and len(cards) >= least and not (formed and rules["trio_extra"] == "absorb"):
            out[count] = worth[count] + len(cards) - least
    if worth["kasu"] > 0 and len(plains) >= 10:
        out["kasu"] = worth["kasu"] + len(plains) - 10
    hiki = worth["hiki"] * sum(whole(t, m) for m in range(12)) + whole(t, now) * worth.get("month_of_round", 0)
    if hiki:
        out["hiki"] = hiki
    if not view.get("alone", True) and not set(out) - {"tsukimi", "hanami"}:
        return {}
    return out


def n_yaku(rules, counted, taken, round_no):
    months = sum(whole(taken, m) for m in range(12)) if rules["yaku"]["hiki"] else 0
    own = whole(taken, (round_no - 1) % 12) and rules["yaku"].get("month_of_round", 0) > 0
    return sum(y != "hiki" for y in counted) + months + own


def hand_yaku(rules, hand):
    h = rules["hand_yaku"]
    if h is None:
        return None
    by = [sum(month(c) == m for c in hand) for m in range(1, 13)]
    have = []
    if by.count(4) >= 2:
        have.append("double_four")
    if 4 in by:
        have.append("four")
    if len(hand) == 8 and all(k % 2 == 0 for k in by):
        have.append("pairs")
    have = [y for y in have if h[y] > 0]
    return max(have, key=lambda y: h[y], default=None)


# ---- the game ----

def takes(rules, table, card, drawn):
    """all ways to lay this card, as frozensets of taken cards"""
    own = [c for c in table if month(c) == month(card)]
    out = set()
    if len(own) == 3:
        out.add(frozenset(own))
    else:
        out |= {frozenset([c]) for c in own}
    if rules["wild_lightning"]:
        if card == "11p":
            out |= {frozenset([c]) for c in table if month(c) != 11}
        elif month(card) != 11 and "11p" in table:
            out.add(frozenset(["11p"]))
    if not out or (rules["capture"] == "optional" and not drawn and len(own) < 3):
        out.add(frozenset())
    return out


class Round:
    def __init__(self, game, line):
        self.game, self.n, self.rules = game, game.n, game.rules
        self.dealer, self.no = line["dealer"], line["round"]
        self.hands = [list(h) for h in line["hands"]]
        self.dealt = [list(h) for h in line["hands"]]
        self.table, self.stock = list(line["table"]), list(line["stock"])
        self.taken = [[] for _ in range(self.n)]
        self.calls, self.last, self.played = [0] * self.n, [{} for _ in range(self.n)], [False] * self.n
        self.turn, self.phase = self.dealer, "hand"
        self.brights = sum(c in ("1b", "3b", "8b", "12b") for c in self.table)
        self.end = None            # (why, winner, yaku, base, multiplied)
        self.void = self.void_by = None        # void_by: of a deal that was void at once
        rules = self.rules
        if rules["table_four"] == "redeal" and any(sum(month(c) == m for c in self.table) == 4 for m in range(1, 13)):
            self.void, self.phase = "table_four", "over"
            return
        if rules["hand_four"] == "redeal":
            for p in [(self.dealer + i) % self.n for i in range(self.n)]:
                if any(sum(month(c) == m for c in self.hands[p]) == 4 for m in range(1, 13)):
                    self.void, self.void_by, self.phase = "hand_four", p, "over"
                    return
        if rules["hand_yaku"] and rules["hand_yaku"]["claim"] == "automatic":
            owners = [p for p in range(self.n) if hand_yaku(rules, self.hands[p])]
            if len(owners) == 1:
                self.win_by_hand(owners[0])
            elif owners:
                self.over(("hand_yaku_tie", None, {}, 0, False))

    def yaku(self, p):
        return yaku(self.rules, self.taken[p], self.calls[p] > 0, self.no)

    def best(self):
        """seats with the dearest yaku, if there are any"""
        worth = [sum(self.yaku(p).values()) for p in range(self.n)]
        return [p for p in range(self.n) if worth[p] == max(worth) > 0]

    def copy(self):
        game, self.game = self.game, None
        other = copy.deepcopy(self)
        self.game = other.game = game
        return other

    def over(self, end):
        self.end, self.phase = end, "over"

    def win_by_hand(self, p):
        name = hand_yaku(self.rules, self.hands[p])
        worth = self.rules["hand_yaku"][name]
        self.over(("hand_yaku", p, {name: worth}, worth, self.rules["hand_yaku"]["multiplied"]))

    def put(self, p, card, take, drawn):
        need(len(set(take)) == len(take), "a card is taken twice")
        need(frozenset(take) in takes(self.rules, self.table, card, drawn), "that cannot be taken")
        if take:
            for c in take:
                self.table.remove(c)
            self.taken[p] += [card] + take
        else:
            self.table.append(card)

    def after_draw(self):
        now = self.yaku(self.turn)
        then = self.last[self.turn]
        if any(v > then.get(y, 0) for y, v in now.items()):
            self.phase = "decide"
        else:
            self.next()

    def next(self):
        self.turn, self.phase = (self.turn + 1) % self.n, "hand"
        if not any(self.hands):
            if self.rules["exhausted"] == "oya_kan" and any(self.calls):
                self.over(("oya_kan", self.dealer, {}, 6, False))
            elif self.rules["exhausted"] == "best_yaku" and len(self.best()) == 1:
                p = self.best()[0]
                self.over(("best_yaku", p, self.yaku(p), sum(self.yaku(p).values()), True))
            elif self.rules["exhausted"] == "dealer_point":
                self.over(("dealer_point", self.dealer, {}, 1, False))
            else:
                self.over(("exhausted", None, {}, 0, False))

    def line(self, l):
        t, p = l["t"], l.get("p")
        need(self.phase != "over", "the round is over")
        if t == "void":
            need(self.rules["hand_four"] == "may_redeal" and l["why"] == "hand_four" and not self.played[p] and
                 any(sum(month(c) == m for c in self.hands[p]) == 4 for m in range(1, 13)), "no right to a redeal")
            self.void, self.phase = "hand_four", "over"
            return
        need(p == self.turn, "not this seat's turn")
        if t == "declare":
            h = self.rules["hand_yaku"]
            need(h and h["claim"] == "declared" and self.phase == "hand" and not self.played[p], "no time to declare")
            need(hand_yaku(self.rules, self.hands[p]) == l["what"], "not this seat's hand yaku")
            self.win_by_hand(p)
        elif t == "play":
            need(self.phase == "hand" and l["card"] in self.hands[p], "not in hand")
            self.hands[p].remove(l["card"])
            self.played[p] = True
            self.put(p, l["card"], l["take"], False)
            if self.stock:
                self.phase = "draw"
            else:
                self.after_draw()
        elif t == "draw":
            need(self.phase == "draw" and l["card"] == self.stock[0], "not the top of the stock")
            self.put(p, self.stock.pop(0), l["take"], True)
            self.after_draw()
        elif t == "decide":
            now = self.yaku(p)
            need(self.phase == "decide", "nothing to decide")
            need(l["yaku"] == now and l["base"] == sum(now.values()), "counted yaku are %r" % now)
            if l["do"] == "stop":
                self.over(("stop", p, now, sum(now.values()), True))
            else:
                need(l["do"] == "koikoi", "do")
                limit = self.rules.get("koikoi_limit", 0)
                need(limit == 0 or sum(self.calls) < limit, "no call is left")
                self.calls[p] += 1
                self.last[p] = self.yaku(p)
                self.next()
        else:
            need(False, "unknown line")

    def multipliers(self):
        why, winner, counted, base, multiplied = self.end
        m, out = self.rules["multipliers"], {}
        if winner is None or not multiplied:
            return []
        own, others = self.calls[winner], sum(self.calls) - self.calls[winner]
        seven = m["seven_plus"]
        count = 1 if why == "hand_yaku" else n_yaku(self.rules, counted, self.taken[winner], self.no)
        if seven and base >= seven["points"] and count >= seven["min_yaku"]:
            out["seven_plus"] = seven["x"]
        doubled = lambda how, n: {"none": 1, "double_once": 2 if n else 1, "double_each": 2 ** n,
                                  "plus_one_each": 1 + n}[how]
        out["own_koikoi"] = doubled(m["own_koikoi"], own)
        out["opponent_koikoi"] = doubled(m["opponent_koikoi"], others)
        out["any_koikoi"] = doubled(m["any_koikoi"], own + others)
        out["table_brights"] = 1 + self.brights if m["table_brights"] else 1
        steps = self.rules.get("call_bonus", "none") == "steps"
        out["call_bonus"] = own - 2 if steps and own > 3 else 1
        applied = [{"name": k, "x": v} for k, v in out.items() if v > 1]
        return applied + ([{"name": "call_bonus", "add": own}] if steps and 1 <= own <= 3 else [])


FIELDS = {
    "match": {"t", "v", "id", "rules", "players", "lots", "dealer"},
    "deal": {"t", "round", "attempt", "dealer", "commit", "client_seeds", "hands", "table", "stock"},
    "void": {"t", "round", "attempt", "why", "server_seed"},
    "play": {"t", "p", "card", "take"}, "draw": {"t", "p", "card", "take"},
    "decide": {"t", "p", "do", "yaku", "base"}, "declare": {"t", "p", "what"}, "leave": {"t", "p", "why"},
    "round_end": {"t", "round", "why", "winner", "yaku", "base", "multipliers", "points", "scores", "server_seed"},
    "match_end": {"t", "why", "winner", "scores"},
    "agree": {"t", "p", "what"}, "takeback": {"t", "p", "lines"},
}


class Game:
    def __init__(self, l):
        need(l["t"] == "match" and l["v"] == 1, "a record begins with match, version 1")
        self.id, self.rules, self.names = l["id"], l["rules"], l["players"]
        self.n = len(self.names)
        need(self.n in self.rules["players"], "so many may not play")
        need(self.rules["rounds"] in self.rules["rounds_allowed"], "so many rounds may not be played")
        self.dealer, self.rnd, self.attempt = l["dealer"], 1, 1
        purse = (self.rules["purse"] or {}).get(str(self.rules["rounds"]), 0)
        self.scores, self.round, self.deal_line, self.over, self.left = [purse] * self.n, None, None, None, []
        self.agreed, self.before = False, []     # before: the lines of the deal, and the round before each
        first, d = self.rules["first_dealer"], l.get("lots_draw")
        if first == "lots" or d:
            server = seed_of(d["server_seed"])
            need(hashlib.sha256(server).hexdigest() == d["commit"], "lots_draw: commit")
            deck = shuffle(server, self.id, 0, 1, d["client_seeds"])
        if first == "lots":
            order, lots = draw_lots(deck, self.n)
            need(l["lots"] == lots and self.dealer == 0, "lots")
            need([d["joined"][i] for i in order] == self.names, "players are not in the order of their lots")
        else:
            need(l["lots"] is None, "lots must be null")
            if first == "challenger":
                need(self.dealer == 0, "the challenger deals")
            elif d:
                need(self.dealer == month(deck[0]) % self.n and d["joined"] == self.names, "dealer")

    def leader(self, seats):
        best = max(self.scores[p] for p in seats)
        who = [p for p in seats if self.scores[p] == best]
        return who[0] if len(who) == 1 else None

    def staying(self):
        return [p for p in range(self.n) if p not in self.left]

    def seed(self, l):
        server, d = seed_of(l["server_seed"]), self.deal_line
        need(hashlib.sha256(server).hexdigest() == d["commit"], "server_seed is not what was committed to")
        beacon = d.get("beacon")
        need(not beacon or set(beacon) == {"url", "round", "value"}, "beacon: fields")
        deck = shuffle(server, self.id, d["round"], d["attempt"], d["client_seeds"], beacon and beacon["value"])
        left = 48
        for part in d.get("anew", []):    # the end of the stock, in the order of another deck
            need(set(part) == {"cards", "seed"} and 0 < part["cards"] < left, "anew")
            left = part["cards"]
            order = shuffle(seed_of(part["seed"]), self.id, d["round"], d["attempt"], [])
            deck[-left:] = sorted(deck[-left:], key=order.index)
        need((d["hands"], d["table"], d["stock"]) == deal(self.rules, self.n, d["dealer"], deck),
             "the cards are not those of the seeds")

    def line(self, l):
        t = l["t"]
        need(t in FIELDS, "unknown line")
        extra = {"p"} if t == "void" and l.get("why") == "hand_four" else {"beacon", "anew"} & set(l) if t == "deal" else set()
        if t == "leave" and l.get("goes_on") is True:
            extra = {"goes_on"}
        if t in ("play", "draw", "decide", "declare") and l.get("hint") is True:
            extra = {"hint"}
        need(set(l) == FIELDS[t] | extra, "fields")
        need(self.over != "done", "nothing may follow match_end")
        if self.over:
            return self.match_end(l)
        if t == "leave":
            need(l["why"] in ("resign", "timeout") and 0 <= l["p"] < self.n, "leave")
            need(l["p"] not in self.left, "who left cannot leave again")
            self.left.append(l["p"])
            if "goes_on" in l:
                need(self.n == 3 and len(self.left) == 1, "only the first of three who leaves lets the others play on")
                need(not self.round or self.round.phase != "over", "a round waits for its end")
            elif self.round and self.round.phase != "over":
                self.round.over(("leave", None, {}, 0, False))
            else:
                need(self.round is None, "a round waits for its end")
                self.over = "leave"
        elif t == "agree":
            need(l["what"] == "draw" and 0 <= l["p"] < self.n and l["p"] not in self.left, "agree")
            self.agreed = True
            if self.round and self.round.phase != "over":
                self.round.over(("leave", None, {}, 0, False))
            else:
                need(self.round is None, "a round waits for its end")
                self.over = "draw"
        elif t == "takeback":
            need(self.round is not None and self.round.phase != "over", "no round is running")
            need(1 <= l["lines"] <= len(self.before), "so many lines were not played")
            first, self.round = self.before[-l["lines"]]
            del self.before[-l["lines"]:]
            need(first["p"] == l["p"], "who takes back must have played the first of the lines")
            need(first["t"] != "draw" or len(takes(self.rules, self.round.table, first["card"], True)) > 1,
                 "a drawn card without a choice is no decision")
        elif t == "deal":
            self.before = []
            need(self.round is None, "a round is running")
            need((l["round"], l["attempt"], l["dealer"]) == (self.rnd, self.attempt, self.dealer), "round, attempt, dealer")
            need(sorted(sum(l["hands"], []) + l["table"] + l["stock"]) == sorted(DECK), "not one deck")
            self.deal_line, self.round = l, Round(self, l)
        else:
            need(self.round is not None, "no round is running")
            if t == "round_end":
                self.round_end(l)
            else:
                self.before.append((l, self.round.copy()))
                if t == "void" and self.round.void == "hand_four":
                    need(l["p"] == self.round.void_by, "p")
                elif not (t == "void" and self.round.void == "table_four"):
                    self.round.line(l)
                if t == "void":
                    need((l["round"], l["attempt"], l["why"]) == (self.rnd, self.attempt, self.round.void), "void")
                    self.seed(l)
                    self.round, self.attempt = None, self.attempt + 1

    def round_end(self, l):
        need(self.round.phase == "over" and self.round.end, "the round is not over")
        why, winner, counted, base, _ = self.round.end
        mult = self.round.multipliers()
        points = base + sum(m.get("add", 0) for m in mult)
        for m in mult:
            points *= m.get("x", 1)
        if winner is not None:
            points = min(points, 10000000)
            if self.rules["scoring"] == "coins":
                points = min(points, self.scores[1 - winner])
                self.scores[1 - winner] -= points
            self.scores[winner] += points
        else:
            points = 0
        want = {"t": "round_end", "round": self.rnd, "why": why, "winner": winner, "yaku": counted, "base": base,
                "multipliers": mult, "points": points, "scores": self.scores, "server_seed": l["server_seed"]}
        for k in want:
            need(l[k] == want[k], "%s is %r, must be %r" % (k, l[k], want[k]))
        self.seed(l)
        self.round = None
        if why == "leave":
            self.over = "draw" if self.agreed else "leave"
        elif self.rules["scoring"] == "coins" and 0 in self.scores:
            self.over = "bankrupt"
        elif self.rnd >= self.rules["rounds"] and (self.rules["tie_break"] == "none" or
                                                   self.leader(self.staying()) is not None):
            self.over = "rounds"
        else:
            if winner is not None:
                self.dealer = winner
            elif self.rules.get("drawn_dealer", "stays") == "changes":
                self.dealer = (self.dealer + 1) % self.n
            self.rnd, self.attempt = self.rnd + 1, 1

    def match_end(self, l):
        need(l["t"] == "match_end", "match_end is missing")
        winner = None if self.agreed else self.leader(self.staying())
        want = {"t": "match_end", "why": self.over, "winner": winner, "scores": self.scores}
        for k in want:
            need(l[k] == want[k], "%s is %r, must be %r" % (k, l[k], want[k]))
        self.over = "done"


def check(text):
    """None, or (line, reason)"""
    game, lines = None, text.split("\n")
    if lines[-1] == "":
        lines.pop()
    for i, line in enumerate(lines, 1):
        try:
            l = json.loads(line)
            if game is None:
                game = Game(l)
            else:
                game.line(l)
        except Wrong as e:
            return i, str(e)
        except (KeyError, ValueError, TypeError, IndexError) as e:
            return i, "%s: %s" % (type(e).__name__, e)
    return None if game and game.over == "done" else (len(lines) + 1, "the record ends without match_end")


def main(files):
    bad = 0
    for name in files:
        with open(name, encoding="utf-8") as f:
            wrong = check(f.read())
        if wrong:
            print("%s: line %d: %s" % ((name,) + wrong))
            bad = 1
    print("%d records checked" % len(files))
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
