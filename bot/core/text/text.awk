# Makes text.def, the list of all sentences, of the English catalogue:
#
#     awk -f text.awk en.json          TEXT(DID_TAKE, "did_take", "name card", DID_TAKE)
#                                      PLURAL(DAYS, "days", "n", DAYS)       one with plural forms
#
# The last one is the sentence to use in inline mode, where no command can be typed: "expired_inline" for "expired".
# The placeholders are the arguments of the sentence in their order: the one in which English names them first, or
# that of the part `arguments`. The catalogue has each sentence on a line of its own.
function fail(at, why)
{
    print FILENAME ":" at ": " why > "/dev/stderr"
    failed = 1
    exit 1
}

# The placeholders of a sentence, in its order.
function placeholders(s,    names)
{
    names = " "
    while (match(s, /\{[a-z0-9_]+\}/)) {
        if (!index(names, " " substr(s, RSTART + 1, RLENGTH - 2) " "))
            names = names substr(s, RSTART + 1, RLENGTH - 2) " "
        s = substr(s, RSTART + RLENGTH)
    }
    return substr(names, 2, length(names) - 2)
}

# Each of these names is one of those.
function within(names, those,    n, at)
{
    for (n = split(names, at, " "); n > 0 && index(" " those " ", " " at[n] " "); n--)
        ;
    return n == 0
}

/^$/ {next}
/^ "[a-z]+": \{$/ {part = substr($1, 2, length($1) - 3); next}
/^ \}/ {part = ""; next}
part == "texts" || part == "arguments" {
    if (!match($0, /^  "[a-z][a-z0-9_]*": /))
        fail(FNR, "expected a sentence and its name on a line of their own")
    key = substr($0, 4, RLENGTH - 6)
    value = substr($0, RLENGTH + 1)
}
part == "texts" {
    keys[++n] = key
    plural[key] = value ~ /^\{/
    names[key] = placeholders(value)
}
part == "arguments" {
    sub(/^"/, "", value)
    sub(/",?$/, "", value)
    order[key] = value
    line[key] = FNR
}

END {
    if (failed)
        exit 1
    for (key in order)
        if (!within(order[key], names[key]) || !within(names[key], order[key]))
            fail(line[key], key ": expected its placeholders, (" names[key] "), got (" order[key] ")")
    for (i = 1; i <= n; i++) {
        key = keys[i]
        printf "%s(%s, \"%s\", \"%s\", %s)\n", plural[key] ? "PLURAL" : "TEXT", toupper(key), key,
            key in order ? order[key] : names[key], toupper((key "_inline") in plural ? key "_inline" : key)
    }
}
