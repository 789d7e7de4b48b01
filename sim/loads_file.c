// SPDX-License-Identifier: Apache-2.0
/* Writes the file of recorded loads (docs/use/loads.md describes its content). */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "harness/harness.h"
#include "json.h"
#include "lib/alloc.h"
#include "lib/shell.h"
#include "loads_inside.h"
#include "run.h"

static const struct {
    const char *name, *part, *words;
} spans[LOAD_SPANS] = {
#define SPAN(name, part, words) {#name, #part, words},
#include "loads.def"
#undef SPAN
};

/* ---- kept loads, each once ---- */

struct kept_loads {
    const struct load_row **row; /* owned */
    size_t n, room;
};

static void add_rows(struct kept_loads *k, const struct load_row *row, uint32_t n) {
    k->row = alloc_reserved(k->row, &k->room, k->n + n, sizeof *k->row);
    for (uint32_t i = 0; i < n; i++)
        k->row[k->n++] = &row[i];
}

static int by_seq(const void *a, const void *b) {
    const struct load_row *x = *(const struct load_row *const *)a,
                          *y = *(const struct load_row *const *)b;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

static struct kept_loads find_kept(const struct loads *l) {
    struct kept_loads k = {0};
    add_rows(&k, l->all.row, l->all.n);
    add_rows(&k, l->slowest, l->n_slowest);
    for (uint32_t b = 0; b < LOADS_BUCKETS; b++)
        add_rows(&k, l->by_latency[b].row, l->by_latency[b].n);
    for (uint32_t i = 0; i <= LOADS_INSTS; i++)
        add_rows(&k, l->inst[i].sample.row, l->inst[i].sample.n);
    if (k.n)
        qsort(k.row, k.n, sizeof *k.row, by_seq);
    size_t n = 0;
    for (size_t i = 0; i < k.n; i++)
        if (!n || k.row[n - 1]->seq != k.row[i]->seq)
            k.row[n++] = k.row[i];
    k.n = n;
    return k;
}

/* ---- JSON ---- */

static void put_u64(FILE *f, uint64_t n, const char *end) {
    fprintf(f, "%" PRIu64 "%s", n, end);
}

/* Writes an option of a command and its value, quoted for the shell. */
static void put_word(FILE *f, const char *option, const char *text) {
    char *word = shell_word(text);
    fprintf(f, " %s %s", option, word);
    free(word);
}

/* Returns the command that repeats the run, which the caller frees, or NULL if the run read
 * standard input. */
static char *command_of(const struct run_opts *o, const char *program) {
    char *text = NULL;
    size_t size;
    if (strcmp(o->config, "-") == 0 || (o->trace && strcmp(o->trace, "-") == 0))
        return NULL;
    FILE *f = alloc_stream(&text, &size);
    fprintf(f, "%s run", program);
    put_word(f, "-c", o->config);
    for (size_t i = 0; i < o->workloads.n; i++)
        put_word(f, "-w", o->workloads.text[i]);
    if (o->trace)
        put_word(f, "-t", o->trace);
    for (size_t i = 0; i < o->sets.n; i++)
        put_word(f, "-s", o->sets.text[i]);
    if (o->repeat)
        fprintf(f, " --repeat %" PRIu64, o->repeat);
    alloc_stream_close(f);
    return text;
}

/* Adds the instance's name, with * for its number, if the instance has Verilog and the array does
 * not end with that name. */
static void add_block(void *ctx, struct block_inst *inst) {
    struct error err;
    cJSON *names = ctx;
    const char *number = strchr(inst->name, '.'), *rest = number ? strchr(number + 1, '.') : NULL;
    char name[BLOCK_NAME_MAX + 2];
    if (!rest || !block_has_twin(inst->type) ||
        block_params_check(inst->type, &inst->params, &err) != 0)
        return;
    snprintf(name, sizeof name, "%.*s.*%s", (int)(number - inst->name), inst->name, rest);
    const cJSON *known = NULL;
    cJSON_ArrayForEach(known, names) if (strcmp(known->valuestring, name) == 0) return;
    cJSON_AddItemToArray(names, cJSON_CreateString(name));
}

static void put_blocks(FILE *f, struct gpu *gpu) {
    cJSON *names = cJSON_CreateArray();
    gpu_each_block(gpu, add_block, names);
    char *json = cJSON_PrintUnformatted(names);
    fprintf(f, ",\n\"blocks\":%s", json);
    cJSON_free(json);
    cJSON_Delete(names);
}

static void put_head(FILE *f, const struct loads *l, const struct report *r,
                     const struct run_opts *opts, size_t kept) {
    char *program = shell_program(), *command = command_of(opts, program);
    const struct {
        const char *name, *text;
    } about[] = {{"version", report_version()},
                 {"config", r->config},
                 {"workload", r->trace ? r->trace : r->workload},
                 {"identity", r->identity},
                 {"end", r->end},
                 {"program", program},
                 {"command", command}};
    fputs(LOADS_BEGIN LOADS_VERSION "\"", f);
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        fprintf(f, ",\n\"%s\":", about[i].name);
        if (about[i].text)
            json_put_text(about[i].text, f);
        else
            fputs("null", f);
    }
    free(program);
    free(command);
    fprintf(f, ",\n\"complete\":%s", r->complete ? "true" : "false");
    fprintf(f, ",\n\"cycles\":%" PRIu64 ",\n\"loads_seen\":%" PRIu64 ",\n\"latency\":%" PRIu64,
            r->reached.cycles, l->n, l->latency);
    fprintf(f,
            ",\n\"kept\":{\"all\":%zu,\"sample\":%u,\"slowest\":%u,\"per_latency\":%u,"
            "\"per_instruction\":%u,\"instructions\":%u}",
            kept, (unsigned)l->all.n, (unsigned)l->n_slowest, LOADS_PER_LATENCY, LOADS_PER_INST,
            LOADS_INSTS);
    if (opts->loads_range) {
        fputs(",\n\"range\":", f);
        json_put_text(opts->loads_range, f);
    }
    fprintf(f, ",\n\"l2_banks_per_channel\":%u", (unsigned)l->cfg->l2_banks);
}

