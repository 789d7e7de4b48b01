#!/bin/bash
# Gate level at length: the reports at the points of the papers, with the library of the distribution; and a netlist with the st_ ports of each block
# in lockstep with its model, random stimulus with the coverage floors of the RTL. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash

expect 0 synth/gate_level.sh
cat "$work/out"
expect 0 synth/power.sh
cat "$work/out"
while read -r point; do
    set -- $point
    expect 0 synth/netlist.sh --area $point OBSERVE=1
    netlist=$(cat "$work/out")
    expect 0 env MEMTWIN_RTL="$PWD/$netlist/area" "$MEMTWIN" cosim "$1" $(printf -- '-p %s ' "${@:2}") --cycles 150000 --seed 3
    grep -q '^verdict: PASS$' "$work/out" || complain "$point: $(tail -1 "$work/out")"
    echo "$point: $(grep '^cycles run' "$work/out")"
done <<'END'
dl_mshr SETS=8 SLOTS=2 ADDR_W=6 OFF_W=2 ID_W=4 DATA_W=8 RESERVED_HEADS=4 TAIL=2 GATE=1 EARLY_FREE=0
dl_mshr SETS=8 SLOTS=2 ADDR_W=6 OFF_W=2 ID_W=4 DATA_W=0 RESERVED_HEADS=0 TAIL=0 GATE=0 EARLY_FREE=1
static_mshr ENTRIES=4 SLOTS=3 ADDR_W=6 OFF_W=2 ID_W=4 DATA_W=8
in_fifo ADDR_W=8 ID_W=4 DEPTH=4
bank_queues ADDR_W=8 ID_W=4 DEPTH=2 BANKS=4 BANK_MASK=3 QUEUES=4
cart ADDR_W=8 ID_W=4 DEPTH=2 BANKS=4 BANK_MASK=3 COL_MASK=12 ROWS=2 COLS=2
bpg ADDR_W=9 ID_W=2 SETS=8 WAYS=2 SAMPLED=2 TAG_W=6 CALCULATORS=2 HIT_W=4 FAIL_W=4 HIT_SCALE=0 INTERVAL=8
hir SET_W=6 PAGES=4 COUNT_W=2 LOST_W=2 WAYS=2 SETS=4
END
finish
