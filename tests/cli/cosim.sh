#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the MSHRs alone as a user would, at the points tagged cli: no mismatch, coverage above its floors, and the Verilog replays recordings
# of the model in both simulators. tests/cosim.sh covers every block at more points, and tests/long/cosim.sh a million cycles. Tier test runs
# the first point of each block.
# tier: test, 4 s; full, 28 s
. tests/lib.bash
. tb/harness/blocks.bash

cosim() { # BLOCK CYCLES NAME=VALUE...
    local block=$1 cycles=$2
    shift 2
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' "$@") --cycles "$cycles"
    echo "$block $*: $(tail -n 1 "$work/out")"
    grep -qE '^verdict: PASS( [(]coverage floors not applied[)])?$' "$work/out" || complain "$block $*: $(tail -n 3 "$work/out")"
}

points cli >"$work/points"
[ "${TIER:-full}" = full ] || { sort -u -k 1,1 "$work/points" >"$work/first"; mv "$work/first" "$work/points"; }
[ -s "$work/points" ] || complain "no points"
while read -r block _ cycles point; do cosim "$block" "$cycles" $point </dev/null; done <"$work/points"

# a large block is empty at the end, so late responses arrive in time
expect 0 "$MEMTWIN" cosim static_mshr -p ENTRIES=256 -p SLOTS=4 -p ADDR_W=42 -p PAYLOAD_W=323 --model-only

# an unwritable recording is refused before a twin is built
MEMTWIN_TWINS=$work/twins expect 1 "$MEMTWIN" cosim in_fifo --record "$work/no/x.vec"
grep -q "$work/no/x.vec: No such file" "$work/err" || complain "in_fifo, a recording into no folder: $(cat "$work/err")"
[ ! -e "$work/twins" ] || complain "a twin was built for a recording that cannot be written"

# A damaged file of a twin is built again.
expect 0 env MEMTWIN_TWINS="$work/twins" "$MEMTWIN" cosim in_fifo --cycles 100
so=$(find "$work/twins" -name 'in_fifo*.so')
echo junk >"$so"
expect 0 env MEMTWIN_TWINS="$work/twins" "$MEMTWIN" cosim in_fifo --cycles 100
[ "$(stat -c %s "$so")" -gt 1000 ] || complain "a damaged twin stays: $so"

# Without --seed, a long run is divided over four seeds. A fault names its seed, which finds it again alone, as does the replay file.
seeds() { # TEXT: expected in the output
    grep -q -- "$1" "$work/out" || complain "no '$1' in: $(sed '/^coverage/,/^cycles/d' "$work/out")"
}
expect 0 "$MEMTWIN" cosim in_fifo --cycles 100000 --record "$work/all.vec"
seeds '^cosim in_fifo .*: 100000 cycles, seeds 1 to 4$' && seeds '^cycles run 100000, compared 99996,'
grep -qx 'end 100000' "$work/all.vec" || complain "a recording of four seeds: $(tail -n 1 "$work/all.vec")"
for engine in model twin; do
    expect 0 "$MEMTWIN" replay "$work/all.vec" --engine $engine
    seeds '^verdict: PASS$'
done
expect_line 1 "plant 'nosuch@1': in_fifo has no output of that name; it has fill_ready, " "$MEMTWIN" cosim in_fifo --plant nosuch@1
expect 3 "$MEMTWIN" cosim in_fifo --plant fill_ready@120000
seeds '^verdict: MISMATCH: seed 3, cycle 20000, port fill_ready, 1 port differs$' && seeds '^this run alone: --seed 3 --cycles 25000 --plant fill_ready@20000$'
replay=$(sed -n 's/^replay file: //p' "$work/out")
expect 3 "$MEMTWIN" replay "$replay" && seeds '^verdict: MISMATCH: cycle 20000, port fill_ready$'
expect 3 "$MEMTWIN" cosim in_fifo --seed 3 --cycles 25000 --plant fill_ready@20000 --json "$work/at.json"
seeds '^verdict: MISMATCH: cycle 20000, port fill_ready, 1 port differs$'
[ "$(jq -c '.[] | [.seed, .at_cycle, .what, ([.expected, .got] | sort | join(" "))]' "$work/at.json")" = '["3",20000,"fill_ready","0 1"]' ] ||
    complain "the row of a mismatch: $(cat "$work/at.json")"
