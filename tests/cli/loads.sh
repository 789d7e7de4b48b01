#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 40 s
# run --loads: the spans of each load add up to its latency, and all together to the statistics (loads.jq); no statistic changes; long runs
# are sampled. report makes the page, and replay --cycles the wave of the same cycles. tests/study/browser.sh views the page in a browser.
. tests/lib.bash

rules() { # NAME: prints the faults of the file
    jq -r -L tests/cli --slurpfile run "$work/$1.run" 'include "loads"; faults($run[0])' "$work/$1.json"
}
# loads NAME EXIT OPTION...: runs with and without --loads, and checks the rules
loads() {
    local name=$1 code=$2
    shift 2
    expect "$code" "$MEMTWIN" run -q "$@" --json "$work/$name.run" --loads "$work/$name.json"
    expect "$code" "$MEMTWIN" run -q "$@" --json "$work/$name.plain"
    cmp -s <(jq 'del(.host)' "$work/$name.run") <(jq 'del(.host)' "$work/$name.plain") || complain "$name: --loads changes the results"
    rules "$name" >"$work/wrong" 2>&1
    [ ! -s "$work/wrong" ] || complain "$name: $(wc -l <"$work/wrong") faults: $(head -n 3 "$work/wrong")"
}
has() { # NAME CONDITION: checks a condition of the file
    jq -e "$2" "$work/$1.json" >/dev/null || complain "$1: not $2"
}
spans() { # NAME SPAN...: checks that loads spent cycles in each of the stages
    local name=$1 span
    shift
    for span in "$@"; do has "$name" '([.spans[].name] | index("'"$span"'")) as $i | .sums[$i] > 0'; done
}

loads tiny 0 -c tiny -w bfs:500
spans tiny lsu l1d_hit l1d_miss req_input req_switch l2_pipe l2_in l2_miss dram_queue dram_row dram_data l2_drain l2_reply reply_input reply_switch l1d_drain l1d_response
loads fermi 0 -c gtx480 -w bfs:1024
spans fermi l1d_pipe l1d_wait req_output reply_output dram_delay
# The pipeline before the tags takes l1d.hit_latency - 1 cycles; what is beyond them is the wait for the tags.
latency=$("$MEMTWIN" config -c gtx480 | sed -n '/^\[l1d\]/,/^\[/s/^hit_latency *= *\([0-9]*\).*/\1/p')
has fermi '(.columns | length) as $first | ([.spans[].name] | index("l1d_pipe")) as $p | all(.loads[]; .[$first + $p] <= '"$latency"' - 1 and (.[$first + $p + 1] == 0 or .[$first + $p] == '"$latency"' - 1))'
loads bypass 0 -c fermi15 -w atax:64 -s l1d.bypass=global
loads queues 0 -c cart28 -w atax:64 -s l2.incoming=cart -s l1d.mrpb_queues=16
loads any 0 -c tiny -w atax:64 -s l2.incoming=nonblocking -s l1d.mshr=unlimited -s l2.sectored=yes -s sm.coalesce=sector
loads atomics 0 -c tiny -w histo:65536
loads paged 0 -c tiny -w atax:64 -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.fault_us=1
spans paged tlb
loads two 0 -c maxwell16_cke -w atax:64 -w bfs:256 -s cke.partition=smk
has two '.kernels | length > 2'
loads checked 0 -c tiny -w atax:64 --check
expect 0 "$MEMTWIN" run -q -c tiny -w atax:64 -s sim.max_cycles=5000 --loads "$work/cut.json"
has cut '.complete == false and .loads_seen > 0'
# A load that lost a cycle, and a statistic that counts one more, are found.
jq '.loads[7][-1] += 1' "$work/tiny.json" >"$work/planted.json"
cp "$work/tiny.run" "$work/planted.run"
rules planted | grep -q '^load 7: spans of ' || complain "a planted cycle is not found"
jq '.stats.load_in_l2 += 1' "$work/tiny.run" >"$work/planted.run"
rules planted | grep -q '^load_in_l2: ' || complain "a planted statistic is not found"

