// SPDX-License-Identifier: Apache-2.0
/* Tests the result of each request under each policy against the table in docs/understand/l2.md,
 * and the table's special cases. */
#include "tests/l2/bank.h"
#include "check/check.h"

/* ---- the table ---- */

enum l2_policy { FETCH, BOTH, LAZY, WTWN, WEWN, POLICIES };
/* State of the line when the request arrives. VALID: the granule is present. PARTIAL: another word
 * in the granule has been stored to. SECTOR_AWAY: only another sector is present. PENDING: the
 * granule is in flight. */
enum state_of_line { ABSENT, VALID, PARTIAL, SECTOR_AWAY, PENDING, STATES };

#define H STAT_l2_hits
#define P STAT_l2_primary_misses
#define S STAT_l2_secondary_misses
#define W STAT_l2_write_misses
#define NOT                                                                                        \
    { STAT_COUNT, 0, 0, 0, 0 }

/* Expected result of a request. */
struct outcome_of {
    enum stat_id counts;    /* statistic of the outcome, or STAT_COUNT if the case does not exist */
    unsigned reads, writes; /* numbers of reads and writes that the request causes */
    bool held, dirty;       /* true if its bytes are then present in the bank, and dirty there */
};

/* The indices are the policy, the state, and the kind of request (load, store, atomic). PARTIAL
 * exists only with LAZY, and SECTOR_AWAY only in a sectored bank. */
static const struct outcome_of table[POLICIES][STATES][3] = {
    [FETCH] = {[ABSENT] = {{P, 1, 0, 1, 0}, {P, 1, 0, 1, 1}, {P, 1, 0, 1, 1}},
               [VALID] = {{H, 0, 0, 1, 0}, {H, 0, 0, 1, 1}, {H, 0, 0, 1, 1}},
               [PARTIAL] = {NOT, NOT, NOT},
               [SECTOR_AWAY] = {{P, 1, 0, 1, 0}, {P, 1, 0, 1, 1}, {P, 1, 0, 1, 1}},
               [PENDING] = {{S, 0, 0, 1, 0}, {S, 0, 0, 1, 1}, {S, 0, 0, 1, 1}}},
    [BOTH] = {[ABSENT] = {{P, 1, 0, 1, 0}, {P, 1, 1, 1, 0}, {P, 1, 0, 1, 1}},
              [VALID] = {{H, 0, 0, 1, 0}, {H, 0, 0, 1, 1}, {H, 0, 0, 1, 1}},
              [PARTIAL] = {NOT, NOT, NOT},
              [SECTOR_AWAY] = {{P, 1, 0, 1, 0}, {P, 1, 1, 1, 0}, {P, 1, 0, 1, 1}},
              [PENDING] = {{S, 0, 0, 1, 0}, {S, 0, 1, 1, 0}, {S, 0, 0, 1, 1}}},
    [LAZY] = {[ABSENT] = {{P, 1, 0, 1, 0}, {W, 0, 0, 1, 1}, {P, 1, 0, 1, 1}},
              [VALID] = {{H, 0, 0, 1, 0}, {H, 0, 0, 1, 1}, {H, 0, 0, 1, 1}},
              [PARTIAL] = {{P, 1, 0, 1, 0}, {H, 0, 0, 1, 1}, {P, 1, 0, 1, 1}},
              [SECTOR_AWAY] = {{P, 1, 0, 1, 0}, {H, 0, 0, 1, 1}, {P, 1, 0, 1, 1}},
              [PENDING] = {{S, 0, 0, 1, 0}, {S, 0, 0, 1, 1}, {S, 0, 0, 1, 1}}},
    [WTWN] = {[ABSENT] = {{P, 1, 0, 1, 0}, {W, 0, 1, 0, 0}, {P, 1, 1, 1, 0}},
              [VALID] = {{H, 0, 0, 1, 0}, {H, 0, 1, 1, 0}, {H, 0, 1, 1, 0}},
              [PARTIAL] = {NOT, NOT, NOT},
              [SECTOR_AWAY] = {{P, 1, 0, 1, 0}, {W, 0, 1, 0, 0}, {P, 1, 1, 1, 0}},
              [PENDING] = {{S, 0, 0, 1, 0}, {S, 0, 1, 1, 0}, {S, 0, 1, 1, 0}}},
    [WEWN] = {[ABSENT] = {{P, 1, 0, 1, 0}, {W, 0, 1, 0, 0}, {P, 1, 1, 0, 0}},
              [VALID] = {{H, 0, 0, 1, 0}, {H, 0, 1, 0, 0}, {H, 0, 1, 0, 0}},
              [PARTIAL] = {NOT, NOT, NOT},
              [SECTOR_AWAY] = {{P, 1, 0, 1, 0}, {W, 0, 1, 0, 0}, {P, 1, 1, 0, 0}},
              [PENDING] = {{S, 0, 0, 1, 0}, {S, 0, 1, 0, 0}, {S, 0, 1, 0, 0}}},
};

