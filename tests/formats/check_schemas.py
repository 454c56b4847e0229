#!/usr/bin/python3
"""The schemas of config/formats say what the program reads and writes: tests/formats/check_schemas.py KOIKOI

Rule sets, records of games the computer plays and a talk with the engine are held against them. So is what the
program refuses: a field left out, added or wrong must be wrong for the schema too. One line for each check.
"""
import copy, functools, glob, json, random, subprocess, sys, tempfile
import jsonschema

koikoi, folder = sys.argv[1], "config/formats/"
schemas = {name: json.load(open(folder + name)) for name in ("rule-set.schema.json", "record.schema.json", "protocol.schema.json", "scene.schema.json")}
PRESETS = sorted(path.split("/")[-1][:-5] for path in glob.glob("config/rules/*.json"))
LEVELS = {2: "easy,normal", 3: "easy,normal,easy"}
failed = 0


@functools.cache
def judge(name, part=None):
    schema = {"$ref": name + ("#/$defs/" + part if part else "")}
    resolver = jsonschema.RefResolver(name, schemas[name], store=schemas)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def check(what, wrong):
    global failed
    failed += bool(wrong)
    print("FAILED  " + what + "\n        " + str(wrong)[:600] if wrong else "  ok    " + what)


def first_wrong(judge, things):
    things = list(things)
    if not things:
        return "there was nothing to look at"
    for thing in things:
        for error in judge.iter_errors(thing):
            return json.dumps(thing)[:200] + ": " + error.message[:300]


class Engine:
    def __init__(self):
        self.p = subprocess.Popen([koikoi, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked, self.told = [], []

    def ask(self, **request):
        self.asked.append(request)
        self.p.stdin.write(json.dumps(request) + "\n")
        self.p.stdin.flush()
        self.told.append(json.loads(self.p.stdout.readline()))
        return self.told[-1]


def spoilt(thing, path=()):
    """The thing with one field left out, one added, one of another type; at every depth."""
    here = thing
    for step in path:
        here = here[step]
    if isinstance(here, dict) and here:
        for kind in ("gone", "added", "wrong"):
            for key in here if kind != "added" else ["surprise"]:
                bad = copy.deepcopy(thing)
                at = bad
                for step in path:
                    at = at[step]
                if kind == "gone":
                    del at[key]
                else:
                    at[key] = [["no"]]
                yield path + (kind, key), bad
    for key in here if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ():
        if isinstance(here[key], (dict, list)):
            yield from spoilt(thing, path + (key,))


def rule_sets(engine):
    written = [json.load(open("config/rules/%s.json" % name)) for name in PRESETS]
    check("the rule sets as they are written", first_wrong(judge("rule-set.schema.json"), written))
    resolved = [engine.ask(id=1, do="rules", rules=name)["rules"] for name in PRESETS]
    check("the rule sets resolved", first_wrong(judge("rule-set.schema.json", "resolved"), resolved))
    disagree, tried, refused = [], 0, 0
    for rules in resolved:
        for where, bad in spoilt(rules):
            tried += 1
            program = "rules" in engine.ask(id=2, do="rules", rules=bad)
            refused += not program
            schema = judge("rule-set.schema.json").is_valid(bad)
            # What is wrong only together with other fields is beyond a schema.
            beyond = where[-2] == "gone" and where[0] in ("purse", "hand", "table") and len(where) == 3
            if program != schema and not (beyond and schema):
                disagree.append((rules["name"], where, "program %s, schema %s" % (program, schema)))
    check("%d spoilt rule sets, %d refused by the program and the schema" % (tried, refused), disagree or not refused)
    return {rules["name"]: rules["players"] for rules in resolved}


def records(players):
    lines = []
    with tempfile.TemporaryDirectory() as made:
        for name in PRESETS:
            for seats in players[name]:
                subprocess.run([koikoi, "selfplay", "--rules", name, "--levels", LEVELS[seats], "--matches", "1", "--seed", "7", "--record", made + "/" + name + str(seats)],
                               check=True, stdout=subprocess.DEVNULL)
        for path in glob.glob(made + "/*/*.koikoi"):
            lines += [json.loads(line) for line in open(path)]
    # What no match above happened to have.
    lines += [{"t": "void", "round": 1, "attempt": 1, "why": "table_four", "server_seed": "0f" * 32}, {"t": "leave", "p": 1, "why": "resign"},
              {"t": "declare", "p": 0, "what": "pairs"}, {"t": "play", "p": 0, "card": "1b", "take": ["1r"], "hint": True}]
    check("%d lines of records" % len(lines), first_wrong(judge("record.schema.json"), lines))
    one_of_each = {line["t"]: line for line in lines}
    let_by = []
    for line in one_of_each.values():
        for where, bad in spoilt({k: v for k, v in line.items() if k != "rules"} if line["t"] != "match" else line):
            optional = where in (("gone", "lots_draw"), ("gone", "hint")) or "yaku" in where and "gone" in where or where[0] == "rules"
            if not optional and judge("record.schema.json").is_valid(bad):
                let_by.append((line["t"], where))
    check("spoilt lines of %d kinds" % len(one_of_each), let_by or len(one_of_each) < 10)


def scenes():
    """Those that the test of scenes compares with what the program writes."""
    golden = [json.load(open(path)) for path in glob.glob("tests/core/scene/*.json")]
    check("%d scenes" % len(golden), first_wrong(judge("scene.schema.json"), golden))
    spoilt_ones = [(scene["phase"], key) for scene in golden for key in scene
                   if judge("scene.schema.json").is_valid({k: v for k, v in scene.items() if k != key})
                   or judge("scene.schema.json").is_valid(dict(scene, **{key: {"no": "such"}}))]
    check("scenes with a field left out or wrong", spoilt_ones or len(golden) < 8)


def talk(engine, players):
    rng = random.Random(5)
    deck = [str(m) + k for m in range(1, 13) for k in {1: "b r p1 p2", 2: "a r p1 p2", 3: "b r p1 p2", 8: "b a p1 p2", 11: "b a r p", 12: "b p1 p2 p3"}.get(m, "a r p1 p2").split()]
    for name in PRESETS:
        for seats in players[name]:
            for _ in range(2):
                rng.shuffle(deck)
                state = engine.ask(id=name, do="new", rules=name, players=seats, deck=list(deck))
                while state["phase"] != "over":
                    turn = state["turn"]
                    view = engine.ask(id=None, do="state", **{"for": rng.randrange(seats)})
                    if rng.random() < 0.1:
                        engine.ask(id=3, do="advise", level="normal", visits=20, seed=1)
                    if rng.random() < 0.05:
                        engine.ask(id=4, do="apply", p=(turn + 1) % seats, move={"do": "stop"})
                    move = rng.choice(state["legal"])
                    state = engine.ask(id=view["id"], do="apply", p=turn, move=move)
    engine.ask(id=5, do="score", rules="sensei", taken=["1b", "3b", "8b"])
    check("%d requests" % len(engine.asked), first_wrong(judge("protocol.schema.json", "request"), (r for r in engine.asked if r["do"] != "rules")))
    check("%d answers" % len(engine.told), first_wrong(judge("protocol.schema.json", "answer"), engine.told))
    views = [a for a in engine.told if a.get("seat") in (0, 1, 2)]
    leaked = [v for v in views if judge("protocol.schema.json", "answer").is_valid(dict(v, stock=[]))]
    check("no view of a seat may have a stock", leaked or not views)


engine = Engine()
players = rule_sets(engine)
records(players)
scenes()
talk(engine, players)
sys.exit(failed > 0)
