// SPDX-License-Identifier: Apache-2.0
/* Transfers data from the eviction policy's hardware to the host. */
#include "uvm/inside.h"

void uvm_send(struct uvm *u, const char *from, const uint64_t entry[2], uint32_t bytes, bool last) {
    struct uvm_batch *s = &u->next_batch;
    ring_push_growing(&u->entries, ((struct uvm_entry){{entry[0], entry[1]}}));
    s->from = from;
    s->entries++;
    s->bytes += bytes;
    if (!last)
        return;
    ring_push_growing(&u->batches, *s);
    *s = (struct uvm_batch){0};
}

void uvm_end_batch(struct uvm *u) {
    const struct uvm_batch s = ring_pop(&u->batches);
    for (uint32_t i = 0; i < s.entries; i++) {
        const struct uvm_entry e = ring_pop(&u->entries);
        u->evictor->hear(u->evict, e.word);
    }
}
