// SPDX-License-Identifier: Apache-2.0
#include "trace/export.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "os/part.h"
#include "os/path.h"
#include "trace/lines.h"
#include "trace/output.h"

#define MAX_WARPS 32 /* maximum number of warps per CTA: 1024 threads */

enum warp_where { READY, AT_BARRIER, EXITED };

struct export {
    const struct trace_export *how;
    struct trace_exported *totals;
    char temp[PATH_SIZE]; /* temporary folder for the files */
    struct trace_output *list, *out;
    struct kernel_launch launch;
    struct pc_table pcs; /* maps the kernel's instructions to pcs */
    struct trace_lines lines[MAX_WARPS];
    enum warp_where where[MAX_WARPS];
    uint32_t threads, warps; /* numbers per CTA */
    size_t stride;           /* size of a warp's state in bytes */
    unsigned char *warp_state, *cta_state;
    struct warp_place place; /* place of the running warp */
    struct error *err;
};

static int fail_export(struct export *e, const char *what) {
    return error_set(e->err, "%s", what);
}

/* ---- Running a CTA ---- */

static int step_warp(struct export *e, uint32_t i) {
    struct warp_inst inst;
    struct error why;
    const uint32_t left = e->threads - i * WARP_LANES;
    e->place.warp = i;
    e->place.threads = left < WARP_LANES ? left : WARP_LANES;
    const uint32_t lanes = left < WARP_LANES ? (1u << left) - 1 : UINT32_MAX;
    e->launch.step(e->launch.ctx, &e->place, e->cta_state, e->warp_state + i * e->stride, &inst);
    if (trace_lines_add(&e->lines[i], &e->pcs, &inst, lanes, &why) != 0)
        return error_set(e->err, "kernel %s: %s", e->launch.name, why.text);
    if (inst.op == WARP_EXIT)
        e->where[i] = EXITED;
    else if (inst.op == WARP_BARRIER)
        e->where[i] = AT_BARRIER;
    return 0;
}

/* Runs one instruction of each warp that can run. Returns the number of warps that ran, or -1 on an
 * error. */
static int run_pass(struct export *e) {
    int ran = 0;
    for (uint32_t i = 0; i < e->warps; i++) {
        if (e->where[i] != READY)
            continue;
        if (step_warp(e, i) != 0)
            return -1;
        ran++;
    }
    return ran;
}

/* Releases all warps that wait at the barrier, when no other warp can run. Returns true if there
 * are any. */
static bool release_barrier(struct export *e) {
    bool any = false;
    for (uint32_t i = 0; i < e->warps; i++)
        if (e->where[i] == AT_BARRIER) {
            e->where[i] = READY;
            any = true;
        }
    return any;
}

static int run_block(struct export *e) {
    memset(e->warp_state, 0, e->warps * e->stride);
    memset(e->cta_state, 0, e->launch.cta_state_size);
    for (uint32_t i = 0; i < e->warps; i++) {
        e->where[i] = READY;
        e->lines[i].size = 0;
        e->lines[i].n = 0;
    }
    do {
        int ran;
        while ((ran = run_pass(e)) > 0)
            ;
        if (ran < 0)
            return -1;
    } while (release_barrier(e));
    return 0;
}

/* ---- Writing ---- */

