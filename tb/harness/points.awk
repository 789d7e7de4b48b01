# SPDX-License-Identifier: Apache-2.0
# Prints parameter points: awk -v block=BLOCK -v tag=TAG -f points.awk points.tags block.points   (tb/harness/blocks.bash). A malformed list is an error.
# -v at_line=1: prints FILE:LINE instead of the block.

function fail(why) {
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

# one point per alternative of the first {A,B}
function expand(shown, value, text,    at, end, list, n, i) {
    at = index(text, "{")
    if (!at) {
        gsub(/ +/, " ", text)
        sub(/ $/, "", text)
        print at_line ? FILENAME ":" FNR : block, shown, value (text == "" ? "" : " " text)
        return
    }
    end = index(text, "}")
    if (end < at) fail("a { without its }")
    n = split(substr(text, at + 1, end - at - 1), list, ",")
    for (i = 1; i <= n; i++) expand(shown, value, substr(text, 1, at - 1) list[i] substr(text, end + 1))
}

BEGIN { FS = " *[|] *" }
/^#/ || /^ *$/ { next }
FILENAME ~ /points\.tags$/ {
    meaning[$1] = $3
    known[$1] = $4
    for (i = 5; i <= NF; i++) known[$1] = known[$1] "|" $i  # blanks around a | are not part of the value
    next
}
tag && !asked++ && !(tag in known) { fail("no tag " tag " in tb/harness/points.tags") }
/^[a-z_]+:/ {
    word = $0
    sub(/:.*/, ":", word)
    if (!(word in known)) fail("unknown word " word)
    next
}
NF != 3 { fail("not NAME | TAGS | PARAMETERS") }
{
    sub(/^ +/, "", $1)
    sub(/ +$/, "", $3)
    if ($1 in line) fail("the name " $1 " is already used in line " line[$1])
    line[$1] = FNR
    if ($2 == "") fail($1 " has no tag")
    rest = $3
    gsub(/[{},]|[A-Z][A-Z_0-9]*=|-?[0-9]+/, "", rest)
    if (rest ~ /[^ ]/) fail("not PARAM=VALUE: " rest)
    n = split($2, tags, / +/)
    for (t = 1; t <= n; t++) {
        word = value = shown = tags[t]
        sub(/[=@].*/, "", word)
        if (!sub(/^[a-z_]+=/, "", value)) value = "-"
        sub(/@.*/, "", value)
        if (!sub(/.*@/, "", shown)) shown = $1
        if (!(word in known)) fail("no tag " word " in tb/harness/points.tags")
        if (value !~ "^(" known[word] ")$") fail($1 ": " tags[t] ": " (meaning[word] == "" ? "it takes no value" : "its value is " meaning[word]))
        if (word == tag) expand(shown, value, $3)
    }
}
END { exit failed }
