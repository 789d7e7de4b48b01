// SPDX-License-Identifier: Apache-2.0
/* Tests of atomics and write-backs in the data check. They introduce faults one by one, and
 * compare the check with an oracle that follows the rule in check.h literally. */
#include "check/check.h"
#include "tests/test.h"

#define N_SMS 3
#define LINE 0x1234567
#define OTHER 0x1234577

static const struct byte_mask ALL = {{UINT64_MAX, UINT64_MAX}};
static const struct byte_mask WORD = {{15, 0}};
static const struct byte_mask NEXT = {{15 << 4, 0}};
static const struct byte_mask HALF = {{3, 0}}; /* half of WORD */

/* ---- helpers: a check, with versions counted here ---- */

struct check_atomics_bench {
    struct check *c;
    uint32_t last;
};

static int setup(void **state) {
    struct check_atomics_bench *b = calloc(1, sizeof *b);
    if (!b)
        return -1;
    b->c = check_create(N_SMS);
    *state = b;
    return b->c ? 0 : -1;
}

static int teardown(void **state) {
    struct check_atomics_bench *b = *state;
    check_destroy(b->c);
    free(b);
    return 0;
}

static uint32_t store(struct check_atomics_bench *b, unsigned sm, struct byte_mask m) {
    check_store(b->c, sm, LINE, &m, ++b->last);
    return b->last;
}

static uint32_t store_acked(struct check_atomics_bench *b, unsigned sm, struct byte_mask m) {
    check_store_acked(b->c, sm, store(b, sm, m));
    return b->last;
}

struct atomic {
    unsigned sm;
    struct byte_mask mask;
    uint32_t version;
    uint64_t ticket;
};

static struct atomic enter(struct check_atomics_bench *b, unsigned sm, struct byte_mask m) {
    struct atomic a = {sm, m, ++b->last, 0};
    a.ticket = check_atomic(b->c, sm, LINE, &m, a.version);
    return a;
}

/* Completes an atomic of an SM. The atomic replaced version `old` in all masked bytes. */
static void answer_at(struct check_atomics_bench *b, struct atomic a, unsigned sm, uint32_t old) {
    uint8_t data[LINE_BYTES];
    memset(data, 0xee, sizeof data);
    check_stamp_line(data, LINE, &a.mask, old);
    check_atomic_done(b->c, sm, a.ticket, LINE, &a.mask, a.version, data);
}

static void answer(struct check_atomics_bench *b, struct atomic a, uint32_t old) {
    answer_at(b, a, a.sm, old);
}

static void load(struct check_atomics_bench *b, unsigned sm, struct byte_mask m, uint32_t version) {
    uint8_t data[LINE_BYTES];
    check_stamp_line(data, LINE, &m, version);
    check_load_done(b->c, sm, check_load(b->c, sm), LINE, &m, data);
}

static void assert_good(struct check_atomics_bench *b) {
    if (check_failure(b->c))
        print_error("%s\n", check_failure(b->c));
    assert_null(check_failure(b->c));
}

static void assert_bad(struct check_atomics_bench *b, const char *text) {
    const char *failure = check_failure(b->c);
    assert_non_null(failure);
    assert_null(strchr(failure, '\n'));
    if (!strstr(failure, text))
        print_error("no \"%s\" in: %s\n", text, failure);
    assert_non_null(strstr(failure, text));
}

/* ---- values replaced by atomics ---- */

static void atomics_follow_one_another(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic first = enter(b, 0, WORD), second = enter(b, 1, WORD), third = enter(b, 0, WORD);
    answer(b, second, 0); /* the L2 chooses the order */
    answer(b, first, second.version);
    answer(b, third, first.version);
    check_kernel_end(b->c);
    load(b, 2, WORD, third.version);
    assert_good(b);
    assert_int_equal(check_loads_checked(b->c), 4);
    assert_int_equal(check_bytes_checked(b->c), 16);
}

static void stale_old_of_the_own_sm(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    answer(b, enter(b, 0, WORD), 0);
    assert_bad(b, "stale data: atomic of SM 0, byte 0x91a2b380, kernel 0: got word ");
    assert_bad(b, "allowed: version 1 (SM 0)");
}

