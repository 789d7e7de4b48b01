#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s
# --timeline writes a file that follows its format and agrees with the statistics (timeline.jq), changes no statistic, and stays below its size limit.
. tests/lib.bash

# timeline NAME EXIT OPTION...: runs tiny with and without a timeline, and checks the rules for the timeline
timeline() {
    local name=$1 code=$2
    shift 2
    expect "$code" "$MEMTWIN" run -q -c tiny "$@" --detail --json "$work/$name.run" --timeline "$work/$name.json"
    [ "${*: -2:1}" != --timeline-size ] || set -- "${@:1:$#-2}"
    expect "$code" "$MEMTWIN" run -q -c tiny "$@" --detail --json "$work/$name.plain"
    cmp -s <(jq 'del(.host)' "$work/$name.run") <(jq 'del(.host)' "$work/$name.plain") || complain "$name: --timeline changes the results"
    rules "$name" faults >"$work/wrong" 2>&1
    [ ! -s "$work/wrong" ] || complain "$name: $(wc -l <"$work/wrong") faults: $(head -n 3 "$work/wrong")"
}
rules() { # NAME FUNCTION: calls a function of timeline.jq
    jq -r -L tests/cli --slurpfile run "$work/$1.run" "include \"timeline\"; $2(\$run[0])" "$work/$1.json"
}
has() { # NAME CONDITION: checks a condition of the timeline
    jq -e "$2" "$work/$1.json" >/dev/null || complain "$1: not $2"
}

paged=(-s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.fault_us=1)
timeline launches 0 -w bfs:500
# Each DRAM bank is a counter.
has launches '[.traceEvents[] | select(.ph == "C" and (.name | test("^DRAM bank [0-9]")) and .args["row open of 1"] > 0) | .name] | unique | length > 1'
timeline paged 0 -w atax:64 "${paged[@]}"
has paged '[.traceEvents[] | select(.ph == "f")] | length > 20'
# A timeline that breaks a rule is found.
timeline small 0 -w atax:16 "${paged[@]}"
expect 0 rules small missed
[ ! -s "$work/out" ] || complain "$(cat "$work/out")"
# If the page is already in transfer, the arrow starts at its transfer.
timeline early 0 -w addvect:16384 -s uvm.mode=paged -s uvm.fault_us=1 -s uvm.prefetch=locality
has early '([.traceEvents[] | select(.args.name? == "PCIe to the GPU").tid]) as [$link] | [.traceEvents[] | select(.ph == "s" and .tid == $link)] | length > 0'
timeline copy 0 -w atax:64 -s uvm.mode=copy
timeline queues 0 -w atax:64 -s l1d.mrpb_queues=16 -s l2.incoming=cart -s l1d.mshr=unlimited
timeline cut 0 -w atax:64 "${paged[@]}" -s sim.max_cycles=22222
has cut '.otherData.complete == false and any(.traceEvents[]; .args.cut_off == true)'
timeline stuck 5 -w atax:64 -s sim.planted_fault=lose_reply -s sim.no_progress_cycles=2000
has stuck '.otherData.end == "no_progress" and any(.traceEvents[]; .args.cut_off == true)'

# The timeline is reproducible, and the same when idle cycles are skipped.
for skip in yes no; do
    expect 0 "$MEMTWIN" run -q -c tiny -w atax:64 "${paged[@]}" -s sim.skip=$skip --timeline "$work/$skip.json"
done
same() { # FILE FILE: checks that they are equal, except for values that depend on sim.skip
    cmp -s <(sed 's/"identity":"[0-9a-f]*"//g' "$1") <(sed 's/"identity":"[0-9a-f]*"//g' "$2")
}
same "$work/yes.json" "$work/no.json" || complain "skipping changes the timeline"
cmp -s "$work/yes.json" "$work/paged.json" || complain "the timeline is not reproducible"
expect 0 "$MEMTWIN" run -q -c tiny -w atax:64 "${paged[@]}" --timeline "$work/paged.json.gz"
cmp -s <(gzip -dc "$work/paged.json.gz") "$work/paged.json" || complain ".gz is something else"

# Above the limit, counters and slices are thinned, with a note.
timeline thin 0 -w addvect:1048576 -s uvm.mode=paged -s uvm.fault_us=1 --timeline-size 1
[ "$(stat -c %s "$work/thin.json")" -lt 1048576 ] || complain "larger than its limit"
has thin '.otherData | .sampling_period > 64 and .ctas.dropped > 0 and .ctas.happened == 4096 and .ctas.one_in > 1'
has thin '.traceEvents | length > 2000'
has thin 'any(.traceEvents[]; .name | startswith("DRAM bank ")) | not' # there is no space for them
# A machine for which not even two samples fit keeps the first and the last sample.
expect 0 "$MEMTWIN" run -q -c a100 -w addvect:262144 -s uvm.mode=paged -s uvm.fault_us=1 -s sim.max_cycles=30000 --timeline "$work/large.json" --timeline-size 1
has large '.otherData | .samples == 2 and .sampling_period > .cycles'

# Errors of the command line, the path and the disk.
run=("$MEMTWIN" run -q -c tiny -w atax:64)
expect_line 1 "--timeline-size needs --timeline" "${run[@]}" --timeline-size 3
expect_line 1 "--timeline-size 0: not a number" "${run[@]}" --timeline "$work/x" --timeline-size 0
expect_line 1 "cannot write $work/no/x.json: No such file" "${run[@]}" --timeline "$work/no/x.json"
expect_line 1 "given for two outputs" "${run[@]}" --timeline "$work/x" --json "$work/x"
expect 0 "${run[@]}" --timeline "$work/x" --identity
(ulimit -f 64 && exec "${run[@]}" --timeline "$work/x") >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 1 ] || complain "a full disk: no exit 1"
[ "$(cat "$work/err")" = "memtwin run: cannot write $work/x: File too large" ] || complain "a full disk: $(cat "$work/err")"
(ulimit -f 8 && exec "${run[@]}" --timeline "$work/x.gz") >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 1 ] && grep -q "cannot write $work/x.gz: File too large" "$work/err" || complain "a full disk, .gz: $(cat "$work/err")"
[ -z "$(find "$work" -name 'x*')" ] || complain "left over: $(find "$work" -name 'x*')"
expect 0 "${run[@]}" --timeline -
jq -e .otherData.complete "$work/out" >/dev/null || complain "--timeline -: not the timeline alone"
finish
