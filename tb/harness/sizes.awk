# SPDX-License-Identifier: Apache-2.0
# Joins points: reads `memtwin list blocks`, then lines BLOCK ends NAME=LEAST..MOST, then BLOCK PARAM=VALUE... | MACHINE. Prints one line
# per block and parameters, with its machines (for a machine of an unchanged configuration, only that configuration) and the parameters that
# are at an end of their range.
FILENAME == ARGV[1] && /^[^ ]/ { block = $1; next }
FILENAME == ARGV[1] { split($3, range, /[().]+/); least[block, $1] = range[2]; most[block, $1] = range[3]; next }
$2 == "ends" {
    for (i = 3; i <= NF; i++) { split($i, word, "="); split(word[2], range, /[.]+/); least[$1, word[1]] = range[1]; most[$1, word[1]] = range[2] }
    next
}
{
    at = index($0, " | ")
    point = substr($0, 1, at - 1)
    if (!(point in machines)) { order[++n] = point; machines[point] = "" }
    machine = config = substr($0, at + 3)
    sub(/[.].*/, "", config)
    if (machine != "" && !((point, config) in has)) machines[point] = machines[point] " " machine
    has[point, machine]
}
END {
    for (k = 1; k <= n; k++) {
        parts = split(order[k], word, " ")
        ends = ""
        for (i = 2; i <= parts; i++) {
            split(word[i], pair, "=")
            if (most[word[1], pair[1]] - least[word[1], pair[1]] > 2 && (pair[2] == least[word[1], pair[1]] || pair[2] == most[word[1], pair[1]])) ends = ends " " word[i]
        }
        print order[k] " |" machines[order[k]] " |" ends
    }
}