# The file is reproducible, and the same when idle cycles are skipped.
for skip in yes no; do
    expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 -s sim.skip=$skip --loads "$work/$skip.json"
done
cmp -s <(grep -vE '^"(identity|command)"' "$work/yes.json") <(grep -vE '^"(identity|command)"' "$work/no.json") || complain "skipping changes the loads"

# A long run keeps a part; the slowest load is in it, and a range of addresses can be kept instead.
loads long 0 -c tiny -w addvect:1048576
has long '.loads_seen > 60000 and .kept.all < 40000 and .kept.sample == 30000 and .kept.slowest == 1000'
[ "$(stat -c %s "$work/long.json")" -lt 8000000 ] || complain "a long run: $(stat -c %s "$work/long.json") bytes"
has long '(.columns | index("latency")) as $c | ([.loads[] | .[$c]] | max) as $most | .latencies[-1][0] as $from | $most >= $from and $most < $from + 1 + $from / 64'
line=$(jq '(.columns | index("address")) as $a | .loads[9][$a] / 128 | floor * 128' "$work/tiny.json")
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 --loads "$work/range.json" --loads-at "$(printf '0x%x-0x%x' "$line" $((line + 127)))"
has range '(.columns | index("address")) as $a | .loads_seen > .kept.all and .kept.all > 0 and all(.loads[]; .[$a] >= '"$line"' and .[$a] < '"$line"' + 128)'

# A file without loads: the run says why.
expect_line 0 "$work/none.json: no load met --loads-at 0x10-0x20 ($(jq .loads_seen "$work/tiny.json") loads in total)" \
    bash -c '"$0" run -q -c tiny -w bfs:500 --loads "$1" --loads-at 0x10-0x20 >/dev/null' "$MEMTWIN" "$work/none.json"
has none '.loads == [] and .loads_seen > 0'
expect_line 0 "$work/none.json: no load met --loads-at 0x10-0x20 (0 loads in total)" \
    bash -c '"$0" run -q -c tiny -w bfs:500 -s sim.max_cycles=1 --loads "$1" --loads-at 0x10-0x20 2>&1 >/dev/null | grep -v "cut off at" >&2' "$MEMTWIN" "$work/none.json"
expect_line 0 "$work/none.json: the run had no loads" \
    bash -c '"$0" run -q -c tiny -w bfs:500 -s sim.max_cycles=1 --loads "$1" 2>&1 >/dev/null | grep -v "cut off at" >&2' "$MEMTWIN" "$work/none.json"
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 --loads "$work/range.json" --loads-at "$(printf '0x%x-0x%x' "$line" $((line + 127)))"
[ ! -s "$work/err" ] || complain "a range with loads: $(cat "$work/err")"

# A range that begins or ends within a line. The bytes of each load follow each other.
expect 0 "$MEMTWIN" run -q -c tiny -w addvect:1024 --loads "$work/vector.json"
base=$(jq '(.columns | index("address")) as $a | [.loads[][$a]] | min' "$work/vector.json")
for ends in "0 0" "127 127" "63 64" "70 200" "130 1000" "0 127" "100 383"; do
    read -r from to <<<"$ends"
    expect 0 "$MEMTWIN" run -q -c tiny -w addvect:1024 --loads "$work/part.json" --loads-at $((base + from))-$((base + to))
    touched=$(jq '(.columns | index("address")) as $a | (.columns | index("bytes")) as $b | [.loads[] | select(.[$a] <= '$((base + to))' and .[$a] + .[$b] > '$((base + from))')] | length' "$work/vector.json")
    has part ".kept.all == $touched and .kept.all > 0"
done

