"""Mutation testing: one-line changes of the code, each judged by the tests of its room, by golden chats, by all others.

    make mutate [N=50] [SEED=1] [ROOM=bot/core/step] [JOBS=1]

The sample has one line of every room, or of one with the rooms in it, and then any lines of them: the same seed gives
the same sample of the same code. A room is a folder of sources below engine, bot and adapters; its tests are those of
the folder below tests/ that mirrors it, or of the nearest above. Work happens in scratch copies (WORK/src), never in
the checkout. A mutant is killed if a test fails; one that has failed for all mutants is run on the unchanged code at the
end. It is killed, too, if a test "hangs": is not done in ten times what it takes on the unchanged code, measured right
after it. A mutant with which the program or a test cannot be built is not counted, nor is one whose optimized object
equals the original's; another takes its place.

What neither the room's tests nor golden chats killed is printed as "left", and goes through all other tests that the
file is linked into when the whole sample has been tried. The survivors are printed with their change; some of them are
equivalent, which only a reader can tell. TEST_STORE is passed on: mutants of PostgreSQL's files want a server.

The exit status is 0 if the sample was judged, whatever survived; 1 if the unchanged code does not build or a test
fails on it.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import queue
import select
import shutil
import signal
import subprocess
import sys
import time

BUILD = "build/O0"
BUILD_SECONDS = 600
TEST_SECONDS = 300        # of a test on the unchanged code
LEAST_TEST_SECONDS = 100  # of one on a mutant, and ten times what it took
FAILED = b"[  FAILED  ]"
GOLDEN = f"{BUILD}/tests/golden/golden_test"


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
LEAK = re.compile(r"\s*(\w*free|arena_close|PQclear)\(")
# -1 as a value: callers ask whether it is below 0, so -2 says the same.
BELOW_0 = re.compile(r"(?:[(,?:{]|(?<![=!<>])=|\breturn) ?-$")

# A buffer with room for one more says the same.
BUFFER = re.compile(r"^\s+(?:static |const )*(?:struct )?\w+ \w+\[$")


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
        if not BELOW_0.search(code[:m.start()]) and not BUFFER.match(code[:m.start()]):
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


def ran(command, source, seconds, failure=None):
    """Runs a command with all that it starts: (status or None, output, seconds). It ends at the word of a failure, and
    after so many seconds; time in which this process stood still as well is none of them."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    environment |= {"BUILD": BUILD, "OPT": "-O0", "LC_ALL": "C.UTF-8"}  # the engine and its tests stay optimized
    process = subprocess.Popen(command, cwd=source, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    output, waited = b"", 0
    try:
        while waited < seconds:
            begun = time.monotonic()
            if select.select([process.stdout], [], [], 1)[0]:
                more = os.read(process.stdout.fileno(), 65536)
                output = output[-65536:] + more
                if not more:
                    return process.wait(), output.decode(errors="replace"), waited
                if failure and failure in output:
                    return 1, "", waited
            waited += min(time.monotonic() - begun, 1)
        return None, "", waited
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.stdout.close()
        process.wait()


class Mutant(collections.namedtuple("Mutant", "room path number new lines where change")):
    """A line of a file with another in its place."""

    @property
    def text(self):
        return "\n".join(self.lines[:self.number] + [self.new] + self.lines[self.number + 1:]).encode()


def words_of(path):
    """The words of a name, but for those of any."""
    return set(re.split(r"[_/.-]", path)) - {"build", "O0", "tests", "test", "golden", "chat", "bot", "core", "c", "and", "a"}


class Tests:
    """All tests in a scratch copy, each built when it is first run. A test is a program or a script."""
    seconds = {}  # what a test took that passed, or its chats
    names = {}    # what is linked into a program
    kills = collections.Counter()
    doubted = set()  # those that were not done on the original either

    def __init__(self, source, jobs):
        self.source = source
        self.command = ["make", "-s", "--no-print-directory", f"-j{jobs}", "HARDEN=", "WARN=-w"]
        found = [os.path.relpath(os.path.join(folder, f), source)
                 for folder, _, files in os.walk(os.path.join(source, "tests")) for f in files
                 if f.endswith("_test.c") or (f.endswith(".sh") and folder.endswith(("tests/terminal", "tests/web")))]
        self.all = sorted(f"{BUILD}/{t[:-2]}" if t.endswith(".c") else t for t in found)
        self.chats = glob.glob("tests/golden/*/*.chat", root_dir=source)
        failed = self.build([])
        if failed is not None:
            sys.exit(f"expected a build, got\n{failed[-2000:]}")

    def build(self, tests):
        """Builds the program, or tests; the output if that fails."""
        needed = {f"{BUILD}/koikoi"} | ({f"{BUILD}/tests/terminal/script_test"} if tests else set())  # by scripts
        goals = {t for t in tests if t.startswith(BUILD)} or needed
        status, output, _ = ran(self.command + sorted(goals), self.source, BUILD_SECONDS)
        return output if status != 0 else None

    def ends(self, test, chats, limit):
        """How the test ends: "passes", "fails", or "hangs" if it is not done in so many seconds."""
        program = test.startswith(BUILD)
        command, failure = ([test, *chats], FAILED) if program else (["sh", test], None)
        status, _, seconds = ran(command, self.source, limit, failure)
        if status == 0:
            self.seconds[test, chats] = seconds
        return "passes" if status == 0 else "hangs" if status is None else "fails"

    def linked(self, test, path):
        """True if the test has the file in it; a script may have it in its daemon."""
        def names(file):
            listed = subprocess.run(["nm", "-g", "--defined-only", "-P", file], cwd=self.source, capture_output=True)
            return {line.split()[0] for line in listed.stdout.splitlines() if line}
        if test.startswith(BUILD) and test not in self.names:
            self.names[test] = names(test)
        return not test.startswith(BUILD) or bool(self.names[test] & names(f"{BUILD}/{path[:-2]}.o"))

    def near(self, room):
        """The tests of the folder that mirrors the room, or of the nearest above, and the golden chats if they see it.
        Of an adapter also the exchanges, which stand beside its folder."""
        folder = re.sub(r"^bot/", "", room)
        mine = []
        while folder and not mine:
            mine = [t for t in self.all if t.startswith((f"{BUILD}/tests/{folder}/", f"tests/{folder}/"))]
            folder = os.path.dirname(folder)
        if room.startswith("adapters/"):
            mine += [t for t in self.all if os.path.dirname(t) == f"{BUILD}/tests/adapters" and t not in mine]
        return mine + [GOLDEN] * room.startswith(("bot/core/", "bot/inbox"))

    def in_order(self, tests, path):
        """Golden chats, those whose names share words with the file, those that killed most, the quick ones."""
        words = words_of(path)
        return sorted(tests, key=lambda t: (t != GOLDEN, -len(words & words_of(t)), -self.kills[t],
                                            self.seconds.get((t, ()), 1)))

    def outcome(self, test, chats, file, original, text):
        """How the test ends on the mutant. Where it is not done, the original is run at once: the mutant hangs if that
        takes a tenth of the time at most; else both were slow, and the mutant has ten times what the original took. A
        test that does not pass on the original says nothing."""
        limit = max(LEAST_TEST_SECONDS, 10 * self.seconds.get((test, chats), 0))
        while (end := self.ends(test, chats, limit)) == "hangs":
            self.write(file, original)
            sound = self.build([test]) is None and self.ends(test, chats, TEST_SECONDS) == "passes"
            self.write(file, text)
            if not sound:
                self.doubted.add(test)
                return "passes"
            if 10 * self.seconds[test, chats] <= limit:
                return end
            limit = 10 * self.seconds[test, chats]
            if self.build([test]) is not None:
                return "is not built"
        return end

    def killer(self, tests, path, text, wide):
        """The first of the tests that fails or hangs, and how it ends; "" if there is none, None if the mutant is the
        original or none at all. Of golden chats, those whose names share words with the file are tried alone first."""
        file = os.path.join(self.source, path)
        original = open(file, "rb").read()
        self.write(file, text)
        try:
            if self.build([f"{BUILD}/{path[:-2]}.o"]) is not None or wide and self.build(tests) is not None:
                return None
            words = words_of(path)
            for test in self.in_order([t for t in tests if not wide or self.linked(t, path)], path):
                if self.build([test]) is not None:
                    return None
                near = tuple(c for c in self.chats if words & words_of(c)) if test == GOLDEN else ()
                for chats in dict.fromkeys((near, ())):
                    end = self.outcome(test, chats, file, original, text)
                    if end != "passes":
                        self.kills[test] += 1
                        return None if end == "is not built" else f"{test} {end}"
            mutant = self.optimized(path)
            self.write(file, original)
            return None if mutant == self.optimized(path) else ""
        finally:
            self.write(file, original)

    def unsound(self):
        """Those that killed mutants, or were not done, and pass on no code, the unchanged included."""
        return {t for t in self.all if (self.kills[t] and (t, ()) not in self.seconds or t in self.doubted)
                and (self.build([t]) is not None or self.ends(t, (), TEST_SECONDS) != "passes")}

    @staticmethod
    def write(file, content):
        with open(file, "wb") as f:
            f.write(content)

    def optimized(self, path):
        """The object of a file as the compiler makes it at -O2, without debugging information."""
        program = f"build/optimized/{path[:-2]}.o"
        status, output, _ = ran(["make", "-s", "--no-print-directory", "BUILD=build/optimized", "OPT=-O2", "HARDEN=",
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
    options.add_argument("--jobs", type=int, default=1, help="mutants at once, each in a copy")
    options.add_argument("--room", default="")
    options.add_argument("--rooms", action="store_true", help="prints the rooms that are drawn from, and ends")
    asked = options.parse_args()
    if asked.rooms:
        print(*rooms("."), sep="\n")
        return

    def source(number):
        return os.path.abspath(os.path.join(asked.work, f"src{number or ''}"))
    for number in range(asked.jobs):
        copy_tree(source(number))

    top = asked.room.rstrip("/") + "/" if asked.room not in ("", "all") else ""
    pool = [(room, c) for room in rooms(source(0)) if (room + "/").startswith(top)
            for c in candidates(source(0), room)]
    if not pool:
        sys.exit(f"expected a room, got {asked.room}")
    random.seed(asked.seed)
    random.shuffle(pool)
    lines = {}
    picked = []
    for room, (path, number, choices) in pool:
        operator, new = random.choice(choices)
        if path not in lines:
            lines[path] = open(os.path.join(source(0), path), encoding="utf-8").read().split("\n")
        picked.append(Mutant(room, path, number, new, lines[path], f"{path}:{number + 1}: {operator}",
                             f"\n        - {lines[path][number].strip()}\n        + {new.strip()}"))
    killed, left, stillborn = 0, [], 0
    copies = queue.SimpleQueue()
    for number in range(asked.jobs):
        copies.put(Tests(source(number), -(-os.cpu_count() // asked.jobs)))

    def judged(mutant, near):
        tests = copies.get()
        try:
            first = tests.near(mutant.room)
            by = tests.killer(first if near else [t for t in tests.all if t not in first], mutant.path, mutant.text,
                              not near)
            if by is not None:
                print(f"killed    {mutant.where} ({by})" if by else
                      f"{'left' if near else 'SURVIVED':9} {mutant.where}{mutant.change}", flush=True)
            return by
        finally:
            copies.put(tests)

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as threads:
        def judge(mutants, near):
            return zip(mutants, threads.map(lambda mutant: judged(mutant, near), mutants))

        lacking = dict.fromkeys(m.room for m in picked)  # rooms without a mutant so far; then any of them
        while killed + len(left) < asked.n and picked:
            firsts = {m.room: m for m in reversed(picked) if m.room in lacking}.values()
            batch = list(firsts or picked)[:asked.n - killed - len(left)]
            taken = set(map(id, batch))
            picked = [m for m in picked if id(m) not in taken]
            for mutant, by in judge(batch, True):
                stillborn += by is None
                killed += bool(by)
                left += [mutant] if by == "" else []
                if by is not None or all(m.room != mutant.room for m in picked):
                    lacking.pop(mutant.room, None)
        survived = [mutant for mutant, by in judge(left, False) if not by]
        killed += len(left) - len(survived)

    total = killed + len(survived)
    print(f"\nsurvivors by file, of {total} mutants (seed {asked.seed}, {len(pool)} lines, {stillborn} did not "
          "compile or were equivalent):")
    for path in sorted({m.path for m in survived}):
        print(f"    {sum(m.path == path for m in survived):3}  {path}")
    print(f"{killed} of {total} killed, {100 * killed // max(total, 1)} %")
    unsound = copies.get().unsound()
    for test in sorted(unsound):
        print(f"expected {test} to pass unchanged: what it killed says nothing")
    sys.exit(bool(unsound))


if __name__ == "__main__":
    main()