static void choose(enum l2_policy policy) {
    cfg.l2_write = policy == WTWN ? L2_WTWN : policy == WEWN ? L2_WEWN : L2_WBWA;
    cfg.l2_write_fetch = policy == LAZY ? WRITE_LAZY : policy == BOTH ? WRITE_BOTH : WRITE_FETCH;
}

static void bring_about(enum state_of_line state) {
    switch (state) {
    case VALID:
        send(REQUEST_LOAD, LINE, SECTOR, 1, 0);
        break;
    case PARTIAL:
        send(REQUEST_STORE, LINE, OTHER_WORD, 1, 0x11);
        break;
    case SECTOR_AWAY:
        send(REQUEST_LOAD, LINE, FIRST_SECTOR, 1, 0);
        break;
    case PENDING: /* the fetch is answered only after the request has arrived */
        dram_stands = true;
        send(REQUEST_LOAD, LINE, SECTOR, 1, 0);
        steps(10);
        return;
    default:
        return;
    }
    answer(1);
    settle();
}

static void expect_outcome(const struct outcome_of *o, const struct stats *before, uint64_t reads,
                           uint64_t writes, const char *what) {
    const enum stat_id all[] = {H, P, S, W};
    for (unsigned i = 0; i < 4; i++)
        if (l2.stats.v[all[i]] - before->v[all[i]] != (all[i] == o->counts))
            fail_msg("%s: %s %u", what, stat_table[all[i]].name,
                     (unsigned)(l2.stats.v[all[i]] - before->v[all[i]]));
    if (dram.reads - reads != o->reads || dram.writes - writes != o->writes)
        fail_msg("%s: %u reads, %u writes", what, (unsigned)(dram.reads - reads),
                 (unsigned)(dram.writes - writes));
    uint32_t way = way_of(LINE);
    const struct byte_mask word = WORD;
    bool held = way != WAY_NONE && lines_hold(&l2.cache.lines, way, &word);
    if (held != o->held || (held && mask_within(&word, &l2.cache.lines.way[way].dirty) != o->dirty))
        fail_msg("%s: held %d", what, held);
}

static void expect_contents(uint8_t byte, const char *what) {
    uint8_t data[LINE_BYTES];
    backing_read(&backing, LINE, data);
    l2_read_line(&l2, LINE, data);
    if (data[BYTE] != byte)
        fail_msg("%s: 0x%02x in memory", what, data[BYTE]);
}

