#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "harness/harness.h"

static const char help[] =
    "usage: memtwin replay FILE [--engine ENGINE] [--no-observed] [--wave OUT.vcd]\n"
    "\n"
    "Runs the inputs of a vector file again and compares the outputs with the recorded ones.\n"
    "\n"
    "      --engine ENGINE  twin (default): the Verilog, compiled by Verilator;\n"
    "                       icarus: the same Verilog in four states, where an X differs;\n"
    "                       model: the C model\n"
    "      --no-observed    leave out the observed ports (st_), which a netlist made with "
    "OBSERVE=0\n"
    "                       has at 0; the verdict names them\n"
    "      --wave OUT.vcd   write a waveform\n"
    "  -h, --help           this text\n"
    "\n"
    "exit: 0 same, 1 unreadable file, 3 different\n";

struct replay_opts {
    const char *wave;
    enum replay_engine engine;
    enum replay_ports ports;
    bool help;
};

static int take_engine(char **argv, struct replay_opts *o, const char *name) {
    static const char *const engines[] = {
        [REPLAY_TWIN] = "twin", [REPLAY_ICARUS] = "icarus", [REPLAY_MODEL] = "model"};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        if (strcmp(engines[i], name) == 0) {
            o->engine = (enum replay_engine)i;
            return EXIT_GOOD;
        }
    }
    return usage_error(argv[0], "--engine %s: not twin, icarus or model", name);
}

static int read_options(int argc, char **argv, struct replay_opts *o) {
    enum { OPT_ENGINE = OPTION_LONG_ONLY, OPT_NO_OBSERVED, OPT_WAVE, OPT_HELP };
    static const struct option options[] = {{"engine", required_argument, NULL, OPT_ENGINE},
                                            {"no-observed", no_argument, NULL, OPT_NO_OBSERVED},
                                            {"wave", required_argument, NULL, OPT_WAVE},
                                            {"help", no_argument, NULL, OPT_HELP},
                                            {NULL, 0, NULL, 0}};
    int code = EXIT_GOOD;
    opterr = 0;
    /* Without "+": options may stand before and after FILE, which getopt moves to the end. */
    for (int c; code == EXIT_GOOD && (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (c) {
        case OPT_ENGINE:
            code = take_engine(argv, o, optarg);
            break;
        case OPT_NO_OBSERVED:
            o->ports = REPLAY_NO_OBSERVED;
            break;
        case OPT_WAVE:
            o->wave = optarg;
            break;
        case 'h':
        case OPT_HELP:
            o->help = true;
            return EXIT_GOOD;
        default:
            return option_error(argv, c);
        }
    }
    return code;
}

int cmd_replay(int argc, char **argv) {
    struct replay_opts o = {.engine = REPLAY_TWIN};
    int code = read_options(argc, argv, &o);
    if (code != EXIT_GOOD)
        return code;
    if (o.help) {
        fputs(help, stdout);
        return EXIT_GOOD;
    }
    if (optind == argc)
        return usage_error(argv[0], "no vector file (see %s --help)", argv[0]);
    if (optind + 1 < argc)
        return usage_error(argv[0], "unexpected '%s' (see %s --help)", argv[optind + 1], argv[0]);
    if (access(argv[optind], R_OK) != 0)
        return usage_error(argv[0], "cannot read %s", argv[optind]);
    return replay_run(argv[optind], o.engine, o.ports, o.wave, stdout);
}
