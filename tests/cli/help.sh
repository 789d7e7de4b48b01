#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --help, --version and the lists print the expected texts.
. tests/lib.bash

has() { # TEXT...: checks that the output has all these texts and that stderr is empty
    [ ! -s "$work/err" ] || complain "stderr: $(cat "$work/err")"
    for text in "$@"; do
        grep -qF -- "$text" "$work/out" || complain "no '$text' in: $(head -n 3 "$work/out")"
    done
}

for help in --help -h; do
    expect 0 "$MEMTWIN" $help
    has run study report compare cosim replay mutants config dram trace pages list help version home
    expect 0 "$MEMTWIN" run $help
    has "usage: memtwin run" --config --workload --trace --kernels --skip-bad --repeat --set --twin --record --check --json --csv --detail --sample --series --json-series --timeline --timeline-size --stats --quiet
    expect 0 "$MEMTWIN" study $help
    has "usage: memtwin study" --out --jobs --dry-run --retry --detail --series --list --quiet --slurm --partition --tasks --sbatch --collect --task
    expect 0 "$MEMTWIN" report $help
    has "usage: memtwin report" --out --study --quiet
    expect 0 "$MEMTWIN" compare $help
    has "usage: memtwin compare" --kernel --counter --csv --json --quiet
    expect 0 "$MEMTWIN" cosim $help
    has "usage: memtwin cosim" --param --block --cycles --seed --record --model-only --plant
    expect 0 "$MEMTWIN" cosim dl_mshr $help
    has "usage: memtwin cosim"
    expect 0 "$MEMTWIN" replay $help
    has "usage: memtwin replay" --block --engine --no-observed --wave
    expect 0 "$MEMTWIN" mutants $help
    has "usage: memtwin mutants" --param --block --netlist --mutants --run --miters --part --apart --miter --unobserved --top --shell
    expect 0 "$MEMTWIN" config $help
    has "usage: memtwin config" --config --set --diff --blocks
    expect 0 "$MEMTWIN" dram $help
    has "usage: memtwin dram" --config --trace --set --commands --json
    expect 0 "$MEMTWIN" trace $help
    has "usage: memtwin trace" export make check --workload --out --trace --warps --scale --xz --quiet
    expect 0 "$MEMTWIN" trace make $help
    has "usage: memtwin trace"
    expect 0 "$MEMTWIN" trace export $help
    has "usage: memtwin trace"
    expect 0 "$MEMTWIN" pages $help
    has "usage: memtwin pages" --workload --trace --window --csv --by-page --windows --quiet
    expect 0 "$MEMTWIN" list $help
    has "usage: memtwin list" workloads configs blocks stats keys counters --block
done

"$MEMTWIN" --help >"$work/asked"
expect 0 "$MEMTWIN" help
cmp -s "$work/asked" "$work/out" || complain "help is not --help"
for command in run study report compare cosim replay mutants dram trace pages list; do
    "$MEMTWIN" $command --help >"$work/asked"
    expect 0 "$MEMTWIN" help $command
    cmp -s "$work/asked" "$work/out" || complain "help $command is not $command --help"
done

expect 0 "$MEMTWIN" list policies
has uvm.evict lru hpe

expect 0 "$MEMTWIN" version
cmp -s "$work/out" <("$MEMTWIN" --version) || complain "version is not --version"
expect 0 "$MEMTWIN" home
[ "$(cat "$work/out")" -ef . ] || complain "home: $(cat "$work/out")"
expect_line 1 "unexpected 'x' after home" "$MEMTWIN" home x
expect 0 "$MEMTWIN" --version
[ "$(wc -l <"$work/out")" -eq 1 ] || complain "--version is not one line"
grep -qE '^memtwin [0-9]+\.[0-9]+\.[0-9]+ \((unknown|[0-9a-f]{12}, (clean|modified)|unknown, modified)\)(, profile-guided)?$' "$work/out" ||
    complain "--version: $(cat "$work/out")"

expect 0 "$MEMTWIN" list workloads
has addvect 2dconv gemm atax bfs kmeans hotspot ra "SIZE:" default
[ "$(grep -A 2 '^2dconv ' "$work/out" | tail -n 2 | sed 's/^ *//')" = "suite: UVMBench (PolyBench); class: regular
SIZE: N, edge of the square image; default 1024 (8.00 MiB of data)" ] || complain "2dconv: $(grep -A 2 ^2dconv "$work/out")"
[ "$(grep -c '^ *suite: UVMBench.*; class: regular$' "$work/out") $(grep -c '^ *suite: UVMBench.*; class: irregular$' "$work/out")" = "16 16" ] || complain "classes of UVMBench's 32"
expect 0 "$MEMTWIN" list configs
has pascal28 tiny "345.6 GB/s"
[ "$(wc -l <"$work/out")" -eq "$(ls sim/configs/*.ini | wc -l)" ] || complain "list configs: not one line each"
expect 0 "$MEMTWIN" list blocks
has dl_mshr static_mshr RESERVED_HEADS "(2..256)"
expect 0 "$MEMTWIN" list stats
has l1d_refusals_merge_full "refused cycles" dram_busy_cycles load_latency_hist dram_utilization
[ "$(wc -l <"$work/out")" -eq $(($(rows stats/stats.def STAT STALL HIST) + $(rows stats/derived.def DERIVED))) ] || complain "list stats: not one line each"
expect 0 "$MEMTWIN" list keys
has l1d.mshr "static|dl" sim.planted_fault
[ "$(wc -l <"$work/out")" -eq $((1 + $(rows config/keys.def INT ENUM STR))) ] || complain "list keys: not a title and one line each"

# options and words may be in any order; after --, all are words
expect 0 "$MEMTWIN" cosim --model-only --cycles 10000 -p DEPTH=9 in_fifo
expect 0 "$MEMTWIN" cosim --model-only --cycles 10000 -- in_fifo
expect_line 1 "no block '-h'" "$MEMTWIN" cosim -- -h
finish
