# SPDX-License-Identifier: Apache-2.0
# Finds copied registers. Input: a design that registers.awk has cut and ABC has fraiged, so that equal functions have one driver. A
# register without counterpart whose next state equals that of a matched register is a copy. Prints its net and the matched register's name.
$1 == ".outputs" { listed = 1 }
listed { for (i = 1; i <= NF; i++) if (sub(/^next:/, "", $i)) next_state[$i] }
$NF != "\\" { listed = 0 }
$1 == ".names" { from = NF == 3 ? $2 : ""; to = $3 }
$0 == "1 1" && from != "" { driver[to] = from }

# source(net): its driver, through buffers
function source(net) {
    while (net in driver) net = driver[net]
    return net
}

END {
    for (at in next_state) if (at !~ /^own:/) of[source("next:" at)] = at
    for (at in next_state) if (sub(/^own:/, "", at) && source("next:own:" at) in of) print at, of[source("next:own:" at)]
}
