// SPDX-License-Identifier: Apache-2.0
#include "harness/twin.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/folder.h"
#include "harness/library.h"
#include "harness/ports_check.h"
#include "lib/alloc.h"
#include "os/path.h"
#include "os/proc.h"

int twin_name(const struct layout *l, char *buf, struct error *err) {
    char params[sizeof l->params_text], *to = params;
    for (const char *from = l->params_text; *from; from++)
        if (*from != '=')
            *to++ = *from == ' ' ? '-' : *from;
    *to = '\0';
    return path_print(buf, err, "%s%s%s", l->type->name, *params ? "-" : "", params);
}

enum twin_kind twin_kind_of_run(void) {
    const char *brief = getenv("MEMTWIN_BRIEF");
    return brief && *brief ? TWIN_BRIEF : TWIN_FAST;
}

/* Copies the most useful line in the log of a failed build: an ILLEGAL_ parameter, else the first
 * error. If there is neither and `any` is set, copies the last line that is not empty. */
static void log_line(const char *log, bool any, char *buf, size_t size) {
    char line[400];
    bool found = false;
    FILE *f = fopen(log, "re");
    buf[0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        bool illegal = strstr(line, "ILLEGAL_") != NULL, error = strstr(line, "rror") != NULL;
        if (illegal || (!found && (error || (any && line[0]))))
            snprintf(buf, size, "%s", line);
        found = found || error;
        if (illegal)
            break;
    }
    if (f)
        fclose(f);
}

static bool written_since(const char *path, const struct timespec *t) {
    struct stat st;
    return stat(path, &st) == 0 &&
           (st.st_mtim.tv_sec > t->tv_sec ||
            (st.st_mtim.tv_sec == t->tv_sec && st.st_mtim.tv_nsec >= t->tv_nsec));
}

static const struct {
    const char *suffix, /* suffix of the file name */
        *make;          /* setting of a variable in twin.mk */
} kinds[] = {[TWIN_FAST] = {"", "WAVE="},
             [TWIN_BRIEF] = {"-brief", "BRIEF=1"},
             [TWIN_WAVE] = {"-wave", "WAVE=vcd"},
             [TWIN_FST] = {"-fst", "WAVE=fst"}};

/* Paths used in one build. */
struct build {
    char root[PATH_SIZE], project[PATH_SIZE], rtl[PATH_SIZE], folder[PATH_SIZE], name[PATH_SIZE];
    char ports[PATH_SIZE]; /* empty file that is newer than the .so if its ports were checked */
    char so[PATH_SIZE], log[PATH_SIZE], make_log[PATH_SIZE], lock[PATH_SIZE];
};

/* Returns the path relative to the root if it is below the root, since GNU make cannot handle
 * blanks. */
static const char *below_root(const struct build *b, const char *path) {
    size_t n = strlen(b->root);
    if (strncmp(path, b->root, n) != 0)
        return path;
    return path[n] == '/' ? path + n + 1 : path[n] ? path : ".";
}

static int name_build(struct build *b, const struct layout *l, enum twin_kind kind, bool bare,
                      struct error *err) {
    char base[PATH_SIZE];
    const char *block = l->type->name;
    if (harness_root(b->root, err) || block_project(block, b->project, err) ||
        block_rtl(block, b->rtl, err) || twin_folder(block, b->folder, err) ||
        twin_name(l, base, err) ||
        path_print(b->name, err, "%s%s%s", base, bare ? "-bare" : "", kinds[kind].suffix) ||
        path_print(b->so, err, "%s/%s.so", b->folder, b->name) ||
        path_print(b->ports, err, "%s/%s.ports", b->folder, b->name) ||
        path_print(b->log, err, "%s/%s.log", b->folder, b->name) ||
        path_print(b->make_log, err, "%s/%s.make.log", b->folder, b->name) ||
        path_print(b->lock, err, "%s/%s.lock", b->folder, b->name))
        return -1;
    const char *paths[] = {below_root(b, b->project), below_root(b, b->rtl),
                           below_root(b, b->folder)};
    for (int i = 0; i < 3; i++) {
        if (strpbrk(paths[i], " \t$#:%'\"\\"))
            return error_set(err, "'%s': a path that GNU make cannot handle%s", paths[i],
                             i == 2 ? " (MEMTWIN_TWINS and MEMTWIN_CACHE name other folders)" : "");
    }
    return 0;
}

