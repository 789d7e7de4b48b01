#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Statistics by kernel, SM, L2 bank and DRAM channel, and the time series: each sums up to the totals, and asking
# for them changes nothing.
. tests/lib.bash

expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --json "$work/plain.json"
expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --detail --json-series --json "$work/d.json" --csv "$work/d.csv" \
    --sample 1000 --series "$work/s.csv"
cmp -s <(jq '.stats, .histograms' "$work/plain.json") <(jq '.stats, .histograms' "$work/d.json") ||
    complain "--detail, --sample or --json-series changes the statistics"
jq -e 'has("detail") or has("series") | not' "$work/plain.json" >/dev/null || complain "detail that nobody asked for"

# sums SCOPES STATISTICS: over these scopes the statistics sum up to the totals
sums() {
    jq -e --arg scope "$1" --arg stat "$2" '. as $r | $stat | split(" ") | all(. as $s |
        ([$r.detail[] | select(.scope == $scope) | .stats[$s]] | add) == $r.stats[$s] and $r.stats[$s] > 0)' \
        "$work/d.json" >/dev/null || complain "$1: $2 do not sum up to the totals"
}
sums kernel "load_life load_in_lsu load_in_l1d load_in_icnt load_in_l2 load_in_dram cycles kernels warp_insts l1d_accesses l1d_rf l2_accesses dram_reads dram_cycles icnt_rsp_flits"
sums sm "load_life load_in_lsu load_in_l1d load_in_icnt load_in_l2 load_in_dram slots_no_work warp_insts load_insts l1d_accesses l1d_hits l1d_rf load_latency ctas"
sums l2 "l2_accesses l2_hits l2_primary"
sums dram "dram_reads dram_cycles dram_busy_cycles"
jq -e '[.detail[] | select(.scope == "kernel") | .name] == ["atax_kernel1", "atax_kernel2"] or
       ([.detail[] | select(.scope == "kernel")] | length == 2)' "$work/d.json" >/dev/null || complain "two kernels ran"
jq -e '[.histograms.load_latency_hist[][1]] | add' "$work/d.json" | grep -qx "$(jq .stats.load_insts "$work/d.json")" ||
    complain "not every load is in its histogram"

# The CSV says the same as the JSON.
head -n 1 "$work/d.csv" | grep -qx scope,index,name,statistic,unit,value,config,workload,version,identity || complain "CSV header"
[ "$(awk -F, '$1 == "total" && $4 == "l1d_rf" { print $6 }' "$work/d.csv")" = "$(jq .stats.l1d_rf "$work/d.json")" ] ||
    complain "CSV: other total"
[ "$(awk -F, '$1 == "sm" && $4 == "warp_insts" { n += $6 } END { print n }' "$work/d.csv")" = \
    "$(jq .stats.warp_insts "$work/d.json")" ] || complain "CSV: the SMs do not sum up"

# Each row says whose it is, in both files, so that those of many runs can stand in one.
identity=$(jq -r .identity "$work/d.json")
version=$(jq -r .version "$work/d.json")
for f in d s; do
    [ "$(tail -n +2 "$work/$f.csv" | grep -vcF ",tiny,atax:64,\"$version\",$identity")" -eq 0 ] || complain "$f.csv: rows of an unknown run"
done
mkdir "$work/a,b"
cp sim/configs/tiny.ini "$work/a,b/t\"x.ini"
expect 0 "$MEMTWIN" run -c "$work/a,b/t\"x.ini" -w gemm:32,1 -q --csv "$work/q.csv"
tail -n 1 "$work/q.csv" | grep -qF ",\"$work/a,b/t\"\"x.ini\",\"gemm:32,1\",\"$version\"," || complain "CSV: not quoted: $(tail -n 1 "$work/q.csv")"

# The series: one row each 1000 cycles, and a last one.
cycles=$(jq .cycles "$work/d.json")
[ "$(($(wc -l <"$work/s.csv") - 1))" -eq $(((cycles + 999) / 1000)) ] || complain "rows of the series"
for s in cycles warp_insts l1d_rf dram_reads; do
    sum=$(awk -F, -v s=$s 'NR == 1 { for (i = 2; i <= NF; i++) if ($i == s) c = i; next } { n += $c } END { print n }' "$work/s.csv")
    [ "$sum" = "$(jq .stats.$s "$work/d.json")" ] || complain "the series' $s sum up to $sum"
