#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 700 s
# Gate level: the netlists of the area reports, with and without clock gates, replay recordings and are proven equivalent to the RTL, at tiny
# points of all blocks. Replay and proof find a wrong cell and a clock gate with the wrong enable; the proof finds a missing clock gate and a
# false register copy. The library's cell functions match the vendor's Verilog. The test library is the default one plus a clock gate. Run from the root.
. tests/lib.bash
. tb/harness/blocks.bash
. tests/synth/report.bash
report_of gate_level.sh gate_level_quick
vendor=/usr/share/qflow/tech/osu018/osu018_stdcells
gated_library </dev/null
cp $vendor.v "$work/gates.v"

expect 0 synth/gate_level.sh --quick
cmp -s "$work/out" build/synth/gate_level_quick.txt || complain "gate_level_quick.txt differs from the printed report"
mapped() { points gate_level_quick | cut -d ' ' -f 1 | sort -u; }
whole=$(points gate_level_quick | awk '$3 != "observed"' | wc -l)
all=$(mapped | jq -Rcn '[inputs]')
holds "not every block" "[.designs[].point | split(\"-\")[0]] | unique == $all"
holds "not every recording is long" '[.replays[] | select(.vectors == "random") | .cycles] | all(. == 3000)'
holds "a verdict that is none" '.replays | all(.verdict | startswith("verdict: PASS"))'
# addr_hash has no st_ ports and no enable.
holds "left-out ports without a word" '.replays | all((.verdict == "verdict: PASS") == (.name | IN("dl_4x2_observed", "hash_8")))'
holds "neither simulator" '[.replays[].engine] | unique == ["icarus", "twin"]'
holds "not the models of the vendor" '[.replays[] | select(.netlist == "area-vendor")] | length == '$whole
holds "not every block with clock gates" '([.replays[] | select(.netlist == "gated")] | length == '$whole') and ([.designs[] | select(.gated)] | length == '$whole' and all((.gated.um2 < .um2 or (.point | startswith("addr_hash-"))) and .gated.flops == .flops))'
holds "not proven" '[.designs[].proofs[] | select(.netlist | test("area|gated"))] | length >= 32 and all(.registers > 0 and .copies == 0 and .seconds >= 0)'
holds "no storage proven" '[.designs[].proofs[] | select(.netlist == "storage in speed")] | length >= 1'
holds "a proof of the netlist with gates is missing" '.designs | all(.gated == null or ([.proofs[] | select(.netlist | test("area")) | .what] == [.proofs[] | select(.netlist | test("gated")) | .what]))'
holds "other copies of registers than expected" '[.designs[].proofs[] | select(.copies > 0) | [.netlist, .what, .copies]] | sort == [["speed", "bank_queues", 4], ["speed", "bpg", 2], ["speed", "in_fifo", 2]]'
# Flip-flops that are constant or not read have an area but are not registers of the proof: in cap, bits of the partial products.
holds "flip-flops are not the registers" '.designs | all(({addr_hash: 3, cap: 17, lease: 4}[.point | split("-")[0]] // 0) + ([.proofs[] | select(.netlist == "area")][0].registers
    + ([.proofs[] | select(.netlist == "storage in area") | .n * .registers] | add)) == .flops)'
grep -qE '^dl_4x2 +area +[0-9,]+ +[0-9,]+ +[0-9,]+ +dl_mshr_paper +1 +[0-9]+ +equal' "$work/out" || complain "no line of dl_mshr_paper"

# ---- one wrong cell
lib=build/netlists/osu018_stdcells
point=(SETS=4 SLOTS=2 RESERVED_HEADS=2 ADDR_W=4 PAYLOAD_W=5)
good=$lib/$(printf -- '-%s' dl_mshr_paper "${point[@]}" | tr -d = | cut -c 2-)
"$MEMTWIN" cosim dl_mshr_paper $(printf -- '-p %s ' "${point[@]}") --cycles 3000 --seed 7 --model-only --record "$work/x.vec" >/dev/null
replay() { "$MEMTWIN" replay "$work/x.vec" --engine icarus "$@"; }
cp -r "$good" "$work/kept"
for line in $(grep -n '^  NAND2X1 ' "$good/area/dl_mshr_paper/netlist.v" | cut -d : -f 1 | awk 'NR % 7 == 1' | head -3); do
    sed -i "${line}s/NAND2X1/NOR2X1/" "$good/area/dl_mshr_paper/netlist.v"
    expect 3 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --no-observed --engine icarus
    expect_line 1 "not equal" synth/equivalence.sh dl_mshr_paper "${point[@]}"
    cp "$work/kept/area/dl_mshr_paper/netlist.v" "$good/area/dl_mshr_paper/netlist.v"
