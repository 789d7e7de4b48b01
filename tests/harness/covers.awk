# SPDX-License-Identifier: Apache-2.0
# Checks that the lint points cover the parameters. Reads `memtwin list blocks`, then lines BLOCK ends NAME=LEAST..MOST, then BLOCK point
# NAME=VALUE... Prints each end of a parameter range, and each pair of values of two options (parameters with two or three values), that no
# point has.
FILENAME == ARGV[1] && /^[^ ]/ { block = $1; blocks[block]; next }
FILENAME == ARGV[1] {
    split($3, range, /[().]+/)
    at = ++n[block]
    name[block, at] = $1; def[block, $1] = $2; least[block, $1] = range[2]; most[block, $1] = range[3]
    next
}
$2 == "ends" {
    for (i = 3; i <= NF; i++) { split($i, word, "="); split(word[2], range, /[.]+/); least[$1, word[1]] = range[1]; most[$1, word[1]] = range[2] }
    next
}
{
    split("", value)
    for (i = 1; i <= n[$1]; i++) value[name[$1, i]] = def[$1, name[$1, i]]
    for (i = 3; i <= NF; i++) {
        split($i, word, "=")
        if (!(word[1] in value)) { print $1 ": no parameter " word[1]; next }
        value[word[1]] = word[2]
    }
    for (i = 1; i <= n[$1]; i++) {
        a = name[$1, i]
        seen[$1, a, value[a]]
        for (j = 1; j < i; j++) { b = name[$1, j]; pair[$1, a, value[a], b, value[b]] }
    }
}
function option(block, p) { return most[block, p] - least[block, p] <= 2 }
END {
    for (block in blocks) for (i = 1; i <= n[block]; i++) {
        a = name[block, i]
        if (!((block, a, least[block, a]) in seen)) print block ": no point with " a "=" least[block, a]
        if (!((block, a, most[block, a]) in seen)) print block ": no point with " a "=" most[block, a]
        for (j = 1; j < i; j++) {
            b = name[block, j]
            if (!option(block, a) || !option(block, b)) continue
            for (x = least[block, a]; x <= most[block, a]; x++) for (y = least[block, b]; y <= most[block, b]; y++)
                if (!((block, a, x, b, y) in pair)) print block ": no point with " a "=" x " " b "=" y
        }
    }
}
