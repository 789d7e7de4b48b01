# SPDX-License-Identifier: Apache-2.0
# Keys of cached mutation results. Sourced by mutate.sh and report.sh, after tb/harness/blocks.bash.

# numbered small|sample|large BLOCK...: prints the points for mutation: NUMBER BLOCK PARAMETERS MUTANTS[,sample|,large], each ended by NUL;
# the points of a block are numbered from 1. Small points are those that are not large; a sample uses small points.
numbered() {
    points mutants "${@:2}" | awk -v choice="$1" '{
        block = $1; mutants = $3; ++count[block]
        if (choice == "small" ? mutants ~ /,large$/ : mutants !~ "," choice "$") next
        sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "")
        printf "%d%c%s%c%s%c%s%c", count[block], 0, block, 0, $0, 0, mutants, 0 }'
}

# verilog_of BLOCK: files that its netlist and its observer are built from; contracts are only for proofs
verilog_of() {
    local files include
    files=$(sed "s|^rtl/|$RTL/|" "$RTL/$1/$1.f"; observer "$1")
    echo "$files"
    for include in $(sed -nE 's/^ *`include "(.*)"/\1/p' $files | grep -v '_contract\.vh$' | sort -u); do
        case $include in tb/*) echo "${MEMTWIN_PROJECT:-.}/$include" ;; *) echo "$RTL"/*/"$include" ;; esac
    done
}

# point_key BLOCK PARAMETERS: key of a point's result: parameters, choice, runs, facts of the list and Verilog, but not driver and model
point_key() {
    {
        printf '%s\n' "$1" "$2" "$SEED" "$RUNS"
        facts '\(zeroed\|legal\)' "$1"
        verilog_of "$1" | xargs cat | grep -av 'SPDX-License-Identifier: Apache-2.0'
    } | sha256sum | cut -c 1-32
}
