// SPDX-License-Identifier: Apache-2.0
/* Tests the memory use of the data check. The check's source is compiled again in this file, under
 * other names and with a counting allocator. The test tier runs 100 kernels instead of 300.
 * tier: test, 2 s; full, 5 s */
#include "tests/test.h"

#include "lib/alloc.h"

/* Numbers of allocated bytes and blocks. */
static struct { size_t bytes, blocks; } heap;

/* Number of bytes in front of each block, which contain its size. */
#define HEAD 16

static void *counted_resized(void *old, size_t n, size_t size) {
    size_t before = 0;
    if (old)
        memcpy(&before, (char *)old - HEAD, sizeof before);
    char *p = alloc_resized(old ? (char *)old - HEAD : NULL, n * size + HEAD, 1);
    size *= n;
    memcpy(p, &size, sizeof size);
    heap.bytes += size - before;
    heap.blocks += !old;
    return p + HEAD;
}

static void *counted_array(size_t n, size_t size) {
    return counted_resized(NULL, n, size);
}

static void *counted_zeroed(size_t n, size_t size) {
    return memset(counted_array(n, size), 0, n * size);
}

static void *counted_grown(void *array, uint32_t n, uint32_t *room, size_t size) {
    if (n < *room)
        return array;
    *room = *room ? 2 * *room : 16;
    return counted_resized(array, *room, size);
}

static void counted_free(void *p) {
    if (!p)
        return;
    size_t size;
    memcpy(&size, (char *)p - HEAD, sizeof size);
    heap.bytes -= size;
    heap.blocks--;
    free((char *)p - HEAD);
}

#define check_stamp counted_check_stamp
#define check_stamp_line counted_check_stamp_line
#define check_create counted_check_create
#define check_destroy counted_check_destroy
#define check_store counted_check_store
#define check_store_acked counted_check_store_acked
#define check_line_acked counted_check_line_acked
#define check_load counted_check_load
#define check_load_done counted_check_load_done
#define check_kernel_end counted_check_kernel_end
#define check_kernel_end_range counted_check_kernel_end_range
#define check_final counted_check_final
#define check_fail counted_check_fail
#define check_failure counted_check_failure
#define check_loads_checked counted_check_loads_checked
#define check_bytes_checked counted_check_bytes_checked
#define check_line_acked counted_check_line_acked
#define check_atomic counted_check_atomic
#define check_atomic_done counted_check_atomic_done
#define check_sm_known counted_check_sm_known
#define check_answered counted_check_answered
#define check_acknowledge counted_check_acknowledge
#define check_judge counted_check_judge
#define check_get_line counted_check_get_line
#define check_pool_reserve counted_check_pool_reserve
#define check_pool_trim counted_check_pool_trim
#define check_pool_free counted_check_pool_free
#define check_base_set_line counted_check_base_set_line
#define check_base_set counted_check_base_set
#define check_base_join counted_check_base_join
#define check_account_add counted_check_account_add
#define check_account_close counted_check_account_close
#define check_unexplained counted_check_unexplained
#define check_add_version counted_check_add_version
#define check_fail_access counted_check_fail_access
#define alloc_array counted_array
#define alloc_zeroed counted_zeroed
#define alloc_grown counted_grown
#define free counted_free
#include "check/check.c"
#include "check/check_atomics.c"
#include "check/check_lines.c"
#include "check/check_rule.c"
#include "check/check_text.c"
#include "check/check.h"
#include "tests/tier.h"
#undef alloc_array
#undef alloc_zeroed
#undef alloc_grown
#undef free

#define N_SMS 4

static const struct byte_mask ALL = {{UINT64_MAX, UINT64_MAX}};

/* Runs a kernel of n stores. Each has a line of its own, except that stores by two SMs race on each
 * line whose number is a multiple of 32. */
static void kernel(struct check *c, uint32_t *last, unsigned n, unsigned round) {
    uint32_t first = *last + 1;
    for (unsigned i = 0; i < n; i++) {
        struct byte_mask word = {{(uint64_t)15 << (i + round) % 16 * 4, 0}};
        const struct byte_mask *m = i % 3 ? &ALL : &word;
        uint64_t line = i % 16 ? i : i / 32 * 32;
        check_store(c, (i / 16 + round) % N_SMS, line, m, ++*last);
    }
    for (uint32_t v = first; v - first < n; v++)
        check_store_acked(c, ((v - first) / 16 + round) % N_SMS, v);
}

/* Runs two atomics to each of n lines, which `kernel` does not use. held[i] is the version in line
 * i. */
static void atomics(struct check *c, uint32_t *last, unsigned n, uint32_t held[]) {
    for (unsigned i = 0; i < 2 * n; i++) {
        uint8_t old[LINE_BYTES];
        uint64_t line = 1000000 + i / 2, ticket = check_atomic(c, i % N_SMS, line, &ALL, ++*last);
        check_stamp_line(old, line, &ALL, held[i / 2]);
        check_atomic_done(c, i % N_SMS, ticket, line, &ALL, *last, old);
        held[i / 2] = *last;
    }
}

static uint32_t free_accounts(const struct check *c) {
    uint32_t n = 0;
    for (uint32_t a = c->free_account; a; a = (uint32_t)account_of(c, a).w[0])
        n++;
    return n;
}

static void many_kernels_use_the_memory_of_one(void **state) {
    enum { STORES = 20000 };
    const unsigned kernels = tier_is_test() ? 100 : 300;
    struct check *c = check_create(N_SMS);
    assert_non_null(c);
    uint32_t last = 0, held[200] = {0};
    size_t peak = 0;
    for (unsigned k = 0; k < kernels; k++) {
        kernel(c, &last, STORES, k);
        atomics(c, &last, 200, held);
        check_kernel_end(c);
        assert_null(check_failure(c));
        if (k == 50)
            peak = heap.bytes;
        if (k > 50)
            assert_true(heap.bytes <= peak + peak / 4);
        /* all accounts (the check's records of words) except one are free again */
        assert_int_equal(free_accounts(c), c->n_accounts - 1);
    }
    check_destroy(c);
    assert_int_equal(heap.bytes, 0);
}

static void a_store_costs_at_most_48_bytes(void **state) {
    enum { STORES = 100 * CHUNK_ITEMS };
    struct check *c = check_create(N_SMS);
    assert_non_null(c);
    size_t before = heap.bytes;
    for (uint32_t v = 1; v <= STORES; v++)
        check_store(c, v % N_SMS, v % 1000, &ALL, v);
    assert_null(check_failure(c));
    assert_true(heap.bytes - before < (size_t)48 * STORES);
    for (uint32_t v = 1; v <= STORES; v++)
        check_store_acked(c, v % N_SMS, v);
    check_kernel_end(c);
    assert_true(heap.bytes - before < 1000000);
    check_destroy(c);
    assert_int_equal(heap.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_kernels_use_the_memory_of_one),
        cmocka_unit_test(a_store_costs_at_most_48_bytes),
    };
    return cmocka_run_group_tests_name("check memory", tests, NULL, NULL);
}
