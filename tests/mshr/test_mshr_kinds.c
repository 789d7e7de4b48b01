// SPDX-License-Identifier: Apache-2.0
/* The MSHR kinds that have no Verilog, against references that know nothing of slot sets: what was
 * accepted leaves once, in order of arrival, and what is refused had to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "implicit_mshr/implicit_mshr.h"
#include "mshr/mshr_kind.h"
#include "tests/block/at.h"
#include "unlimited_mshr/unlimited_mshr.h"

/* A block under test and its wires. */
struct bench {
    const struct block_type *type;
    void *model;
    struct mshr_in in;
    struct mshr_out out;
};

/* The clock edge of this cycle, and its outputs before. */
static void cycle(struct bench *b) {
    b->type->eval(b->model, &b->in, &b->out);
    b->type->tick(b->model, &b->in);
    b->in.rst = b->in.req_valid = b->in.ret_valid = 0;
}

static struct bench start(const struct block_type *type, const char *const *set) {
    struct bench b = {.type = type};
    struct block_params p = block_at(type, set);
    char err[200] = "";
    if (block_params_check(type, &p, err, sizeof err))
        fail_msg("%s", err);
    b.model = type->create(&p);
    assert_non_null(b.model);
    b.in.rst = 1;
    cycle(&b);
    b.in.rsp_ready = 1;
    return b;
}

#define START(type, ...) start(&type, (const char *const[]){__VA_ARGS__, NULL})

static void ask(struct bench *b, uint64_t addr, uint64_t off, uint64_t id) {
    b->in.req_valid = 1;
    b->in.req_addr = addr;
    b->in.req_off = off;
    b->in.req_id = id;
    cycle(b);
}

static void expect_taken(struct bench *b, uint64_t addr, uint64_t off, uint64_t id, bool primary) {
    ask(b, addr, off, id);
    assert_int_equal(b->out.req_ready, 1);
    assert_int_equal(b->out.req_primary, primary);
}

static void expect_refused(struct bench *b, uint64_t addr, uint64_t off, enum mshr_refusal why) {
    ask(b, addr, off, 99);
    assert_int_equal(b->out.req_ready, 0);
    assert_int_equal(b->out.req_refuse, why);
}

static void give_back(struct bench *b, uint64_t head) {
    b->in.ret_valid = 1;
    b->in.ret_head = head;
    cycle(b);
    assert_int_equal(b->out.ret_ready, 1);
}

static void expect_response(struct bench *b, uint64_t id, bool last) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_id, id);
    assert_int_equal(b->out.rsp_last, last);
}

static void end(struct bench *b) {
    assert_int_equal(b->out.err, MSHR_OK);
    b->type->destroy(b->model);
}

/* ---- implicit: one request a word ---- */

static void a_word_is_taken_once(void **state) {
    (void)state;
    struct bench b = START(implicit_mshr_type, "ENTRIES=2", "WORD=4", "OFF_W=7");
    expect_taken(&b, 5, 64, 0, true);
    uint64_t head = b.out.req_head;
    expect_refused(&b, 5, 64, MSHR_REFUSE_MERGE_FULL);
    expect_refused(&b, 5, 67, MSHR_REFUSE_MERGE_FULL); /* last byte of the same word */
    expect_taken(&b, 5, 68, 1, false);
    expect_taken(&b, 5, 60, 2, false);
    expect_refused(&b, 5, 68, MSHR_REFUSE_MERGE_FULL);
    expect_taken(&b, 6, 64, 7, true); /* the other entry has words of its own */
    expect_refused(&b, 7, 0, MSHR_REFUSE_ENTRY_FULL);
    give_back(&b, head);
    expect_taken(&b, 6, 0, 8, false); /* during response 0 */
    assert_int_equal(b.out.rsp_id, 0);
    expect_response(&b, 1, false); /* by arrival, not by word */
    expect_response(&b, 2, true);
    expect_taken(&b, 5, 64, 3, true); /* the entry was freed with its words */
    end(&b);
}

