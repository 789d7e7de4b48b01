// SPDX-License-Identifier: Apache-2.0
#include "harness/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/path.h"

/* Resolves $MEMTWIN_BLOCK to a path without symbolic links. The slash in the path keeps dlopen
 * from searching folders. Returns 0, 1 if the variable is not set, or -1 with a one-line message
 * in err. */
static int library_path(char *path, struct error *err) {
    const char *name = getenv("MEMTWIN_BLOCK");
    if (!name || !*name)
        return 1;
    struct stat st;
    if (!realpath(name, path) || stat(path, &st) != 0)
        return error_set(err, "%s: %s", name, strerror(errno));
    if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return 0;
    return error_set(err, "%s: a %s, not a library", name,
                     S_ISFIFO(st.st_mode) ? "pipe" : "device");
}

static bool is_complete(const struct block_type *t, const struct cosim_driver *d) {
    return t && d && t->name && t->ports && t->n_ports && (t->params || !t->n_params) &&
           t->n_params <= BLOCK_MAX_PARAMS && t->create && t->destroy && t->eval && t->observe &&
           t->tick && d->create && d->destroy && d->drive && d->sample && d->coverage;
}

static const char *wrong_library(const struct block_library *l) {
    if (l->abi != BLOCK_LIBRARY_ABI || l->type_size != sizeof(struct block_type) ||
        l->port_size != sizeof(struct port_desc) || l->driver_size != sizeof(struct cosim_driver))
        return "built for another version of MemTwin: build it again";
    if (!is_complete(l->type, l->driver))
        return "its type or its driver lacks a function, a name or a port list";
    if (l->type->ports[0].dir != PORT_IN || strcmp(l->type->ports[0].name, "rst") != 0)
        return "rst must be its first port";
    if (block_find(l->type->name))
        return "a block of MemTwin has the same name";
    return NULL;
}

int block_library_load(const struct block_library **library, struct error *err) {
    char path[PATH_SIZE];
    *library = NULL;
    int bad = library_path(path, err);
    if (bad)
        return bad < 0 ? -1 : 0;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        error_set(err, "%s", dlerror()); /* the text of dlerror names the file */
        return -1;
    }
    const struct block_library *found = dlsym(handle, BLOCK_LIBRARY_SYMBOL);
    const char *why = found ? wrong_library(found)
                            : "no symbol " BLOCK_LIBRARY_SYMBOL
                              ": BLOCK_LIBRARY(name) makes it (harness/library.h)";
    if (why) {
        error_set(err, "%s: %s", path_from_here(path), why);
        dlclose(handle);
        return -1;
    }
    *library = found;
    return 0;
}

/* Returns the block's library, or NULL if there is no usable library of that name. */
static const struct block_library *library_of(const char *block) {
    const struct block_library *library;
    struct error err;
    return block_library_load(&library, &err) == 0 && library &&
                   strcmp(library->type->name, block) == 0
               ? library
               : NULL;
}

const struct block_type *block_find_any(const char *name) {
    const struct block_library *library = library_of(name);
    return library ? library->type : block_find(name);
}

static int has_harness(const char *dir) {
    char probe[PATH_SIZE + 32];
    snprintf(probe, sizeof probe, "%s/tb/harness/twin.mk", dir);
    return access(probe, R_OK) == 0;
}

int harness_root(char *buf, struct error *err) {
    const char *home = getenv("MEMTWIN_HOME");
    char share[PATH_SIZE];
    if (home && *home) {
        if (!realpath(home, buf) || !has_harness(buf))
            return error_set(err, "MEMTWIN_HOME=%s has no tb/harness/twin.mk", home);
        return 0;
    }
    ssize_t n = readlink("/proc/self/exe", buf, PATH_SIZE - 1);
    buf[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(buf, '/')) != NULL;) {
        *slash = '\0';
        if (has_harness(buf))
            return 0;
        if (path_print(share, err, "%s/share/memtwin", buf) == 0 && has_harness(share))
            return path_print(buf, err, "%s", share);
    }
    return error_set(err, "no folder above the program has tb/harness/twin.mk: set MEMTWIN_HOME");
}

static bool has_verilog(const char *folder, const char *block) {
    char list[PATH_SIZE + 256];
    int n = snprintf(list, sizeof list, "%s/rtl/%s/%s.f", folder, block, block);
    return n > 0 && (size_t)n < sizeof list && access(list, R_OK) == 0;
}

int block_project(const char *block, char *buf, struct error *err) {
    char path[PATH_SIZE];
    if (!library_of(block))
        return harness_root(buf, err);
    if (library_path(path, err))
        return -1;
    snprintf(buf, PATH_SIZE, "%s", path);
    for (char *slash; (slash = strrchr(buf, '/')) != NULL;) {
        *slash = '\0';
        if (has_verilog(buf, block))
            return 0;
    }
    return error_set(err, "no folder above %s has rtl/%s/%s.f", path_from_here(path), block, block);
}

int block_rtl(const char *block, char *buf, struct error *err) {
    const char *rtl = getenv("MEMTWIN_RTL");
    char project[PATH_SIZE], list[PATH_SIZE];
    if (rtl && *rtl) {
        if (!realpath(rtl, buf))
            return error_set(err, "MEMTWIN_RTL=%s: %s", rtl, strerror(errno));
        if (path_print(list, err, "%s/%s/%s.f", buf, block, block))
            return -1;
        if (access(list, R_OK))
            return error_set(err, "MEMTWIN_RTL=%s: no %s/%s.f; name the rtl folder", rtl, block,
                             block);
        return 0;
    }
    if (block_project(block, project, err))
        return -1;
    return path_print(buf, err, "%s/rtl", project);
}