/* Runs twin.mk under the twin's lock. A second program that needs the same twin waits, and then
 * finds the built twin. */
static int run_make(const struct build *b, const struct layout *l, enum twin_kind kind, bool bare,
                    struct error *err) {
    char block[128], params[sizeof l->params_text + 16], project[PATH_SIZE];
    char rtl[PATH_SIZE], out[PATH_SIZE];
    snprintf(block, sizeof block, "BLOCK=%s", l->type->name);
    snprintf(params, sizeof params, "PARAMS=%s", l->params_text);
    if (path_print(project, err, "PROJECT=%s", below_root(b, b->project)) ||
        path_print(rtl, err, "RTL=%s", below_root(b, b->rtl)) ||
        path_print(out, err, "OUT=%s", below_root(b, b->folder)))
        return -1;
    const char *argv[] = {"env",
                          "-u",
                          "MAKEFLAGS",
                          "-u",
                          "MFLAGS",
                          "-u",
                          "MAKELEVEL",
                          "flock",
                          "-F",
                          b->lock,
                          "make",
                          "-s",
                          "-r",
                          "-C",
                          b->root,
                          "-f",
                          "tb/harness/twin.mk",
                          block,
                          params,
                          project,
                          rtl,
                          out,
                          kinds[kind].make,
                          bare ? "BARE=1" : "BARE=",
                          NULL};
    return proc_run(argv, NULL, b->make_log, err);
}

static int build(struct build *b, const struct layout *l, enum twin_kind kind, bool bare,
                 struct error *err) {
    struct error why = {0};
    struct timespec start; /* start time, from the clock of file timestamps */
    if (name_build(b, l, kind, bare, err))
        return -1;
    clock_gettime(CLOCK_REALTIME_COARSE, &start);
    int status = run_make(b, l, kind, bare, err);
    if (status == 0) {
        remove(b->make_log);
        return 0;
    }
    if (status < 0)
        return -1;
    if (written_since(b->log, &start))
        log_line(b->log, false, why.text, sizeof why.text);
    const char *log = why.text[0] ? b->log : b->make_log;
    if (!why.text[0])
        log_line(b->make_log, true, why.text, sizeof why.text);
    if (!why.text[0])
        error_set(&why, "exit status %d", status);
    return error_set(err, "building the twin of %s %s failed: %s (log: %s)", l->type->name,
                     l->params_text, why.text, path_from_here(log));
}

/* True if `text`, which the shim writes as "IN rst 1;OUT err 2;...", matches the port list. */
static bool same_ports(const struct layout *l, const char *text) {
    unsigned in = 0, out = 0;
    for (unsigned i = 0; i < l->type->n_ports; i++) {
        const struct port_desc *d = &l->type->ports[i];
        const struct port_place *p = d->dir == PORT_IN ? &l->in[in++] : &l->out[out++];
        char want[128];
        int n = snprintf(want, sizeof want, "%s %s %u;", port_dir_name(d->dir), d->name, p->width);
        if (strncmp(text, want, (size_t)n) != 0)
            return false;
        text += n;
    }
    return *text == '\0';
}

static const char *wrong_table(const struct twin_table *t, const struct layout *l) {
    if (t->abi != TWIN_ABI)
        return "built for another harness";
    if (strcmp(t->block, l->type->name) != 0 || strcmp(t->params, l->params_text) != 0)
        return "built for another block or other parameters";
    if (t->in_size != l->type->in_size || t->out_size != l->type->out_size ||
        !same_ports(l, t->ports))
        return "built for another port list";
    return NULL;
}

/* True if the ports have been checked since the twin was built. */
static bool are_ports_checked(const struct build *b) {
    struct stat st;
    return stat(b->so, &st) == 0 && written_since(b->ports, &st.st_mtim);
}

/* Compares the ports of a newly built twin's Verilog with the port list. If that is impossible,
 * for example because Yosys is not installed, prints a note. Returns 0, or -1 with a one-line
 * message in err if they differ. */
