#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 50 s; long, 110 s
# The FuseSoC cores are valid CAPI2. Each block's files are those of its file list. Lint, sim and synth run the commands that
# FuseSoC would (in tier full, synth of every fourth block). Faults planted into cores, Verilog and vectors are found.
. tests/lib.bash
. tests/cores/flow.bash
. tb/harness/blocks.bash
blocks=$(blocks)

# ---- CAPI2
# invalid CORE: prints its errors
invalid() {
    core_json "$1" | jq -r -f tests/cores/capi2.jq
}
for file in rtl/*/*.core; do
    wrong=$(invalid "$file")
    [ -z "$wrong" ] || complain "$file: $wrong"
done
while IFS='|' read -r edit why; do
    sed "$edit" rtl/dl_mshr/dl_mshr.core >"$work/bad.core"
    invalid "$work/bad.core" 2>&1 | grep -qF -- "$why" || complain "not found: $why"
done <<'FAULTS'
s/^license:/licence:/|unknown key licence
s/ toplevel: dl_mshr_bench/ top: x/|unknown key top
s/{is_include_file: true}/{is_include: true}/|unknown key is_include
s/^    depend:/    depends:/|unknown key depends
s/^    datatype: int/    type: int/|unknown key type
s/iverilog_options:/icarus_options:/|unknown key icarus_options
s/flow: lint/flow: linter/|flow linter with verilator
s/tool: icarus/tool: iverilog/|iverilog is not known
s/arch: ice40/arch: ice41/|ice41 is not known
s/verilogSource-2005/verilog-2005/|verilog-2005 is not known
s/^name: .*/name: dl_mshr/|no vendor:library:name:version
s/\[rtl, bench\]/[rtl, tb]/|no fileset tb
s/paramtype: vlogparam/paramtype: vlogdefine/|paramtype vlogdefine
s/default: 64/default: many/|string, not number
s/parameters: \[SETS/parameters: [SET/|no parameter SET
s/^  default:/  other:/|targets: no default
s/tool: yosys/arch: x/|a flow without its tool
FAULTS

# ---- one file list
for block in $blocks; do
    core_files . "rtl/$block/$block.core" lint | grep -P '^source\t' | cut -f2 | sed 's,^\./,,' >"$work/core"
    while read -r file; do
        grep -qx "$file" "$work/core" || complain "$file is in $block.f and not in the core"
    done <"rtl/$block/$block.f"
    [ "$(grep "^rtl/$block/" "$work/core")" = "$(grep "^rtl/$block/" "rtl/$block/$block.f")" ] || complain "$block: the order differs from $block.f"
done

# ---- the commands that FuseSoC would run
run() { # CODE BLOCK TARGET [NAME=VALUE]..
    local code=$1 block=$2
    shift 2
    rm -rf "$work/run"
    mkdir "$work/run"
    expect "$code" core_run . "rtl/$block/$block.core" "$1" "$work/run" "${@:2}"
}
n=0
for block in $blocks; do
    n=$((n + 1))
    run 0 "$block" lint
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$block: lint prints $(cat "$work/out" "$work/err")"
    run 0 "$block" sim
    grep -q '^PASS 600 cycles' "$work/out" || complain "$block: sim: $(tail -n 3 "$work/out")"
    [ ! -s "$work/err" ] || complain "$block: sim prints $(cat "$work/err")"
    [ "$TIER" != full ] || [ $((n % 4)) = 0 ] || continue
    run 0 "$block" synth $(point_of core "$block")
    jq -e --arg b "$block" '.modules[$b].cells | length > 50' "$work/run/$block.json" >/dev/null || complain "$block: no cell was synthesized"
    echo "$block: lint, sim, synth"
done

# ---- faults are found
run 1 dl_mshr lint SETS=2
grep -q ILLEGAL_SETS "$work/err" || complain "lint of SETS=2: $(head -n 3 "$work/err")"
mkdir "$work/other"
cp -r rtl "$work/other/rtl"
sed -i 's/assign req_primary = !hit/assign req_primary = hit/' "$work/other/rtl/dl_mshr/dl_mshr.v"
rm -rf "$work/run"
mkdir "$work/run"
expect 1 core_run "$work/other" "$work/other/rtl/dl_mshr/dl_mshr.core" sim "$work/run"
grep -q '^req_primary: 0 instead of 1' "$work/out" || complain "planted fault: $(tail -n 3 "$work/out")"
: >"$work/other/rtl/hir/sim/hir.vec"
expect 1 core_run "$work/other" "$work/other/rtl/hir/hir.core" sim "$work/run"

# ---- the bench of a block fails if it cannot read all vectors or cannot write the waves
vectors=rtl/in_fifo/sim/in_fifo.vec
expect 0 iverilog -g2005 -Wall -Irtl/lib -Irtl/incoming -s in_fifo_bench -o "$work/bench" $(cat rtl/in_fifo/in_fifo.f) rtl/in_fifo/sim/in_fifo_bench.v
fails() { # WHY [ARGUMENT]...: runs it on $work/vec
    expect 1 vvp -n "$work/bench" "+vectors=$work/vec" "${@:2}"
    grep -qxF "FAIL: $1" "$work/out" && ! grep -q '^PASS' "$work/out" || complain "not 'FAIL: $1': $(cat "$work/out")"
}
head -n 300 $vectors >"$work/vec"
fails "line 301 of the vectors is not four numbers or 'end N'"
sed '200s/.*/garbage/' $vectors >"$work/vec"
fails "line 200 of the vectors is not four numbers or 'end N'"
sed '600d' $vectors >"$work/vec"
fails "599 lines of vectors, but the last line is 'end 600'"
echo 'end 0' >"$work/vec"
fails "no vectors"
cp $vectors "$work/vec"
fails "cannot write the waves: $work/none/x.vcd" "+wave=$work/none/x.vcd"
expect 0 vvp -n "$work/bench" "+vectors=$work/vec" "+wave=$work/x.vcd"
grep -qx 'PASS 600 cycles' "$work/out" && [ -s "$work/x.vcd" ] || complain "no pass with waves: $(cat "$work/out")"
finish
