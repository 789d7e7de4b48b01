# SPDX-License-Identifier: Apache-2.0
# Counts in a VCD file how often each net changes from one clock edge to the next. What a net does between two edges (glitches of the simulation)
# does not count. Of the module instances below u_netlist; "INSTANCE/PIN CHANGES" a line, at last "cycles N".
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

# All changes of one instant are known. At the rising edge what was there before it is the value of the cycle.
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
