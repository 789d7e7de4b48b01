// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "harness/harness.h"
#include "options.h"

struct replay_opts {
    const char *wave;
    enum replay_engine engine;
    bool no_observed;
};

static int take_engine(const char *command, const struct option_row *row, void *to, char *name) {
    static const char *const engines[] = {
        [REPLAY_TWIN] = "twin", [REPLAY_ICARUS] = "icarus", [REPLAY_MODEL] = "model"};
    (void)row;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        if (strcmp(engines[i], name) == 0) {
            *(enum replay_engine *)to = (enum replay_engine)i;
            return EXIT_GOOD;
        }
    }
    return usage_error(command, "--engine %s: not twin, icarus or model", name);
}

#define ROW(...) OPTION(struct replay_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW(0, "engine", "ENGINE", take_engine, engine,
        "twin (default): the Verilog, compiled by Verilator;\n"
        "icarus: the same Verilog in four states, where an X differs;\n"
        "model: the C model"),
    ROW(0, "no-observed", NULL, take_flag, no_observed,
        "leave out the observed ports (st_), which a netlist made with OBSERVE=0\n"
        "has at 0; the verdict names them"),
    ROW(0, "wave", "OUT.vcd", take_text, wave, "write a waveform"),
    {0}};

static const char usage[] =
    "usage: memtwin replay FILE [--engine ENGINE] [--no-observed] [--wave OUT.vcd]\n"
    "\n"
    "Runs the inputs of a vector file again and compares the outputs with the recorded ones.\n";
static const char notes[] = "exit: 0 same, 1 unreadable file, 3 different\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .words = 1};

int cmd_replay(int argc, char **argv) {
    struct replay_opts o = {.engine = REPLAY_TWIN};
    const char *file = NULL;
    int code = read_options(&line, argc, argv, &o, &file);
    if (code != GO_ON)
        return code;
    if (!file)
        return usage_error(argv[0], "no vector file (see %s --help)", argv[0]);
    if (access(file, R_OK) != 0)
        return usage_error(argv[0], "cannot read %s", file);
    enum replay_ports ports = o.no_observed ? REPLAY_NO_OBSERVED : REPLAY_ALL;
    return replay_run(file, o.engine, ports, o.wave, stdout);
}
