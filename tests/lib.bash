# Shared by the test scripts, which are run from the root.
set -u
MEMTWIN=${MEMTWIN:-build/memtwin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

complain() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect CODE COMMAND...: stdout to $work/out, stderr to $work/err.
expect() {
    local code=$1 got
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ $got -eq "$code" ] || {
        complain "exit $got instead of $code: $*"
        head -n 20 "$work/err"
    }
}

# expect_line CODE TEXT COMMAND...: nothing on stdout, exactly one line on stderr, with TEXT in it.
expect_line() {
    local code=$1 text=$2
    shift 2
    expect "$code" "$@"
    [ ! -s "$work/out" ] || complain "output besides the error: $*"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one line on stderr: $*: $(cat "$work/err")"
    grep -qF -- "$text" "$work/err" || complain "'$text' is not in: $(cat "$work/err")"
}

# Cycles and seed of the runs of a block alone; tb/mutation/mutate.sh reads this line, so that mutants face the same.
LOCKSTEP_RUNS='150000:11 2000:21 2000:22 2000:23 2000:24 2000:25 2000:26 2000:27 2000:28'

# mutation_points BLOCK: the points at which mutants are made.
mutation_points() {
    sed -nE "s/^$1 *\\| *(.*[^ ]) *\\|.*/\\1/p" tb/mutation/points.txt
}

# cosim_points BLOCK: a block in lockstep alone. stdin: a parameter point a line; then those at which mutants are made. Each long run has
# to reach its coverage floors; short ones find more states after power-up, of which a run has one; a recording of each point is replayed
# by Icarus in four states.
cosim_points() {
    local point params run
    while read -r point; do
        params=$(printf -- '-p %s ' $point)
        for run in $LOCKSTEP_RUNS; do expect 0 "$MEMTWIN" cosim "$1" $params --cycles "${run%:*}" --seed "${run#*:}"; done
        expect 0 "$MEMTWIN" cosim "$1" $params --cycles 4000 --seed 12 --model-only --record "$work/point.vec"
        expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
        echo "$1 $point"
    done < <(cat && mutation_points "$1")
}

finish() {
    [ $failures -eq 0 ] || {
        echo "$failures failures"
        exit 1
    }
    echo good
}
