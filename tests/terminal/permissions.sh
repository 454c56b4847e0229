#!/bin/sh
# A store that whoever runs the program may not read or write: one sentence that names it and the reason. Root may
# do all, so it plays somebody else.
set -u
. tests/verdict.sh
for v in $(env | sed -n 's/^\(KOIKOI_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done
cp "${BUILD:-build}/koikoi" "$work/koikoi"
chmod 755 "$work"
mkdir "$work/state"
export KOIKOI_STATE_DIR="$work/state" HOME="$work" USER=ann
store=$work/state/koikoi.db
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$work/state"
    someone() { setpriv --reuid=65534 --regid=65534 --clear-groups "$work/koikoi" "$@"; }
else
    someone() { "$work/koikoi" "$@"; }
fi

# says WORDS COMMAND...: fails, and its last line holds WORDS.
says() {
    words=$1
    shift
    if someone "$@" </dev/null >"$work/said" 2>&1; then echo "$* went well"; fi
    tail -n 1 "$work/said" | grep -qF -- "$words" || cat "$work/said"
}

echo /ping | someone run --adapter terminal >"$work/said" 2>&1 || cat "$work/said" | verdict "a store begins"
chmod 0 "$store"
says "$store: unable to open database file: Permission denied" matches | verdict "a store that cannot be read, by a command"
says "$store: cannot be opened: Permission denied" run --adapter terminal | verdict "the same by the daemon"
chmod 600 "$store"
chmod 555 "$work/state"
for command in 'run --adapter terminal' matches recount; do
    # shellcheck disable=SC2086
    says "must be allowed to write $store, its folder" $command | verdict "a folder that cannot be written: $command"
done
chmod 755 "$work/state"
someone matches 2>&1 | grep -vxF -e "store: $store" -e 'running matches: 0' | verdict "all is well once it can"
counted