static void store_of_another_sm_may_be_missed_until_it_is_acknowledged(void **state) {
    struct check_atomics_bench *b = *state;
    uint32_t v = store(b, 0, WORD);
    struct atomic before = enter(b, 1, WORD);
    check_store_acked(b->c, 0, v);
    answer(b, before, 0);
    load(b, 2, WORD, 0); /* a load may hit an old line in an L1D */
    assert_good(b);
    answer(b, enter(b, 1, NEXT), 0);
    struct atomic after = enter(b, 1, WORD);
    answer(b, after, 0);
    assert_bad(b, "stale data: atomic of SM 1");
}

static void complete_stores_supersede_for_atomics_what_came_before(void **state) {
    struct check_atomics_bench *b = *state;
    uint32_t first = store_acked(b, 0, WORD);
    store_acked(b, 1, WORD);
    load(b, 2, WORD, first);
    assert_good(b);
    answer(b, enter(b, 2, WORD), first);
    assert_bad(b, "stale data: atomic of SM 2");
    assert_bad(b, "allowed: version 2 (SM 1)");
}

static void stores_that_raced_are_both_possible(void **state) {
    for (unsigned which = 1; which <= 2; which++) {
        struct check_atomics_bench *b = *state;
        store(b, 0, WORD);
        store(b, 1, WORD);
        check_store_acked(b->c, 0, 1);
        check_store_acked(b->c, 1, 2);
        answer(b, enter(b, 2, WORD), which);
        assert_good(b);
        teardown(state);
        setup(state);
    }
}

static void own_stamp_is_never_seen(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    answer(b, a, a.version);
    assert_bad(b, "atomic of SM 0");
}

static void own_store_after_a_load_is_not_own_stamp(void **state) {
    struct check_atomics_bench *b = *state;
    uint64_t ticket = check_load(b->c, 0);
    struct atomic a = enter(b, 0, WORD);
    uint8_t data[LINE_BYTES];
    check_stamp_line(data, LINE, &WORD, a.version);
    check_load_done(b->c, 0, ticket, LINE, &WORD, data); /* allowed, as for a store */
    assert_good(b);
}

static void loads_of_the_sm_see_its_atomic(void **state) {
    struct check_atomics_bench *b = *state;
    store_acked(b, 0, WORD);
    answer(b, enter(b, 0, WORD), 1);
    load(b, 0, WORD, 1);
    assert_bad(b, "stale data: load of SM 0");
}

static void foreign_bytes(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    uint8_t data[LINE_BYTES];
    check_stamp_line(data, OTHER, &ALL, 0);
    check_atomic_done(b->c, 0, a.ticket, LINE, &WORD, a.version, data);
    assert_bad(b, "foreign data: atomic of SM 0");
}

/* ---- lost updates ---- */

static void lost_update_of_a_store(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, ALL);
    struct atomic first = enter(b, 1, WORD), second = enter(b, 2, WORD);
    struct atomic neighbor = enter(b, 2, NEXT);
    answer(b, first, 1);
    answer(b, neighbor, 1);
    assert_good(b);
    answer(b, second, 1);
    assert_bad(b, "lost update: atomic of SM 2, version 3, byte 0x91a2b380, kernel 0: replaced "
                  "version 1 (SM 0), which another atomic had replaced");
}

static void lost_update_of_an_atomic(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a[3] = {enter(b, 0, WORD), enter(b, 1, WORD), enter(b, 2, WORD)};
    answer(b, a[0], 0);
    answer(b, a[1], 1);
    assert_good(b);
    answer(b, a[2], 1);
    assert_bad(b, "lost update");
}

static void lost_update_of_a_line_never_stored_to(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic first = enter(b, 0, ALL), second = enter(b, 1, WORD);
    answer(b, first, 0);
    assert_good(b);
    answer(b, second, 0);
    assert_bad(b, "replaced version 0 (never stored), which another atomic had replaced");
}

