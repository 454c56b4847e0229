#!/bin/sh
# Pages behind links that may be passed on, through the real daemon. See links.py.
exec python3 tests/web/links.py "${BUILD:-build}/koikoi"
