#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 6 s
# memtwin compare: the formats of other tools, units, launches and names of kernels; what cannot be read is left out with one line; a fault in a value is found.
. tests/lib.bash
. tests/study.bash

expect 0 "$MEMTWIN" run -c tiny -w hotspot:64 -s sm.coalesce=sector -s l2.sectored=yes -q --json "$work/ours.json"
count() { jq -r ".kernels[0] | .stats.$1 / .launches" "$work/ours.json"; }
cycles=$(count cycles)
loads=$(jq -r '.kernels[0] | .stats | .l1d_hits + .l1d_primary_misses + .l1d_secondary_misses + .l1d_bypasses' "$work/ours.json")
launches=$(jq -r '.kernels[0].launches' "$work/ours.json")
reads=$(jq -r '.kernels[0] | .stats | .dram_bytes * .dram_rd / (.dram_rd + .dram_wr) / 4' "$work/ours.json")
is "launches of hotspot:64" 4 "$launches"

# value COUNTER COLUMN: prints that column of the counter's only row
value() { jq -r --arg c "$1" ".[] | select(.counter == \$c).$2" "$work/rows.json"; }
# compared FILE [OPTION]..: compares, into rows.json
compared() { expect 0 "$MEMTWIN" compare "$work/ours.json" "$@" -q --json "$work/rows.json"; }

# Nsight Compute, a row for each metric: launches with different values, a metric that we do not know, units and separators of thousands
{
    echo '==PROF== Connected to process 7'
    echo '"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
    for id in 0 1; do
        for row in "sm__cycles_elapsed.max|cycle|$(awk -v c="$cycles" -v i=$id 'BEGIN { printf "%.10g", c * (1 + i) }')" "l1tex__data_pipe.sum|request|1" \
            "dram__bytes_read.sum|Kbyte|$(awk -v b="$reads" 'BEGIN { printf "%.6f", b / 1000 }')" "gpu__time_duration.sum|usecond|1,234.5"; do
            IFS='|' read -r metric unit number <<<"$row"
            echo "\"$id\",\"7\",\"void hotspot<int>(float *, int)\",\"\",\"$metric\",\"$unit\",\"$number\""
        done
    done
} >"$work/long.csv"
compared "$work/long.csv"
is "cycles, mean of two launches" "$(awk -v c="$cycles" 'BEGIN { printf "%.10g", 1.5 * c }')" "$(value cycles theirs)"
is "error of cycles" -33 "$(value cycles error_percent | cut -d. -f1)"
grep -qE '^cycles +1 +33.3 % +-33.3 % +33.3 % +33.3 % +none$' "$work/out" || complain "errors of cycles: $(grep ^cycles "$work/out")"
is "time" 1234500 "$(value time theirs)"
is "bytes read" 0 "$(value dram_read_bytes 'error_percent | round | fabs')"
grep -q "hotspot of hotspot:64 on tiny: 4 launches, theirs 2; means over launches are compared" "$work/err" || complain "launches: $(cat "$work/err")"

# a column for each metric, with a row of units; AccelWattch without one, where sums of columns are counters
printf '"ID","Kernel Name","sm__cycles_elapsed.max","gpu__time_duration.sum"\n"","","cycle","msecond"\n"0","hotspot","%s","2"\n' "$cycles" >"$work/wide.csv"
compared "$work/wide.csv"
is "cycles of a column" 0 "$(value cycles error_percent)"
is "milliseconds" 2000000 "$(value time theirs)"
printf 'Benchmark,Kernel,L1_RH,L1_RM,Elapsed_Cycles\nhotspot,_Z7hotspotPfi,%s,%s,%s\n' "$(awk -v l="$loads" 'BEGIN { print l / 4 - 10 }')" 10 "$cycles" >"$work/watch.csv"
compared "$work/watch.csv"
is "sum of two columns" 0 "$(value l1d_load_sectors error_percent)"

# nvprof: means over invocations
printf '==7== NVPROF is profiling\n"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n"GPU","hotspot(float*)","4","gld_transactions","Loads","1","9","%s"\n' \
    "$(awk -v l="$loads" 'BEGIN { print l / 4 }')" >"$work/nvprof.csv"
compared "$work/nvprof.csv"
is "nvprof" 0 "$(value l1d_load_sectors error_percent)"
[ ! -s "$work/err" ] || complain "nvprof: $(cat "$work/err")"

# Output of Accel-Sim is ours of the same run: each counter has no error; a changed value has one
"$MEMTWIN" run -c tiny -w hotspot:64 -s sm.coalesce=sector -s l2.sectored=yes --stats accelsim >"$work/log" 2>/dev/null
compared "$work/log"
[ "$(jq 'length' "$work/rows.json")" -ge 8 ] || complain "few counters in the output of Accel-Sim: $(jq -c 'map(.counter)' "$work/rows.json")"
is "errors beside ourselves" '[0]' "$(jq -c 'map(select(.counter | test("dram") | not).error_percent) | unique' "$work/rows.json")"
sed -i '0,/^gpu_sim_cycle = [0-9]*/s//gpu_sim_cycle = 1/' "$work/log"
compared "$work/log"
[ "$(value cycles error_percent | cut -d. -f1)" -gt 10 ] || complain "a planted value is not found: $(value cycles error_percent)"

