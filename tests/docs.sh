#!/bin/sh
# What the pages promise holds: tests/docs.sh BUILD
#
#   - every room has its README.md, and links between pages lead somewhere
#   - every `make X` and `koikoi X` that a page names exists, and every KOIKOI_ variable
#   - config/koikoi.conf is what the program's own tables say
#   - the transcript in README.md is one: the script beside it says the same, word for word
#   - the schemas of config/formats agree with the program (formats.py)
set -u
build=${1:-build}
koikoi=$build/koikoi
. tests/verdict.sh

pages=$(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort)
# Folders that the page of the room above them describes.
mirror='^(tests/(engine|base|core|shell|adapters|fake|networks|bench|fuzz)(/.*)?|tests/golden/.*|config/.*)$'

find engine bot adapters config tests docker -type f -not -name '.*' | sed 's,/[^/]*$,,' | sort -u |
    grep -vE "$mirror" | while read -r room; do
        [ -f "$room/README.md" ] || echo "$room has no README.md"
    done | verdict "every room has its page"

for page in $pages; do
    folder=$(dirname "$page")
    grep -oE '\]\([^)#]+[^)]*\)' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -vE '^(https?|mailto):' | while read -r link; do
        [ -z "$link" ] || [ -e "$folder/$link" ] || echo "$page: $link is not there"
    done
done | verdict "links lead somewhere"

# shellcheck disable=SC2086
cat $pages | grep -oE '\bmake [a-z][a-z-]*\b' | sort -u | while read -r _ goal; do
    case $goal in it | a | the | sure | no | them | up | an | your | one) continue ;; esac
    grep -qE "^($goal|[a-zA-Z \$()-]* $goal|$goal [a-z -]*):|^\.PHONY:.* $goal( |\$)" Makefile || echo "make $goal: there is no such goal"
done | verdict "every make goal exists"

# shellcheck disable=SC2086
cat $pages | grep -oE '`(build/)?koikoi [a-z]+|^ *(build/)?koikoi [a-z]+|\| (build/)?koikoi [a-z]+' | sed 's/.*koikoi //' | sort -u | while read -r command; do
    "$koikoi" help | grep -q "^  koikoi $command\b" || echo "koikoi $command: there is no such command"
done | verdict "every command exists"

"$koikoi" options >"$work/options" 2>&1
# shellcheck disable=SC2086
cat $pages docker/* 2>/dev/null | grep -oE 'KOIKOI_[A-Z_]+' | sed 's/_FILE$//; /_$/d' | sort -u | grep -vxE 'KOIKOI_(CONFIG|SECTION_KEY|KEY|VERSION)' | while read -r name; do
    awk '/^\[/ {section = substr($0, 2, length($0) - 2) "_"} /^#?[a-z_]+ *=/ {sub(/^#/, ""); sub(/ *=.*/, ""); print toupper("koikoi_" section $0)}' \
        "$work/options" | grep -qx "$name" || echo "$name: there is no such option"
done | verdict "every variable exists"

diff "$work/options" config/koikoi.conf 2>&1 | verdict "koikoi.conf lists every option (koikoi options > config/koikoi.conf)"

# README.md: <!-- transcript: FILE --> and a fenced block that FILE's script really says.
awk '/<!-- transcript: / {file = $3} /^```/ && file {if (inside) {exit} inside = 1; next} inside {print}
     END {print file > "/dev/stderr"}' README.md >"$work/told" 2>"$work/file"
script=$(cat "$work/file")
{
    if [ -z "$script" ]; then
        echo "README.md shows no transcript"
    else
        "$koikoi" run --script "$script" >"$work/said" || echo "$script: does not play"
        diff "$work/told" "$work/said"
    fi
} | verdict "the transcript of README.md is real"

/usr/bin/python3 tests/formats.py "$koikoi" >"$work/formats" 2>&1 || echo failed >>"$work/count"
cat "$work/formats"
grep '^  ok ' "$work/formats" | sed 's/.*/passed/' >>"$work/count"

counted
