# SPDX-License-Identifier: Apache-2.0
# Cuts the registers of two designs in BLIF, so that the logic between them can be proven equal: each register's output becomes an input and
# its next state an output, with the same name in both. Two registers match if a net at their outputs has the same name in both designs. All
# must be clocked by the rising edge of clk.
#   awk -v gold=FILE -v gate=FILE [-v copies=FILE] -f synth/registers.awk FIRST.blif SECOND.blif     prints the number of registers
# A register without a counterpart is an error. If all such registers are in the second design, gate is still written, for synth/copies.awk.
# Each line of the file copies replaces such a register's output by another register's: its net, and the name of the other register.
BEGIN { while (copies != "" && (getline < copies) > 0) original[$1] = $2 }
FNR == 1 { design++ }
{ line[design, ++lines[design]] = $0 }
$1 == ".latch" {
    output[design, ++registers[design]] = $3
    next_state[design, registers[design]] = $2
    if ($4 != "re" || $5 != "clk") { print "not clocked by the rising edge of clk: " $3 > "/dev/stderr"; exit failed = 2 }
}
$1 == ".names" && NF == 3 { from = $2; to = $3 }
$1 == ".names" && NF != 3 { from = "" }
# a net with an alias
$0 == "1 1" && from != "" {
    other[design, from] = other[design, from] " " to
    other[design, to] = other[design, to] " " from
}

# names(design, net): all names of a net, each marked with the register's number
function mark(d, net, register,    all, n, i, at, todo, head, tail) {
    todo[head = tail = 1] = net
    while (head <= tail) {
        at = todo[head++]
        if ((d, at) in of) continue
        of[d, at] = register
        n = split(other[d, at], all, " ")
        for (i = 1; i <= n; i++) todo[++tail] = all[i]
    }
}

function put(d, file,    i, k, fields) {
    for (i = 1; i <= lines[d]; i++) {
        split(line[d, i], fields, " ")
        if (fields[1] == ".latch") continue
        if (fields[1] == ".end") {
            for (k = 1; k <= registers[d]; k++) {
                print ".names register:" name[d, k], output[d, k] > file
                print "1 1" > file
                if ((d, k) in copy) continue
                print ".names", next_state[d, k], "next:" name[d, k] > file
                print "1 1" > file
            }
        }
        if (fields[1] == ".inputs") for (k = 1; k <= registers[d]; k++) if (!((d, k) in copy)) line[d, i] = line[d, i] " register:" name[d, k]
        if (fields[1] == ".outputs") for (k = 1; k <= registers[d]; k++) if (!((d, k) in copy)) line[d, i] = line[d, i] " next:" name[d, k]
        print line[d, i] > file
    }
}

END {
    if (failed) exit failed
    for (d = 1; d <= 2; d++) for (k = 1; k <= registers[d]; k++) mark(d, output[d, k], k)
    for (at in of) {
        split(at, key, SUBSEP)
        if (key[1] == 1 && (2, key[2]) in of) {
            a = of[at]
            b = of[2, key[2]]
            if (!((1, a) in name) && !((2, b) in name)) {
                name[1, a] = name[2, b] = key[2]
                common[key[2]]
            }
        }
    }
    for (d = 1; d <= 2; d++) for (k = 1; k <= registers[d]; k++) if (!((d, k) in name)) {
        if (d == 2 && output[d, k] in original && original[output[d, k]] in common) {
            name[d, k] = original[output[d, k]]
            copy[d, k]
            continue
        }
        print (d == 1 ? "the RTL" : "the netlist") " has a register of its own: " output[d, k] > "/dev/stderr"
        name[d, k] = "own:" output[d, k]
        alone[d]++
    }
    if (!alone[1]) put(2, gate)
    if (alone[1] + alone[2]) exit 1
    put(1, gold)
    print registers[1] + 0
}
