// SPDX-License-Identifier: Apache-2.0
#include "mutation/netlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "os/new_file.h"

#define UNBOUND UINT32_MAX
#define QUALIFY "qualify_"

bool netlist_bit(const struct port_place *port, const void *base, unsigned bit) {
    const char *field = (const char *)base + port->desc->offset;
    if (port->size == sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, field, sizeof v);
        return v >> bit & 1;
    }
    uint32_t w;
    memcpy(&w, field + bit / 32 * sizeof w, sizeof w);
    return w >> bit % 32 & 1;
}

/* ---- The wrapper module ---- */

/* Writes a qualifier in the port list as Verilog, with ports in place of the fields of `in` and
 * `out`. */
static void write_qualifier(FILE *f, const char *text) {
    if (strcmp(text, "ALWAYS") == 0) {
        fprintf(f, "1'b1");
        return;
    }
    while (*text) {
        if (strncmp(text, "in->", 4) == 0)
            text += 4;
        else if (strncmp(text, "out->", 5) == 0)
            text += 5;
        else
            putc(*text++, f);
    }
}

static void write_ports(FILE *f, const char *direction, const struct port_place *places, unsigned n,
                        bool observed) {
    for (unsigned i = 0; i < n; i++)
        if (observed || places[i].desc->dir != PORT_OBS)
            fprintf(f, ",\n    %s wire [%u:0] %s", direction, places[i].width - 1,
                    places[i].desc->name);
}

static void write_connections(FILE *f, const struct port_place *places, unsigned n, bool observed) {
    for (unsigned i = 0; i < n; i++)
        if (observed || places[i].desc->dir != PORT_OBS)
            fprintf(f, ", .%s(%s)", places[i].desc->name, places[i].desc->name);
}

/* Returns the expression for an input. It is EXPRESSION if `legal` contains "NAME=EXPRESSION",
 * else the input's name. */
static const char *legal_input(const char *const *legal, const char *name) {
    size_t len = strlen(name);
    for (; *legal; legal++)
        if (strncmp(*legal, name, len) == 0 && (*legal)[len] == '=')
            return *legal + len + 1;
    return name;
}

static void write_top(FILE *f, const struct layout *l, const char *const *legal) {
    fprintf(f, "module mutants_top (\n    input wire clk,\n    input wire [%u:0] " NETLIST_SELECT,
            NETLIST_SELECT_BITS - 1);
    write_ports(f, "input", l->in, l->n_in, true);
    write_ports(f, "output", l->out, l->n_out, true);
    for (unsigned i = 0; i < l->n_out; i++)
        fprintf(f, ",\n    output wire " QUALIFY "%s", l->out[i].desc->name);
    fprintf(f, "\n);\n    %s u_block (.clk(clk), ." NETLIST_SELECT "(" NETLIST_SELECT ")",
            l->type->name);
    for (unsigned i = 0; i < l->n_in; i++)
        fprintf(f, ", .%s(%s)", l->in[i].desc->name, legal_input(legal, l->in[i].desc->name));
    write_connections(f, l->out, l->n_out, true);
    fprintf(f, ");\n");
    for (unsigned i = 0; i < l->n_out; i++) {
        fprintf(f, "    assign " QUALIFY "%s = ", l->out[i].desc->name);
        write_qualifier(f, l->out[i].desc->qualifier);
        fprintf(f, ";\n");
    }
    fprintf(f, "endmodule\n");
}

static void write_shell(FILE *f, const struct layout *l, bool observed) {
    fprintf(f, "module %s%s #(", l->type->name, observed ? "_observe" : "");
    for (unsigned i = 0; i < l->type->n_params; i++)
        fprintf(f, "%s\n    parameter %s = %" PRId64, i ? "," : "", l->type->params[i].name,
                l->params.v[i]);
    fprintf(f, "\n) (\n    input wire clk");
    write_ports(f, "input", l->in, l->n_in, true);
    write_ports(f, "output", l->out, l->n_out, observed);
    fprintf(f, "\n);\n    " NETLIST_MUTANT " u_mutant (.clk(clk)");
    write_connections(f, l->in, l->n_in, true);
    write_connections(f, l->out, l->n_out, observed);
    fprintf(f, ");\nendmodule\n");
}

int netlist_write_shell(const struct layout *l, bool observed, const char *path,
                        struct error *err) {
    struct new_file nf;
    if (new_file_open(&nf, path, err))
        return -1;
    write_shell(nf.f, l, observed);
    return new_file_commit(&nf, err);
}

