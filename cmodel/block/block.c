// SPDX-License-Identifier: Apache-2.0
#include "block/block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK(name) extern const struct block_type name##_type;
#include "blocks.def"
#undef BLOCK

const struct block_type *const block_types[] = {
#define BLOCK(name) &name##_type,
#include "blocks.def"
#undef BLOCK
    NULL};

const struct block_type *block_find(const char *name) {
    for (const struct block_type *const *t = block_types; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            return *t;
    return NULL;
}

bool block_has_twin(const struct block_type *type) {
    return block_find(type->name) == type;
}

void block_params_default(const struct block_type *type, struct block_params *p) {
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < type->n_params; i++)
        p->v[i] = type->params[i].def;
}

enum whose { VERILOG, MODEL };

static int check_range(const struct block_type *type, unsigned param, int64_t value,
                       enum whose whose, struct error *err) {
    const struct param_desc *d = &type->params[param];
    int64_t model_max = type->model_max ? type->model_max[param] : 0;
    int64_t max = model_max && whose == MODEL ? model_max : d->max;
    if (value >= d->min && value <= max)
        return 0;
    return error_set(err, "%s: parameter %s=%" PRId64 " is outside %" PRId64 "..%" PRId64 "%s",
                     type->name, d->name, value, d->min, max,
                     model_max && whose == VERILOG ? ", the range of the Verilog module" : "");
}

int block_params_set(const struct block_type *type, struct block_params *p, const char *assignment,
                     struct error *err) {
    const char *eq = strchr(assignment, '=');
    if (!eq)
        return error_set(err, "%s: expected PARAM=VALUE, got '%s'", type->name, assignment);
    size_t len = (size_t)(eq - assignment);
    for (unsigned i = 0; i < type->n_params; i++) {
        const struct param_desc *d = &type->params[i];
        if (strlen(d->name) != len || strncmp(d->name, assignment, len) != 0)
            continue;
        char *end;
        errno = 0;
        long long value = strtoll(eq + 1, &end, 10);
        if (end > eq + 1 && !*end && errno)
            return error_set(err, "%s: parameter %s is outside %" PRId64 "..%" PRId64, type->name,
                             assignment, d->min, d->max);
        if (end == eq + 1 || *end)
            return error_set(err, "%s: parameter %s: '%s' is not an integer", type->name, d->name,
                             eq + 1);
        p->v[i] = value;
        p->given |= 1u << i;
        if (type->derive)
            type->derive(p);
        return check_range(type, i, value, VERILOG, err);
    }
    return error_set(err, "%s has no parameter '%.*s'", type->name, (int)len, assignment);
}

static int check_params(const struct block_type *type, const struct block_params *p,
                        enum whose whose, struct error *err) {
    for (unsigned i = 0; i < type->n_params; i++)
        if (check_range(type, i, p->v[i], whose, err))
            return -1;
    const char *why = type->illegal ? type->illegal(p) : NULL;
    if (why) {
        char values[512];
        block_params_print(type, p, values, sizeof values);
        return error_set(err, "%s: %s (%s)", type->name, why, values);
    }
    return 0;
}

int block_params_check(const struct block_type *type, const struct block_params *p,
                       struct error *err) {
    return check_params(type, p, VERILOG, err);
}

int block_params_print(const struct block_type *type, const struct block_params *p, char *buf,
                       size_t size) {
    int n = 0;
    for (unsigned i = 0; i < type->n_params; i++) {
        size_t end = (size_t)n < size ? (size_t)n : size;
        n += snprintf(buf + end, size - end, "%s%s=%" PRId64, i ? " " : "", type->params[i].name,
                      p->v[i]);
    }
    return n;
}

int block_inst_init(struct block_inst *inst, const struct block_type *type,
                    const struct block_params *params, const char *name, struct error *err) {
    memset(inst, 0, sizeof *inst);
    if (check_params(type, params, MODEL, err))
        return -1;
    inst->type = type;
    inst->params = *params;
    snprintf(inst->name, sizeof inst->name, "%s", name);
    inst->model = type->create(params);
    return 0;
}

void block_inst_free(struct block_inst *inst) {
    if (inst->model)
        inst->type->destroy(inst->model);
    memset(inst, 0, sizeof *inst);
}
