#include "cache/mshr_unit.h"

#include <string.h>

#include "cache/addr_map.h"
#include "dl_mshr/dl_mshr.h"

static void set_params(struct block_params *p, const struct mshr_geometry *g) {
    p->v[MSHR_SETS] = g->sets;
    p->v[MSHR_SLOTS] = g->slots;
    p->v[MSHR_ADDR_W] = g->addr_w ? g->addr_w : ADDR_LINE_BITS;
    p->v[MSHR_OFF_W] = g->off_w;
    p->v[MSHR_ID_W] = g->id_w;
    p->v[MSHR_DATA_W] = g->data_w;
    if (!g->dl)
        return;
    p->v[DL_MSHR_RESERVED_HEADS] = g->reserved;
    p->v[DL_MSHR_TAIL] = g->tail;
    p->v[DL_MSHR_GATE] = 1;
    p->v[DL_MSHR_EARLY_FREE] = g->early;
}

int mshr_unit_init(struct mshr_unit *u, const struct mshr_geometry *g, const char *name, char *err,
                   size_t err_size) {
    memset(u, 0, sizeof *u);
    const struct block_type *type = block_find(g->dl ? "dl_mshr" : "static_mshr");
    struct block_params p;
    block_params_default(type, &p);
    set_params(&p, g);
    if (block_inst_init(&u->inst, type, &p, name, err, err_size) != 0)
        return -1;
    u->capacity = (uint64_t)(g->sets * g->slots);
    u->in.rst = 1;
    u->awake = true;
    return 0;
}

void mshr_unit_free(struct mshr_unit *u) {
    if (u->inst.model)
        block_inst_free(&u->inst);
}

static void skip(struct mshr_unit *u) {
    u->out.req_ready = u->out.req_refuse = 0;
    u->out.rsp_valid = 0;
    u->out.ret_ready = 1;
}

static void account(struct mshr_unit *u, uint64_t cycle) {
    const struct mshr_in *in = &u->in;
    const struct mshr_out *out = &u->out;
    bool taken = in->req_valid && out->req_ready;
    bool answered = out->rsp_valid && in->rsp_ready;
    if (taken != answered)
        level_change(&u->used, cycle + 1, taken ? 1 : -1);
    if (answered && out->rsp_last)
        u->draining = false;
    if (in->ret_valid && out->ret_ready)
        u->draining = true;
    u->awake = u->draining || (in->req_valid && !out->req_ready);
}

void mshr_unit_step(struct mshr_unit *u, uint64_t cycle) {
    struct mshr_in *in = &u->in;
    if (!u->awake && !in->req_valid && !in->ret_valid && !u->inst.probe) {
        skip(u);
        return;
    }
    block_eval(&u->inst, in, &u->out);
    block_tick(&u->inst, in);
    if (in->rst) {
        memset(&u->out, 0, sizeof u->out);
        u->awake = false;
    } else {
        account(u, cycle);
    }
    in->rst = in->req_valid = in->ret_valid = 0;
}
