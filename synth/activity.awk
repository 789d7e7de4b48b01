# SPDX-License-Identifier: Apache-2.0
# Counts the cycles in which each net of a VCD file changes between clock edges. Changes between two edges (simulation glitches) are
# ignored. Covers the module instances below u_netlist; prints one line "INSTANCE/PIN CHANGES" per net, then "cycles N".
$1 == "$scope" { scope[++depth] = $3; next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
    if ($3 != 1) next
    if ($5 == "clk" && clock == "") clock = $4
    path = ""
    for (i = 1; i <= depth; i++) {
        if (path != "") path = path "/"
        if (path != "" || scope[i - 1] == "u_netlist") path = path scope[i]
    }
    if (path != "") {
        name[++names] = path "/" $5
        id[names] = $4
    }
    next
}
$1 == "$enddefinitions" { body = 1; next }
!body { next }
/^#/ { instant(); next }
/^[01xz]/ { pending[substr($0, 2)] = substr($0, 1, 1) }

# Called when all changes of one instant are known. At a rising edge, the values before it are those of the cycle.
function instant(    at) {
    if (pending[clock] == 1 && value[clock] == 0) {
        cycle++
        for (at in touched) {
            if (value[at] == last[at]) continue
            if (last[at] != "" && last[at] != "x" && value[at] != "x") changes[at]++
            last[at] = value[at]
        }
        split("", touched)
    }
    for (at in pending) {
        value[at] = pending[at]
        touched[at]
    }
    split("", pending)
}

END {
    instant()
    for (i = 1; i <= names; i++) print name[i], changes[id[i]] + 0
    print "cycles", cycle + 0
}
