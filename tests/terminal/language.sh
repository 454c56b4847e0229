#!/bin/sh
# The language of the system, as a player at the terminal meets it.
set -u
. tests/verdict.sh
koikoi=${BUILD:-build}/koikoi
for v in $(env | sed -n 's/^\(KOIKOI_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done
export KOIKOI_STATE_DIR="$work/state" USER=ann

# Plays lines in a locale and prints what is answered.
say() { # say LOCALE LINE...
    locale=$1
    shift
    rm -rf "$KOIKOI_STATE_DIR"
    printf '%s\n' "$@" | LC_ALL=$locale timeout 60 "$koikoi" run 2>/dev/null
}
# Prints the answer if it lacks the words.
holds() { printf '%s\n' "$2" | grep -qF -- "$1" || printf 'not said: %s\n%s\n' "$1" "$2"; }

german=$(say de_AT.UTF-8 /start '/challenge computer standard 3' a /matches /hilfe)
holds 'Gegen den Computer' "$german" | verdict 'a person is spoken to in it'
holds 'Die Partie beginnt' "$german" | verdict 'so is the chat'
holds 'Partien' "$german" | verdict 'commands are known in English too, as on the pages'
printf '%s\n' "$german" | grep 'kenne ich nicht' | verdict 'and in its own'
holds 'Play the computer' "$(say xx_XX.UTF-8 /start)" | verdict 'without texts in it, English'
export KOIKOI_LANGUAGE=fr
holds 'partie' "$(say de_AT.UTF-8 '/challenge computer standard 3' a)" | verdict 'what the host has set comes first'
counted
