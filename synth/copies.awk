# SPDX-License-Identifier: Apache-2.0
# Which registers are copies: in a design that registers.awk has cut and ABC has fraiged, so that outputs of one function have one driver, each register
# of its own with the next state of one that both designs have. Prints its net, and the name of that one.
$1 == ".outputs" { listed = 1 }
listed { for (i = 1; i <= NF; i++) if (sub(/^next:/, "", $i)) next_state[$i] }
$NF != "\\" { listed = 0 }
$1 == ".names" { from = NF == 3 ? $2 : ""; to = $3 }
$0 == "1 1" && from != "" { driver[to] = from }

# source(net): what drives it, through buffers
function source(net) {
    while (net in driver) net = driver[net]
    return net
}

END {
    for (at in next_state) if (at !~ /^own:/) of[source("next:" at)] = at
    for (at in next_state) if (sub(/^own:/, "", at) && source("next:own:" at) in of) print at, of[source("next:own:" at)]
}
