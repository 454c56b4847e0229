#!/bin/sh
# Hardening of the program, read from the binary: BUILD=build sh tests/hardened.sh
set -u
program=${BUILD:-build}/koikoi
. tests/verdict.sh
export LC_ALL=C

readelf -hldW "$program" >"$work/elf" || exit 1
readelf -sW "$program" >"$work/symbols" || exit 1
# has FILE PATTERN: prints an error if the pattern is missing.
has() { grep -qE "$2" "$work/$1" || echo "$program: expected $2 in $1, got none"; }

has elf 'Type: +DYN .*(Position-Independent|Shared)' | verdict "the program is position-independent"
has elf 'Flags: .*PIE' | verdict "the program is linked as PIE"
{ has elf 'GNU_RELRO' && has elf '(BIND_NOW|Flags: .*NOW)'; } | verdict "relocations are read-only (full RELRO)"
has elf 'GNU_STACK .* RW  ' | verdict "the stack is not executable"
has symbols '__stack_chk_fail' | verdict "functions with buffers check the stack"
has symbols '__(mem|str|sn|vsn|f|v|read|recv|poll)[a-z]*_chk' | verdict "calls with buffers are fortified"
if [ "$(uname -m)" = x86_64 ] && [ -n "$(readelf -nW "$program" | grep 'Properties')" ]; then
    readelf -nW "$program" >"$work/notes"
    objdump -d --no-show-raw-insn "$program" 2>/dev/null | grep -c endbr64 >"$work/marks"
    [ "$(cat "$work/marks")" -gt 100 ] || echo "$program: expected endbr64 at branch targets, got $(cat "$work/marks")"
fi | verdict "indirect branches land on marks (CET)"
counted
