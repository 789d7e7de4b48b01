#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 7 s
# tests/identical.sh finds a statistic that differs, an additional one and a failed run, and no difference between a program and itself.
. tests/lib.bash
program=$PWD/build/memtwin

one='pascal28 -w bfs:[0-9]+ --json run.json *$'

# compare CODE COMMAND [RUNS]: compares the program with one that runs COMMAND on each JSON file it has written
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

# The cached results of a program depend on its configurations.
mkdir -p "$work/root/tb/harness" "$work/root/sim" "$work/root/build"
touch "$work/root/tb/harness/twin.mk"
cp -r sim/configs "$work/root/sim"
cp "$program" "$work/root/build"
only=(env PROGRAM="$work/root/build/memtwin" MEMTWIN="$program" tests/identical.sh --fast --only "$one")
expect 0 "${only[@]}"
sed -i 's/^\(hit_latency *= *\).*/\19/' "$work/root/sim/configs/pascal28.ini"
expect 1 "${only[@]}"
grep -q differs "$work/out" || complain "another configuration gives the same results: $(tail -n 3 "$work/out")"
expect 1 env PROGRAM="$program" MEMTWIN="$program" tests/identical.sh --only 'no such run'
finish
