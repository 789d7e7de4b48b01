# SPDX-License-Identifier: Apache-2.0
# Inverse of synth/gate.awk, for proofs: in flat RTLIL that is read twice, a flip-flop behind a clock gate gets the gate's clock and enable.
# gate: the library's cell and its pins for clock, enable and gated clock (flow.bash, clock_gate). A gated clock at any other pin, or an
# unconnected pin of a gate, is an error.
BEGIN { split(gate, cell, ",") }
FNR == 1 { is_gate = is_flop = in_cell = 0 }
$1 == "cell" {
    is_gate = $2 == "\\" cell[1]
    is_flop = $2 == "$_DFF_P_"
    in_cell = 1
}
$1 == "connect" {
    net = $0
    sub(/^ *connect [^ ]+ /, "", net)
}
# clock gates
is_gate && NR == FNR && $1 == "cell" { split("", at) }
is_gate && NR == FNR && $1 == "connect" { at[$2] = net }
is_gate && NR == FNR && $1 == "end" {
    is_gate = 0
    for (i = 2; i <= 4; i++) if (at["\\" cell[i]] ~ /^$|^[{] *[}]$|'[01]*[xz]/) {
        print "ERROR: a clock gate has an unconnected pin " cell[i] > "/dev/stderr"
        exit 1
    }
    clock[at["\\" cell[4]]] = at["\\" cell[2]]
    enable[at["\\" cell[4]]] = at["\\" cell[3]]
}
NR == FNR { next }
$1 == "attribute" { # attribute of the next object
    attributes = attributes $0 "\n"
    next
}
is_gate {
    attributes = ""
    if ($1 == "end") is_gate = in_cell = 0
    next
}
# flip-flops; all their lines follow immediately
is_flop && $1 == "cell" {
    head = attributes $0
    attributes = ""
    next
}
is_flop && $1 == "connect" && $2 == "\\C" && net in enable {
    sub(/\$_DFF_P_/, "$_DFFE_PP_", head)
    held = held "    connect \\C " clock[net] "\n    connect \\E " enable[net] "\n"
    next
}
in_cell && $1 == "connect" && net in enable {
    print "ERROR: a gated clock drives a pin " substr($2, 2) > "/dev/stderr"
    exit 1
}
is_flop {
    held = held $0 "\n"
    if ($1 == "end") {
        printf "%s\n%s", head, held
        held = ""
        is_flop = in_cell = 0
    }
    next
}
{
    if ($1 == "end") in_cell = 0
    printf "%s%s\n", attributes, $0
    attributes = ""
}
