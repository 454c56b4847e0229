# Counter of checks for scripts, read in with ". tests/verdict.sh". $work is a temporary folder for the
# script, removed at its end.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/count"

# verdict NAME: counts a check as passed if standard input, its findings, is empty; prints them otherwise.
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

# Prints the counts as cmocka does and exits with the status of the script.
counted() {
    echo "[  PASSED  ] $(grep -c passed "$work/count") test(s)."
    grep -q failed "$work/count" || exit 0
    echo "[  FAILED  ] $(grep -c failed "$work/count") test(s)"
    exit 1
}
