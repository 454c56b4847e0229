# What the checking scripts have in common: each check is counted and prints what it found. Read in with
# ". tests/verdict.sh"; $work is a folder for the script, gone at its end.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/count"

# verdict NAME: standard input is what was found; nothing is good.
verdict() {
    found=$(cat)
    if [ -z "$found" ]; then
        echo passed >>"$work/count"
        echo "  ok    $1"
    else
        echo failed >>"$work/count"
        echo "FAILED  $1"
        echo "$found" | sed 's/^/        /'
    fi
}

# The last words of a script, in cmocka's; its exit status.
counted() {
    echo "[  PASSED  ] $(grep -c passed "$work/count") test(s)."
    grep -q failed "$work/count" || exit 0
    echo "[  FAILED  ] $(grep -c failed "$work/count") test(s)"
    exit 1
}
