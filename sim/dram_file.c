// SPDX-License-Identifier: Apache-2.0
#include "dram_file.h"

#include <inttypes.h>
#include <string.h>

#define EMPTY_MAX 1000000  /* maximum number of lines in a row without a request */
#define LENGTH_MAX 1048576 /* maximum number of bytes of a request */

const char *const dram_format_name[DRAM_FORMATS] = {
    [DRAM_MEMTWIN] = "memtwin",       [DRAM_RAMULATOR1] = "ramulator1",
    [DRAM_RAMULATOR2] = "ramulator2", [DRAM_DRAMSIM3] = "dramsim3",
    [DRAM_DRAMSYS] = "dramsys",
};

/* ---- Words ---- */

/* Class of each character: the digit's value plus 1 for a digit, END for a character that ends a
 * word, and 0 for any other. Calling a library function for each character would be too slow for
 * millions of words. */
#define END 17
static const uint8_t character[256] = {
    ['0'] = 1,  ['1'] = 2,   ['2'] = 3,    ['3'] = 4,    ['4'] = 5,    ['5'] = 6,   ['6'] = 7,
    ['7'] = 8,  ['8'] = 9,   ['9'] = 10,   ['a'] = 11,   ['b'] = 12,   ['c'] = 13,  ['d'] = 14,
    ['e'] = 15, ['f'] = 16,  ['A'] = 11,   ['B'] = 12,   ['C'] = 13,   ['D'] = 14,  ['E'] = 15,
    ['F'] = 16, [' '] = END, ['\t'] = END, ['\r'] = END, ['\n'] = END, ['#'] = END, ['\0'] = END};

