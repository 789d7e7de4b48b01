#!/bin/bash
# Ctrl-C and races: an interrupted recording leaves nothing behind, an interrupted Icarus run no folder, and two programs that
# want the same new twin at once both get it. Run from the root. Exit code is the verdict.
set -u
cd "$(dirname "$0")/../.." || exit 2
export MEMTWIN_HOME=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/memtwin-interrupts.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export MEMTWIN_TWINS=$work/twins TWIN_CFLAGS=-O1
mkdir "$work/tmp"
program=build/memtwin
point=(-p SETS=4 -p RESERVED_HEADS=1)
failures=0

fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# A job of a script ignores SIGINT unless job control is on.
set -m

# ---- Two programs, one new twin ----
$program cosim dl_mshr "${point[@]}" --cycles 2000 >"$work/one" 2>&1 &
first=$!
$program cosim dl_mshr "${point[@]}" --cycles 2000 >"$work/two" 2>&1 &
second=$!
wait $first || fail "first of two: $(tail -n 3 "$work/one")"
wait $second || fail "second of two: $(tail -n 3 "$work/two")"
[ "$(find "$work/twins" -name '*.so' | wc -l)" -eq 1 ] || fail "not one shared object: $(ls "$work/twins")"
find "$work/twins" -name '*.obj' -o -name '*.part' | grep -q . && fail "left in the twins' folder: $(ls "$work/twins")"

# ---- A recording, interrupted ----
$program cosim dl_mshr "${point[@]}" --model-only --cycles 1000000000 --record "$work/tmp/r.vec" >"$work/log" 2>&1 &
pid=$!
for _ in $(seq 100); do
    ls "$work"/tmp/*.part >/dev/null 2>&1 && break
    sleep 0.05
done
ls "$work"/tmp/*.part >/dev/null 2>&1 || fail "no recording has begun"
kill -INT -- -$pid
wait $pid && fail "an interrupted run exits with 0"
[ -z "$(ls "$work/tmp")" ] || fail "an interrupted recording leaves $(ls "$work/tmp")"

# ---- Icarus, interrupted ----
$program cosim dl_mshr "${point[@]}" --model-only --cycles 300000 --record "$work/long.vec" >"$work/log" 2>&1 ||
    fail "recording: $(tail -n 3 "$work/log")"
TMPDIR=$work/tmp $program replay "$work/long.vec" --engine icarus >"$work/log" 2>&1 &
pid=$!
for _ in $(seq 200); do
    ls "$work"/tmp/*/bench.vvp >/dev/null 2>&1 && break
    sleep 0.05
done
sleep 0.2
kill -INT -- -$pid
wait $pid && fail "an interrupted replay exits with 0"
[ -z "$(ls "$work/tmp")" ] || fail "an interrupted replay leaves $(ls "$work/tmp")"

# ---- A wave, interrupted ----
$program replay "$work/long.vec" --wave "$work/tmp/w.vcd" >"$work/log" 2>&1 &
pid=$!
for _ in $(seq 400); do
    ls "$work"/tmp/*.part >/dev/null 2>&1 && break
    sleep 0.05
done
ls "$work"/tmp/*.part >/dev/null 2>&1 || fail "no wave has begun: $(cat "$work/log")"
kill -INT -- -$pid
wait $pid && fail "an interrupted wave exits with 0"
[ -z "$(ls "$work/tmp")" ] || fail "an interrupted wave leaves $(ls "$work/tmp")"

echo "$failures failures"
[ $failures -eq 0 ]
