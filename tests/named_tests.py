#!/usr/bin/env python3
"""Checks that the tests which pages name exist: tests/named_tests.py PAGE...

Of a table with a column "story" each name in backquotes is the title of an exchange, a golden chat, a test in C, Rust or
JavaScript, or a story_NAME of a script; "NAME..." stands for those that begin so, blanks for underscores. Whatever stands in backquotes as a path below tests/ is there; * and {a,b} may stand for several. Prints what
is not."""
import glob
import os
import re
import sys

TITLE = re.compile(r"^== (.*?)(?: \([^()]*\))?$", re.M)
FUNCTION = re.compile(r"\b(?:[A-Z_]*TEST[A-Z_]*\(|fn )([a-z0-9_]+)|^static void ([a-z0-9_]+)\(void \*\*state\)|^story_([a-z0-9_]+)\(", re.M)
MEMBER = re.compile(r"^ *(?:async )?(?:function )?([a-z0-9_]+)(?:\(|: \()", re.M)


def plain(name):
    return name.replace("_", " ")


def names():
    found = set()
    for root in ("tests", "adapters"):
        for folder, _, files in os.walk(root):
            for name in files:
                found.add(plain(name.split(".")[0]))
                if not name.endswith((".exchange", ".c", ".rs", ".sh", ".mjs")):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                    text = f.read()
                if name.endswith(".exchange"):
                    found.update(TITLE.findall(text))
                elif name.endswith(".mjs"):
                    found.update(plain(word) for word in MEMBER.findall(text))
                else:
                    found.update(plain(word) for words in FUNCTION.findall(text) for word in words if word)
    return found


def stories(lines):
    """The cells of columns headed "story"."""
    column = None
    for i, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            column = None
        elif i == 0 or not lines[i - 1].startswith("|"):
            column = cells.index("story") if "story" in cells else None
        elif column is not None and column < len(cells):
            yield cells[column]


def expanded(path):
    part = re.search(r"\{([^{}]*)\}", path)
    if not part:
        return [path]
    return [one for word in part[1].split(",") for one in expanded(path[:part.start()] + word + path[part.end():])]


known = names()
for page in sys.argv[1:]:
    with open(page, encoding="utf-8") as f:
        text = f.read()
    for cell in stories(text.split("\n")):
        for name in re.findall(r"`([^`]+)`", cell):
            begins, whole = plain(name.removesuffix("...")), not name.endswith("...")
            if not (begins in known if whole else any(one.startswith(begins) for one in known)):
                print(f"{page}: there is no story `{name}`")
    for path in re.findall(r"`(tests/[^`\s]+)`", text):
        for one in expanded(path):
            if not re.search("[A-Z]{3}|<", one) and not glob.glob(one + "*"):
                print(f"{page}: {one} is not there")
