# SPDX-License-Identifier: Apache-2.0
# Shared by the test scripts, which run from the root.
set -u
. tb/env.bash
MEMTWIN=${MEMTWIN:-build/memtwin}
# Default tier test: the short run of a test at two depths; run by hand, a test is full.
TIER=${TIER:-full}
# Runs are short here, so twins are built quickly.
export MEMTWIN_BRIEF=1
export OBJCACHE=$PWD/tests/compile_once.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# turn TEST FULL: whether the next variant runs: of TEST calls the first in tier test, of FULL calls in tier full, and each in tier long
turn_calls=0
turn() {
    local of=1
    case $TIER in test) of=$1 ;; full) of=$2 ;; esac
    [ $((turn_calls++ % of)) = 0 ]
}

complain() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect CODE COMMAND...: checks the exit code; stdout goes to $work/out, stderr to $work/err.
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

# expect_line CODE TEXT COMMAND...: expects no stdout and exactly one line on stderr, with TEXT in it.
expect_line() {
    local code=$1 text=$2
    shift 2
    expect "$code" "$@"
    [ ! -s "$work/out" ] || complain "output besides the error: $*"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one line on stderr: $*: $(cat "$work/err")"
    grep -qF -- "$text" "$work/err" || complain "'$text' is not in: $(cat "$work/err")"
}

# rows TABLE MACRO...: prints the number of rows of a cmodel/ table that use one of the macros.
rows() {
    { printf '#define %s(...) @\n' "${@:2}" && echo "#include \"$1\""; } |
        gcc -E -P -Icmodel - | grep -o @ | wc -l
}

# blocks LANGUAGE PAGE: prints the page's fenced blocks of that language
blocks() { awk -v fence='```'"$1" '$0 == fence { p = 1; next } /^```/ { p = 0 } p' "$2"; }

# verilate FOLDER TOP ARGUMENT...: builds FOLDER/VTOP, not optimized, as it runs once.
verilate() {
    expect 0 verilator --binary -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0" --Mdir "$1" --top-module "$2" "${@:3}"
}

finish() {
    [ $failures -eq 0 ] || {
        echo "$failures failures"
        exit 1
    }
    echo good
}