static void one_case(enum l2_policy policy, enum state_of_line state, unsigned request,
                     bool sectored, bool on_fill) {
    static const uint8_t kinds[3] = {REQUEST_LOAD, REQUEST_STORE, REQUEST_ATOMIC};
    struct outcome_of o = table[policy][state][request];
    if (o.counts == STAT_COUNT || (state == SECTOR_AWAY && !sectored))
        return;
    /* with allocation on a fill, dirty bytes of a granule are written back instead of staying in a
     * way */
    if (on_fill && state == PARTIAL && o.counts == P)
        o.writes++;
    char what[80];
    snprintf(what, sizeof what, "policy %d state %d request %u sectored %d fill %d", (int)policy,
             (int)state, request, sectored, on_fill);
    defaults();
    choose(policy);
    cfg.l2_sectored = sectored;
    cfg.l2_allocate = on_fill ? ALLOCATE_FILL : ALLOCATE_MISS;
    make();
    bring_about(state);
    const struct stats before = l2.stats;
    uint64_t reads = dram.reads + (state == PENDING), writes = dram.writes;
    send(kinds[request], LINE, request == 0 ? SECTOR : WORD, 2, 0x77);
    steps(10);
    dram_stands = false;
    if (state == PENDING)
        assert_int_equal(answer(1), original());
    uint8_t got = answer(2);
    if (request != 1)
        assert_int_equal(got, original());
    settle();
    expect_outcome(&o, &before, reads, writes, what);
    expect_contents(request == 0 ? original() : 0x77, what);
    send(REQUEST_LOAD, LINE, SECTOR, 3, 0);
    assert_int_equal(answer(3), request == 0 ? original() : 0x77);
    end();
}

static void the_table_of_policies_holds(void **state) {
    for (int policy = 0; policy < POLICIES; policy++)
        for (int line = 0; line < STATES; line++)
            for (unsigned request = 0; request < 3; request++)
                for (unsigned variant = 0; variant < 4; variant++)
                    one_case((enum l2_policy)policy, (enum state_of_line)line, request, variant & 1,
                             variant & 2);
}

/* ---- masks to DRAM ---- */

static void an_eviction_writes_the_dirty_bytes_only(void **state) {
    for (int fill = 0; fill < 2; fill++) {
        defaults();
        choose(LAZY);
        cfg.l2_ways = 1;
        cfg.l2_allocate = fill;
        make();
        send(REQUEST_STORE, LINE, WORD, 1, 0x33);
        answer(1);
        send(REQUEST_STORE, LINE, FIRST_SECTOR, 2, 0x34);
        answer(2);
        assert_int_equal(dram.reads, 0);
        dram_stands = true;
        send(REQUEST_STORE, 9, WORD, 3, 0);
        steps(30);
        const struct at_dram at = at_dram();
        assert_int_equal(at.writes, 1);
        struct byte_mask both = WORD;
        const struct byte_mask first = FIRST_SECTOR;
        mask_add(&both, &first);
        assert_memory_equal(&at.write.mask, &both, sizeof both);
        dram_stands = false;
        answer(3);
        settle();
        assert_int_equal(dram.reads, 0);
        send(REQUEST_LOAD, LINE, WHOLE, 4, 0);
        assert_int_equal(answer(4), 0x33);
        expect_contents(0x33, "after the eviction");
        end();
    }
}

/* If all bytes of a line are stored to, the line is never fetched. */
static void a_full_overwrite_fetches_nothing(void **state) {
    defaults();
    choose(LAZY);
    make();
    send(REQUEST_STORE, LINE, WHOLE, 1, 0x44);
    answer(1);
    send(REQUEST_LOAD, LINE, WHOLE, 2, 0);
    assert_int_equal(answer(2), 0x44);
    settle();
    assert_int_equal(dram.reads, 0);
    assert_int_equal(COUNT(l2_hits), 1);
    end();
}

/* A fill does not overwrite bytes that were stored without a fetch, since they are newer. */
static void dirty_bytes_survive_the_fill(void **state) {
    for (int variant = 0; variant < 4; variant++) {
        defaults();
        choose(LAZY);
        cfg.l2_allocate = variant & 1;
        cfg.l2_sectored = variant >> 1;
        make();
        send(REQUEST_STORE, LINE, WORD, 1, 0x55);
        answer(1);
        send(REQUEST_LOAD, LINE, SECTOR, 2, 0);
        assert_int_equal(answer(2), 0x55);
        send(REQUEST_LOAD, LINE, SECTOR, 3, 0);
        assert_int_equal(answer_at(3, 80), check_stamp(0, LINE * LINE_BYTES + 80));
        assert_int_equal(dram.reads, 1);
        end();
    }
}

/* Expects a request of this kind to return `byte`, and the bank to have made `fetches` fetches so
 * far. */
