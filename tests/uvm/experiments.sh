#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 20 s
# sim/experiments/farfault.sh and hpe.sh on two small kernels: tables without holes, go on after an interruption, fail when a run does.
. tests/lib.bash
export OUT=$work/out-uvm

unchanged() { # COMMAND...: writes no document
    local before
    before=$(git status --porcelain 2>/dev/null)
    expect 0 "$@"
    [ "$(git status --porcelain 2>/dev/null)" = "$before" ] || complain "$1: some kernels alone have changed the documents"
    ! grep -qE 'nan|inf|error' "$work/out" || complain "$1: $(grep -E 'nan|inf|error' "$work/out")"
}
key() { # FILE KEY VALUE
    [ "$(jq -c ".config_values[\"$2\"]" "$OUT/$1.json")" = "$3" ] || complain "$1: $2 is not $3"
}
plots() { # SCRIPT N
    gnuplot -e "out='$OUT'" "$1" 2>"$work/err" || complain "plots of $1: $(cat "$work/err")"
    ! grep -q warning "$work/err" || complain "plots of $1: $(cat "$work/err")"
    [ "$(find "$OUT" -name '*.svg' -size +2k | wc -l)" -eq "$2" ] || complain "$1: not $2 plots"
    ! grep -LE '[0-9]\.[0-9]' "$OUT"/*.dat | grep . || complain "$1: data without figures"
}

unchanged sim/experiments/hpe.sh mvt:256 hotspot:128,2,4
[ "$(head -n 1 "$work/out")" = "only: mvt:256 hotspot:128,2,4: no result of the paper's set" ] || complain "the first line: $(head -n 1 "$work/out")"
for row in '| HOT hotspot |' '| MVT mvt |' '| 75 % |' '| **mean, type IV** |' '| 25 % |'; do
    grep -qF "$row" "$work/out" || complain "hpe.sh: no row $row"
done
touched=$(jq .stats.uvm_touched_pages "$OUT/mvt-256.100.lru.json")
key mvt-256.75.hpe uvm.memory_pages $((touched * 75 / 100))
key mvt-256.50.rrip uvm.evict '"rrip"'
key mvt-256.50.rrip rrip.delay 0
key mvt-256.75.hpe+transfer64 hpe.transfer 64
key mvt-256.75.hpe tlb.l2_entries 64
key mvt-256.75.hpe+table1 tlb.l2_entries 512
[ "$(find "$OUT" -name 'mvt-256.75.hpe+hits+always_*+set8.json' | wc -l)" -eq 1 ] || complain "not one better strategy"
plots sim/experiments/hpe.gp 3
cp "$work/out" "$work/whole"
rm "$OUT/mvt-256.50.random.json"
REUSE=1 expect 0 sim/experiments/hpe.sh mvt:256 hotspot:128,2,4
[ "$(cat "$work/err")" = "  done: mvt-256.50.random" ] || complain "run again: $(cat "$work/err")"
cmp -s "$work/out" "$work/whole" || complain "another table after an interruption"

printf '#!/bin/bash\n[[ $* != *clock_pro* ]] || exit 4\nexec "%s" "$@"\n' "$MEMTWIN" >"$work/fails"
chmod +x "$work/fails"
MEMTWIN=$work/fails expect 123 sim/experiments/hpe.sh mvt:64
grep -q 'FAILED (4): .*clock_pro' "$work/err" || complain "a run that failed: $(cat "$work/err")"
expect_line 1 "usage: " sim/experiments/hpe.sh --lockstpe mvt:64
expect_line 1 "are in Table II" sim/experiments/hpe.sh mvt:64 atax:64

OUT=$work/out-farfault
unchanged sim/experiments/farfault.sh bfs:2000 gemm:64
[ "$(head -n 1 "$work/out")" = "only: bfs:2000 gemm:64: no result of the whole set" ] || complain "the first line: $(head -n 1 "$work/out")"
for row in '| gemm |' '| bfs |' '| **mean, all** |'; do grep -qF "$row" "$work/out" || complain "farfault.sh: no row $row"; done
key gemm-64.blocking+us5 uvm.faults '"blocking"'
key gemm-64.blocking+us5 uvm.fault_us 5
key gemm-64.faults0 uvm.far_faults 0
key gemm-64.locality uvm.service '"set"'
key gemm-64.oracle+full_locality+evict_random+mem50 uvm.prefetch_full '"locality"'
key gemm-64.tree uvm.service '"each"'
plots sim/experiments/farfault.gp 3
expect_line 1 "usage: " sim/experiments/farfault.sh --lockstep
finish
