// SPDX-License-Identifier: Apache-2.0
#include "harness/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/twin_abi.h"
#include "os/new_file.h"
#include "os/path.h"

#define FIRST_LINE "[*] memtwin replay\n"
#define DUMPFILE "[dumpfile] \""
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

/* Reads what is at the path of a view. Sets *kept if its first line is not FIRST_LINE (GTKWave
 * writes another one), else `last` to the name of its wave. Returns 0, or -1 with one line in err
 * if it is no file. */
static int read_last(const char *path, bool *kept, char last[PATH_SIZE], struct error *err) {
    char line[PATH_SIZE + 16] = "";
    struct stat st;
    FILE *f = NULL;
    *kept = false;
    *last = '\0';
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return error_set(err, "%s: not a regular file; a view cannot replace it", path);
    if (!(f = fopen(path, "re")))
        return 0;
    *kept = !fgets(line, sizeof line, f) || strcmp(line, FIRST_LINE) != 0;
    if (!*kept && fgets(line, sizeof line, f) && strncmp(line, DUMPFILE, strlen(DUMPFILE)) == 0)
        snprintf(last, PATH_SIZE, "%.*s", (int)strcspn(line + strlen(DUMPFILE), "\"\n"),
                 line + strlen(DUMPFILE));
    fclose(f);
    return 0;
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
    fprintf(f, FIRST_LINE DUMPFILE "%s\"\n[savefile] \"%s\"\n", path_last_name(v->wave),
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

int view_write(const struct wave_view *v, char *path, bool *kept, char *other, struct error *err) {
    struct new_file nf;
    const char *dot = strrchr(v->wave, '.');
    if (path_print(path, err, "%.*s.gtkw", (int)(dot - v->wave), v->wave))
        return -1;
    if (read_last(path, kept, other, err))
        return -1;
    if (*kept)
        return 0;
    if (strcmp(other, path_last_name(v->wave)) == 0)
        *other = '\0';
    if (new_file_open(&nf, path, err))
        return -1;
    if (write_view(nf.f, v, path, err)) {
        new_file_drop(&nf);
        return -1;
    }
    return new_file_commit(&nf, err);
}
