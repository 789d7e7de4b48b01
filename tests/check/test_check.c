// SPDX-License-Identifier: Apache-2.0
/* Tests of the end-to-end data check. They apply each rule to good and bad cases, compare the
 * check with an oracle that follows the rule in check.h literally, and run a toy memory with and
 * without faults. The test tier runs a third of the random episodes.
 * tier: test, 2 s; full, 5 s */
#include "check/check.h"
#include "tests/test.h"
#include "tests/tier.h"

#define N_SMS 4
#define LINE 0x1234567
#define OTHER 0x1234577

static const struct byte_mask ALL = {{UINT64_MAX, UINT64_MAX}};
static const struct byte_mask LOW = {{UINT64_MAX, 0}};
static const struct byte_mask HIGH = {{0, UINT64_MAX}};

static struct byte_mask bytes(unsigned first, unsigned n) {
    struct byte_mask m = {{0, 0}};
    for (unsigned i = first; i < first + n; i++)
        m.w[i / 64] |= (uint64_t)1 << i % 64;
    return m;
}

static bool in_mask(const struct byte_mask *m, unsigned i) {
    return m->w[i / 64] >> i % 64 & 1;
}

/* ---- helpers: a check, with versions counted here ---- */

struct check_bench {
    struct check *c;
    uint32_t last;
};

static int setup(void **state) {
    struct check_bench *b = calloc(1, sizeof *b);
    if (!b)
        return -1;
    b->c = check_create(N_SMS);
    *state = b;
    return b->c ? 0 : -1;
}

static int teardown(void **state) {
    struct check_bench *b = *state;
    check_destroy(b->c);
    free(b);
    return 0;
}

static uint32_t store(struct check_bench *b, unsigned sm, uint64_t line, struct byte_mask m) {
    check_store(b->c, sm, line, &m, ++b->last);
    return b->last;
}

static void ack(struct check_bench *b, unsigned sm, uint32_t version) {
    check_store_acked(b->c, sm, version);
}

static uint32_t store_acked(struct check_bench *b, unsigned sm, uint64_t line, struct byte_mask m) {
    uint32_t v = store(b, sm, line, m);
    ack(b, sm, v);
    return v;
}

/* Completes the load with this ticket, with one version in all masked bytes. */
static void done(struct check_bench *b, unsigned sm, uint64_t ticket, uint64_t line,
                 struct byte_mask m, uint32_t version) {
    uint8_t data[LINE_BYTES];
    memset(data, 0xee, sizeof data);
    check_stamp_line(data, line, &m, version);
    check_load_done(b->c, sm, ticket, line, &m, data);
}

static void load(struct check_bench *b, unsigned sm, uint64_t line, struct byte_mask m,
                 uint32_t version) {
    done(b, sm, check_load(b->c, sm), line, m, version);
}

static void assert_good(struct check_bench *b) {
    if (check_failure(b->c))
        print_error("%s\n", check_failure(b->c));
    assert_null(check_failure(b->c));
}

/* Expects the failure to be one line of text that contains all these strings. NULL ends the
 * list. */
static void assert_bad(struct check_bench *b, ...) {
    const char *failure = check_failure(b->c), *word;
    assert_non_null(failure);
    assert_null(strchr(failure, '\n'));
    va_list words;
    va_start(words, b);
    while ((word = va_arg(words, const char *)))
        if (!strstr(failure, word)) {
            print_error("no \"%s\" in: %s\n", word, failure);
            fail();
        }
    va_end(words);
}

/* ---- stamps ---- */

static void stamp_words_are_bijective(void **state) {
    enum { N = 1 << 16 };
    uint8_t *seen = calloc(1, (size_t)1 << 29);
    assert_non_null(seen);
    for (uint32_t v = 0; v < N; v++) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 4; i++)
            word |= (uint32_t)check_stamp(v, 0x1000 + i) << 8 * i;
        assert_false(seen[word / 8] >> word % 8 & 1);
        seen[word / 8] |= (uint8_t)(1u << word % 8);
    }
    free(seen);
}

static void stamp_line_is_stamps(void **state) {
    struct byte_mask m = bytes(3, 99);
    uint8_t data[LINE_BYTES] = {0};
    check_stamp_line(data, LINE, &m, 77);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        assert_int_equal(data[i],
                         in_mask(&m, i) ? check_stamp(77, (uint64_t)LINE * LINE_BYTES + i) : 0);
}

static void stamps_depend_on_address(void **state) {
    for (uint32_t v = 0; v < 3; v++) {
        unsigned equal = 0;
        for (uint64_t addr = 0; addr < 1 << 16; addr += 4)
            equal += check_stamp(v, addr) == check_stamp(v, addr + 128) &&
                     check_stamp(v, addr + 1) == check_stamp(v, addr + 129);
        assert_true(equal < 8);
    }
}

/* ---- loads of bytes never stored ---- */

static void untouched_reads_version_0(void **state) {
    struct check_bench *b = *state;
    load(b, 0, LINE, ALL, 0);
    load(b, 1, LINE, bytes(5, 1), 0);
    store(b, 0, LINE, LOW);
    load(b, 0, LINE, HIGH, 0);
    assert_good(b);
    assert_int_equal(check_loads_checked(b->c), 3);
    assert_int_equal(check_bytes_checked(b->c), 128 + 1 + 64);
}

static void untouched_with_a_version_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 0, LINE, LOW);
    load(b, 0, LINE, HIGH, 1);
    assert_bad(b, "stale data", "SM 0", "0x91a2b3c0", "allowed: version 0", NULL);
}

