// SPDX-License-Identifier: Apache-2.0
#include "os/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#include "lib/alloc.h"
#include "os/interrupt.h"

#define ROOM (256 * 1024)

struct hash {
    XXH3_state_t *state;
};

struct hash *hash_new(void) {
    struct hash *h = alloc_array(1, sizeof *h);
    h->state = XXH3_createState();
    if (!h->state)
        alloc_fail(0);
    XXH3_128bits_reset(h->state);
    return h;
}

void hash_free(struct hash *h) {
    if (!h)
        return;
    XXH3_freeState(h->state);
    free(h);
}

void hash_add(struct hash *h, const void *data, size_t size) {
    XXH3_128bits_update(h->state, data, size);
}

static int add_bytes(struct hash *h, int fd, void *room) {
    uint64_t total = 0;
    uint8_t digits[8];
    ssize_t n;
    while ((n = read_until_stop(fd, room, ROOM)) != 0) {
        if (n < 0)
            return -1;
        hash_add(h, room, (size_t)n);
        total += (uint64_t)n;
    }
    for (unsigned i = 0; i < sizeof digits; i++)
        digits[i] = (uint8_t)(total >> 8 * i);
    hash_add(h, digits, sizeof digits);
    return 0;
}

int hash_add_file(struct hash *h, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC), why;
    void *room = alloc_bytes(ROOM);
    int result = fd >= 0 ? add_bytes(h, fd, room) : -1;
    why = errno;
    free(room);
    if (fd >= 0)
        close(fd);
    errno = why;
    return result;
}

void hash_digits(const struct hash *h, char text[HASH_SIZE]) {
    const XXH128_hash_t sum = XXH3_128bits_digest(h->state);
    snprintf(text, HASH_SIZE, "%016" PRIx64 "%016" PRIx64, (uint64_t)sum.high64,
             (uint64_t)sum.low64);
}
