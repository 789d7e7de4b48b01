// SPDX-License-Identifier: Apache-2.0
#include "loads_check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "loads_inside.h"

#define COUNT "a whole number from 0 to 2^64 - 1"

static cJSON_bool is_count(const cJSON *value) {
    return cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble < 0x1p64 &&
           floor(value->valuedouble) == value->valuedouble;
}

static cJSON_bool is_text_or_null(const cJSON *value) {
    return cJSON_IsString(value) || cJSON_IsNull(value);
}

static cJSON_bool is_count_or_null(const cJSON *value) {
    return is_count(value) || cJSON_IsNull(value);
}

static cJSON_bool is_text_or_absent(const cJSON *value) {
    return !value || cJSON_IsString(value);
}

/* Member that the page reads, with the function that checks its type. */
struct member {
    const char *name, *type;
    cJSON_bool (*is)(const cJSON *value);
};

static const struct member members[] = {{"version", "a text", cJSON_IsString},
                                        {"config", "a text", cJSON_IsString},
                                        {"workload", "a text", cJSON_IsString},
                                        {"end", "a text", cJSON_IsString},
                                        {"program", "a text", cJSON_IsString},
                                        {"command", "a text or null", is_text_or_null},
                                        {"range", "a text", is_text_or_absent},
                                        {"complete", "true or false", cJSON_IsBool},
                                        {"cycles", COUNT, is_count},
                                        {"loads_seen", COUNT, is_count},
                                        {"latency", COUNT, is_count},
                                        {"kept", "an object", cJSON_IsObject},
                                        {"l2_banks_per_channel", COUNT, is_count},
                                        {"blocks", "an array", cJSON_IsArray},
                                        {"spans", "an array", cJSON_IsArray},
                                        {"sums", "an array", cJSON_IsArray},
                                        {"latencies", "an array", cJSON_IsArray},
                                        {"kernels", "an array", cJSON_IsArray},
                                        {"instructions", "an array", cJSON_IsArray},
                                        {"columns", "an array", cJSON_IsArray},
                                        {"loads", "an array", cJSON_IsArray},
                                        {0}};

static const struct member kept_members[] = {{"all", COUNT, is_count},
                                             {"sample", COUNT, is_count},
                                             {"slowest", COUNT, is_count},
                                             {"per_latency", COUNT, is_count},
                                             {"per_instruction", COUNT, is_count},
                                             {"instructions", COUNT, is_count},
                                             {0}};

static const struct member span_members[] = {{"name", "a text", cJSON_IsString},
                                             {"part", "a text", cJSON_IsString},
                                             {"words", "a text", cJSON_IsString},
                                             {0}};

static const struct member inst_members[] = {
    {"kernel", COUNT, is_count},         {"pc", COUNT " or null", is_count_or_null},
    {"bytes", COUNT, is_count},          {"local", "true or false", cJSON_IsBool},
    {"loads", COUNT, is_count},          {"latency", COUNT, is_count},
    {"sums", "an array", cJSON_IsArray}, {0}};

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double member_count(const cJSON *object, const char *name) {
    return member(object, name)->valuedouble;
}

/* Checks the members of an object. `where` is a prefix of the message. */
static int check_members(const cJSON *object, const struct member *m, const char *where,
                         struct error *err) {
    for (; m->name; m++)
        if (!m->is(member(object, m->name)))
            return error_set(err, "%s'%s' is %s; expected %s", where, m->name,
                             member(object, m->name) ? "something else" : "missing", m->type);
    return 0;
}

/* Checks that an array has n elements of a type. */
static int check_array(const cJSON *array, int n, const char *where,
                       cJSON_bool (*is)(const cJSON *), const char *type, struct error *err) {
    const cJSON *value;
    int i = 0;
    cJSON_ArrayForEach(value, array) {
        if (!is(value))
            return error_set(err, "element %d of %s is not %s", i, where, type);
        i++;
    }
    if (n >= 0 && i != n)
        return error_set(err, "%s has %d elements; expected %d, one for each span", where, i, n);
    return 0;
}

static int check_texts(const cJSON *root, const char *name, struct error *err) {
    char where[32];
    snprintf(where, sizeof where, "'%s'", name);
    return check_array(member(root, name), -1, where, cJSON_IsString, "a text", err);
}

static int check_sum(double loads, const cJSON *root, const char *name, struct error *err) {
    if (loads == member_count(root, "loads_seen"))
        return 0;
    return error_set(err, "'%s' counts %.0f loads, 'loads_seen' %.0f", name, loads,
                     member_count(root, "loads_seen"));
}

static int check_spans(const cJSON *root, struct error *err) {
    const cJSON *span;
    int i = 0;
    cJSON_ArrayForEach(span, member(root, "spans")) {
        char where[32];
        snprintf(where, sizeof where, "span %d: ", i++);
        if (check_members(span, span_members, where, err))
            return -1;
    }
    return check_array(member(root, "sums"), i, "'sums'", is_count, COUNT, err);
}