static void expect_read(uint8_t kind, struct byte_mask mask, uint8_t byte, unsigned fetches) {
    static uint16_t id = 100;
    send(kind, LINE, mask, ++id, 0x66);
    assert_int_equal(answer(id), byte);
    settle();
    assert_int_equal(dram.reads, fetches);
}

static void write_word(struct byte_mask mask, uint8_t byte) {
    send(REQUEST_STORE, LINE, mask, 1, byte);
    answer(1);
    settle();
}

/* Stored bytes are read without a fetch. The first read of any other byte in their sector fetches
 * the sector. Later reads do not. */
static void a_partly_written_sector_is_fetched(void **state) {
    for (unsigned variant = 0; variant < 16; variant++) {
        const unsigned fetched = variant & 1;
        const uint8_t kind = variant & 8 ? REQUEST_ATOMIC : REQUEST_LOAD;
        defaults();
        choose(LAZY);
        cfg.l2_model = fetched ? MODEL_GPGPUSIM : MODEL_SIMPLE;
        cfg.l2_sectored = variant >> 1 & 1;
        cfg.l2_allocate = !fetched && variant >> 2 & 1;
        make();
        write_word(WORD, 0x55);
        assert_int_equal(dram.reads, 0);
        expect_read(kind, WORD, 0x55, fetched);
        expect_read(REQUEST_LOAD, WORD, kind == REQUEST_ATOMIC ? 0x66 : 0x55, fetched);
        send(REQUEST_LOAD, LINE, OTHER_WORD, 2, 0);
        assert_int_equal(answer_at(2, 64), check_stamp(0, LINE * LINE_BYTES + 64));
        settle();
        assert_int_equal(dram.reads, 1);
        write_word(WORD, 0x56);
        expect_read(REQUEST_LOAD, WORD, 0x56, 1);
        end();
    }
}

/* A sector that is stored to in two parts is complete, whatever the state of other sectors. */
static void a_sector_written_in_parts_is_read(void **state) {
    const struct byte_mask half = {{0, UINT64_C(0xffff)}}, rest = {{0, UINT64_C(0xffff0000)}};
    for (int sectored = 0; sectored < 2; sectored++) {
        defaults();
        choose(LAZY);
        cfg.l2_model = MODEL_GPGPUSIM;
        cfg.l2_sectored = sectored;
        make();
        write_word(half, 0x55);
        write_word(rest, 0x56);
        expect_read(REQUEST_LOAD, WORD, 0x55, 0);
        expect_read(REQUEST_LOAD, SECTOR, 0x55, 0);
        expect_read(REQUEST_LOAD, WHOLE, 0x55, sectored ? 3 : 1);
        end();
    }
}

/* A fetch waits until the evict buffer contains no write to the fetched line, whatever bytes are
 * written. */
static void a_fetch_does_not_pass_a_write(void **state) {
    for (int sectored = 0; sectored < 2; sectored++) {
        defaults();
        choose(WTWN);
        cfg.l2_sectored = sectored;
        dram_of_lines(1);
        make();
        dram_stands = true;
        send(REQUEST_LOAD, 9, SECTOR, 1, 0); /* the two loads keep the channel's queues full */
        send(REQUEST_STORE, 7, WORD, 2, 0x61);
        steps(10);
        send(REQUEST_STORE, LINE, WORD, 3, 0x62);
        send(REQUEST_LOAD, LINE, SECTOR, 4, 0);
        answer(2);
        answer(3);
        steps(20);
        dram_stands = false;
        answer(1);
        assert_int_equal(answer(4), 0x62);
        end();
    }
}

/* The channel counts entries for reads and writes separately. If the entries for one kind are used
 * up, the other kind is not blocked, even if the blocked kind has priority. */
