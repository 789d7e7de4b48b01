// SPDX-License-Identifier: Apache-2.0
#include "cache/mshr_unit.h"

#include <inttypes.h>
#include <string.h>

#include "lib/bits.h"

int mshr_unit_init(struct mshr_unit *u, struct block_list *blocks, const struct mshr_geometry *g,
                   const char *name, struct error *err) {
    const struct mshr_size size = mshr_size_of(g);
    const struct block_params p = mshr_params_of(g);
    memset(u, 0, sizeof *u);
    u->heads = size.heads;
    u->payload = mshr_payload_of(g);
    u->looks = size.looks;
    u->looked = MSHR_UNIT_NOTHING;
    u->capacity = size.unlimited ? 0 : mshr_size_requests(&size);
    return block_part_init(&u->block, blocks, mshr_kinds[g->keys.kind]->type(g), &p, name, err);
}

void mshr_unit_free(struct mshr_unit *u) {
    block_part_free(&u->block);
}

void mshr_unit_ask(struct mshr_unit *u, uint64_t addr, unsigned offset, uint32_t tag, bool write) {
    const struct mshr_payload *p = &u->payload;
    struct mshr_in *in = &u->in;
    const uint64_t fixed =
        offset | (uint64_t)tag << p->off_w | (uint64_t)write << (p->off_w + p->tag_w);
    in->req_valid = 1;
    in->req_addr = addr;
    in->req_payload[p->fixed_at] = (uint32_t)fixed;
    in->req_payload[p->fixed_at + 1] = (uint32_t)(fixed >> 32);
}

/* Returns `width` bits of the response's payload behind data and mask, from bit `from` on. */
static uint64_t fixed_bits(const struct mshr_unit *u, unsigned from, unsigned width) {
    const uint32_t *word = &u->out.rsp_payload[u->payload.fixed_at];
    return (word[0] | (uint64_t)word[1] << 32) >> from & bits_low(width);
}

unsigned mshr_unit_offset(const struct mshr_unit *u) {
    return (unsigned)fixed_bits(u, 0, u->payload.off_w);
}

uint32_t mshr_unit_tag(const struct mshr_unit *u) {
    return (uint32_t)fixed_bits(u, u->payload.off_w, u->payload.tag_w);
}

bool mshr_unit_writes(const struct mshr_unit *u) {
    return fixed_bits(u, u->payload.off_w + u->payload.tag_w, 1);
}

static void account(struct mshr_unit *u, uint64_t cycle) {
    const struct mshr_in *in = &u->in;
    const struct mshr_out *out = &u->out;
    bool is_accepted = in->req_valid && out->req_ready;
    bool answered = out->rsp_valid && in->rsp_ready;
    if (is_accepted != answered)
        level_change(&u->used, cycle + 1, is_accepted ? 1 : -1);
    if (answered && out->rsp_last)
        u->draining = false;
    if (in->ret_valid && out->ret_ready)
        u->draining = true;
    u->busy = u->draining || (in->req_valid && !out->req_ready);
}

void mshr_unit_work(struct mshr_unit *u, uint64_t cycle) {
    struct mshr_in *in = &u->in;
    if (u->looks ? block_part_eval(&u->block, in, &u->out, true)
                 : block_part_step(&u->block, in, &u->out))
        account(u, cycle);
    else
        memset(&u->out, 0, sizeof u->out);
    if (!u->looks)
        in->req_valid = in->ret_valid = 0;
}

void mshr_unit_look(struct mshr_unit *u, uint64_t addr) {
    struct mshr_in *in = &u->in;
    const uint64_t returned = in->ret_valid && u->out.ret_ready ? u->returns : MSHR_UNIT_NOTHING;
    in->look = addr != u->looked && addr != returned && !u->block.reset;
    in->look &= addr != MSHR_UNIT_NOTHING;
    if (in->look)
        in->look_addr = u->looked = addr;
    else if (u->looked == returned)
        u->looked = MSHR_UNIT_NOTHING;
    u->block.steps |= in->look; /* the block ticks even if nothing else happens in this cycle */
    block_part_tick(&u->block, in);
    u->block.steps = false;
    in->rst = in->look = in->req_valid = in->ret_valid = 0;
}

void mshr_unit_dump(const struct mshr_unit *u, FILE *out) {
    if (mshr_unit_used(u) || u->draining)
        fprintf(out, "%s: %" PRIu64 "/%" PRIu64 " slots%s\n", u->block.inst.name, mshr_unit_used(u),
                u->capacity, u->draining ? ", draining" : "");
}