/* Returns the first position after the blanks at p. Does not skip the end of a line (LF or CR). */
static inline const char *after_blanks(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static inline bool ends_word(const char *p) {
    return character[(unsigned char)*p] == END;
}

static size_t word_length(const char *p) {
    size_t n = 0;
    while (!ends_word(p + n))
        n++;
    return n;
}

static int bad_line(const struct dram_file *f, struct error *err, const char *what,
                    const char *word) {
    const size_t n = word_length(word);
    return error_set_at(err, trace_input_name(f->in), trace_input_number(f->in), "%s: '%.*s'", what,
                        n < 80 ? (int)n : 80, word);
}

/* Reads digits and moves *text after them. Returns true if there is one. Sets *large if the number
 * needs more than 64 bits. */
static inline bool read_digits(const char **text, unsigned base, uint64_t *value, bool *large) {
    const char *p = *text, *from = p;
    uint64_t v = 0;
    *large = false;
    for (unsigned digit; (digit = character[(unsigned char)*p] - 1u) < base; p++) {
        *large |= v >= UINT64_MAX / base && v > (UINT64_MAX - digit) / base;
        v = v * base + digit;
    }
    *text = p;
    *value = v;
    return p > from;
}

static inline const char *after_0x(const char *p) {
    return p[0] == '0' && (p[1] | 0x20) == 'x' ? p + 2 : p;
}

/* Reads the cycle at *text, which ends at the end of a word or, if `colon` is set, at a colon. */
static inline int read_cycle(struct dram_file *f, const char **text, bool colon,
                             struct error *err) {
    const char *word = *text;
    uint64_t cycle;
    bool large, good = read_digits(text, 10, &cycle, &large) && !large;
    *text += good && colon && **text == ':';
    if (!good || !ends_word(*text))
        return bad_line(f, err, "not a cycle", word);
    if (cycle > UINT64_MAX >> 1)
        return bad_line(f, err, "a cycle of 2^63 or more", word);
    if (cycle < f->last.cycle)
        return bad_line(f, err, "a cycle before that of the previous request", word);
    f->last.cycle = cycle;
    *text = after_blanks(*text);
    return 0;
}

static inline int read_address(struct dram_file *f, const char **text, unsigned base,
                               struct error *err) {
    const char *word = *text;
    bool large;
    if (ends_word(word))
        return bad_line(f, err, "no address", word);
    *text = base == 16 ? after_0x(word) : word;
    if (!read_digits(text, base, &f->address, &large) || !ends_word(*text))
        return bad_line(f, err, base == 16 ? "not a hexadecimal address" : "not an address", word);
    if (large)
        return bad_line(f, err, "an address of more than 64 bits", word);
    *text = after_blanks(*text);
    f->last.place = dram_layout_find(f->layout, f->address);
    return 0;
}

/* Words for a read or a write. */
struct request_word {
    const char *word;
    bool write;
};
static const struct request_word letters[] = {{"R", false}, {"W", true}, {0}};
static const struct request_word words[] = {
    {"read", false}, {"READ", false}, {"write", true}, {"WRITE", true}, {0}};
/* Further words of DRAMSim2 and DRAMsim3, which take a locked write as a read. */
static const struct request_word bus_words[] = {
    {"P_MEM_RD", false},  {"P_FETCH", false}, {"IFETCH", false}, {"P_LOCK_RD", false},
    {"P_LOCK_WR", false}, {"P_MEM_WR", true}, {"BOFF", true},    {0}};

/* Returns the command at *text and moves *text to the next word, or returns NULL. */
static inline const struct request_word *find_command(const char **text,
                                                      const struct request_word *c) {
    for (; c->word; c++) {
        if (**text != *c->word)
            continue;
        const size_t n = strlen(c->word);
        if (strncmp(*text, c->word, n) != 0 || !ends_word(*text + n))
            continue;
        *text = after_blanks(*text + n);
        return c;
    }
    return NULL;
}

/* Reads a command that one of two lists has; the second may be NULL. */
static inline int read_command(struct dram_file *f, const char **text,
                               const struct request_word *first, const struct request_word *second,
                               struct error *err) {
    const char *word = *text;
    if (first == letters && (*word == 'R' || *word == 'W') && ends_word(word + 1)) {
        f->last.write = *word == 'W'; /* fast path of most lines */
        *text = after_blanks(word + 1);
        return 0;
    }
    const struct request_word *c = find_command(text, first);
    if (!c && second)
        c = find_command(text, second);
    if (!c)
        return bad_line(f, err, first == letters ? "not R or W" : "not READ or WRITE", *text);
    f->last.write = c->write;
    return 0;
}

/* ---- Formats ---- */

static int read_memtwin(struct dram_file *f, const char **text, struct error *err) {
    return read_cycle(f, text, false, err) || read_command(f, text, letters, words, err) ||
           read_address(f, text, 16, err);
}

static int read_ramulator1(struct dram_file *f, const char **text, struct error *err) {
    return read_address(f, text, 16, err) || read_command(f, text, letters, NULL, err);
}

static int read_dramsim3(struct dram_file *f, const char **text, struct error *err) {
    return read_address(f, text, 16, err) || read_command(f, text, words, bus_words, err) ||
           read_cycle(f, text, false, err);
}

/* Reads the numbers of an address vector. Each must be below its limit. */
static int read_numbers(const struct dram_file *f, const char **text, const uint64_t limit[6],
                        uint64_t value[6], struct error *err) {
    static const char *const name[] = {"channel", "rank", "bank group", "bank", "row", "column"};
    const char *word = *text;
    for (unsigned i = 0; i < 6; i++) {
        bool large;
        if (!read_digits(text, 10, &value[i], &large) ||
            (i < 5 ? *(*text)++ != ',' : !ends_word(*text)))
            return bad_line(f, err, "expected channel,rank,bank group,bank,row,column, not", word);
        if (large || value[i] >= limit[i])
            return error_set_at(err, trace_input_name(f->in), trace_input_number(f->in),
                                "%s %" PRIu64 " is beyond the last, %" PRIu64 ": '%.*s'", name[i],
                                large ? UINT64_MAX : value[i], limit[i] - 1,
                                (int)(word_length(word) < 80 ? word_length(word) : 80), word);
    }
    *text = after_blanks(*text);
    return 0;
}

/* Reads an address vector. The low bits of a bank's number are its group. */
static int read_vector(struct dram_file *f, const char **text, struct error *err) {
    const struct dram_layout *l = f->layout;
    const uint64_t limit[6] = {1,
                               1,
                               f->groups,
                               (UINT64_C(1) << l->bank_bits) / f->groups,
                               l->row_bits < 64 ? UINT64_C(1) << l->row_bits : UINT64_MAX,
                               UINT64_C(1) << l->col_bits};
    uint64_t v[6];
    if (read_numbers(f, text, limit, v, err))
        return -1;
    f->last.place = (struct dram_place){v[4], (uint32_t)(v[3] * f->groups + v[2]), (uint32_t)v[5]};
    return 0;
}

static int read_ramulator2(struct dram_file *f, const char **text, struct error *err) {
    static const struct request_word loads[] = {{"LD", false}, {"ST", true}, {0}};
    const struct request_word *c = find_command(text, loads);
    if (c) {
        f->last.write = c->write;
        return read_address(f, text, after_0x(*text) > *text ? 16 : 10, err);
    }
    if (!(c = find_command(text, letters)))
        return bad_line(f, err, "not LD, ST, R or W", *text);
    f->last.write = c->write;
    return read_vector(f, text, err);
}

/* Reads "(N)" or "[N]", the number of bytes of a request, if it is there. */
static int read_length(struct dram_file *f, const char **text, uint64_t *bytes, struct error *err) {
    const char *word = *text, open = *word;
    bool large;
    *bytes = 1;
    if (open != '(' && open != '[')
        return 0;
    ++*text;
    if (!read_digits(text, 10, bytes, &large) || *(*text)++ != (open == '(' ? ')' : ']') ||
        !ends_word(*text) || large || !*bytes || *bytes > LENGTH_MAX)
        return bad_line(f, err, "not a length of 1 to 1048576 bytes", word);
    *text = after_blanks(*text);
    return 0;
}

static int read_dramsys(struct dram_file *f, const char **text, struct error *err) {
    uint64_t bytes;
    if (read_cycle(f, text, true, err) || read_length(f, text, &bytes, err) ||
        read_command(f, text, words, NULL, err) || read_address(f, text, 16, err))
        return -1;
    if (bytes - 1 > UINT64_MAX - f->address)
        return bad_line(f, err, "a request beyond the last address", *text);
    f->left = ((f->address + bytes - 1) >> f->layout->offset_bits) -
              (f->address >> f->layout->offset_bits);
    if (ends_word(*text))
        return 0;
    const char *word = *text;
    *text = after_0x(word);
    *text += strspn(*text, "0123456789abcdefABCDEF"); /* data are of no account */
    if (!ends_word(*text))
        return bad_line(f, err, "not hexadecimal data", word);
    *text = after_blanks(*text);
    return 0;
}

/* ---- Recognition ---- */

static bool is_hex(const char *p) {
    const char *digits = after_0x(p);
    const size_t n = strspn(digits, "0123456789abcdefABCDEF");
    return n && ends_word(digits + n);
}

static bool is_decimal(const char *p) {
    const size_t n = strspn(p, "0123456789");
    return n && ends_word(p + n);
}

static bool is_command(const char *p, const struct request_word *list) {
    return find_command(&p, list) != NULL;
}

/* Sets the format of a line that begins with a number and a word for READ or WRITE. */
static int recognize_word(struct dram_file *f, const char *first, const char *third,
                          struct error *err) {
    if (!is_decimal(first))
        f->format = DRAM_DRAMSIM3;
    else if (!ends_word(after_blanks(third + word_length(third))))
        f->format = DRAM_DRAMSYS; /* data follow */
    else if (is_decimal(third))
        return bad_line(f, err,
                        "either a cycle or an address (use --format memtwin or --format dramsim3)",
                        first);
    return 0;
}

/* Sets the format that the first request has. */
static int recognize(struct dram_file *f, const char *first, struct error *err) {
    const size_t n = word_length(first);
    const char *second = after_blanks(first + n);
    const char *third = after_blanks(second + word_length(second));
    f->format = DRAM_MEMTWIN;
    if (first[n - 1] == ':' || *second == '(' || *second == '[')
        f->format = DRAM_DRAMSYS;
    else if (n == 2 && (memcmp(first, "LD", 2) == 0 || memcmp(first, "ST", 2) == 0))
        f->format = DRAM_RAMULATOR2;
    else if (is_command(first, letters))
        f->format = DRAM_RAMULATOR2;
    else if (is_hex(first) && is_command(second, bus_words))
        f->format = DRAM_DRAMSIM3;
    else if (is_hex(first) && is_command(second, words))
        return recognize_word(f, first, third, err);
    else if (is_hex(first) && is_command(second, letters) && ends_word(third)) {
        if (is_decimal(first))
            return bad_line(f, err, "no address (or use --format ramulator1)", third);
        f->format = DRAM_RAMULATOR1;
    }
    return 0;
}

/* ---- Requests ---- */

static int read_line(struct dram_file *f, const char **text, struct error *err) {
    switch (f->format) {
    case DRAM_RAMULATOR1:
        return read_ramulator1(f, text, err);
    case DRAM_RAMULATOR2:
        return read_ramulator2(f, text, err);
    case DRAM_DRAMSIM3:
        return read_dramsim3(f, text, err);
    case DRAM_DRAMSYS:
        return read_dramsys(f, text, err);
    default:
        return read_memtwin(f, text, err);
    }
}

static int parse_request(struct dram_file *f, const char *text, struct dram_access *q,
                         struct error *err) {
    if (f->format == DRAM_UNKNOWN && recognize(f, text, err))
        return -1;
    if (read_line(f, &text, err))
        return -1;
    if (!ends_word(text))
        return bad_line(f, err,
                        f->format == DRAM_MEMTWIN ? "unexpected text after the address"
                                                  : "unexpected text after the request",
                        text);
    *q = f->last;
    return 1;
}

int dram_file_next(struct dram_file *f, struct dram_access *q, struct error *err) {
    const char *line;
    size_t len;
    if (f->left) {
        f->left--;
        f->address += UINT64_C(1) << f->layout->offset_bits;
        f->last.place = dram_layout_find(f->layout, f->address);
        *q = f->last;
        return 1;
    }
    for (unsigned empty = 0; trace_input_line(f->in, &line, &len); empty++) {
        if (memchr(line, '\0', len))
            return bad_line(f, err, "not a text file (contains a zero byte)", "");
        const char *text = after_blanks(line);
        if (!ends_word(text))
            return parse_request(f, text, q, err);
        if (empty == EMPTY_MAX)
            return error_set_at(err, trace_input_name(f->in), trace_input_number(f->in),
                                "more than %d lines without a request", EMPTY_MAX);
    }
    if (!trace_input_error(f->in))
        return 0;
    return error_set_at(err, trace_input_name(f->in), trace_input_number(f->in), "%s",
                        trace_input_error(f->in));
}
