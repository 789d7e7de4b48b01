#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 45 s; long, 130 s
# The contract of mil can fail: a fault planted in a counter, a division, the shares or the order violates the named property. The check that
# `go` depends only on `want` and registers can fail too.
. tests/lib.bash
. tests/formal/contract_fault.bash
frames=24
size='INTERVAL_W=4 RF_W=6 INFLIGHT_W=4 MINST_W=4 RATIO_MAX=3 QUOTA_W=8'
kernel='INTERVAL_W=4 INFLIGHT_W=4 MINST_W=4 RATIO_MAX=3 ROOM_W=3 RATIO_W=2 RF_W'

# number in flight, room
fault mil/mil_kernel.v '{{W{1'"'b0"'}}, done}' '{{W{1'"'b0"'}}, done & {2{!acc}}}' mil_kernel "$kernel=6 LIMIT=0 ORDER=0" flies
fault mil/mil_kernel.v 'assign below = sum[W+1];' 'assign below = sum[W+1] || done == 3;' mil_kernel "$kernel=6 LIMIT=0 ORDER=0" no_wrap flies
fault mil/mil_kernel.v 'free[W-1:0] > WIDE_ALL' 'free[W-1:0] >= WIDE_ALL - ONE' mil_kernel "$kernel=6 LIMIT=1 ORDER=0" room_is
fault mil/mil_kernel.v "free[W] ? {ROOM_W{1'b0}} :" '' mil_kernel "$kernel=6 LIMIT=1 ORDER=0" room_is
fault mil/mil_kernel.v "set_limit == {W{1'b0}} ? ONE : set_limit" 'set_limit' mil_kernel "$kernel=6 LIMIT=1 ORDER=0" some
fault mil/mil_kernel.v 'if (set) limit_r' 'if (set || fail) limit_r' mil_kernel "$kernel=6 LIMIT=1 ORDER=0" keeps
# interval
fault mil/mil_kernel.v 'fail && !(&rf_r) ?' 'fail ?' mil_kernel "$kernel=4 LIMIT=2 ORDER=0" rises
fault mil/mil_kernel.v 'else if (start) count <= acc ?' 'else if (start) count <= 1 ?' mil_kernel "$kernel=6 LIMIT=2 ORDER=0" counts
fault mil/mil_kernel.v 'most_r   <= ends ? now : most_now;' 'most_r   <= most_now;' mil_kernel "$kernel=6 LIMIT=2 ORDER=0" mosts
fault mil/mil_kernel.v '.dividend(most_now),' '.dividend(most_r),' mil_kernel "$kernel=6 LIMIT=2 ORDER=0" divides
fault mil/mil_kernel.v 'update_r <= last && !start;' 'update_r <= last && !start && !fail;' mil_kernel "$kernel=6 LIMIT=2 ORDER=0" update_is
fault mil/mil_kernel.v 'by_0 ? zero :' 'by_0 ? ONE :' mil_kernel "$kernel=6 LIMIT=2 ORDER=0" limit_0
fault mil/mil_kernel.v 'quotient > MOST ?' 'quotient > MOST + 1 ?' mil_kernel "$kernel=6 LIMIT=0 ORDER=2" nearest
fault mil/mil_kernel.v 'ratio_new && !by_0' 'ratio_new' mil_kernel "$kernel=6 LIMIT=0 ORDER=2" stays
fault mil/mil_kernel.v 'minst_now[MINST_W-1:1]})' 'minst_now[MINST_W-1:1] >> 1})' mil_kernel "$kernel=6 LIMIT=0 ORDER=2" divides_r
# division
fault mil/mil_div.v 'part >= ' 'part > ' mil_div 'N=4 D=3' below
fault mil/mil_div.v 'less[D-1:0] :' 'part[D-1:0] :' mil_div 'N=4 D=3' product
fault mil/mil_div.v 'left <= STEPS;' 'left <= STEPS + 1;' mil_div 'N=4 D=3' steps bits
# issue order
fault mil/mil.v '(issues[k] && !go[k])' '(issues[k] && go[k])' mil "LIMIT=0 ORDER=1 $size" no_fault
fault mil/mil.v 'from_issues & ~first_issues' 'from_issues' mil "LIMIT=0 ORDER=1 $size" turn nearest
fault mil/mil.v 'assign go = able;' 'assign go = able & want;' mil "LIMIT=0 ORDER=0 $size" one_goes
fault mil/mil.v '.in   (want & able)' '.in   (able)' mil "LIMIT=0 ORDER=1 $size" can_go
quota='LIMIT=0 ORDER=2 INTERVAL_W=4 RF_W=4 INFLIGHT_W=4 MINST_W=4 RATIO_MAX=2 QUOTA_W=8'
fault mil/mil_quota.v '>= old;' '> old;' mil "$quota" one_goes greatest
fault mil/mil_quota.v 'used_up[k] ? refund :' "used_up[k] ? {QUOTA_W{1'b0}} :" mil "$quota" some
fault mil/mil_quota.v 'ONE : share[k*QUOTA_W+:QUOTA_W];' 'ONE : share[k*QUOTA_W+:QUOTA_W] << 3;' mil "$quota" fair
# shares: one step of the engine
shares='KERNELS=2 QUOTA_W=8 INDEX_W=1 RATIO_W=2'
frames=70
fault mil/mil_shares.v 'first <= first - second' 'first <= second' mil_shares "$shares" euclid
fault mil/mil_shares.v 'phase == DIV ? first : r' 'r' mil_shares "$shares" div
fault mil/mil_shares.v 'place <= load ? TOP :' 'place <= load ? TOP - LOWER :' mil_shares "$shares" times
fault mil/mil_shares.v 'else if (clear) share_r' 'else if (clear && !busy) share_r' mil_shares "$shares" shown

# go depends only on want and registers
cone_fails() { # MODULE OLD NEW
    plant mil/$1.v "$2" "$3"
    MEMTWIN_RTL=$work/rtl OUT=$work/cone expect 1 tb/formal/run.sh mil cone KERNELS=3
    grep -q 'VIOLATED: an output depends' "$work/out" || complain "the cone of mil with: $3: $(cat "$work/out")"
}
cone_fails mil '.able (want & able)' '.able (want & able & live)'
cone_fails mil_observe 'assign st_busy     = u_block.busy;' 'assign st_busy     = u_block.busy || |want;'
finish
