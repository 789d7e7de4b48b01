// SPDX-License-Identifier: Apache-2.0
#include "dram/backing.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "lib/request.h"
#include "check/check.h"
#include "lib/alloc.h"

void backing_free(struct backing *b) {
    hash_map_free(&b->lines);
    free(b->data);
    memset(b, 0, sizeof *b);
}

static const struct byte_mask all_bytes = {{UINT64_MAX, UINT64_MAX}};

/* Fills a line with the stamps of a version that no store has. */
void backing_garbage(uint8_t data[LINE_BYTES], uint64_t line) {
    check_stamp_line(data, line, &all_bytes, UINT32_MAX);
}

/* Reads a line that was never written. */
static void read_untouched(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]) {
    if (b->garbage && line < LOCAL_BASE / LINE_BYTES)
        backing_garbage(data, line);
    else
        check_stamp_line(data, line, &all_bytes, 0);
}

/* Returns the data of a line that was written, or NULL. */
static uint8_t *find_line(const struct backing *b, uint64_t line) {
    const uint32_t index = hash_map_get(&b->lines, line);
    return index == HASH_MAP_NONE ? NULL : b->data + (size_t)index * LINE_BYTES;
}

static uint8_t *add(struct backing *b, uint64_t line) {
    const uint32_t index = b->lines.used;
    b->data = alloc_grown(b->data, index, &b->room, LINE_BYTES);
    hash_map_add(&b->lines, line, index);
    return b->data + (size_t)index * LINE_BYTES;
}

void backing_read(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]) {
    const uint8_t *from = find_line(b, line);
    if (from)
        memcpy(data, from, LINE_BYTES);
    else
        read_untouched(b, line, data);
}

void backing_write(struct backing *b, uint64_t line, const uint8_t data[LINE_BYTES],
                   const struct byte_mask *mask) {
    uint8_t *to = find_line(b, line);
    if (!to) {
        to = add(b, line);
        read_untouched(b, line, to);
    }
    mask_copy(to, data, mask);
}
