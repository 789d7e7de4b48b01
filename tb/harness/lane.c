// SPDX-License-Identifier: Apache-2.0
#include "harness/lane.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/shell.h"
#include "os/path.h"

int lane_init(struct lane *lane, const struct layout *l, const struct twin_table *table,
              uint64_t seed, struct error *err) {
    const char *why = NULL;
    memset(lane, 0, sizeof *lane);
    lane->l = l;
    lane->first = LANE_NONE;
    lane->other = alloc_zeroed(1, l->type->out_size);
    lane->history = alloc_zeroed(LANE_HISTORY, l->type->in_size);
    lane->table = table;
    if (!table || (lane->twin = table->create(seed, &why)))
        return 0;
    error_set(err, "%s: %s", l->type->name, why);
    lane_free(lane);
    return -1;
}

void lane_free(struct lane *lane) {
    if (lane->twin)
        lane->table->destroy(lane->twin);
    free(lane->other);
    free(lane->history);
    memset(lane, 0, sizeof *lane);
}

static void differs(struct lane *lane, int what) {
    if (lane->differing++ == 0)
        lane->first = what;
}

/* Counts each input with bits above its port's width as a differing port, since model and RTL
 * would read the input differently. */
static void check_inputs(struct lane *lane, const void *in) {
    const struct layout *l = lane->l;
    for (unsigned i = 0; i < l->n_in; i++)
        if (!place_in_width(&l->in[i], in))
            differs(lane, LANE_INPUT + (int)i);
}

/* Compares all output ports. A port's qualifier is evaluated only if its values differ. */
static void compare_ports(struct lane *lane, const void *in, const void *model, const void *qualify,
                          const bool *bits) {
    const struct layout *l = lane->l;
    for (unsigned i = 0; i < l->n_out; i++) {
        if (place_same(&l->out[i], model, lane->other))
            continue;
        if (bits ? bits[i] : l->out[i].desc->qualified(in, qualify))
            differs(lane, (int)i);
    }
}

void lane_remember(struct lane *lane, const void *in) {
    size_t size = lane->l->type->in_size;
    memcpy(lane->history + lane->cycle % LANE_HISTORY * size, in, size);
}

/* Counts the cycle if the twin has computed an eval in it. In drive mode, a cycle may have two. */
static void count_evaluated(struct lane *lane) {
    const uint64_t evals = lane->table->evaluated(lane->twin);
    lane->evaluated += lane->cycle > 0 && evals > lane->evals;
    lane->evals = evals;
}

unsigned lane_eval(struct lane *lane, const void *in, const void *model, const void *qualify,
                   const bool *bits) {
    lane_remember(lane, in);
    lane->differing = 0;
    lane->first = LANE_NONE;
    if (lane->table) {
        lane->table->eval(lane->twin, in, lane->other);
        count_evaluated(lane);
    }
    if (lane->table && lane->table->fault(lane->twin))
        differs(lane, LANE_FAULT);
    check_inputs(lane, in);
    if (lane->cycle > 0)
        compare_ports(lane, in, model, qualify, bits);
    return lane->differing;
}

void lane_tick(struct lane *lane) {
    if (lane->table)
        lane->table->tick(lane->twin);
    lane->cycle++;
}

uint64_t lane_evaluated(const struct lane *lane) {
    return lane->evaluated;
}

/* ---- The report ---- */

/* Prints the stored inputs of a cycle: "  cycle 12: rst=0 req_valid=1 ...". */
static size_t print_inputs(const struct lane *lane, uint64_t cycle, char *buf, size_t size) {
    const struct layout *l = lane->l;
    const void *in = lane->history + cycle % LANE_HISTORY * l->type->in_size;
    size_t n = (size_t)snprintf(buf, size, "  cycle %" PRIu64 ":", cycle);
    for (unsigned i = 0; i < l->n_in; i++) {
        char hex[2 * 1024], *digits = hex;
        place_hex(&l->in[i], in, hex, sizeof hex);
        while (digits[0] == '0' && digits[1])
            digits++;
        int more = snprintf(n < size ? buf + n : NULL, n < size ? size - n : 0, " %s=%s",
                            l->in[i].desc->name, digits);
        n += (size_t)more;
    }
    return n + (size_t)snprintf(n < size ? buf + n : NULL, n < size ? size - n : 0, "\n");
}

