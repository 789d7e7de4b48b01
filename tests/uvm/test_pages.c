// SPDX-License-Identifier: Apache-2.0
/* Tests of the pages of allocations, and of the book of their uses. */
#include "check/check.h"
#include "pages/book.h"
#include "pages/pages.h"
#include "tests/test.h"

#define KB UINT64_C(1024)
#define MB (KB * KB)
#define BASE UINT64_C(0x80000000)

static void sizes_are_rounded_as_drivers_do(void **state) {
    const struct {
        uint64_t bytes, rounded;
    } row[] = {{1, 64 * KB},
               {64 * KB, 64 * KB},
               {64 * KB + 1, 128 * KB},
               {129 * KB, 256 * KB},
               {MB + 1, 2 * MB},
               {2 * MB, 2 * MB},
               {2 * MB + 192 * KB, 2 * MB + 256 * KB},
               {6 * MB + 1025 * KB, 8 * MB}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_int_equal(pages_rounded(row[i].bytes), row[i].rounded);
}

static struct device_array array(uint64_t base, uint64_t bytes) {
    return (struct device_array){.name = "a", .base = base, .bytes = bytes};
}

/* Three arrays that are close together in device memory, even within one 4 KB page, get separate
 * pages. */
static void arrays_get_pages_of_their_own(void **state) {
    const struct device_array a[] = {array(BASE, 300), array(BASE + 512, 2 * MB + 5 * KB),
                                     array(BASE + 4 * MB, 4 * KB)};
    struct pages p;
    pages_init(&p, a, 3);
    assert_int_equal(p.n_allocs, 3);
    assert_int_equal(p.alloc[0].pages, 16);
    assert_int_equal(p.alloc[0].chunk_pages, 16);
    assert_int_equal(p.alloc[1].first, 512);
    assert_int_equal(p.alloc[1].pages, 512 + 16);
    assert_int_equal(p.alloc[1].chunk_pages, 16);
    assert_int_equal(p.alloc[2].first, 1536);
    assert_int_equal(p.n, 1552);
    assert_int_equal(p.in[PAGE_HOST], 16 + 528 + 16);
    assert_int_equal(pages_footprint(&p), 1 + 514 + 1);
    assert_false(page_exists(&p, 16));
    assert_true(page_wanted(&p, 15));

    const uint64_t line = BASE / LINE_BYTES;
    assert_int_equal(pages_of_line(&p, line), 0);
    assert_int_equal(pages_of_line(&p, line + 2), 0);
    assert_int_equal(pages_of_line(&p, line + 3), PAGE_NONE);
    assert_int_equal(pages_of_line(&p, line + 4), 512);
    assert_int_equal(pages_of_line(&p, line + 4 + 31), 512);
    assert_int_equal(pages_of_line(&p, line + 4 + 32), 513);
    assert_int_equal(pages_of_line(&p, line - 1), PAGE_NONE);
    assert_int_equal(pages_of_line(&p, (BASE + 4 * MB) / LINE_BYTES), 1536);
    assert_int_equal(pages_of_line(&p, LOCAL_BASE / LINE_BYTES), PAGE_NONE);

    uint64_t first;
    assert_int_equal(pages_lines(&p, 0, &first), 3);
    assert_int_equal(first, line);
    assert_int_equal(pages_lines(&p, 1, &first), 0);
    assert_int_equal(pages_lines(&p, 513, &first), 32);
    assert_int_equal(first, line + 4 + 32);
    assert_int_equal(pages_lines(&p, 512 + 513, &first), 8);
    assert_ptr_equal(pages_alloc(&p, 512 + 527), &p.alloc[1]);
    pages_free(&p);
}

static void regions_become_pages_when_they_are_touched(void **state) {
    const uint64_t region[] = {9, 3, 7, 1, 8};
    struct pages p;
    pages_init(&p, NULL, 0);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5; i++) {
            uint64_t addr = region[i] * 2 * MB + 5 * PAGE_BYTES + 128;
            assert_int_equal(pages_of_line(&p, addr / LINE_BYTES), i * 512 + 5);
            uint64_t first;
            assert_int_equal(pages_lines(&p, i * 512 + 5, &first), 32);
            assert_int_equal(first, (addr - 128) / LINE_BYTES);
        }
    assert_int_equal(p.n, 5 * 512);
    assert_int_equal(p.in[PAGE_HOST], 5 * 512);
    assert_int_equal(pages_of_line(&p, LOCAL_BASE / LINE_BYTES), PAGE_NONE);
    pages_free(&p);
}