static void a_queue_without_room_does_not_hold_up_the_other(void **state) {
    for (int reads_full = 0; reads_full < 2; reads_full++) {
        defaults();
        choose(WTWN);
        dram_of_lines(1);
        cfg.l2_evict_buffer = reads_full ? 2 : 1; /* a full evict buffer would have priority */
        make();
        dram_stands = true;
        send(reads_full ? REQUEST_LOAD : REQUEST_STORE, 6, WHOLE, 1, 0x61);
        steps(20);
        send(reads_full ? REQUEST_LOAD : REQUEST_STORE, 7, WHOLE, 2, 0x62);
        steps(20);
        assert_int_equal(reads_full ? l2.cache.miss_queue.count : l2.evict_buffer.count, 1);
        send(reads_full ? REQUEST_STORE : REQUEST_LOAD, 8, WHOLE, 3, 0x63);
        steps(20);
        assert_int_equal(reads_full ? l2.cache.miss_queue.count : l2.evict_buffer.count, 1);
        assert_int_equal(reads_full ? l2.evict_buffer.count : l2.cache.miss_queue.count, 0);
        dram_stands = false;
        if (reads_full)
            answer(3); /* a store is acknowledged before it is in DRAM */
        answer(1);
        answer(2);
        if (!reads_full)
            answer(3);
        settle();
        end();
    }
}

/* ---- evict buffer entries ---- */

static void writes_through_need_a_place(void **state) {
    for (int hit = 0; hit < 2; hit++) {
        defaults();
        choose(WTWN);
        cfg.l2_evict_buffer = 1;
        dram_of_lines(1);
        make();
        if (hit) {
            send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
            answer(1);
        }
        settle();
        dram_stands = true;
        for (uint16_t i = 2; i < 5; i++)
            send(REQUEST_STORE, LINE, WORD, i, (uint8_t)i);
        steps(30);
        assert_int_equal(COUNT(l2_refusals), COUNT(l2_refusals_evict_buffer));
        assert_true(COUNT(l2_refusals_evict_buffer) > 5);
        dram_stands = false;
        for (uint16_t i = 2; i < 5; i++)
            answer(i);
        settle();
        assert_int_equal(COUNT(l2_write_throughs), 3);
        expect_contents(4, "after the stores");
        end();
    }
}

/* Stores that wait for a line reserve their evict buffer entries when they are accepted, so the
 * drain never waits. */
static void waiting_writes_keep_their_places(void **state) {
    defaults();
    choose(WTWN);
    cfg.l2_evict_buffer = 2;
    cfg.l2_mshr_slots = 8;
    make();
    dram_stands = true;
    send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
    for (uint16_t i = 2; i < 5; i++)
        send(REQUEST_ATOMIC, LINE, WORD, i, (uint8_t)i);
    steps(30);
    assert_int_equal(l2.cache.reservations, 2);
    assert_int_equal(COUNT(l2_secondary_misses), 2);
    assert_true(COUNT(l2_refusals_evict_buffer) > 5);
    dram_stands = false;
    assert_int_equal(answer(1), original());
    assert_int_equal(answer(2), original());
    assert_int_equal(answer(3), 2);
    assert_int_equal(answer(4), 3);
    settle();
    assert_int_equal(COUNT(l2_atomics), 3);
    assert_int_equal(dram.writes, 3);
    end();
}

/* ---- allocation on a fill ---- */

/* With one way and allocation on a miss, the first fetch claims the way, so later ones wait. With
 * allocation on a fill, all fetches can be in flight. */
static void fetches_on_fill_hold_no_way(void **state) {
    for (int fill = 0; fill < 2; fill++) {
        defaults();
        cfg.l2_ways = 1;
        cfg.l2_allocate = fill;
        make();
        dram_stands = true;
        for (uint16_t i = 1; i < 5; i++)
            send(REQUEST_LOAD, i, WHOLE, i, 0);
        steps(30);
        assert_int_equal(COUNT(l2_primary_misses), fill ? 4 : 1);
        assert_int_equal(COUNT(l2_refusals_no_way) > 0, !fill);
        dram_stands = false;
        for (uint16_t i = 1; i < 5; i++)
            assert_int_equal(answer_at(i, 99), untouched(i));
        settle();
        assert_int_equal(COUNT(l2_evictions), 3);
        assert_int_equal(way_of(4), 0);
        end();
    }
}

