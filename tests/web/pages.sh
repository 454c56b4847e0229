#!/bin/sh
# Tables in a browser, through the real daemon: matches, forged presses, streams, kills. See pages.py.
exec python3 tests/web/pages.py "${BUILD:-build}/koikoi"
