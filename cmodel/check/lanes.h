/* An SM's memory instructions, told lane by lane: an account apart from the coalescer.
 *
 * Every instruction that goes to the LSU is entered with its lanes. Its line accesses must then
 * enter the L1D in that order of instructions, each line once, with just the bytes of its lanes;
 * and a load may complete only when all of them were answered. A difference is a failure of the
 * check.
 */
#ifndef MEMTWIN_CHECK_LANES_H
#define MEMTWIN_CHECK_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "kernel/kernel.h"

struct lanes;

/* `insts`: instructions that the LSU can hold; `loads`: loads in flight, with ids below it. NULL if
 * out of memory. */
struct lanes *lanes_create(struct check *check, unsigned sm, uint32_t insts, uint32_t loads);
void lanes_destroy(struct lanes *l);

/* A load or store goes to the LSU. */
void lanes_issue(struct lanes *l, const struct warp_inst *inst);
/* A line access enters the L1D; id: of the load. */
void lanes_enter(struct lanes *l, bool write, uint32_t id, uint64_t line,
                 const struct byte_mask *mask);
/* A line of the load is answered. */
void lanes_answer(struct lanes *l, uint32_t id, uint64_t line);
/* The load's registers are released. */
void lanes_complete(struct lanes *l, uint32_t id);
/* The kernel is over: nothing is left. */
void lanes_end(struct lanes *l);

#endif
