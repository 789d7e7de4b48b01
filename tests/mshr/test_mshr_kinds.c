// SPDX-License-Identifier: Apache-2.0
/* Tests the MSHR kinds without Verilog against reference models without slot sets. Accepted
 * requests must leave once and in order of arrival, and refusals must be justified. */
#include "tests/test.h"

#include "mshr/mshr_kind.h"
#include "tests/block/at.h"
#include "unlimited_mshr/unlimited_mshr.h"

/* Block under test with its inputs and outputs. */
struct mshr_bench {
    const struct block_type *type;
    void *model;
    struct mshr_in in;
    struct mshr_out out;
};

/* Runs the clock edge of the current cycle. Afterwards, the outputs are those before the edge. */
static void cycle(struct mshr_bench *b) {
    b->type->eval(b->model, &b->in, &b->out);
    b->type->tick(b->model, &b->in);
    b->in.rst = b->in.req_valid = b->in.ret_valid = 0;
}

static struct mshr_bench start(const struct block_type *type, const char *const *set) {
    struct mshr_bench b = {.type = type};
    struct block_params p = block_at(type, set);
    struct error err = {0};
    if (block_params_check(type, &p, &err))
        fail_msg("%s", err.text);
    b.model = type->create(&p);
    assert_non_null(b.model);
    b.in.rst = 1;
    cycle(&b);
    b.in.rsp_ready = 1;
    return b;
}

#define START(type, ...) start(&type, (const char *const[]){__VA_ARGS__, NULL})

static void ask(struct mshr_bench *b, uint64_t addr, uint64_t off, uint64_t id) {
    b->in.req_valid = 1;
    b->in.req_addr = addr;
    b->in.req_payload[0] = (uint32_t)id;
    b->in.req_payload[1] = (uint32_t)off;
    cycle(b);
}

static void expect_taken(struct mshr_bench *b, uint64_t addr, uint64_t off, uint64_t id,
                         bool primary) {
    ask(b, addr, off, id);
    assert_int_equal(b->out.req_ready, 1);
    assert_int_equal(b->out.req_primary, primary);
}

static void expect_refused(struct mshr_bench *b, uint64_t addr, uint64_t off,
                           enum mshr_refusal why) {
    ask(b, addr, off, 99);
    assert_int_equal(b->out.req_ready, 0);
    assert_int_equal(b->out.req_refuse, why);
}

static void give_back(struct mshr_bench *b, uint64_t head) {
    b->in.ret_valid = 1;
    b->in.ret_head = head;
    cycle(b);
    assert_int_equal(b->out.ret_ready, 1);
}

static void expect_response(struct mshr_bench *b, uint64_t id, bool last) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_payload[0], id);
    assert_int_equal(b->out.rsp_last, last);
}

static void end(struct mshr_bench *b) {
    assert_int_equal(b->out.err, MSHR_OK);
    b->type->destroy(b->model);
}

static void they_are_not_listed(void **state) {
    for (const struct block_type *const *t = block_types; *t; t++)
        assert_true(block_has_twin(*t));
    assert_false(block_has_twin(&unlimited_mshr_type));
    assert_null(block_find("unlimited_mshr"));
}

/* ---- unlimited: its limits ---- */

