// SPDX-License-Identifier: Apache-2.0
#include "twins.h"

#include "harness/twin.h"
#include "lib/guess.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void collect(void *ctx, struct block_inst *inst) {
    struct twin_choice *c = ctx;
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        struct twin_instance *grown = realloc(c->instances, room * sizeof *grown);
        if (!grown)
            return; /* twins_choose finds it, since the count is too small */
        c->instances = grown;
        c->room = room;
    }
    c->instances[c->n++] = (struct twin_instance){.inst = inst};
}

static void count(void *ctx, struct block_inst *inst) {
    (void)inst;
    ++*(size_t *)ctx;
}

/* Replaces numbers to make a pattern: "l1d.12.mshr" -> "l1d.*.mshr". */
static void shape_of(const char *name, char *shape, size_t size) {
    size_t n = 0;
    for (bool first = true; *name && n + 1 < size; first = shape[n - 1] == '.') {
        size_t digits = first ? strspn(name, "0123456789") : 0;
        bool number = digits && (name[digits] == '.' || name[digits] == '\0');
        shape[n++] = number ? '*' : *name;
        name += number ? digits : 1;
    }
    shape[n] = '\0';
}

/* "l1d.*.mshr (28 static_mshr), l2.*.mshr (8 static_mshr)" */
static void print_instances(const struct twin_choice *c, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < c->n && used < size;) {
        char shape[BLOCK_NAME_MAX], other[BLOCK_NAME_MAX];
        const struct block_type *type = c->instances[i].inst->type;
        shape_of(c->instances[i].inst->name, shape, sizeof shape);
        size_t end = i + 1;
        for (; end < c->n && c->instances[end].inst->type == type; end++) {
            shape_of(c->instances[end].inst->name, other, sizeof other);
            if (strcmp(shape, other) != 0)
                break;
        }
        int len = snprintf(buf + used, size - used, "%s%s (%zu %s)", i ? ", " : "", shape, end - i,
                           type->name);
        used += len > 0 ? (size_t)len : 0;
        i = end;
    }
}

/* A hint for a block that only some machines have: "; hir exists only with uvm.evict=hpe". */
static const char *made_by(const char *block) {
    static const char *const key[][2] = {
        {"cap", "; cap exists only with uvm.prefetch=cap or uvm.prefetch_full=cap"},
        {"lease", "; lease exists only with uvm.evict=ture"},
        {"expiry", "; expiry exists only with uvm.evict=ture"},
        {"hir", "; hir exists only with uvm.evict=hpe"},
    };
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
        if (strcmp(block, key[i][0]) == 0)
            return key[i][1];
    return "";
}

/* Splits "PATTERN[:MODE]" in place. 0, or -1 with one line in err. */
static int split(char *arg, enum twin_mode *mode, char *err, size_t err_size) {
    char *colon = strchr(arg, ':');
    const char *word = colon ? colon + 1 : "lockstep";
    if (!*arg || colon == arg) {
        snprintf(err, err_size, "--twin '%s': expected PATTERN[:lockstep|drive]", arg);
        return -1;
    }
    *mode = strcmp(word, "drive") == 0 ? TWIN_DRIVE : TWIN_LOCKSTEP;
    if (*mode == TWIN_LOCKSTEP && strcmp(word, "lockstep") != 0) {
        snprintf(err, err_size, "--twin %s: '%s' is neither lockstep nor drive", arg, word);
        return -1;
    }
    if (colon)
        *colon = '\0';
    return 0;
}

/* Checks that Verilog exists for the instance's parameters. 0, or -1 with one line in err. */
static int check_verilog(const char *option, const char *arg, const struct block_inst *inst,
                         char *err, size_t err_size) {
    char why[512];
    if (block_params_check(inst->type, &inst->params, why, sizeof why) == 0)
        return 0;
    snprintf(err, err_size, "%s %s: %s has no Verilog: %s", option, arg, inst->name, why);
    return -1;
}

/* Whether `pattern` matches the name of the instance, or is the name of its block. */
static bool matches(const struct block_inst *inst, const char *pattern) {
    return strcmp(inst->type->name, pattern) == 0 || fnmatch(pattern, inst->name, 0) == 0;
}

/* Chooses by one "PATTERN[:MODE]"; only the pattern remains in arg. */
static int choose(struct twin_choice *c, char *arg, char *err, size_t err_size) {
    const char *pattern = arg;
    char there[512];
    enum twin_mode mode;
    bool found = false;
    const struct block_inst *bare = NULL; /* matches, but has no Verilog */
    if (split(arg, &mode, err, err_size))
        return -1;
    for (size_t i = 0; i < c->n; i++) {
        struct twin_instance *t = &c->instances[i];
        if (!matches(t->inst, pattern))
            continue;
        if (!block_has_twin(t->inst->type)) {
            bare = bare ? bare : t->inst;
            continue;
        }
        if (check_verilog("--twin", pattern, t->inst, err, err_size))
            return -1;
        t->chosen = found = true;
        t->mode = mode;
    }
    if (found)
        return 0;
    if (bare) {
        snprintf(err, err_size, "--twin %s: %s (%s) has no Verilog, so no twin", pattern,
                 bare->name, bare->type->name);
        return -1;
    }
    struct guess guess;
    guess_begin(&guess, pattern);
    for (const struct block_type *const *b = block_types; *b; b++)
        guess_try(&guess, (*b)->name, strlen((*b)->name));
    print_instances(c, there, sizeof there);
    snprintf(err, err_size, "--twin %s: no such instance; there are %s%s%s", pattern, there,
             guess_hint(&guess), made_by(pattern));
    return -1;
}

