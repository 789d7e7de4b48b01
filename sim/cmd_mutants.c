// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
#include "harness/layout.h"
#include "lib/alloc.h"
#include "mutation/mutants.h"
#include "mutation/netlist.h"
#include "options.h"

#define MAX_LEGAL 8

struct mutants_args {
    struct mutants_opts o;
    struct text_list params;
    const char *top, *shell, *miter, *library;
    struct mutants_legal {
        const char *text[MAX_LEGAL + 1]; /* ended by NULL */
        unsigned n;
    } legal;
    uint64_t mutants, part; /* numbers given with --mutants and --part; 0 if not given */
    struct apart {
        uint32_t *latch, n;
    } apart;
};

static int take_run(const char *command, const struct option_row *row, void *to, char *text) {
    struct mutants_opts *o = to;
    char cycles[32];
    const char *seed = strchr(text, ':');
    (void)row;
    if (o->n_runs == MUTANTS_MAX_RUNS)
        return usage_error(command, "--run: at most %d runs", MUTANTS_MAX_RUNS);
    snprintf(cycles, sizeof cycles, "%.*s", (int)strcspn(text, ":"), text);
    if (!seed || !parse_u64(cycles, &o->runs[o->n_runs].cycles) ||
        !parse_u64(seed + 1, &o->runs[o->n_runs].seed) || o->runs[o->n_runs].cycles == 0)
        return usage_error(command, "--run %s: expected CYCLES:SEED", text);
    o->n_runs++;
    return EXIT_GOOD;
}

/* Splits "N,N,.." into an array of numbers. A text cannot have more numbers than characters. */
static int take_apart(const char *command, const struct option_row *row, void *to, char *text) {
    struct apart *a = to;
    char *rest;
    (void)row;
    free(a->latch);
    a->n = 0;
    a->latch = alloc_zeroed(strlen(text) + 1, sizeof *a->latch);
    for (char *n = strtok_r(text, ",", &rest); n; n = strtok_r(NULL, ",", &rest)) {
        uint64_t latch;
        if (!parse_u64(n, &latch) || latch > UINT32_MAX)
            return usage_error(command, "--apart: '%s' is not the number of a latch", n);
        a->latch[a->n++] = (uint32_t)latch;
    }
    return EXIT_GOOD;
}

static int take_legal(const char *command, const struct option_row *row, void *to, char *text) {
    struct mutants_legal *l = to;
    (void)row;
    if (l->n == MAX_LEGAL)
        return usage_error(command, "--legal: at most %d ports", MAX_LEGAL);
    l->text[l->n++] = text;
    return EXIT_GOOD;
}

#define MAX_MUTANTS ((1 << NETLIST_SELECT_BITS) - 1)
#define ROW(...) OPTION(struct mutants_args, __VA_ARGS__)
#define ROWS(...) MANY(struct mutants_args, __VA_ARGS__)
#define COUNT(...) NUMBER(struct mutants_args, __VA_ARGS__)
static const struct option_row table[] = {
    ROWS('p', "param", "NAME=VALUE", take_list, params, "set a parameter (memtwin list blocks)"),
    LIBRARY(struct mutants_args, library),
    ROW(0, "netlist", "FILE.aig", take_text, o.netlist,
        "AIGER file of the block in the module that --top writes"),
    COUNT("mutants", "N", 1, MAX_MUTANTS, mutants, "number of mutants in the netlist"),
    ROWS(0, "run", "CYCLES:SEED", take_run, o,
         "a run (default 150000:11); later runs test the mutants not yet found"),
    ROW(0, "miters", "DIR", take_text, o.miters,
        "write miters of mutants that no run finds except at observed ports"),
    ROW(0, "zeroed", "NAME", take_text, o.zeroed,
        "registers with NAME in their names start at 0 in miters, not at any value"),
    COUNT("part", "K", 1, MAX_MUTANTS, part,
          "write a miter of mutant K to --miter, in which block and mutant share all\n"
          "latches but those of --apart; prints the latch of each output"),
    ROW(0, "apart", "N,...", take_apart, apart,
        "for --part: numbers of the latches that are not shared"),
    ROW(0, "miter", "FILE.aig", take_text, miter, "for --part: the file to write"),
    ROW(0, "unobserved", NULL, take_flag, o.unobserved,
        "for --part: observed ports may differ;\n"
        "for --shell: without observed ports"),
    ROW(0, "top", "FILE.v", take_text, top, "write the module around the block, and nothing else"),
    ROWS(0, "legal", "PORT=EXPRESSION", take_legal, legal,
         "for --top: Verilog that turns any value of an input into a legal one"),
    ROW(0, "shell", "FILE.v", take_text, shell,
        "write the observer BLOCK_observe, or the block with --unobserved, around a\n"
        "module `mutant`, and nothing else"),
    {0}};