static void bytes_outside_the_mask_do_not_count(void **state) {
    struct check_bench *b = *state;
    store(b, 0, LINE, bytes(8, 4));
    load(b, 0, LINE, bytes(8, 4), 1); /* all other bytes are 0xee */
    load(b, 0, LINE, bytes(0, 0), 1);
    assert_good(b);
}

static void wrong_line_is_caught(void **state) {
    struct check_bench *b = *state;
    uint8_t data[LINE_BYTES];
    store(b, 2, OTHER, ALL);
    check_stamp_line(data, OTHER, &ALL, 1);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &ALL, data);
    assert_bad(b, "foreign data", "byte 0x91a2b380", "= byte 0x91a2bb80, version 1 (SM 2)",
               "allowed: version 0 (never stored)", NULL);
}

static void wrong_untouched_line_is_caught(void **state) {
    struct check_bench *b = *state;
    uint8_t data[LINE_BYTES];
    struct byte_mask word = bytes(16, 4);
    check_stamp_line(data, OTHER, &ALL, 0);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &word, data);
    assert_bad(b, "foreign data", "byte 0x91a2b39", NULL);
}

static void wrong_word_of_the_line_is_caught(void **state) {
    struct check_bench *b = *state;
    uint8_t data[LINE_BYTES];
    store(b, 0, LINE, ALL);
    check_stamp_line(data, LINE, &ALL, 1);
    memmove(data, data + 4, LINE_BYTES - 4);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &LOW, data);
    assert_bad(b, "foreign data", NULL);
}

/* ---- own stores ---- */

static void own_store_is_seen(void **state) {
    struct check_bench *b = *state;
    for (unsigned i = 0; i < 3; i++)
        load(b, 1, LINE, ALL, store(b, 1, LINE, ALL));
    assert_good(b);
}

static void older_than_own_store_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 1, LINE, ALL);
    load(b, 1, LINE, ALL, 0);
    assert_bad(b, "stale data", "version 0 (never stored)", "allowed: version 1 (SM 1)", NULL);
}

static void older_own_store_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 1, LINE, ALL);
    store(b, 1, LINE, ALL);
    load(b, 1, LINE, ALL, 1);
    assert_bad(b, "stale data", "= version 1 (SM 1)", "allowed: version 2 (SM 1)", NULL);
}

static void load_before_own_store_may_miss_it(void **state) {
    struct check_bench *b = *state;
    uint64_t ticket = check_load(b->c, 1);
    store(b, 1, LINE, ALL);
    done(b, 1, ticket, LINE, ALL, 0);
    done(b, 1, ticket, LINE, ALL, 1);
    assert_good(b);
}

/* ---- other SMs' stores ---- */

static void racing_store_is_free(void **state) {
    struct check_bench *b = *state;
    uint32_t own = store(b, 0, LINE, ALL), other = store(b, 1, LINE, ALL);
    load(b, 0, LINE, ALL, own);
    load(b, 0, LINE, ALL, other);
    load(b, 1, LINE, ALL, other);
    load(b, 1, LINE, ALL, own);
    load(b, 2, LINE, ALL, own);
    load(b, 2, LINE, ALL, other);
    load(b, 2, LINE, ALL, 0);
    assert_good(b);
}

static void another_sm_may_keep_its_old_line_within_a_kernel(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 0, LINE, ALL);
    store_acked(b, 0, LINE, ALL);
    load(b, 1, LINE, ALL, 0);
    load(b, 1, LINE, ALL, v);
    assert_good(b);
}

static void acknowledged_before_own_store_is_superseded(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 0, LINE, ALL);
    store(b, 1, LINE, ALL);
    load(b, 1, LINE, ALL, v);
    assert_bad(b, "stale data", "= version 1 (SM 0)", "allowed: version 2 (SM 1)", NULL);
}

static void acknowledged_after_own_store_entered_is_not(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store(b, 0, LINE, ALL);
    store(b, 1, LINE, ALL);
    ack(b, 0, v);
    load(b, 1, LINE, ALL, v);
    assert_good(b);
}

static void store_that_entered_during_the_load_may_be_seen(void **state) {
    struct check_bench *b = *state;
    uint64_t ticket = check_load(b->c, 1);
    uint32_t v = store(b, 0, LINE, ALL);
    done(b, 1, ticket, LINE, ALL, v);
    assert_good(b);
}

static void store_that_was_not_made_is_caught(void **state) {
    struct check_bench *b = *state;
    load(b, 1, LINE, ALL, 1);
    assert_bad(b, "foreign data", NULL);
}

/* ---- parts of words and lines ---- */

static void bytes_of_a_word_mix(void **state) {
    struct check_bench *b = *state;
    uint8_t data[LINE_BYTES];
    struct byte_mask word = bytes(40, 4), one = bytes(42, 1);
    store(b, 0, LINE, word);
    store(b, 0, LINE, one);
    check_stamp_line(data, LINE, &word, 1);
    check_stamp_line(data, LINE, &one, 2);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &word, data);
    assert_good(b);
    load(b, 0, LINE, word, 1);
    assert_bad(b, "stale data", "0x91a2b3aa", "allowed: version 2 (SM 0)", NULL);
}

static void one_byte_store_is_checked(void **state) {
    struct check_bench *b = *state;
    struct byte_mask one = bytes(127, 1);
    load(b, 0, LINE, one, store(b, 0, LINE, one));
    assert_good(b);
    load(b, 0, LINE, one, 0);
    assert_bad(b, "stale data", "0x91a2b3ff", "......", NULL);
}