/* Writes the numbers of the spans and the end of their array. */
static void put_sums(FILE *f, const uint64_t span[LOAD_SPANS]) {
    for (int s = 0; s < LOAD_SPANS; s++)
        put_u64(f, span[s], s + 1 < LOAD_SPANS ? "," : "]");
}

static void put_spans(FILE *f, const struct loads *l) {
    fputs(",\n\"spans\":[", f);
    for (int s = 0; s < LOAD_SPANS; s++)
        fprintf(f, "%s{\"name\":\"%s\",\"part\":\"%s\",\"words\":\"%s\"}", s ? "," : "",
                spans[s].name, spans[s].part, spans[s].words);
    fputs("],\n\"sums\":[", f);
    put_sums(f, l->span);
    fputs(",\n\"latencies\":[", f);
    const char *comma = "";
    for (uint32_t b = 0; b < LOADS_BUCKETS; b++)
        if (l->latencies[b]) {
            fprintf(f, "%s[%" PRIu64 ",%" PRIu64 "]", comma, loads_bucket_from(b), l->latencies[b]);
            comma = ",";
        }
    fputs("]", f);
}

static void put_inst(FILE *f, const struct load_inst *i) {
    fprintf(f, "{\"kernel\":%u,\"pc\":", (unsigned)i->kernel);
    if (i->has_pc)
        put_u64(f, i->pc, ",");
    else
        fputs("null,", f);
    fprintf(f, "\"bytes\":%u,\"local\":%s,\"loads\":%" PRIu64 ",\"latency\":%" PRIu64 ",\"sums\":[",
            (unsigned)i->form.size, i->form.space == SPACE_LOCAL ? "true" : "false", i->loads,
            i->latency);
    put_sums(f, i->span);
    fputs("}", f);
}

