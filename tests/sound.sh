#!/bin/sh
# Tells whether a store is sound: tests/sound.sh PROGRAM STATE_DIR. Every checksum of the store holds, as `koikoi doctor`
# finds it, and no match was set aside; else its findings. Run after a suite, when the daemon has ended.
found=$(env KOIKOI_STATE_DIR="$2" KOIKOI_TELEGRAM_TOKEN=1:x KOIKOI_TELEGRAM_API_ROOT=http://127.0.0.1:9 "$1" doctor 2>&1)
echo "$found" | grep -q '^  fine    it is sound: ' && ! echo "$found" | grep -q 'were set aside' && exit 0
echo "the store in $2 is not sound:"
echo "$found" | sed -n '/^store$/,/^[a-z]/p'
exit 1