done
awk -F, 'NR == 2 && $1 != 1000 { exit 1 }' "$work/s.csv" || complain "the first sample is not at cycle 1000"

# The short one in the JSON: over the time between samples its means are those of the run, kernels follow each other.
# means QUANTITY [CHANNEL]: its sum over cycles
means() {
    jq --arg name "$1" --argjson index "${2:-null}" '.series.cycle as $c | .series.tracks[] | select(.name == $name and .index == $index) | .values as $v |
        [range($v | length) as $i | $v[$i] * ($c[$i + 1] - $c[$i])] | add' "$work/d.json"
}
near() { # WHAT EXPECTED GOT: three digits of each mean are kept
    jq -ne --argjson a "$2" --argjson b "${3:-null}" '$a > 0 and $b != null and ($a - $b | fabs) < 0.005 * $a' >/dev/null || complain "series: $1: ${3:-none} instead of $2"
}
near instructions "$(jq .stats.warp_insts "$work/d.json")" "$(means issue)"
near "DRAM banks" "$(jq '.stats.dram_bank_cycles * .cycles * ([.detail[] | select(.scope == "dram")] | length) / .stats.dram_cycles' "$work/d.json")" "$(means "DRAM banks")"
near "DRAM banks of channel 1" "$(jq '[.detail[] | select(.scope == "dram" and .index == 1)][0].stats | .dram_bank_cycles / .dram_cycles' "$work/d.json" | jq ". * $(jq .cycles "$work/d.json")")" "$(means "DRAM banks" 1)"
jq -e '.cycles as $n | .series | .cycle[0] == 0 and .cycle[-1] == $n and (.cycle | length) <= 401 and (.tracks | length) > 8 and
    ([.kernels[].name] == ["atax_kernel1", "atax_kernel2"] or (.kernels | length) == 2) and .kernels[0].end <= .kernels[1].begin and .kernels[1].end == $n' "$work/d.json" >/dev/null || complain "series: $(jq -c '.series | del(.tracks)' "$work/d.json")"
expect 0 "$MEMTWIN" run -c tiny -w atax:256 -q --json-series --json "$work/long.json" # longer than 400 first periods: thinned
jq -e '.series | .period > 64 and (.period as $p | .cycle[:-1] | all(. % $p == 0)) and (.cycle | length) > 200 and (.cycle | length) <= 401' "$work/long.json" >/dev/null || complain "thinned series: $(jq -c '[.series.period, (.series.cycle | length), .cycles]' "$work/long.json")"

expect_line 1 "--json-series needs --json" "$MEMTWIN" run -c tiny -w atax:64 --json-series
expect_line 1 "go together" "$MEMTWIN" run -c tiny -w atax:64 --sample 100
expect_line 1 "go together" "$MEMTWIN" run -c tiny -w atax:64 --series "$work/x.csv"
expect_line 1 "--sample 0: not a number above 0" "$MEMTWIN" run -c tiny -w atax:64 --sample 0 --series "$work/x.csv"
expect_line 1 "needs --json or --csv" "$MEMTWIN" run -c tiny -w atax:64 --detail
expect_line 1 "$work/no/x.csv" "$MEMTWIN" run -c tiny -w atax:64 --csv "$work/no/x.csv"
expect_line 1 "$work/no/x.csv" "$MEMTWIN" run -c tiny -w atax:64 --sample 9 --series "$work/no/x.csv"
cp sim/configs/tiny.ini "$work/t.ini"
expect_line 1 "is read by this run" "$MEMTWIN" run -c "$work/t.ini" -w atax:64 --json "$work/t.ini"
cmp -s sim/configs/tiny.ini "$work/t.ini" || complain "the configuration was overwritten"
expect_line 1 "named for two results" "$MEMTWIN" run -c tiny -w atax:64 --json "$work/x.csv" --csv "$work/x.csv"
[ ! -e "$work/x.csv" ] || complain "a file is left by a refused command"
finish