# another fault in the same cycle, or in another cycle, does not overwrite that replay file
for plant in fill_refuse@20000 fill_ready@20001; do
    expect 3 "$MEMTWIN" cosim in_fifo --seed 3 --cycles 25000 --plant $plant
    [ "$(sed -n 's/^replay file: //p' "$work/out")" != "$replay" ] || complain "$plant overwrites $replay"
done
expect 3 "$MEMTWIN" replay "$replay" && seeds '^verdict: MISMATCH: cycle 20000, port fill_ready$'
# in cycle 0 of a seed nothing is compared
expect_stop() { # CYCLE SEED
    expect 1 "$MEMTWIN" cosim in_fifo --plant "drain_valid@$1"
    grep -q "plant 'drain_valid@$1': this is cycle 0 of seed $2, in which nothing is compared; use another cycle" "$work/err" || complain "$(cat "$work/err")"
}
expect_stop 0 1
expect_stop 75000 2
for args in '--cycles 99999' '--seed 1'; do
    expect 0 "$MEMTWIN" cosim in_fifo --model-only $args
    seeds 'cycles, seed 1$'
done

# The verdict says when floors do not apply, and points that cannot occur are not listed.
expect 0 "$MEMTWIN" cosim in_fifo --model-only --cycles 100000 --json "$work/few.json"
seeds '^verdict: PASS (model alone, coverage floors not applied)$' && seeds '^not shown: [0-9]* points without hits'
! grep -q '^  fill opens a second queue' "$work/out" || complain "a point that cannot occur is shown"
enough=$(sed -n 's/^100000 cycles are too few for coverage floors at this point; \([0-9]*\) are enough$/\1/p' "$work/out")
expect 0 "$MEMTWIN" cosim in_fifo --model-only --cycles $((enough - 1))
seeds '^verdict: PASS (model alone, coverage floors not applied)$'
expect 0 "$MEMTWIN" cosim in_fifo --model-only --cycles "$enough"
seeds '^verdict: PASS (model alone)$'
[ "$(jq -c '[.[].seed] | unique' "$work/few.json")" = '["1 2 3 4"]' ] || complain "the seeds of a run: $(head -c 300 "$work/few.json")"
expect 0 "$MEMTWIN" cosim in_fifo --model-only
seeds '^verdict: PASS (model alone)$' && seeds '^  fill joins a queue of its line  *[0-9]* *1$'
for column in $(jq -r '.[0] | keys[]' "$work/few.json"); do
    grep -q "^|.*\`$column\`.* |" docs/use/output.md || complain "docs/use/output.md does not explain the column $column"
done

# the same seed gives the same run, and another seed a different one
for seed in 7 7 8; do
    expect 0 "$MEMTWIN" cosim dl_mshr --model-only --cycles 5000 --seed $seed --record "$work/$seed.vec"
    [ -e "$work/first" ] && [ $seed = 7 ] && { cmp -s "$work/first" "$work/7.vec" || complain "seed 7 twice: different"; }
    cp "$work/$seed.vec" "$work/first"
done
! cmp -s "$work/7.vec" "$work/8.vec" || complain "seeds 7 and 8: the same"

for block in dl_mshr static_mshr; do
    expect 0 "$MEMTWIN" cosim $block --model-only --cycles $([ "$TIER" = test ] && echo 1000 || echo 20000) --record "$work/x.vec"
    for engine in model twin icarus; do
        expect 0 "$MEMTWIN" replay "$work/x.vec" --engine $engine
        grep -q '^verdict: PASS$' "$work/out" || complain "$block, replay by $engine: $(tail -n 3 "$work/out")"
    done
done
finish
