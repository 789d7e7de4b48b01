// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files.h"
#include "harness/twin_abi.h"
#include "lib/alloc.h"
#include "os/new_file.h"
#include "os/proc.h"

static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), len = strlen(ending);
    return n >= len && strcasecmp(path + n - len, ending) == 0;
}

bool is_fst(const char *path) {
    return ends_in(path, ".fst");
}

bool is_vcd(const char *path) {
    return ends_in(path, ".vcd") || (is_fifo(path) && !is_fst(path));
}

#define EXIT_DIFFERENT 3

/* ---- The Verilog text ---- */

static void write_parameters(FILE *f, const struct layout *l) {
    for (unsigned i = 0; i < l->type->n_params; i++)
        fprintf(f, "%s.%s(%" PRId64 ")", i ? ", " : "", l->type->params[i].name, l->params.v[i]);
}

/* Writes the input connections. If observed ports are compared, invalid inputs are X. If not, they
 * have the recorded values, since X spreads further in the gates of a netlist than in the RTL. */
static void write_inputs(FILE *f, const struct layout *l, bool observed) {
    for (unsigned i = 0; i < l->n_in; i++) {
        const struct port_place *p = &l->in[i];
        unsigned hi = p->low_bit + p->width - 1;
        if (observed)
            fprintf(f, ",\n        .%s(given[%u] ? in[%u:%u] : %u'bx)", p->desc->name, i, hi,
                    p->low_bit, p->width);
        else
            fprintf(f, ",\n        .%s(in[%u:%u])", p->desc->name, hi, p->low_bit);
    }
}

static bool is_compared(const struct port_place *p, bool observed) {
    return observed || p->desc->dir != PORT_OBS;
}

/* Writes the connections of the outputs to the parts of a vector. */
static void write_outputs(FILE *f, const struct layout *l, const char *vector, bool observed) {
    for (unsigned i = 0; i < l->n_out; i++) {
        const struct port_place *p = &l->out[i];
        if (is_compared(p, observed))
            fprintf(f, ",\n        .%s(%s[%u:%u])", p->desc->name, vector,
                    p->low_bit + p->width - 1, p->low_bit);
    }
}

/* Writes one `if` per output, in list order. The checks run until the first cycle that differs. */
static void write_checks(FILE *f, const struct layout *l) {
    for (unsigned i = 0; i < l->n_out; i++) {
        const struct port_place *p = &l->out[i];
        unsigned hi = p->low_bit + p->width - 1, lo = p->low_bit;
        fprintf(f,
                "                %sif (((got[%u:%u] ^ want[%u:%u]) & mask[%u:%u]) !== %u'b0)\n"
                "                    $display(\"MEMTWIN DIFF %%0d %s %%h %%h\", cycle, "
                "want[%u:%u], got[%u:%u]);\n",
                i ? "else " : "", hi, lo, hi, lo, hi, lo, p->width, p->desc->name, hi, lo, hi, lo);
    }
}

/* ---- The wave's scope with the expected outputs: an instance with an input for each ---- */

/* Returns the name of the scope's own signal, which differs from that of each output. */
static const char *mismatch_name(const struct layout *l) {
    for (unsigned i = 0; i < l->n_out; i++)
        if (strcmp(l->out[i].desc->name, WAVE_MISMATCH) == 0)
            return "memtwin_" WAVE_MISMATCH;
    return WAVE_MISMATCH;
}

static void write_expected_module(FILE *f, const struct layout *l, bool observed) {
    fprintf(f, "module memtwin_expected (\n    input %s", mismatch_name(l));
    for (unsigned i = 0; i < l->n_out; i++)
        if (is_compared(&l->out[i], observed))
            fprintf(f, ",\n    input [%u:0] %s", l->out[i].width - 1, l->out[i].desc->name);
    fprintf(f, "\n);\nendmodule\n");
}

static void write_expected(FILE *f, const struct layout *l, bool observed) {
    fprintf(f,
            "    memtwin_expected expected (\n        .%s(!clk && ((got ^ want) & mask) !== %u'b0)",
            mismatch_name(l), l->out_bits);
    write_outputs(f, l, "want", observed);
    fprintf(f, "\n    );\n");
}

/* Writes the bench of the module `top`, the block or its observer. `wave` is the wave file, or NULL
 * for none. */
