/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the files in a corpus folder. Files named good-* must be accepted, and files named bad-*
 * must be refused. With any other file, it suffices that the reader does not crash. */
#ifndef MEMTWIN_TESTS_CORPUS_H
#define MEMTWIN_TESTS_CORPUS_H

#include <dirent.h>

#include "lib/error.h"
#include "tests/test.h"

#define CORPUS_FILE_MAX (256 * 1024)

static size_t corpus_file(const char *folder, const char *name, uint8_t *data) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(data, 1, CORPUS_FILE_MAX, f);
    assert_true(feof(f));
    fclose(f);
    return n;
}

static void corpus_run(const char *folder, unsigned least,
                       bool (*one)(const uint8_t *data, size_t size, struct error *err)) {
    struct error err;
    uint8_t *room = malloc(CORPUS_FILE_MAX);
    unsigned n = 0;
    DIR *d = opendir(folder);
    assert_non_null(room);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        size_t size = corpus_file(folder, e->d_name, room);
        /* exactly as large as the file, so that a sanitizer detects reads after its end */
        uint8_t *data = malloc(size + !size);
        assert_non_null(data);
        memcpy(data, room, size);
        bool good = one(data, size, &err);
        free(data);
        if (strncmp(e->d_name, good ? "bad-" : "good-", good ? 4 : 5) == 0)
            fail_msg("%s: %s", e->d_name, good ? "taken" : err.text);
        n++;
    }
    closedir(d);
    free(room);
    assert_true(n >= least);
}

#endif
