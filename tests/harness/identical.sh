#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 25 s
# tests/identical.sh finds a statistic that differs, one more and a run that fails, and nothing between a program and itself.
. tests/lib.bash
program=$PWD/build/memtwin

one='pascal28 -w bfs:[0-9]+ --json run.json *$'

# compare CODE COMMAND [RUNS]: beside the program, one that runs COMMAND on each JSON file that it has written
compare() {
    printf '#!/bin/bash\n%s "$@" || exit\nfor file in *.json; do [ ! -s "$file" ] || %s "$file" || exit 2; done\n' "$program" "$2" >"$work/memtwin"
    chmod +x "$work/memtwin"
    expect "$1" env PROGRAM="$program" MEMTWIN="$work/memtwin" tests/identical.sh --fast --only "${3:-$one}"
}

compare 0 true 'pascal28 -w (bfs|atax):[0-9]+ '
grep -Eq '^[1-9][0-9]* runs compared, 0 not good$' "$work/out" || complain "not compared: $(tail -n 3 "$work/out")"
compare 1 "sed -i '/\"l1d_hits\":/s/:\\t/:\\t1/'"
grep -q 'stats.l1d_hits' "$work/out" || complain "the statistic is not named: $(cat "$work/out")"
compare 1 "sed -i '/\"l1d_hits\":/s/^/\"more\": 1,/'"
compare 1 false

# What is kept of a program is of its configurations too.
mkdir -p "$work/root/tb/harness" "$work/root/sim" "$work/root/build"
touch "$work/root/tb/harness/twin.mk"
cp -r sim/configs "$work/root/sim"
cp "$program" "$work/root/build"
only=(env PROGRAM="$work/root/build/memtwin" MEMTWIN="$program" tests/identical.sh --fast --only "$one")
expect 0 "${only[@]}"
sed -i 's/^\(hit_latency *= *\).*/\19/' "$work/root/sim/configs/pascal28.ini"
expect 1 "${only[@]}"
grep -q differs "$work/out" || complain "another configuration, and the same results: $(tail -n 3 "$work/out")"
expect 1 env PROGRAM="$program" MEMTWIN="$program" tests/identical.sh --only 'no such run'
finish
