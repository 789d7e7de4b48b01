#include "config/config.h"

#include "cache/addr_map.h"
#include "dram/dram.h"
#include "lib/bits.h"
#include "gmmu/gmmu.h"
#include "mdb/mdb.h"
#include "uvm/uvm.h"
#include "tlb/tlb.h"
#include "xbar/xbar.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of config.def. values is set for an ENUM only, text for a STR only. */
struct key {
    const char *section, *name;
    size_t offset;
    int64_t def, min, max;
    const char *values, *text, *doc;
};

#define INT(section, key, def, min, max, doc)                                                      \
    {#section, #key, offsetof(struct config, section##_##key), def, min, max, NULL, NULL, doc},
#define ENUM(section, key, def, values, doc)                                                       \
    {#section, #key, offsetof(struct config, section##_##key), def, 0, 0, values, NULL, doc},
#define STR(section, key, def, doc)                                                                \
    {#section, #key, offsetof(struct config, section##_##key), 0, 0, 0, NULL, def, doc},
static const struct key keys[] = {
#include "config/config.def"
};
#undef INT
#undef ENUM
#undef STR
#define N_KEYS (sizeof keys / sizeof keys[0])

static int64_t *slot(struct config *cfg, const struct key *k) {
    return (int64_t *)(void *)((char *)cfg + k->offset);
}

static int64_t value_of(const struct config *cfg, const struct key *k) {
    return *(const int64_t *)(const void *)((const char *)cfg + k->offset);
}

/* The rest of the array is filled with zeros: equal configurations have equal bytes. */
static void set_text(struct config *cfg, const struct key *k, const char *text) {
    strncpy((char *)cfg + k->offset, text, CONFIG_STR_SIZE);
}

void config_default(struct config *cfg) {
    memset(cfg, 0, sizeof *cfg);
    for (size_t i = 0; i < N_KEYS; i++)
        if (keys[i].text)
            set_text(cfg, &keys[i], keys[i].text);
        else
            *slot(cfg, &keys[i]) = keys[i].def;
}

static bool section_known(const char *section) {
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0)
            return true;
    return false;
}

static const struct key *find_key(const char *section, const char *name) {
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* What was given may hold any byte; a message is one line. */
static void make_line(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

__attribute__((format(printf, 3, 4))) static int fail(char *err, size_t err_size, const char *fmt,
                                                      ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(err, err_size, fmt, args);
    va_end(args);
    make_line(err);
    return -1;
}

/* Position of `text` among "a|b|c", or -1. */
static int64_t enum_position(const char *values, const char *text) {
    size_t len = strlen(text);
    int64_t position = 0;
    for (const char *v = values;; position++) {
        size_t n = strcspn(v, "|");
        if (n == len && strncmp(v, text, n) == 0)
            return position;
        if (v[n] == '\0')
            return -1;
        v += n + 1;
    }
}

/* Copies value number `position` of "a|b|c" to buf. */
static void enum_name(const char *values, int64_t position, char *buf, size_t size) {
    for (; position > 0; position--)
        values += strcspn(values, "|") + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(values, "|"), values);
}

static bool parse_integer(const char *text, int64_t *value) {
    const char *digits = text[0] == '-' ? text + 1 : text;
    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return false;
    *value = strtoll(text, NULL, 10); /* beyond 64 bits: the nearest, which no key allows */
    return true;
}

static int assign_text(struct config *cfg, const struct key *k, const char *text, char *err,
                       size_t err_size) {
    if (!*text)
        return fail(err, err_size, "%s.%s: empty", k->section, k->name);
    if (strlen(text) >= CONFIG_STR_SIZE)
        return fail(err, err_size, "%s.%s: '%s' is longer than %d characters", k->section, k->name,
                    text, CONFIG_STR_SIZE - 1);
    set_text(cfg, k, text);
    return 0;
}

static int assign(struct config *cfg, const struct key *k, const char *text, char *err,
                  size_t err_size) {
    int64_t value;
    if (k->text)
        return assign_text(cfg, k, text, err, err_size);
    if (k->values) {
        value = enum_position(k->values, text);
        if (value < 0)
            return fail(err, err_size, "%s.%s: '%s' is not one of %s", k->section, k->name, text,
                        k->values);
    } else {
        if (!parse_integer(text, &value))
            return fail(err, err_size, "%s.%s: '%s' is not an integer", k->section, k->name, text);
        if (value < k->min || value > k->max)
            return fail(err, err_size, "%s.%s: %s is outside %" PRId64 "..%" PRId64, k->section,
                        k->name, text, k->min, k->max);
    }
    *slot(cfg, k) = value;
    return 0;
}

static const struct key *known_key(const char *section, const char *name, char *err,
                                   size_t err_size) {
    const struct key *k = find_key(section, name);
    if (!k && section[0] == '\0')
        fail(err, err_size, "key '%s' stands outside any section", name);
    else if (!k && !section_known(section))
        fail(err, err_size, "unknown section '%s' (see memtwin list keys)", section);
    else if (!k)
        fail(err, err_size, "unknown key '%s' in section '%s' (see memtwin list keys)", name,
             section);
    return k;
}

/* ---- Files ---- */

/* A file being loaded. inih splits the lines; they are counted and measured here, since it tells
 * its handler no line number and cuts a line that does not fit its buffer in two. */
struct loading {
    struct config *cfg;
    const char *path;
    FILE *file;
    unsigned line;
    bool failed;
    bool seen[N_KEYS];
    char *err;
    size_t err_size;
};

__attribute__((format(printf, 2, 3))) static void fail_at_line(struct loading *l, const char *fmt,
                                                               ...) {
    if (l->failed)
        return;
    l->failed = true;
    int n = l->line ? snprintf(l->err, l->err_size, "%s:%u: ", l->path, l->line)
                    : snprintf(l->err, l->err_size, "%s: ", l->path);
    if (n < 0 || (size_t)n >= l->err_size)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(l->err + n, l->err_size - (size_t)n, fmt, args);
    va_end(args);
    make_line(l->err + n);
}

/* inih says nothing of a section without keys. */
static void check_section(struct loading *l, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 1, "]\n"), text + 1);
    if (strchr(text, ']') && !section_known(name))
        fail_at_line(l, "unknown section '%s' (see memtwin list keys)", name);
}

/* fgets for inih. Leading blanks are dropped, so that an indented line is not taken for the
 * continuation of the one before. */
static char *read_line(char *buf, int size, void *stream) {
    struct loading *l = stream;
    if (l->failed)
        return NULL;
    char *line = NULL, *result = NULL;
    size_t room = 0;
    ssize_t len = getline(&line, &room, l->file);
    if (len >= 0) {
        l->line++;
        const char *text = line + strspn(line, " \t");
        if (strlen(line) != (size_t)len)
            fail_at_line(l, "a zero byte: not a text file");
        else if (strlen(text) + 1 > (size_t)size)
            fail_at_line(l, "line longer than %d characters", size - 2);
        else
            result = strcpy(buf, text);
        if (result && text[0] == '[')
            check_section(l, text);
        if (l->failed)
            result = NULL;
    } else if (ferror(l->file)) {
        fail_at_line(l, "%s", strerror(errno));
    }
    free(line);
    return result;
}

/* Handler for inih: one key. Returns 1 if it was good. */
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct loading *l = user;
    char why[256];
    const struct key *k = known_key(section, name, why, sizeof why);
    if (!k) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    if (l->seen[k - keys]) {
        fail_at_line(l, "key '%s' is given twice in section '%s'", name, section);
        return 0;
    }
    l->seen[k - keys] = true;
    if (assign(l->cfg, k, value, why, sizeof why)) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    return 1;
}

