#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
#include "harness/layout.h"
#include "mutation/mutants.h"
#include "mutation/netlist.h"

static const char help[] =
    "usage: memtwin mutants BLOCK [-p NAME=VALUE]... --netlist FILE.aig --mutants N [OPTION]...\n"
    "       memtwin mutants BLOCK [-p NAME=VALUE]... --netlist FILE.aig --part K [--apart N,...]\n"
    "               --miter FILE.aig\n"
    "       memtwin mutants BLOCK [-p NAME=VALUE]... --top FILE.v | --shell FILE.v\n"
    "\n"
    "Runs the stimulus of `memtwin cosim` against mutants of a block's netlist, hundreds at once,\n"
    "and says which of them differ from the C model, when and where. tb/mutation/mutate.sh makes\n"
    "the netlist.\n"
    "\n"
    "  -p, --param NAME=VALUE  a parameter (memtwin list blocks)\n"
    "      --netlist FILE.aig  AIGER file: the block in the module that --top writes\n"
    "      --mutants N         mutants in it\n"
    "      --run CYCLES:SEED   a run (default 150000:11); more of them: of what is left\n"
    "      --miters DIR        write the miters of mutants that no run finds, or only at observed "
    "ports\n"
    "      --zeroed NAME       registers with NAME in a name begin miters with 0, not with "
    "anything\n"
    "      --part K            write a miter of mutant K to --miter, in which both have their "
    "latches\n"
    "                          in common but those of --apart; says which latch each output is of\n"
    "      --unobserved        in that miter observed ports may differ\n"
    "      --top FILE.v        write the module around the block, and nothing else\n"
    "      --legal PORT=EXPRESSION  for --top: Verilog that makes any value of an input a legal "
    "one\n"
    "      --shell FILE.v      write a module with the block's name, parameters and ports around "
    "a\n"
    "                          module `mutant`, and nothing else\n"
    "  -h, --help              this text\n";

#define MAX_LEGAL 8

struct mutants_args {
    struct mutants_opts o;
    const char *top, *shell, *miter;
    const char *legal[MAX_LEGAL + 1]; /* ended by NULL */
    unsigned n_legal;
    uint32_t part; /* mutant; 0: none */
    uint32_t *apart, n_apart;
};

static int take_run(char **argv, struct mutants_opts *o, char *text) {
    char *seed = strchr(text, ':');
    if (seed)
        *seed++ = '\0';
    if (o->n_runs == MUTANTS_MAX_RUNS)
        return usage_error(argv[0], "--run: at most %d of them", MUTANTS_MAX_RUNS);
    if (!seed || !parse_u64(text, &o->runs[o->n_runs].cycles) ||
        !parse_u64(seed, &o->runs[o->n_runs].seed) || o->runs[o->n_runs].cycles == 0)
        return usage_error(argv[0], "--run: expected CYCLES:SEED");
    o->n_runs++;
    return EXIT_GOOD;
}

static int take_count(char **argv, struct mutants_opts *o, const char *text) {
    uint64_t n;
    if (!parse_u64(text, &n) || n == 0 || n >> NETLIST_SELECT_BITS)
        return usage_error(argv[0], "--mutants %s: not a number from 1 to %d", text,
                           (1 << NETLIST_SELECT_BITS) - 1);
    o->mutants = (uint32_t)n;
    return EXIT_GOOD;
}

static int take_part(char **argv, struct mutants_args *a, const char *text) {
    uint64_t n;
    if (!parse_u64(text, &n) || n == 0 || n >> NETLIST_SELECT_BITS)
        return usage_error(argv[0], "--part %s: not the number of a mutant", text);
    a->part = (uint32_t)n;
    return EXIT_GOOD;
}

/* N,N,...: no more numbers than the text has characters. */
static int take_apart(char **argv, struct mutants_args *a, char *text) {
    free(a->apart);
    a->n_apart = 0;
    a->apart = calloc(strlen(text) + 1, sizeof *a->apart);
    char *rest;
    for (char *n = strtok_r(text, ",", &rest); n && a->apart; n = strtok_r(NULL, ",", &rest)) {
        uint64_t latch;
        if (!parse_u64(n, &latch) || latch > UINT32_MAX)
            return usage_error(argv[0], "--apart: '%s' is not the number of a latch", n);
        a->apart[a->n_apart++] = (uint32_t)latch;
    }
    return a->apart ? EXIT_GOOD : usage_error(argv[0], "out of memory");
}

static int take_legal(char **argv, struct mutants_args *a, const char *text) {
    if (a->n_legal == MAX_LEGAL)
        return usage_error(argv[0], "--legal: at most %d of them", MAX_LEGAL);
    a->legal[a->n_legal++] = text;
    return EXIT_GOOD;
}

static int take_param(char **argv, struct mutants_opts *o, const char *assignment) {
    char err[512];
    if (block_params_set(o->type, &o->params, assignment, err, sizeof err))
        return usage_error(argv[0], "-p %s: %s", assignment, err);
    return EXIT_GOOD;
}