static void two_stores_mix_in_a_line(void **state) {
    struct check_bench *b = *state;
    uint8_t data[LINE_BYTES];
    struct byte_mask middle = bytes(30, 70);
    uint32_t first = store(b, 0, LINE, ALL), second = store(b, 1, LINE, middle);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        data[i] = check_stamp(in_mask(&middle, i) && i % 3 ? second : first,
                              (uint64_t)LINE * LINE_BYTES + i);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &ALL, data);
    assert_good(b);
    data[29] = check_stamp(second, (uint64_t)LINE * LINE_BYTES + 29);
    check_load_done(b->c, 0, check_load(b->c, 0), LINE, &ALL, data);
    assert_bad(b, "0x91a2b39d", "allowed: version 1 (SM 0)", NULL);
}

/* ---- kernel ends ---- */

static void after_the_kernel_all_must_see_it(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 0, LINE, LOW);
    check_kernel_end(b->c);
    load(b, 1, LINE, LOW, v);
    load(b, 1, LINE, HIGH, 0);
    assert_good(b);
    load(b, 1, LINE, LOW, 0);
    assert_bad(b, "stale data", "kernel 1", "allowed: version 1 (an earlier kernel)", NULL);
}

static void stale_over_kernels_is_caught(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 0, LINE, ALL);
    check_kernel_end(b->c);
    store_acked(b, 1, LINE, ALL);
    check_kernel_end(b->c);
    load(b, 0, LINE, ALL, v);
    assert_bad(b, "stale data", "= version 1 (an earlier kernel)", "allowed: version 2", NULL);
}

static void race_stays_open_over_kernels(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store(b, 0, LINE, ALL), w = store(b, 1, LINE, LOW);
    ack(b, 1, w);
    ack(b, 0, v);
    check_kernel_end(b->c);
    check_kernel_end(b->c);
    load(b, 2, LINE, LOW, v);
    load(b, 2, LINE, ALL, v);
    load(b, 2, LINE, LOW, w);
    assert_good(b);
    load(b, 2, LINE, LOW, 0);
    assert_bad(b, "stale data", "version 2 (SM 1, an earlier kernel)",
               "version 1 (SM 0, an earlier kernel)", NULL);
}

static void race_is_closed_by_a_later_store(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store(b, 0, LINE, ALL), w = store(b, 1, LINE, ALL);
    ack(b, 1, w);
    ack(b, 0, v);
    check_kernel_end(b->c);
    uint32_t x = store_acked(b, 2, LINE, LOW);
    load(b, 3, LINE, LOW, w);
    check_kernel_end(b->c);
    load(b, 0, LINE, LOW, x);
    load(b, 0, LINE, HIGH, v);
    load(b, 0, LINE, HIGH, w);
    assert_good(b);
    load(b, 0, LINE, LOW, w);
    assert_bad(b, "stale data", "allowed: version 3", NULL);
}

/* The end of a kernel affects only the kernel's lines. The kernel that uses LINE ends, while a
 * store of the other kernel waits and that kernel's loads continue. */
static void a_kernel_ends_for_its_lines_alone(void **state) {
    struct check_bench *b = *state;
    store_acked(b, 0, OTHER, ALL);
    uint32_t v = store_acked(b, 0, LINE, ALL), waits = store(b, 1, OTHER, ALL);
    uint64_t ticket = check_load(b->c, 2);
    check_kernel_end_range(b->c, LINE, LINE + 1);
    done(b, 2, ticket, OTHER, ALL, 0);
    load(b, 2, LINE, ALL, v);
    ack(b, 1, waits);
    load(b, 3, OTHER, ALL, 1);
    assert_good(b);
    load(b, 1, LINE, ALL, 0);
    assert_bad(b, "stale data", "kernel 0", "allowed: version 2 (SM 0, an earlier kernel)", NULL);
}

static void stale_after_the_end_for_a_line_is_caught(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 0, LINE, ALL);
    load(b, 2, LINE, ALL, 0);
    store_acked(b, 1, LINE, ALL);
    load(b, 2, LINE, ALL, v);
    assert_good(b);
    check_kernel_end_range(b->c, LINE, LINE + 1);
    load(b, 2, LINE, ALL, v);
    assert_bad(b, "stale data", "= version 1 (SM 0, an earlier kernel)", "allowed: version 2",
               NULL);
}

static void race_stays_open_over_the_end_for_a_line(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store(b, 0, LINE, ALL), w = store(b, 1, LINE, LOW);
    ack(b, 1, w);
    ack(b, 0, v);
    check_kernel_end_range(b->c, LINE, LINE + 1);
    load(b, 2, LINE, ALL, v);
    load(b, 2, LINE, LOW, w);
    uint32_t x = store_acked(b, 3, LINE, bytes(0, 4));
    load(b, 2, LINE, ALL, v);
    check_kernel_end_range(b->c, LINE, LINE + 1);
    load(b, 2, LINE, bytes(0, 4), x);
    load(b, 2, LINE, bytes(4, 60), v);
    check_kernel_end(b->c);
    load(b, 2, LINE, bytes(4, 60), w);
    assert_good(b);
    load(b, 2, LINE, bytes(0, 4), w);
    assert_bad(b, "stale data", "allowed: version 3 (an earlier kernel)", NULL);
}

