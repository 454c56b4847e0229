"""Tells stories, each a function, and counts them: tell(PROGRAM, with one daemon, alone)."""
import sys
import traceback

from browser import Daemon


def tell(program, together, alone):
    passed, failed = 0, 0
    daemon = Daemon(program)
    wanted = sys.argv[2:]
    ends = [Daemon.stop]
    for story in together + alone + ends:
        if wanted and story not in ends and story.__name__ not in wanted:
            continue
        try:
            story() if story in alone else story(daemon)
            passed += 1
        except Exception:
            traceback.print_exc()
            print("failed: " + story.__name__)
            failed += 1
    print("[  PASSED  ] %d test(s)." % passed)
    if failed:
        print("[  FAILED  ] %d test(s)" % failed)
    sys.exit(failed > 0)
