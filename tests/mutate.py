"""Mutation testing: one-line changes of the code, each judged by all tests, those of its room first.

    make mutate [N=50] [SEED=1] [ROOM=bot/core/step]

The sample is drawn over the lines of all rooms, or of one with the rooms in it: the same seed gives the same sample of
the same code. A room is a folder of sources below engine, bot and adapters; its tests are those of the folder below
tests/ that mirrors it, or of the nearest above. Work happens in a scratch copy (WORK/src), never in the checkout. A
mutant is killed if a test fails or does not end in time. A mutant that does not compile is not counted, nor is one
whose optimized object equals the original's; another takes its place. The survivors are printed with their change;
some more of them are equivalent, which only a reader can tell.

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

BUILD = "build/O0"
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


def rooms(source):
    """Every folder of sources."""
    return sorted({os.path.relpath(folder, source) for top in ("engine", "bot", "adapters")
                   for folder, _, files in os.walk(os.path.join(source, top)) if any(f.endswith(".c") for f in files)})


def candidates(source, room):
    """Every line of the room that can be mutated: (file, line number, mutations)."""
    names = [os.path.join(room, name) for name in os.listdir(os.path.join(source, room)) if name.endswith(".c")]
    for path in sorted(names):
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
    environment |= {"BUILD": BUILD, "OPT": "-O0", "LC_ALL": "C.UTF-8"}  # the engine and its tests stay optimized
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


class Tests:
    """All tests, built once and unmutated. A test is a program or a script of the terminal."""

    def __init__(self, source):
        self.source = source
        self.command = ["make", "-s", "--no-print-directory", f"-j{os.cpu_count()}", "HARDEN=", "WARN=-w"]
        found = [os.path.relpath(os.path.join(folder, f), source)
                 for folder, _, files in os.walk(os.path.join(source, "tests")) for f in files
                 if f.endswith("_test.c") or (f.endswith(".sh") and folder.endswith("tests/terminal"))]
        self.all = sorted(f"{BUILD}/{t[:-2]}" if t.endswith(".c") else t for t in found)
        failed = self.build(self.all)
        if failed is not None:
            sys.exit(f"expected a build, got\n{failed[-2000:]}")
        self.seconds = {}
        self.kills = dict.fromkeys(self.all, 0)

    def build(self, tests):
        """Builds the program, or tests; the output if that fails."""
        goals = {t if t.startswith(BUILD) else f"{BUILD}/koikoi" for t in tests} or {f"{BUILD}/koikoi"}
        status, output = ran(self.command + sorted(goals), self.source, BUILD_SECONDS)
        return output if status != 0 else None

    def passes(self, test, seconds):
        return ran([test] if test.startswith(BUILD) else ["sh", test], self.source, seconds)[0] == 0

    def time(self, test):
        """How long it takes unmutated."""
        if test not in self.seconds:
            begun = time.monotonic()
            if self.build([test]) is not None or not self.passes(test, BUILD_SECONDS):
                sys.exit(f"expected {test} to pass unchanged")
            self.seconds[test] = time.monotonic() - begun
        return self.seconds[test]

    def of_room(self, room):
        """The tests of the folder that mirrors the room, or of the nearest above."""
        folder = re.sub(r"^bot/", "", room)
        while folder:
            mine = [t for t in self.all if t.startswith(f"{BUILD}/tests/{folder}/")]
            if mine:
                return mine
            folder = os.path.dirname(folder)
        return []

    def judge(self, room, path, text):
        """The test that kills the mutant, "" if none does, None if it does not compile or is equivalent."""
        mine = self.of_room(room)
        for test in mine:
            self.time(test)
        file = os.path.join(self.source, path)
        original = open(file, "rb").read()
        try:
            self.write(file, text.encode())
            if self.build([]) is not None:
                return None
            mutant = self.optimized(path)
            self.write(file, original)
            if mutant == self.optimized(path):
                return None
            self.write(file, text.encode())
            killer = self.killer(mine)
        finally:
            self.write(file, original)
        if killer:
            return killer
        rest = [t for t in self.all if t not in mine]
        for test in rest:
            self.time(test)
        try:
            self.write(file, text.encode())
            return self.killer(rest)
        finally:
            self.write(file, original)

    def killer(self, tests):
        """The first test that fails; "" if all pass. Golden chats go first, then those that have killed most."""
        for test in sorted(tests, key=lambda t: ("/golden/" not in t, -self.kills[t], self.seconds[t])):
            self.build([test])
            if not self.passes(test, max(LEAST_TEST_SECONDS, 5 * self.seconds[test])):
                self.kills[test] += 1
                return test
        return ""

    @staticmethod
    def write(file, content):
        with open(file, "wb") as f:
            f.write(content)

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
    options = argparse.ArgumentParser(description="Samples one-line mutations and runs the tests over them.")
    options.add_argument("--work", default="build/mutate")
    options.add_argument("--n", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--room", default="")
    options.add_argument("--rooms", action="store_true", help="prints the rooms that are drawn from, and ends")
    asked = options.parse_args()
    if asked.rooms:
        print(*rooms("."), sep="\n")
        return
    source = os.path.abspath(os.path.join(asked.work, "src"))
    copy_tree(source)

    top = asked.room.rstrip("/") + "/" if asked.room not in ("", "all") else ""
    pool = [(room, c) for room in rooms(source) if (room + "/").startswith(top) for c in candidates(source, room)]
    if not pool:
        sys.exit(f"expected a room, got {asked.room}")
    random.seed(asked.seed)
    random.shuffle(pool)
    picked = [(room, path, number, random.choice(choices)) for room, (path, number, choices) in pool]
    tests, killed, survived, stillborn = Tests(source), 0, [], 0
    for room, path, number, (operator, new) in picked:
        if killed + len(survived) >= asked.n:
            break
        lines = open(os.path.join(source, path), encoding="utf-8").read().split("\n")
        old, lines[number] = lines[number], new
        by = tests.judge(room, path, "\n".join(lines))
        where = f"{path}:{number + 1}: {operator}"
        if by is None:
            stillborn += 1
            continue
        if by:
            killed += 1
            print(f"killed    {where} (by {by.split('tests/', 1)[1]})", flush=True)
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