static const char usage[] =
    "usage: memtwin mutants BLOCK [-p NAME=VALUE]... --netlist FILE.aig --mutants N [OPTION]...\n"
    "       memtwin mutants BLOCK [-p NAME=VALUE]... --netlist FILE.aig --part K [--apart N,...]\n"
    "               --miter FILE.aig\n"
    "       memtwin mutants BLOCK [-p NAME=VALUE]... --top FILE.v | --shell FILE.v\n"
    "\n"
    "Runs the stimulus of `memtwin cosim` on mutants of a block's netlist, hundreds at the same\n"
    "time, and prints which of them differ from the C model, when and where.\n"
    "tb/mutation/mutate.sh makes the netlist.\n";
static const struct command_line line = {.usage = usage, .table = table, .word = {"BLOCK"}};

/* Writes the Verilog modules that --top and --shell request. */
static int write_verilog(char **argv, const struct mutants_args *a) {
    struct layout l;
    struct error err;
    int bad = layout_init(&l, a->o.type, &a->o.params, &err);
    if (!bad) {
        bad = (a->top && netlist_write_top(&l, a->legal.text, a->top, &err)) ||
              (a->shell && netlist_write_shell(&l, !a->o.unobserved, a->shell, &err));
        layout_free(&l);
    }
    return bad ? error_print(EXIT_USAGE, argv[0], "%s", err.text) : EXIT_GOOD;
}

static int write_part(char **argv, const struct mutants_args *a) {
    struct error err;
    if (!a->o.netlist || !a->miter)
        return usage_error(argv[0], "--part needs --netlist and --miter");
    int bad =
        mutants_part(&a->o, (uint32_t)a->part, a->apart.latch, a->apart.n, a->miter, stdout, &err);
    return bad ? error_print(EXIT_USAGE, argv[0], "%s", err.text) : EXIT_GOOD;
}

static int run_command(char **argv, struct mutants_args *a) {
    volatile bool stop = false;
    struct error err;
    if (a->top || a->shell)
        return write_verilog(argv, a);
    if (a->part)
        return write_part(argv, a);
    if (!a->o.netlist || !a->mutants)
        return usage_error(argv[0], "needs --netlist and --mutants, or --top or --shell");
    if (a->o.n_runs == 0) {
        a->o.runs[a->o.n_runs].cycles = 150000;
        a->o.runs[a->o.n_runs++].seed = 11;
    }
    a->o.mutants = (uint32_t)a->mutants;
    a->o.stop = &stop;
    interrupt_catch(&stop);
    int bad = mutants_run(&a->o, stdout, &err);
    if (!bad)
        return EXIT_GOOD;
    if (bad == MUTANTS_INPUT)
        return error_print(EXIT_USAGE, argv[0], "%s", err.text);
    return error_print(interrupted() ? interrupted() : EXIT_INTERNAL, argv[0], "%s", err.text);
}

int cmd_mutants(int argc, char **argv) {
    struct mutants_args a = {0};
    const char *block = NULL;
    int code = read_options(&line, argc, argv, &a, &block);
    if (code == GO_ON)
        code = read_block(argv[0], block, &a.params, &a.o.type, &a.o.params);
    if (code == GO_ON)
        code = run_command(argv, &a);
    free(a.params.text);
    free(a.apart.latch);
    return code;
}
