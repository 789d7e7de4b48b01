# SPDX-License-Identifier: Apache-2.0
# What the result of a point of mutants hangs on. Sourced by mutate.sh and report.sh, after tb/harness/blocks.bash.

# numbered small|sample|large BLOCK...: the points at which mutants are made: NUMBER BLOCK PARAMETERS MUTANTS[,sample|,large], each ended by NUL; all those of a
# block are numbered from 1. Small are those that are not large; a sample is of small ones.
numbered() {
    points mutants "${@:2}" | awk -v choice="$1" '{
        block = $1; mutants = $3; ++count[block]
        if (choice == "small" ? mutants ~ /,large$/ : mutants !~ "," choice "$") next
        sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "")
        printf "%d%c%s%c%s%c%s%c", count[block], 0, block, 0, $0, 0, mutants, 0 }'
}

# verilog_of BLOCK: the files under $RTL that its netlist is made of; contracts are for proofs alone
verilog_of() {
    local files include
    files=$(sed "s|^|$RTL/|" "$RTL/rtl/$1/$1.f")
    echo "$files"
    for include in $(sed -nE 's/^ *`include "(.*)"/\1/p' $files | grep -v '_contract\.vh$' | sort -u); do echo "$RTL"/rtl/*/"$include"; done
}

# point_key BLOCK PARAMETERS: of a point's result: those, the choice, the runs, what the list grants, the Verilog; not of driver and model
point_key() {
    {
        printf '%s\n' "$1" "$2" "$SEED" "$RUNS"
        facts '\(zeroed\|legal\)' "$1"
        verilog_of "$1" | xargs cat | grep -av 'SPDX-License-Identifier: Apache-2.0'
    } | sha256sum | cut -c 1-32
}
