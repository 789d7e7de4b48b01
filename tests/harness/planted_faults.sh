#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults planted into the RTL and into the model are found. Icarus finds the faults of a table in a recording of cosim; cosim also finds the
# first of each table (in tier full of every second one), in the same cycle and at the same port. cosim finds the other faults. A fault that can
# no longer be planted is a failure too. Run from the root. Tier test plants the first fault of each table, and none that needs a rebuilt program;
# tier full every sixth of each long table and a third of the others; tier long all. Recordings are no longer than needed.
# tier: test, 23 s; full, 100 s; long, 700 s
. tests/lib.bash
program=$MEMTWIN
case $TIER in test) part=8 ;; full) part=3 ;; *) part=1 ;; esac # fraction of a recording's cycles in tier long
point=(-p SETS=8 -p SLOTS=2 -p RESERVED_HEADS=3 -p PAYLOAD_W=34)
run=(dl_mshr_paper "${point[@]}" --cycles $((12000 / part)) --seed 5)

# verdict FILE: prints "cycle port" from a report's verdict line, or nothing.
verdict() {
    sed -n 's/^verdict: MISMATCH: \(seed [0-9]*, \)\?cycle \([0-9]*\), port \([a-z_]*\).*/\2 \3/p' "$1"
}

# ends NAME STATUS LOG COMMAND...: like expect, but names the fault and writes the output to LOG.
ends() {
    local name=$1 status=$2 log=$3 before=$failures
    shift 3
    expect "$status" "$@"
    cat "$work/out" "$work/err" >"$log"
    [ $failures -eq "$before" ] && return 0
    echo "     in: $name"
    tail -n 5 "$log" | sed 's/^/     | /'
    return 1
}

# ---- The correct RTL passes everywhere, on the model's own recording ----
cp -r rtl "$work/rtl"
export MEMTWIN_RTL=$work/rtl MEMTWIN_TWINS=$work/twins
ends record 0 "$work/log" $program cosim "${run[@]}" --model-only --record "$work/good.vec"
for engine in model icarus twin; do
    ends "good recording, $engine" 0 "$work/log" $program replay "$work/good.vec" --engine $engine
    grep -q '^verdict: PASS$' "$work/log" || complain "good recording, $engine: no PASS"
done
ends "good cosim" 0 "$work/log" $program cosim "${run[@]}"

