// SPDX-License-Identifier: Apache-2.0
#include "config_blocks.h"

#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "twins.h"

static bool same_point(const struct block_inst *a, const struct block_inst *b) {
    return a->type == b->type && memcmp(a->params.v, b->params.v, sizeof a->params.v) == 0;
}

static void print_point(const struct block_inst *inst) {
    char point[512];
    struct error why;
    block_params_print(inst->type, &inst->params, point, sizeof point);
    if (block_params_check(inst->type, &inst->params, &why) == 0)
        printf("%s %s ; %s\n", inst->type->name, point, inst->name);
    else
        printf("; %s %s ; %s has no Verilog: %s\n", inst->type->name, point, inst->name, why.text);
}

/* Prints each parameter point once. A machine has thousands of instances but few points, and most
 * instances of a point are adjacent. */
static void print_points(const struct twin_choice *all) {
    for (size_t i = 0; i < all->n; i++) {
        const struct block_inst *inst = all->instances[i].inst;
        size_t k = i;
        while (k > 0 && !same_point(inst, all->instances[k - 1].inst))
            k--;
        if (k == 0 && block_has_twin(inst->type))
            print_point(inst);
    }
}

int config_blocks_print(const struct config *cfg, struct error *err) {
    struct twin_choice all;
    struct gpu *gpu = gpu_create(cfg, NULL, err);
    if (!gpu)
        return -1;
    int bad = twins_choose(&all, gpu, NULL, 0, err);
    if (!bad)
        print_points(&all);
    twins_free(&all);
    gpu_destroy(gpu);
    return bad;
}
