// SPDX-License-Identifier: Apache-2.0
#include "dram/backing.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "lib/request.h"
#include "check/check.h"
#include "lib/alloc.h"

#define PLACE_FREE UINT64_MAX

/* The place of a line, or the free place where it would go. There is a free place. */
static uint64_t find(const struct backing *b, uint64_t line) {
    uint64_t at = line * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (b->size - 1);
    while (b->line[at] != line && b->line[at] != PLACE_FREE)
        at = (at + 1) & (b->size - 1);
    return at;
}

static void grow(struct backing *b) {
    struct backing wide = {
        .size = b->size ? 2 * b->size : 1024, .used = b->used, .garbage = b->garbage};
    wide.line = alloc_array(wide.size, sizeof *wide.line);
    wide.data = alloc_array(wide.size, LINE_BYTES);
    memset(wide.line, 0xff, wide.size * sizeof *wide.line);
    for (uint64_t i = 0; i < b->size; i++) {
        if (b->line[i] == PLACE_FREE)
            continue;
        uint64_t at = find(&wide, b->line[i]);
        wide.line[at] = b->line[i];
        memcpy(wide.data + at * LINE_BYTES, b->data + i * LINE_BYTES, LINE_BYTES);
    }
    backing_free(b);
    *b = wide;
}

void backing_free(struct backing *b) {
    free(b->line);
    free(b->data);
    memset(b, 0, sizeof *b);
}

static const struct byte_mask all_bytes = {{UINT64_MAX, UINT64_MAX}};

/* No store has this version. */
void backing_garbage(uint8_t data[LINE_BYTES], uint64_t line) {
    check_stamp_line(data, line, &all_bytes, UINT32_MAX);
}

/* What a line holds that was never written. */
static void untouched(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]) {
    if (b->garbage && line < LOCAL_BASE / LINE_BYTES)
        backing_garbage(data, line);
    else
        check_stamp_line(data, line, &all_bytes, 0);
}

void backing_read(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]) {
    if (b->size) {
        uint64_t at = find(b, line);
        if (b->line[at] == line) {
            memcpy(data, b->data + at * LINE_BYTES, LINE_BYTES);
            return;
        }
    }
    untouched(b, line, data);
}

void backing_write(struct backing *b, uint64_t line, const uint8_t data[LINE_BYTES],
                   const struct byte_mask *mask) {
    if (2 * (b->used + 1) > b->size)
        grow(b);
    uint64_t at = find(b, line);
    uint8_t *to = b->data + at * LINE_BYTES;
    if (b->line[at] == PLACE_FREE) {
        untouched(b, line, to);
        b->line[at] = line;
        b->used++;
    }
    mask_copy(to, data, mask);
}