static void missing_ack_at_the_end_for_a_line_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 0, OTHER, ALL);
    store(b, 2, LINE, ALL);
    check_kernel_end_range(b->c, LINE, LINE + 1);
    assert_bad(b, "without acknowledgement", "version 2", "SM 2", NULL);
}

static void late_load_is_caught(void **state) {
    struct check_bench *b = *state;
    uint64_t ticket = check_load(b->c, 0);
    check_kernel_end(b->c);
    done(b, 0, ticket, LINE, ALL, 0);
    assert_bad(b, "late load", "SM 0", NULL);
}

static void unknown_ticket_is_caught(void **state) {
    struct check_bench *b = *state;
    done(b, 0, check_load(b->c, 0) + 1, LINE, ALL, 0);
    assert_bad(b, "ticket", NULL);
}

/* ---- acknowledgements ---- */

static void double_ack_is_caught(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 3, LINE, ALL);
    assert_good(b);
    ack(b, 3, v);
    assert_bad(b, "acknowledged twice", "version 1", "SM 3", NULL);
}

static void ack_after_the_kernel_is_double(void **state) {
    struct check_bench *b = *state;
    uint32_t v = store_acked(b, 3, LINE, ALL);
    check_kernel_end(b->c);
    assert_good(b);
    ack(b, 3, v);
    assert_bad(b, "acknowledged twice", "earlier kernel", NULL);
}

static void unknown_ack_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 0, LINE, ALL);
    ack(b, 0, 2);
    assert_bad(b, "unknown version 2", NULL);
}

static void ack_of_version_0_is_caught(void **state) {
    struct check_bench *b = *state;
    ack(b, 0, 0);
    assert_bad(b, "unknown version 0", NULL);
}

static void ack_at_the_wrong_sm_is_caught(void **state) {
    struct check_bench *b = *state;
    ack(b, 1, store(b, 0, LINE, ALL));
    assert_bad(b, "wrong SM", NULL);
}

/* Forgotten stores count neither as unacknowledged nor as values that a load must return. */
static void forgotten_stores_leave_the_older_bytes(void **state) {
    struct check_bench *b = *state;
    const uint32_t first = store(b, 0, LINE, ALL);
    ack(b, 0, first);
    store(b, 0, LINE, LOW);
    store(b, 0, LINE, LOW);
    check_line_forgotten(b->c, 0, LINE, &LOW);
    load(b, 0, LINE, ALL, first);
    check_kernel_end(b->c);
    load(b, 1, LINE, ALL, first);
    assert_good(b);
    check_line_forgotten(b->c, 0, LINE, &LOW);
    assert_bad(b, "drop of nothing", "SM 0", NULL);
}

static void forgotten_bytes_are_caught(void **state) {
    struct check_bench *b = *state;
    const uint32_t lost = store(b, 0, LINE, LOW);
    store(b, 0, LINE, HIGH);
    check_line_forgotten(b->c, 0, LINE, &LOW);
    load(b, 0, LINE, LOW, lost);
    assert_bad(b, "SM 0", NULL);
}

static void missing_ack_is_caught(void **state) {
    struct check_bench *b = *state;
    store_acked(b, 0, LINE, ALL);
    store(b, 2, OTHER, ALL);
    store(b, 3, OTHER, ALL);
    check_kernel_end(b->c);
    assert_bad(b, "without acknowledgement", "kernel 0", "version 2", "SM 2", "2 such", NULL);
}

/* ---- misuse, first failure ---- */

static void stale_version_number_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, 0, LINE, ALL);
    check_store(b->c, 0, LINE, &ALL, 1);
    assert_bad(b, "version 1 is not fresh", "next is 2", NULL);
}

static void unknown_sm_is_caught(void **state) {
    struct check_bench *b = *state;
    store(b, N_SMS, LINE, ALL);
    assert_bad(b, "SM 4", "there are only 4 SMs", NULL);
}

static void first_failure_stays_and_counting_goes_on(void **state) {
    struct check_bench *b = *state;
    ack(b, 0, 9);
    load(b, 0, LINE, ALL, 5);
    store(b, 0, LINE, ALL);
    check_kernel_end(b->c);
    assert_bad(b, "unknown version 9", NULL);
    assert_int_equal(check_loads_checked(b->c), 1);
    assert_int_equal(check_bytes_checked(b->c), 128);
}

/* ---- final check ---- */

/* A memory of three lines, each of which has a single version in all bytes. */
struct toy_final {
    uint32_t version[3];
    unsigned reads;
};

static void read_final(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct toy_final *m = ctx;
    m->reads++;
    check_stamp_line(data, line, &ALL, m->version[line - LINE]);
}

static void final_good(void **state) {
    struct check_bench *b = *state;
    struct toy_final m = {{1, 4, 3}, 0};
    for (unsigned i = 0; i < 3; i++)
        store(b, i, LINE + i, ALL);
    store(b, 3, LINE + 1, ALL);
    for (unsigned i = 0; i < 4; i++)
        ack(b, i, i + 1);
    check_kernel_end(b->c);
    check_final(b->c, read_final, &m);
    m.version[1] = 2; /* the version of the other store in the race */
    check_final(b->c, read_final, &m);
    assert_good(b);
    assert_int_equal(m.reads, 6);
}

static void final_finds_lost_store(void **state) {
    struct check_bench *b = *state;
    struct toy_final m = {{1, 0, 3}, 0};
    for (unsigned i = 0; i < 3; i++)
        store_acked(b, i, LINE + i, ALL);
    check_kernel_end(b->c);
    check_final(b->c, read_final, &m);
    assert_bad(b, "lost store", "memory at the end", "0x91a2b400", "version 0 (never stored)",
               "allowed: version 2", NULL);
}

