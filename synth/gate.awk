# SPDX-License-Identifier: Apache-2.0
# Inserts clock gates: flip-flops with a common enable, in RTLIL that is read twice, get one clock gate per 32 instead of a multiplexer
# each; groups of fewer than four keep their multiplexers. gate: the library's cell and its pins for clock, enable and gated clock
# (flow.bash, clock_gate).
BEGIN { split(gate, cell, ",") }
$1 == "module" { module = $2 }
NR == FNR {
    if ($1 == "cell") flop = $2 == "$_DFFE_PP_"
    if (flop && $1 == "connect" && $2 == "\\E") n[module, $0]++
    next
}
# each module starts with the wires of its gates
$1 == "module" {
    print
    for (at in n) {
        split(at, key, SUBSEP)
        if (key[1] != module || n[at] < 4) continue
        gates = int((n[at] + 31) / 32)
        first[at] = made
        for (i = 0; i < gates; i++) print "  wire \\gated_" made++
    }
    next
}
$1 == "cell" && $2 == "$_DFFE_PP_" { held = ""; holding = 1; enable = ""; clock = "" }
!holding { print; next }
$2 == "\\C" { clock = $3 }
$2 == "\\E" { enable = $0 }
{ held = held $0 "\n" }
$1 == "end" {
    holding = 0
    if (n[module, enable] < 4) {
        printf "%s", held
        next
    }
    k = first[module, enable] + int((seen[module, enable]++) / 32)
    if (!(k in there)) {
        there[k]
        source = enable
        sub(/.*\\E /, "", source)
        printf "  cell \\%s \\gate_%d\n    connect \\%s %s\n    connect \\%s %s\n    connect \\%s \\gated_%d\n  end\n", cell[1], k, cell[2], clock, cell[3], source, cell[4], k
    }
    sub(/\$_DFFE_PP_/, "$_DFF_P_", held)
    sub(/    connect \\E [^\n]*\n/, "", held)
    sub(/connect \\C [^\n]*/, "connect \\C \\gated_" k, held)
    printf "%s", held
}
