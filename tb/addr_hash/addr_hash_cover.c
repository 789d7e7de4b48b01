// SPDX-License-Identifier: Apache-2.0
#include "addr_hash/addr_hash_cover.h"

#include <stdio.h>

#define SCAN_BITS 16 /* number of low line bits that are enumerated to find possible events */
#define STRIDE_RUN 3 /* number of consecutive equal steps that count as a stride */

/* ---- Lines ---- */

/* Returns the index of the range that contains number i out of n. */
static unsigned range_of(uint64_t i, uint64_t n) {
    return (unsigned)(n > ADDR_HASH_RANGES ? i * ADDR_HASH_RANGES / n : i);
}

/* Counts the events that an access to the line causes on its own. */
static void count_line(struct addr_hash_counts *to, const struct addr_hash_geometry *g,
                       uint64_t line) {
    const struct addr_hash_place place = addr_hash_place_of(g, line);
    const uint64_t chunk = addr_hash_chunk(g, line);
    to->events[EV_LINE_NONE] += line == 0;
    to->events[EV_LINE_ALL] += line == g->line_mask;
    to->sets[range_of(place.set, g->sets)]++;
    to->parts[range_of(place.part, g->partitions)]++;
    for (unsigned bit = 0; bit < g->addr_w; bit++)
        to->alone[bit] += line == UINT64_C(1) << bit;
    if (g->set_prime) {
        const uint64_t r = line % g->set_prime;
        to->events[EV_SET_FIRST] += r == 0;
        to->events[EV_SET_LAST] += r == g->set_prime - 1;
        to->events[EV_SET_FOLDED] += r >= g->sets;
    }
    if (g->part_prime) {
        const uint64_t r = chunk % g->part_prime;
        to->events[EV_PART_FIRST] += r == 0;
        to->events[EV_PART_LAST] += r == g->part_prime - 1;
        to->events[EV_PART_FOLDED] += r >= g->partitions;
    }
}

static void scan_line(struct addr_hash_cover *c, bool *used, uint64_t line) {
    const uint64_t set = addr_hash_place_of(&c->g, line).set;
    count_line(&c->possible, &c->g, line);
    c->sets_used += !used[set];
    used[set] = true;
}

/* Enumerates the low line bits, with all upper bits 0 and with all upper bits 1. Also enumerates
 * the low chunk bits, because the low line bits include only few of them if chunks are large. */
static void scan_lines(struct addr_hash_cover *c) {
    const struct addr_hash_geometry *g = &c->g;
    bool used[ADDR_HASH_MAX_SETS] = {false};
    for (uint64_t low = 0; low < UINT64_C(1) << SCAN_BITS && low <= g->line_mask; low++) {
        scan_line(c, used, low);
        scan_line(c, used, low ^ g->line_mask);
        scan_line(c, used, low << g->interleave & g->line_mask);
    }
}

/* ---- Cycles ---- */

static void count_event(struct addr_hash_cover *c, enum addr_hash_event e, bool condition) {
    c->seen.events[e] += condition;
}

static bool has_access(const struct addr_hash_in *in) {
    return in->acc_valid && !in->rst;
}

static void cover_stride(struct addr_hash_cover *c, uint64_t line) {
    const uint64_t step = (line - c->before[0].acc_line) & c->g.line_mask;
    c->steps = step == c->step && c->running > 1 ? c->steps + 1 : 1;
    c->step = step;
    for (unsigned bit = 0; bit < c->g.addr_w; bit++)
        c->seen.strides[bit] += c->steps == STRIDE_RUN && step == UINT64_C(1) << bit;
}

/* Covers the pairs that this access forms with the access in the previous cycle. */
static void cover_pair(struct addr_hash_cover *c, uint64_t line) {
    const uint64_t other = c->before[0].acc_line;
    const uint64_t set = addr_hash_place_of(&c->g, line).set;
    const uint64_t other_set = addr_hash_place_of(&c->g, other).set;
    count_event(c, EV_BACK_TO_BACK, true);
    count_event(c, EV_LONG_BURST, c->running == 7);
    count_event(c, EV_SAME_LINE, line == other);
    count_event(c, EV_SAME_SET, line != other && set == other_set);
    count_event(c, EV_OTHER_SET, set != other_set);
    cover_stride(c, line);
}

