// SPDX-License-Identifier: Apache-2.0
/* Distributes the CTAs of running launches to the SMs. */
#include "gpu/parts.h"
#include "gpu/partition.h"

/* Passes the turn behind SM i to the next SM of its port, and to the next port. */
static void end_turn(struct gpu *g, uint32_t i) {
    const uint32_t n = g->sms_per_port, port = i / n, ports = g->n_sms / n;
    g->turn = port + 1 == ports ? 0 : port + 1;
    g->port_turn[port] = (i + 1) % n;
}

static void give_cta(struct gpu *g, uint32_t i, uint32_t k) {
    struct gpu_stream *s = &g->stream[k];
    gpu_account_sm(g, i, g->cycle);
    sm_dispatch(&g->sm[i], k, s->next_cta++);
    clocked_due(&g->sm_clocked[i], g->cycle);
    end_turn(g, i);
    if (s->next_cta == s->n_ctas && g->cfg->cke_restart == RESTART_GRID)
        s->next_cta = 0;
}

/* True if cke.partition=leftover and stream k must wait on SM i, because an earlier stream has a
 * CTA that fits there. */
static bool after_others(const struct gpu *g, uint32_t i, uint32_t k) {
    if (!g->leftover)
        return false;
    for (uint32_t j = 0; j < k; j++)
        if (stream_has_cta(g, &g->stream[j]) && sm_has_room(&g->sm[i], j))
            return true;
    return false;
}

/* Returns SM n of those of a port, in the order of their turns. */
static uint32_t sm_in_turn(const struct gpu *g, uint32_t port, uint32_t n) {
    const uint32_t m = g->port_turn[port] + n;
    return port * g->sms_per_port + (m < g->sms_per_port ? m : m - g->sms_per_port);
}

/* Gives an SM of the port a CTA of the list. Sets *room if an SM has room. Returns false if no
 * launch has a CTA left. */
static bool give_listed(struct gpu *g, uint32_t port, bool *room) {
    const uint32_t k = list_choose(g);
    for (uint32_t n = 0; n < g->sms_per_port && k != NO_PLACE; n++) {
        const uint32_t i = sm_in_turn(g, port, n);
        if (!sm_has_room(&g->sm[i], k))
            continue;
        *room = true;
        list_warm(g, i);
        give_cta(g, i, k);
        break;
    }
    return k != NO_PLACE;
}

/* Gives CTAs of one launch until it has none left, and then of the next: a launch whose next CTA
 * does not fit keeps all others waiting. */
static void dispatch_listed(struct gpu *g) {
    const uint32_t first = g->turn, ports = g->n_sms / g->sms_per_port;
    bool room = false;
    for (uint32_t n = 0; n < ports; n++)
        if (!give_listed(g, first + n < ports ? first + n : first + n - ports, &room))
            return;
    for (uint32_t k = 0; k < g->n_streams; k++)
        g->stream[k].full_at = room ? UINT64_MAX : g->context.ctas_ended;
}

/* Streams in a cycle. */
struct offers {
    bool wait[WORKLOADS_AT_ONCE], /* true if the kernel has a CTA to start */
        room[WORKLOADS_AT_ONCE];  /* true if an SM may have room for the kernel's next CTA */
};

/* Gives SM i at most one CTA from each stream, in ascending order of the streams. Returns true if
 * it gets one. */
static bool give_sm(struct gpu *g, uint32_t i, struct offers *o) {
    bool given = false;
    for (uint32_t k = 0; k < g->n_streams; k++) {
        const struct gpu_stream *s = &g->stream[k];
        if (!o->wait[k] || s->next_cta == s->n_ctas || !sm_has_room(&g->sm[i], k))
            continue;
        o->room[k] = true;
        if (after_others(g, i, k))
            continue;
        give_cta(g, i, k);
        given = true;
    }
    return given;
}

/* Gives CTAs to the first SM of a port that takes one. The other SMs may have room too. */
static void give_port(struct gpu *g, uint32_t port, struct offers *o) {
    uint32_t n = 0;
    while (n < g->sms_per_port && !give_sm(g, sm_in_turn(g, port, n), o))
        n++;
    for (uint32_t k = 0; n + 1 < g->sms_per_port && k < g->n_streams; k++)
        o->room[k] = true;
}

/* Visits the ports in turn. */
void gpu_dispatch(struct gpu *g) {
    if (gpu_listed(g)) {
        dispatch_listed(g);
        return;
    }
    const uint32_t first = g->turn, ports = g->n_sms / g->sms_per_port;
    struct offers o = {0};
    for (uint32_t k = 0; k < g->n_streams; k++)
        o.wait[k] = stream_waits(g, &g->stream[k]);
    for (uint32_t n = 0; n < ports; n++)
        give_port(g, first + n < ports ? first + n : first + n - ports, &o);
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (o.wait[k] && !o.room[k])
            g->stream[k].full_at = g->context.ctas_ended;
}