/* The old line stays in its way, and hits, until the data of the line that replaces it arrive. */
static void the_victim_serves_until_the_fill(void **state) {
    defaults();
    cfg.l2_ways = 1;
    cfg.l2_allocate = ALLOCATE_FILL;
    make();
    send(REQUEST_STORE, 1, WHOLE, 1, 0x21);
    answer(1);
    settle();
    dram_stands = true;
    send(REQUEST_LOAD, 2, WHOLE, 2, 0);
    steps(10);
    send(REQUEST_STORE, 1, WHOLE, 3, 0x22);
    answer(3);
    assert_int_equal(COUNT(l2_hits), 1);
    assert_int_equal(COUNT(l2_writebacks), 0);
    dram_stands = false;
    assert_int_equal(answer_at(2, 99), untouched(2));
    settle();
    assert_int_equal(COUNT(l2_writebacks), 1);
    send(REQUEST_LOAD, 1, WHOLE, 4, 0);
    assert_int_equal(answer(4), 0x22);
    end();
}

/* The second sector uses the same way as the first. No line is evicted, and the first sector still
 * hits. */
static void sectors_on_fill_share_a_way(void **state) {
    defaults();
    cfg.l2_sectored = 1;
    cfg.l2_allocate = ALLOCATE_FILL;
    make();
    const struct byte_mask sectors[] = {FIRST_SECTOR, SECTOR, FIRST_SECTOR};
    for (uint16_t i = 0; i < 3; i++) {
        send(REQUEST_LOAD, LINE, sectors[i], i, 0);
        answer(i);
        settle();
    }
    assert_int_equal(COUNT(l2_evictions), 0);
    assert_int_equal(COUNT(l2_hits), 1);
    assert_int_equal(dram.reads, 2);
    end();
}

static void a_fetch_on_fill_keeps_a_place_for_its_victim(void **state) {
    defaults();
    cfg.l2_allocate = ALLOCATE_FILL;
    cfg.l2_evict_buffer = 2;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i < 5; i++)
        send(REQUEST_LOAD, i, WHOLE, i, 0);
    steps(30);
    assert_int_equal(COUNT(l2_primary_misses), 2);
    assert_int_equal(l2.cache.reservations, 2);
    assert_true(COUNT(l2_refusals_evict_buffer) > 5);
    dram_stands = false;
    for (uint16_t i = 1; i < 5; i++)
        answer(i);
    settle();
    end();
}

/* ---- sectors ---- */

/* The sectors of a request are looked up one per cycle. The request gets one reply. */
static void sectors_are_looked_up_one_a_cycle(void **state) {
    uint64_t took[2];
    for (int whole = 0; whole < 2; whole++) {
        defaults();
        cfg.l2_sectored = 1;
        cfg.icnt_flit_bytes = 256; /* every reply is one flit */
        make();
        send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
        answer(1);
        assert_int_equal(COUNT(l2_primary_misses), 4);
        assert_int_equal(COUNT(l2_sector_misses), 3);
        assert_int_equal(dram.reads, 4);
        settle();
        uint64_t start = cycle;
        send(REQUEST_LOAD, LINE, whole ? WHOLE : SECTOR, 2, 0);
        assert_int_equal(answer(2), original());
        took[whole] = cycle - start;
        assert_int_equal(COUNT(l2_hits), whole ? 4 : 1);
        settle();
        end();
    }
    assert_int_equal(took[1] - took[0], 3);
}

/* Of one request, one sector hits, one merges with another request's fetch, and the others are
 * fetched. One reply contains all sectors. */
