// SPDX-License-Identifier: Apache-2.0
#include "lib/guess.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SEPARATORS "_."

static bool same(char a, char b) {
    return strncasecmp(&a, &b, 1) == 0;
}

static unsigned min_cost(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Uses dynamic programming and keeps only three rows of the table. */
unsigned guess_distance(const char *a, const char *b) {
    unsigned rows[3][GUESS_MAX + 1];
    const size_t m = strlen(a), n = strlen(b);
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3];
            if (i == 0 || j == 0) {
                now[j] = (unsigned)(i + j);
                continue;
            }
            now[j] = min_cost(min_cost(last[j], now[j - 1]) + 1,
                              last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = min_cost(now[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    return rows[m % 3][n];
}

void guess_begin(struct guess *g, const char *word) {
    size_t length = strlen(word);
    *g = (struct guess){.word = word};
    /* Allows one typing error in a short word, and one more for every four characters. */
    g->distance = g->limit = length > GUESS_MAX ? 0 : (unsigned)(length + 2) / 4 + 1;
}

/* True if both texts begin with the same word and the separator after it. */
static bool same_first(const char *a, const char *b) {
    const size_t n = strcspn(a, SEPARATORS);
    return a[n] && strncasecmp(a, b, n + 1) == 0;
}

static bool same_last(const char *a, const char *b) {
    const char *x = a + strlen(a), *y = b + strlen(b);
    while (x > a && !strchr(SEPARATORS, x[-1]))
        x--;
    while (y > b && !strchr(SEPARATORS, y[-1]))
        y--;
    return *x && strcasecmp(x, y) == 0;
}

void guess_try(struct guess *g, const char *candidate, size_t length) {
    guess_try_other(g, candidate, length, NULL);
}

void guess_try_other(struct guess *g, const char *candidate, size_t length, const char *name) {
    char text[GUESS_MAX + 1];
    if (length > GUESS_MAX || g->limit == 0)
        return;
    snprintf(text, sizeof text, "%.*s", (int)length, candidate);
    const bool akin = same_first(g->word, text);
    unsigned d = guess_distance(g->word, text);
    if (akin && d > 1 && same_last(g->word, text))
        d = 1; /* words between the first and the last were left out */
    if (g->akin && !akin)
        return;
    if ((d >= g->distance && (g->akin || !akin || d >= g->limit)) || d >= length)
        return;
    g->akin = akin;
    g->distance = d;
    snprintf(g->best, sizeof g->best, "%s", name ? name : text);
}

const char *guess_hint(struct guess *g) {
    g->hint[0] = '\0';
    if (g->best[0] && strcmp(g->best, g->word) != 0)
        snprintf(g->hint, sizeof g->hint, "; did you mean '%s'?", g->best);
    return g->hint;
}