static void lost_update_of_an_earlier_kernels_store(void **state) {
    struct check_atomics_bench *b = *state;
    store_acked(b, 0, ALL);
    check_kernel_end(b->c);
    for (unsigned kernel = 0; kernel < 3; kernel++) {
        struct atomic a = enter(b, 1, NEXT);
        answer(b, a, kernel ? b->last - 1 : 1);
        check_kernel_end(b->c);
        assert_good(b);
    }
    struct atomic first = enter(b, 0, WORD), second = enter(b, 1, WORD);
    answer(b, first, 1);
    assert_good(b);
    answer(b, second, 1);
    assert_bad(b, "replaced version 1 (an earlier kernel), which another atomic had replaced");
}

/* By the rule for loads, the version that an atomic replaced may still be read, since its store was
 * acknowledged late. Past the end of the kernel, the check remembers that it was replaced. */
static void lost_update_over_a_kernels_end(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    struct atomic a = enter(b, 1, WORD);
    answer(b, a, 1);
    check_store_acked(b->c, 0, 1);
    check_kernel_end(b->c);
    struct atomic other = enter(b, 2, NEXT);
    answer(b, other, 0);
    assert_good(b);
    struct atomic late = enter(b, 2, WORD);
    answer(b, late, 1);
    assert_bad(b,
               "replaced version 1 (SM 0, an earlier kernel), which another atomic had replaced");
}

static void lost_update_of_half_a_word(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, HALF);
    struct atomic first = enter(b, 1, HALF), second = enter(b, 2, HALF);
    answer(b, first, 1);
    assert_good(b);
    answer(b, second, 1);
    assert_bad(b, "lost update");
}

static void lost_update_of_a_mixed_word(void **state) {
    struct check_atomics_bench *b = *state;
    uint8_t data[LINE_BYTES];
    store(b, 0, HALF);
    struct atomic a[2] = {enter(b, 1, WORD), enter(b, 2, WORD)};
    check_stamp_line(data, LINE, &WORD, 0);
    check_stamp_line(data, LINE, &HALF, 1);
    check_atomic_done(b->c, 1, a[0].ticket, LINE, &WORD, a[0].version, data);
    assert_good(b);
    check_atomic_done(b->c, 2, a[1].ticket, LINE, &WORD, a[1].version, data);
    assert_bad(b, "lost update");
}

/* Some of the many versions of a word have the same stamp in a byte. This must not hide an
 * error. */
static void lost_update_of_a_hot_word(void **state) {
    struct check_atomics_bench *b = *state;
    for (unsigned n = 0; n < 3000; n++) {
        struct atomic a = enter(b, n % N_SMS, WORD);
        answer(b, a, a.version - 1);
    }
    struct atomic first = enter(b, 0, WORD), second = enter(b, 1, WORD);
    answer(b, first, 3000);
    assert_good(b);
    answer(b, second, 3000);
    assert_bad(b, "replaced version 3000 (SM 2), which another atomic had replaced");
}

/* A byte of the word is overwritten by a version with the same stamp in that byte. The word shows
 * the older version completely, but this is not a lost update. */
static void equal_stamps_are_no_lost_update(void **state) {
    struct check_atomics_bench *b = *state;
    const struct byte_mask byte = {{1, 0}};
    uint64_t addr = (uint64_t)LINE * LINE_BYTES;
    uint32_t held = store_acked(b, 0, WORD);
    while (check_stamp(b->last + 1, addr) != check_stamp(held, addr))
        store_acked(b, 0, NEXT);
    answer(b, enter(b, 0, byte), held);
    answer(b, enter(b, 0, WORD), held);
    check_kernel_end(b->c);
    assert_good(b);
}

/* ---- answers ---- */

static void answered_twice(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    answer(b, a, 0);
    answer(b, a, 0);
    assert_bad(b, "atomic answered twice: version 1 of SM 0");
}

static void answered_in_a_later_kernel(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    answer(b, a, 0);
    check_kernel_end(b->c);
    answer(b, a, 0);
    assert_bad(b, "atomic answered twice: version 1 of an earlier kernel");
}