static void a_late_request_is_a_new_primary(void **state) {
    (void)state;
    struct bench b = START(implicit_mshr_type, "ENTRIES=2", "WORD=32", "OFF_W=7");
    for (unsigned w = 0; w < 4; w++)
        expect_taken(&b, 5, 32 * w + w, w, w == 0);
    for (unsigned w = 0; w < 4; w++)
        expect_refused(&b, 5, 32 * w, MSHR_REFUSE_MERGE_FULL);
    b.in.rsp_ready = 0;
    give_back(&b, 0);
    expect_taken(&b, 5, 0, 9, true);
    assert_int_equal(b.out.req_head, 1);
    b.in.rsp_ready = 1;
    for (unsigned w = 0; w < 4; w++)
        expect_response(&b, w, w == 3);
    give_back(&b, 1);
    expect_response(&b, 9, true);
    end(&b);
}

static void expect_illegal(const struct block_type *type, const char *what, const char *why) {
    struct block_params p = block_at(type, (const char *const[]){what, NULL});
    char err[600] = "";
    assert_int_equal(block_params_check(type, &p, err, sizeof err), -1);
    assert_non_null(strstr(err, why));
}

static void impossible_words_are_refused(void **state) {
    (void)state;
    expect_illegal(&implicit_mshr_type, "WORD=12", "WORD must be a power of two (ENTRIES=32");
    expect_illegal(&implicit_mshr_type, "WORD=1", "must be 1 to 64");
    expect_illegal(&implicit_mshr_type, "WORD=256", "must be 1 to 64");
    expect_illegal(&implicit_mshr_type, "DATA_W=12", "multiple of 8");
    expect_illegal(&unlimited_mshr_type, "DATA_W=12", "multiple of 8");
}

static void they_are_not_listed(void **state) {
    (void)state;
    for (const struct block_type *const *t = block_types; *t; t++)
        assert_true(block_has_twin(*t));
    assert_false(block_has_twin(&implicit_mshr_type));
    assert_false(block_has_twin(&unlimited_mshr_type));
    assert_null(block_find("implicit_mshr"));
    assert_null(block_find("unlimited_mshr"));
}

/* ---- unlimited: its bounds ---- */

static void every_head_id_can_be_had(void **state) {
    (void)state;
    struct bench b = START(unlimited_mshr_type, "ADDR_W=40");
    for (uint64_t a = 0; a < UNLIMITED_MSHR_HEADS; a++) {
        expect_taken(&b, a * 4097, 0, a & 0xff, true);
        assert_int_equal(b.out.req_head, a);
    }
    expect_refused(&b, 1, 0, MSHR_REFUSE_ENTRY_FULL);
    for (unsigned i = 1; i < UNLIMITED_MSHR_SLOTS; i++)
        expect_taken(&b, 0, 0, i, false);
    expect_refused(&b, 0, 0, MSHR_REFUSE_MERGE_FULL);
    for (uint64_t a = UNLIMITED_MSHR_HEADS; a-- > 0;) { /* the last first */
        give_back(&b, a);
        for (unsigned i = 0; a == 0 && i + 1 < UNLIMITED_MSHR_SLOTS; i++)
            expect_response(&b, i, false);
        cycle(&b);
        assert_int_equal(b.out.rsp_last, 1);
    }
    expect_taken(&b, 77, 0, 0, true);
    assert_int_equal(b.out.req_head, 0);
    end(&b);
}

static void a_line_takes_thousands(void **state) {
    (void)state;
    enum { N = UNLIMITED_MSHR_HEADS * UNLIMITED_MSHR_SLOTS };
    struct bench b = START(unlimited_mshr_type, "ID_W=32");
    for (unsigned i = 0; i < N; i++)
        expect_taken(&b, 5, 0, i, i == 0);
    expect_refused(&b, 5, 0, MSHR_REFUSE_MERGE_FULL);
    expect_refused(&b, 6, 0, MSHR_REFUSE_ENTRY_FULL);
    give_back(&b, 0);
    for (unsigned i = 0; i < N; i++)
        expect_response(&b, i, i == N - 1);
    expect_taken(&b, 5, 0, 0, true);
    end(&b);
}

