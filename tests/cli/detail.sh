#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Statistics by kernel, SM, L2 bank and DRAM channel, and the time series, sum up to the totals. Requesting them changes no statistic.
. tests/lib.bash

expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --json "$work/plain.json"
expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --detail --json-series --json "$work/d.json" --csv "$work/d.csv" \
    --sample 1000 --series "$work/s.csv"
cmp -s <(jq '.stats, .histograms' "$work/plain.json") <(jq '.stats, .histograms' "$work/d.json") ||
    complain "--detail, --sample or --json-series changes the statistics"
jq -e 'has("detail") or has("series") | not' "$work/plain.json" >/dev/null || complain "detail or series in the JSON without --detail or --json-series"

# sums SCOPES STATISTICS: checks that the statistics sum up to the totals over these scopes
sums() {
    jq -e --arg scope "$1" --arg stat "$2" '. as $r | $stat | split(" ") | all(. as $s |
        ([$r.detail[] | select(.scope == $scope) | .stats[$s]] | add) == $r.stats[$s] and $r.stats[$s] > 0)' \
        "$work/d.json" >/dev/null || complain "$1: $2 do not sum up to the totals"
}
sums kernel "load_life load_in_lsu load_in_l1d load_in_icnt load_in_l2 load_in_dram cycles kernels warp_insts l1d_accesses l1d_refusals l2_accesses dram_reads dram_cycles icnt_reply_flits"
sums sm "load_life load_in_lsu load_in_l1d load_in_icnt load_in_l2 load_in_dram slots_no_work warp_insts load_insts l1d_accesses l1d_hits l1d_refusals load_latency ctas"
sums l2 "l2_accesses l2_hits l2_primary_misses"
sums dram "dram_reads dram_cycles dram_busy_cycles"
jq -e '[.detail[] | select(.scope == "kernel") | .name] == ["atax_kernel1", "atax_kernel2"] or
       ([.detail[] | select(.scope == "kernel")] | length == 2)' "$work/d.json" >/dev/null || complain "two kernels ran"
jq -e '[.histograms.load_latency_hist[][1]] | add' "$work/d.json" | grep -qx "$(jq .stats.load_insts "$work/d.json")" ||
    complain "not every load is in its histogram"

# The CSV has the same values as the JSON.
head -n 1 "$work/d.csv" | grep -qx scope,index,name,statistic,unit,value,config,workload,version,identity || complain "CSV header"
[ "$(awk -F, '$1 == "total" && $4 == "l1d_refusals" { print $6 }' "$work/d.csv")" = "$(jq .stats.l1d_refusals "$work/d.json")" ] ||
    complain "CSV: other total"
[ "$(awk -F, '$1 == "sm" && $4 == "warp_insts" { n += $6 } END { print n }' "$work/d.csv")" = \
    "$(jq .stats.warp_insts "$work/d.json")" ] || complain "CSV: the SMs do not sum up"

# Each row of both files names its run, so that files of many runs can be joined.
identity=$(jq -r .identity "$work/d.json")
version=$(jq -r .version "$work/d.json")
for f in d s; do
    [ "$(tail -n +2 "$work/$f.csv" | grep -vcF ",tiny,atax:64,\"$version\",$identity")" -eq 0 ] || complain "$f.csv: rows of an unknown run"
done
mkdir "$work/a,b"
cp sim/configs/tiny.ini "$work/a,b/t\"x.ini"
expect 0 "$MEMTWIN" run -c "$work/a,b/t\"x.ini" -w gemm:32,1 -q --csv "$work/q.csv"
tail -n 1 "$work/q.csv" | grep -qF ",\"$work/a,b/t\"\"x.ini\",\"gemm:32,1\",\"$version\"," || complain "CSV: not quoted: $(tail -n 1 "$work/q.csv")"

# The series has one row per 1000 cycles, and a row at the end.
cycles=$(jq .cycles "$work/d.json")
[ "$(($(wc -l <"$work/s.csv") - 1))" -eq $(((cycles + 999) / 1000)) ] || complain "rows of the series"
for s in cycles warp_insts l1d_refusals dram_reads; do
    sum=$(awk -F, -v s=$s 'NR == 1 { for (i = 2; i <= NF; i++) if ($i == s) c = i; next } { n += $c } END { print n }' "$work/s.csv")
    [ "$sum" = "$(jq .stats.$s "$work/d.json")" ] || complain "the series' $s sum up to $sum"
done
awk -F, 'NR == 2 && $1 != 1000 { exit 1 }' "$work/s.csv" || complain "the first sample is not at cycle 1000"

