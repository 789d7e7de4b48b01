# The list of points at which mutants are made, and what a point's result hangs on. Sourced by mutate.sh and report.sh.
POINTS=tb/mutation/points.txt

# blocks that have points, a line each
known_blocks() {
    awk -F' *[|]' '!/^#|^[a-z]+ +[a-z_]+:/ && !seen[$1]++ { print $1 }' "$POINTS"
}

# rules WORD BLOCK: what the list of points says after WORD of the block
rules() {
    sed -nE "s/^$1 +$2: *//p" "$POINTS"
}

# points BLOCK...: NUMBER BLOCK PARAMETERS MUTANTS, each ended by NUL; the points of a block are numbered from 1
points() {
    awk -F' *[|] *' -v blocks=" $* " '
        /^#|^[a-z]+ +[a-z_]+:/ || blocks !~ " " $1 " " { next }
        { printf "%d%c%s%c%s%c%d%c", ++count[$1], 0, $1, 0, $2, 0, $3, 0 }' "$POINTS"
}

# The runs that a block has alone in the lockstep tests: CYCLES:SEED ...
lockstep_runs() {
    sed -n "s/^LOCKSTEP_RUNS='\(.*\)'$/\1/p" tests/lib.bash
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
        rules '(zeroed|legal)' "$1"
        verilog_of "$1" | xargs cat
    } | sha256sum | cut -c 1-32
}