/* Prints as many of the last cycles as fit in the buffer, oldest first. The newest cycle is always
 * printed. */
static void print_history(const struct lane *lane, uint64_t cycle, char *buf, size_t size) {
    uint64_t first = cycle;
    size_t need = print_inputs(lane, cycle, NULL, 0);
    while (first > 0 && cycle - first + 1 < LANE_HISTORY) {
        size_t more = print_inputs(lane, first - 1, NULL, 0);
        if (need + more >= size)
            break;
        need += more;
        first--;
    }
    size_t used = 0;
    buf[0] = '\0';
    for (uint64_t c = first; c <= cycle && used < size; c++)
        used += print_inputs(lane, c, buf + used, size - used);
}

void lane_describe(const struct lane *lane, const char *instance, uint64_t cycle,
                   struct mismatch *m) {
    snprintf(m->instance, sizeof m->instance, "%s", instance);
    m->block = lane->l->type->name;
    snprintf(m->params, sizeof m->params, "%s", lane->l->params_text);
    m->cycle = cycle;
    print_history(lane, cycle, m->inputs, sizeof m->inputs);
}

void lane_report(const struct lane *lane, const char *instance, const void *model,
                 struct mismatch *m) {
    const struct layout *l = lane->l;
    memset(m, 0, sizeof *m);
    lane_describe(lane, instance, lane->cycle, m);
    if (lane->first == LANE_FAULT) {
        snprintf(m->port, sizeof m->port, "(the RTL stopped)");
        snprintf(m->model, sizeof m->model, "runs");
        snprintf(m->rtl, sizeof m->rtl, "%s", lane->table->fault(lane->twin));
    } else if (lane->first >= LANE_INPUT) {
        const struct port_place *p = &l->in[lane->first - LANE_INPUT];
        const void *in = lane->history + lane->cycle % LANE_HISTORY * l->type->in_size;
        snprintf(m->port, sizeof m->port, "%s", p->desc->name);
        place_hex(p, in, m->model, sizeof m->model);
        snprintf(m->rtl, sizeof m->rtl, "(value exceeds the %u bits of the input)", p->width);
    } else {
        const struct port_place *p = &l->out[lane->first];
        snprintf(m->port, sizeof m->port, "%s", p->desc->name);
        place_hex(p, model, m->model, sizeof m->model);
        place_hex(p, lane->other, m->rtl, sizeof m->rtl);
    }
}

void mismatch_print(const struct mismatch *m, const char *left, const char *right, FILE *out) {
    fprintf(out,
            "MISMATCH\n  cycle    %" PRIu64 "\n  instance %s\n  block    %s\n  params   %s\n"
            "  port     %s\n  %-8s %s\n  %-8s %s\ninputs of the last cycles (hex):\n%s",
            m->cycle, m->instance, m->block, m->params, m->port, left, m->model, right, m->rtl,
            m->inputs);
}

static void print_if_set(const char *before, const char *variable, FILE *out) {
    const char *value = getenv(variable);
    char *word = value && *value ? shell_word(value) : NULL;
    if (word)
        fprintf(out, "%s%s ", before, word);
    free(word);
}

void mismatch_print_command(const char *replay_file, FILE *out) {
    char *file = shell_word(path_from_here(replay_file)), *program = shell_program();
    fprintf(out, "replay file: %s\nagain, alone: ", file);
    print_if_set("MEMTWIN_RTL=", "MEMTWIN_RTL", out);
    fprintf(out, "%s replay ", program);
    print_if_set("--block ", "MEMTWIN_BLOCK", out);
    fprintf(out, "%s --wave OUT.vcd\n", file);
    free(file);
    free(program);
}
