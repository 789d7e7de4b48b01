// SPDX-License-Identifier: Apache-2.0
/* What the hardware of the eviction policy sends to the host. */
#include "uvm/inside.h"

void uvm_send(struct uvm *u, const char *from, const uint64_t entry[2], uint32_t bytes, bool last) {
    struct sending *s = &u->next_sending;
    ring_push(&u->entries, entry);
    s->from = from;
    s->entries++;
    s->bytes += bytes;
    if (!last)
        return;
    ring_push(&u->sendings, s);
    *s = (struct sending){0};
}

void uvm_end_sending(struct uvm *u) {
    const struct sending s = *(struct sending *)ring_at(&u->sendings, 0);
    ring_pop(&u->sendings);
    for (uint32_t i = 0; i < s.entries; i++) {
        u->evictor->hear(u->evict, ring_at(&u->entries, 0));
        ring_pop(&u->entries);
    }
}