int config_load(struct config *cfg, const char *path, char *err, size_t err_size) {
    struct loading l = {.cfg = cfg, .path = path, .err = err, .err_size = err_size};
    l.file = fopen(path, "r");
    if (!l.file)
        return fail(err, err_size, "%s: %s", path, strerror(errno));
    int bad_line = ini_parse_stream(read_line, &l, take_key, &l);
    fclose(l.file);
    if (bad_line > 0 && (!l.failed || (unsigned)bad_line < l.line)) {
        l.failed = false;
        l.line = (unsigned)bad_line;
        fail_at_line(&l, "neither [section] nor key = value");
    }
    return l.failed ? -1 : 0;
}

/* ---- Command line ---- */

static int set_key(struct config *cfg, const char *assignment, char *err, size_t err_size) {
    char section[32], name[32];
    int used = -1;
    if (sscanf(assignment, "%31[^.=].%31[^.=]=%n", section, name, &used) < 2 || used < 0)
        return fail(err, err_size, "expected section.key=value");
    const struct key *k = known_key(section, name, err, err_size);
    return k ? assign(cfg, k, assignment + used, err, err_size) : -1;
}

int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size) {
    char why[256];
    if (set_key(cfg, assignment, why, sizeof why))
        return fail(err, err_size, "-s %s: %s", assignment, why);
    return 0;
}

/* ---- Relations ---- */

#define L2_MAX_BANKS 128 /* XBAR_MAX_PORTS */

