# SPDX-License-Identifier: Apache-2.0
# For the tests of proofs. Sourced behind tests/lib.bash.

# plant FILE OLD NEW: a fresh copy of rtl/ in $work with OLD, which is there once, replaced in rtl/FILE
plant() {
    rm -rf "$work/rtl"
    cp -r rtl "$work"
    [ "$(grep -cF -- "$2" "$work/rtl/$1")" -eq 1 ] || complain "$1: not once: $2"
    old=$2 new=$3 awk '{ i = index($0, ENVIRON["old"])
        if (i) $0 = substr($0, 1, i - 1) ENVIRON["new"] substr($0, i + length(ENVIRON["old"])); print }' "rtl/$1" >"$work/rtl/$1"
}
