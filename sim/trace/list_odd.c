// SPDX-License-Identifier: Apache-2.0
/* What was odd in the kernels of a trace, and which kernels were left out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "trace/list.h"

#define LINE_ROOM 4096
/* Maximum numbers of warnings, and of kernels that a warning names. */
enum { ODD_LINES = 32, ODD_KERNELS = 4 };

void trace_leave_out(struct trace *t, uint64_t number, const char *why) {
    t->left_out = alloc_resized(t->left_out, t->n_left_out + 1, sizeof *t->left_out);
    t->left_out[t->n_left_out++] = (struct trace_left_out){number, alloc_text(why)};
}

const char *trace_kernel_name(const struct trace *t, size_t i) {
    return t->single ? t->path : t->list.kernel[i].name;
}

void trace_odd_print(enum trace_oddity kind, const struct traceg_odd *odd, char *to, size_t size) {
#define TRACE_ODDITY(id, words) words,
    static const char *const words[ODDITIES] = {TRACE_ODDITIES(TRACE_ODDITY)};
#undef TRACE_ODDITY
    if (odd->opcode[0])
        snprintf(to, size, "'%s' %s", odd->opcode, words[kind]);
    else
        snprintf(to, size, "%s", words[kind]);
}

int trace_refuse_odd(const struct traceg *k, struct error *err) {
    const struct traceg_odd *odd = traceg_odd(k);
    char text[256];
    for (unsigned i = 0; i < ODD_ENTRIES; i++) {
        if (!odd[i].times)
            continue;
        trace_odd_print(odd_kind(i), &odd[i], text, sizeof text);
        return error_set_at(err, traceg_file(k), odd[i].line, "%s (--strict)", text);
    }
    return 0;
}

void trace_add_odd(struct trace *t, size_t i, const struct traceg *k) {
    const struct traceg_odd *odd = traceg_odd(k);
    for (unsigned e = 0; e < ODD_ENTRIES; e++) {
        if (!odd[e].times)
            continue;
        t->odd = alloc_grown(t->odd, t->n_odd, &t->odd_room, sizeof *t->odd);
        t->odd[t->n_odd++] = (struct trace_odd){i, traceg_is_sorted(k), odd_kind(e), odd[e]};
    }
}

/* ---- Warnings ---- */

/* Returns true if one warning covers both: they are of one kind and, if that is an unknown opcode,
 * of one word before the first dot. */
static bool same_odd(const struct trace_odd *a, const struct trace_odd *b) {
    return a->kind == b->kind &&
           (a->kind != ODD_UNKNOWN || odd_same_word(a->count.opcode, b->count.opcode));
}

/* Prints " (6 times: 4 in kernel 1, 2 in kernel 5; 96 bytes)" about an oddity and all others like
 * it. */
static void print_times(const struct trace *t, const struct trace_odd *first, char *to,
                        size_t size) {
    uint64_t times = 0, bytes = 0;
    size_t kernels = 0, used = 0;
    char where[ODD_KERNELS * 64] = "", total[48] = "";
    for (const struct trace_odd *o = first; o < t->odd + t->n_odd; o++) {
        if (!same_odd(first, o))
            continue;
        times += o->count.times;
        bytes += o->count.bytes;
        if (kernels++ < ODD_KERNELS)
            used += (size_t)snprintf(where + used, sizeof where - used,
                                     "%s%" PRIu64 " in kernel %" PRIu64, used ? ", " : ": ",
                                     o->count.times, t->list.kernel[o->kernel].number);
    }
    if (first->kind == ODD_BULK && bytes)
        snprintf(total, sizeof total, "; %" PRIu64 " bytes", bytes);
    snprintf(to, size, " (%" PRIu64 " time%s%s%s%s)", times, message_plural(times),
             t->listed > 1 ? where : "", kernels > ODD_KERNELS ? ", .." : "", total);
}

static void warn_one(const struct trace *t, const struct trace_odd *o,
                     void (*warn)(void *ctx, const char *line), void *ctx) {
    char text[LINE_ROOM], what[256], times[ODD_KERNELS * 64 + 128], line[32] = "";
    trace_odd_print(o->kind, &o->count, what, sizeof what);
    print_times(t, o, times, sizeof times);
    if (o->count.line)
        snprintf(line, sizeof line, ":%" PRIu64, o->count.line);
    snprintf(text, sizeof text, "%.1000s%.2000s%s%s: warning: %s%s", t->single ? "" : t->folder,
             trace_kernel_name(t, o->kernel), o->sorted ? ", sorted" : "", line, what, times);
    warn(ctx, text);
}

void trace_warn_left_out(const struct trace *t, size_t most,
                         void (*warn)(void *ctx, const char *line), void *ctx) {
    char text[LINE_ROOM], rest[64] = "";
    for (size_t i = 0; i < t->n_left_out && i < most; i++) {
        const struct trace_left_out *l = &t->left_out[i];
        snprintf(text, sizeof text, "kernel %" PRIu64 " is bad: %.2000s", l->number, l->why);
        warn(ctx, text);
    }
    if (!t->n_left_out)
        return;
    if (t->n_left_out > most)
        snprintf(rest, sizeof rest, "; memtwin trace check names all");
    snprintf(text, sizeof text, "%.2000s: %zu of %" PRIu64 " kernels %s bad%s", t->path,
             t->n_left_out, t->listed, t->n_left_out == 1 ? "is" : "are", rest);
    warn(ctx, text);
}

void trace_warn_odd(const struct trace *t, void (*warn)(void *ctx, const char *line), void *ctx) {
    const struct trace_odd *shown[ODD_LINES];
    char text[LINE_ROOM];
    size_t n = 0;
    for (const struct trace_odd *o = t->odd; o < t->odd + t->n_odd; o++) {
        size_t k = 0;
        while (k < n && !same_odd(shown[k], o))
            k++;
        if (k < n)
            continue;
        if (n == ODD_LINES) {
            snprintf(text, sizeof text, "%.2000s: warning: there are more unknown opcodes",
                     t->path);
            warn(ctx, text);
            return;
        }
        shown[n++] = o;
        warn_one(t, o, warn, ctx);
    }
}