static int read_options(int argc, char **argv, struct mutants_args *a) {
    enum {
        OPT_NETLIST = OPTION_LONG_ONLY,
        OPT_MUTANTS,
        OPT_RUN,
        OPT_MITERS,
        OPT_PART,
        OPT_APART,
        OPT_MITER,
        OPT_TOP,
        OPT_SHELL,
        OPT_LEGAL,
        OPT_ZEROED,
        OPT_UNOBSERVED
    };
    static const struct option options[] = {{"param", required_argument, NULL, 'p'},
                                            {"netlist", required_argument, NULL, OPT_NETLIST},
                                            {"mutants", required_argument, NULL, OPT_MUTANTS},
                                            {"run", required_argument, NULL, OPT_RUN},
                                            {"miters", required_argument, NULL, OPT_MITERS},
                                            {"part", required_argument, NULL, OPT_PART},
                                            {"apart", required_argument, NULL, OPT_APART},
                                            {"miter", required_argument, NULL, OPT_MITER},
                                            {"top", required_argument, NULL, OPT_TOP},
                                            {"shell", required_argument, NULL, OPT_SHELL},
                                            {"legal", required_argument, NULL, OPT_LEGAL},
                                            {"zeroed", required_argument, NULL, OPT_ZEROED},
                                            {"unobserved", no_argument, NULL, OPT_UNOBSERVED},
                                            {NULL, 0, NULL, 0}};
    int code = EXIT_GOOD;
    for (int c; code == EXIT_GOOD && (c = getopt_long(argc, argv, "+:p:", options, NULL)) != -1;) {
        switch (c) {
        case 'p':
            code = take_param(argv, &a->o, optarg);
            break;
        case OPT_NETLIST:
            a->o.netlist = optarg;
            break;
        case OPT_MUTANTS:
            code = take_count(argv, &a->o, optarg);
            break;
        case OPT_RUN:
            code = take_run(argv, &a->o, optarg);
            break;
        case OPT_MITERS:
            a->o.miters = optarg;
            break;
        case OPT_PART:
            code = take_part(argv, a, optarg);
            break;
        case OPT_APART:
            code = take_apart(argv, a, optarg);
            break;
        case OPT_MITER:
            a->miter = optarg;
            break;
        case OPT_TOP:
            a->top = optarg;
            break;
        case OPT_LEGAL:
            code = take_legal(argv, a, optarg);
            break;
        case OPT_ZEROED:
            a->o.zeroed = optarg;
            break;
        case OPT_UNOBSERVED:
            a->o.unobserved = true;
            break;
        case OPT_SHELL:
            a->shell = optarg;
            break;
        default:
            return option_error(argv, c);
        }
    }
    if (code == EXIT_GOOD && optind < argc)
        return usage_error(argv[0], "unexpected '%s' (see %s --help)", argv[optind], argv[0]);
    return code;
}

/* What --top and --shell ask for. */
static int write_verilog(char **argv, const struct mutants_args *a) {
    struct layout l;
    char err[512];
    int bad = layout_init(&l, a->o.type, &a->o.params, err, sizeof err);
    if (!bad) {
        bad = (a->top && netlist_write_top(&l, a->legal, a->top, err, sizeof err)) ||
              (a->shell && netlist_write_shell(&l, a->shell, err, sizeof err));
        layout_free(&l);
    }
    return bad ? usage_error(argv[0], "%s", err) : EXIT_GOOD;
}

static int write_part(char **argv, const struct mutants_args *a) {
    char err[512];
    if (!a->o.netlist || !a->miter)
        return usage_error(argv[0], "--part needs --netlist and --miter");
    int bad = mutants_part(&a->o, a->part, a->apart, a->n_apart, a->miter, stdout, err, sizeof err);
    return bad ? usage_error(argv[0], "%s", err) : EXIT_GOOD;
}

static int run(char **argv, struct mutants_args *a) {
    volatile bool stop = false;
    char err[512];
    if (block_params_check(a->o.type, &a->o.params, err, sizeof err))
        return usage_error(argv[0], "%s", err);
    if (a->top || a->shell)
        return write_verilog(argv, a);
    if (a->part)
        return write_part(argv, a);
    if (!a->o.netlist || !a->o.mutants)
        return usage_error(argv[0], "needs --netlist and --mutants, --top or --shell");
    if (a->o.n_runs == 0) {
        a->o.runs[a->o.n_runs].cycles = 150000;
        a->o.runs[a->o.n_runs++].seed = 11;
    }
    a->o.stop = &stop;
    interrupt_watch(&stop);
    int bad = mutants_run(&a->o, stdout, err, sizeof err);
    if (!bad)
        return EXIT_GOOD;
    if (bad == MUTANTS_INPUT)
        return usage_error(argv[0], "%s", err);
    fprintf(stderr, "%s: %s\n", argv[0], err);
    return interrupted() ? EXIT_INTERRUPTED : EXIT_INTERNAL;
}

int cmd_mutants(int argc, char **argv) {
    struct mutants_args a = {0};
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return EXIT_GOOD;
    }
    if (argc < 2 || argv[1][0] == '-')
        return usage_error(argv[0], "BLOCK comes first (see %s --help)", argv[0]);
    a.o.type = block_find(argv[1]);
    if (!a.o.type)
        return usage_error(argv[0], "no block '%s' (see memtwin list blocks)", argv[1]);
    block_params_default(a.o.type, &a.o.params);
    opterr = 0;
    optind = 2;
    int code = read_options(argc, argv, &a);
    if (code == EXIT_GOOD)
        code = run(argv, &a);
    free(a.apart);
    return code;
}
