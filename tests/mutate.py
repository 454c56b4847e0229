"""Mutation testing: one-line changes of the code, each judged by the tests of its room.

    make mutate [N=50] [SEED=1] [ROOM=bot/core/step]

The sample is drawn over the lines of all rooms below, or of one: the same seed gives the same sample of the same
code. Work happens in a scratch copy (WORK/src), never in the checkout. A mutant is killed if a test of its room fails
or does not end in time. A mutant that does not compile is not counted, nor is one whose optimized object equals the
original's; another takes its place. The survivors are printed with their change; some more of them are equivalent,
which only a reader can tell.

The exit status is 0 if the sample was judged, whatever survived; 1 if the unchanged code does not build or pass.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

CORE = ["tests/golden"]
REVIEW = ["tests/analysis/match_review_test.c"]
DAEMON = ["tests/daemon/crash_test.c"]
# The rooms, the optimization they are built with (the engine's tests play many games), and the tests beside those of
# the same folder below tests/.
ROOMS = {
    "engine/rules": ("-O2", []),
    "engine/player": ("-O2", []),
    "bot/core/text": ("-O0", CORE),
    "bot/core/session": ("-O0", CORE + REVIEW),
    "bot/core/step": ("-O0", CORE),
    "bot/core/absence": ("-O0", CORE),
    "bot/core/operator": ("-O0", CORE),
    "bot/core/puzzle": ("-O0", CORE),
    "bot/core/rating": ("-O0", CORE),
    "bot/core/seasons": ("-O0", CORE),
    "bot/core/seek": ("-O0", CORE),
    "bot/core/tournament": ("-O0", CORE),
    "bot/core/tutorial": ("-O0", CORE),
    "bot/core/present": ("-O0", CORE),
    "bot/store": ("-O0", DAEMON),
    "bot/outbox": ("-O0", DAEMON),
    "adapters/telegram": ("-O0", ["tests/adapters/contract_test.c"]),
    "adapters/matrix": ("-O0", ["tests/adapters/contract_test.c"]),
    "adapters/terminal": ("-O0", ["tests/adapters/contract_test.c"]),
}
BUILD_SECONDS = 600
LEAST_TEST_SECONDS = 15  # a test may take this long, or five times as long as without a mutation


def masked(text):
    """The text with comments, literals and preprocessor lines blanked; every other character keeps its place."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', blank, text,
                  flags=re.S | re.M)