# The short series in the JSON: its means over time are those of the run, and its kernels are in order.
# means QUANTITY [CHANNEL]: prints its mean times the number of cycles
means() {
    jq --arg name "$1" --argjson index "${2:-null}" '.series.cycle as $c | .series.tracks[] | select(.name == $name and .index == $index) | .values as $v |
        [range($v | length) as $i | $v[$i] * ($c[$i + 1] - $c[$i])] | add' "$work/d.json"
}
near() { # WHAT EXPECTED GOT: compares means, which have three digits
    jq -ne --argjson a "$2" --argjson b "${3:-null}" '$a > 0 and $b != null and ($a - $b | fabs) < 0.005 * $a' >/dev/null || complain "series: $1: ${3:-none} instead of $2"
}
near instructions "$(jq .stats.warp_insts "$work/d.json")" "$(means issue)"
near "DRAM banks" "$(jq '.stats.dram_bank_cycles * .cycles * ([.detail[] | select(.scope == "dram")] | length) / .stats.dram_cycles' "$work/d.json")" "$(means "DRAM banks")"
near "DRAM banks of channel 1" "$(jq '[.detail[] | select(.scope == "dram" and .index == 1)][0].stats | .dram_bank_cycles / .dram_cycles' "$work/d.json" | jq ". * $(jq .cycles "$work/d.json")")" "$(means "DRAM banks" 1)"
jq -e '.cycles as $n | .series | .cycle[0] == 0 and .cycle[-1] == $n and (.cycle | length) <= 401 and (.tracks | length) > 8 and
    ([.kernels[].name] == ["atax_kernel1", "atax_kernel2"] or (.kernels | length) == 2) and .kernels[0].end <= .kernels[1].begin and .kernels[1].end == $n' "$work/d.json" >/dev/null || complain "series: $(jq -c '.series | del(.tracks)' "$work/d.json")"
expect 0 "$MEMTWIN" run -c tiny -w atax:256 -q --json-series --json "$work/long.json" # longer than 400 initial periods, so the series is thinned
jq -e '.series | .period > 64 and (.period as $p | .cycle[:-1] | all(. % $p == 0)) and (.cycle | length) > 200 and (.cycle | length) <= 401' "$work/long.json" >/dev/null || complain "thinned series: $(jq -c '[.series.period, (.series.cycle | length), .cycles]' "$work/long.json")"

# Rates are over the time between two samples, or over a window of samples with at least 64 accesses. The CSV with the same period has their
# numerators and denominators.
expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --sample "$(jq .series.period "$work/d.json")" --series "$work/p.csv"
csv_columns() { # NAME..: prints their sums, row by row, as a JSON list
    awk -F, -v names="$*" 'NR == 1 { n = split(names, w, " "); for (i = 1; i <= NF; i++) for (k = 1; k <= n; k++) if ($i == w[k]) at[k] = i; next }
        { sum = 0; for (k = 1; k <= n; k++) sum += $at[k]; print sum }' "$work/p.csv" | jq -s .
}
smoothed() { # FIGURE NUMERATOR.. / DENOMINATOR..
    local figure=$1 a=${*:2}
    jq -e --slurpfile d "$work/d.json" --arg s "$figure" --argjson a "$(csv_columns ${a%/*})" --argjson b "$(csv_columns ${a#*/})" -n '
        ($d[0].series.tracks[] | select(.name == $s) | .values) as $v | ($v | length) as $n | $n == ($b | length) and ($b | any(. > 0 and . < 64)) and
        all(range($n); . as $i | first(range($n) | [([$i - ., 0] | max), ([$i + . + 1, $n] | min)] | select(($b[.[0]:.[1]] | add) >= 64 or . == [0, $n])) as [$f, $t] |
            ($b[$f:$t] | add) as $all | (if $all > 0 then ($a[$f:$t] | add) / $all else 0 end) as $r | ($v[$i] - $r | fabs) <= 0.006 * $r + 1e-9)' >/dev/null ||
        complain "series: $figure is not that of the CSV"
}
smoothed l1d_miss_rate l1d_primary_misses l1d_secondary_misses l1d_bypasses / l1d_hits l1d_primary_misses l1d_secondary_misses l1d_bypasses
smoothed l2_miss_rate l2_primary_misses l2_secondary_misses l2_write_misses l2_bypasses / l2_accesses
smoothed dram_row_hit_rate dram_row_hits / dram_rd dram_wr
smoothed load_latency_mean load_latency / load_lines
# Capacities: of all SMs, of all channels, and of one channel.
capacity=$(jq -c '[.series.tracks[] | select(.name == "L1D MSHR" or .name == "DRAM banks") | .capacity]' "$work/d.json")
[ "$capacity" = "[64,8,4,4]" ] || complain "capacities: $capacity, not two SMs of 32 MSHRs and two channels of 4 banks"
# With many kernels, every second one is left out, then three of four, and so on.
expect 0 "$MEMTWIN" run -c tiny -w fdtd2d:32,300 -q --json-series --json "$work/kernels.json"
jq -e '.stats.kernels == 900 and ([.series.kernels[].launch] == [range(0; 900; 4)]) and (.series.kernels | all(.begin < .end)) and (.cycles >= .series.kernels[-1].end)' "$work/kernels.json" >/dev/null ||
    complain "kernels of the series: $(jq -c '[.stats.kernels, (.series.kernels | length), .series.kernels[-1]]' "$work/kernels.json")"