done
[ -n "${line:-}" ] || complain "no cell left to swap"
expect 0 synth/equivalence.sh dl_mshr_paper "${point[@]}"
# a wrong cell in a storage
awk '/^module/ { in_ram = /mt_ram/ } in_ram && !done && sub(/^  NAND2X1 /, "  NOR2X1 ") { done = 1 } { print }' "$work/kept/area/dl_mshr_paper/netlist.v" >"$good/area/dl_mshr_paper/netlist.v"
cmp -s "$work/kept/area/dl_mshr_paper/netlist.v" "$good/area/dl_mshr_paper/netlist.v" && complain "no storage cell left to swap"
expect_line 1 "mt_ram_slice_5x8 (storage in area): not equal" synth/equivalence.sh dl_mshr_paper "${point[@]}"
cp "$work/kept/area/dl_mshr_paper/netlist.v" "$good/area/dl_mshr_paper/netlist.v"

# ---- one clock gate of each block (in tier full of every third block) has the enable of another gate
jq -r '.designs[] | select(.gated and (.point | startswith("addr_hash-") | not)) | .point' build/synth/gate_level_quick.json | awk -v all="$([ "$TIER" = long ] && echo 1)" 'all || NR % 3 == 1' | while read -r name; do
    set -- $(sed -E 's/-/ /g; s/([A-Z]) ?([0-9]+)/\1=\2/g' <<<"$name")
    rm -rf "$work/whole"
    mkdir "$work/whole"
    find "$lib/$name" -maxdepth 1 \( -name 'area*' -o -name 'speed*' \) -exec mv -t "$work/whole" {} +
    netlist=$lib/$name/gated/$1/netlist.v
    awk '$1 == "module" { module = $2 } $1 == "GATEX1" { gate = 1 }
        NR == FNR && gate && /\.EN\(/ {
            gate = 0
            if (!(module in line)) { line[module] = FNR; text[module] = $0 }
            else if (!at && $0 != text[module]) { at = line[module]; other = $0 }
        }
        NR == FNR { next } FNR == at { $0 = other } { print }' "$netlist" "$netlist" >"$work/wrong.v"
    cmp -s "$netlist" "$work/wrong.v" && complain "$1 no longer has two clock gates"
    cp "$netlist" "$work/right.v"
    cp "$work/wrong.v" "$netlist"
    "$MEMTWIN" cosim "$1" $(printf -- '-p %s ' "${@:2}") --cycles 20000 --seed 7 --model-only --record "$work/gated.vec" >/dev/null
    expect 3 env MEMTWIN_RTL="$PWD/$lib/$name/gated" "$MEMTWIN" replay "$work/gated.vec" --no-observed --engine icarus
    expect_line 1 "not equal" synth/equivalence.sh "$@"
    # the enable of the last gate is not connected
    sed "$(grep -n '\.EN(' "$work/right.v" | cut -d : -f 1 | tail -1)d" "$work/right.v" >"$netlist"
    expect_line 1 "a clock gate has an unconnected pin EN" synth/equivalence.sh "$@"
    rm -rf "$lib/$name/gated"
    mv "$work/whole"/* "$lib/$name"
    echo $failures >"$work/failures"
done
failures=$(cat "$work/failures")

# ---- the first word read does not depend on the last one read: here this is a flip-flop
cat >"$work/gate.il" <<'END'
module \m
  wire \clk
  wire \gated
  cell \GATEX1 \gate
    connect \CLK \clk
    connect \EN \e
    connect \GCLK \gated
  end
  cell $_DFF_P_ \flop
    connect \C \gated
    connect \D \d
    connect \Q \q
  end
end
END
expect 0 awk -v gate=GATEX1,CLK,EN,GCLK -f synth/ungate.awk "$work/gate.il" "$work/gate.il"
cmp -s "$work/out" - <<'END' || complain "a clock gate of RTLIL: $(cat "$work/out")"
module \m
  wire \clk
  wire \gated
  cell $_DFFE_PP_ \flop
    connect \C \clk
    connect \E \e
    connect \D \d
    connect \Q \q
  end
end
END

# ---- netlists with register copies: a wrong cell, and a false copy
jq -r '.designs[] | select(.proofs | any(.copies > 0)) | .point' build/synth/gate_level_quick.json | while read -r name; do
    set -- $(sed -E 's/-/ /g; s/([A-Z]) ?([0-9]+)/\1=\2/g' <<<"$name")
    rm -rf "$work/whole"
    mkdir "$work/whole"
    find "$lib/$name" -maxdepth 1 \( -name area -o -name gated \) -exec mv -t "$work/whole" {} +
    netlist=$lib/$name/speed/$1/netlist.v
    cp "$netlist" "$work/right.v"
    line=
    for line in $(grep -n '^  NAND2X1 ' "$netlist" | cut -d : -f 1 | awk 'NR % 9 == 1' | head -2); do
        sed "${line}s/NAND2X1/NOR2X1/" "$work/right.v" >"$netlist"
        expect_line 1 "(speed)" synth/equivalence.sh "$@"
        grep -qE 'not equal|is not shown' "$work/err" || complain "$1: wrong cell: $(cat "$work/err")"
    done
    [ -n "$line" ] || complain "$1: no cell left to swap"
    awk '/^  DFFPOSX1 _[0-9]+_ / { copy = 1 } copy && !done && sub(/\.D\(.*\)/, ".D(rst)") { done = 1 } { print }' "$work/right.v" >"$netlist"
    expect_line 1 "(speed) is not shown: the netlist has a register of its own" synth/equivalence.sh "$@"
    cp "$work/right.v" "$netlist"
    mv "$work/whole"/* "$lib/$name"
    echo $failures >"$work/failures"
done
failures=$(cat "$work/failures")

# ---- a write beyond the last word of a storage has no effect
name=$(jq -r '.designs[].point | select(startswith("bpg-"))' build/synth/gate_level_quick.json)
copy_tree
mkdir -p "$work/tree/$lib/$name"
cp -r "$lib/$name"/{area,shapes} "$work/tree/$lib/$name"
sed -i 's/mem\[waddr\]\[/mem[waddr < DEPTH ? waddr : 0][/' "$work/tree/rtl/lib/mt_regfile_1r1w.v"
set -- $(sed -E 's/-/ /g; s/([A-Z]) ?([0-9]+)/\1=\2/g' <<<"$name")
expect_line 1 "(storage in area): not equal" "$work/tree/synth/equivalence.sh" "$@"

# ---- ABC would take an undriven input for 0
netlist=$good/area/dl_mshr_paper/netlist.v
awk '/^  NAND2X1 / { cell = 1 } cell && !done && /\.A\(/ { done = 1; next } { print }' "$work/kept/area/dl_mshr_paper/netlist.v" >"$netlist"
expect_line 1 "yosys failed at netlist" synth/equivalence.sh dl_mshr_paper "${point[@]}"
cp "$work/kept/area/dl_mshr_paper/netlist.v" "$netlist"

# ---- merged: several RTL registers are one in the netlist
expect 0 synth/netlist.sh in_fifo DEPTH=1 ADDR_W=2 ID_W=1
netlist=$(cat "$work/out")/area/in_fifo/netlist.v
expect 0 synth/equivalence.sh in_fifo ID_W=1 DEPTH=1 ADDR_W=2
[ "$(grep -c '^\(area\|gated\|speed\) .*equal' "$work/out")" -eq 3 ] || complain "one place: $(cat "$work/out")"
cp "$netlist" "$work/right.v"
sed '0,/\.D(.*)/s//.D(rst)/' "$work/right.v" >"$netlist"
expect_line 1 "not equal" synth/equivalence.sh in_fifo DEPTH=1 ADDR_W=2 ID_W=1
cp "$work/right.v" "$netlist"

# ---- the observed ports that a netlist does not have differ, unless --no-observed leaves them out
expect 3 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --engine icarus
grep -q 'port st_free_heads' "$work/out" || complain "the observed ports are not compared"
expect 0 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/x.vec" --engine icarus --no-observed
grep -q '^verdict: PASS without st_free_heads, st_free_shared, st_state$' "$work/out" || complain "the left-out ports are not reported: $(tail -1 "$work/out")"
# parameters other than the netlist's
"$MEMTWIN" cosim dl_mshr_paper $(printf -- '-p %s ' "${point[@]}") -p ID_W=3 --cycles 10 --model-only --record "$work/y.vec" >/dev/null
expect 1 env MEMTWIN_RTL="$PWD/$good/area" "$MEMTWIN" replay "$work/y.vec" --engine icarus
grep -q ILLEGAL_this_netlist_is_of_other_parameters "$work/err" || complain "a netlist at other parameters: $(cat "$work/err")"

# ---- errors
expect_line 1 "no block" synth/netlist.sh
expect_line 1 "unknown argument --fast" synth/netlist.sh --fast dl_mshr
expect_line 1 "'SETS' is not PARAM=VALUE" synth/netlist.sh dl_mshr SETS
expect_line 1 "no block toaster" synth/netlist.sh toaster
expect_line 1 "no block" synth/equivalence.sh
expect_line 1 "no netlist in" synth/equivalence.sh dl_mshr SETS=7
expect_line 1 "no such design: toaster" synth/gate_level.sh toaster
expect_line 1 "not 'abc'" env RANDOM_CYCLES=abc synth/gate_level.sh --quick
expect_line 1 "not '0'" env KERNEL_CYCLES=0 synth/gate_level.sh toaster
expect 1 synth/netlist.sh dl_mshr SETS=1
grep -q 'ILLEGAL_SETS' "$work/err" || complain "an illegal parameter: $(cat "$work/err")"

# ---- the cells: all inputs, and for flip-flops changes in any order
expect 0 yosys -q -p "read_liberty -ignore_miss_func $vendor.lib; delete TBUF* FILL* PAD* DFFSR; write_json $work/cells.json; write_verilog -noattr $work/cells.v"
sed -i -E 's/^module ([A-Z0-9]+)/module lib_\1/' "$work/cells.v"
jq -r -f tests/synth/cells.jq "$work/cells.json" >"$work/bench.v"
expect 0 iverilog -g2005 -o "$work/cells.vvp" -s bench "$work/bench.v" "$work/cells.v" $vendor.v
expect 0 vvp -n "$work/cells.vvp"
grep -qE '^[23][0-9] cells, 0 differences$' "$work/out" || complain "cells: $(tail -3 "$work/out")"
finish
