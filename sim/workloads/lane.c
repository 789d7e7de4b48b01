// SPDX-License-Identifier: Apache-2.0
/* Constructs workloads, generates their inputs and checks their results. The runner is in
 * runner.c. */
#include "lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/random.h"

/* Reads decimal digits up to a comma or the end. Returns the text after them, or NULL if there are
 * no digits or another character follows. A value that does not fit becomes UINT64_MAX, which is
 * out of every range. */
static const char *read_number(const char *s, uint64_t *value) {
    if (*s < '0' || *s > '9')
        return NULL;
    uint64_t v = 0;
    for (; *s >= '0' && *s <= '9'; s++) {
        uint64_t digit = (uint64_t)(*s - '0');
        v = v > (UINT64_MAX - digit) / 10 ? UINT64_MAX : v * 10 + digit;
    }
    *value = v;
    return *s == '\0' || *s == ',' ? s : NULL;
}

static int read_size(const struct workload_type *type, const char *size, uint64_t *value,
                     struct error *err) {
    const struct size_value *desc = type->size;
    const char *s = size;
    unsigned n = 0, commas = 0;
    while (n < WORKLOAD_SIZES && desc[n].name)
        n++;
    for (const char *c = size; *c; c++)
        commas += *c == ',';
    if (commas >= n)
        return error_set(err, "%s: size \"%.40s\" has more than %u value%s (%s)", type->name, size,
                         n, n == 1 ? "" : "s", type->size_doc);
    for (unsigned i = 0;; i++) {
        s = read_number(s, &value[i]);
        if (!s)
            return error_set(err, "%s: size \"%.40s\": %s is not a whole number", type->name, size,
                             desc[i].name);
        if (value[i] < desc[i].min || value[i] > desc[i].max)
            return error_set(err, "%s: size \"%.40s\": %s must be from %" PRIu64 " to %" PRIu64,
                             type->name, size, desc[i].name, desc[i].min, desc[i].max);
        if (*s == '\0')
            return 0;
        s++;
    }
}

bool workload_multiple(struct workload *w, const char *name, uint64_t value, uint64_t unit) {
    struct lane_workload *base = (struct lane_workload *)w;
    if (value % unit == 0)
        return true;
    error_set(&base->err, "%s: size: %s, %" PRIu64 ", is not a multiple of %" PRIu64, w->type->name,
              name, value, unit);
    return false;
}

bool workload_at_most(struct workload *w, const char *name, uint64_t value, const char *most_name,
                      uint64_t most) {
    struct lane_workload *base = (struct lane_workload *)w;
    if (value <= most)
        return true;
    error_set(&base->err, "%s: size: %s, %" PRIu64 ", is more than %s, %" PRIu64, w->type->name,
              name, value, most_name, most);
    return false;
}

int workload_sizes(const struct workload_type *type, const char *size,
                   uint64_t value[WORKLOAD_SIZES], struct error *err) {
    for (unsigned i = 0; i < WORKLOAD_SIZES; i++)
        value[i] = type->size[i].min;
    return read_size(type, type->default_size, value, err) ||
                   (size && read_size(type, size, value, err))
               ? -1
               : 0;
}

struct workload *workload_create(const struct workload_type *type, const char *size,
                                 struct error *err) {
    uint64_t value[WORKLOAD_SIZES];
    if (workload_sizes(type, size, value, err))
        return NULL;
    struct lane_workload *base = alloc_zeroed(1, type->state_size);
    base->w = (struct workload){.type = type,
                                .arrays = base->arrays,
                                .next = type->next,
                                .verify = type->verify,
                                .destroy = type->destroy ? type->destroy : workload_free};
    if (type->create(&base->w, value))
        return &base->w;
    error_set(err, "%s", base->err.text);
    base->w.destroy(&base->w);
    return NULL;
}

static uint64_t device_end(const struct lane_workload *base) {
    if (base->w.n_arrays == 0)
        return LANE_DEVICE_BASE;
    const struct device_array *last = &base->arrays[base->w.n_arrays - 1];
    return (last->base + last->bytes + 255) / 256 * 256;
}

