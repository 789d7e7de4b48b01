#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s
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
is a '.derived | has("l1d_mshr_utilization") and has("l2_mshr_utilization") and has("dram_utilization")'
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
# Each file agrees with its schema (docs/use/output.md), and a file with another member does not.
agrees() { # FILE SCHEMA
    python3 -c 'import json, sys, jsonschema
schema = json.load(open(sys.argv[2]))
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.validate(json.load(open(sys.argv[1])), schema)' "$1" "docs/use/$2.schema.json" 2>"$work/err"
}
run all -w atax:64 -q --detail --json-series --check -s uvm.mode=paged --timeline "$work/timeline.json"
"$MEMTWIN" trace export -q -w addvect:32 -o "$work/trace"
run traced -q -t "$work/trace"
"$MEMTWIN" run -q -c tiny -w atax:64 -s sim.planted_fault=lose_reply -s sim.no_progress_cycles=2000 --json "$work/stuck.json" >"$work/out" 2>"$work/err"
for name in a b e all traced stuck; do agrees "$work/$name.json" run || complain "$name.json: not as docs/use/run.schema.json: $(tail -n 12 "$work/err")"; done
agrees "$work/timeline.json" timeline || complain "timeline: $(tail -n 12 "$work/err")"
expect 0 "$MEMTWIN" run --json "$work/streams.json" -q -c maxwell16_cke -w atax:16 -w addvect:32 -s cke.partition=smk --detail
is streams '[.detail[] | select(.scope == "stream").name] == ["atax:16", "addvect:32"]'
agrees "$work/streams.json" run || complain "two workloads: $(tail -n 12 "$work/err")"
printf '0 R 0\n9 W 64\n' >"$work/requests"
expect 0 "$MEMTWIN" dram -c tiny -t "$work/requests" --json "$work/dram.json"
agrees "$work/dram.json" dram || complain "dram: $(tail -n 12 "$work/err")"
jq '.stray = 1' "$work/a.json" >"$work/stray.json"
! agrees "$work/stray.json" run || complain "the schema allows any member"
for member in $(jq -r '.properties | keys[]' docs/use/run.schema.json); do
    grep -q "^|.*\`$member\`.*|.*|" docs/use/output.md || complain "docs/use/output.md does not explain $member"
done

# The type of a value is that of its key, and equal machines have one identity.
# The page's examples of jq find their values.
blocks sh docs/use/output.md | sed "s#build/atax#$work/page#g; s#^build/memtwin#$MEMTWIN#" >"$work/page.sh"
[ "$(grep -c jq "$work/page.sh")" -ge 2 ] || complain "docs/use/output.md has no jq"
expect 0 bash -e -o pipefail "$work/page.sh"
! grep -qx null "$work/out" || complain "docs/use/output.md: a jq example prints null: $(xargs <"$work/out")"

types() { jq -c '.config_values | [."cke.partition", ."sm.alu", ."sm.count"]' "$work/$1.json"; }
run one -q -w addvect:32 -s cke.partition=2 -s sm.alu=6,1
run zero -q -w addvect:032 -s cke.partition=02 -s sm.alu=06,001 -s sm.count=02
[ "$(types one)" = '["2","6,1",2]' ] && [ "$(types zero)" = '["2","6,1",2]' ] || complain "types: $(types one) $(types zero)"
same_identity() { # WHAT A B
    [ "$(jq .identity "$work/$2.json")" = "$(jq .identity "$work/$3.json")" ] || complain "$1: two identities"
}
same_identity "leading zeros" one zero
run short -q -w hotspot:64 && run long -q -w hotspot:64,2,8
same_identity "default sizes" short long
printf '[study]\nconfig = tiny\nworkload = addvect:32\n[axis]\ncke.partition = 02 leftover\n[axis]\nl1d.ways = 04\n' >"$work/types.ini"
expect 0 "$MEMTWIN" study "$work/types.ini" -q -o "$work/types.db"
[ "$(sqlite3 "$work/types.db" "SELECT state || axes FROM point JOIN run ON run.id = point.run ORDER BY n" | xargs -d '\n')" = \
    'done{"cke.partition":"02","l1d.ways":4} done{"cke.partition":"leftover","l1d.ways":4}' ] || complain "axes: $(sqlite3 "$work/types.db" 'SELECT axes FROM point')"