static void states_are_counted(void **state) {
    const struct device_array a = array(BASE, 64 * KB);
    struct pages p;
    pages_init(&p, &a, 1);
    pages_move(&p, 3, PAGE_WAITED);
    assert_int_equal(p.in[PAGE_HOST], 15);
    assert_int_equal(p.in[PAGE_WAITED], 1);
    assert_false(page_wanted(&p, 3));
    pages_move(&p, 3, PAGE_RESIDENT);
    assert_true(page_evictable(&p, 3));
    p.page[3].waiters = 1;
    assert_false(page_evictable(&p, 3));
    pages_free(&p);
}

/* ---- the book ---- */

static void use_times(struct book *b, uint32_t page, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        book_write(b, page);
}

static void the_kth_use_is_the_kth(void **state) {
    struct book *b = book_create();
    uint32_t n;
    use_times(b, 7, 1);        /* uses page 7 in epoch 0 */
    use_times(b, 2, 63);       /* uses page 2 in epoch 0 */
    use_times(b, 2, 300 * 64); /* uses page 2 in epochs 1 to 300 */
    use_times(b, 7, 2);        /* uses page 7 in epoch 301 */
    assert_false(book_is_read(b));
    book_read(b);
    assert_true(book_is_read(b));
    const uint32_t *order = book_order(b, &n);
    assert_int_equal(n, 2);
    assert_int_equal(order[0], 7);
    assert_int_equal(order[1], 2);
    assert_int_equal(book_next(b, 7), 0);
    book_use(b, 7);
    assert_int_equal(book_next(b, 7), 301);
    book_use(b, 7);
    assert_int_equal(book_next(b, 7), 301);
    book_use(b, 7);
    assert_int_equal(book_next(b, 7), BOOK_NEVER);
    book_use(b, 7); /* this use did not occur in the first pass */
    for (uint64_t i = 0; i < 63 + 300 * 64; i++) {
        assert_int_equal(book_next(b, 2), (i + 1) / 64);
        book_use(b, 2);
    }
    assert_int_equal(book_next(b, 2), BOOK_NEVER);
    assert_int_equal(book_next(b, 1), BOOK_NEVER);
    assert_int_equal(book_next(b, 12345), BOOK_NEVER);
    book_use(b, 12345);
    book_read(b); /* reads the book a second time */
    assert_int_equal(book_next(b, 7), 0);
    assert_int_equal(book_next(b, 2), 0);
    for (uint64_t i = 0; i < 64; i++)
        book_use(b, 2);
    assert_int_equal(book_next(b, 2), 1);
    book_destroy(b);
}

static void regions_are_kept_in_order(void **state) {
    struct book *b = book_create();
    uint32_t n;
    book_write_region(b, 4 * MB);
    book_write_region(b, 2 * MB);
    book_read(b);
    const uint64_t *region = book_regions(b, &n);
    assert_int_equal(n, 2);
    assert_int_equal(region[0], 4 * MB);
    assert_int_equal(region[1], 2 * MB);
    book_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_rounded_as_drivers_do),
        cmocka_unit_test(arrays_get_pages_of_their_own),
        cmocka_unit_test(regions_become_pages_when_they_are_touched),
        cmocka_unit_test(states_are_counted),
        cmocka_unit_test(the_kth_use_is_the_kth),
        cmocka_unit_test(regions_are_kept_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
