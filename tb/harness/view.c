// SPDX-License-Identifier: Apache-2.0
#include "harness/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/twin_abi.h"
#include "os/new_file.h"
#include "os/path.h"

#define FIRST_LINE "[*] memtwin replay\n"
/* The window shows 17 cycles, of which the last is still in the wave: GTKWave would show the
 * begin of the wave instead. */
#define WINDOW "[size] 1400 850\n[signals_width] 260\n"
#define BEFORE 14     /* number of cycles shown before the difference */
#define ZOOM "-12.0"  /* 200 pixels show 2^12 ps, so a cycle has 49 pixels */
#define BINARY "@28"  /* format of one-bit signals: binary, right-justified */
#define HEX "@22"     /* format of wider signals: hexadecimal, right-justified */
#define BLOCK_COLOR 0 /* GTKWave's default, green */
#define EXPECTED_COLOR 3
#define MISMATCH_COLOR 1

/* True if the file exists and its first line is not FIRST_LINE. GTKWave writes another one. */
static bool is_foreign(const char *path) {
    char line[sizeof FIRST_LINE] = "";
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    const bool ours = fgets(line, sizeof line, f) && strcmp(line, FIRST_LINE) == 0;
    fclose(f);
    return !ours;
}

static void write_format(FILE *f, unsigned width, int color) {
    fprintf(f, "%s\n[color] %d\n", width == 1 ? BINARY : HEX, color);
}

static void write_name(FILE *f, const char *scope, const char *name, unsigned width) {
    fprintf(f, "%s.%s", scope, name);
    if (width > 1)
        fprintf(f, "[%u:0]", width - 1);
    fprintf(f, "\n");
}

static void write_signal(FILE *f, const char *scope, const char *name, unsigned width) {
    write_format(f, width, BLOCK_COLOR);
    write_name(f, scope, name, width);
}

/* Writes a signal that GTKWave calls "expected NAME". */
static void write_expected(FILE *f, const char *scope, const char *name, unsigned width) {
    write_format(f, width, EXPECTED_COLOR);
    fprintf(f, "+{expected %s} ", name);
    write_name(f, scope, name, width);
}

/* Writes the inputs and outputs in list order, each output with its expected value below it. */
static void write_ports(FILE *f, const struct wave_view *v, const char *dut, const char *expected) {
    const struct layout *l = v->l;
    const struct port_place *in = l->in, *out = l->out;
    for (unsigned i = 0; i < l->type->n_ports; i++) {
        const struct port_desc *d = &l->type->ports[i];
        const unsigned width = d->dir == PORT_IN ? in++->width : out++->width;
        if (d->dir == PORT_OBS && !v->observed)
            continue;
        write_signal(f, dut, d->name, width);
        if (d->dir != PORT_IN)
            write_expected(f, expected, d->name, width);
    }
}

static int write_view(FILE *f, const struct wave_view *v, const char *path, struct error *err) {
    char dut[PATH_SIZE], expected[PATH_SIZE];
    if (path_print(dut, err, "%s%s", v->top, v->dut) ||
        path_print(expected, err, "%s.expected", v->top))
        return -1;
    const uint64_t least = v->from + BEFORE;
    const uint64_t start = v->different && v->cycle > least ? v->cycle - BEFORE : v->from;
    fprintf(f, FIRST_LINE "[dumpfile] \"%s\"\n[savefile] \"%s\"\n", path_last_name(v->wave),
            path_last_name(path));
    fprintf(f, WINDOW "[timestart] %" PRIu64 "\n*" ZOOM " ", start * WAVE_CYCLE);
    if (v->different)
        fprintf(f, "%" PRIu64 "\n", v->cycle * WAVE_CYCLE);
    else
        fprintf(f, "-1\n");
    write_signal(f, dut, "clk", 1);
    write_format(f, 1, MISMATCH_COLOR);
    write_name(f, expected, WAVE_MISMATCH, 1);
    write_ports(f, v, dut, expected);
    return 0;
}

int view_write(const struct wave_view *v, char *path, bool *kept, struct error *err) {
    struct new_file nf;
    const char *dot = strrchr(v->wave, '.');
    if (path_print(path, err, "%.*s.gtkw", (int)(dot - v->wave), v->wave))
        return -1;
    *kept = is_foreign(path);
    if (*kept)
        return 0;
    if (new_file_open(&nf, path, err))
        return -1;
    if (write_view(nf.f, v, path, err)) {
        new_file_drop(&nf);
        return -1;
    }
    return new_file_commit(&nf, err);
}