static void put_insts(FILE *f, const struct loads *l) {
    const uint32_t n = l->n_insts + (l->inst[LOADS_INSTS].loads != 0);
    fputs(",\n\"kernels\":[", f);
    for (uint32_t i = 0; i < l->n_kernels; i++) {
        fputs(i ? "," : "", f);
        json_put_text(l->kernel[i], f);
    }
    fputs("],\n\"instructions\":[", f);
    for (uint32_t i = 0; i < n; i++) {
        fputs(i ? ",\n" : "", f);
        put_inst(f, &l->inst[i]);
    }
    fputs("]", f);
}

/* Columns of a load before its spans: name, value in JSON. */
#define LOAD_COLUMNS(COLUMN)                                                                       \
    COLUMN("seq", r->seq)                                                                          \
    COLUMN("issued", r->issued)                                                                    \
    COLUMN("latency", r->latency)                                                                  \
    COLUMN("instruction", r->inst)                                                                 \
    COLUMN("sm", r->sm)                                                                            \
    COLUMN("warp", r->warp)                                                                        \
    COLUMN("cta_x", r->cta[0])                                                                     \
    COLUMN("cta_y", r->cta[1])                                                                     \
    COLUMN("cta_z", r->cta[2])                                                                     \
    COLUMN("cta_warp", r->cta_warp)                                                                \
    COLUMN("address", r->address)                                                                  \
    COLUMN("bytes", r->bytes)                                                                      \
    COLUMN("index", r->index)                                                                      \
    COLUMN("accesses", r->n)                                                                       \
    COLUMN("l1d_missed", r->missed)                                                                \
    COLUMN("l2_bank", r->missed ? r->l2_bank : 0)                                                  \
    COLUMN("l2_from", r->missed ? r->l2_from : 0)                                                  \
    COLUMN("l2_to", r->missed ? r->l2_to : 0)                                                      \
    COLUMN("dram", dram)                                                                           \
    COLUMN("dram_bank", dram ? r->dram_bank : 0)                                                   \
    COLUMN("dram_row", dram ? r->dram_row : 0)                                                     \
    COLUMN("row_opened", dram && r->opened)

const char *const loads_columns[] = {
#define COLUMN(name, value) name,
    LOAD_COLUMNS(COLUMN)
#undef COLUMN
        NULL};

static void put_columns(FILE *f) {
    for (size_t i = 0; loads_columns[i]; i++)
        fprintf(f, "%s\"%s\"", i ? "," : ",\n\"columns\":[", loads_columns[i]);
    fputs("]", f);
}

static void put_row(FILE *f, const struct load_row *r) {
    const bool dram = r->dram_bank != LOAD_NO_DRAM;
    const uint64_t fields[] = {
#define COLUMN(name, value) value,
        LOAD_COLUMNS(COLUMN)
#undef COLUMN
    };
    uint64_t span[LOAD_SPANS];
    putc('[', f);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        put_u64(f, fields[i], ",");
    for (int s = 0; s < LOAD_SPANS; s++)
        span[s] = r->span[s];
    put_sums(f, span);
}

void loads_write(const struct loads *l, const struct report *r, struct gpu *gpu,
                 const struct run_opts *opts) {
    FILE *f = l->file.f;
    struct kept_loads k = find_kept(l);
    put_head(f, l, r, opts, k.n);
    put_blocks(f, gpu);
    put_spans(f, l);
    put_insts(f, l);
    put_columns(f);
    fputs(",\n\"loads\":[", f);
    for (size_t i = 0; i < k.n; i++) {
        fputs(i ? ",\n" : "\n", f);
        put_row(f, k.row[i]);
    }
    fputs("\n]}\n", f);
    free(k.row);
}