static void write_bench(FILE *f, const struct layout *l, const char *top, bool observed,
                        const char *wave) {
    fprintf(f, "`timescale 1ps / 1ps\n");
    if (wave)
        write_expected_module(f, l, observed);
    fprintf(f,
            "module memtwin_bench;\n"
            "    reg clk;\n    reg [%u:0] in;\n    reg [%u:0] given;\n    reg [%u:0] want;\n    "
            "reg [%u:0] cmp;\n"
            "    wire [%u:0] got;\n    wire [%u:0] mask;\n    reg [63:0] cycle;\n"
            "    integer file, n;\n    reg bad;\n",
            l->in_bits - 1, l->n_in - 1, l->out_bits - 1, l->n_out - 1, l->out_bits - 1,
            l->out_bits - 1);
    for (unsigned i = 0; i < l->n_out; i++) {
        const struct port_place *p = &l->out[i];
        fprintf(f, "    assign mask[%u:%u] = {%u{cmp[%u]%s}};\n", p->low_bit + p->width - 1,
                p->low_bit, p->width, i, is_compared(p, observed) ? "" : " & 1'b0");
    }
    fprintf(f, "    %s #(", top);
    write_parameters(f, l);
    fprintf(f, ") dut (\n        .clk(clk)");
    write_inputs(f, l, observed);
    write_outputs(f, l, "got", observed);
    fprintf(f, "\n    );\n");
    if (wave)
        write_expected(f, l, observed);
    fprintf(f, "    initial begin\n");
    if (wave)
        fprintf(f, "        $dumpfile(\"%s\");\n        $dumpvars(0, dut, expected);\n", wave);
    fprintf(f,
            "        file = $fopen(\"vectors.hex\", \"r\");\n"
            "        cycle = 0;\n        bad = 0;\n        clk = 0;\n"
            "        n = $fscanf(file, \"%%h %%h %%h %%h\", in, given, want, cmp);\n"
            "        while (n == 4 && !bad) begin\n            #%d;\n"
            "            if (((got ^ want) & mask) !== %u'b0) begin\n"
            "                bad = 1;\n",
            WAVE_CYCLE / 2, l->out_bits);
    write_checks(f, l);
    fprintf(f,
            "            end else begin\n                clk = 1;\n                #%d;\n"
            "                clk = 0;\n                cycle = cycle + 1;\n"
            "                n = $fscanf(file, \"%%h %%h %%h %%h\", in, given, want, cmp);\n"
            "            end\n        end\n"
            "        if (bad) begin\n            #%d;\n            $finish_and_return(%d);\n"
            "        end else begin\n            #%d;\n            $display(\"MEMTWIN PASS %%0d\", "
            "cycle);\n"
            "            $finish;\n        end\n    end\nendmodule\n",
            WAVE_CYCLE / 2, WAVE_AFTER * WAVE_CYCLE, EXIT_DIFFERENT, WAVE_CYCLE / 2);
}

/* ---- The bench's files and its run, all in one temporary folder ---- */

struct bench {
    char dir[PATH_SIZE], log[PATH_SIZE];
    uint64_t cycles;
    struct rtl_files files;
};

/* Finds the file to which vvp writes the wave. Returns true if that is a FIFO, given by its full
 * path. Any other wave is written in the temporary folder and then copied. */
static bool wave_of(const char *wave, char *file) {
    strcpy(file, wave && is_fst(wave) ? "wave.fst" : "wave.vcd");
    return wave && is_fifo(wave) && realpath(wave, file);
}

static int write_text(struct bench *b, const struct layout *l, bool observed, const char *wave,
                      struct error *err) {
    char path[PATH_SIZE], file[PATH_SIZE], top[PATH_SIZE];
    struct new_file nf;
    wave_of(wave, file);
    if (path_print(top, err, "%s%s", l->type->name, b->files.observed ? "_observe" : "") ||
        path_print(path, err, "%s/bench.v", b->dir) || new_file_open(&nf, path, err))
        return -1;
    write_bench(nf.f, l, top, observed, wave ? file : NULL);
    return new_file_commit(&nf, err);
}

/* Writes the recording without its header. The reader has checked its lines. */
static int write_vectors(struct bench *b, struct vec_reader *r,
                         const volatile sig_atomic_t *interrupted, bool *bad_input,
                         struct error *err) {
    const struct layout *l = vec_layout(r);
    char path[PATH_SIZE];
    struct new_file nf;
    if (path_print(path, err, "%s/vectors.hex", b->dir) || new_file_open(&nf, path, err))
        return -1;
    void *in = alloc_zeroed(1, l->type->in_size), *out = alloc_zeroed(1, l->type->out_size);
    bool *compare = alloc_zeroed(l->n_out + 4, sizeof *compare);
    int more;
    while ((more = vec_read(r, in, out, compare, err)) > 0) {
        fprintf(nf.f, "%s\n", vec_line(r));
        b->cycles++;
        if (*interrupted)
            break;
    }
    *bad_input = more < 0;
    if (more > 0)
        error_set(err, "interrupted");
    free(in);
    free(out);
    free(compare);
    if (more == 0 && new_file_commit(&nf, err) == 0)
        return 0;
    *bad_input |= more == 0; /* the recording is good, but the copy could not be written */
    new_file_drop(&nf);
    return -1;
}

