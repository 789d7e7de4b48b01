/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what may be odd in a kernel's file without being an error, and how it is read. */
#ifndef MEMTWIN_TRACE_ODD_H
#define MEMTWIN_TRACE_ODD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* X(kind, words): the words of kinds before EARLY_EXIT follow an opcode or a line of the header.
 * Tracers write EARLY_EXIT for a predicated EXIT. */
#define TRACE_ODDITIES(X)                                                                          \
    X(NONE, "")                                                                                    \
    X(BULK, "is a bulk copy, taken as arithmetic")                                                 \
    X(REMOTE, "accesses distributed shared memory, taken as that of the block itself")             \
    X(WIDTH, "has a width that is not modeled, taken as the next larger or the largest")           \
    X(STRAY, "is arithmetic, and its addresses are skipped")                                       \
    X(BARE, "is an access without addresses, taken as arithmetic")                                 \
    X(UNKNOWN, "is an unknown opcode: an access if it has addresses, else arithmetic")             \
    X(REGISTERS, "is not a number of registers up to 256; the most that are used are taken")       \
    X(HEADER, "is an unknown line of the header, skipped")                                         \
    X(EARLY_EXIT, "an EXIT of all lanes before the end of the warp, taken as arithmetic")          \
    X(EMPTY_BLOCK, "a block of the grid without instructions, taken as empty")                     \
    X(UNALIGNED, "an address that is not a multiple of its width, rounded down")                   \
    X(OPEN_END, "the last #END_TB is missing, but its block has all instructions")

enum trace_oddity {
#define TRACE_ODDITY(id, words) ODD_##id,
    TRACE_ODDITIES(TRACE_ODDITY)
#undef TRACE_ODDITY
        ODDITIES
};

#define ODD_UNKNOWN_MAX 16 /* unknown opcodes of a kernel that are counted one by one .. */
/* .. in entry ODD_UNKNOWN and those from ODDITIES on. The last entry counts all others. */
#define ODD_ENTRIES (ODDITIES + ODD_UNKNOWN_MAX)
#define ODD_OPCODE_MAX 48 /* maximum size of an opcode's text, with the zero byte */

/* Number of times that a kernel's file has an oddity. */
struct traceg_odd {
    uint64_t times, line;        /* line: the first time; 0 if never */
    uint64_t bytes;              /* total of bulk copies */
    char opcode[ODD_OPCODE_MAX]; /* or key of the header; the first, possibly cut; empty if
                                    the kind has none */
};

/* Returns the kind that an entry counts. */
static inline enum trace_oddity odd_kind(unsigned entry) {
    return entry < ODDITIES ? (enum trace_oddity)entry : ODD_UNKNOWN;
}

/* Returns true if both opcodes have the same word before the first dot. */
static inline bool odd_same_word(const char *a, const char *b) {
    const size_t n = strcspn(a, ".");
    return n == strcspn(b, ".") && memcmp(a, b, n) == 0;
}

#endif