/* Chooses by patterns separated by commas. */
static int choose_each(struct twin_choice *c, const char *arg, char *err, size_t err_size) {
    char *list = strdup(arg), *rest = list, *one;
    int bad = 0;
    if (!list) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    while (!bad && (one = strsep(&rest, ",")))
        bad = choose(c, one, err, err_size);
    free(list);
    return bad;
}

int twins_choose(struct twin_choice *choice, struct gpu *gpu, const char *const *args,
                 size_t n_args, char *err, size_t err_size) {
    size_t expected = 0;
    memset(choice, 0, sizeof *choice);
    gpu_each_block(gpu, count, &expected);
    gpu_each_block(gpu, collect, choice);
    if (choice->n != expected) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < n_args; i++)
        if (choose_each(choice, args[i], err, err_size))
            return -1;
    return 0;
}

void twins_free(struct twin_choice *choice) {
    free(choice->instances);
    memset(choice, 0, sizeof *choice);
}

/* Lists a chosen instance of each block and parameter point, at most `room`. */
static size_t distinct_points(const struct twin_choice *choice, const struct block_inst **point,
                              size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < choice->n && n < room; i++) {
        const struct block_inst *inst = choice->instances[i].inst;
        size_t k = 0;
        while (k < n && (point[k]->type != inst->type ||
                         memcmp(point[k]->params.v, inst->params.v, sizeof inst->params.v) != 0))
            k++;
        if (choice->instances[i].chosen && k == n)
            point[n++] = inst;
    }
    return n;
}

int twins_attach(const struct twin_choice *choice, struct harness *h,
                 void (*before)(void *ctx, const char *instance), void *ctx, char *err,
                 size_t err_size) {
    const struct block_inst *point[TWINS_AHEAD];
    size_t points = distinct_points(choice, point, TWINS_AHEAD);
    if (points > 1 && twin_build_ahead(point, points, twin_kind_of_run(), err, err_size))
        return -1;
    for (size_t i = 0; i < choice->n; i++) {
        const struct twin_instance *t = &choice->instances[i];
        if (!t->chosen)
            continue;
        if (before)
            before(ctx, t->inst->name);
        /* The index seeds the RTL's power-up state: equal in every run, and different for each
         * instance. */
        if (harness_attach(h, t->inst, t->mode, i + 1, err, err_size))
            return -1;
    }
    return 0;
}

/* The first instance that matches the pattern or block name; NULL if none does. */
static const struct block_inst *first_match(const struct twin_choice *c, const char *pattern) {
    for (size_t i = 0; i < c->n; i++)
        if (matches(c->instances[i].inst, pattern))
            return c->instances[i].inst;
    return NULL;
}

static int record(const struct twin_choice *c, struct harness *h, const char *arg, char *err,
                  size_t err_size) {
    char name[BLOCK_NAME_MAX], there[512];
    size_t len = strcspn(arg, "=");
    if (len == 0 || !arg[len] || !arg[len + 1]) {
        snprintf(err, err_size, "--record %s: expected INSTANCE=FILE", arg);
        return -1;
    }
    snprintf(name, sizeof name, "%.*s", (int)len, arg);
    struct block_inst *inst = len < sizeof name ? twins_find(c, name) : NULL;
    const struct block_inst *one = inst ? NULL : first_match(c, name);
    if (one) {
        snprintf(err, err_size, "--record %s: one instance, not a pattern: %s, say", name,
                 one->name);
        return -1;
    }
    if (!inst) {
        print_instances(c, there, sizeof there);
        snprintf(err, err_size, "--record %.*s: no such instance; there are %s", (int)len, arg,
                 there);
        return -1;
    }
    if (!block_has_twin(inst->type)) {
        snprintf(err, err_size, "--record %s: %s has no Verilog, so no vectors", name,
                 inst->type->name);
        return -1;
    }
    if (check_verilog("--record", arg, inst, err, err_size))
        return -1;
    return harness_record(h, inst, arg + len + 1, UINT64_MAX, false, err, err_size);
}

int twins_record(const struct twin_choice *choice, struct harness *h, const char *const *args,
                 size_t n_args, char *err, size_t err_size) {
    for (size_t i = 0; i < n_args; i++)
        if (record(choice, h, args[i], err, err_size))
            return -1;
    return 0;
}

struct block_inst *twins_find(const struct twin_choice *choice, const char *name) {
    for (size_t i = 0; i < choice->n; i++)
        if (strcmp(choice->instances[i].inst->name, name) == 0)
            return choice->instances[i].inst;
    return NULL;
}
