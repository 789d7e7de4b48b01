#!/bin/bash
# The contracts of the MSHRs and their parts can fail: a fault planted in a copy of the RTL violates the property that is named. The first five
# are bugs that others have shipped.
. tests/lib.bash
. tests/formal/contract_fault.bash
dl='SETS=3 SLOTS=2 ADDR_W=2 OFF_W=1 ID_W=1 RESERVED_HEADS=1'
static='ENTRIES=2 SLOTS=2 ADDR_W=2 OFF_W=1 ID_W=1'

# a request joins a super-entry that is under drain
fault dl_mshr/dlm_sets.v '& ~(ret_hit & {SETS{ret_start}})' '' dl_mshr "$dl" p_primary
# a set that is linked in the cycle of RET is orphaned
fault dl_mshr/dlm_sets.v '!(ret_start && |(full_tail & ret_hit));' "1'b1;" dl_mshr "$dl" p_primary
# the drain repeats one slot for ever
fault mshr/mshr_drain.v 'ONE : upto + ONE;' 'ONE : upto;' static_mshr "$static" p_last
# a comparison that has lost an address bit
fault mshr/mshr_cam.v 'for (b = 0; b < ADDR_W' 'for (b = 1; b < ADDR_W' static_mshr "$static" p_primary
# a set that was taken late is free again in the next cycle
fault mshr/mshr_fill.v '(used & ~clear) | take;' '(held & ~clear) | take;' dl_mshr "$dl" p_free_shared

fault lib/mt_first_id.v 'group_seen & ~(group_seen << 8)' 'group_seen' mt_first_id 'N=13 BASE=5 W=5' a_first
fault lib/mt_late_count.v '(before[0] && !less)' 'before[0]' mt_late_count 'W=3 MAX=5' a_any
fault lib/mt_fifo_ptr.v 'tail_next == head' 'tail == head' mt_fifo_ptr 'DEPTH=5 PTR_W=3' full_if_count
fault lib/mt_ram_slice.v 'rdata <= mem[raddr]' 'rdata <= mem[waddr]' mt_ram_slice 'WIDTH=4 DEPTH=6 ADDR_W=3' a_read
finish
