# SPDX-License-Identifier: Apache-2.0
# Prints runs of lines that were not executed as holes with their text: hole BLOCK FILE FIRST-LAST line TEXT. TEXT: the last executed line
# before, " => ", the first line of the run.
BEGIN { FS = OFS = "\t" }
function text(file, line,    l, n) {
    if (!(file in read)) {
        while ((getline l < file) > 0) lines[file, ++n] = l
        close(file)
        read[file] = 1
    }
    l = lines[file, line]
    gsub(/^[ \t]+|[ \t]+$/, "", l)
    return l
}
$1 == "file" { print }
$1 == "run" { print "hole", $2, $3, $4 ($5 > $4 ? "-" $5 : ""), "line", text($3, $6) " => " text($3, $4) }