static void cover_access(struct addr_hash_cover *c, const struct addr_hash_in *in) {
    const struct addr_hash_in *last = &c->before[0], *second = &c->before[1];
    count_line(&c->seen, &c->g, in->acc_line);
    count_event(c, EV_AFTER_RESET, last->rst);
    count_event(c, EV_GAP, !last->rst && !has_access(last) && has_access(second));
    if (has_access(last))
        cover_pair(c, in->acc_line);
    c->running++;
}

static void cover_reset(struct addr_hash_cover *c, const struct addr_hash_score *s,
                        const struct addr_hash_in *in) {
    bool all = true, any = false;
    for (unsigned i = 0; i < c->g.latency; i++) {
        all = all && s->way[i].valid;
        any = any || s->way[i].valid;
    }
    count_event(c, EV_RESET_EMPTY, !any);
    count_event(c, EV_RESET_FULL, all);
    count_event(c, EV_RESET_ACCESS, in->acc_valid);
    count_event(c, EV_RESET_TWICE, c->before[0].rst);
}

void addr_hash_cover_cycle(struct addr_hash_cover *c, const struct addr_hash_score *s,
                           const struct addr_hash_in *in) {
    const struct addr_hash_in *last = &c->before[0], *second = &c->before[1];
    count_event(c, EV_ALONE, has_access(last) && !has_access(second) && !has_access(in));
    if (in->rst)
        cover_reset(c, s, in);
    if (has_access(in))
        cover_access(c, in);
    else
        c->running = 0;
    c->before[1] = c->before[0];
    c->before[0] = *in;
}

/* ---- Points that are possible at the parameters ---- */

/* True if a single line can cause the event. Other events need two different lines or no line. */
static bool needs_line(enum addr_hash_event e) {
    return e <= EV_PART_FOLDED;
}

static bool event_possible(const struct addr_hash_cover *c, enum addr_hash_event e) {
    switch (e) {
    case EV_SAME_SET: /* there must be more lines than sets in use */
        return c->g.line_mask >= c->sets_used;
    case EV_OTHER_SET:
        return c->sets_used > 1;
    default:
        return !needs_line(e) || c->possible.events[e];
    }
}

void addr_hash_cover_init(struct addr_hash_cover *c, const struct addr_hash_geometry *g) {
    c->g = *g;
    scan_lines(c);
}

/* ---- The points ---- */

static void add_point(struct addr_hash_cover *c, size_t *n, const char *name, uint64_t hits,
                      bool possible) {
    c->points[(*n)++] = (struct cover_point){name, hits, possible};
}

#define NAME(...) (snprintf(*name, sizeof *name, __VA_ARGS__), *name++)

typedef char cover_name[48];

static cover_name *add_ranges(struct addr_hash_cover *c, size_t *n, cover_name *name,
                              const char *what, uint64_t all, const uint64_t *seen,
                              const uint64_t *possible) {
    for (unsigned i = 0; i < ADDR_HASH_RANGES && i < all; i++)
        if (all > ADDR_HASH_RANGES)
            add_point(c, n, NAME("%s, range %u of %d", what, i, ADDR_HASH_RANGES), seen[i],
                      possible[i]);
        else
            add_point(c, n, NAME("%s %u", what, i), seen[i], possible[i]);
    return name;
}

static void add_bits(struct addr_hash_cover *c, size_t *n, cover_name *name) {
    for (unsigned bit = 0; bit < c->g.addr_w; bit++) {
        add_point(c, n, NAME("bit %u of the line and no other", bit), c->seen.alone[bit], true);
        add_point(c, n, NAME("stride of 2^%u lines", bit), c->seen.strides[bit], true);
    }
}

size_t addr_hash_cover_points(struct addr_hash_cover *c, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        ADDR_HASH_EVENTS(X)
#undef X
    };
    cover_name *name = c->names;
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        add_point(c, &n, events[e], c->seen.events[e], event_possible(c, (enum addr_hash_event)e));
    name = add_ranges(c, &n, name, "set", c->g.sets, c->seen.sets, c->possible.sets);
    name = add_ranges(c, &n, name, "partition", c->g.partitions, c->seen.parts, c->possible.parts);
    add_bits(c, &n, name);
    *points = c->points;
    return n;
}
