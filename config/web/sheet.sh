#!/bin/sh
# Sheet of a deck for the page, one <symbol> a card, named by its code: sheet.sh config/decks/hanafuda > hanafuda.svg
#
# The portraits of the computer's characters are in it, too, named by their keys: a table shows some at once. With
# "cards" behind the deck they are left out.
#
# Cards use the same ids inside, so each gets its card's code in front: "frame" of 1b.svg becomes "1b-frame". Titles go,
# since the names of cards come with the table in the reader's language; so do line breaks and indentation.
set -eu
awk '
function prefixed(s, opening,    done, end)
{
    done = ""
    while (index(s, opening) > 0) {
        end = index(s, opening) + length(opening)
        done = done substr(s, 1, end - 1) code "-"
        s = substr(s, end)
    }
    return done s
}

BEGIN { printf "<svg xmlns=\"http://www.w3.org/2000/svg\">" }

FNR == 1 {
    code = FILENAME
    sub(/.*\//, "", code)
    sub(/\.svg$/, "", code)
    inside = 0
}

{
    gsub(/^[ \t]+|[ \t\r]+$/, "")
    if (!inside && match($0, /viewBox="[^"]*"/)) {
        printf "<symbol id=\"%s\" %s>", code, substr($0, RSTART, RLENGTH)
        sub(/^.*<svg[^>]*>/, "")
        inside = 1
    }
    sub(/<title>.*<\/title>/, "")
    sub(/<\/svg>/, "</symbol>")
    if (inside && $0 != "")
        printf "%s%s", prefixed(prefixed(prefixed($0, " id=\""), "href=\"#"), "url(#"), /[^>]$/ ? " " : ""
}

END { print "</svg>" }' "$1"/*.svg $([ -n "${2:-}" ] || ls config/art/*.svg | grep -v koikoi)