static void every_head_id_can_be_had(void **state) {
    struct mshr_bench b = START(unlimited_mshr_type, "ADDR_W=40");
    for (uint64_t a = 0; a < UNLIMITED_MSHR_HEADS; a++) {
        expect_taken(&b, a * 4097, 0, a & 0xff, true);
        assert_int_equal(b.out.req_head, a);
    }
    expect_refused(&b, 1, 0, MSHR_REFUSE_ENTRY_FULL);
    for (unsigned i = 1; i < UNLIMITED_MSHR_SLOTS; i++)
        expect_taken(&b, 0, 0, i, false);
    expect_refused(&b, 0, 0, MSHR_REFUSE_MERGE_FULL);
    for (uint64_t a = UNLIMITED_MSHR_HEADS; a-- > 0;) { /* fills the last line first */
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
    enum { N = UNLIMITED_MSHR_HEADS * UNLIMITED_MSHR_SLOTS };
    struct mshr_bench b = START(unlimited_mshr_type, "PAYLOAD_W=39");
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
    for (unsigned n = 0; n < 2; n++) {
        struct mshr_bench b = start(&unlimited_mshr_type, (const char *const[]){NULL});
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

/* ---- random, against lists ---- */

enum { LINES = 40, MAX_PER_LINE = 4096 };

struct list {
    bool open;
    uint64_t head;
    uint32_t id[MAX_PER_LINE], off[MAX_PER_LINE];
    unsigned n;
};

struct mshr_reference {
    struct list line[LINES], drain;
    bool draining;
    unsigned drained, /* number of responses in the current drain so far */
        live;         /* number of lines that are open or draining */
    unsigned taken, answered, late;
};

static uint32_t seed;

static uint32_t below(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static void follow_request(struct mshr_reference *r, const struct mshr_in *in,
                           const struct mshr_out *out) {
    struct list *l = &r->line[in->req_addr];
    assert_int_equal(out->req_ready, 1);
    assert_int_equal(out->req_refuse, MSHR_REFUSE_NONE);
    assert_int_equal(out->req_primary, !l->open);
    if (!l->open) {
        for (unsigned k = 0; k < LINES; k++)
            assert_false(r->line[k].open && r->line[k].head == out->req_head);
        *l = (struct list){.open = true, .head = out->req_head};
        r->live++;
        r->late += r->draining && r->drain.id[0] % LINES == in->req_addr;
    }
    assert_true(l->n < MAX_PER_LINE);
    l->id[l->n] = in->req_payload[0];
    l->off[l->n++] = in->req_payload[1];
    r->taken++;
}

static void follow_response(struct mshr_reference *r, const struct mshr_in *in,
                            const struct mshr_out *out) {
    assert_int_equal(out->rsp_valid, r->draining);
    if (!r->draining)
        return;
    assert_int_equal(out->rsp_payload[0], r->drain.id[r->drained]);
    assert_int_equal(out->rsp_payload[1], r->drain.off[r->drained]);
    assert_int_equal(out->rsp_last, r->drained + 1 == r->drain.n);
    if (!in->rsp_ready)
        return;
    r->answered++;
    r->draining = ++r->drained < r->drain.n;
    r->live -= !r->draining;
}

/* Runs a cycle with random inputs. If `line` is in flight, it may be filled. */
static void random_cycle(struct mshr_bench *b, struct mshr_reference *r, unsigned pressure,
                         uint32_t serial) {
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
        in->req_payload[0] = serial * LINES + (uint32_t)in->req_addr;
        in->req_payload[1] = below(128);
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

static void follow(struct mshr_bench b, unsigned pressure) {
    static struct mshr_reference r;
    memset(&r, 0, sizeof r);
    seed = pressure;
    for (uint32_t n = 0; n < 40000; n++)
        random_cycle(&b, &r, pressure, n);
    assert_true(r.taken > 2000);
    assert_true(r.answered > 1000);
    assert_true(r.late > 0);
    end(&b);
}

static void unlimited_follows_its_lists(void **state) {
    follow(START(unlimited_mshr_type, "PAYLOAD_W=39"), 4);
    follow(START(unlimited_mshr_type, "PAYLOAD_W=39", "SLOTS=1"), 64);
}

/* ---- the table of kinds ---- */

/* The values of each key named "mshr" are the MSHR kinds, in the order of the table of kinds. */
static void the_keys_have_the_kinds(void **state) {
    static const struct {
        const char *key, *values;
    } keys[] = {
#define INT(section, key, def, min, max, ...)
#define ENUM(section, key, def, values, ...) {#section "." #key, values},
#define STR(section, key, def, ...)
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    };
    char names[200] = "";
    unsigned found = 0;
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

/* A kind checks only its own keys, and names them with the section of the kind's cache. */
static void a_kind_checks_its_keys(void **state) {
    struct mshr_keys k = {.section = "l2", .kind = MSHR_KIND_DL, .dl_sets = 8};
    struct error err = {0};
    k.dl_reserved_heads = 7;
    assert_int_equal(mshr_check(&k, &err), 0);
    k.dl_reserved_heads = 8;
    assert_int_equal(mshr_check(&k, &err), -1);
    assert_string_equal(err.text, "l2.dl_reserved_heads=8 must be below l2.dl_sets=8");
    k.kind = MSHR_KIND_STATIC;
    assert_int_equal(mshr_check(&k, &err), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_not_listed),         cmocka_unit_test(every_head_id_can_be_had),
        cmocka_unit_test(a_line_takes_thousands),      cmocka_unit_test(a_false_return_is_an_error),
        cmocka_unit_test(unlimited_follows_its_lists), cmocka_unit_test(the_keys_have_the_kinds),
        cmocka_unit_test(a_kind_checks_its_keys),
    };
    return cmocka_run_group_tests_name("mshr_kinds", tests, NULL, NULL);
}
