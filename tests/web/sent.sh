#!/bin/sh
# Pages that are sent on, through the real daemon. See sent.py.
exec python3 tests/web/sent.py "${BUILD:-build}/koikoi"