[ "$(sqlite3 "$work/types.db" "SELECT DISTINCT key || typeof(value) FROM config_value WHERE key IN ('cke.partition', 'sm.alu', 'l1d.ways') ORDER BY key" | xargs)" = \
    'cke.partitiontext l1d.waysinteger sm.alutext' ] || complain "types in the database"

# Names of any bytes: valid UTF-8 in all files and databases, and no formula in CSV.
name=$'\xff tr\xe2\x82\xff\xc3\xbc'
mv "$work/trace" "$work/$name"
run bytes -q -t "$work/$name" --csv "$work/bytes.csv" --timeline "$work/bytes.timeline" --loads "$work/bytes.loads"
agrees "$work/bytes.loads" loads || complain "loads: $(tail -n 12 "$work/err")"
for file in bytes.json bytes.csv bytes.timeline bytes.loads; do
    iconv -f UTF-8 -t UTF-8 "$work/$file" >/dev/null 2>&1 && grep -q $'/\xef\xbf\xbd tr\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xbc/' "$work/$file" ||
        complain "$file: $(grep -a -m 1 kernelslist "$work/$file" | cut -c1-200)"
done
printf '[study]\nconfig = tiny\ntrace = tr\xff tr\xfe\n' >"$work/"$'\xff.ini' && cp -r "$work/$name" "$work/"$'tr\xff' && cp -r "$work/$name" "$work/"$'tr\xfe'
expect 0 "$MEMTWIN" study "$work/"$'\xff.ini' -q -o "$work/bytes.db"
sqlite3 "$work/bytes.db" .dump | iconv -f UTF-8 -t UTF-8 >/dev/null || complain "a database that is not UTF-8"
[ "$(sqlite3 "$work/bytes.db" 'SELECT workload FROM point ORDER BY n' | xargs -d '\n')" = "$'tr\\377' $'tr\\376'" ] ||
    complain "traces with equal names: $(sqlite3 "$work/bytes.db" 'SELECT workload FROM point')"
# Commands repeat the runs. A name that looks like such a word, but is not one, is quoted.
for n in 0 1; do
    got=$(eval "$(sqlite3 "$work/bytes.db" "SELECT text FROM command JOIN point USING(run) WHERE n = $n") --identity" 2>&1)
    [ "$got" = "$(sqlite3 "$work/bytes.db" "SELECT identity FROM run JOIN point ON point.run = run.id WHERE n = $n")" ] || complain "the command of run $n: $got"
done
sqlite3 "$work/bytes.db" "UPDATE run SET call = NULL, workload = '\$''a''; b ''\377'''"
eval "set -- $(sqlite3 "$work/bytes.db" 'SELECT text FROM command LIMIT 1')"
[ $# = 6 ] && [ "$6" = "\$'a'; b '\377'" ] || complain "a quoted name: $*"
expect 0 "$MEMTWIN" report "$work/bytes.db" -o "$work/bytes.html"
iconv -f UTF-8 -t UTF-8 "$work/bytes.html" >/dev/null || complain "a page that is not UTF-8"
mv "$work/$name" "$work/=1+1"
program=$(realpath "$MEMTWIN")
(cd "$work" && "$program" run -q -c tiny -t =1+1 --csv formula.csv) >"$work/out" 2>&1
sed -n 2p "$work/formula.csv" | grep -q ",'=1+1/kernelslist.g," || complain "a formula in CSV: $(sed -n 2p "$work/formula.csv")"
[ -z "$(find "$work" -name '*.part')" ] || complain "a .part file is left"
finish
