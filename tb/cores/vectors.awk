# SPDX-License-Identifier: Apache-2.0
# Prints the vectors of a vector file without the observed ports, which are its last outputs: awk -f vectors.awk FILE.vec

# low HEX BITS: the lowest bits of a number
function low(hex, bits,    n, digit) {
    n = int((bits + 3) / 4)
    hex = substr(hex, length(hex) - n + 1)
    digit = index("0123456789abcdef", substr(hex, 1, 1)) - 1
    return bits % 4 ? sprintf("%x", digit % 2 ^ (bits % 4)) substr(hex, 2) : hex
}

!data && $1 == "port" && $2 == "OUT" {
    if (hidden) { print FILENAME ": an output follows the observed ports" >"/dev/stderr"; exit 1 }
    width += $4
    n++
}
!data && $1 == "port" && $2 == "OBS" {
    hidden = 1
}
$1 == "end" { print; exit }
data { print $1, $2, low($3, width), low($4, n) }
$1 == "data" { data = 1 }
