#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The JSON output: its members, exact integers and reproducible statistics; and the table on stdout.
. tests/lib.bash

run() { # NAME OPTION...
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -c tiny --json "$work/$name.json" "$@"
}

# is NAME FILTER: checks that the jq filter is true
is() {
    jq -e "$2" "$work/$1.json" >/dev/null || complain "$1.json: $2"
}

run a -w atax:64 --check --stats
grep -q '^  ipc ' "$work/out" && grep -q '^L1D$' "$work/out" && grep -q 'refused cycles' "$work/out" || complain "no table"
[ ! -s "$work/err" ] || complain "progress although stderr is a file: $(cat "$work/err")"
is a '.version | test("^[0-9]+[.][0-9]+[.][0-9]+ ")'
is a '.config == "tiny" and .workload == "atax:64" and .end == "done" and .verified'
is a '.cycles > 0 and .cycles == .stats.cycles'
is a '.warp_insts == .stats.warp_insts and .thread_insts == .stats.thread_insts'
is a '.ipc - .warp_insts / .cycles | . < 1e-9 and . > -1e-9'
is a '[.stats[] | . == floor] | all'
is a '.complete and .reached == {"cycle": .cycles, "launch": 2, "launches": 2, "ctas_done": 1, "ctas": 1, "all_ctas_done": 2, "all_ctas": null, "kernel": ""}'
is a '.stats | length == '"$(rows stats/stats.def STAT STALL)"
is a '.lockstep == {"twins": 0, "cycles": 0, "evaluated": 0, "mismatches": 0, "blocks": []}'
is a '.check.enabled and .check.loads > 0 and .check.bytes > 0 and .check.failure == null'
is a '.derived | has("l1d_mshr_utilisation") and has("l2_mshr_utilisation") and has("dram_utilisation")'
is a '.config_values["sm.count"] == 2 and .config_values["l1d.mshr"] == "static"'
is a '.config_values | length == '"$(rows config/keys.def INT ENUM STR)"
is a '.host.seconds >= 0 and .host.cycles_per_s > 0 and .host.peak_rss_kib > 0'
! sed -n '/"stats"/,/}/p' "$work/a.json" | grep -E ':.*[.eE]' || complain "a counter that is not written as an integer"

# Each miss gets a reply, and each refusal is counted once by its reason.
is a '.stats | .l1d_refusals == .l1d_refusals_entry_full + .l1d_refusals_merge_full + .l1d_refusals_miss_queue + .l1d_refusals_no_way + .l1d_refusals_response_queue + .l1d_refusals_order + .l1d_refusals_bypass_limit + .l1d_refusals_bypass_queue'
is a '.stats | .l2_refusals == .l2_refusals_entry_full + .l2_refusals_merge_full + .l2_refusals_miss_queue + .l2_refusals_no_way + .l2_refusals_evict_buffer + .l2_refusals_reply_queue + .l2_refusals_order'

# A second run, the check, another order of options, and -q change nothing.
run b -w atax:64 --check
run c -q -w atax:64
[ "$(wc -l <"$work/out")" -eq 1 ] || complain "-q prints more than one line"
for other in b c; do
    cmp -s <(jq .stats "$work/a.json") <(jq .stats "$work/$other.json") || complain "$other: the statistics differ"
done

# Overrides are listed, and default sizes are shown.
run d -w atax:64 -s l1d.mshr=dl -s l1d.mshr=static -s l2.mshr=dl
is d '.config_values["l1d.mshr"] == "static" and .config_values["l2.mshr"] == "dl"'

# A run that is cut off says so and is not verified.
run e -w atax:64 -s sim.max_cycles=500
is e '.complete == false and .reached.cycle == 500 and .reached.launch == 1'
is e '.end == "cut_off" and (.verified | not) and .cycles >= 500 and .cycles < 520'
grep -q "cut off at sim.max_cycles" "$work/err" || complain "cut off without a word"
# Standard output under each of its names, into a pipe or a file, has only the result. Messages go to stderr.
one=(-c tiny -w atax:64)
for to in - /dev/stdout; do
    "$MEMTWIN" run "${one[@]}" --json $to 2>"$work/err" | jq -e '.end == "done"' >/dev/null || complain "--json $to into a pipe"
    grep -q '^cycles ' "$work/err" || complain "--json $to: no readable output"
    "$MEMTWIN" run "${one[@]}" -q --json $to >"$work/o.json" 2>"$work/err" || complain "--json $to into a file"
    jq -e '.end == "done"' "$work/o.json" >/dev/null || complain "--json $to into a file: $(head -c 200 "$work/o.json")"
    "$MEMTWIN" run "${one[@]}" -q --csv $to 2>/dev/null | tail -n +2 | grep -qvE '^(run|total),0,,' && complain "--csv $to: not rows alone"
    "$MEMTWIN" run "${one[@]}" -q --sample 500 --series $to 2>/dev/null | awk -F, 'NR > 1 && $1 !~ /^[0-9]+$/ { exit 1 } END { exit NR < 3 }' ||
        complain "--series $to: not rows alone"
done
mkfifo "$work/pipe"
jq -c .end "$work/pipe" >"$work/piped" &
expect 0 timeout 20 "$MEMTWIN" run "${one[@]}" -q --json "$work/pipe"
wait $!
[ "$(cat "$work/piped")" = '"done"' ] && [ -p "$work/pipe" ] || complain "--json to a pipe"
expect_line 1 "/dev/stdout is given for two outputs" "$MEMTWIN" run "${one[@]}" --json - --csv /dev/stdout
"$MEMTWIN" run -c - -w atax:64 -q --json "$work/stdin.json" <sim/configs/tiny.ini >"$work/out" || complain "-c -"
expect 0 "$MEMTWIN" run "${one[@]}" -q --json "$work/file.json"
cmp -s <(jq .stats "$work/stdin.json") <(jq .stats "$work/file.json") || complain "-c -: a different machine"
cmp -s <(jq .identity "$work/stdin.json") <(jq .identity "$work/file.json") || complain "-c -: a different identity"
perl -e '$x = "a" x 200_000_000; exec @ARGV' "$MEMTWIN" run "${one[@]}" -q --json "$work/perl.json" >"$work/out" || complain "run by perl"
jq -e '.host.peak_rss_kib < 190000' "$work/perl.json" >/dev/null || complain "the memory of the process before exec: $(jq .host "$work/perl.json")"
[ -z "$(find "$work" -name '*.part')" ] || complain "a .part file is left"
finish
