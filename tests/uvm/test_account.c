// SPDX-License-Identifier: Apache-2.0
/* Tests of the account (uvm/account.h). The tests report a driver's events to it. Legal events
 * pass, and all others end the run with the account's error message. */
#include "uvm/account.h"
#include "tests/test.h"

#define PAGES 16 /* number of pages in the first array; pages 16 to 511 do not exist */
#define NO_PAGE 100
#define FRAMES 4

static struct context context;
static struct pages pages;
static struct account *account;

static void open_account(void) {
    const struct device_array array[2] = {
        {.name = "a", .base = 0x80000000u, .bytes = PAGES * PAGE_BYTES},
        {.name = "b", .base = 0x90000000u, .bytes = PAGE_BYTES}};
    memset(&context, 0, sizeof context);
    pages_init(&pages, array, 2);
    pages.capacity = pages.free = FRAMES;
    account = account_create(&context, &pages);
    assert_non_null(account);
}

static void close_account(void) {
    account_destroy(account);
    pages_free(&pages);
}

static void expect_good(void) {
    if (context.fault != CONTEXT_OK)
        fail_msg("%s", context.error.text);
}

/* Expects exactly this error message, and closes the account. */
static void expect_complaint(const char *what) {
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    assert_string_equal(context.error.text, what);
    close_account();
}

/* Moves a page to state `to`, as the driver does. */
static void move(uint32_t page, enum page_state to) {
    account_move(account, page, to);
    pages_move(&pages, page, to);
}

static void give(uint32_t page, bool has) {
    account_frame(account, page, has);
    pages.free += has ? UINT32_MAX : 1;
}

/* Moves the page, with its frame, through all legal states up to this one. */
static void lead(uint32_t page, enum page_state to) {
    static const enum page_state way[] = {PAGE_WAITED, PAGE_COMING, PAGE_RESIDENT, PAGE_LEAVING,
                                          PAGE_GOING};
    for (unsigned i = 0; pages.page[page].state != to; i++) {
        move(page, way[i]);
        if (way[i] == PAGE_COMING)
            give(page, true);
    }
    account_settle(account, true);
    expect_good();
}

/* ---- states ---- */

static bool is_legal(enum page_state from, enum page_state to) {
    switch (from) {
    case PAGE_HOST:
        return to == PAGE_WAITED;
    case PAGE_WAITED:
        return to == PAGE_COMING;
    case PAGE_COMING:
        return to == PAGE_RESIDENT;
    case PAGE_RESIDENT:
        return to == PAGE_LEAVING;
    case PAGE_LEAVING: /* it is sent to the host, or dropped */
        return to == PAGE_GOING || to == PAGE_HOST;
    case PAGE_GOING:
        return to == PAGE_HOST;
    default:
        return false;
    }
}

static void only_some_changes_of_state_are_legal(void **state) {
    char want[100];
    for (enum page_state from = PAGE_NOT; from < PAGE_STATES; from++)
        for (enum page_state to = PAGE_NOT; to < PAGE_STATES; to++) {
            uint32_t page = from == PAGE_NOT ? NO_PAGE : 3;
            open_account();
            lead(page, from);
            account_move(account, page, to);
            snprintf(want, sizeof want, "page %u goes from %s to %s", (unsigned)page,
                     page_state_name[from], page_state_name[to]);
            if (!is_legal(from, to)) {
                expect_complaint(want);
                continue;
            }
            expect_good();
            close_account();
        }
}

/* Two pages change their states without a report to the account, so that the number of pages in
 * each state is still right. */
static void a_page_in_another_state_is_found(void **state) {
    open_account();
    lead(3, PAGE_WAITED);
    pages.page[3].state = PAGE_HOST;
    pages.page[4].state = PAGE_WAITED;
    account_settle(account, false); /* the first call always recounts */
    account_settle(account, true);
    expect_complaint("page 3 is host, but should be waited");
}

/* If `all` is false, only some calls recount the pages, but an error is still found soon. */
static void some_steps_recount_pages(void **state) {
    open_account();
    account_settle(account, false);
    pages.page[3].state = PAGE_WAITED;
    account_settle(account, false);
    expect_good();
    for (unsigned i = 0; i < 10000 && context.fault == CONTEXT_OK; i++)
        account_settle(account, false);
    expect_complaint("page 3 is waited, but should be host");
}

/* The account keeps sums, and also recounts the pages. The test moves a page to PAGE_NOT, which is
 * illegal, and drops the error. The recount then differs from the sums. */
static void sums_are_recounted(void **state) {
    open_account();
    move(3, PAGE_NOT);
    context.fault = CONTEXT_OK;
    account_settle(account, true);
    expect_complaint("the account of pages is inconsistent");
}

static void sums_of_states_are_compared(void **state) {
    char want[100];
    for (enum page_state s = PAGE_HOST; s < PAGE_STATES; s++) {
        open_account();
        account_settle(account, false);
        unsigned in = pages.in[s]++;
        account_settle(account, false);
        snprintf(want, sizeof want, "%u pages are %s, but there should be %u", in + 1,
                 page_state_name[s], in);
        expect_complaint(want);
    }
}

/* ---- frames ---- */

static void a_page_gets_one_frame(void **state) {
    open_account();
    give(3, true);
    expect_good();
    give(3, true);
    expect_complaint("page 3 has a frame and gets another");
}

static void a_frame_is_given_back_once(void **state) {
    open_account();
    give(3, true);
    give(3, false);
    expect_good();
    give(3, false);
    expect_complaint("page 3 returns a frame that it does not have");
}