__attribute__((format(printf, 2, 3))) static void print(struct trace_output *out, const char *fmt,
                                                        ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    trace_output_write(out, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

static void write_block(struct export *e) {
    const uint32_t *cta = e->place.cta;
    print(e->out, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", cta[0], cta[1], cta[2]);
    for (uint32_t i = 0; i < e->warps; i++) {
        print(e->out, "\nwarp = %u\ninsts = %llu\n", i, (unsigned long long)e->lines[i].n);
        trace_output_write(e->out, e->lines[i].text, e->lines[i].size);
        e->totals->insts += e->lines[i].n;
    }
    print(e->out, "\n#END_TB\n");
    e->totals->blocks++;
    e->totals->warps += e->warps;
}

static void write_header(struct export *e) {
    const struct kernel_launch *l = &e->launch;
    print(e->out, "-kernel name = %.200s\n", l->name);
    print(e->out, "-kernel id = %llu\n", (unsigned long long)e->totals->kernels);
    print(e->out, "-grid dim = (%u,%u,%u)\n", l->grid[0], l->grid[1], l->grid[2]);
    print(e->out, "-block dim = (%u,%u,%u)\n", l->block[0], l->block[1], l->block[2]);
    print(e->out, "-shmem = %u\n-nregs = %u\n", l->shared_bytes, l->regs);
    print(e->out, "-binary version = 70\n-cuda stream id = 0\n");
    print(e->out, "-shmem base_addr = 0x%llx\n", (unsigned long long)LINES_SHARED_BASE);
    print(e->out, "-local mem base_addr = 0x%llx\n", (unsigned long long)LINES_LOCAL_BASE);
    print(e->out, "-nvbit version = none\n-accelsim tracer version = 4\n-enable lineinfo = 0\n");
    print(e->out, "\n#traces format = PC mask ndst [R..] opcode nsrc [R..] mem_width [mode "
                  "addresses] immediate\n");
}

/* ---- Kernels ---- */

static int run_blocks(struct export *e) {
    const uint32_t *grid = e->launch.grid;
    const uint64_t n = (uint64_t)grid[0] * grid[1] * grid[2];
    for (uint64_t i = 0; i < n; i++) {
        if (e->how->stop && *e->how->stop)
            return fail_export(e, "interrupted");
        if (e->how->progress)
            e->how->progress(e->how->ctx, e->totals, e->launch.name, i, n);
        e->place.cta[0] = (uint32_t)(i % grid[0]);
        e->place.cta[1] = (uint32_t)(i / grid[0] % grid[1]);
        e->place.cta[2] = (uint32_t)(i / grid[0] / grid[1]);
        if (run_block(e) != 0)
            return -1;
        write_block(e);
    }
    return 0;
}

static int prepare_launch(struct export *e) {
    const size_t align = _Alignof(max_align_t);
    const uint32_t *block = e->launch.block;
    e->threads = block[0] * block[1] * block[2];
    e->warps = (e->threads + WARP_LANES - 1) / WARP_LANES;
    if (e->warps == 0 || e->warps > MAX_WARPS)
        return fail_export(e, "a CTA of more than 1024 threads");
    e->stride = (e->launch.warp_state_size + align) / align * align;
    e->warp_state = alloc_bytes(e->warps * e->stride);
    e->cta_state = alloc_bytes(e->launch.cta_state_size + 1);
    return 0;
}

/* Opens a file in the temporary folder. Messages name it by its later path. */
static struct trace_output *open_output(struct export *e, const char *name, bool xz) {
    char path[PATH_SIZE + 64], shown[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", e->temp, name);
    snprintf(shown, sizeof shown, "%s/%s", e->how->dir, name);
    return trace_output_open(path, shown, xz, e->err);
}

static int write_kernel(struct export *e) {
    char name[64];
    int result = prepare_launch(e);
    e->totals->kernels++;
    snprintf(name, sizeof name, "kernel-%llu.traceg%s", (unsigned long long)e->totals->kernels,
             e->how->xz ? ".xz" : "");
    if (result == 0 && !(e->out = open_output(e, name, e->how->xz)))
        result = -1;
    if (result == 0) {
        uint64_t bytes;
        struct error why;
        write_header(e);
        result = run_blocks(e);
        if (trace_output_close(e->out, &bytes, &why) != 0 && result == 0)
            result = fail_export(e, why.text);
        e->totals->bytes += bytes;
        print(e->list, "%s\n", name);
    }
    free(e->warp_state);
    free(e->cta_state);
    e->warp_state = e->cta_state = NULL;
    pc_table_free(&e->pcs);
    return result;
}

static int write_kernels(struct export *e, struct workload *w) {
    struct error why;
    e->list = open_output(e, "kernelslist.g", false);
    if (!e->list)
        return -1;
    int result = 0;
    while (result == 0 && w->next(w, &e->launch))
        result = write_kernel(e);
    if (trace_output_close(e->list, NULL, &why) != 0 && result == 0)
        result = fail_export(e, why.text);
    return result;
}

/* ---- Folder ---- */

/* Checks that the folder does not exist or is empty. */
static int check_free(struct export *e) {
    DIR *d = opendir(e->how->dir);
    if (!d && errno == ENOENT)
        return 0;
    int entries = 0, error = errno;
    while (d && readdir(d))
        entries++;
    if (d)
        closedir(d);
    if (d && entries <= 2) /* readdir also lists "." and ".." */
        return 0;
    return error_set(e->err, "%s: %s", e->how->dir,
                     d ? "the folder is not empty" : strerror(error));
}

static int open_folder(struct export *e) {
    char dir[PATH_SIZE];
    size_t n = strlen(e->how->dir);
    while (n > 1 && e->how->dir[n - 1] == '/')
        n--;
    if (check_free(e) != 0)
        return -1;
    return path_print(dir, e->err, "%.*s", (int)n, e->how->dir) ||
                   part_make_folder(dir, e->temp, e->err)
               ? -1
               : 0;
}

static int finish_folder(struct export *e) {
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(e->temp, 0777 & ~mask) == 0 && rename(e->temp, e->how->dir) == 0)
        return 0;
    return error_set(e->err, "%s: %s", e->how->dir, strerror(errno));
}

int trace_export(struct workload *w, const struct trace_export *how, struct trace_exported *totals,
                 struct error *err) {
    struct export *e = alloc_zeroed(1, sizeof *e);
    memset(totals, 0, sizeof *totals);
    e->how = how;
    e->totals = totals;
    e->err = err;
    int result = open_folder(e);
    if (result == 0) {
        result = write_kernels(e, w);
        if (result == 0)
            result = finish_folder(e);
        temp_dir_remove(e->temp);
    }
    for (uint32_t i = 0; i < MAX_WARPS; i++)
        trace_lines_free(&e->lines[i]);
    free(e);
    return result;
}