# a database, whose runs need details
printf '[study]\nconfig = tiny\nworkload = hotspot:64 addvect:1024\ndetail = yes\n' >"$work/one.ini"
expect 0 "$MEMTWIN" study "$work/one.ini" -q -o "$work/one.db"
expect 0 "$MEMTWIN" compare "$work/one.db" "$work/wide.csv"
grep -qE "^  hotspot +cycles +" "$work/out" || complain "no kernel of the database: $(cat "$work/out")"
grep -q "one.db: 1 kernel without a counterpart: addvect" "$work/err" || complain "unpaired: $(cat "$work/err")"
# Runs of an older program stay in the database, and are not compared.
sqlite3 "$work/one.db" "UPDATE run SET identity = 'older ' || id"
expect 0 "$MEMTWIN" study "$work/one.ini" -q -o "$work/one.db"
expect 0 "$MEMTWIN" compare "$work/one.db" "$work/wide.csv" --counter cycles --json "$work/rows.json"
is "runs of hotspot" 1 "$(jq length "$work/rows.json")"
# This machine counts lines, so that counters in sectors are left out.
expect 1 "$MEMTWIN" compare "$work/one.db" "$work/nvprof.csv"
grep -q "have no counter in common" "$work/err" || complain "lines and sectors: $(cat "$work/err")"
sed -i 's/^detail.*//' "$work/one.ini"
expect 0 "$MEMTWIN" study "$work/one.ini" -q -o "$work/two.db"
expect_line 1 "two.db: no run has statistics of its kernels; run the study with memtwin study --detail" "$MEMTWIN" compare "$work/two.db" "$work/wide.csv"

# A kernel whose counter is 0 on their side alone has no error, and its difference is in no sum.
expect 0 "$MEMTWIN" run -c tiny -w backprop:64 -s sm.coalesce=sector -s l2.sectored=yes -q --json "$work/two.json"
printf 'Kernel,L1_RH,L1_RM\nfirst,5,5\nsecond,0,0\n' >"$work/zero.csv"
expect 0 "$MEMTWIN" compare "$work/two.json" "$work/zero.csv" --kernel 'backprop forward=first' --kernel 'backprop adjust=second' -q
awk '$1 == "l1d_load_sectors" { exit !($2 == 2 && $3 == $9 && $3 + 0 > 0) } END { if (!NR) exit 1 }' "$work/out" || complain "errors beside 0: $(cat "$work/out")"

# names by --kernel
sed 's/hotspot/calculate_temp/' "$work/wide.csv" >"$work/other.csv"
expect 1 "$MEMTWIN" compare "$work/ours.json" "$work/other.csv"
grep -q "no kernel of .* has the name of one in" "$work/err" || complain "no pair: $(cat "$work/err")"
compared "$work/other.csv" --kernel hotspot=calculate_temp
is "cycles of the pair" 0 "$(value cycles error_percent)"

# wrong input
expect_line 1 "$work/none.csv: No such file" "$MEMTWIN" compare "$work/ours.json" "$work/none.csv"
printf 'a,b\n1,2\n' >"$work/foreign.csv"
expect_line 1 "foreign.csv: no kernel with a counter of nvprof, Nsight Compute, AccelWattch or Accel-Sim" "$MEMTWIN" compare "$work/ours.json" "$work/foreign.csv"
expect_line 1 "foreign.csv: neither a database of memtwin study nor a file of memtwin run --json" "$MEMTWIN" compare "$work/foreign.csv" "$work/wide.csv"
expect_line 1 "--counter cycle: no such counter; did you mean 'cycles'?" "$MEMTWIN" compare "$work/ours.json" "$work/wide.csv" --counter cycle
expect_line 1 "--kernel hotspot: expected OURS=THEIRS" "$MEMTWIN" compare "$work/ours.json" "$work/wide.csv" --kernel hotspot
expect_line 1 "--csv and --json exclude each other" "$MEMTWIN" compare "$work/ours.json" "$work/wide.csv" --csv - --json -
expect_line 1 "--html -: standard output has the rows; choose a file" "$MEMTWIN" compare "$work/ours.json" "$work/wide.csv" --html - --json -
printf '"ID","Kernel Name","sm__cycles_elapsed.max","gpu__time_duration.sum"\n"0","hotspot","%s","2"\n"1","hotspot","n/a","2"\n' "$cycles" >"$work/odd.csv"
compared "$work/odd.csv"
grep -q "odd.csv:2: gpu__time_duration.sum: '2': no unit of time (ns, us, ms, s); left out" "$work/err" || complain "no unit: $(cat "$work/err")"
grep -q "odd.csv:3: sm__cycles_elapsed.max: 'n/a': not a number from 0; left out" "$work/err" || complain "no number: $(cat "$work/err")"
is "what could be read" 0 "$(value cycles error_percent)"
printf 'Kernel,Elapsed_Cycles\n"hotspot,5\n' >"$work/open.csv"
expect 1 "$MEMTWIN" compare "$work/ours.json" "$work/open.csv"
grep -q "open.csv:2: unterminated quoted field" "$work/err" || complain "quote: $(cat "$work/err")"
finish