static void answer_for_a_store(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = {.sm = 0, .mask = WORD, .version = store(b, 0, WORD)};
    answer(b, a, 0);
    assert_bad(b, "atomic answered: version 1 of SM 0, line 0x1234567, kernel 0, is a plain store");
}

static void acknowledgement_of_an_atomic(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    check_store_acked(b->c, 0, a.version);
    assert_bad(b, "store acknowledged: version 1 of SM 0, line 0x1234567, kernel 0, is an atomic");
}

static void answer_at_the_wrong_sm(void **state) {
    struct check_atomics_bench *b = *state;
    answer_at(b, enter(b, 0, WORD), 1, 0);
    assert_bad(b, "answer at the wrong SM: version 1 of SM 0, line 0x1234567, at SM 1");
}

static void answer_at_no_sm(void **state) {
    struct check_atomics_bench *b = *state;
    answer_at(b, enter(b, 0, WORD), N_SMS, 0);
    assert_bad(b, "atomic of SM 3 in kernel 0: there are only 3 SMs");
}

static void answer_of_an_unknown_version(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    a.version = 2;
    answer(b, a, 0);
    assert_bad(b, "answer of unknown version 2 at SM 0, kernel 0: the newest is 1");
}

static void answer_with_another_mask(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    a.mask = HALF;
    answer(b, a, 0);
    assert_bad(b, "answered for line 0x1234567 with other bytes");
}

static void answer_for_another_line(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    uint8_t data[LINE_BYTES] = {0};
    check_atomic_done(b->c, 0, a.ticket, OTHER, &WORD, a.version, data);
    assert_bad(b, "entered for line 0x1234567, answered for line 0x1234577");
}

static void answer_with_another_ticket(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    a.ticket = check_load(b->c, 0);
    answer(b, a, 0);
    assert_bad(b, "ticket 0x1 is not its own");
}

static void stale_version_number(void **state) {
    struct check_atomics_bench *b = *state;
    (void)check_atomic(b->c, 0, LINE, &WORD, 2);
    assert_bad(b, "version 2 is not fresh, the next is 1");
}

static void unanswered_at_the_kernels_end(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_store_acked(b->c, 0, 1);
    enter(b, 1, WORD);
    check_kernel_end(b->c);
    assert_bad(b, "atomic without answer at the end of kernel 0: version 2 of SM 1");
}

/* ---- write-backs ---- */

static void a_write_back_acknowledges_a_line(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    store(b, 0, NEXT);
    uint32_t newest = store(b, 0, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, newest);
    answer(b, enter(b, 1, WORD), newest);
    store(b, 0, NEXT);
    check_line_acked(b->c, 0, LINE, &ALL, b->last);
    check_kernel_end(b->c);
    assert_good(b);
}

/* A write-back acknowledges only its bytes. The write-back of a later store to other bytes of the
 * line may be acknowledged first. */
static void a_write_back_acknowledges_its_bytes(void **state) {
    struct check_atomics_bench *b = *state;
    uint32_t first = store(b, 0, WORD);
    uint32_t second = store(b, 0, NEXT);
    check_line_acked(b->c, 0, LINE, &NEXT, second);
    uint32_t later = store_acked(b, 1, WORD);
    load(b, 2, WORD, first); /* `first` was not acknowledged when `later` entered */
    load(b, 2, WORD, later);
    check_line_acked(b->c, 0, LINE, &WORD, first);
    check_kernel_end(b->c);
    assert_good(b);
    check_line_acked(b->c, 0, LINE, &ALL, second);
    assert_bad(b, "write-back of nothing");
}

static void a_write_back_is_not_seen_before(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    answer(b, enter(b, 1, WORD), 0);
    load(b, 0, WORD, 1);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    check_kernel_end(b->c);
    load(b, 2, WORD, 1);
    assert_good(b);
}

static void a_write_back_orders_for_atomics(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    answer(b, enter(b, 1, WORD), 0);
    assert_bad(b, "stale data: atomic of SM 1");
}

