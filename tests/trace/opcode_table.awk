# SPDX-License-Identifier: Apache-2.0
# Prints the table of opcodes in docs/use/traces.md from sim/trace/opcode.def.
/^OPCODE_CLASS\(/ {
    class[++n] = substr($1, 14, length($1) - 14)
    match($0, /".*"/)
    model[n] = substr($0, RSTART + 1, RLENGTH - 2)
}
/^OPCODE\(/ {
    for (line = $0; match(line, /OPCODE\([A-Z0-9_]+, [A-Z0-9_]+\)/); line = substr(line, RSTART + RLENGTH)) {
        split(substr(line, RSTART + 7, RLENGTH - 8), pair, ", ")
        words[pair[2]] = words[pair[2]] " `" pair[1] "`"
        count[pair[2]]++
    }
}
END {
    print "| opcode | model |"
    print "|---|---|"
    for (i = 1; i <= n; i++)
        print "| " (class[i] == "PLAIN" ? count["PLAIN"] " more in `sim/trace/opcode.def`" : substr(words[class[i]], 2)) " | " model[i] " |"
    print "| all others | arithmetic, or an access if the line has addresses, with a warning |"
}