void *workload_array(struct lane_workload *base, const char *name, uint64_t n, size_t elem_size,
                     struct device_array **dev) {
    const uint64_t start = device_end(base);
    const uint64_t room = LANE_DEVICE_BASE + LANE_DEVICE_BYTES - start;
    const unsigned i = base->w.n_arrays;
    if (i == LANE_MAX_ARRAYS || n > room / elem_size) {
        error_set(&base->err,
                  "%s: array %s of %" PRIu64 " elements does not fit into 2 GiB of device memory",
                  base->w.type->name, name, n);
        return NULL;
    }
    base->host[i] = alloc_zeroed(n, elem_size);
    base->arrays[i] =
        (struct device_array){.name = name, .base = start, .bytes = n * elem_size, .counted = true};
    base->w.n_arrays++;
    *dev = &base->arrays[i];
    return base->host[i];
}

void workload_free(struct workload *w) {
    struct lane_workload *base = (struct lane_workload *)w;
    for (unsigned i = 0; i < w->n_arrays; i++)
        free(base->host[i]);
    free(base);
}

void *workload_host(struct workload *w, const char *array) {
    struct lane_workload *base = (struct lane_workload *)w;
    for (unsigned i = 0; i < w->n_arrays; i++)
        if (strcmp(w->arrays[i].name, array) == 0)
            return base->host[i];
    return NULL;
}

uint64_t rng_next(struct rng *r) {
    return random_next(&r->state);
}

uint64_t rng_below(struct rng *r, uint64_t n) {
    return (rng_next(r) >> 32) * n >> 32;
}

float rng_unit(struct rng *r) {
    return (float)(rng_next(r) >> 40) * 0x1p-24f;
}

void rng_fill(struct rng *r, float *v, uint64_t n, float low, float high) {
    for (uint64_t i = 0; i < n; i++)
        v[i] = low + (high - low) * rng_unit(r);
}

void expect_accesses(struct device_array *a, uint64_t loads, uint64_t stores) {
    a->expected_loads = loads;
    a->expected_stores = stores;
}

void expect_atomics(struct device_array *a, uint64_t atomics) {
    a->expected_atomics = atomics;
}

int verify_accesses(const struct workload *w, struct error *err) {
    for (unsigned i = 0; i < w->n_arrays; i++) {
        const struct device_array *a = &w->arrays[i];
        if (!a->counted || (a->loads == a->expected_loads && a->stores == a->expected_stores &&
                            a->atomics == a->expected_atomics))
            continue;
        return error_set(err,
                         "%s: array %s: %" PRIu64 " loads, %" PRIu64 " stores and %" PRIu64
                         " atomics, expected %" PRIu64 ", %" PRIu64 " and %" PRIu64,
                         w->type->name, a->name, a->loads, a->stores, a->atomics, a->expected_loads,
                         a->expected_stores, a->expected_atomics);
    }
    return 0;
}

/* Returns the index of the first of n elements that differ in any bit, or n if there is none. */
static uint64_t first_difference(const void *got, const void *want, size_t size, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) != 0)
            return i;
    return n;
}

int verify_floats(const char *array, const float *got, const float *want, uint64_t n,
                  struct error *err) {
    const uint64_t i = first_difference(got, want, sizeof *got, n);
    if (i < n)
        error_set(err, "%s[%" PRIu64 "] is %.9g, expected %.9g", array, i, (double)got[i],
                  (double)want[i]);
    return i < n ? -1 : 0;
}

int verify_doubles(const char *array, const double *got, const double *want, uint64_t n,
                   struct error *err) {
    const uint64_t i = first_difference(got, want, sizeof *got, n);
    if (i < n)
        error_set(err, "%s[%" PRIu64 "] is %.17g, expected %.17g", array, i, got[i], want[i]);
    return i < n ? -1 : 0;
}

int verify_ints(const char *array, const int32_t *got, const int32_t *want, uint64_t n,
                struct error *err) {
    const uint64_t i = first_difference(got, want, sizeof *got, n);
    if (i < n)
        error_set(err, "%s[%" PRIu64 "] is %" PRId32 ", expected %" PRId32, array, i, got[i],
                  want[i]);
    return i < n ? -1 : 0;
}