static int check_dl(const char *cache, int64_t mshr, int64_t sets, int64_t reserved, char *err,
                    size_t err_size) {
    if (mshr != MSHR_KIND_DL || reserved < sets)
        return 0;
    return fail(err, err_size, "%s.dl_reserved_heads=%" PRId64 " must be below %s.dl_sets=%" PRId64,
                cache, reserved, cache, sets);
}

static int check_word(const char *cache, int64_t word, char *err, size_t err_size) {
    if ((word & (word - 1)) == 0)
        return 0;
    return fail(err, err_size, "%s.mshr_word=%" PRId64 " is not a power of two", cache, word);
}

static int check_set_index(const char *section, int64_t index, int64_t sets, char *err,
                           size_t err_size) {
    if (index == SET_BXOR && (sets & (sets - 1)) != 0)
        return fail(err, err_size,
                    "%s.set_index=bxor needs a power of two of sets, not %s.sets=%" PRId64, section,
                    section, sets);
    if (index == SET_FERMI && sets != 32 && sets != 64)
        return fail(err, err_size, "%s.set_index=fermi needs 32 or 64 sets, not %s.sets=%" PRId64,
                    section, section, sets);
    return 0;
}

static int check_map(const struct config *cfg, char *err, size_t err_size) {
    if (!bits_power_of_two((uint64_t)cfg->l2_subs))
        return fail(err, err_size, "l2.subs=%" PRId64 " is no power of two", cfg->l2_subs);
    if (cfg->l2_partitions * cfg->l2_subs > XBAR_MAX_PORTS)
        return fail(err, err_size,
                    "l2.partitions=%" PRId64 " of l2.subs=%" PRId64 " banks are more than %d banks",
                    cfg->l2_partitions, cfg->l2_subs, XBAR_MAX_PORTS);
    if (cfg->l2_partition_map == PARTITION_XOR &&
        !(bits_power_of_two((uint64_t)cfg->l2_partitions) &&
          bits_power_of_two((uint64_t)cfg->l2_interleave_lines)))
        return fail(err, err_size,
                    "l2.partition_map=xor needs powers of two, not l2.partitions=%" PRId64
                    " and l2.interleave_lines=%" PRId64,
                    cfg->l2_partitions, cfg->l2_interleave_lines);
    return 0;
}

/* A miss that replaces a dirty line sends two packets at once. */
static int check_l1d(const struct config *cfg, char *err, size_t err_size) {
    bool back = cfg->l1d_write == L1D_LOCAL_WB || cfg->l1d_write == L1D_WBWA;
    if (cfg->l1d_sectored && cfg->sm_coalesce != COALESCE_SECTOR)
        return fail(err, err_size, "l1d.sectored=yes needs sm.coalesce=sector, not line");
    if (back && cfg->l1d_allocate == ALLOCATE_MISS && cfg->l1d_miss_queue < 2)
        return fail(err, err_size,
                    "l1d.write=%s with l1d.allocate=miss needs l1d.miss_queue of 2 at least (a "
                    "write-back and a fetch), not %" PRId64,
                    cfg->l1d_write == L1D_WBWA ? "wbwa" : "local_wb", cfg->l1d_miss_queue);
    if (cfg->l1d_bypass == BYPASS_PDP && !cfg->l1d_enabled)
        return fail(err, err_size, "l1d.bypass=pdp needs l1d.enabled=1, not 0");
    return 0;
}

/* A queue that no signature chooses would stay empty. */
static int check_mrpb(const struct config *cfg, char *err, size_t err_size) {
    bool by_warp = cfg->l1d_mrpb_signature == MRPB_WARP;
    int64_t signatures = by_warp ? cfg->sm_warps : cfg->sm_ctas;
    if (cfg->l1d_mrpb_queues && !cfg->l1d_enabled)
        return fail(err, err_size, "l1d.mrpb_queues=%" PRId64 " needs l1d.enabled=1, not 0",
                    cfg->l1d_mrpb_queues);
    if (cfg->l1d_mrpb_queues > signatures)
        return fail(err, err_size,
                    "l1d.mrpb_queues=%" PRId64 " is above %s=%" PRId64
                    ", and l1d.mrpb_signature=%s",
                    cfg->l1d_mrpb_queues, by_warp ? "sm.warps" : "sm.ctas", signatures,
                    by_warp ? "warp" : "cta");
    return 0;
}

static int check_l2_writes(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->l2_write_fetch != WRITE_LAZY)
        return 0;
    if (cfg->l2_write != L2_WBWA)
        return fail(err, err_size,
                    "l2.write_fetch=lazy needs l2.write=wbwa: the others allocate no way to a "
                    "store");
    if (cfg->l2_allocate == ALLOCATE_FILL && cfg->l2_evict_buffer < 2)
        return fail(err, err_size,
                    "l2.write_fetch=lazy with l2.allocate=fill needs two places, not "
                    "l2.evict_buffer=%" PRId64,
                    cfg->l2_evict_buffer);
    return 0;
}