SWAPS = [
    ("boundary", r"(?<= )(<=|>=|<|>)(?= )", {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    ("equality", r"(?<= )(==|!=)(?= )", {"==": "!=", "!=": "=="}),
    ("logic", r"(?<= )(&&|\|\|)(?= )", {"&&": "||", "||": "&&"}),
    ("arithmetic", r"(?<=[\w)\]] )(\+|-)(?= )", {"+": "-", "-": "+"}),
    ("step", r"(\+\+|--|\+=|-=)", {"++": "--", "--": "++", "+=": "-=", "-=": "+="}),
    ("truth", r"\b(true|false)\b", {"true": "false", "false": "true"}),
]
STATEMENT = re.compile(r"^\s+((?:\(void\))?\w+\(.*\)|[\w.\->\[\]*]+ (?:[-+|&^*/]|<<|>>)?= .*|(?:\+\+|--)?[\w.\->\[\]]+(?:\+\+|--)?|"
                       r"break|continue);\s*$")
# What no test should pin: assertions hold anyway, a log is no contract, and a leak shows in `make asan`.
UNTESTED = re.compile(r"\s*(assert|log_\w+)\(")
LEAK = re.compile(r"\s*\w*free\(")
# -1 as a value: callers ask whether it is below 0, so -2 says the same.
BELOW_0 = re.compile(r"(?:[(,?:{]|(?<![=!<>])=|\breturn) ?-$")


def closing(line, at):
    """The place after the bracket that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(line)):
        depth += (line[i] == "(") - (line[i] == ")")
        if depth == 0:
            return i + 1
    return -1


def mutations(line, code, before):
    """All mutations of one line: (operator, new line). `code` is its masked form, `before` that of the line above."""
    found = []
    if UNTESTED.match(code):
        return found

    def put(operator, start, end, new):
        found.append((operator, line[:start] + new + line[end:]))

    for operator, pattern, swap in SWAPS:
        for m in re.finditer(pattern, code):
            put(operator, m.start(1), m.end(1), swap[m.group(1)])
    for m in re.finditer(r"(?<![\w.])(\d+)(?![\w.])", code):
        if re.search(r"\{\s*$", code[:m.start()]) and code[m.end():].lstrip().startswith("}"):
            continue  # {0}: the empty value
        n = int(m.group(1))
        if not BELOW_0.search(code[:m.start()]):
            put("constant", m.start(1), m.end(1), str(n + 1))
        if n > 0:
            put("constant", m.start(1), m.end(1), str(n - 1))
    for m in re.finditer(r"\bif (\()", code):
        end = closing(code, m.start(1))
        if end > 0:
            put("negate", m.start(1), end, "(!" + line[m.start(1):end] + ")")
    m = re.match(r"\s+return (.*);\s*$", code)
    if m and re.search(r"[<>=!]=| [<>] |&&|\|\||^!", m.group(1)) and "?" not in m.group(1):
        put("return", m.start(1), m.end(1), "!(" + line[m.start(1):m.end(1)] + ")")
    whole = re.search(r"[;{}:)]\s*$|\belse\s*$", before) or not before.strip()
    if STATEMENT.match(code) and not LEAK.match(code) and whole:
        if code.count("(") == code.count(")"):
            indent = len(line) - len(line.lstrip())
            put("delete", indent, len(line.rstrip()), "(void)0;")
    return found


def bodies(code):
    """The numbers of the lines inside function bodies."""
    inside = False
    for number, line in enumerate(code):
        if line.startswith("{"):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and line.strip():
            yield number


def candidates(source, room):
    """Every line of the room that can be mutated: (file, line number, mutations)."""
    top = os.path.join(source, room)
    names = [os.path.join(folder, name) for folder, _, files in os.walk(top) for name in files if name.endswith(".c")]
    for path in sorted(os.path.relpath(name, source) for name in names):
        text = open(os.path.join(source, path), encoding="utf-8").read()
        lines, code = text.split("\n"), masked(text).split("\n")
        for number in bodies(code):
            choices = mutations(lines[number], code[number], code[number - 1])
            if choices:
                yield path, number, choices


def copy_tree(target):
    """Brings the checkout's files to `target`; files that are equal keep their times."""
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "-z"]).decode().split("\0")
    wanted = {n for n in names if n and os.path.isfile(n)}
    for folder, folders, files in os.walk(target):
        folders[:] = [f for f in folders if os.path.relpath(os.path.join(folder, f), target) != "build"]
        for file in files:
            path = os.path.join(folder, file)
            if os.path.relpath(path, target) not in wanted:
                os.remove(path)
    for name in wanted:
        to = os.path.join(target, name)
        bytes_now = open(name, "rb").read()
        if not os.path.exists(to) or open(to, "rb").read() != bytes_now:
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(name, to)
            os.utime(to)


