// SPDX-License-Identifier: Apache-2.0
#include "twins.h"

#include "harness/twin.h"
#include "lib/alloc.h"
#include "lib/guess.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void collect_block(void *ctx, struct block_inst *inst) {
    struct twin_choice *c = ctx;
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->instances = alloc_resized(c->instances, c->room, sizeof *c->instances);
    }
    c->instances[c->n++] = (struct twin_instance){.inst = inst};
}

/* Makes a pattern by replacing numbers: "l1d.12.mshr" -> "l1d.*.mshr". */
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

/* Prints "l1d.*.mshr (28 static_mshr), l2.*.mshr (8 static_mshr)". */
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

/* Returns a hint for a block that only some machines have, such as "; hir exists only with
 * uvm.evict=hpe". */
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

/* Splits "PATTERN[:MODE]" in place. Returns 0, or -1 with one line in err. */
static int split(char *arg, enum twin_mode *mode, struct error *err) {
    char *colon = strchr(arg, ':');
    const char *word = colon ? colon + 1 : "lockstep";
    if (!*arg || colon == arg)
        return error_set(err, "--twin '%s': expected PATTERN[:lockstep|drive]", arg);
    *mode = strcmp(word, "drive") == 0 ? TWIN_DRIVE : TWIN_LOCKSTEP;
    if (*mode == TWIN_LOCKSTEP && strcmp(word, "lockstep") != 0)
        return error_set(err, "--twin %s: '%s' is neither lockstep nor drive", arg, word);
    if (colon)
        *colon = '\0';
    return 0;
}

/* Checks that a Verilog module exists for the instance's parameters. Returns 0, or -1 with one line
 * in err. */
static int check_verilog(const char *option, const char *arg, const struct block_inst *inst,
                         struct error *err) {
    struct error why;
    if (block_params_check(inst->type, &inst->params, &why) == 0)
        return 0;
    return error_set(err, "%s %s: %s has no Verilog: %s", option, arg, inst->name, why.text);
}

/* Returns true if `pattern` matches the name of the instance, or is the name of the instance's
 * block. */
static bool matches(const struct block_inst *inst, const char *pattern) {
    return strcmp(inst->type->name, pattern) == 0 || fnmatch(pattern, inst->name, 0) == 0;
}

/* Selects instances by one "PATTERN[:MODE]"; only the pattern remains in arg. */
static int choose_block(struct twin_choice *c, char *arg, struct error *err) {
    const char *pattern = arg;
    char there[512];
    enum twin_mode mode = TWIN_LOCKSTEP;
    bool found = false;
    const struct block_inst *bare = NULL; /* matches, but has no Verilog module */
    if (split(arg, &mode, err))
        return -1;
    for (size_t i = 0; i < c->n; i++) {
        struct twin_instance *t = &c->instances[i];
        if (!matches(t->inst, pattern))
            continue;
        if (!block_has_twin(t->inst->type)) {
            bare = bare ? bare : t->inst;
            continue;
        }
        if (check_verilog("--twin", pattern, t->inst, err))
            return -1;
        t->chosen = found = true;
        t->mode = mode;
    }
    if (found)
        return 0;
    if (bare)
        return error_set(err, "--twin %s: %s (%s) has no Verilog and thus no twin", pattern,
                         bare->name, bare->type->name);
    struct guess guess;
    guess_begin(&guess, pattern);
    for (const struct block_type *const *b = block_types; *b; b++)
        guess_try(&guess, (*b)->name, strlen((*b)->name));
    print_instances(c, there, sizeof there);
    return error_set(err, "--twin %s: no such instance; the machine has %s%s%s", pattern, there,
                     guess_hint(&guess), made_by(pattern));
}

/* Selects instances by patterns separated by commas. */
static int choose_each(struct twin_choice *c, const char *arg, struct error *err) {
    char *list = alloc_text(arg), *rest = list, *one;
    int bad = 0;
    while (!bad && (one = strsep(&rest, ",")))
        bad = choose_block(c, one, err);
    free(list);
    return bad;
}

int twins_choose(struct twin_choice *choice, struct gpu *gpu, const char *const *args,
                 size_t n_args, struct error *err) {
    memset(choice, 0, sizeof *choice);
    gpu_each_block(gpu, collect_block, choice);
    for (size_t i = 0; i < n_args; i++)
        if (choose_each(choice, args[i], err))
            return -1;
    return 0;
}

void twins_free(struct twin_choice *choice) {
    free(choice->instances);
    memset(choice, 0, sizeof *choice);
}

/* Lists one selected instance of each block and parameter point, but at most `room` instances. */
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
                 void (*before)(void *ctx, const char *instance), void *ctx, struct error *err) {
    const struct block_inst *point[TWINS_AHEAD];
    size_t points = distinct_points(choice, point, TWINS_AHEAD);
    if (points > 1 && twin_build_ahead(point, points, twin_kind_of_run(), err))
        return -1;
    for (size_t i = 0; i < choice->n; i++) {
        const struct twin_instance *t = &choice->instances[i];
        if (!t->chosen)
            continue;
        if (before)
            before(ctx, t->inst->name);
        /* i + 1 is the seed of the RTL's power-up state. That state is the same in each run but
         * differs between instances. */
        if (harness_attach(h, t->inst, t->mode, i + 1, err))
            return -1;
    }
    return 0;
}

/* Returns the first instance that matches the pattern or block name, or NULL. */
static const struct block_inst *first_match(const struct twin_choice *c, const char *pattern) {
    for (size_t i = 0; i < c->n; i++)
        if (matches(c->instances[i].inst, pattern))
            return c->instances[i].inst;
    return NULL;
}

static int record_block(const struct twin_choice *c, struct harness *h, const char *arg,
                        struct error *err) {
    char name[BLOCK_NAME_MAX], there[512];
    size_t len = strcspn(arg, "=");
    if (len == 0 || !arg[len] || !arg[len + 1])
        return error_set(err, "--record %s: expected INSTANCE=FILE", arg);
    snprintf(name, sizeof name, "%.*s", (int)len, arg);
    struct block_inst *inst = len < sizeof name ? twins_find(c, name) : NULL;
    const struct block_inst *one = inst ? NULL : first_match(c, name);
    if (one)
        return error_set(err, "--record %s: expected one instance, not a pattern; for example %s",
                         name, one->name);
    if (!inst) {
        print_instances(c, there, sizeof there);
        return error_set(err, "--record %.*s: no such instance; the machine has %s", (int)len, arg,
                         there);
    }
    if (!block_has_twin(inst->type))
        return error_set(err, "--record %s: %s has no Verilog and thus no vectors", name,
                         inst->type->name);
    if (check_verilog("--record", arg, inst, err))
        return -1;
    return harness_record(h, inst, arg + len + 1, UINT64_MAX, false, err);
}

int twins_record(const struct twin_choice *choice, struct harness *h, const char *const *args,
                 size_t n_args, struct error *err) {
    for (size_t i = 0; i < n_args; i++)
        if (record_block(choice, h, args[i], err))
            return -1;
    return 0;
}

struct block_inst *twins_find(const struct twin_choice *choice, const char *name) {
    for (size_t i = 0; i < choice->n; i++)
        if (strcmp(choice->instances[i].inst->name, name) == 0)
            return choice->instances[i].inst;
    return NULL;
}