static void final_finds_change_beside_the_store(void **state) {
    struct check_bench *b = *state;
    struct toy_final m = {{1, 0, 0}, 0};
    store_acked(b, 0, LINE, LOW);
    check_kernel_end(b->c);
    check_final(b->c, read_final, &m);
    assert_bad(b, "0x91a2b3c0", "allowed: version 0", NULL);
}

static void final_inside_a_kernel_is_caught(void **state) {
    struct check_bench *b = *state;
    struct toy_final m = {{1, 0, 0}, 0};
    store_acked(b, 0, LINE, ALL);
    check_final(b->c, read_final, &m);
    assert_bad(b, "before the end of kernel 0", NULL);
}

/* ---- a literal version of the rule in check.h, against the check ---- */

#define ORACLE_STORES 64
#define ORACLE_BASE 100 /* line number of the oracle's line 0 */

struct past_store {
    unsigned sm, line, entered, kernel;
    unsigned acked; /* time of the store's acknowledgement; UINT32_MAX until then */
    struct byte_mask mask;
};

struct check_oracle {
    /* indexed by version; version 0 means that nothing was stored */
    struct past_store s[ORACLE_STORES + 1];
    unsigned n, now, kernel[2]; /* `kernel` is the index of the kernel that uses each line */
};

/* Returns a random number, computed with SplitMix64. */
static uint64_t rnd(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned below(uint64_t *seed, unsigned n) {
    return (unsigned)(rnd(seed) % n);
}

static bool covers(const struct check_oracle *o, unsigned v, unsigned line, unsigned byte) {
    return v == 0 || (o->s[v].line == line && in_mask(&o->s[v].mask, byte));
}

static bool before(const struct check_oracle *o, unsigned a, unsigned b) {
    if (a == 0)
        return b != 0;
    return o->s[a].acked < o->s[b].entered ||
           (o->s[a].sm == o->s[b].sm && o->s[a].entered < o->s[b].entered);
}

/* True if a load by `sm` (-1 for no SM) that entered at `entered` in the line's current kernel may
 * return version a. */
static bool oracle_allows(const struct check_oracle *o, int sm, unsigned entered, unsigned line,
                          unsigned byte, unsigned a) {
    if (!covers(o, a, line, byte))
        return false;
    for (unsigned b = 1; b <= o->n; b++) {
        bool counts = o->s[b].kernel < o->kernel[line] ||
                      ((int)o->s[b].sm == sm && o->s[b].entered < entered);
        if (counts && covers(o, b, line, byte) && before(o, a, b))
            return false;
    }
    return true;
}

static bool oracle_allows_byte(const struct check_oracle *o, int sm, unsigned entered,
                               unsigned line, unsigned byte, uint8_t got) {
    uint64_t addr = (uint64_t)(ORACLE_BASE + line) * LINE_BYTES + byte;
    for (unsigned a = 0; a <= o->n; a++)
        if (check_stamp(a, addr) == got && oracle_allows(o, sm, entered, line, byte, a))
            return true;
    return false;
}

/* Draws a mask: all bytes, or some of bytes 56 to 71, so that stores overlap. */
static struct byte_mask oracle_mask(uint64_t *seed) {
    switch (below(seed, 4)) {
    case 0:
        return ALL;
    case 1:
        return bytes(56 + 4 * below(seed, 4), 4);
    case 2:
        return bytes(56 + below(seed, 16), 1);
    default:
        return bytes(56 + below(seed, 8), 1 + below(seed, 8));
    }
}

/* Draws the data of a load: allowed bytes, or sometimes any bytes ever stored. */
static void oracle_data(const struct check_oracle *o, int sm, unsigned entered, unsigned line,
                        uint64_t *seed, uint8_t data[LINE_BYTES]) {
    unsigned v = 0;
    bool wild = below(seed, 80) == 0, by_word = below(seed, 2);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        bool keep = by_word && i % 4 &&
                    (wild ? covers(o, v, line, i) : oracle_allows(o, sm, entered, line, i, v));
        while (!keep) {
            v = below(seed, o->n + 1);
            keep = wild ? covers(o, v, line, i) : oracle_allows(o, sm, entered, line, i, v);
        }
        data[i] = check_stamp(v, (uint64_t)(ORACLE_BASE + line) * LINE_BYTES + i);
    }
}

/* Compares the check's verdict on one response with the oracle's. Returns false if both found an
 * error. */
static bool oracle_compare(const struct check_oracle *o, const struct check *c, int sm,
                           unsigned entered, unsigned line, const struct byte_mask *m,
                           const uint8_t *data) {
    bool good = true;
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (in_mask(m, i) && !oracle_allows_byte(o, sm, entered, line, i, data[i]))
            good = false;
    if (good != !check_failure(c))
        print_error("oracle says %s, check says %s\n", good ? "good" : "bad",
                    check_failure(c) ? check_failure(c) : "good");
    assert_int_equal(good, !check_failure(c));
    return good;
}

struct check_open_load {
    bool open;
    unsigned entered;
    uint64_t ticket;
};