static void a_reply_is_put_together(void **state) {
    defaults();
    cfg.l2_sectored = 1;
    make();
    send(REQUEST_STORE, LINE, FIRST_SECTOR, 1, 0x71);
    answer(1);
    settle();
    dram_stands = true;
    send(REQUEST_STORE, LINE, WORD, 2, 0x72);
    steps(10);
    send(REQUEST_LOAD, LINE, WHOLE, 3, 0);
    send(REQUEST_LOAD, LINE, FIRST_SECTOR, 4, 0);
    /* the later request is answered first, since all its data are present */
    assert_int_equal(answer_at(4, 0), 0x71);
    assert_int_equal(COUNT(l2_hits), 2);
    assert_int_equal(COUNT(l2_secondary_misses), 1);
    /* the misses are those of both stores, and of sectors 1 and 3 */
    assert_int_equal(COUNT(l2_primary_misses), 4);
    dram_stands = false;
    answer(2);
    for (unsigned n = 0; xbar_peek(&reply, 0) == REQUEST_NONE; n++) {
        assert_true(n < 2000);
        step();
    }
    uint32_t n = xbar_pop(&reply, 0);
    const uint8_t *data = request_data(&context.pool, n);
    assert_int_equal(request_name(request_at(&context.pool, n)), 3);
    assert_int_equal(data[31], 0x71);
    assert_int_equal(data[32], check_stamp(0, LINE * LINE_BYTES + 32));
    assert_int_equal(data[BYTE], 0x72);
    assert_int_equal(data[127], check_stamp(0, LINE * LINE_BYTES + 127));
    request_give(&context.pool, n);
    settle();
    end();
}

static void a_fetch_asks_for_its_granule(void **state) {
    for (int sectored = 0; sectored < 2; sectored++) {
        defaults();
        cfg.l2_sectored = sectored;
        make();
        dram_stands = true;
        send(REQUEST_LOAD, LINE, WORD, 1, 0);
        steps(20);
        const struct at_dram at = at_dram();
        assert_int_equal(at.reads, 1);
        assert_int_equal(at.writes, 0);
        const struct byte_mask wanted = sectored ? SECTOR : WHOLE;
        assert_memory_equal(&at.read.mask, &wanted, sizeof wanted);
        dram_stands = false;
        assert_int_equal(answer(1), original());
        end();
    }
}

/* A store that evicts its sector does not evict other sectors. */
static void a_write_evicts_its_sector_only(void **state) {
    defaults();
    choose(WEWN);
    cfg.l2_sectored = 1;
    make();
    send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
    answer(1);
    send(REQUEST_STORE, LINE, WORD, 2, 0x7a);
    answer(2);
    settle();
    uint32_t way = way_of(LINE);
    assert_int_not_equal(way, WAY_NONE);
    const struct byte_mask sector = SECTOR, rest = mask_of_sectors(11);
    assert_memory_equal(&l2.cache.lines.way[way].valid, &rest, sizeof rest);
    assert_true(!mask_within(&sector, &l2.cache.lines.way[way].valid));
    end();
}

/* ---- faults, contents, time ---- */

static void a_lost_update_is_planted(void **state) {
    for (int in_flight = 0; in_flight < 2; in_flight++) {
        defaults();
        make();
        context.plant = PLANT_LOST_UPDATE;
        context.sm_cycle = CONTEXT_PLANT_FROM;
        if (!in_flight) {
            send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
            answer(1);
        }
        send(REQUEST_STORE, LINE, WORD, 2, 0x80);
        answer(2);
        send(REQUEST_ATOMIC, LINE, WORD, 3, 0x81);
        assert_int_equal(answer(3), 0x80);
        assert_true(context.plant_made);
        send(REQUEST_ATOMIC, LINE, WORD, 4, 0x82);
        assert_int_equal(answer(4), 0x80); /* the update to 0x81 was lost */
        send(REQUEST_LOAD, LINE, WORD, 5, 0);
        assert_int_equal(answer(5), 0x82);
        end();
    }
}

static void a_store_that_goes_past_can_be_lost(void **state) {
    defaults();
    choose(WTWN);
    make();
    context.plant = PLANT_LOSE_STORE;
    context.sm_cycle = CONTEXT_PLANT_FROM;
    send(REQUEST_STORE, LINE, WORD, 1, 0x90);
    answer(1);
    settle();
    assert_true(context.plant_made);
    expect_contents(original(), "after the lost store");
    end();
}

/* The contents of a line in a bank are composed of older writes in the evict buffer, newer ones,
 * and the way, each of which overrides the previous ones. */