# The page holds the file, whatever its names are, and loads nothing else.
"$MEMTWIN" config -c tiny >"$work/it's <b> <!-- <script>.ini" 2>/dev/null
expect 0 "$MEMTWIN" run -q -c "$work/it's <b> <!-- <script>.ini" -w atax:16 --loads "$work/name.json"
expect 0 "$MEMTWIN" report "$work/name.json" -o "$work/name.html"
grep -q '^.*name.html: [0-9]* of [0-9]* loads, [0-9.]* MiB: open it in a browser$' "$work/out" || complain "report: $(cat "$work/out")"
sed -n '/^<script type="application\/json" id="data">/,/<\/script>/p' "$work/name.html" | sed -e '1s/^[^>]*>//' -e 's/<\/script>.*//' >"$work/data.json"
cmp -s <(jq -S . "$work/data.json") <(jq -S . "$work/name.json") || complain "the page has other data"
! grep -oE '(src|href)="[^"]*"' "$work/name.html" | grep -v '"data:' || complain "the page loads something"
# The command in the file repeats the run.
repeats() { # NAME OPTION...: checks that the command of the run has its identity
    local name=$1
    shift
    expect 0 "$MEMTWIN" run -q "$@" --loads "$work/$name.json"
    expect 0 bash -c "$(jq -r .command "$work/$name.json") -q --json '$work/again.json'"
    [ "$(jq .identity "$work/again.json")" = "$(jq .identity "$work/$name.json")" ] || complain "$name: another run: $(jq .command "$work/$name.json")"
}
repeats name -c "$work/it's <b> <!-- <script>.ini" -w atax:16
repeats sets -c tiny -w atax:16 --repeat 2 -s l1d.ways=8 -s sm.count=1
expect 0 "$MEMTWIN" trace export -q -w addvect:32 -o "$work/a trace"
repeats traced -c tiny -t "$work/a trace" -s l1d.ways=8 -s sm.count=1
repeats both -c maxwell16_cke -w atax:16 -w addvect:32 -s cke.partition=smk
expect 0 "$MEMTWIN" run -q -c tiny -w atax:16 --loads "$work/plain.json"
[ "$(jq .identity "$work/plain.json")" != "$(jq .identity "$work/sets.json")" ] || complain "identities are equal"
"$MEMTWIN" run -q -c - -w atax:16 --loads "$work/stdin.json" <sim/configs/tiny.ini >"$work/out" || complain "-c -"
has stdin '.command == null'

# Also with names of any bytes.
"$MEMTWIN" trace export -q -w addvect:32 -o "$work/"$'tr\xff\e\n'
expect 0 "$MEMTWIN" run -q -c tiny -t "$work/"$'tr\xff\e\n' --loads "$work/bytes.json"
iconv -f UTF-8 -t UTF-8 "$work/bytes.json" >/dev/null || complain "a file of loads that is not UTF-8"
eval "$(jq -r .command "$work/bytes.json" | sed "s|^memtwin|$MEMTWIN|") -q" >"$work/again" 2>&1
grep -q ': done, ' "$work/again" || complain "the command: $(cat "$work/again")"
expect 0 "$MEMTWIN" report "$work/bytes.json" -o "$work/"$'a\nb\e.html'
grep -qx '.*/a?b?\.html: [0-9]* of [0-9]* loads, .*' "$work/out" || complain "report: the name of a page: $(cat -A "$work/out")"

