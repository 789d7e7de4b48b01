// SPDX-License-Identifier: Apache-2.0
#include "mutation/aig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "os/new_file.h"

/* ---- Reading ---- */

struct mutation_reader {
    FILE *f;
    const char *path;
    struct error *err;
};

static int refuse_file(const struct mutation_reader *r, const char *what) {
    error_set(r->err, "%s: %s", r->path, what);
    return -1;
}

static int read_literal_line(struct mutation_reader *r, uint32_t *literal, uint32_t nodes) {
    char line[64];
    uint32_t value;
    if (!fgets(line, sizeof line, r->f) || sscanf(line, "%" SCNu32, &value) != 1 ||
        value >= 2 * (uint64_t)nodes)
        return refuse_file(r, "a latch or an output has an invalid literal");
    *literal = value;
    return 0;
}

/* Reads a delta with seven bits per byte, lowest bits first. The eighth bit says that another byte
 * follows. */
static int read_delta(struct mutation_reader *r, uint32_t *delta) {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 7) {
        int c = getc(r->f);
        if (c == EOF)
            break;
        value |= (uint32_t)(c & 127) << shift;
        if (c < 128) {
            *delta = value;
            return 0;
        }
    }
    return refuse_file(r, "the file ends in the AND section");
}

static int read_ands(struct mutation_reader *r, struct aig_file *f) {
    uint32_t first = 1 + f->inputs + f->latches;
    for (uint32_t i = 0; i < f->ands; i++) {
        uint32_t literal = 2 * (first + i), d0, d1;
        if (read_delta(r, &d0) || read_delta(r, &d1))
            return -1;
        if (d0 == 0 || d0 > literal || d1 > literal - d0)
            return refuse_file(r, "an AND precedes its operands");
        f->ops[i][0] = literal - d0;
        f->ops[i][1] = literal - d0 - d1;
    }
    return 0;
}

/* Reads a name line such as "i3 req_addr[1]", "o0 err[0]" or "l7 count[0] u_x.count[0]". A latch
 * may have several names. */
static int read_name(struct mutation_reader *r, struct aig_file *f, char *line) {
    char **names = line[0] == 'i' ? f->in_name : line[0] == 'o' ? f->out_name : f->latch_name;
    uint32_t n = line[0] == 'i' ? f->inputs : line[0] == 'o' ? f->outputs : f->latches;
    char *rest;
    unsigned long i = strtoul(line + 1, &rest, 10);
    line[strcspn(line, "\n")] = '\0';
    if (!strchr("iol", line[0]) || rest == line + 1 || *rest != ' ')
        return refuse_file(r, "a symbol line is malformed");
    if (i >= n || names[i])
        return refuse_file(r, "a symbol is for a missing object, or is the second one");
    names[i] = alloc_text(rest + 1);
    return 0;
}

/* Reads names until a line "c" or the end of the file. */
static int read_names(struct mutation_reader *r, struct aig_file *f) {
    char *line = NULL;
    size_t size = 0;
    int bad = 0;
    while (!bad && getline(&line, &size, r->f) > 0 && line[0] != 'c')
        bad = read_name(r, f, line);
    free(line);
    for (uint32_t i = 0; !bad && i < f->inputs; i++)
        if (!f->in_name[i])
            return refuse_file(r, "an input without a name");
    for (uint32_t i = 0; !bad && i < f->outputs; i++)
        if (!f->out_name[i])
            return refuse_file(r, "an output without a name");
    return bad;
}

static void allocate_nodes(struct aig_file *f) {
    f->ops = alloc_zeroed((size_t)f->ands + 1, sizeof *f->ops);
    f->next = alloc_zeroed((size_t)f->latches + 1, sizeof *f->next);
    f->out = alloc_zeroed((size_t)f->outputs + 1, sizeof *f->out);
    f->in_name = alloc_zeroed((size_t)f->inputs + 1, sizeof *f->in_name);
    f->out_name = alloc_zeroed((size_t)f->outputs + 1, sizeof *f->out_name);
    f->latch_name = alloc_zeroed((size_t)f->latches + 1, sizeof *f->latch_name);
}

static int read_all(struct mutation_reader *r, struct aig_file *f) {
    char line[128];
    uint32_t most;
    if (!fgets(line, sizeof line, r->f) ||
        sscanf(line, "aig %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, &most,
               &f->inputs, &f->latches, &f->outputs, &f->ands) != 5 ||
        most > INT32_MAX || most != (uint64_t)f->inputs + f->latches + f->ands)
        return refuse_file(r, "not a binary AIGER file");
    allocate_nodes(f);
    for (uint32_t i = 0; i < f->latches; i++)
        if (read_literal_line(r, &f->next[i], aig_nodes(f)))
            return -1;
    for (uint32_t i = 0; i < f->outputs; i++)
        if (read_literal_line(r, &f->out[i], aig_nodes(f)))
            return -1;
    return read_ands(r, f) || read_names(r, f) ? -1 : 0;
}