/* Joins the first lines of a tool's log into one. */
static void log_head(const char *log, char *buf, size_t size) {
    FILE *f = fopen(log, "re");
    size_t n = f ? fread(buf, 1, size - 1, f) : 0;
    buf[n] = '\0';
    for (char *c = buf; *c; c++)
        if (*c == '\n')
            *c = c[1] ? ';' : '\0';
    if (f)
        fclose(f);
}

static int compile(struct bench *b, bool *bad_input, struct error *err) {
    const struct rtl_files *files = &b->files;
    size_t n = 0, most = 18 + files->n_folders * 2 + files->n_names;
    const char **argv = alloc_zeroed(most, sizeof *argv);
    char vvp[PATH_SIZE], bench[PATH_SIZE];
    struct error why;
    if (path_print(vvp, err, "%s/bench.vvp", b->dir) ||
        path_print(bench, err, "%s/bench.v", b->dir)) {
        free(argv);
        return -1;
    }
    const char *head[] = {"iverilog", "-g2005", "-o", vvp, "-s", "memtwin_bench"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        argv[n++] = head[i];
    for (size_t i = 0; i < files->n_folders; i++) {
        argv[n++] = "-I";
        argv[n++] = files->folders[i];
    }
    argv[n++] = "-I";
    argv[n++] = files->project;
    for (size_t i = 0; i < files->n_names; i++)
        argv[n++] = files->names[i];
    argv[n++] = bench;
    int status = proc_run(argv, files->rtl, b->log, err);
    free(argv);
    if (status > 0) {
        *bad_input = true;
        log_head(b->log, why.text, sizeof why.text);
        error_set(err, "iverilog: %s", why.text);
    }
    return status == 0 ? 0 : -1;
}

/* Reads the verdict from the marker line. The exit status must agree with it. */
static int read_verdict(struct bench *b, int status, struct bench_result *result,
                        struct error *err) {
    char line[2048];
    struct error why;
    uint64_t count = 0;
    bool different = false;
    FILE *f = fopen(b->log, "re");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MEMTWIN PASS %" SCNu64, &count) == 1)
            result->passed = count == b->cycles;
        if (sscanf(line, "MEMTWIN DIFF %" SCNu64 " %63s %319s %319s", &result->cycle, result->port,
                   result->want, result->got) == 4)
            different = true;
    }
    if (f)
        fclose(f);
    if (status == 0 && result->passed && !different)
        return 0;
    if (status == EXIT_DIFFERENT && different && !result->passed)
        return 0;
    log_head(b->log, why.text, sizeof why.text);
    return error_set(err, "vvp: exit status %d, %" PRIu64 " of %" PRIu64 " cycles: %s", status,
                     count, b->cycles, why.text);
}

/* Tests whether the disk is full by appending 4 KiB to the log, since the tools ignore write
 * errors. */
static bool disk_full(const struct bench *b, struct error *err) {
    const char block[4096] = {0};
    int fd = open(b->log, O_WRONLY | O_APPEND | O_CLOEXEC);
    errno = 0;
    bool full = fd >= 0 && write(fd, block, sizeof block) != (ssize_t)sizeof block;
    if (full)
        error_set(err, "%s: %s", b->dir, strerror(errno ? errno : ENOSPC));
    if (fd >= 0)
        close(fd);
    return full;
}

static int simulate_bench(struct bench *b, const char *wave, struct bench_result *result,
                          bool *bad_input, struct error *err) {
    const char *argv[] = {"vvp", "-N", "bench.vvp", wave && is_fst(wave) ? "-fst" : NULL, NULL};
    char name[PATH_SIZE], made[PATH_SIZE];
    int status = proc_run(argv, b->dir, b->log, err);
    if (status < 0)
        return -1;
    if ((*bad_input = disk_full(b, err)) || read_verdict(b, status, result, err))
        return -1;
    if (!wave || wave_of(wave, name))
        return 0;
    if (path_print(made, err, "%s/%s", b->dir, name))
        return -1;
    *bad_input = file_copy(made, wave, err) != 0;
    return *bad_input ? -1 : 0;
}

int bench_run(struct vec_reader *r, bool observed, const char *wave,
              const volatile sig_atomic_t *interrupted, struct bench_result *result,
              bool *bad_input, struct error *err) {
    struct bench *b = alloc_zeroed(1, sizeof *b);
    const struct layout *l = vec_layout(r);
    memset(result, 0, sizeof *result);
    *bad_input = false;
    if (temp_dir_make(b->dir, err)) {
        free(b);
        return -1;
    }
    int bad = path_print(b->log, err, "%s/log", b->dir) ||
              rtl_files_find(&b->files, l->type->name, observed, err) ||
              write_text(b, l, observed, wave, err) ||
              write_vectors(b, r, interrupted, bad_input, err) || compile(b, bad_input, err) ||
              simulate_bench(b, wave, result, bad_input, err);
    result->cycles = b->cycles;
    rtl_files_free(&b->files);
    temp_dir_remove(b->dir);
    free(b);
    return bad ? -1 : 0;
}