# The wave of the cycle in which the L1D accepts a load has the load's line at the L1D's MSHR.
expect 0 "$MEMTWIN" run -q -c tiny -w bfs:500 -s sim.max_cycles=4000 --record "l1d.0.mshr=$work/l1d.vec"
read -r cycle line < <(jq -r '(.columns | length) as $n | (.columns | to_entries | map({key: .value, value: .key}) | from_entries) as $c |
    [.loads[] | select(.[$c.sm] == 0 and .[$c.l1d_missed] == 1 and .[$c.issued] > 1000 and .[$c.issued] < 3000)][0] |
    "\(.[$c.issued] + .[$n] + .[$n + 1] + .[$n + 2] + .[$n + 3]) \(.[$c.address] / 128 | floor)"' "$work/tiny.json")
expect 0 "$MEMTWIN" replay "$work/l1d.vec" --wave "$work/l1d.vcd" --cycles "$cycle:$cycle"
bits=
for ((n = line; n; n /= 2)); do bits=$((n % 2))$bits; done
id=$(sed -n 's/^ *\$var wire *[0-9]* \([^ ]*\) req_addr .*/\1/p' "$work/l1d.vcd" | head -n 1)
grep -qxF "b$(printf '%040d' 0 | cut -c "$((${#bits} + 1))-")$bits $id" "$work/l1d.vcd" || complain "cycle $cycle: line $bits is not in the wave"
[ "$(sed -n 's/^#//p' "$work/l1d.vcd" | sed -n '1p;$p' | xargs)" = "$((1000 * cycle)) $((1000 * cycle + 1000))" ] ||
    complain "the wave has the times $(sed -n 's/^#//p' "$work/l1d.vcd" | xargs)"
replay=("$MEMTWIN" replay "$work/l1d.vec")
for text in 5 5: :5 5:4 x:y 1:2:3; do
    expect_line 1 "--cycles $text: expected FROM:TO" "${replay[@]}" --wave "$work/x.vcd" --cycles "$text"
done
expect_line 1 "--cycles needs --wave" "${replay[@]}" --cycles 1:2
expect_line 1 "--cycles needs --wave and the engine twin" "${replay[@]}" --wave "$work/x.vcd" --cycles 1:2 --engine icarus
# without a verdict or a wave
expect_line 1 "--cycles 100000:100001: the recording has 4000 cycles; FROM must be below 4000" "${replay[@]}" --wave "$work/x.vcd" --cycles 100000:100001
[ ! -e "$work/x.vcd" ] || complain "a wave of no cycle"
[ ! -e "$work/x.vcd" ] || complain "a wave without cycles"

# Errors.
run=("$MEMTWIN" run -q -c tiny -w atax:16)
expect_line 1 "--loads-at needs --loads" "${run[@]}" --loads-at 1-2
for text in x 0x 1- -1 2-1 1-2-3 0x1g 99999999999999999999; do
    expect_line 1 "--loads-at $text: expected FROM-TO" "${run[@]}" --loads "$work/x" --loads-at "$text"
done
expect_line 1 "cannot write $work/no/x: No such file" "${run[@]}" --loads "$work/no/x"
expect_line 1 "given for two outputs" "${run[@]}" --loads "$work/x" --json "$work/x"
# A page needs all members, and all values of each load.
for change in 'del(.spans)' '.cycles = "x"' '.kept = []' '.loads[0] = 1' '.loads[0] |= .[1:]'; do
    jq -c "{format} + . | $change" "$work/tiny.json" >"$work/part.json"
    expect_line 1 "$work/part.json: $([[ $change != *loads* ]] || echo 'load 0 of')" "$MEMTWIN" report "$work/part.json" -o "$work/x.html"
done
# Wrong values are found before the page meets them, the first of them in one line.
damaged() { # CHANGE TEXT
    jq -c "$1" "$work/tiny.json" >"$work/part.json"
    expect_line 1 "$work/part.json: $2" "$MEMTWIN" report "$work/part.json" -o "$work/x.html"
}
n=$(jq '.spans | length' "$work/tiny.json") insts=$(jq '.instructions | length' "$work/tiny.json") seen=$(jq .loads_seen "$work/tiny.json")
damaged '.instructions = []' "'instructions' counts 0 loads, 'loads_seen' $seen"
damaged '.instructions[1].loads += 1' "'instructions' counts $((seen + 1)) loads, 'loads_seen' $seen"
damaged '.instructions[1].loads = 0' "instruction 1: 0 loads; expected 1 or more"
damaged '.instructions[1].pc = "x"' "instruction 1: 'pc' is something else; expected a whole number from 0 to 2^64 - 1 or null"
damaged '.instructions[0].sums = []' "instruction 0: 'sums' has 0 elements; expected $n, one for each span"
damaged '.sums = []' "'sums' has 0 elements; expected $n, one for each span"
damaged '.sums[2] = null' "element 2 of 'sums' is not a whole number"
damaged '.kernels = []' "instruction 0: kernel 0; 'kernels' has 0"
damaged '.kernels[0] = 1' "element 0 of 'kernels' is not a text"
damaged '.blocks += [{}]' "element $(jq '.blocks | length' "$work/tiny.json") of 'blocks' is not a text"
damaged '.latencies = []' "'latencies' counts 0 loads, 'loads_seen' $seen"
damaged '.latencies[1] = .latencies[0]' "element 1 of 'latencies' is not a latency, larger than the one before it"
damaged '.latencies[0] = 1' "element 0 of 'latencies' is not"
damaged '.loads[5][0] = "x"' "load 5 of 'loads': value 0 is not a whole number"
damaged '.loads[3][3] = 1e300' "load 3 of 'loads': value 3 is not a whole number"
damaged '.loads[3][6] = 0.5' "load 3 of 'loads': value 6 is not a whole number"
damaged ".loads[3][3] = $insts" "load 3 of 'loads': instruction $insts; 'instructions' has $insts"
damaged '.loads[3][2] += 1' "load 3 of 'loads': latency "
damaged '.loads |= .[1:]' "'loads' has $(($(jq '.kept.all' "$work/tiny.json") - 1)) loads, 'kept' "
damaged '.columns[4] = "x"' "'columns' lacks 'sm'"
damaged '.spans[1].part = 1' "span 1: 'part' is something else; expected a text"
damaged '.l2_banks_per_channel = 0' "'l2_banks_per_channel' is 0"
damaged 'del(.kept.sample)' "kept: 'sample' is missing"
damaged '.range = 1' "'range' is something else"
# Other JSON is called so, and a file of loads may have other white space.
for change in '{}' '[1]' '{format: "memtwin-run-1"}' '{format: 1}'; do damaged "$change" "JSON, but not of memtwin run --loads"; done
expect_line 1 "tiny.run: JSON, but not of memtwin run --loads" "$MEMTWIN" report "$work/tiny.run" -o "$work/x.html"
jq . "$work/tiny.json" >"$work/indented.json"
expect 0 "$MEMTWIN" report "$work/indented.json" -o "$work/indented.html"
head -c 3000 "$work/tiny.json" >"$work/half.json"
expect_line 1 "half.json: damaged or cut off: line $(wc -l <"$work/half.json" | awk '{ print $1 + 1 }') is not JSON" "$MEMTWIN" report "$work/half.json" -o "$work/x.html"
cat "$work/tiny.json" "$work/tiny.json" >"$work/twice.json"
expect_line 1 "twice.json: damaged or cut off: line $(wc -l <"$work/tiny.json" | awk '{ print $1 + 1 }') is not JSON" "$MEMTWIN" report "$work/twice.json" -o "$work/x.html"
sed '1s/loads-1/loads-2/' "$work/tiny.json" >"$work/later.json"
expect_line 1 "later.json: format memtwin-loads-2; this program reads memtwin-loads-1" "$MEMTWIN" report "$work/later.json" -o "$work/x.html"
expect_line 1 "--study a: $work/tiny.json holds loads" "$MEMTWIN" report "$work/tiny.json" --study a
expect_line 1 "--detail-size: $work/tiny.json holds loads" "$MEMTWIN" report "$work/tiny.json" --detail-size 16
expect_line 1 "would replace the file of loads" "$MEMTWIN" report "$work/tiny.json" -o "$work/tiny.json"
[ -z "$(find "$work" -name 'x*')" ] || complain "left over: $(find "$work" -name 'x*')"
finish