int aig_read(struct aig_file *f, const char *path, struct error *err) {
    struct mutation_reader r = {fopen(path, "re"), path, err};
    memset(f, 0, sizeof *f);
    if (!r.f)
        return refuse_file(&r, "cannot be opened");
    int bad = read_all(&r, f);
    fclose(r.f);
    if (bad)
        aig_free(f);
    return bad;
}

void aig_free(struct aig_file *f) {
    for (uint32_t i = 0; f->in_name && i < f->inputs; i++)
        free(f->in_name[i]);
    for (uint32_t i = 0; f->out_name && i < f->outputs; i++)
        free(f->out_name[i]);
    for (uint32_t i = 0; f->latch_name && i < f->latches; i++)
        free(f->latch_name[i]);
    free(f->latch_name);
    free(f->ops);
    free(f->next);
    free(f->out);
    free(f->in_name);
    free(f->out_name);
    memset(f, 0, sizeof *f);
}

uint32_t aig_nodes(const struct aig_file *f) {
    return 1 + f->inputs + f->latches + f->ands;
}

/* ---- Building ---- */

void aig_graph_init(struct aig_graph *g, uint32_t leaves) {
    memset(g, 0, sizeof *g);
    g->leaves = leaves;
    g->nodes = g->room = leaves + 1;
    g->ops = alloc_zeroed(g->room, sizeof *g->ops);
}

void aig_graph_free(struct aig_graph *g) {
    free(g->ops);
    hash_map_free(&g->ands);
    memset(g, 0, sizeof *g);
}

static uint32_t new_and(struct aig_graph *g, uint32_t a, uint32_t b) {
    const uint64_t key = (uint64_t)a << 32 | b;
    const uint32_t known = hash_map_get(&g->ands, key);
    if (known != HASH_MAP_NONE)
        return 2 * known;
    g->ops = alloc_grown(g->ops, g->nodes, &g->room, sizeof *g->ops);
    g->ops[g->nodes][0] = a;
    g->ops[g->nodes][1] = b;
    hash_map_add(&g->ands, key, g->nodes);
    return 2 * g->nodes++;
}

uint32_t aig_and(struct aig_graph *g, uint32_t a, uint32_t b) {
    if (a < b) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    if (b == AIG_FALSE || a == aig_not(b))
        return AIG_FALSE;
    if (b == AIG_TRUE || a == b)
        return a;
    return new_and(g, a, b);
}

uint32_t aig_or(struct aig_graph *g, uint32_t a, uint32_t b) {
    return aig_not(aig_and(g, aig_not(a), aig_not(b)));
}

uint32_t aig_xor(struct aig_graph *g, uint32_t a, uint32_t b) {
    return aig_or(g, aig_and(g, a, aig_not(b)), aig_and(g, aig_not(a), b));
}

uint32_t aig_mux(struct aig_graph *g, uint32_t select, uint32_t then, uint32_t otherwise) {
    if (then == otherwise)
        return then;
    return aig_or(g, aig_and(g, select, then), aig_and(g, aig_not(select), otherwise));
}

void aig_copy(struct aig_graph *g, const struct aig_file *f, uint32_t *literal) {
    uint32_t first = 1 + f->inputs + f->latches;
    literal[0] = AIG_FALSE;
    for (uint32_t i = 0; i < f->ands; i++)
        literal[first + i] =
            aig_and(g, aig_copied(literal, f->ops[i][0]), aig_copied(literal, f->ops[i][1]));
}

/* ---- Writing ---- */

static void write_delta(FILE *f, uint32_t delta) {
    for (; delta > 127; delta >>= 7)
        putc((int)(delta & 127) | 128, f);
    putc((int)delta, f);
}

int aig_write(const struct aig_graph *g, const char *path, uint32_t inputs, const uint32_t *next,
              const uint32_t *outputs, uint32_t n_outputs, struct error *err) {
    struct new_file nf;
    uint32_t latches = g->leaves - inputs, ands = g->nodes - 1 - g->leaves;
    if (new_file_open(&nf, path, err))
        return -1;
    fprintf(nf.f, "aig %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", g->nodes - 1,
            inputs, latches, n_outputs, ands);
    for (uint32_t i = 0; i < latches; i++)
        fprintf(nf.f, "%" PRIu32 "\n", next[i]);
    for (uint32_t i = 0; i < n_outputs; i++)
        fprintf(nf.f, "%" PRIu32 "\n", outputs[i]);
    for (uint32_t n = g->leaves + 1; n < g->nodes; n++) {
        write_delta(nf.f, 2 * n - g->ops[n][0]);
        write_delta(nf.f, g->ops[n][0] - g->ops[n][1]);
    }
    return new_file_commit(&nf, err);
}
