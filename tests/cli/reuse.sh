#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# REUSE=1 takes a result of just that run: the same values of all keys, size or trace, and program; whole, and with what was asked for.
. tests/lib.bash
. sim/experiments/runs.bash
export MEMTWIN_HOME=$PWD
MEMTWIN=$(realpath "$MEMTWIN")
OUT=$work/results
mkdir "$OUT"
file=$OUT/atax-64.base.json

go() { # OPTIONS
    printf '%s\t%s\n' "$file" "$1" | REUSE=1 run_all 2>"$work/err" || complain "$1: $(cat "$work/err")"
}
runs_again() { # WHY OPTIONS
    go "$2"
    [ "$(cat "$work/err")" = "  done: atax-64.base" ] || complain "$1: an old result is taken"
    is_kept "$1, and then no change" "$2"
}
is_kept() {
    go "$2"
    [ ! -s "$work/err" ] || complain "$1: run again: $(cat "$work/err")"
}
edit() { # FILTER: of the result
    jq "$1" "$file" >"$work/edited" && mv "$work/edited" "$file"
}

runs_again "nothing there" "-c tiny -w atax:64"
is_kept "the value that the key has" "-c tiny -w atax:64 -s sm.count=2"
runs_again "another key" "-c tiny -w atax:64 -s sm.count=1"
runs_again "another size" "-c tiny -w atax:32"
cp sim/configs/tiny.ini "$work/t.ini"
is_kept "another name of the configuration" "-c $work/t.ini -w atax:32"
sed -i 's/^\(hit_latency *= *\).*/\13/' "$work/t.ini"
cmp -s sim/configs/tiny.ini "$work/t.ini" && complain "tiny.ini has no hit_latency"
runs_again "another value in the file" "-c $work/t.ini -w atax:32"

expect 0 "$MEMTWIN" trace make vecadd -o "$work/v" --warps 8
runs_again "a trace" "-c tiny -t $work/v"
sed -i '$s/$/ /' "$work/v/kernel-1.traceg"
runs_again "a byte more in the trace" "-c tiny -t $work/v"

run="-c tiny -w atax:64"
runs_again "a workload" "$run"
runs_again "the data check" "$run --check"
runs_again "details" "$run --check --detail"
runs_again "no details" "$run"
edit '.complete = false'
runs_again "a result that is not whole" "$run"
edit '.end = "check_failed"'
runs_again "a run that failed" "$run"
cut="$run -s sim.max_cycles=500"
runs_again "a limit of cycles" "$cut"
[ "$(jq -c '[.end, .complete]' "$file")" = '["cut_off",false]' ] || complain "not cut off: $(jq -c '[.end, .complete]' "$file")"
for end in time_limit interrupted; do
    edit ".end = \"$end\""
    runs_again "$end" "$cut"
done
runs_again "no limit of cycles" "$run"
head -c 1000 "$file" >"$work/cut" && mv "$work/cut" "$file"
runs_again "half a file" "$run"

# Twins change no statistic; their verdict is of their Verilog, which a commit has.
edit '.lockstep.twins = 1 | .version = "0.1.0 (0, clean)"'
stands_for "$file" "$run --twin static_mshr" || complain "twins of the same commit: run again"
edit '.version = "0.1.0 (0, modified)"'
! stands_for "$file" "$run --twin static_mshr" || complain "twins of another Verilog are taken"
edit '.lockstep.twins = 0'

# Another commit, or another program from a modified tree.
commit=$("$MEMTWIN" --version | sed 's/.*(\([0-9a-z]*\).*/\1/')
{ LC_ALL=C sed "s/$commit/${commit//?/0}/g" "$MEMTWIN" && echo; } >"$work/memtwin"
chmod +x "$work/memtwin"
here=$("$MEMTWIN" run $run --identity)
[ "$(jq -r .identity "$file")" = "$here" ] || complain "--identity is another than that of the result"
MEMTWIN=$work/memtwin runs_again "another program" "$run"
runs_again "the first program" "$run"

# What is there when a script begins counts only if it is asked for, and only with REUSE=1.
cp "$file" "$OUT/atax-64.stale.json"
REUSE=1 anew "$OUT" atax:64
[ -z "$(find "$OUT" -maxdepth 1 -name '*.json')" ] || complain "a result that nobody asked for: $(ls "$OUT")"
is_kept "a result of before" "$run"
[ "$(find "$OUT" -maxdepth 1 -name '*.json')" = "$file" ] || complain "a result that nobody asked for: $(ls "$OUT")"
REUSE='' anew "$OUT" atax:64
[ ! -e "$file" ] || complain "without REUSE=1 a result is left"
finish