static void a_write_back_of_nothing(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    assert_good(b);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    assert_bad(b, "write-back of nothing: SM 0, line 0x1234567, kernel 0: no store up to version 1 "
                  "waits for it");
}

static void a_write_back_of_another_sms_stores(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_line_acked(b->c, 1, LINE, &ALL, 1);
    assert_bad(b, "write-back of nothing: SM 1");
}

static void a_write_back_of_a_line_never_stored_to(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_line_acked(b->c, 0, OTHER, &ALL, 1);
    assert_bad(b, "write-back of nothing: SM 0, line 0x1234577");
}

static void a_write_back_of_an_atomic(void **state) {
    struct check_atomics_bench *b = *state;
    struct atomic a = enter(b, 0, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, a.version);
    assert_bad(b, "write-back of nothing");
}

static void a_write_back_of_an_earlier_kernels_store(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    store(b, 1, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    check_line_acked(b->c, 1, LINE, &ALL, 2);
    check_kernel_end(b->c); /* both versions are kept, since the stores raced */
    assert_good(b);
    check_line_acked(b->c, 0, LINE, &ALL, 2);
    assert_bad(b, "write-back of nothing");
}

static void a_write_back_of_a_version_to_come(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    check_line_acked(b->c, 0, LINE, &ALL, 2);
    assert_bad(b, "write-back of unknown version 2 at SM 0, line 0x1234567");
}

static void a_write_back_that_skips(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    store(b, 0, NEXT);
    check_line_acked(b->c, 0, LINE, &ALL, 1);
    check_kernel_end(b->c);
    assert_bad(b, "store without acknowledgement at the end of kernel 0: version 2 of SM 0");
}

static void an_acknowledgement_after_the_write_back(void **state) {
    struct check_atomics_bench *b = *state;
    store(b, 0, WORD);
    store(b, 0, NEXT);
    check_store_acked(b->c, 0, 1);
    check_line_acked(b->c, 0, LINE, &ALL, 2);
    assert_good(b);
    check_store_acked(b->c, 0, 2);
    assert_bad(b, "store acknowledged twice: version 2");
}

/* ---- a literal version of the rule: words of one line, versions in an array ---- */

enum { VERSIONS = 120, WORDS = 4, NEVER = INT32_MAX };

struct past {
    int sm, kernel, entered, acked;
    unsigned words; /* bit w is 1 if word w is covered */
    bool atomic;
    uint64_t ticket;
};

struct check_atomics_oracle {
    struct check *c;
    uint64_t seed;
    int now, kernel, n;
    bool by_line; /* true if a kernel's end applies only to the line */
    struct past v[VERSIONS + 1];
    bool replaced[VERSIONS + 1][WORDS];
    bool good;
};

static int below(struct check_atomics_oracle *o, int n) {
    o->seed = o->seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((o->seed >> 33) % (uint64_t)n);
}

static bool covers(const struct check_atomics_oracle *o, int a, int w) {
    return a == 0 || o->v[a].words >> w & 1;
}

/* True if version a was acknowledged before version b entered. */
static bool complete_before(const struct check_atomics_oracle *o, int a, int b) {
    return a == 0 ? b != 0 : o->v[a].acked < o->v[b].entered;
}

static bool happened_before(const struct check_atomics_oracle *o, int a, int b) {
    return complete_before(o, a, b) ||
           (o->v[a].sm == o->v[b].sm && o->v[a].entered < o->v[b].entered);
}

/* True if an access by `sm` (-1 for no SM) that entered at `entered` may get version a. `self` is
 * the access's own version if it is an atomic, else 0. */
static bool allows(const struct check_atomics_oracle *o, int sm, int entered, int self, int a,
                   int w) {
    if (!covers(o, a, w) || (self && a == self))
        return false;
    for (int b = 1; b <= o->n; b++) {
        bool counts = o->v[b].kernel < o->kernel || (o->v[b].sm == sm && o->v[b].entered < entered);
        if (!covers(o, b, w))
            continue;
        if (counts && happened_before(o, a, b))
            return false;
        if (self && o->v[b].acked < entered && complete_before(o, a, b))
            return false;
    }
    return true;
}

static struct byte_mask mask_of(unsigned words) {
    struct byte_mask m = {{0, 0}};
    for (int w = 0; w < WORDS; w++)
        if (words >> w & 1)
            m.w[0] |= (uint64_t)15 << 4 * w;
    return m;
}

/* Draws a version for each word: an allowed version, or sometimes any version that the word ever
 * had. Records whether all are allowed, and which version an atomic replaces. */
static void draw(struct check_atomics_oracle *o, int sm, int entered, int self, unsigned words,
                 uint8_t data[LINE_BYTES]) {
    bool wild = below(o, 60) == 0;
    for (int w = 0; w < WORDS; w++) {
        if (!(words >> w & 1))
            continue;
        int a = 0;
        bool fits = false;
        for (int tries = 0; !fits; tries++) {
            a = below(o, o->n + 1);
            bool twice = self && o->replaced[a][w] && tries < 1000;
            fits = covers(o, a, w) && (wild || (allows(o, sm, entered, self, a, w) && !twice));
        }
        struct byte_mask m = mask_of(1u << w);
        check_stamp_line(data, LINE, &m, (uint32_t)a);
        o->good &= allows(o, sm, entered, self, a, w) && !(self && o->replaced[a][w]);
        if (self)
            o->replaced[a][w] = true;
    }
}

static void compare(const struct check_atomics_oracle *o) {
    if (o->good != !check_failure(o->c))
        print_error("oracle says %s, check says %s\n", o->good ? "good" : "bad",
                    check_failure(o->c) ? check_failure(o->c) : "good");
    assert_int_equal(o->good, !check_failure(o->c));
}

static void new_version(struct check_atomics_oracle *o) {
    if (o->n == VERSIONS)
        return;
    struct past p = {.sm = below(o, N_SMS),
                     .kernel = o->kernel,
                     .entered = o->now,
                     .acked = NEVER,
                     .words = 1 + (unsigned)below(o, 15),
                     .atomic = below(o, 2)};
    const struct byte_mask m = mask_of(p.words);
    uint32_t version = (uint32_t)++o->n;
    if (p.atomic)
        p.ticket = check_atomic(o->c, (unsigned)p.sm, LINE, &m, version);
    else
        check_store(o->c, (unsigned)p.sm, LINE, &m, version);
    o->v[version] = p;
}

static void complete(struct check_atomics_oracle *o, int a) {
    struct past *p = &o->v[a];
    if (a == 0 || p->acked != NEVER || !o->good)
        return;
    if (p->atomic) {
        uint8_t data[LINE_BYTES] = {0};
        const struct byte_mask m = mask_of(p->words);
        draw(o, p->sm, p->entered, a, p->words, data);
        check_atomic_done(o->c, (unsigned)p->sm, p->ticket, LINE, &m, (uint32_t)a, data);
        compare(o);
    } else {
        check_store_acked(o->c, (unsigned)p->sm, (uint32_t)a);
    }
    p->acked = o->now;
}

static void write_back(struct check_atomics_oracle *o) {
    int a = below(o, o->n + 1), n = 0;
    for (int b = 1; b <= a; b++) {
        struct past *p = &o->v[b];
        if (p->sm != o->v[a].sm || p->atomic || p->acked != NEVER)
            continue;
        p->acked = o->now;
        n++;
    }
    if (n)
        check_line_acked(o->c, (unsigned)o->v[a].sm, LINE, &ALL, (uint32_t)a);
}

struct check_atomics_open_load {
    bool open;
    int entered;
    uint64_t ticket;
};

static void some_load(struct check_atomics_oracle *o, struct check_atomics_open_load *loads) {
    int sm = below(o, N_SMS);
    struct check_atomics_open_load *l = &loads[sm];
    if (!l->open) {
        *l = (struct check_atomics_open_load){true, o->now, check_load(o->c, (unsigned)sm)};
        return;
    }
    uint8_t data[LINE_BYTES] = {0};
    unsigned words = 1 + (unsigned)below(o, 15);
    const struct byte_mask m = mask_of(words);
    l->open = false;
    draw(o, sm, l->entered, 0, words, data);
    check_load_done(o->c, (unsigned)sm, l->ticket, LINE, &m, data);
    compare(o);
}

static void kernel_end(struct check_atomics_oracle *o, struct check_atomics_open_load *loads) {
    for (int a = 1; a <= o->n; a++)
        complete(o, a);
    if (!o->good)
        return;
    if (o->by_line)
        check_kernel_end_range(o->c, LINE, LINE + 1);
    else
        check_kernel_end(o->c);
    compare(o);
    o->kernel++;
    memset(loads, 0, N_SMS * sizeof *loads);
}

/* Returns true if the check and the oracle found an error. */
static bool episode(uint64_t seed) {
    struct check_atomics_oracle o = {
        .seed = seed, .by_line = seed % 2 == 0, .good = true, .c = check_create(N_SMS)};
    struct check_atomics_open_load loads[N_SMS] = {{false, 0, 0}};
    assert_non_null(o.c);
    for (o.now = 1; o.good && o.now < 300; o.now++) {
        int what = below(&o, 64);
        if (what == 0)
            kernel_end(&o, loads);
        else if (what < 22)
            new_version(&o);
        else if (what < 42)
            complete(&o, below(&o, o.n + 1));
        else if (what < 46)
            write_back(&o);
        else
            some_load(&o, loads);
    }
    bool found = !o.good;
    check_destroy(o.c);
    return found;
}

static void agrees_with_the_literal_rule(void **state) {
    unsigned found = 0, n = 1500;
    for (unsigned i = 0; i < n; i++)
        found += episode(i * 7919 + 1);
    assert_in_range(found, n / 10, n - n / 10);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(atomics_follow_one_another),
        CASE(stale_old_of_the_own_sm),
        CASE(store_of_another_sm_may_be_missed_until_it_is_acknowledged),
        CASE(complete_stores_supersede_for_atomics_what_came_before),
        CASE(stores_that_raced_are_both_possible),
        CASE(own_stamp_is_never_seen),
        CASE(own_store_after_a_load_is_not_own_stamp),
        CASE(loads_of_the_sm_see_its_atomic),
        CASE(foreign_bytes),
        CASE(lost_update_of_a_store),
        CASE(lost_update_of_an_atomic),
        CASE(lost_update_of_a_line_never_stored_to),
        CASE(lost_update_of_an_earlier_kernels_store),
        CASE(lost_update_over_a_kernels_end),
        CASE(lost_update_of_half_a_word),
        CASE(lost_update_of_a_mixed_word),
        CASE(lost_update_of_a_hot_word),
        CASE(equal_stamps_are_no_lost_update),
        CASE(answered_twice),
        CASE(answered_in_a_later_kernel),
        CASE(answer_for_a_store),
        CASE(acknowledgement_of_an_atomic),
        CASE(answer_at_the_wrong_sm),
        CASE(answer_at_no_sm),
        CASE(answer_of_an_unknown_version),
        CASE(answer_with_another_mask),
        CASE(answer_for_another_line),
        CASE(answer_with_another_ticket),
        CASE(stale_version_number),
        CASE(unanswered_at_the_kernels_end),
        CASE(a_write_back_acknowledges_a_line),
        CASE(a_write_back_acknowledges_its_bytes),
        CASE(a_write_back_is_not_seen_before),
        CASE(a_write_back_orders_for_atomics),
        CASE(a_write_back_of_nothing),
        CASE(a_write_back_of_another_sms_stores),
        CASE(a_write_back_of_a_line_never_stored_to),
        CASE(a_write_back_of_an_atomic),
        CASE(a_write_back_of_an_earlier_kernels_store),
        CASE(a_write_back_of_a_version_to_come),
        CASE(a_write_back_that_skips),
        CASE(an_acknowledgement_after_the_write_back),
        cmocka_unit_test(agrees_with_the_literal_rule),
    };
    return cmocka_run_group_tests_name("check, atomics", tests, NULL, NULL);
}
