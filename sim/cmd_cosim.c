#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
#include "harness/harness.h"
#include "progress.h"

static const char help[] =
    "usage: memtwin cosim BLOCK [OPTION]...\n"
    "\n"
    "Runs one block alone: constrained-random stimulus, the C model and its Verilog side by side,\n"
    "every output compared every cycle, functional coverage against its floor.\n"
    "\n"
    "  -p, --param NAME=VALUE  a parameter (memtwin list blocks); the last one for a name holds\n"
    "      --cycles N          length (default 150000)\n"
    "      --seed S            of the stimulus (default 1); the same seed gives the same run\n"
    "      --record FILE       write inputs and outputs as a vector file (memtwin replay)\n"
    "      --model-only        no Verilog: coverage and rules of the model alone\n"
    "      --plant PORT[BIT]@CYCLE  flip that bit (default 0) of the model's value, to see it "
    "found\n"
    "  -h, --help              this text\n"
    "\n"
    "exit: 0 good, 2 coverage under its floor or a rule of the block broken, 3 mismatch\n";

static int bad_number(const char *command, const char *option, const char *value) {
    return usage_error(command, "%s %s: not a number above 0", option, value);
}

static int take_param(char **argv, struct cosim_opts *o, const char *assignment) {
    char err[512];
    if (block_params_set(o->type, &o->params, assignment, err, sizeof err))
        return usage_error(argv[0], "-p %s: %s", assignment, err);
    return EXIT_GOOD;
}

static int read_options(int argc, char **argv, struct cosim_opts *o) {
    enum { OPT_CYCLES = OPTION_LONG_ONLY, OPT_SEED, OPT_RECORD, OPT_MODEL_ONLY, OPT_PLANT };
    static const struct option options[] = {{"param", required_argument, NULL, 'p'},
                                            {"cycles", required_argument, NULL, OPT_CYCLES},
                                            {"seed", required_argument, NULL, OPT_SEED},
                                            {"record", required_argument, NULL, OPT_RECORD},
                                            {"model-only", no_argument, NULL, OPT_MODEL_ONLY},
                                            {"plant", required_argument, NULL, OPT_PLANT},
                                            {NULL, 0, NULL, 0}};
    int code = EXIT_GOOD;
    for (int c; code == EXIT_GOOD && (c = getopt_long(argc, argv, "+:p:", options, NULL)) != -1;) {
        switch (c) {
        case 'p':
            code = take_param(argv, o, optarg);
            break;
        case OPT_CYCLES:
            if (!parse_u64(optarg, &o->cycles) || o->cycles == 0)
                return bad_number(argv[0], "--cycles", optarg);
            break;
        case OPT_SEED:
            if (!parse_u64(optarg, &o->seed))
                return usage_error(argv[0], "--seed %s: not a number", optarg);
            break;
        case OPT_RECORD:
            o->record = optarg;
            break;
        case OPT_MODEL_ONLY:
            o->model_only = true;
            break;
        case OPT_PLANT:
            o->plant = optarg;
            break;
        default:
            return option_error(argv, c);
        }
    }
    if (code == EXIT_GOOD && optind < argc)
        return usage_error(argv[0], "unexpected '%s' (see %s --help)", argv[optind], argv[0]);
    return code;
}

/* The block stands anywhere among the options, most often first. */
static const struct block_type *take_block(int *argc, char **argv) {
    if (*argc < 2 || argv[1][0] == '-')
        return NULL;
    const struct block_type *type = block_find(argv[1]);
    if (type) {
        memmove(argv + 1, argv + 2, (size_t)(*argc - 1) * sizeof *argv);
        --*argc;
    }
    return type;
}

static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static void show_progress(void *ctx, uint64_t done, uint64_t total) {
    struct progress *p = ctx;
    if (progress_due(p))
        progress_line(p, "%" PRIu64 " of %" PRIu64 " cycles, %.0f %%, %.0f cycles/s", done, total,
                      100.0 * (double)done / (double)total, (double)done / progress_seconds(p));
}

int cmd_cosim(int argc, char **argv) {
    volatile bool stop = false;
    struct progress progress;
    struct cosim_opts o = {.cycles = 150000, .seed = 1, .stop = &stop, .progress = show_progress};
    char err[512];
    if (wants_help(argc, argv)) {
        fputs(help, stdout);
        return EXIT_GOOD;
    }
    o.type = take_block(&argc, argv);
    if (!o.type && argc > 1 && argv[1][0] != '-')
        return usage_error(argv[0], "no block '%s' (see memtwin list blocks)", argv[1]);
    if (!o.type)
        return usage_error(argv[0], "BLOCK comes first (see %s --help)", argv[0]);
    block_params_default(o.type, &o.params);
    opterr = 0;
    int code = read_options(argc, argv, &o);
    if (code != EXIT_GOOD)
        return code;
    if (block_params_check(o.type, &o.params, err, sizeof err))
        return usage_error(argv[0], "%s", err);
    progress_begin(&progress, false);
    o.progress_ctx = &progress;
    interrupt_watch(&stop);
    code = cosim_run(&o, stdout);
    progress_end(&progress);
    return interrupted() ? EXIT_INTERRUPTED : code;
}
