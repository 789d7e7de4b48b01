# SPDX-License-Identifier: Apache-2.0
# For the tests of proofs. Source after tests/lib.bash.

# plant FILE OLD NEW: makes a fresh copy of rtl/ in $work and replaces OLD, which occurs once, in rtl/FILE. An observer is copied from tb/.
plant() {
    rm -rf "$work/rtl"
    cp -r rtl "$work"
    [ -e "rtl/$1" ] || cp "tb/$1" "$work/rtl/$1"
    [ "$(grep -cF -- "$2" "$work/rtl/$1")" -eq 1 ] || complain "$1: not once: $2"
    old=$2 new=$3 awk '{ i = index($0, ENVIRON["old"])
        if (i) $0 = substr($0, 1, i - 1) ENVIRON["new"] substr($0, i + length(ENVIRON["old"])); print }' "$work/rtl/$1" >"$work/planted"
    mv "$work/planted" "$work/rtl/$1"
}
