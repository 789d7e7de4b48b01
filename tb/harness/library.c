// SPDX-License-Identifier: Apache-2.0
#include "harness/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/proc.h"
#include "lib/message.h"

/* Resolves $MEMTWIN_BLOCK to a path without symbolic links; its slash keeps dlopen from searching
 * folders. Returns 1 if the variable is not set. */
static int library_path(char *path, char *err, size_t err_size) {
    const char *name = getenv("MEMTWIN_BLOCK");
    if (!name || !*name)
        return 1;
    if (realpath(name, path))
        return 0;
    message_print(err, err_size, "%s: %s", name, strerror(errno));
    return -1;
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
        return "its type or its driver lacks a function, a name or the ports";
    if (l->type->ports[0].dir != PORT_IN || strcmp(l->type->ports[0].name, "rst") != 0)
        return "rst has to be the first of its ports";
    if (block_find(l->type->name))
        return "its block has the name of one of MemTwin's";
    return NULL;
}

int block_library_load(const struct block_library **library, char *err, size_t err_size) {
    char path[PATH_SIZE];
    *library = NULL;
    int bad = library_path(path, err, err_size);
    if (bad)
        return bad < 0 ? -1 : 0;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        message_print(err, err_size, "%s", dlerror()); /* dlerror names the file */
        return -1;
    }
    const struct block_library *found = dlsym(handle, BLOCK_LIBRARY_SYMBOL);
    const char *why = found ? wrong_library(found)
                            : "no symbol " BLOCK_LIBRARY_SYMBOL
                              ": BLOCK_LIBRARY(name) makes it (harness/library.h)";
    if (why) {
        message_print(err, err_size, "%s: %s", path_from_here(path), why);
        dlclose(handle);
        return -1;
    }
    *library = found;
    return 0;
}

/* The library of the block; NULL if there is no usable one of that name. */
static const struct block_library *library_of(const char *block) {
    const struct block_library *library;
    char err[512];
    return block_library_load(&library, err, sizeof err) == 0 && library &&
                   strcmp(library->type->name, block) == 0
               ? library
               : NULL;
}

const struct block_type *block_find_any(const char *name) {
    const struct block_library *library = library_of(name);
    return library ? library->type : block_find(name);
}

static bool has_verilog(const char *folder, const char *block) {
    char list[PATH_SIZE + 256];
    int n = snprintf(list, sizeof list, "%s/rtl/%s/%s.f", folder, block, block);
    return n > 0 && (size_t)n < sizeof list && access(list, R_OK) == 0;
}

int block_project(const char *block, char *buf, char *err, size_t err_size) {
    char path[PATH_SIZE];
    if (!library_of(block))
        return harness_root(buf, err, err_size);
    if (library_path(path, err, err_size))
        return -1;
    snprintf(buf, PATH_SIZE, "%s", path);
    for (char *slash; (slash = strrchr(buf, '/')) != NULL;) {
        *slash = '\0';
        if (has_verilog(buf, block))
            return 0;
    }
    message_print(err, err_size, "no folder above %s has rtl/%s/%s.f", path_from_here(path), block,
                  block);
    return -1;
}

int block_rtl(const char *block, char *buf, char *err, size_t err_size) {
    const char *rtl = getenv("MEMTWIN_RTL");
    char project[PATH_SIZE];
    if (rtl && *rtl) {
        if (realpath(rtl, buf))
            return 0;
        message_print(err, err_size, "MEMTWIN_RTL=%s: %s", rtl, strerror(errno));
        return -1;
    }
    if (block_project(block, project, err, err_size))
        return -1;
    return path_print(buf, err, err_size, "%s/rtl", project);
}
