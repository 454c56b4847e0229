#!/bin/sh
# The page in a frame of another program, through the real daemon. See frames.py.
exec python3 tests/web/frames.py "${BUILD:-build}/koikoi"