static void a_false_return_is_an_error(void **state) {
    (void)state;
    const struct block_type *const types[] = {&implicit_mshr_type, &unlimited_mshr_type};
    for (unsigned t = 0; t < 2; t++) {
        for (unsigned n = 0; n < 2; n++) {
            struct bench b = start(types[t], (const char *const[]){NULL});
            expect_taken(&b, 5, 0, 0, true);
            give_back(&b, n ? 16383 : 1);
            expect_refused(&b, 5, 0, MSHR_REFUSE_NONE);
            assert_int_equal(b.out.err, MSHR_ERR_RETURN);
            assert_int_equal(b.out.ret_ready, 0);
            b.type->observe(b.model, &b.in, &b.out);
            assert_int_equal(b.out.st_state[0] >> 4 & 15, n ? MSHR_S0 : MSHR_ERR);
            b.type->destroy(b.model);
        }
    }
}

/* ---- random, against lists ---- */

enum { LINES = 40, MAX_PER_LINE = 4096 };

struct list {
    bool open;
    uint64_t head;
    uint32_t id[MAX_PER_LINE], off[MAX_PER_LINE];
    unsigned n;
};

struct reference {
    struct list line[LINES], drain;
    bool draining;
    unsigned drained, live; /* live: open or draining */
    unsigned entries, word; /* 0: unlimited, any */
    unsigned taken, answered, entry_full, merge_full, late;
};

static uint32_t seed;

static uint32_t below(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static bool has_word(const struct reference *r, const struct list *l, uint32_t off) {
    for (unsigned i = 0; r->word && i < l->n; i++)
        if (l->off[i] / r->word == off / r->word)
            return true;
    return false;
}

static void follow_request(struct reference *r, const struct mshr_in *in,
                           const struct mshr_out *out) {
    struct list *l = &r->line[in->req_addr];
    enum mshr_refusal why = MSHR_REFUSE_NONE;
    if (l->open)
        why = has_word(r, l, (uint32_t)in->req_off) ? MSHR_REFUSE_MERGE_FULL : MSHR_REFUSE_NONE;
    else if (r->entries && r->live == r->entries)
        why = MSHR_REFUSE_ENTRY_FULL;
    assert_int_equal(out->req_ready, why == MSHR_REFUSE_NONE);
    assert_int_equal(out->req_refuse, why);
    r->entry_full += why == MSHR_REFUSE_ENTRY_FULL;
    r->merge_full += why == MSHR_REFUSE_MERGE_FULL;
    if (why)
        return;
    assert_int_equal(out->req_primary, !l->open);
    if (!l->open) {
        for (unsigned k = 0; k < LINES; k++)
            assert_false(r->line[k].open && r->line[k].head == out->req_head);
        *l = (struct list){.open = true, .head = out->req_head};
        r->live++;
        r->late += r->draining && r->drain.id[0] % LINES == in->req_addr;
    }
    assert_true(l->n < MAX_PER_LINE);
    l->id[l->n] = (uint32_t)in->req_id;
    l->off[l->n++] = (uint32_t)in->req_off;
    r->taken++;
}

static void follow_response(struct reference *r, const struct mshr_in *in,
                            const struct mshr_out *out) {
    assert_int_equal(out->rsp_valid, r->draining);
    if (!r->draining)
        return;
    assert_int_equal(out->rsp_id, r->drain.id[r->drained]);
    assert_int_equal(out->rsp_off, r->drain.off[r->drained]);
    assert_int_equal(out->rsp_last, r->drained + 1 == r->drain.n);
    if (!in->rsp_ready)
        return;
    r->answered++;
    r->draining = ++r->drained < r->drain.n;
    r->live -= !r->draining;
}

/* A cycle with random inputs: `line` is the one that may come back. */
static void random_cycle(struct bench *b, struct reference *r, unsigned pressure, uint32_t serial) {
    struct mshr_in *in = &b->in;
    uint32_t back = below(LINES), n = below(3) ? LINES : 3;
    in->rsp_ready = below(4) > 0;
    if (r->line[back].open && below(pressure) == 0) {
        in->ret_valid = 1;
        in->ret_head = r->line[back].head;
    }
    if (below(4)) {
        in->req_valid = 1;
        in->req_addr = below(n);
        in->req_off = below(128);
        in->req_id = serial * LINES + in->req_addr;
    }
    const struct mshr_in was = *in;
    cycle(b);
    assert_int_equal(b->out.err, MSHR_OK);
    bool ends = r->draining && was.rsp_ready && r->drained + 1 == r->drain.n;
    assert_int_equal(b->out.ret_ready, !r->draining || ends);
    if (was.req_valid)
        follow_request(r, &was, &b->out);
    follow_response(r, &was, &b->out);
    if (!was.ret_valid || !b->out.ret_ready)
        return;
    r->drain = r->line[back];
    r->line[back].open = false;
    r->draining = true;
    r->drained = 0;
}

static void follow(struct bench b, unsigned entries, unsigned word, unsigned pressure) {
    static struct reference r;
    memset(&r, 0, sizeof r);
    r.entries = entries;
    r.word = word;
    seed = entries + word + pressure;
    for (uint32_t n = 0; n < 40000; n++)
        random_cycle(&b, &r, pressure, n);
    assert_true(r.taken > 2000);
    assert_true(r.answered > 1000);
    assert_true(r.late > 0);
    assert_int_equal(r.entry_full > 0, entries > 0 && entries < LINES);
    assert_int_equal(r.merge_full > 0, word > 0);
    end(&b);
}

static void implicit_follows_its_lists(void **state) {
    (void)state;
    follow(START(implicit_mshr_type, "ENTRIES=8", "WORD=4", "ID_W=32"), 8, 4, 4);
    follow(START(implicit_mshr_type, "ENTRIES=3", "WORD=32", "ID_W=32"), 3, 32, 2);
    follow(START(implicit_mshr_type, "ENTRIES=256", "WORD=2", "ID_W=32"), 256, 2, 8);
}

static void unlimited_follows_its_lists(void **state) {
    (void)state;
    follow(START(unlimited_mshr_type, "ID_W=32"), 0, 0, 4);
    follow(START(unlimited_mshr_type, "ID_W=32", "SLOTS=1"), 0, 0, 64);
}

/* ---- the table of kinds ---- */

/* The values of each key "mshr" are the kinds, in the order of the table. */
static void the_keys_have_the_kinds(void **state) {
    static const struct {
        const char *key, *values;
    } keys[] = {
#define INT(section, key, def, min, max, doc)
#define ENUM(section, key, def, values, doc) {#section "." #key, values},
#define STR(section, key, def, doc)
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    };
    char names[200] = "";
    unsigned found = 0;
    (void)state;
    for (unsigned k = 0; k < MSHR_KINDS; k++) {
        strcat(names, k ? "|" : "");
        strcat(names, mshr_kinds[k]->name);
    }
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(strchr(keys[i].key, '.'), ".mshr") == 0) {
            assert_string_equal(keys[i].values, names);
            found++;
        }
    assert_int_equal(found, 2);
}