# ---- RTL faults: name | file | sed expression ----
faults=$(
    cat <<'TABLE'
counter: a shared set taken is not counted|dl_mshr_paper/dau_free.v|s/take_shared_r <= take_shared;/take_shared_r <= 1'b0;/
counter: a reserved set freed is counted as shared|dl_mshr_paper/dau_free.v|s/all_done && (head_drained || !cur_shared);/all_done \&\& head_drained;/
link: P names a reserved set|dl_mshr_paper/dlm_sets.v|s/^ *if (link\[s\]) p <= id_shared;/if (link[s]) p <= {1'b0, id_shared[SET_W-2:0]};/
picker: a merge-full entry links nothing|dl_mshr_paper/dau.v|s/(!tail_full || any_shared)/!tail_full/
link: P names the head|dl_mshr_paper/dlm_sets.v|s/^ *if (link\[s\]) p <= id_shared;/if (link[s]) p <= head_of;/
drain: every set as if it were full|mshr/mshr_drain.v|s/= cur_fill_low == upto;/= upto == {SLOT_W{1'b0}};/
drain: a link is lost while a response waits|dl_mshr_paper/dau.v|s/if (to_head || to_successor) cur_linked/cur_linked/
drain: the links are not followed|mshr/mshr_drain.v|s/at_end = end_of_set \&\& !cur_linked/at_end = end_of_set/
drain order: slots backwards|dl_mshr_paper/dl_mshr_paper.v|s/\.rslot *(slot_rslot)/.rslot(~slot_rslot)/
drain: no RET with the last response|mshr/mshr_drain.v|s/(!active || (rsp_fire \&\& at_end \&\& !late))/!active/
refusal: merge-full for entry-full|dl_mshr_paper/dau.v|s/MSHR_REFUSE_ENTRY_FULL/MSHR_REFUSE_MERGE_FULL/
release: a set is free before the others|dl_mshr_paper/dau.v|s/? set_done : all_done/? set_done : set_done/
ret: still matchable after RET|dl_mshr_paper/dlm_sets.v|s/ & ~(ret_hit & {SETS{ret_start}})//
ret: a tail linked in the cycle of its RET stays matchable|dl_mshr_paper/dlm_sets.v|s/(take & {SETS{!joins}})/take/
state: no request waits after merge-full|dl_mshr_paper/dau.v|s/`MSHR_S8 : `MSHR_S9/`MSHR_S8 : `MSHR_S7/
error: not sticky|dl_mshr_paper/dau.v|s/else if (\(ret_start && !ret_known\)) err <= \(.*\);/else err <= \1 ? \2 : `MSHR_OK;/
payload: inverted|mshr/mshr_slots.v|s/\.wdata(wdata)/.wdata(~wdata)/
TABLE
)

# chosen NUMBER FIRST: whether the fault with this number in a short table is planted: in tier full each third one from FIRST on
chosen() { [ "$TIER" != full ] || [ $(($1 % 3)) = "$2" ]; }

# plant FILE SED: changes a file of the scratch RTL, and fails if nothing changes. An observer is copied from tb/.
plant() {
    [ -e "$work/rtl/$1" ] || cp "tb/$1" "$work/rtl/$1"
    cp "$work/rtl/$1" "$work/keep.v"
    sed -i "$2" "$work/rtl/$1"
    ! cmp -s "$work/keep.v" "$work/rtl/$1"
}

# found_by RECORDING BLOCK OPTION...: plants each fault on stdin. Icarus finds it in the recording; cosim finds the first one too, with its own twin
# (in tier test in every fourth table, in tier full in every second one).
found=0 wanted=0 tables=0
found_by() {
    local recording=$1 name file expression twin icarus had= n=0
    local with_twin=0
    case $TIER in test) with_twin=$((tables % 4)) ;; full) with_twin=$((tables % 2)) ;; esac
    shift
    tables=$((tables + 1))
    while IFS='|' read -r name file expression; do
        if ! plant "$file" "$expression"; then
            complain "$name: the fault can no longer be planted into $file"
        elif [ -z "$had" ] || [ "$TIER" = long ] || [ "$TIER-$((n % 6))" = full-0 ]; then
            wanted=$((wanted + 1))
            ends "$name: icarus" 3 "$work/log" $program replay "$recording" --engine icarus && found=$((found + 1))
            icarus=$(verdict "$work/log")
            [ -n "$icarus" ] && echo "found: $name (cycle port: $icarus)" || complain "$name: no cycle and port"
            if [ -z "$had" ] && [ $with_twin -eq 0 ] && ends "$name: cosim" 3 "$work/log" $program cosim "$@"; then
                twin=$(verdict "$work/log")
                # Icarus may be earlier, since it sees X on unqualified inputs.
                [ "$icarus" = "$twin" ] || [ "${icarus%% *}" -lt "${twin%% *}" ] || complain "$name: Verilator finds '$twin', Icarus '$icarus'"
            fi
            had=1
        fi
        cp "$work/keep.v" "$work/rtl/$file"
        n=$((n + 1))
    done
}
found_by "$work/good.vec" "${run[@]}" <<<"$faults"

# ---- Unqualified inputs: a fault that uses them is found by the noise in cosim, and immediately by the X in Icarus ----
walk=(dl_mshr_paper -p TAIL=0 -p SETS=8 -p SLOTS=2 -p RESERVED_HEADS=3 --cycles 4000)
if plant dl_mshr_paper/dau_tail.v 's/on_way   <= req_valid && /on_way   <= /'; then
    ends "the walk goes on without a request" 3 "$work/log" $program cosim "${walk[@]}"
    ends "the same, recording" 0 "$work/log" $program cosim "${walk[@]}" --model-only --record "$work/walk.vec"
    ends "the same, icarus" 3 "$work/log" $program replay "$work/walk.vec" --engine icarus
    cycle=$(verdict "$work/log" | cut -d ' ' -f 1)
    [ -n "$cycle" ] && [ "$cycle" -le 200 ] || complain "X is found in cycle '$cycle', not by 200"
else
    complain "the walk goes on without a request: the fault can no longer be planted"
fi
cp "$work/keep.v" "$work/rtl/dl_mshr_paper/dau_tail.v"

# ---- Faults that a driver must find at the defaults or in the paper's DL-MSHR, some within 20,000 cycles ----
early=0
while IFS='|' read -r name file expression at; do
    if [ "$TIER" = test ] && [ $early -gt 0 ]; then break; fi
    early=$((early + 1))
    chosen $((early - 1)) 1 || continue
    if plant "$file" "$expression"; then
        ends "$name" 3 "$work/log" $program cosim $at && echo "found: $name (cycle port: $(verdict "$work/log"))"
    else
        complain "$name: the fault can no longer be planted into $file"
    fi
    cp "$work/keep.v" "$work/rtl/$file"
done <<'TABLE'
reset: the head that was drained last is still counted|dl_mshr_paper/dau_free.v|s/^ *head_drained <= 1'b0;$//|dl_mshr_paper --cycles 20000
ret: a set that is linked in its cycle is forgotten|dl_mshr/dlm_attached.v|s/ . (free \& {N{grows}})//|dl_mshr --cycles 20000
probe: a lookup of a full block says that a request would begin a fetch|dl_mshr/dl_mshr.v|s/req_primary = !hit;/req_primary = !hit || (full \&\& !any_attached);/|dl_mshr --cycles 20000
probe: after the drain, a lookup says that a request would merge|dl_mshr/dl_mshr.v|s/req_primary = !hit;/req_primary = !hit \&\& !stale;/|dl_mshr --cycles 20000
look: the block of the request and that of the look are compared without their highest bit|mshr/mshr_heads.v|s/!late \&\& look_addr == addr/!late \&\& look_addr[ADDR_W-2:0] == addr[ADDR_W-2:0]/|dl_mshr --cycles 20000
order: the row of last time is compared without its highest bit|cart/cart.v|s/last_row == fill_row;/last_row[ROW_W-2:0] == fill_row[ROW_W-2:0];/|cart --cycles 20000
room: a kernel with more in flight than its limit has room|mil/mil_kernel.v|s/assign room = free\[W\] ?/assign room = 1'b0 ?/|mil --cycles 20000
limit: the counter of failures wraps|mil/mil_kernel.v|s/fail \&\& !(&rf_r) ?/fail ?/|mil --cycles 20000
quota: the last entry but one of a window does not count in the next cycle|lease/lease.v|s/\.one  *(one),/.one(one \& {GROUPS{duty}}),/|lease
interval: one that ends as its kernel starts is not dropped|mil/mil_kernel.v|s/ends = acc \&\& !start \&\&/ends = acc \&\&/|mil
TABLE

# ---- Blocks before the L2 ----
# found_in BLOCK OPTION...: like found_by, but records $cycles cycles itself (default 12000). Without a fault Icarus finds nothing (in tier full
# in the first quarter).
found_in() {
    local length=$((${cycles:-12000} / part)) start
    start=$length
    ends "good $1 recording" 0 "$work/log" $program cosim "$@" --cycles "$length" --model-only --record "$work/good.$1.vec"
    [ "$TIER" != full ] || start=$((length / 4))
    ends "good $1, start" 0 "$work/log" $program cosim "$@" --cycles "$start" --model-only --record "$work/start.vec"
    ends "good $1, icarus" 0 "$work/log" $program replay "$work/start.vec" --engine icarus
    found_by "$work/good.$1.vec" "$@" --cycles "$length"
}

found_in in_fifo -p DEPTH=3 -p ADDR_W=8 -p ID_W=8 <<'TABLE'
in_fifo: a full one takes what enters while one leaves|in_fifo/in_fifo.v|s/assign fill_ready  = !full;/assign fill_ready  = !full || leave;/
in_fifo: an entry leaves an empty FIFO|in_fifo/in_fifo.v|s/leave = drain_valid && drain_ready;/leave = drain_ready;/
TABLE

found_in bank_queues -p DEPTH=3 -p BANKS=8 -p BANK_MASK=14 -p QUEUES=4 -p ADDR_W=8 -p ID_W=8 <<'TABLE'
bank_queues: refused for another queue|bank_queues/bank_queues.v|s/!(|(at_fill & full))/!(|full)/
bank_queues: the rotation is stuck|bank_queues/bank_queues.v|s/drain_ready ? from << 1 : from;/from;/
bank_queues: the rotation goes on while it is held|bank_queues/bank_queues.v|s/drain_ready ? from << 1 : from;/from << 1;/
TABLE

found_in cart -p ROWS=2 -p COLS=3 -p DEPTH=3 -p BANKS=2 -p BANK_MASK=2 -p COL_MASK=5 -p ADDR_W=7 -p ID_W=8 -p AGE_LIMIT=3 <<'TABLE'
fill: the row is not compared|cart/cart_fill.v|s/group_used\[g\] && same_row\[g\];/group_used[g];/
fill: the lowest bit of the column is not compared|cart/cart_fill.v|s/col_tags\[q\*COL_W+:COL_W\] == col;/col_tags[q*COL_W+1+:COL_W-1] == col[COL_W-1:1];/
fill: joins the older queues of a line as well|cart/cart_fill.v|s/ && young\[q\] && / \&\& /
fill: refused for the column as for the row|cart/cart_fill.v|s/any_row ? `INCOMING_REFUSE_COLUMN/any_row ? `INCOMING_REFUSE_ROW/
fill: a place beyond the queue's end|cart/cart_queues.v|s/if (tail >= PLACES) tail = tail - PLACES;//
order: a second queue does not wait|cart/cart_queues.v|s/(enters && take ? same_tag\[.*\] : older)/older/
order: a queue waits for one that has emptied|cart/cart_queues.v|s/ & ~closes\[.*\]$//
drain: the rotation is stuck|cart/cart_rotate.v|s/: any ? other :/:/
drain: the rotation goes on while it is held|cart/cart_rotate.v|s/stays ? bank : //; s/if (!stays) from_bank/from_bank/
drain: the rotation passes a branch that is entered just now|cart/cart_rotate.v|s/fill \&\& fill_first ? at_fill : any/any/
drain: an empty branch is offered|cart/cart_rotate.v|s/empties = ready/empties = 1'b0/
drain: nothing is held|cart/cart_drain.v|s/held_r <= valid && !ready;/held_r <= 1'b0;/
drain: the offer depends on what the bank says|cart/cart_drain.v|s/assign why = held ?/assign why = held \&\& !ready ?/
drain: the queue of last time counts when it has emptied|cart/cart_branches.v|s/last_used <= !leave_empty;/last_used <= 1'b1;/
drain: the row of last time is forgotten|cart/cart_branches.v|s/((leave_tags |/((/
drain: the row of last time is forgotten with its group|cart/cart_branches.v|s/drained && row_again/1'b0/
drain: lengths do not count for the longest|cart/cart_longest.v|s/in\[q\] && lengths.*;/in[q];/
drain: of two longest the highest|lib/mt_first_one.v|s/seen << (1/seen >> (1/; s/seen << 1/seen >> 1/
age: the limit is one too few|cart/cart_age.v|s/= LIMIT\[PASSED_W-1:0\];/= LIMIT[PASSED_W-1:0] - 1'b1;/
age: the count goes on with the next oldest|cart/cart_age.v|s/passed <= shift\[0\] ? {PASSED_W{1'b0}} : /passed <= /
age: a request that enters while one leaves is lost|cart/cart_age.v|s/ & {LEN{enter}};/ \& {LEN{enter \&\& !leave}};/
address: without the bank|cart/cart.v|s/assign drain_addr = addr_bank | /assign drain_addr = /
TABLE

# elaborated only at these points
small=(-p ROWS=2 -p COLS=2 -p DEPTH=3 -p BANKS=4 -p BANK_MASK=3 -p COL_MASK=4 -p ADDR_W=7 -p ID_W=8)
found_in cart "${small[@]}" -p FILL=1 <<'TABLE'
branch: a queue is joined by its column alone|cart/cart_fill.v|s/(FILL == 0 || same_row\[q%TAGS\]) && //
branch: refused for the row as for the column|cart/cart_fill.v|s/any_row    = |same_row;/any_row    = 1'b1;/
branch: the row of last time has its queue alone|cart/cart_branches.v|s/|(choice & row_pairs\[.*\])/choice[i]/
branch: a queue that its row gets as it leaves is not of it|cart/cart_branches.v|s/take_tag & {TAGS{|(choice & same_row)}}/{TAGS{1'b0}}/
branch: the queue of last time is told by its number in a group|cart/cart_branches.v|s/(FILL == 0) ? COLS : N;/COLS;/
branch: queues of a line wait in a group alone|cart/cart.v|s/((FILL == 0) ? GROUPS : 1)/(GROUPS)/; s/((FILL == 0) ? QUEUES : N)/(QUEUES)/
TABLE
found_in cart "${small[@]/#COL_MASK=*/COL_MASK=12}" -p COL_DROP=1 <<'TABLE'
column: the dropped bits are lost|cart/cart.v|s/ | addr_drop;/;/
column: its highest bits are dropped|cart/cart.v|s/DROP_MASK = lowest(COL_MASK, DROP)/DROP_MASK = COL_MASK - lowest(COL_MASK, COL_W)/
TABLE
found_in cart "${small[@]}" -p HOLD=0 <<'TABLE'
not held: next is the lowest of the other branches|cart/cart_rotate.v|s/others & from_bank;/others;/
not held: the rotation waits for the bank|cart/cart_rotate.v|s/stays = HOLD != 0 \&\& /stays = /
TABLE
found_in cart "${small[@]}" -p POLICY=1 <<'TABLE'
longest: the branch is not held|cart/cart_drain.v|s/= held ? held_bank : longest;/= longest;/
TABLE
found_in cart "${small[@]}" -p POLICY=2 <<'TABLE'
round robin: the rotation is stuck|cart/cart_drain.v|s/(HOLD == 0 || ready) ? -queue << 1 : -queue;/-queue;/
round robin: the rotation goes on while it is held|cart/cart_drain.v|s/(HOLD == 0 || ready) ? -queue << 1 : -queue;/-queue << 1;/
TABLE

# ---- bpg ----
bpg=(-p SETS=16 -p SAMPLED=4 -p WAYS=3 -p CALCULATORS=5 -p INTERVAL=40 -p ADDR_W=14 -p TAG_W=6 -p ID_W=3 -p HIT_W=4 -p FAIL_W=5 -p HIT_SCALE=2)
found_in bpg "${bpg[@]}" <<'TABLE'
taking: the access of a launch's cycle is taken|bpg/bpg.v|s/acc_valid && !launch/acc_valid/
looking: sampled by the high bits of the set|bpg/bpg.v|s/low <= acc_set\[SKIP-1:0\]/low <= acc_set[SET_BITS-1-:SKIP]/
looking: the row is the low bits of the set|bpg/bpg.v|s/row = acc_set\[SET_BITS-1-:ROW_BITS\]/row = acc_set[ROW_BITS-1:0]/
looking: user k counts for calculator k|bpg/bpg.v|s/id} < k;/id} <= k;/
looking: the hit of a WRITE is counted|bpg/bpg.v|s/mine && op == `BPG_LOAD && found/mine \&\& enters \&\& found/
looking: launch leaves the lines|bpg/bpg.v|s/\.clear (launch),/.clear (1'b0),/
looking: the highest bit of the tag is not compared|bpg/bpg_shadow.v|s/held == tag;/held[TAG_W-2:0] == tag[TAG_W-2:0];/
looking: EVICT does nothing|bpg/bpg_shadow.v|s/ & ~(hit & {WAYS{evict}})//
replacement: a way that EVICT emptied is passed over|bpg/bpg_shadow.v|s/any_free ? free/any_free \&\& !valid_at[WAYS-1] ? free/
replacement: not the least recently used|bpg/bpg_shadow.v|s/: oldest;/: {{WAYS-1{1'b0}}, 1'b1};/
replacement: UPDATE uses nothing|bpg/bpg_shadow.v|s/{enter || update}/{enter}/
replacement: a hit uses nothing|bpg/bpg_shadow.v|s/{enter || update}/{update}/
counters: they wrap|bpg/bpg_counter.v|s/!(&count)}/1'b1}/
counters: they are not halved|bpg/bpg_counter.v|s/halve ? {1'b0, total\[W-1:1\]} : total/total/
counters: halved without what the last cycle adds|bpg/bpg_counter.v|s/{1'b0, total\[W-1:1\]}/{1'b0, count[W-1:1]}/
interval: one access short|bpg/bpg.v|s/LAST_COUNT = INTERVAL - 1/LAST_COUNT = INTERVAL - 2/
interval: a failure in its last cycle is not in the decision|bpg/bpg.v|s/\.fails     (fails)/.fails     (u_fails.count)/
decision: launch does not stop it|bpg/bpg.v|s/\.clear     (launch),/.clear     (1'b0),/
decision: the table's last entry is not read|bpg/bpg_judge.v|s/\.raddr(index)/.raddr(index == LAST ? {INDEX_W{1'b0}} : index)/
decision: an entry is read as it was before it is written|bpg/bpg_judge.v|s/cube_valid && cube_index == index;/1'b0;/
decision: the product shifted by one bit less|bpg/bpg_judge.v|s/FRACTION = `BPG_CUBE_W;/FRACTION = `BPG_CUBE_W - 1;/
decision: RF is rounded up|bpg/bpg_judge.v|s/, {FRACTION{1'b1}}}/, {FRACTION{1'b0}}}/
decision: hits are not scaled|bpg/bpg_judge.v|s/(HIT_SCALE + FRACTION)/FRACTION/
decision: the sign is not compared|bpg/bpg_judge.v|s/reg signed \(\[ADJUSTED_W-1:0\] best;\)/reg \1/
decision: of two equal ones the smaller k|bpg/bpg_judge.v|s/value >= best/value > best/
decision: no update if lmax stays|bpg/bpg_judge.v|s/update <= decide;/update <= decide \&\& lmax != (better ? K : best_k);/
ask: user lmax uses the L1D|bpg/bpg.v|s/ask_id} >= /ask_id} > /
index: bxor without its fold|lib/mt_set_index.v|s/fold = a\[18:7\]/fold = 12'b0/
TABLE
found_in bpg "${bpg[@]/#SETS=*/SETS=32}" -p INDEX=2 <<'TABLE'
index: two bits of fermi's fold swapped|lib/mt_set_index.v|s/a\[12\], a\[10\]/a[10], a[12]/
TABLE

# ---- hir ----
found_in hir -p SETS=4 -p WAYS=3 -p SET_W=8 -p PAGES=4 -p LOST_W=3 <<'TABLE'
taking: a hit in the cycle of reset is taken|hir/hir.v|s/if (rst) look <= 1'b0;/if (rst) look <= take;/
taking: hits are taken while it sends|hir/hir.v|s/hit_ready = !busy;/hit_ready = 1'b1;/
taking: the hit of flush's cycle is not|hir/hir.v|s/take = hit_valid && hit_ready;/take = hit_valid \&\& hit_ready \&\& !flush;/
looking: the highest bit of the tag is not compared|hir/hir_ways.v|s/tag_held == tag;/tag_held[TAG_W-2:0] == tag[TAG_W-2:0];/
looking: the entry of the cycle before is not seen|hir/hir_ways.v|s/again = same_row && .*/again = 1'b0;/
looking: any hit of the set is one of the entry of the cycle before|hir/hir_ways.v|s/ && last_tag == tag;/;/
looking: the hit of the cycle before counts for each set|hir/hir_ways.v|s/last && last_row == row;/last;/
looking: a page set that was lost in the cycle before is found|hir/hir_ways.v|s/same_row && last_kept && /same_row \&\& /
looking: the way of the cycle before is free|hir/hir_ways.v|s/same_row ? last_valid :/same_row ? last_valid \& ~last_way :/
looking: the counters of the cycle before are not seen|hir/hir_ways.v|s/(last_counts & {COUNTS_W{again}})/{COUNTS_W{1'b0}}/
ways: all that are free become the entry|hir/hir_ways.v|s/~valid & ((valid << 1) | WAY0);/~valid;/
ways: the first hit of a set takes all|hir/hir_ways.v|s/first_valid = row_used || w == 0;/first_valid = 1'b1;/
ways: nothing is lost|hir/hir_ways.v|s/full     = valid\[WAYS-1\] && row_used;/full     = 1'b0;/
ways: what was sent stays|hir/hir.v|s/else clear <= done;/else clear <= 1'b0;/
counters: they wrap|hir/hir_bump.v|s/(touched\[i\] && !(&count))/touched[i]/
counters: all pages are touched|hir/hir_bump.v|s/(touched\[i\] && !(&count))/!(\&count)/
counters: a new entry starts from those in the RAM|hir/hir_ways.v|s/(counts_picked & {COUNTS_W{row_used}})/counts_picked/; s/((match & {WAYS{look}})/(((any_hit ? match : chosen) \& {WAYS{look}})/
lost: it wraps|hir/hir.v|s/&lost ? lost : lost + ONE/lost + ONE/
lost: it is not 0 when all was sent|hir/hir.v|s/else if (done) lost .*//
order: the way of a new entry is another|hir/hir.v|s/{free_way, row}/{free_way >> 1, row}/
order: found entries too|hir/hir.v|s/\.enter      (miss && !full),/.enter      (look \&\& !full),/
sending: a cycle early, without the hit of flush's cycle|hir/hir_order.v|s/send       <= busy;/send       <= busy || flush;/
sending: nothing to send, and not busy for it|hir/hir_order.v|s/busy       <= busy || flush;/busy       <= busy || (flush \&\& count != 0);/
sending: nothing to send, and busy for ever|hir/hir_order.v|s/ || (send && count == {COUNT_W{1'b0}});/;/
sending: an entry that stands is passed over|hir/hir_order.v|s/re   = next_valid && .*/re   = next_valid;/
sending: a number that waits is passed over|hir/hir_order.v|s/ && (!next_valid || re);/;/
sending: the last is said of the entry before it|hir/hir_order.v|s/if (re) out_last <= all_read;/out_last <= all_read;/
sending: the one before the last ends it|hir/hir_order.v|s/all_read <= place_next == count;/all_read <= place_next + ONE == count;/
sending: the set is that of the hits|hir/hir.v|s/busy ? send_row : hit_row/hit_row/
sending: always the first way|hir/hir.v|s/WAY0 << send_way;/WAY0;/
sending: the way that was sent last stays selected|hir/hir.v|s/else if (done) out_way .*//
TABLE

# ---- Faults that need a large size: found by the run of tests/cosim.sh at that size, with this seed ----
# found_at BLOCK POINT CYCLES NAME FILE SED: finds the fault at this row of rtl/BLOCK/block.points
found_at() {
    local block=$1 point=$2 cycles=$3 name="$1, $4" file=$5 params
    params=$(sed -n "s/^$point *|[^|]*| *//p" "rtl/$block/block.points")
    [ -n "$params" ] || complain "$name: no row $point"
    if plant "$file" "$6"; then
        ends "$name" 3 "$work/log" $program cosim "$block" $(printf -- '-p %s ' $params) --cycles "$cycles" --seed 11 &&
            echo "found: $name (cycle port: $(verdict "$work/log"))"
    else
        complain "$name: the fault can no longer be planted into $file"
    fi
    cp "$work/keep.v" "$work/rtl/$file"
}
n=0
while IFS='|' read -r block point cycles name file expression; do
    [ "$TIER" != test ] && chosen $((n++)) 0 && found_at "$block" "$point" "$cycles" "$name" "$file" "$expression"
done <<'TABLE'
dl_mshr_paper|256x2_unreserved|20000|the drain knows 16 groups: RET|dl_mshr_paper/dlm_sets.v|s/GROUP0 << (ret_head >> PLACE_W)/GROUP0 << (ret_head >> PLACE_W \& 15)/
dl_mshr_paper|256x2_unreserved|20000|the drain knows 16 groups: next|dl_mshr_paper/dlm_sets.v|s/GROUP0 << (cur_successor >> PLACE_W)/GROUP0 << (cur_successor >> PLACE_W \& 15)/
dl_mshr_paper|256x2_unreserved|20000|the first free set: the prefix OR stops at 128|lib/mt_first_id.v|s/k < LEVELS; k/k < LEVELS \&\& k < 7; k/
dl_mshr_paper|lint_widest|20000|address bits from 42 on are not compared|dl_mshr_paper/dlm_cam.v|s/tag == compared/tag[(ADDR_W > 42 ? 42 : ADDR_W)-1:0] == compared[(ADDR_W > 42 ? 42 : ADDR_W)-1:0]/
dl_mshr|dl_64x4_40_heads|20000|the last head is never free|mshr/mshr_heads.v|s/\.in   (~used)/.in   (~used \& ~(ENTRY0 << (N - 1)))/
dl_mshr|dl_64x4_40_heads|20000|the lookup register does not follow the drain|mshr/mshr_heads.v|s/= hit \&\& draining \&\& id == drain_head/= 1'b0/
dl_mshr|dl_64x4_40_heads|20000|a head is opened beside a look for its block, which does not see it|mshr/mshr_heads.v|s/!look || (req_fire \&\& !late/!look || (req_fire \&\& !take \&\& !late/
dl_mshr|dl_64x4_40_heads|20000|the drain ends at a set that is not the last|dl_mshr/dlm_attached.v|s/: !(|(at_cur \& is_last))/: !(|(at_cur[N-2:0] \& is_last[N-2:0])) \&\& !at_cur[N-1]/
dl_mshr|256x4|40000|RET compares owners without their highest bit|dl_mshr/dlm_attached.v|s/owners\[g\*HEAD_W+:HEAD_W\] == ret_head;/owners[g*HEAD_W+:HEAD_W-1] == ret_head[HEAD_W-2:0];/
dl_mshr|8x2|20000|no gap after a merge with the last response|mshr/mshr_drain.v|s/gap    <= rsp_fire \&\& grows_at_end/gap    <= 1'b0/
static_mshr|lint_most_entries|40000|the first free entry: the prefix OR stops at 128|lib/mt_first_one.v|s/k < LEVELS; k/k < LEVELS \&\& k < 7; k/
in_fifo|lint_most|20000|a pointer wraps at 512|lib/mt_fifo_ptr.v|s/== LAST ?/[8:0] == 511 ?/
bank_queues|lint_most_places|20000|a pointer wraps at 512|lib/mt_fifo_ptr.v|s/== LAST ?/[8:0] == 511 ?/
bank_queues|lint_most_queues|20000|the number of a queue has 5 bits|lib/mt_onehot_enc.v|s/(onehot & POSITIONS);/(onehot \& POSITIONS) \&\& b < 5;/
cart|2R2C2E_most_aged|20000|8 bits count what has passed|cart/cart_age.v|s/PASSED_W = $clog2(LIMIT + 1)/PASSED_W = 8/
bpg|2x1x1_counters|700000|the failure counter stops at 15 bits|bpg/bpg.v|s/\.one  (failed)/.one  (failed \&\& !(\&u_fails.count[14:0]))/
bpg|2x1x1_counters|700000|hit counters stop at 15 bits|bpg/bpg.v|s/\.one  (hit\[k-1\])/.one  (hit[k-1] \&\& !(\&u_hits.count[14:0]))/
bpg|2x1x1_counters|700000|bit 15 of the failures is not multiplied|bpg/bpg_judge.v|s/base <= fails;/base <= fails \& 16'h7fff;/
bpg|2x1x1_counters|700000|bit 15 of the hits is not compared|bpg/bpg_judge.v|s/started ? hits :/started ? hits \& ~{CALCULATORS{16'h8000}} :/
TABLE

# ---- lease ----
lease=(-p LANES=3 -p ENTRIES=4 -p BLOCK_W=4 -p COUNT_W=4 -p PAGES=4 -p GROUPS=3 -p DUTY=30 -p PERIOD=133 -p LIFE_W=3)
cycles=60000 found_in lease "${lease[@]}" <<'TABLE'
choosing: the entry of the cycle before is not seen|lease/lease_lanes.v|s/same\[l\] = .*/same[l] = 1'b0;/
choosing: a group's last entry, of the cycle before, is not seen|lease/lease_lanes.v|s/ && !(last\[l\] && .*seen_g);/;/
choosing: a group's last entry, of two cycles before, is not seen|lease/lease_groups.v|s/room_0 || (room_1 && grows)/room_0/
choosing: two are left, and one is taken|lease/lease_groups.v|s/grows ? room_2 : room_1/room_1/
choosing: a group that there is not has a quota|lease/lease_lanes.v|s/{{ALL{1'b1}}, none}/{{ALL{1'b0}}, none}/
choosing: with no entry free|lease/lease_lanes.v|s/choose = any \&\& !full/choose = any/
choosing: the group of another lane|lease/lease_lanes.v|s/{seen_g, seen_b};/{seen_group[GROUP_W-1:0], seen_b};/
joining: lanes of the new block are not counted|lease/lease_lanes.v|s/joins\[l\] \&\& (join_known.*/joins[l] \&\& join_known[l];/
joining: a block that was known joins the new entry|lease/lease_lanes.v|s/join_known\[l\] ? join_entry\[l\*ENTRY_W+:ENTRY_W\] : //
quota: of later cycles and of its own|lease/lease_groups.v|s/else if (set \&\& set_group == THIS) limit <= set_quota;/else if (quota_valid \&\& quota_group == THIS) limit <= quota;/
quota: a window begins with entries of the last one|lease/lease_groups.v|s/else if (clear) entries.*//
counting: it wraps|lease/lease_counts.v|s/ | {COUNT_W{overflow}}//
counting: pages are forgotten|lease/lease_counts.v|s/pages_r | marks_r/marks_r/
counting: outside a window|lease/lease.v|s/acc_valid & {L{duty}}/acc_valid/
counting: what is missed is not of the window|lease/lease_observe.v|s/missed    <= u_block.clear ? 16'd0 :/missed    <=/
window: a cycle longer|lease/lease.v|s/LAST_DUTY = DUTY - 1/LAST_DUTY = DUTY/
lease: the last accesses are not counted yet|lease/lease.v|s/LAST_COUNT = DUTY + 4/LAST_COUNT = DUTY + 2/
lease: entries of all groups|lease/lease_average.v|s/used\[e\] \&\& groups.* == group/used[e]/
lease: the sum of the group before|lease/lease_average.v|s/sum <= {SUM_W{1'b0}};/sum <= sum;/
lease: divided by one entry less|lease/lease_average.v|s/FIND) n <= {N_W{1'b0}};/FIND) n <= {N_W{1'b1}};/
lease: rounded down|lease/lease_average.v|s/HALF = 8/HALF = 0/
lease: the first is weighted|lease/lease_average.v|s/was_leased ? distance_part : distance/distance_part/
lease: it falls by too little|lease/lease_average.v|s/distance_part = distance >>> WEIGHT/distance_part = distance \/ (1 << WEIGHT)/
lease: not held at the most|lease/lease_average.v|s/above ? MOST\[LIFE_W-1:0\] ://
lease: reset leaves it|lease/lease_average.v|s/if (rst) leased/if (1'b0) leased/
lease: a window stops nothing|lease/lease_average.v|s/else if (clear) state <= SAMPLE;//
TABLE
cycles=60000 found_in lease -p COUNT_W=2 -p PAGES=32 -p ENTRIES=2 -p GROUPS=2 -p DUTY=30 -p PERIOD=95 <<'TABLE'
lease: may be 0|lease/lease_average.v|s/below ? LEAST ://
TABLE

# ---- mil ----
mil=(-p KERNELS=3 -p INTERVAL_W=4 -p RF_W=7 -p INFLIGHT_W=5 -p MINST_W=5 -p RATIO_MAX=6 -p QUOTA_W=8)
# One of the faults in tier full needs 24,000 cycles, so the recording is no shorter there.
cycles=$((60000 * $([ "$TIER" = full ] && echo $part || echo 1))) found_in mil "${mil[@]}" <<'TABLE'
flight: what is done in the cycle of a start is not counted|mil/mil_kernel.v|s/- {{W{1'b0}}, done};/- {{W{1'b0}}, start ? 2'b0 : done};/
room: one more than the limit|mil/mil_kernel.v|s/free = {1'b0, limit} - /free = {1'b0, limit} + 1'b1 - /
interval: begins with the maximum of the last one|mil/mil_kernel.v|s/most_r   <= ends ? now :/most_r   <= ends ? most_r :/
limit: without failures it stays|mil/mil_kernel.v|s/by_0 ? zero :/by_0 ? limit_r :/
limit: may be 0|mil/mil_kernel.v|s/quotient == {W{1'b0}} ? ONE : quotient/quotient/
limit: start does not drop what is due|mil/mil_kernel.v|s/update_r <= last && !start;/update_r <= last;/
ratio: rounded down|mil/mil_kernel.v|s/, minst_now\[MINST_W-1:1\]})/, {MINST_W - 1{1'b0}}})/
ratio: of an interval in which none was issued|mil/mil_kernel.v|s/ratio_new \&\& !by_0/ratio_new/
ratio: not held at the most|mil/mil_kernel.v|s/quotient > MOST ? MOST_R : //
shares: start keeps them|mil/mil_shares.v|s/else if (clear) share_r/else if (clear \&\& !busy) share_r/
shares: a new ratio waits|mil/mil_shares.v|s/end else if (start) begin/end else if (start \&\& phase == IDLE) begin/
shares: shown one after the other|mil/mil_shares.v|s/else if (phase == SHOW) share_r/else if (phase == SHARE) share_r/
shares: the common divisor is found too soon|mil/mil_shares.v|s/ || first == second;/ || first <= second;/
quota: a kernel that is not live has it refilled|mil/mil_quota.v|s/|(live & used_up)/|used_up/
quota: a kernel that is not live gets a share|mil/mil_quota.v|s/refill \&\& live\[k\]/refill/
quota: the rest is lost|mil/mil_quota.v|s/used_up\[k\] ? refund : total\[QUOTA_W\]/1'b1 ? refund : total[QUOTA_W]/
quota: runs over|mil/mil_quota.v|s/total\[QUOTA_W\] ? {QUOTA_W{1'b1}} : //
order: of equal quotas the highest number|mil/mil_quota.v|s/>= old;/> old;/; s/\] > old;$/] >= old;/
error: not sticky|mil/mil.v|s/else if (err == 2'd0) err/else err/
error: who may not go is not looked at|mil/mil.v|s/ || (issues\[k\] \&\& !go\[k\])//
TABLE
cycles=60000 found_in mil "${mil[@]}" -p LIMIT=1 -p ORDER=1 <<'TABLE'
static: a limit of 0|mil/mil_kernel.v|s/set_limit == {W{1'b0}} ? ONE : set_limit/set_limit/
static: update only if the limit changes|mil/mil_kernel.v|s/update_r <= set;/update_r <= set \&\& set_limit != limit_r;/
turns: the one that issued last is next|mil/mil.v|s/from_issues \& ~first_issues/from_issues/
TABLE

# ---- cap ----
found_in cap -p GROUPS=5 -p AVAIL_W=12 -p SIZE_W=8 -p C_NUM=5 -p C_DEN=4 -p OVER=2 <<'TABLE'
set: what the group had stays|cap/cap.v|s/\.we   (set_valid)/.we   (set_valid \&\& !(|(known \& (GROUP0 << set_group))))/
set: reset does not forget|cap/cap.v|s/known     <= {N{1'b0}};/known     <= known;/
set: agg is not waited for|cap/cap.v|s/ \&\& agg_known;/;/
ask: a group and the next are one|cap/cap.v|s/\.raddr(ask_group)/.raddr({ask_group[GROUP_W-1:1], 1'b0})/
product: a carry is lost|lib/mt_sum_rows.v|s/((x & y) | (x & z) | (y & z))/((x \& y) | (x \& z))/
product: the highest bit of avail is not multiplied|cap/cap.v|s/{{DEN_W{1'b0}}, ask_avail}/{{DEN_W + 1{1'b0}}, ask_avail[AVAIL_W-2:0]}/
need: without the denominator's like|cap/cap.v|s/{{SIZE_W{1'b0}}, NUM}/{{SIZE_W{1'b0}}, NUM - 1'b1}/
compare: equal sides do not fit|cap/cap.v|s/>= wide_need/> wide_need/
compare: a size too large|cap/cap.v|s/(i + 5) >=/(i + 4) >=/
limit: 15 blocks are 16|cap/cap.v|s/|req\[SIZE_W-1:4\], |req\[SIZE_W-1:3\]/|req[SIZE_W-1:4] || \&req[3:0], |req[SIZE_W-1:3]/
full: the size by capacity|cap/cap.v|s/full ? BELOW_OVER\[3:0\] : fit/fit/
full: of the next question|cap/cap.v|s/limit & (full ?/limit \& (ask_full ?/
answer: only one of two running|cap/cap.v|s/else ans_valid <= asked;/else ans_valid <= asked \&\& !ans_valid;/
TABLE

# ---- expiry ----
found_in expiry -p ENTRIES=5 -p BLOCK_W=4 -p PAGES=4 -p TAKE=3 <<'TABLE'
order: a recall overtakes an expiration that has waited longer|expiry/expiry.v|s/exp_now \&\& (!rec_now || exp_first)/exp_now \&\& !rec_now/
order: an expiration goes before a recall of the same cycle|expiry/expiry.v|s/(!rec_now || exp_first)/1'b1/
order: what waited longer is forgotten in the next cycle|expiry/expiry.v|s/(!rec_valid || exp_first);/!rec_valid;/
order: a take goes before an expiration|expiry/expiry.v|s/take_now && !exp_now/take_now/
taking: a second operation is lost|expiry/expiry.v|s/exp_waits  <= exp_now \&\& !exp_begins;/exp_waits  <= 1'b0;/
taking: ready though one waits|expiry/expiry.v|s/ready = idle \&\& !exp_waits \&\& !rec_waits;/ready = idle;/
taking: a take that waits is forgotten|expiry/expiry.v|s/take_waits <= take_now \&\& !take_begins;/take_waits <= take;/
taking: a take that comes with another is forgotten|expiry/expiry.v|s/take_now = take_waits || take;/take_now = take_waits || (take \&\& idle);/
lookup: the highest bit of the block is not compared|expiry/expiry_tags.v|s/tag == block;/tag[BLOCK_W-2:0] == block[BLOCK_W-2:0];/
lookup: entries that are free are compared|expiry/expiry_tags.v|s/equal \& used;/equal;/
lookup: an entry that has gone is still there|expiry/expiry_tags.v|s/ \& ~(at \& {ENTRIES{clear}});/;/
lookup: the lowest free entry of two cycles ago|expiry/expiry_tags.v|s/always @(posedge clk) free_way <= lowest;/reg [WAY_W-1:0] late, later; always @(posedge clk) {free_way, later, late} <= {later, late, lowest};/
lookup: that of a recall is of the expiration before|expiry/expiry.v|s/(op_rec ? rec_block_r : exp_block_r)/(exp_block_r)/
full: an entry is taken although all are used|expiry/expiry.v|s/!found \&\& !full;/!found;/
full: one entry is never used|expiry/expiry.v|s/full = count == ALL;/full = count == ALL - ONE;/
mask: a new entry keeps the pages of the old one|expiry/expiry.v|s/(out_mask \& {PAGES{found_r}})/out_mask/
mask: an update forgets the pages before|expiry/expiry.v|s/(out_mask \& {PAGES{found_r}}) | //
list: an update leaves the order as it is|expiry/expiry.v|s/append <= change \&\& op_exp;/append <= change \&\& op_exp \&\& !found_r;/; s/change \&\& has_entry \&\& !is_new/change \&\& has_entry \&\& !is_new \&\& !(op_exp \&\& found_r)/
list: the oldest is not known when it is updated|expiry/expiry_order.v|s/if (unlink \&\& is_oldest) oldest <= newer;/if (1'b0) oldest <= newer;/
list: the newest is not known when it goes|expiry/expiry_order.v|s/if (unlink \&\& is_newest) newest <= older;/if (1'b0) newest <= older;/
list: the link from the older entry stays|expiry/expiry_order.v|s/(unlink \&\& !is_oldest) || //
list: the link from the newer entry stays|expiry/expiry_order.v|s/(unlink \&\& !is_newest) || //
list: an entry in an empty list is not its oldest|expiry/expiry_order.v|s/first = was_empty || /first = /
list: the only entry is not its oldest behind an update|expiry/expiry_order.v|s/was_empty || (is_oldest \&\& is_newest);/was_empty;/
take: it ends one entry early|expiry/expiry.v|s/MOST = TAKE - 1;/MOST = TAKE - 2;/
take: the second entry is the first again|expiry/expiry.v|s/(is_take \&\& change) ? newer : //
take: it goes on with an empty table|expiry/expiry.v|s/ || count <= ONE || / || /
output: it does not stand|expiry/expiry.v|s/ || (out_valid \&\& !out_ready);/;/
output: the reason of a recall is that of a take|expiry/expiry.v|s/2'd2 : 2'd1/2'd1 : 2'd1/
reset: a take is kept|expiry/expiry.v|s/{exp_waits, rec_waits, take_waits, exp_first} <= 4'd0;/{exp_waits, rec_waits, exp_first} <= 3'd0;/
reset: entries are kept|expiry/expiry_tags.v|s/if (rst) used <= {ENTRIES{1'b0}};/if (rst) used <= used;/
TABLE

# ---- cache_example ----
found_in cache_example -p LINE_BYTES=32 -p SETS=2 -p WAYS=2 -p DATA_W=64 -p ADDR_W=16 -p ID_W=4 -p MSHR_SETS=4 -p MSHR_SLOTS=1 -p EVICTS=2 <<'TABLE'
S1: a line in the eviction buffer is fetched|cache_example/cache_example.v|s/else if (evicted) why/else if (1'b0) why/
S1: the set under drain is looked up|cache_example/cache_example.v|s/drain_valid && drain_line\[INDEX_W-1:0\] == s1_index/1'b0/
S1: a store does not wait for a beat|cache_example/cache_example.v|s/if (s1_write && fill_write) why/if (1'b0) why/
S1: a second fetch does not wait for the first|cache_example/cache_example.v|s/m_arvalid && !m_arready) why/1'b0) why/
lines: a line that fills is a victim|cache_example/cache_lines.v|s/|free ? free : ~fills/|free ? free : {WAYS{1'b1}}/
lines: the highest bit of the tag is not compared|cache_example/cache_lines.v|s/tags\[w\*TAG_W+:TAG_W\] == tag;/tags[w*TAG_W+:TAG_W-1] == tag[TAG_W-2:0];/
lines: a victim that was evicted still hits|cache_example/cache_lines.v|s/{LINES{fetch || evict}}/{LINES{fetch}}/
lines: the turn is stuck|cache_example/cache_lines.v|s/turn <= from << 1;/turn <= turn;/
fill: a line drains while another does|cache_example/cache_fill.v|s/ && !(is_last && draining);/;/
fill: an error in a beat before is forgotten|cache_example/cache_fill.v|s/ || (failed\[head\] .*/;/
fill: a fetch begins in the middle of a line|cache_example/cache_fill.v|s/is_last ? {BEAT_W{1'b0}} : beat + 1'b1/beat + 2'd2/
evict: acknowledged when it is sent|cache_example/cache_evict.v|s/(LINE0 << ack_ptr) & {LINES{acked}}/(LINE0 << send_ptr) \& {LINES{sent}}/
evict: the words of the line before|cache_example/cache_evict.v|s/\.raddr({send_ptr, beat})/.raddr({ack_ptr, beat})/
evict: a copy is a word short|cache_example/cache_evict.v|s/copy_ends = copying && copied == ALL/copy_ends = copying \&\& copied[BEAT_W-1:0] == LAST/
drain: a store and a beat in one cycle|cache_example/cache_example.v|s/ && !(drain_write && fill_write);/;/
drain: a line with an error is kept|cache_example/cache_example.v|s/\.filled_valid(!drain_bad)/.filled_valid(1'b1)/
drain: stores leave the line clean|cache_example/cache_example.v|s/(drain_dirty || drain_write)/(1'b0)/
TABLE

# ---- High address bits, and a beat without a fetch: the cache at its defaults, and the MSHRs as tests/cosim.sh replays them ----
# Verilator uses another address store than synthesis and Icarus do.
recorded() {
    ends "$1, wide recording" 0 "$work/log" $program cosim "$@" --model-only --record "$work/wide.$1.vec"
}
recorded cache_example --cycles 20000 --seed 11
recorded dl_mshr $(sed -n 's/^8x2 *|[^|]*| *//p' rtl/dl_mshr/block.points | sed 's/[^ ]*=/-p &/g') --cycles 500 --seed 12
recorded static_mshr $(sed -n 's/^5x2_two *|[^|]*| *//p' rtl/static_mshr/block.points | sed 's/[^ ]*=/-p &/g') --cycles 500 --seed 12
n=0
while IFS='|' read -r block name file expression; do
    chosen $((n++)) 1 || continue
    if plant "$file" "$expression"; then
        ends "$name" 3 "$work/log" $program replay "$work/wide.$block.vec" --engine icarus && echo "found: $name (cycle port: $(verdict "$work/log"))"
    else
        complain "$name: the fault can no longer be planted into $file"
    fi
    cp "$work/keep.v" "$work/rtl/$file"
    [ "$TIER" != test ] || break
done <<'TABLE'
cache_example|lines: the highest bit of the tag is not compared|cache_example/cache_lines.v|s/tags\[w\*TAG_W+:TAG_W\] == tag;/tags[w*TAG_W+:TAG_W-1] == tag[TAG_W-2:0];/
cache_example|lines: bit 17 of the tag is not compared|cache_example/cache_lines.v|s/tags\[w\*TAG_W+:TAG_W\] == tag;/((tags[w*TAG_W+:TAG_W] ^ tag) | 131072) == 131072;/
cache_example|evict: the highest bit of the address is not compared|cache_example/cache_evict.v|s/addrs\[i\] == addr;/addrs[i][ADDR_W-2:0] == addr[ADDR_W-2:0];/
cache_example|evict: the lowest bit of the address is not compared|cache_example/cache_evict.v|s/addrs\[i\] == addr;/addrs[i][ADDR_W-1:1] == addr[ADDR_W-1:1];/
cache_example|misses: the highest bit of the address is not compared|dl_mshr_paper/dlm_cam.v|s/tag == compared;/tag[ADDR_W-2:0] == compared[ADDR_W-2:0];/
cache_example|fill: a beat of no fetch is taken|cache_example/cache_fill.v|s/(!open\[head\] || /(/
dl_mshr|dl_mshr: address bits from 32 on are not stored|mshr/mshr_cam.v|s/if (store\[e\]) tag <= addr;/if (store[e]) tag <= addr[31:0];/
static_mshr|static_mshr: address bits from 32 on are not stored|mshr/mshr_cam.v|s/if (store\[e\]) tag <= addr;/if (store[e]) tag <= addr[31:0];/
TABLE

# ---- X: Icarus finds state without reset ----
if plant mshr/mshr_drain.v "s|^ *active <= 1'b0;$||"; then
    ends "no reset of active: icarus" 3 "$work/log" $program replay "$work/good.vec" --engine icarus &&
        grep -Eq '^  rtl +[0-9a-f]*x' "$work/log" && echo "found: no reset of active (X at $(verdict "$work/log"))" ||
        complain "no reset of active: no X in Icarus' report"
else
    complain "no reset of active: the fault can no longer be planted"
fi
cp "$work/keep.v" "$work/rtl/mshr/mshr_drain.v"

# ---- A flipped bit of the model's outputs is reported in the same cycle and at the same port ----
# The point has wide ports: st_state has 128 bits and rsp_payload 1168. The first, middle and last bit of each port are flipped.
wide=(dl_mshr_paper -p SETS=32 -p SLOTS=2 -p RESERVED_HEADS=16 -p PAYLOAD_W=1168 --cycles 2400 --seed 5)
widths="req_ready 1 req_refuse 2 req_primary 1 req_head 5 req_slot 6 ret_ready 1 rsp_valid 1 rsp_last 1 rsp_payload 1168
    rsp_slot 6 err 1 st_free_heads 6 st_free_shared 6 st_state 128"

# flip PORT BIT CYCLE
flip() {
    local port=$1 bit=$2 cycle=$3 plant replay status
    plant="$port[$bit]@$cycle"
    [ "$bit" -gt 0 ] || plant=$port@$cycle # for bit 0, [0] is left out
    $program cosim "${wide[@]}" --plant "$plant" >"$work/log" 2>&1
    status=$?
    if [ $status -ne 3 ] || [ "$(verdict "$work/log")" != "$cycle $port" ]; then
        complain "plant $plant: status $status, '$(verdict "$work/log")'"
        return
    fi
    grep -q ', 1 port differs$' "$work/log" || complain "plant $plant: more ports differ"
    replay=$(sed -n 's/^replay file: //p' "$work/log")
    ends "plant $plant: replay" 3 "$work/log" $program replay "$replay" --engine model
    [ "$(verdict "$work/log")" = "$cycle $port" ] || complain "plant $plant: replay finds '$(verdict "$work/log")'"
    echo "found: plant $plant"
}

# Every output is listed with its width, which the recording's header shows.
ends "wide recording" 0 "$work/log" $program cosim "${wide[@]}" --model-only --record "$work/wide.vec"
listed=$(sed -n '/^data$/q; s/^port O[A-Z]* //p' "$work/wide.vec" | xargs)
[ "$listed" = "$(xargs <<<"$widths")" ] || complain "the outputs are now: $listed"
number=0
while read -r port width; do
    # the last cycle in which the port is valid, by its compare bit in the recording
    cycle=$(sed '1,/^data$/d; /^end /d; s/.* //' "$work/wide.vec" |
        awk -v bit=$number '{ d = substr($1, length($1) - int(bit / 4), 1)
            if (int((index("0123456789abcdef", d) - 1) / 2 ^ (bit % 4)) % 2) last = NR - 1 } END { print last }')
    for bit in $(printf '%s\n' 0 $((width / 2)) $((width - 1)) | sort -nu); do
        flip "$port" "$bit" "$cycle"
    done
    number=$((number + 1))
done < <(xargs -n 2 <<<"$widths")
ends "plant beyond the port" 1 "$work/log" $program cosim "${wide[@]}" --plant "st_state[128]@5"
grep -q 'st_state has bits 0 to 127' "$work/log" || complain "plant beyond the port: $(tail -n 1 "$work/log")"
for plant in 'err[@5' 'err[]@5' 'err[0]' 'err[0@5' 'err[-1]@5' 'err[0]]@5' '[0]@5' 'err[99999999999999999999]@5'; do
    ends "plant $plant" 1 "$work/log" $program cosim "${wide[@]}" --plant "$plant"
done

# ---- An RTL fault in a high bit of a wide port ----
if plant mshr/mshr_slots.v 's/\.wdata(wdata)/.wdata({!wdata[PAYLOAD_PW-1], wdata[PAYLOAD_PW-2:0]})/'; then
    ends "rsp_payload, bit 1167" 3 "$work/log" $program cosim "${wide[@]}" &&
        [[ $(verdict "$work/log") == *" rsp_payload" ]] && echo "found: rsp_payload, bit 1167 (cycle port: $(verdict "$work/log"))" ||
        complain "rsp_payload, bit 1167: '$(verdict "$work/log")'"
else
    complain "rsp_payload, bit 1167: the fault can no longer be planted"
fi
cp "$work/keep.v" "$work/rtl/mshr/mshr_slots.v"

# ---- RTL that stops the simulation itself ----
for task in stop finish; do
    [ "$TIER" = long ] || [ $task = stop ] || continue
    if plant dl_mshr_paper/dau_free.v "s/^ *if (set_done) head_drained/if (!rst \&\& unused_heads == 1) \$$task;\n&/"; then
        ends "\$$task" 3 "$work/log" $program cosim "${run[@]}"
        grep -q '^  port     (the RTL stopped)$' "$work/log" && grep -q "^  rtl      \$$task at .*dau_free\.v:" "$work/log" &&
            echo "found: \$$task" || complain "\$$task: not in the report: $(grep -E '^  (port|rtl)' "$work/log")"
    else
        complain "\$$task: the fault can no longer be planted"
    fi
    cp "$work/keep.v" "$work/rtl/dl_mshr_paper/dau_free.v"
done

# ---- State outside the class that the shim compares is refused ----
ends "state in many classes" 1 "$work/log" env TWIN_VFLAGS=-fno-inline $program cosim dl_mshr_paper -p SETS=4 -p SLOTS=2 -p RESERVED_HEADS=1 --cycles 2000
grep -q 'requires all state in Vdl_mshr_paper___024root.h, but there is also: Vdl_mshr_paper_dau' "$work/log" ||
    complain "state in many classes: $(tail -n 1 "$work/log")"

# ---- Invalid plants ----
ends "plant of no port" 1 "$work/log" $program cosim "${run[@]}" --plant nonsense@5
ends "plant of no cycle" 1 "$work/log" $program cosim "${run[@]}" --plant err@
ends "plant past the end" 1 "$work/log" $program cosim "${run[@]}" --plant err@12000

# ---- Faults in the model's source, in a copy of the tree, where objects of this tree need no compilation ----
mkdir -p "$work/tree"
cp -a Makefile cmodel tb sim rtl "$work/tree"
cp -a --parents build/asan/obj/{cmodel,tb,sim} build/asan/libmemtwin.so build/report "$work/tree" 2>/dev/null
model_faults=$(
    cat <<'TABLE'
model: attaches reserved sets|s/lowest_free(m, m->g.heads_only)/lowest_free(m, 0)/
model: an attached set in the drain looks like a head in it|s/\(m, next, \|->set\[next\].state = \)MSHR_S10/\1MSHR_S5/
model: RET is taken in the middle of a chain|s/!m->late \&\& drain_ends(m)/!m->late \&\& drain_set_ends(m)/
TABLE
)
core=cmodel/mshr/mshr_core.c
case $TIER in test) model_faults= ;; full) model_faults=$(head -n 1 <<<"$model_faults") ;; esac
while IFS='|' read -r name expression; do
    [ -n "$name" ] || continue
    cp -p "$core" "$work/tree/$core"
    sed -i "$expression" "$work/tree/$core"
    if cmp -s "$core" "$work/tree/$core"; then
        complain "$name: the fault can no longer be planted into $core"
        continue
    fi
    touch "$work/tree/$core"
    if ! (cd "$work/tree" && MEMTWIN_HOME=$PWD make -s build/memtwin-asan) >"$work/log" 2>&1; then
        complain "$name: does not compile"
        tail -n 5 "$work/log" | sed 's/^/     | /'
        continue
    fi
    ends "$name" 3 "$work/log" env MEMTWIN_HOME="$PWD" "$work/tree/build/memtwin-asan" cosim "${run[@]}" &&
        echo "found: $name (cycle port: $(verdict "$work/log"))"
done <<<"$model_faults"

echo "$found RTL faults found, $failures failures"
case $TIER in test) floor=10 ;; full) floor=40 ;; long) floor=128 ;; esac
[ $failures -eq 0 ] && [ $found -eq $wanted ] && [ $found -ge $floor ]