int netlist_write_top(const struct layout *l, const char *const *legal, const char *path,
                      struct error *err) {
    struct new_file nf;
    if (new_file_open(&nf, path, err))
        return -1;
    write_top(nf.f, l, legal);
    return new_file_commit(&nf, err);
}

/* ---- Mapping of graph inputs and outputs to ports ---- */

/* Splits "name" or "name[bit]". Returns the length of the name. */
static size_t split_name(const char *name, unsigned *bit) {
    size_t len = strcspn(name, "[");
    *bit = name[len] ? (unsigned)strtoul(name + len + 1, NULL, 10) : 0;
    return len;
}

static const struct port_place *find_port(const struct port_place *places, unsigned n,
                                          const char *name, size_t len, unsigned bit) {
    for (unsigned i = 0; i < n; i++)
        if (strlen(places[i].desc->name) == len && strncmp(places[i].desc->name, name, len) == 0)
            return bit < places[i].width ? &places[i] : NULL;
    return NULL;
}

static bool is_name(const char *name, size_t len, const char *which) {
    return strlen(which) == len && strncmp(name, which, len) == 0;
}

static int bind_input(struct netlist *n, uint32_t i) {
    const char *name = n->f.in_name[i];
    struct netlist_input *in = &n->in[i];
    size_t len = split_name(name, &in->bit);
    in->port = find_port(n->l->in, n->l->n_in, name, len, in->bit);
    in->kind = NETLIST_PORT;
    if (in->port) {
        if (is_name(name, len, "rst"))
            n->rst = i;
        return 0;
    }
    in->kind = is_name(name, len, "clk") ? NETLIST_CLOCK : NETLIST_SELECTS;
    bool selects = is_name(name, len, NETLIST_SELECT) && in->bit < NETLIST_SELECT_BITS;
    return in->kind == NETLIST_CLOCK || selects ? 0 : -1;
}

static int bind_output(struct netlist *n, uint32_t i) {
    const char *name = n->f.out_name[i];
    const size_t prefix = strlen(QUALIFY);
    bool qualifies = strncmp(name, QUALIFY, prefix) == 0;
    unsigned bit;
    if (qualifies)
        name += prefix;
    size_t len = split_name(name, &bit);
    const struct port_place *port = find_port(n->l->out, n->l->n_out, name, len, bit);
    if (!port)
        return -1;
    if (qualifies)
        n->qualifier[port - n->l->out] = n->f.out[i];
    else
        n->out[port->low_bit + bit] = n->f.out[i];
    return 0;
}

static int bind_all(struct netlist *n, const char *path, struct error *err) {
    n->rst = UNBOUND;
    memset(n->out, 0xff, n->l->out_bits * sizeof *n->out);
    memset(n->qualifier, 0xff, n->l->n_out * sizeof *n->qualifier);
    const char *odd = NULL;
    for (uint32_t i = 0; i < n->f.inputs; i++)
        if (bind_input(n, i))
            odd = n->f.in_name[i];
    for (uint32_t i = 0; i < n->f.outputs; i++)
        if (bind_output(n, i))
            odd = n->f.out_name[i];
    if (odd)
        return error_set(err, "%s: '%s' is no port of %s", path, odd, n->l->type->name);
    bool all = n->rst != UNBOUND;
    for (unsigned i = 0; i < n->l->out_bits; i++)
        all = all && n->out[i] != UNBOUND;
    for (unsigned i = 0; i < n->l->n_out; i++)
        all = all && n->qualifier[i] != UNBOUND;
    if (!all)
        error_set(err, "%s: a port of %s is missing", path, n->l->type->name);
    return all ? 0 : -1;
}

int netlist_read(struct netlist *n, const struct layout *l, const char *path, struct error *err) {
    memset(n, 0, sizeof *n);
    n->l = l;
    if (aig_read(&n->f, path, err))
        return -1;
    n->in = alloc_zeroed((size_t)n->f.inputs + 1, sizeof *n->in);
    n->out = alloc_zeroed((size_t)l->out_bits + 1, sizeof *n->out);
    n->qualifier = alloc_zeroed((size_t)l->n_out + 1, sizeof *n->qualifier);
    const int bad = bind_all(n, path, err);
    if (bad)
        netlist_free(n);
    return bad;
}

void netlist_free(struct netlist *n) {
    aig_free(&n->f);
    free(n->in);
    free(n->out);
    free(n->qualifier);
    memset(n, 0, sizeof *n);
}
