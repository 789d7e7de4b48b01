// SPDX-License-Identifier: Apache-2.0
#include "os/clean_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
void __lsan_ignore_object(const void *object);
#else
#define __lsan_ignore_object(object) (void)(object)
#endif

#include "lib/alloc.h"
#include "lib/utf8.h"

/* Output for which the streams are cleaned. */
struct cleaner {
    int fd;
    char held[UTF8_MAX]; /* start of a character whose other bytes are not yet printed */
    size_t n_held;
};

int write_all(int fd, const char *text, size_t n) {
    while (n) {
        const ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR)
            return -1;
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

/* Cleans a text in place. Returns the number of bytes before a character that is cut at the end. */
static size_t clean(char *text, size_t n) {
    size_t i = 0, length;
    for (; i < n; i += length) {
        bool cut;
        utf8_length(text + i, n - i, &cut);
        if (cut)
            return i;
        if (utf8_is_unprintable(text + i, n - i, &length) && text[i] != '\n' && text[i] != '\t')
            memset(text + i, '?', length);
    }
    return n;
}

static ssize_t write_clean(void *cookie, const char *text, size_t n) {
    struct cleaner *c = cookie;
    const size_t all = c->n_held + n;
    char *copy = alloc_bytes(all);
    memcpy(copy, c->held, c->n_held);
    memcpy(copy + c->n_held, text, n);
    const size_t done = clean(copy, all);
    const int bad = write_all(c->fd, copy, done);
    c->n_held = all - done;
    memcpy(c->held, copy + done, c->n_held);
    free(copy);
    return bad ? 0 : (ssize_t)n; /* 0 is an error to fopencookie() */
}

static int close_clean(void *cookie) {
    struct cleaner *c = cookie;
    const int bad = close(c->fd);
    free(c);
    return bad;
}

FILE *clean_stream(int fd, bool by_line) {
    struct cleaner *c = alloc_zeroed(1, sizeof *c);
    c->fd = fd;
    __lsan_ignore_object(c); /* the leak checker does not search the streams of the C library */
    FILE *f =
        fopencookie(c, "w", (cookie_io_functions_t){.write = write_clean, .close = close_clean});
    if (!f)
        alloc_fail(0);
    setvbuf(f, NULL, by_line ? _IOLBF : _IOFBF, BUFSIZ);
    return f;
}