/* What sorts requests by DRAM bank needs the bank to be a matter of whole lines. */
static int check_bank_bits(const struct config *cfg, char *err, size_t err_size) {
    struct dram_layout layout;
    dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                      (uint32_t)cfg->dram_banks, err, err_size); /* dram_check has seen it */
    uint64_t bank = dram_layout_bank_mask(&layout), col = dram_layout_col_mask(&layout);
    const char *which = cfg->l2_incoming == INCOMING_CART ? "cart" : "bank_queues";
    if (cfg->dram_banks < 2)
        return fail(err, err_size, "l2.incoming=%s needs more than one bank, not dram.banks=1",
                    which);
    if (bank % LINE_BYTES || bank / LINE_BYTES > INT32_MAX)
        return fail(err, err_size,
                    "l2.incoming=%s needs the bits B among the address bits 7 to 37, not "
                    "dram.address_map=%s",
                    which, cfg->dram_address_map);
    if (cfg->l2_incoming == INCOMING_CART && (col < LINE_BYTES || col / LINE_BYTES > INT32_MAX))
        return fail(err, err_size,
                    "l2.incoming=cart needs a bit C among the address bits 7 to 37, and none "
                    "above, not dram.address_map=%s",
                    cfg->dram_address_map);
    return 0;
}

static int check_incoming(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->l2_incoming != INCOMING_BANK_QUEUES && cfg->l2_incoming != INCOMING_CART)
        return 0;
    if (check_bank_bits(cfg, err, err_size))
        return -1;
    if (cfg->l2_incoming == INCOMING_CART && cfg->l2_cart_age_limit &&
        cfg->l2_cart_policy != CART_POLICY_ROTATING)
        return fail(err, err_size, "l2.cart_age_limit=%" PRId64 " needs l2.cart_policy=rotating",
                    cfg->l2_cart_age_limit);
    if (cfg->l2_incoming == INCOMING_BANK_QUEUES &&
        (!bits_power_of_two((uint64_t)cfg->l2_bank_queues) ||
         cfg->l2_bank_queues > cfg->dram_banks))
        return fail(err, err_size,
                    "l2.bank_queues=%" PRId64
                    " must be a power of two, and not above dram.banks=%" PRId64,
                    cfg->l2_bank_queues, cfg->dram_banks);
    return 0;
}

int config_check(const struct config *cfg, char *err, size_t err_size) {
    if (check_map(cfg, err, err_size) || check_l1d(cfg, err, err_size) ||
        check_mrpb(cfg, err, err_size) || mdb_check(cfg, err, err_size))
        return -1;
    if (check_set_index("l1d", cfg->l1d_set_index, cfg->l1d_sets, err, err_size) ||
        check_set_index("l2", cfg->l2_set_index, cfg->l2_sets, err, err_size))
        return -1;
    if (check_word("l1d", cfg->l1d_mshr_word, err, err_size) ||
        check_word("l2", cfg->l2_mshr_word, err, err_size) || check_l2_writes(cfg, err, err_size))
        return -1;
    if (check_dl("l1d", cfg->l1d_mshr, cfg->l1d_dl_sets, cfg->l1d_dl_reserved_heads, err,
                 err_size) ||
        check_dl("l2", cfg->l2_mshr, cfg->l2_dl_sets, cfg->l2_dl_reserved_heads, err, err_size))
        return -1;
    if (cfg->sm_schedulers > cfg->sm_warps)
        return fail(err, err_size, "sm.schedulers=%" PRId64 " is above sm.warps=%" PRId64,
                    cfg->sm_schedulers, cfg->sm_warps);
    if (uvm_check(cfg, err, err_size) || tlb_check(cfg, err, err_size) ||
        gmmu_check(cfg, err, err_size))
        return -1;
    return dram_check(cfg, err, err_size) || check_incoming(cfg, err, err_size) ? -1 : 0;
}

void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx) {
    for (size_t i = 0; i < N_KEYS; i++) {
        const struct key *k = &keys[i];
        char text[CONFIG_STR_SIZE];
        if (k->text)
            snprintf(text, sizeof text, "%s", (const char *)cfg + k->offset);
        else if (k->values)
            enum_name(k->values, value_of(cfg, k), text, sizeof text);
        else
            snprintf(text, sizeof text, "%" PRId64, value_of(cfg, k));
        fn(ctx, k->section, k->name, text, k->doc);
    }
}