/* Rules of a kind hold for the keys of the cache that they are said of. */
static void a_kind_checks_its_keys(void **state) {
    struct mshr_keys k = {.section = "l2", .kind = MSHR_KIND_DL, .word = 4, .dl_sets = 8};
    char err[200] = "";
    (void)state;
    k.dl_reserved_heads = 7;
    assert_int_equal(mshr_check(&k, err, sizeof err), 0);
    k.dl_reserved_heads = 8;
    assert_int_equal(mshr_check(&k, err, sizeof err), -1);
    assert_string_equal(err, "l2.dl_reserved_heads=8 must be below l2.dl_sets=8");
    k.kind = MSHR_KIND_STATIC;
    assert_int_equal(mshr_check(&k, err, sizeof err), 0);
    k.word = 12;
    assert_int_equal(mshr_check(&k, err, sizeof err), -1);
    assert_string_equal(err, "l2.mshr_word=12 is not a power of two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_taken_once),
        cmocka_unit_test(a_late_request_is_a_new_primary),
        cmocka_unit_test(impossible_words_are_refused),
        cmocka_unit_test(they_are_not_listed),
        cmocka_unit_test(every_head_id_can_be_had),
        cmocka_unit_test(a_line_takes_thousands),
        cmocka_unit_test(a_false_return_is_an_error),
        cmocka_unit_test(implicit_follows_its_lists),
        cmocka_unit_test(unlimited_follows_its_lists),
        cmocka_unit_test(the_keys_have_the_kinds),
        cmocka_unit_test(a_kind_checks_its_keys),
    };
    return cmocka_run_group_tests_name("mshr_kinds", tests, NULL, NULL);
}