/* If `has`, returns true if a page in this state may have a frame. If not, returns true if it may
 * have none. */
static bool may_have(enum page_state s, bool has) {
    bool there = s == PAGE_COMING || s == PAGE_RESIDENT || s == PAGE_LEAVING;
    return s == PAGE_GOING || has == there;
}

static void states_and_frames_agree(void **state) {
    char want[100];
    for (enum page_state s = PAGE_HOST; s < PAGE_STATES; s++)
        for (unsigned has = 0; has < 2; has++) {
            open_account();
            lead(3, s);
            bool had = s >= PAGE_COMING;
            if (had != (has != 0))
                give(3, has);
            account_settle(account, true);
            snprintf(want, sizeof want, "page 3 is %s, but has %s frame", page_state_name[s],
                     has ? "a" : "no");
            if (!may_have(s, has)) {
                expect_complaint(want);
                continue;
            }
            expect_good();
            close_account();
        }
}

static void frames_are_added_up(void **state) {
    open_account();
    lead(3, PAGE_RESIDENT);
    pages.free++;
    account_settle(account, false);
    expect_complaint("1 of 4 frames are in use, but 4 are free");
    open_account();
    lead(3, PAGE_RESIDENT);
    pages.free--;
    account_settle(account, false);
    expect_complaint("1 of 4 frames are in use, but 2 are free");
    open_account();
    for (uint32_t page = 0; page < FRAMES; page++)
        lead(page, PAGE_RESIDENT);
    move(FRAMES, PAGE_WAITED);
    move(FRAMES, PAGE_COMING);
    give(FRAMES, true);
    /* more frames are in use than exist, although the difference is right */
    account_settle(account, false);
    expect_complaint("5 of 4 frames are in use, but 4294967295 are free");
}

/* ---- accesses ---- */

static void what_is_used_is_there(void **state) {
    char want[200];
    for (enum page_state s = PAGE_NOT; s < PAGE_STATES; s++)
        for (unsigned fresh = 0; fresh < 2; fresh++) {
            uint32_t page = s == PAGE_NOT ? NO_PAGE : 3;
            open_account();
            lead(page, s);
            account_use(account, page, 0x1000007, fresh);
            snprintf(want, sizeof want,
                     "access to a page that is not in GPU memory: page %u, address 0x80000380, "
                     "which is %s",
                     (unsigned)page, page_state_name[s]);
            if (s != PAGE_RESIDENT && (s != PAGE_LEAVING || fresh)) {
                expect_complaint(want);
                continue;
            }
            expect_good();
            close_account();
        }
}

static void what_is_released_was_held(void **state) {
    open_account();
    lead(3, PAGE_RESIDENT);
    pages.page[3].holds = 1;
    account_release(account, 3, 0x1000007);
    expect_good();
    pages.page[3].holds = 0;
    account_release(account, 3, 0x1000007);
    expect_complaint("page 3 is released but not held, at address 0x80000380");
}

static void nothing_is_held_when_all_is_quiet(void **state) {
    open_account();
    lead(3, PAGE_RESIDENT);
    account_all_released(account);
    expect_good();
    pages.page[3].holds = 2;
    account_all_released(account);
    expect_complaint("page 3 is held 2 times, but no access is in flight");
    open_account();
    account_settle(account, false);
    pages.page[3].state = PAGE_WAITED;
    account_all_released(account); /* this call recounts, too */
    expect_complaint("page 3 is waited, but should be host");
}

/* Regions of a trace appear during the run. The account adds their pages, and no others. */
static void pages_that_are_new_are_at_the_host(void **state) {
    memset(&context, 0, sizeof context);
    pages_init(&pages, NULL, 0);
    account = account_create(&context, &pages);
    assert_non_null(account);
    account_settle(account, true);
    for (uint64_t region = 0; region < 3; region++) {
        uint32_t page = pages_of_line(&pages, 0x1000000 + (region << 14));
        pages.capacity = pages.free = pages.n;
        account_settle(account, true);
        expect_good();
        lead(page, PAGE_RESIDENT);
        move(page, PAGE_LEAVING);
        move(page, PAGE_HOST);
        give(page, false);
    }
    account_settle(account, true);
    expect_good();
    close_account();
}

/* If there is no data check, there is no account, and the driver's calls have no effect. */
static void no_account_is_no_harm(void **state) {
    account_move(NULL, 0, PAGE_NOT);
    account_frame(NULL, 0, false);
    account_settle(NULL, true);
    account_use(NULL, 0, 0, true);
    account_release(NULL, 0, 0);
    account_all_released(NULL);
    account_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_some_changes_of_state_are_legal),
        cmocka_unit_test(a_page_in_another_state_is_found),
        cmocka_unit_test(some_steps_recount_pages),
        cmocka_unit_test(sums_are_recounted),
        cmocka_unit_test(sums_of_states_are_compared),
        cmocka_unit_test(a_page_gets_one_frame),
        cmocka_unit_test(a_frame_is_given_back_once),
        cmocka_unit_test(states_and_frames_agree),
        cmocka_unit_test(frames_are_added_up),
        cmocka_unit_test(what_is_used_is_there),
        cmocka_unit_test(what_is_released_was_held),
        cmocka_unit_test(nothing_is_held_when_all_is_quiet),
        cmocka_unit_test(pages_that_are_new_are_at_the_host),
        cmocka_unit_test(no_account_is_no_harm),
    };
    return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
