#!/bin/sh
# The page beside a Matrix room, through the real daemon. See widget.py.
exec python3 tests/web/widget.py "${BUILD:-build}/koikoi"