static void contents_are_put_together_in_order(void **state) {
    defaults();
    choose(LAZY);
    cfg.l2_ways = 1;
    dram_of_lines(1);
    make();
    dram_stands = true;
    for (uint16_t i = 20; i < 22; i++) { /* evictions that fill the channel's queue */
        send(REQUEST_STORE, i, WORD, i, 0);
        answer(i);
    }
    const uint8_t bytes[3] = {0xa1, 0xa2, 0xa3};
    for (uint16_t i = 0; i < 3; i++) {
        send(REQUEST_STORE, LINE, i == 0 ? SECTOR : i == 1 ? WORD : OTHER_WORD, i, bytes[i]);
        answer(i);
        if (i == 2)
            break;
        send(REQUEST_STORE, 9, WORD, (uint16_t)(10 + i), 0);
        answer((uint16_t)(10 + i));
    }
    assert_true(l2.evict_buffer.count >= 3);
    uint8_t data[LINE_BYTES];
    backing_read(&backing, LINE, data);
    l2_read_line(&l2, LINE, data);
    assert_int_equal(data[90], 0xa1);
    assert_int_equal(data[BYTE], 0xa2);
    assert_int_equal(data[64], 0xa3);
    assert_int_equal(data[0], check_stamp(0, LINE * LINE_BYTES));
    dram_stands = false;
    settle();
    expect_contents(0xa2, "after all");
    end();
}

static void an_idle_bank_can_be_passed_over(void **state) {
    defaults();
    cfg.l2_latency = 50;
    make();
    assert_int_equal(l2_next_event(&l2), 0); /* the MSHR is in reset */
    step();
    assert_true(l2_next_event(&l2) == UINT64_MAX);
    send(REQUEST_LOAD, LINE, WHOLE, 1, 0);
    while (!l2.in.pipe.count)
        step();
    assert_int_equal(l2_next_event(&l2), 0); /* a request has moved in the pipeline */
    step();
    /* the request arrived two cycles ago, and enters the buffer one cycle before its lookup */
    assert_int_equal(l2_next_event(&l2), cycle - 2 + 49);
    while (cycle < l2_next_event(&l2))
        step();
    assert_int_equal(COUNT(l2_accesses), 0);
    step();
    assert_int_equal(COUNT(l2_accesses), 0);
    step();
    assert_int_equal(COUNT(l2_accesses), 1);
    assert_int_equal(l2_next_event(&l2), 0); /* the fetch is an event */
    answer(1);
    settle();
    assert_true(l2_next_event(&l2) == UINT64_MAX);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_policies_holds),
        cmocka_unit_test(an_eviction_writes_the_dirty_bytes_only),
        cmocka_unit_test(a_full_overwrite_fetches_nothing),
        cmocka_unit_test(dirty_bytes_survive_the_fill),
        cmocka_unit_test(a_partly_written_sector_is_fetched),
        cmocka_unit_test(a_sector_written_in_parts_is_read),
        cmocka_unit_test(a_fetch_does_not_pass_a_write),
        cmocka_unit_test(a_queue_without_room_does_not_hold_up_the_other),
        cmocka_unit_test(writes_through_need_a_place),
        cmocka_unit_test(waiting_writes_keep_their_places),
        cmocka_unit_test(fetches_on_fill_hold_no_way),
        cmocka_unit_test(the_victim_serves_until_the_fill),
        cmocka_unit_test(sectors_on_fill_share_a_way),
        cmocka_unit_test(a_fetch_on_fill_keeps_a_place_for_its_victim),
        cmocka_unit_test(sectors_are_looked_up_one_a_cycle),
        cmocka_unit_test(a_reply_is_put_together),
        cmocka_unit_test(a_fetch_asks_for_its_granule),
        cmocka_unit_test(a_write_evicts_its_sector_only),
        cmocka_unit_test(a_lost_update_is_planted),
        cmocka_unit_test(a_store_that_goes_past_can_be_lost),
        cmocka_unit_test(contents_are_put_together_in_order),
        cmocka_unit_test(an_idle_bank_can_be_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