static int check_latencies(const cJSON *root, struct error *err) {
    const cJSON *pair;
    double loads = 0, last = -1;
    int i = 0;
    cJSON_ArrayForEach(pair, member(root, "latencies")) {
        const cJSON *from = cJSON_IsArray(pair) ? pair->child : NULL, *n = from ? from->next : NULL;
        if (!is_count(from) || !is_count(n) || n->next || from->valuedouble <= last)
            return error_set(err,
                             "element %d of 'latencies' is not a latency, larger than the one "
                             "before it, and a number of loads",
                             i);
        last = from->valuedouble;
        loads += n->valuedouble;
        i++;
    }
    return check_sum(loads, root, "latencies", err);
}

static int check_inst(const cJSON *inst, const char *where, int kernels, int spans,
                      struct error *err) {
    char sums[64];
    snprintf(sums, sizeof sums, "%s'sums'", where);
    if (check_members(inst, inst_members, where, err) ||
        check_array(member(inst, "sums"), spans, sums, is_count, COUNT, err))
        return -1;
    if (member_count(inst, "kernel") >= kernels)
        return error_set(err, "%skernel %.0f; 'kernels' has %d", where,
                         member_count(inst, "kernel"), kernels);
    return member_count(inst, "loads") > 0 ? 0
                                           : error_set(err, "%s0 loads; expected 1 or more", where);
}

static int check_insts(const cJSON *root, struct error *err) {
    const int kernels = cJSON_GetArraySize(member(root, "kernels")),
              spans = cJSON_GetArraySize(member(root, "spans"));
    const cJSON *inst;
    double loads = 0;
    int i = 0;
    cJSON_ArrayForEach(inst, member(root, "instructions")) {
        char where[32];
        snprintf(where, sizeof where, "instruction %d: ", i++);
        if (check_inst(inst, where, kernels, spans, err))
            return -1;
        loads += member_count(inst, "loads");
    }
    return check_sum(loads, root, "instructions", err);
}

/* Returns the index of a column, or -1. */
static int find_column(const cJSON *root, const char *name) {
    const cJSON *column;
    int i = 0;
    cJSON_ArrayForEach(column, member(root, "columns")) {
        if (strcmp(column->valuestring, name) == 0)
            return i;
        i++;
    }
    return -1;
}

static int check_columns(const cJSON *root, struct error *err) {
    if (check_texts(root, "columns", err))
        return -1;
    for (const char *const *name = loads_columns; *name; name++)
        if (find_column(root, *name) < 0)
            return error_set(err, "'columns' lacks '%s'", *name);
    return 0;
}

/* Place and range of the values of a load. */
struct load_form {
    int columns, values, latency, instruction, instructions;
};

static int check_row(const cJSON *load, int row, const struct load_form *form, struct error *err) {
    const cJSON *value;
    double latency = 0, spans = 0;
    int i = 0;
    if (!cJSON_IsArray(load) || cJSON_GetArraySize(load) != form->values)
        return error_set(err, "load %d of 'loads' is not an array of %d values", row, form->values);
    cJSON_ArrayForEach(value, load) {
        if (!is_count(value))
            return error_set(err, "load %d of 'loads': value %d is not " COUNT, row, i);
        if (i == form->instruction && value->valuedouble >= form->instructions)
            return error_set(err, "load %d of 'loads': instruction %.0f; 'instructions' has %d",
                             row, value->valuedouble, form->instructions);
        if (i == form->latency)
            latency = value->valuedouble;
        if (i++ >= form->columns)
            spans += value->valuedouble;
    }
    if (spans != latency)
        return error_set(err, "load %d of 'loads': latency %.0f, but spans of %.0f cycles", row,
                         latency, spans);
    return 0;
}

static int check_loads(const cJSON *root, struct error *err) {
    const int columns = cJSON_GetArraySize(member(root, "columns"));
    const struct load_form form = {.columns = columns,
                                   .values = columns + cJSON_GetArraySize(member(root, "spans")),
                                   .latency = find_column(root, "latency"),
                                   .instruction = find_column(root, "instruction"),
                                   .instructions =
                                       cJSON_GetArraySize(member(root, "instructions"))};
    const double all = member_count(member(root, "kept"), "all");
    const cJSON *load;
    int n = 0;
    cJSON_ArrayForEach(load, member(root, "loads")) if (check_row(load, n++, &form, err)) return -1;
    return all == n ? 0 : error_set(err, "'loads' has %d loads, 'kept' %.0f", n, all);
}

int loads_check(const cJSON *root, struct error *err) {
    const char *format = cJSON_GetStringValue(member(root, "format"));
    if (!format || strncmp(format, LOADS_FORMAT, strlen(LOADS_FORMAT)) != 0)
        return error_set(err, "JSON, but not of memtwin run --loads");
    if (strcmp(format, LOADS_FORMAT LOADS_VERSION) != 0)
        return error_set(err, "format %s; this program reads " LOADS_FORMAT LOADS_VERSION, format);
    if (check_members(root, members, "", err) ||
        check_members(member(root, "kept"), kept_members, "kept: ", err))
        return -1;
    if (member_count(root, "l2_banks_per_channel") < 1)
        return error_set(err, "'l2_banks_per_channel' is 0; expected 1 or more");
    return check_texts(root, "blocks", err) || check_texts(root, "kernels", err) ||
                   check_spans(root, err) || check_latencies(root, err) || check_insts(root, err) ||
                   check_columns(root, err) || check_loads(root, err)
               ? -1
               : 0;
}