# Banks are the same as in the timeline, and the series does not depend on the timeline.
expect 0 "$MEMTWIN" run -c tiny -w atax:64 -q --json-series --json "$work/t.json" --timeline "$work/timeline.json"
cmp -s <(jq .series "$work/d.json") <(jq .series "$work/t.json") || complain "--timeline changes the series"
jq -e --slurpfile run "$work/d.json" '$run[0] as {$cycles, $series} | $series.banks as $b | .traceEvents as $e | ($series.cycle | [.[range(0; length - 1; $b.samples)]] + [$cycles]) as $c |
    $b.channels == 2 and $b.banks == 4 and ($b.open | length) == 8 and all($b.open[]; length == ($c | length) - 1 and all(.[]; . >= 0 and . <= 100)) and
    all(range(8); . as $n | ([$e[] | select(.name == "process_name" and .args.name == "DRAM channel \($n / 4 | floor)") | .pid][0]) as $pid |
        ([$e[] | select(.ph == "C" and .pid == $pid and .name == "DRAM bank 0\($n % 4)")] | . + [{ts: $cycles}] | [range(length - 1) as $i | .[$i].args["row open of 1"] * (.[$i + 1].ts - .[$i].ts)] | add) as $their |
        ($b.open[$n] | [range(length) as $i | .[$i] * ($c[$i + 1] - $c[$i]) / 100] | add) as $ours | $their > 0 and ($their - $ours | fabs) < 0.005 * $their)' \
    "$work/timeline.json" >/dev/null || complain "banks: $(jq -c '.series.banks | [.channels, .banks, .samples, (.open | map(add))]' "$work/d.json")"
expect 0 "$MEMTWIN" run -c pascal28 -w addvect:4096 -q --json-series --json "$work/p.json"
expect 0 "$MEMTWIN" run -c pascal28 -w addvect:4096 -q --json-series --json "$work/pt.json" --timeline "$work/timeline.json"
cmp -s <(jq .series "$work/p.json") <(jq .series "$work/pt.json") || complain "pascal28: --timeline changes the series"
# Every channel is listed, even if it is idle. If there are too many banks, they are left out with a note.
expect 0 "$MEMTWIN" run -c pascal28 -w addvect:32 -q --json-series --detail --json "$work/p.json"
jq -e '([.detail[] | select(.scope == "dram" and .stats.dram_reads == null or .stats.dram_reads == 0)] | length > 0) and ([.series.tracks[] | select(.name == "DRAM banks" and .index != null) | .index] == [range(8)]) and
    any(.series.tracks[]; .index != null and (.values | all(. == 0 or . == null))) and (.series.banks.open | length) == 128' "$work/p.json" >/dev/null || complain "idle channels: $(jq -c '[.series.tracks[] | [.name, .index]]' "$work/p.json")"
expect 0 "$MEMTWIN" run -c a100 -w addvect:32 -q --json-series --json "$work/a.json"
jq -e '.series.banks == {channels: 80, banks: 16, left_out_above: 512}' "$work/a.json" >/dev/null || complain "banks of a100: $(jq -c .series.banks "$work/a.json")"

expect_line 1 "--json-series needs --json" "$MEMTWIN" run -c tiny -w atax:64 --json-series
expect_line 1 "must be used together" "$MEMTWIN" run -c tiny -w atax:64 --sample 100
expect_line 1 "must be used together" "$MEMTWIN" run -c tiny -w atax:64 --series "$work/x.csv"
expect_line 1 "--sample 0: not a positive number" "$MEMTWIN" run -c tiny -w atax:64 --sample 0 --series "$work/x.csv"
expect_line 1 "needs --json or --csv" "$MEMTWIN" run -c tiny -w atax:64 --detail
expect_line 1 "$work/no/x.csv" "$MEMTWIN" run -c tiny -w atax:64 --csv "$work/no/x.csv"
expect_line 1 "$work/no/x.csv" "$MEMTWIN" run -c tiny -w atax:64 --sample 9 --series "$work/no/x.csv"
cp sim/configs/tiny.ini "$work/t.ini"
expect_line 1 "but this run reads it" "$MEMTWIN" run -c "$work/t.ini" -w atax:64 --json "$work/t.ini"
cmp -s sim/configs/tiny.ini "$work/t.ini" || complain "the configuration was overwritten"
expect_line 1 "given for two outputs" "$MEMTWIN" run -c tiny -w atax:64 --json "$work/x.csv" --csv "$work/x.csv"
[ ! -e "$work/x.csv" ] || complain "a file is left by a refused command"
finish
