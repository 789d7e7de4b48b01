// SPDX-License-Identifier: Apache-2.0
#include "lib/team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/host_memory.h"

#define SPINS 5000 /* about 0.2 ms */
#define CALLER_SPINS 2000

/* State of a share: 4 times the number of the piece, plus one of the following. */
enum { SHARE_READY, SHARE_BEGUN, SHARE_DONE };

struct share {
    _Alignas(HOST_APART) atomic_uint state;
};

/* A thread besides the caller. */
struct member {
    struct team *team;
    pthread_t thread;
    uint32_t number; /* from 1 */
};

struct team {
    _Alignas(HOST_APART) atomic_uint piece; /* counts up; wraps */
    _Alignas(HOST_APART) atomic_uint asleep;
    atomic_bool over; /* there are no more pieces */
    uint32_t threads, started, shares, spins;
    void (*work)(void *ctx, uint32_t share);
    void *ctx;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct share *share;   /* owned */
    struct member *member; /* owned; by number */
};

static void relax(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static unsigned state_of(unsigned piece, unsigned what) {
    return piece << 2 | what;
}

/* ---- shares ---- */

/* Does the share unless another thread has begun it. */
static void try_share(struct team *t, uint32_t i, unsigned piece) {
    unsigned ready = state_of(piece, SHARE_READY);
    atomic_uint *state = &t->share[i].state;
    if (atomic_load_explicit(state, memory_order_relaxed) != ready ||
        !atomic_compare_exchange_strong_explicit(state, &ready, state_of(piece, SHARE_BEGUN),
                                                 memory_order_acquire, memory_order_relaxed))
        return;
    t->work(t->ctx, i);
    atomic_store_explicit(state, state_of(piece, SHARE_DONE), memory_order_release);
}

/* From those of the thread on. Every second thread goes backwards, so that two meet late. */
static void do_shares(struct team *t, uint32_t thread, unsigned piece) {
    const uint32_t n = t->shares;
    uint32_t first = n * thread / t->threads, last = n * (thread + 1) / t->threads - 1;
    for (uint32_t i = 0; i < n; i++)
        try_share(t, (thread % 2 ? last + n - i : first + i) % n, piece);
}

/* ---- threads ---- */

static void sleep_until(struct team *t, unsigned old) {
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (atomic_load(&t->piece) == old)
        pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

/* Returns the number of a piece after `old`. */
static unsigned wait_for_piece(struct team *t, unsigned old) {
    unsigned piece;
    for (uint32_t i = 0; i < t->spins; i++) {
        piece = atomic_load_explicit(&t->piece, memory_order_acquire);
        if (piece != old)
            return piece;
        relax();
    }
    sleep_until(t, old);
    return atomic_load(&t->piece);
}

static void *live(void *arg) {
    const struct member *m = arg;
    struct team *t = m->team;
    unsigned piece = 0;
    while (piece = wait_for_piece(t, piece), !atomic_load(&t->over))
        do_shares(t, m->number, piece);
    return NULL;
}

/* ---- the caller ---- */

static unsigned start_piece(struct team *t) {
    unsigned piece = atomic_load_explicit(&t->piece, memory_order_relaxed) + 1;
    for (uint32_t i = 0; i < t->shares; i++)
        atomic_store_explicit(&t->share[i].state, state_of(piece, SHARE_READY),
                              memory_order_release);
    atomic_store(&t->piece, piece);
    if (atomic_load(&t->asleep)) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->lock);
    }
    return piece;
}

/* A thread that was stopped in the middle of a share gets the caller's processor. */
static void wait_for_share(const struct team *t, uint32_t i, unsigned piece) {
    const unsigned done = state_of(piece, SHARE_DONE);
    for (uint32_t n = 0; atomic_load_explicit(&t->share[i].state, memory_order_acquire) != done;
         n++)
        if (n < CALLER_SPINS)
            relax();
        else
            sched_yield();
}

void team_run(struct team *t) {
    unsigned piece = start_piece(t);
    do_shares(t, 0, piece);
    for (uint32_t i = 0; i < t->shares; i++)
        wait_for_share(t, i, piece);
}

/* ---- making and ending ---- */

/* With more threads than processors none waits in a loop. */
static uint32_t spins_of(uint32_t threads) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < (long)threads ? 1 : SPINS;
}

static int start_threads(struct team *t) {
    for (; t->started < t->threads; t->started++) {
        struct member *m = &t->member[t->started];
        *m = (struct member){.team = t, .number = t->started};
        errno = pthread_create(&m->thread, NULL, live, m);
        if (errno)
            return -1;
    }
    return 0;
}

struct team *team_create(uint32_t threads, uint32_t shares, void (*work)(void *ctx, uint32_t share),
                         void *ctx) {
    struct team *t = alloc_aligned_zeroed(HOST_APART, sizeof *t);
    t->threads = threads;
    t->started = 1;
    t->shares = shares;
    t->spins = spins_of(threads);
    t->work = work;
    t->ctx = ctx;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    t->share = alloc_aligned_zeroed(HOST_APART, shares * sizeof *t->share);
    t->member = alloc_zeroed(threads, sizeof *t->member);
    if (start_threads(t) != 0) {
        const int why = errno;
        team_destroy(t);
        errno = why;
        return NULL;
    }
    return t;
}

void team_destroy(struct team *t) {
    if (!t)
        return;
    atomic_store(&t->over, true);
    start_piece(t);
    for (uint32_t i = 1; i < t->started; i++)
        pthread_join(t->member[i].thread, NULL);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    free(t->share);
    free(t->member);
    free(t);
}
