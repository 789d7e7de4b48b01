// SPDX-License-Identifier: Apache-2.0
/* Reads any bytes as a trace. The reader must accept them or refuse them with a one-line message,
 * and accepted traces must keep the promises in kernel.h. If the first byte is 'L', the rest is a
 * kernelslist.g; any other first byte means a .traceg, plain or compressed. libFuzzer runs this
 * (make fuzz), and test_fuzz.c runs the kept corpus. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/reader.h"
#include "trace/traceg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_trace(const uint8_t *data, size_t size, struct error *err);

#define MUST(cond)                                                                                 \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond);                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_addresses(const struct warp_inst *inst) {
    MUST(inst->mask);
    MUST(inst->size && inst->size <= (inst->space == SPACE_LOCAL ? 16 : 32) &&
         !(inst->size & (inst->size - 1)));
    MUST(inst->op != WARP_ATOMIC || inst->size == 4 || inst->size == 8);
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (inst->mask >> l & 1) {
            MUST(inst->addr[l] % inst->size == 0);
            MUST(inst->addr[l] >> TRACE_ADDRESS_BITS == 0);
            MUST(inst->space == SPACE_GLOBAL || inst->addr[l] < TRACE_WINDOW_BYTES);
        }
}

static void check_inst(const struct warp_inst *inst, uint32_t lanes) {
    MUST(inst->op <= WARP_EXIT);
    MUST((inst->mask & ~lanes) == 0);
    MUST(inst->repeat == 1);
    MUST(inst->passes >= 1 && inst->passes <= 32);
    MUST(inst->space == SPACE_GLOBAL || inst->op == WARP_LOAD || inst->op == WARP_STORE);
    if (inst->op == WARP_LOAD || inst->op == WARP_STORE || inst->op == WARP_ATOMIC)
        check_addresses(inst);
}

static void step_block(const struct traceg *t, const struct traceg_block *b) {
    struct warp_inst inst;
    for (uint32_t w = 0; w < TRACE_MAX_WARPS && b->warp[w].lanes; w++) {
        uint32_t at = b->warp[w].begin;
        do {
            traceg_decode(t, b, w, &at, &inst);
            warp_inst_expand(&inst);
            check_inst(&inst, b->warp[w].lanes);
        } while (inst.op != WARP_EXIT);
        MUST(at <= b->warp[w].end || b->warp[w].end == 0);
    }
}

static bool fuzz_kernel(struct trace_input *in, struct error *err) {
    struct traceg_block block = {0};
    struct traceg *t = traceg_open(in, err);
    if (!t)
        return false;
    int got;
    while ((got = traceg_block(t, &block)) > 0)
        step_block(t, &block);
    error_set(err, "%s", traceg_error(t));
    MUST((got < 0) == (err->text[0] != '\0'));
    traceg_block_free(&block);
    traceg_close(t);
    return got == 0;
}

bool fuzz_trace(const uint8_t *data, size_t size, struct error *err) {
    bool list = size > 0 && data[0] == 'L', good;
    err->text[0] = '\0';
    struct trace_input *in =
        trace_input_memory(list ? "list" : "trace", data + list, size - list, err);
    if (!in) {
        good = false;
    } else if (list) {
        struct trace_list l;
        good = trace_list_read(&l, in, err) == 0;
        trace_list_free(&l);
        trace_input_close(in);
    } else {
        good = fuzz_kernel(in, err);
    }
    MUST(good == (err->text[0] == '\0'));
    for (const char *c = err->text; *c; c++) /* the message is one printable line */
        MUST((unsigned char)*c >= ' ' && (unsigned char)*c <= '~');
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err;
    fuzz_trace(data, size, &err);
    return 0;
}