def ran(command, source, seconds):
    """Runs a command with all that it starts, for so many seconds at most: (status or None, output)."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    process = subprocess.Popen(command, cwd=source, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Room:
    """A room with its tests, built once and unmutated; seconds[] is how long each test took."""

    def __init__(self, name, source):
        optimization, more = ROOMS[name]
        self.source = source
        self.build = "build/" + optimization[1:]
        folder = "tests/" + re.sub(r"^bot/", "", name)
        tests = []
        for place in [folder] + more:
            path = os.path.join(source, place)
            if os.path.isdir(path):
                tests += sorted(os.path.relpath(os.path.join(below, f), source) for below, _, files in os.walk(path)
                                for f in files if f.endswith("_test.c"))
            elif os.path.exists(path):
                tests.append(place)
        self.programs = [f"{self.build}/{t[:-2]}" for t in tests]
        self.command = ["make", "-s", "--no-print-directory", f"-j{os.cpu_count()}", f"BUILD={self.build}",
                        f"OPT={optimization}", "HARDEN=", "WARN=-w"]
        status, output = ran(self.command + self.programs, source, BUILD_SECONDS)
        if status != 0:
            sys.exit(f"{name}: expected a build, got\n{output[-2000:]}")
        self.seconds = {}
        for program in self.programs:
            begun = time.monotonic()
            status, output = ran([program], source, BUILD_SECONDS)
            if status != 0:
                sys.exit(f"{name}: expected {program} to pass unchanged, got\n{output[-2000:]}")
            self.seconds[program] = time.monotonic() - begun
        self.kills = dict.fromkeys(self.programs, 0)

    def judge(self, path, text):
        """The program that kills the mutant, "" if none does, None if it does not compile or is equivalent."""
        file = os.path.join(self.source, path)
        original = open(file, "rb").read()
        try:
            with open(file, "w", encoding="utf-8") as f:
                f.write(text)
            for program in sorted(self.programs, key=lambda p: (-self.kills[p], self.seconds[p])):
                if ran(self.command + [program], self.source, BUILD_SECONDS)[0] != 0:
                    return None
                status, _ = ran([program], self.source, max(LEAST_TEST_SECONDS, 5 * self.seconds[program]))
                if status != 0:
                    self.kills[program] += 1
                    return program
            mutant = self.optimized(path)
        finally:
            with open(file, "wb") as f:
                f.write(original)
        return None if mutant == self.optimized(path) else ""

    def optimized(self, path):
        """The object of a file as the compiler makes it at -O2, without debugging information."""
        program = f"build/optimized/{path[:-2]}.o"
        status, output = ran(["make", "-s", "--no-print-directory", "BUILD=build/optimized", "OPT=-O2", "HARDEN=",
                              "WARN=-w", program], self.source, BUILD_SECONDS)
        if status != 0:
            sys.exit(f"expected {path} to compile optimized, got\n{output[-2000:]}")
        with open(os.path.join(self.source, program), "rb") as f:
            return f.read()


def main():
    options = argparse.ArgumentParser(description="Samples one-line mutations and runs the tests of their rooms.")
    options.add_argument("--work", default="build/mutate")
    options.add_argument("--n", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--room", choices=sorted(ROOMS) + ["all"], default="all")
    asked = options.parse_args()
    source = os.path.abspath(os.path.join(asked.work, "src"))
    copy_tree(source)

    names = list(ROOMS) if asked.room == "all" else [asked.room]
    pool = [(name, c) for name in names for c in candidates(source, name)]
    random.seed(asked.seed)
    random.shuffle(pool)
    picked = [(name, path, number, random.choice(choices)) for name, (path, number, choices) in pool]
    rooms, killed, survived, stillborn = {}, 0, [], 0
    for name, path, number, (operator, new) in picked:
        if killed + len(survived) >= asked.n:
            break
        if name not in rooms:
            rooms[name] = Room(name, source)
        lines = open(os.path.join(source, path), encoding="utf-8").read().split("\n")
        old, lines[number] = lines[number], new
        by = rooms[name].judge(path, "\n".join(lines))
        where = f"{path}:{number + 1}: {operator}"
        if by is None:
            stillborn += 1
            continue
        if by:
            killed += 1
            print(f"killed    {where} (by {by.split('/tests/', 1)[1]})", flush=True)
        else:
            survived.append((path, where, old.strip(), new.strip()))
            print(f"SURVIVED  {where}\n        - {old.strip()}\n        + {new.strip()}", flush=True)

    judged = killed + len(survived)
    print(f"\nsurvivors by file, of {judged} mutants (seed {asked.seed}, {len(pool)} lines, {stillborn} did not "
          "compile or were equivalent):")
    for path in sorted({s[0] for s in survived}):
        print(f"    {sum(s[0] == path for s in survived):3}  {path}")
    print(f"{killed} of {judged} killed, {100 * killed // max(judged, 1)} %")


if __name__ == "__main__":
    main()
