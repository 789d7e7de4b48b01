// SPDX-License-Identifier: Apache-2.0
/* Parses any bytes as a configuration file, which must be either accepted with values in range or
 * refused with a one-line message. If the first byte is '=', the rest is an assignment from the
 * command line. libFuzzer runs this (make fuzz), and test_fuzz.c runs the kept corpus. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config/config.h"
#include "gpu/gpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_config(const uint8_t *data, size_t size, struct error *err);

static void must(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

static int set(struct config *cfg, const uint8_t *data, size_t size, struct error *err) {
    char *text = malloc(size + 1);
    must(text, "memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    int result = config_override(cfg, NULL, text, err);
    free(text);
    return result;
}

static int load(struct config *cfg, const uint8_t *data, size_t size, struct error *err) {
    char path[64], shipped[4096];
    struct config_sources from;
    const char *home = getenv("MEMTWIN_HOME");
    int fd = memfd_create("config", MFD_CLOEXEC);
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "a file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    snprintf(shipped, sizeof shipped, "%s/sim/configs", home ? home : ".");
    int result = config_load(cfg, &from, path, shipped, err);
    close(fd);
    return result;
}

static void check_ranges(const struct config *cfg) {
#define INT(section, key, def, min, max, ...)                                                      \
    must(cfg->section##_##key >= (min) && cfg->section##_##key <= (max), #section "." #key);
#define ENUM(section, key, def, values, ...) must(cfg->section##_##key >= 0, #section "." #key);
#define STR(section, key, def, ...)                                                                \
    must(memchr(cfg->section##_##key, 0, CONFIG_STR_SIZE) != NULL, #section "." #key);
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
}

bool fuzz_config(const uint8_t *data, size_t size, struct error *err) {
    struct config cfg;
    config_default(&cfg);
    err->text[0] = '\0';
    bool assign = size > 0 && data[0] == '=';
    int result = assign ? set(&cfg, data + 1, size - 1, err) : load(&cfg, data, size, err);
    must((result == 0) == (err->text[0] == '\0'), "an error has a line");
    must(!strchr(err->text, '\n'), "an error is one line");
    if (result != 0)
        return false;
    check_ranges(&cfg);
    return gpu_check(&cfg, err) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err;
    fuzz_config(data, size, &err);
    return 0;
}
