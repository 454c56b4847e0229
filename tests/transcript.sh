#!/bin/sh
# Prints a page with new transcripts: tests/transcript.sh BUILD PAGE
#
# A page shows a script of the terminal in a fenced block below <!-- transcript: SCRIPT -->, or the lines FROM to TO
# of what it prints below <!-- transcript: SCRIPT FROM-TO -->. Fails if a script does not play.
set -u
build=$1 page=$2
said=$(mktemp) log=$(mktemp)
trap 'rm -f "$said" "$log"' EXIT
script=$(sed -n 's/^<!-- transcript: \([^ ]*\).*/\1/p' "$page" | sort -u)
[ "$(echo "$script" | wc -w)" -eq 1 ] || { echo "$page: expected transcripts of one script, got: $script" >&2; exit 1; }
"$build/tests/terminal/script_test" "$script" >"$said" 2>"$log" || { cat "$log" >&2; echo "$script: does not play" >&2; exit 1; }
awk 'FNR == NR {said[++n] = $0; next}
    /^<!-- transcript: / {from = 1; to = n; if (split($4, part, "-") == 2) {from = part[1]; to = part[2]} next_block = 1}
    /^```/ && next_block {print; for (i = from; i <= to; i++) print said[i]; skipping = 1; next_block = 0; next}
    /^```/ {skipping = 0}
    !skipping {print}' "$said" "$page"
