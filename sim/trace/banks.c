// SPDX-License-Identifier: Apache-2.0
#include "trace/banks.h"

#include <stdbool.h>
#include <string.h>

#define BANKS 32

/* Words accessed by one group of lanes, by bank. */
struct trace_wanted {
    uint8_t n[BANKS], most;
    uint64_t word[BANKS][BANKS]; /* [bank][i < n] */
};

static void want_word(struct trace_wanted *w, uint64_t word) {
    uint32_t bank = (uint32_t)(word % BANKS);
    uint64_t *have = w->word[bank];
    for (uint32_t i = 0; i < w->n[bank]; i++)
        if (have[i] == word)
            return;
    have[w->n[bank]++] = word;
    if (w->n[bank] > w->most)
        w->most = w->n[bank];
}

uint32_t banks_passes(uint32_t mask, const uint64_t *addr, uint32_t size) {
    const uint32_t words = size > 4 ? size / 4 : 1, lanes = BANKS / words;
    struct trace_wanted
        w; /* words that conflict; if a lane accesses several, only its first word */
    uint32_t passes = 0, k = 0;
    for (uint32_t first = 0; first < BANKS; first += lanes) {
        memset(w.n, 0, sizeof w.n);
        w.most = 0;
        for (uint32_t l = first; l < first + lanes; l++) {
            if (!(mask >> l & 1))
                continue;
            want_word(&w, addr[k++] / 4);
        }
        passes += w.most;
    }
    return passes;
}