static bool oracle_load(struct check_oracle *o, struct check *c, struct check_open_load *loads,
                        uint64_t *seed) {
    unsigned sm = below(seed, N_SMS), line = below(seed, 2);
    struct check_open_load *l = &loads[sm];
    if (!l->open) {
        *l = (struct check_open_load){true, o->now, check_load(c, sm)};
        return true;
    }
    uint8_t data[LINE_BYTES];
    struct byte_mask m = oracle_mask(seed);
    l->open = below(seed, 3) == 0; /* sometimes the ticket stays open for another line */
    oracle_data(o, (int)sm, l->entered, line, seed, data);
    check_load_done(c, sm, l->ticket, ORACLE_BASE + line, &m, data);
    return oracle_compare(o, c, (int)sm, l->entered, line, &m, data);
}

static void oracle_ack(struct check_oracle *o, struct check *c, unsigned v) {
    if (v == 0 || o->s[v].acked != UINT32_MAX)
        return;
    o->s[v].acked = o->now;
    check_store_acked(c, o->s[v].sm, v);
}

static void oracle_kernel_end(struct check_oracle *o, struct check *c,
                              struct check_open_load *loads) {
    for (unsigned v = 1; v <= o->n; v++)
        oracle_ack(o, c, v);
    check_kernel_end(c);
    o->kernel[0]++;
    o->kernel[1]++;
    memset(loads, 0, N_SMS * sizeof *loads);
}

/* Ends the kernel that uses `line`, while the kernel of the other line continues. A load may cover
 * both lines. */
static void oracle_line_end(struct check_oracle *o, struct check *c, struct check_open_load *loads,
                            unsigned line) {
    for (unsigned v = 1; v <= o->n; v++)
        if (o->s[v].line == line)
            oracle_ack(o, c, v);
    check_kernel_end_range(c, ORACLE_BASE + line, ORACLE_BASE + line + 1);
    o->kernel[line]++;
    memset(loads, 0, N_SMS * sizeof *loads);
}

struct oracle_memory {
    uint8_t data[2][LINE_BYTES];
};

static void oracle_read(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct oracle_memory *m = ctx;
    memcpy(data, m->data[line - ORACLE_BASE], LINE_BYTES);
}

static void oracle_final(struct check_oracle *o, struct check *c, uint64_t *seed) {
    struct oracle_memory memory;
    bool stored[2] = {false, false}, good = true;
    for (unsigned v = 1; v <= o->n; v++)
        stored[o->s[v].line] = true;
    for (unsigned line = 0; line < 2; line++) {
        oracle_data(o, -1, o->now, line, seed, memory.data[line]);
        for (unsigned i = 0; i < LINE_BYTES && stored[line]; i++)
            good &= oracle_allows_byte(o, -1, o->now, line, i, memory.data[line][i]);
    }
    check_final(c, oracle_read, &memory);
    assert_int_equal(good, !check_failure(c));
}

/* Returns true if the check and the oracle found an error. */
static bool oracle_episode(uint64_t seed) {
    struct check_oracle o = {.n = 0};
    struct check_open_load loads[N_SMS] = {{false, 0, 0}};
    struct check *c = check_create(N_SMS);
    assert_non_null(c);
    bool good = true;
    for (o.now = 1; good && o.now < 300; o.now++) {
        unsigned what = below(&seed, 64);
        if (what == 0) {
            oracle_kernel_end(&o, c, loads);
        } else if (what == 63) {
            oracle_line_end(&o, c, loads, below(&seed, 2));
        } else if (what < 16 && o.n < ORACLE_STORES) {
            struct past_store *s = &o.s[++o.n];
            const unsigned sm = below(&seed, N_SMS), line = below(&seed, 2);
            *s = (struct past_store){
                sm, line, o.now, o.kernel[line], UINT32_MAX, oracle_mask(&seed)};
            check_store(c, s->sm, ORACLE_BASE + s->line, &s->mask, o.n);
        } else if (what < 32) {
            oracle_ack(&o, c, below(&seed, o.n + 1));
        } else {
            good = oracle_load(&o, c, loads, &seed);
        }
    }
    if (good) {
        oracle_kernel_end(&o, c, loads);
        oracle_final(&o, c, &seed);
    }
    good = !check_failure(c);
    check_destroy(c);
    return !good;
}

static void agrees_with_the_literal_rule(void **state) {
    unsigned found = 0, n = tier_is_test() ? 400 : 1200;
    for (unsigned i = 0; i < n; i++)
        found += oracle_episode(i * 7919 + 1);
    assert_in_range(found, n / 10, n - n / 10);
}

/* ---- a toy memory: sequentially consistent, each SM's accesses in order ---- */

#define TOY_LINES 24
#define TOY_BASE 0x40000
#define TOY_QUEUE 8

enum fault { HEALTHY, OTHER_LINE, OLD_KERNEL, LOST, MISPLACED, LOST_UPDATE, N_FAULTS };

struct toy_access {
    bool is_store, is_atomic, performed; /* `is_store` is false for an atomic */
    unsigned line;
    struct byte_mask mask;
    uint32_t version;
    uint64_t ticket;
    uint8_t data[LINE_BYTES];
};

struct check_toy {
    struct check *c;
    uint64_t seed;
    bool words_only;
    uint32_t last;
    unsigned n[N_SMS];
    struct toy_access q[N_SMS][TOY_QUEUE];
    uint8_t memory[TOY_LINES][LINE_BYTES];
    uint8_t at_start[2][TOY_LINES][LINE_BYTES]; /* contents at the start of the current kernel
                                                   and of the previous one */
};

