/* SPDX-License-Identifier: Apache-2.0 */
/* True-usage eviction (Gu, PhD dissertation, Oregon State University 2023, section 4.3.2): what the
 * policy and its hardware tell each other. docs/understand/capture.md.
 *
 * The policy keeps the life of each page. The block `lease` samples accesses and works out leases;
 * the block `expiry` keeps the blocks of pages that have expired, in the order of their last
 * expirations. Whoever steps these blocks (gmmu/gmmu_lease.c, gmmu_expiry.c) calls the functions
 * below.
 */
#ifndef MEMTWIN_EVICT_TURE_H
#define MEMTWIN_EVICT_TURE_H

#include "block/block.h"
#include "evict/evict.h"

/* ture.count */
enum { TURE_COUNT_WALKS, TURE_COUNT_ACCESSES };

#define TURE_LIFE_BITS 10

struct ture;

/* The parameters of the block `lease` that the keys of section `ture` ask for. */
struct block_params ture_lease_params(const struct config *cfg);

struct expiry_in;
struct expiry_out;

/* What the coalescing table shall do. */
enum ture_what { TURE_EXPIRE, TURE_RECALL, TURE_TAKE };

struct ture_op {
    uint8_t what;   /* enum ture_what */
    uint8_t page;   /* EXPIRE: of the block */
    uint32_t block; /* not for TAKE */
};

/* The oldest operation that the table has not accepted, or NULL. Good until the next call. */
const struct ture_op *ture_op(const struct ture *t);
/* A cycle of the table: what stands at its output is taken, the oldest operation is offered, in
 * *in, which was 0. Other pages than those that the table was told of end the run. */
void ture_serve(struct ture *t, const struct expiry_out *out, struct expiry_in *in);

/* A walk that hits the page would add an operation. */
bool ture_would_tell(const struct ture *t, uint32_t page);

/* A group has a new lease: accesses that its pages may expect. */
void ture_lease(struct ture *t, uint32_t group, uint32_t lease);

/* ture.count=accesses: takes the oldest access that `lease` has not been shown. False: there is
 * none. */
bool ture_access(struct ture *t, uint32_t *page);
/* There is one. */
bool ture_accesses(const struct ture *t);

#endif
