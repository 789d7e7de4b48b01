#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 60 s
# The SystemVerilog test bench of docs/use/systemverilog.md builds without a warning with its command, and passes with three seeds. Its
# scoreboard finds faults in the RTL without help from the assertions.
. tests/lib.bash

command=$(sed -n 's/^    \(verilator .*dl_mshr_tb.*\)/\1/p' docs/use/systemverilog.md)
[ -n "$command" ] || complain "no command in docs/use/systemverilog.md"
# built NAME RTL [OPTION]..: builds it with the document's command in a separate folder, without optimization since it runs once
built() {
    expect 0 bash -c "$(sed "s|build/bench/dl_mshr_tb|$work/$1|; s|\$(cat \([^)]*\))|\$(cat \1 \| sed s,^rtl,$2,)|; s|-Irtl|-I$2|g" <<<"$command") -CFLAGS -O0 ${*:3}"
    [ ! -s "$work/err" ] || complain "$1: $(head -n 5 "$work/err")"
}
built good rtl
for seed in 1 2 3; do
    expect 0 "$work/good/Vdl_mshr_tb" +requests=20000 "+seed=$seed"
    grep -q '^PASS 20000 requests' "$work/out" || complain "seed $seed: $(tail -n 3 "$work/out")"
done
mv "$work/out" "$work/third"
for bad in abc 0 -5; do
    ("$work/good/Vdl_mshr_tb" "+requests=$bad"; exit) >"$work/out" 2>&1 && complain "+requests=$bad is taken"
    grep -q '+requests must be a positive number' "$work/out" && ! grep -q 'FAIL after' "$work/out" || complain "+requests=$bad: $(tail -n 3 "$work/out")"
done
expect 0 "$work/good/Vdl_mshr_tb" +requests=20000 +seed=1
! cmp -s "$work/out" "$work/third" || complain "seeds 1 and 3 give the same run"

while IFS='|' read -r name file edit why; do
    cp -r rtl "$work/rtl_$name"
    sed -i "$edit" "$work/rtl_$name/$file"
    ! cmp -s "rtl/$file" "$work/rtl_$name/$file" || complain "no fault in $file: $edit"
    built "$name" "$work/rtl_$name" --no-assert
    ("$work/$name/Vdl_mshr_tb" +requests=20000; exit) >"$work/out" 2>&1 && complain "$name is not found"
    grep -q "FAIL after .*: $why" "$work/out" || complain "$name: $(tail -n 3 "$work/out")"
done <<'FAULTS'
primary|dl_mshr/dl_mshr.v|s/assign req_primary = !hit/assign req_primary = hit/|primary or merged
payload|dl_mshr/dl_mshr.v|s/\.wdata *(req_payload)/.wdata(req_payload \& ~1)/|a response in wrong order
FAULTS
finish
