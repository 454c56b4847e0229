#!/bin/sh
# The ladder as a plot: a line a version with its fair percentage of matches won against the plain player, `o`, between
# the ends of its 95 % interval; the scale goes from 40 to 80 %. `make ladder` prints it.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",]*\)\"\{0,1\}[,}].*/\1/p"; }
while read -r line; do
    printf '%s\t%s\t%s\t%s\n' "$(echo "$line" | field version)" "$(echo "$line" | field fair_percent)" \
        "$(echo "$line" | field fair_interval)" "$(echo "$line" | field fair_points_a_match)"
done <"${1:-tests/bench/ladder.jsonl}" | awk -F '\t' '{
    plot = ""
    for (p = 40; p <= 80; p += 0.5)
        plot = plot (p - $2 < 0.25 && $2 - p <= 0.25 ? "o" : p > $2 - $3 && p < $2 + $3 ? "-" : p == 50 ? "|" : " ")
    printf "%-20s %s %.1f %% +-%.1f, %+.1f points a match\n", $1, plot, $2, $3, $4
}'
