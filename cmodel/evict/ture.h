/* SPDX-License-Identifier: Apache-2.0 */
/* Connects true-usage eviction (Gu, PhD dissertation, Oregon State University 2023, section 4.3.2)
 * with its hardware (docs/understand/capture.md).
 *
 * The policy keeps the life of each page, which is the number of its remaining accesses. The block
 * `lease` samples accesses and computes leases. The block `expiry` keeps the 64 KB blocks with
 * expired pages, in the order of their last expirations. The owners of `lease` and `expiry`
 * (gmmu/gmmu_lease.c, gmmu_expiry.c) call the functions below.
 */
#ifndef MEMTWIN_EVICT_TURE_H
#define MEMTWIN_EVICT_TURE_H

#include "block/block.h"
#include "evict/evict.h"
#include "config/values.def"

/* Values of ture.unit. */
enum { TURE_UNIT_VALUES(VALUE_ENUMERATOR) };

#define TURE_LIFE_BITS 10
#define TURE_ENTRIES 16 /* number of blocks sampled per window */
#define TURE_WEIGHT 1   /* a new sample has weight 2^-TURE_WEIGHT in the lease */

struct ture;

/* Returns the parameters of the block `lease` for the keys of section `ture`. */
struct block_params ture_lease_params(const struct config *cfg);

struct expiry_in;
struct expiry_out;

/* Kinds of operations on the coalescing table. */
enum ture_what { TURE_EXPIRE, TURE_RECALL, TURE_TAKE };

struct ture_op {
    uint8_t what;   /* enum ture_what */
    uint8_t page;   /* for TURE_EXPIRE: index of the page within the block */
    uint32_t block; /* unused for TURE_TAKE */
};

/* Returns the oldest operation that the table has not accepted, or NULL. The result is valid until
 * the next call. */
const struct ture_op *ture_op(const struct ture *t);
/* Runs a cycle of the table: takes the table's output and offers the oldest operation in *in, which
 * must be zeroed. If the pages of the output differ from the pages that were sent to the table, the
 * run ends. */
void ture_serve(struct ture *t, const struct expiry_out *out, struct expiry_in *in);

/* True if a walk that hits the page would add an operation. */
bool ture_would_tell(const struct ture *t, uint32_t page);

/* Sets a group's lease, which is the expected number of accesses to each page in the group. */
void ture_lease(struct ture *t, uint32_t group, uint32_t lease);

/* If ture.unit=accesses, takes the oldest access that was not sent to `lease` yet. Returns false if
 * there is no such access. */
bool ture_access(struct ture *t, uint32_t *page);
/* True if ture_access() would return an access. */
bool ture_accesses(const struct ture *t);

#endif