static int check_ports(const struct build *b, const struct layout *l, bool bare,
                       struct error *err) {
    if (are_ports_checked(b))
        return 0;
    const enum ports_verdict verdict =
        bare ? ports_check_bare(l->type, &l->params, err) : ports_check(l->type, &l->params, err);
    FILE *f = verdict == PORTS_EQUAL ? fopen(b->ports, "we") : NULL;
    if (f)
        fclose(f);
    if (verdict == PORTS_UNKNOWN && strcmp(err->text, "interrupted") != 0) {
        fprintf(stderr, "the ports of %s are not compared with its list: %s\n", l->type->name,
                err->text);
        return 0;
    }
    return verdict == PORTS_EQUAL ? 0 : -1;
}

/* Opens a built twin. Returns NULL, or what is wrong with its file. */
static const char *open_twin(struct twin_lib *lib, const char *so, const struct layout *l) {
    memset(lib, 0, sizeof *lib);
    lib->handle = dlopen(so, RTLD_NOW | RTLD_LOCAL);
    void *symbol = lib->handle ? dlsym(lib->handle, MEMTWIN_TWIN_ENTRY) : NULL;
    if (!symbol)
        return dlerror();
    twin_entry_fn *entry;
    memcpy(&entry, &symbol, sizeof entry);
    lib->table = entry();
    return wrong_table(lib->table, l);
}

/* Builds and opens a twin. Builds it again if its file is damaged. */
static int load(struct twin_lib *lib, const struct layout *l, enum twin_kind kind, bool bare,
                struct error *err) {
    struct build *b = alloc_array(1, sizeof *b);
    const char *why = "";
    int bad = 0;
    for (int i = 0; i < 2 && why && !bad; i++) {
        if (i > 0) {
            twin_unload(lib);
            remove(b->so);
        }
        bad = build(b, l, kind, bare, err) || check_ports(b, l, bare, err) ? -1 : 0;
        why = bad ? NULL : open_twin(lib, b->so, l);
    }
    if (why) {
        const size_t n = strlen(b->so); /* dlerror() may begin with the path */
        const bool doubled = strncmp(why, b->so, n) == 0 && strncmp(why + n, ": ", 2) == 0;
        bad = error_set(err, "%s: %s", b->so, doubled ? why + n + 2 : why);
        twin_unload(lib);
    }
    free(b);
    return bad;
}

int twin_load(struct twin_lib *lib, const struct layout *l, enum twin_kind kind,
              struct error *err) {
    return load(lib, l, kind, false, err);
}

int twin_load_bare(struct twin_lib *lib, const struct layout *l, enum twin_kind kind,
                   struct error *err) {
    return load(lib, l, kind, true, err);
}

void twin_unload(struct twin_lib *lib) {
    if (lib->handle)
        dlclose(lib->handle);
    memset(lib, 0, sizeof *lib);
}

#define INTERRUPTED 2 /* exit status of an interrupted child */

static void build_in_child(const struct block_inst *inst, enum twin_kind kind) {
    struct build *b = alloc_array(1, sizeof *b);
    struct layout l;
    struct error err = {0};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (layout_init(&l, inst->type, &inst->params, &err) == 0)
        build(b, &l, kind, false, &err);
    _exit(strcmp(err.text, "interrupted") == 0 ? INTERRUPTED : 0);
}

/* Waits for any child in pid[n]. Returns -1 if the child or this program was interrupted. */
static int wait_for_child(pid_t pid[], long n) {
    int status = 0;
    pid_t ended = wait(&status);
    for (long k = 0; k < n; k++)
        if (ended < 0 && pid[k])
            kill(pid[k], SIGTERM);
        else if (pid[k] == ended)
            pid[k] = 0;
    return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == INTERRUPTED) ? -1 : 0;
}

int twin_build_ahead(const struct block_inst *const *inst, size_t n, enum twin_kind kind,
                     struct error *err) {
    pid_t pid[TWINS_AHEAD] = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN), children = 0, started = 0;
    int bad = 0;
    fflush(NULL);
    for (size_t i = 0; i < n && i < TWINS_AHEAD && !bad; i++) {
        if (children == processors) {
            bad = wait_for_child(pid, started);
            children--;
        }
        pid_t child = bad ? -1 : fork();
        if (child == 0)
            build_in_child(inst[i], kind);
        if (child > 0) {
            pid[started++] = child;
            children++;
        }
    }
    for (; children > 0; children--)
        bad |= wait_for_child(pid, started);
    if (bad)
        error_set(err, "interrupted");
    return bad;
}
