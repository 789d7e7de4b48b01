#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 60 s; long, 130 s
# Each proof can fail: a fault planted in a copy of the RTL violates its property, and Icarus reproduces the violation. Tier full examines
# each second fault.
. tests/lib.bash
. tests/formal/plant.bash
export MEMTWIN_RTL=$work/rtl OUT=$work/proofs

tb/formal/run.sh --list | sort -s -t '|' -k 6,6r >"$work/list" # quick proofs first

# violates BLOCK PROPERTY [PARAMETER=VALUE]...: checks that the proof finds a violation that Icarus reproduces, at the first point with these
# parameters, in tier long at the other quick ones too
violates() {
    turn 2 2 || return 0
    awk -F '|' -v block="$1" -v property="$2" -v parameters="${*:3}" -v tier="$TIER" '
        $1 == block && $2 == property && (parameters == "" || index(" " $3 " ", " " parameters " ")) && (!n++ || (tier == "long" && $6 == "q"))' "$work/list" >"$work/proof"
    PROOFS=$work/proof expect 1 tb/formal/run.sh "$@"
    grep -q "^$1 *$2 .*VIOLATED" "$work/out" || complain "$*: $(cat "$work/out")"
    [ "$2" = cone ] || grep -q '| VIOLATED [1x]$' "$work/out" || complain "$*: not seen in Icarus: $(cat "$work/out")"
}

plant in_fifo/in_fifo.v '.raddr(head)' '.raddr(tail)'
violates in_fifo order
violates in_fifo account
plant in_fifo/in_fifo.v 'assign fill_ready  = !full' 'assign fill_ready  = drain_valid && !full'
violates in_fifo room
plant in_fifo/in_fifo.v 'assign fill_ready  = !full' 'assign fill_ready  = !full || drain_ready'
violates in_fifo cone
plant lib/mt_fifo_ptr.v 'full <= push && tail_next == head' 'full <= push' # full after a single push
violates in_fifo room
violates bank_queues room

plant bank_queues/bank_queues.v '.raddr(head)' '.raddr(tail)'
violates bank_queues order
plant lib/mt_fifo_ptr.v 'full <= push && tail_next == head' "full <= 1'b0"
violates bank_queues account
plant bank_queues/bank_queues.v 'drain_ready ? from << 1 : from;' 'from << 1;'
violates bank_queues hold
plant bank_queues/bank_queues.v 'assign fill_ready  = !(|(at_fill & full))' 'assign fill_ready  = !(|(at_fill & full)) && drain_valid'
violates bank_queues room

plant bpg/bpg.v 'ask_past = lmax' 'ask_past = !fail && lmax'
violates bpg cone
plant hir/hir.v 'hit_ready = !busy;' 'hit_ready = !busy && !flush;'
violates hir cone

plant cart/cart_fill.v 'same_tag[q] && young[q] && !full[q]' 'same_tag[q] && !full[q]' # also joins the older queue
violates cart order
plant cart/cart_queues.v "length[0] && older == {COLS{1'b0}}" 'length[0]' # a younger queue is drained first
violates cart order
plant cart/cart_queues.v 'longer & ({DEPTH{!leaves}} | (longer >> 1))' 'longer & ({DEPTH{!leaves}} | (longer >> 1) | 1)' # the last request stays
violates cart account
plant cart/cart_fill.v 'same_tag[q] && young[q] && !full[q]' 'same_tag[q] && young[q]' # joins a full queue
violates cart account
plant cart/cart_rotate.v 'HOLD != 0 && |bank && !ready' "1'b0" # the rotation advances despite a held output
violates cart hold
plant cart/cart_drain.v 'queue = held ? held_queue : chosen' 'queue = chosen'
violates cart hold POLICY=1
plant cart/cart_fill.v ': any_empty_group' ": any_empty_group && |group_used"
violates cart room
plant cart/cart_drain.v 'assign why = held ?' 'assign why = held || ready ?'
violates cart cone
plant cart/cart_fill.v '(FILL == 0 || same_row[q%TAGS])' "1'b1" # joins a queue of another row
violates cart account ROWS=2 COLS=2 FILL=1
plant cart/cart_fill.v '(FILL == 0 || same_row[q%TAGS])' '(FILL == 0 || q != 1)' # a full queue is not recognized as one of the line
violates cart order FILL=1
plant cart/cart.v '| addr_col | addr_drop;' '| addr_col;'
violates cart account COL_DROP=1
plant cart/cart_age.v 'LAST = LIMIT[PASSED_W-1:0]' 'LAST = LIMIT[PASSED_W-1:0] + 1'
violates cart age
finish