static struct byte_mask toy_mask(struct check_toy *t) {
    struct byte_mask m = {{0, 0}};
    if (below(&t->seed, 3) == 0)
        return ALL;
    if (!t->words_only && below(&t->seed, 2))
        return bytes(below(&t->seed, LINE_BYTES), 1);
    for (unsigned w = below(&t->seed, 32); w < 32; w += 1 + below(&t->seed, 4))
        m.w[w / 16] |= (uint64_t)15 << w % 16 * 4;
    return m;
}

static void toy_enter(struct check_toy *t, unsigned sm) {
    if (t->n[sm] == TOY_QUEUE)
        return;
    struct toy_access *a = &t->q[sm][t->n[sm]++];
    *a = (struct toy_access){.is_store = below(&t->seed, 3) == 0,
                             .is_atomic = below(&t->seed, 4) == 0,
                             .line = below(&t->seed, TOY_LINES),
                             .mask = toy_mask(t)};
    if (a->is_store)
        check_store(t->c, sm, TOY_BASE + a->line, &a->mask, a->version = ++t->last);
    else if (a->is_atomic)
        a->ticket = check_atomic(t->c, sm, TOY_BASE + a->line, &a->mask, a->version = ++t->last);
    else
        a->ticket = check_load(t->c, sm);
}

/* Performs the SM's oldest access that has not been performed. */
static void toy_perform(struct check_toy *t, unsigned sm) {
    for (unsigned i = 0; i < t->n[sm]; i++) {
        struct toy_access *a = &t->q[sm][i];
        if (a->performed)
            continue;
        a->performed = true;
        memcpy(a->data, t->memory[a->line], LINE_BYTES);
        if (a->is_store || a->is_atomic)
            check_stamp_line(t->memory[a->line], TOY_BASE + a->line, &a->mask, a->version);
        return;
    }
}

/* Draws one of the SM's accesses, and replies to it if it has been performed. */
static void toy_answer(struct check_toy *t, unsigned sm) {
    if (t->n[sm] == 0)
        return;
    unsigned i = below(&t->seed, t->n[sm]);
    struct toy_access *a = &t->q[sm][i];
    if (!a->performed)
        return;
    if (a->is_store)
        check_store_acked(t->c, sm, a->version);
    else if (a->is_atomic)
        check_atomic_done(t->c, sm, a->ticket, TOY_BASE + a->line, &a->mask, a->version, a->data);
    else
        check_load_done(t->c, sm, a->ticket, TOY_BASE + a->line, &a->mask, a->data);
    memmove(a, a + 1, (--t->n[sm] - i) * sizeof *a);
}

static void toy_kernel(struct check_toy *t, unsigned steps) {
    memcpy(t->at_start[1], t->at_start[0], sizeof t->memory);
    memcpy(t->at_start[0], t->memory, sizeof t->memory);
    for (unsigned i = 0; i < steps; i++) {
        unsigned sm = below(&t->seed, N_SMS), what = below(&t->seed, 8);
        if (what < 3)
            toy_enter(t, sm);
        else if (what < 5)
            toy_perform(t, sm);
        else
            toy_answer(t, sm);
    }
    for (unsigned sm = 0; sm < N_SMS; sm++)
        while (t->n[sm]) {
            toy_perform(t, sm);
            toy_answer(t, sm);
        }
}

static void toy_read(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct check_toy *t = ctx;
    memcpy(data, t->memory[line - TOY_BASE], LINE_BYTES);
}

static struct check_toy *toy_create(uint64_t seed, bool words_only) {
    struct check_toy *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->c = check_create(N_SMS);
    assert_non_null(t->c);
    t->seed = seed;
    t->words_only = words_only;
    for (unsigned i = 0; i < TOY_LINES; i++)
        check_stamp_line(t->memory[i], TOY_BASE + i, &ALL, 0);
    return t;
}

static void toy_destroy(struct check_toy *t) {
    check_destroy(t->c);
    free(t);
}

static void toy_assert_good(struct check_toy *t) {
    if (check_failure(t->c))
        print_error("%s\n", check_failure(t->c));
    assert_null(check_failure(t->c));
}

static void healthy_memory_never_alarms(void **state) {
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct check_toy *t = toy_create(seed, seed % 2);
        for (unsigned kernel = 0; kernel < 30; kernel++) {
            toy_kernel(t, below(&t->seed, 2000));
            toy_assert_good(t);
            check_kernel_end(t->c);
            check_final(t->c, toy_read, t);
            toy_assert_good(t);
        }
        assert_true(check_loads_checked(t->c) > 1000);
        toy_destroy(t);
    }
}

/* Completes a load in which one word has the value of another line or of an earlier kernel. */
static void toy_bad_load(struct check_toy *t, enum fault fault) {
    for (;;) {
        unsigned line = below(&t->seed, TOY_LINES), w = below(&t->seed, 32);
        unsigned from = fault == OTHER_LINE ? (line + 1) % TOY_LINES : line;
        uint8_t data[LINE_BYTES];
        const uint8_t *bad = fault == OTHER_LINE ? t->memory[from] : t->at_start[1][from];
        struct byte_mask word = bytes(4 * w, 4), m = below(&t->seed, 2) ? ALL : word;
        memcpy(data, t->memory[line], LINE_BYTES);
        if (!memcmp(t->at_start[0][line] + 4 * w, bad + 4 * w, 4))
            continue; /* the word has the same value in both places */
        memcpy(data + 4 * w, bad + 4 * w, 4);
        unsigned sm = below(&t->seed, N_SMS);
        check_load_done(t->c, sm, check_load(t->c, sm), TOY_BASE + line, &m, data);
        return;
    }
}

/* Makes a final store of one word that does not reach memory, or that reaches another line. */
static void toy_bad_store(struct check_toy *t, enum fault fault) {
    unsigned sm = below(&t->seed, N_SMS), line = below(&t->seed, TOY_LINES);
    unsigned other = (line + 1) % TOY_LINES;
    struct byte_mask word = bytes(4 * below(&t->seed, 32), 4);
    check_store(t->c, sm, TOY_BASE + line, &word, ++t->last);
    check_store_acked(t->c, sm, t->last);
    if (fault == MISPLACED) {
        check_stamp_line(t->memory[line], TOY_BASE + line, &word, t->last);
        check_stamp_line(t->memory[other], TOY_BASE + line, &word, t->last);
    }
    check_kernel_end(t->c);
    assert_null(check_failure(t->c));
    check_final(t->c, toy_read, t);
}

/* Makes two simultaneous atomics by two SMs to one word. Both get the same old data. */
static void toy_bad_atomics(struct check_toy *t) {
    unsigned line = below(&t->seed, TOY_LINES), sm = below(&t->seed, N_SMS - 1);
    struct byte_mask word = bytes(4 * below(&t->seed, 32), 4);
    uint64_t ticket[2];
    for (unsigned i = 0; i < 2; i++)
        ticket[i] = check_atomic(t->c, sm + i, TOY_BASE + line, &word, ++t->last);
    for (unsigned i = 0; i < 2; i++) {
        assert_null(check_failure(t->c));
        check_atomic_done(t->c, sm + i, ticket[i], TOY_BASE + line, &word, t->last - 1 + i,
                          t->memory[line]);
    }
}

static void broken_memory_is_always_found(void **state) {
    for (unsigned seed = 1; seed <= 200; seed++) {
        enum fault fault = OTHER_LINE + seed % (N_FAULTS - OTHER_LINE);
        struct check_toy *t = toy_create(seed, true);
        for (unsigned kernel = 0; kernel < 3; kernel++) {
            toy_kernel(t, 1000);
            if (kernel < 2)
                check_kernel_end(t->c);
        }
        toy_assert_good(t);
        if (fault == LOST || fault == MISPLACED)
            toy_bad_store(t, fault);
        else if (fault == LOST_UPDATE)
            toy_bad_atomics(t);
        else
            toy_bad_load(t, fault);
        const char *kind = fault == LOST          ? "lost store"
                           : fault == OLD_KERNEL  ? "stale data"
                           : fault == LOST_UPDATE ? "lost update"
                                                  : "foreign data";
        assert_non_null(check_failure(t->c));
        if (!strstr(check_failure(t->c), kind))
            print_error("%s expected: %s\n", kind, check_failure(t->c));
        assert_non_null(strstr(check_failure(t->c), kind));
        toy_destroy(t);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamp_words_are_bijective),
        cmocka_unit_test(stamp_line_is_stamps),
        cmocka_unit_test(stamps_depend_on_address),
        CASE(untouched_reads_version_0),
        CASE(untouched_with_a_version_is_caught),
        CASE(bytes_outside_the_mask_do_not_count),
        CASE(wrong_line_is_caught),
        CASE(wrong_untouched_line_is_caught),
        CASE(wrong_word_of_the_line_is_caught),
        CASE(own_store_is_seen),
        CASE(older_than_own_store_is_caught),
        CASE(older_own_store_is_caught),
        CASE(load_before_own_store_may_miss_it),
        CASE(racing_store_is_free),
        CASE(another_sm_may_keep_its_old_line_within_a_kernel),
        CASE(acknowledged_before_own_store_is_superseded),
        CASE(acknowledged_after_own_store_entered_is_not),
        CASE(store_that_entered_during_the_load_may_be_seen),
        CASE(store_that_was_not_made_is_caught),
        CASE(bytes_of_a_word_mix),
        CASE(one_byte_store_is_checked),
        CASE(two_stores_mix_in_a_line),
        CASE(after_the_kernel_all_must_see_it),
        CASE(stale_over_kernels_is_caught),
        CASE(race_stays_open_over_kernels),
        CASE(race_is_closed_by_a_later_store),
        CASE(a_kernel_ends_for_its_lines_alone),
        CASE(stale_after_the_end_for_a_line_is_caught),
        CASE(race_stays_open_over_the_end_for_a_line),
        CASE(missing_ack_at_the_end_for_a_line_is_caught),
        CASE(late_load_is_caught),
        CASE(unknown_ticket_is_caught),
        CASE(double_ack_is_caught),
        CASE(ack_after_the_kernel_is_double),
        CASE(unknown_ack_is_caught),
        CASE(ack_of_version_0_is_caught),
        CASE(ack_at_the_wrong_sm_is_caught),
        CASE(forgotten_stores_leave_the_older_bytes),
        CASE(forgotten_bytes_are_caught),
        CASE(missing_ack_is_caught),
        CASE(stale_version_number_is_caught),
        CASE(unknown_sm_is_caught),
        CASE(first_failure_stays_and_counting_goes_on),
        CASE(final_good),
        CASE(final_finds_lost_store),
        CASE(final_finds_change_beside_the_store),
        CASE(final_inside_a_kernel_is_caught),
        cmocka_unit_test(agrees_with_the_literal_rule),
        cmocka_unit_test(healthy_memory_never_alarms),
        cmocka_unit_test(broken_memory_is_always_found),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
