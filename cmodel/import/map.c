// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/inside.h"
#include "lib/line.h"

/* ---- Keys and values ---- */

/* Sets a key from option `id`. `why` is NULL, or the reason of a value that is not the option's. */
__attribute__((format(printf, 5, 6))) static void set(struct import *m, int id, const char *key,
                                                      const char *why, const char *fmt, ...) {
    assert(m->keys < IMPORT_KEYS);
    struct import_key *k = &m->key[m->keys++];
    va_list args;
    *k = (struct import_key){.name = key, .option = id < 0 ? NULL : &m->mapped[id], .why = why};
    va_start(args, fmt);
    vsnprintf(k->value, sizeof k->value, fmt, args);
    va_end(args);
}

#define EVERY_MACHINE (-1)

/* Reads the numbers of option `id`, which single characters separate. Returns how many were read;
 * a wrong one is an error. */
static unsigned numbers(struct import *m, int id, double *number, unsigned room) {
    const struct import_option *o = &m->mapped[id];
    const char *text = o->value;
    for (unsigned n = 0; n < room; n++) {
        char *end;
        number[n] = strtod(text, &end);
        if (end == text || !(number[n] >= 0 && number[n] <= 1e9)) {
            import_fail(m, o, "'%s' is not a number from 0 to 1000000000", text);
            return n;
        }
        if (!*end)
            return n + 1;
        text = end + 1;
    }
    return room;
}

/* Returns the only number of option `id`, an integer. */
static int64_t option_number(struct import *m, int id) {
    double value[2] = {0};
    if (numbers(m, id, value, 2) > 1 || value[0] != floor(value[0]))
        import_fail(m, &m->mapped[id], "expected one integer");
    return (int64_t)value[0];
}

static void set_number(struct import *m, int id, const char *key) {
    set(m, id, key, NULL, "%lld", (long long)option_number(m, id));
}

/* Reads the given amount of numbers of option `id`. */
static bool read_all(struct import *m, int id, double *value, unsigned n, const char *names) {
    for (unsigned i = 0; i < n; i++)
        value[i] = 0;
    if (numbers(m, id, value, n) == n)
        return true;
    import_fail(m, &m->mapped[id], "expected %s", names);
    return false;
}

static void lose_if(struct import *m, bool lost, int id, const char *what) {
    if (lost)
        import_lose(m, &m->mapped[id], "%s", what);
}

/* ---- Clocks ---- */

static void map_clocks(struct import *m, double *mhz) {
    static const char *const key[4] = {"clock.sm_mhz", "clock.icnt_mhz", "clock.l2_mhz",
                                       "clock.dram_mhz"};
    if (!read_all(m, IMPORT_CLOCKS, mhz, 4, "four clocks: SM:crossbar:L2:DRAM"))
        return;
    bool rounded = false;
    for (int i = 0; i < 4; i++) {
        rounded |= mhz[i] != rint(mhz[i]);
        set(m, IMPORT_CLOCKS, key[i], NULL, "%.0f", mhz[i]);
    }
    lose_if(m, rounded, IMPORT_CLOCKS, "fractions of a MHz");
}

/* ---- SMs ---- */

static bool general_collectors(struct import *m) {
    return option_number(m, IMPORT_SPECIALIZED) == 0;
}

static void map_scheduler(struct import *m) {
    const struct import_option *o = &m->mapped[IMPORT_SCHEDULER];
    unsigned warps;
    if (strcmp(o->value, "gto") == 0 || strcmp(o->value, "lrr") == 0)
        set(m, IMPORT_SCHEDULER, "sm.scheduler", NULL, "%s", o->value);
    else if (sscanf(o->value, "two_level_active:%u", &warps) == 1 ||
             sscanf(o->value, "warp_limiting:%*u:%u", &warps) == 1) {
        set(m, IMPORT_SCHEDULER, "sm.scheduler", NULL, "%s",
            o->value[0] == 't' ? "two_level" : "swl");
        set(m, IMPORT_SCHEDULER, "sm.active_warps", NULL, "%u", warps);
    } else
        import_fail(m, o, "expected gto, lrr, two_level_active:WARPS:.. or warp_limiting:N:WARPS");
}

/* Sets LATENCY,INTERVAL of arithmetic. A scheduler has `units` / schedulers units, the interval of
 * which is at most `most`. */
static void map_unit(struct import *m, int id, const char *key, int64_t units, double most) {
    double value[2];
    const int64_t schedulers = option_number(m, IMPORT_SCHEDULERS);
    const int stages = general_collectors(m) ? 5 : 6;
    if (!read_all(m, id, value, 2, "LATENCY,INTERVAL"))
        return;
    if (value[0] < 1 || value[1] < 1)
        import_fail(m, &m->mapped[id], "a latency and an interval are at least 1");
    const double interval =
        fmin(most, value[1]) * (double)schedulers / (double)(units > 0 ? units : 1);
    set(m, id, key,
        "the cycles from issue to issue, measured with Accel-Sim; the interval of a scheduler's "
        "share of the units",
        "%.0f,%.0f", value[0] + stages, fmax(1, ceil(interval)));
}

/* Maps a specialized unit, which ENABLED,UNITS describes, if instructions have collectors. */
static void map_special(struct import *m, int units, int latency, const char *key) {
    double value[2] = {0};
    if (read_all(m, units, value, 2, "ENABLED,UNITS") && value[0] > 0 && general_collectors(m))
        map_unit(m, latency, key, (int64_t)value[1], INFINITY);
    lose_if(m, value[0] > 0 && !general_collectors(m), units,
            "a unit of its own: its instructions are arithmetic");
}

static void map_units(struct import *m) {
    const int64_t sfu = option_number(m, IMPORT_SFU_UNITS), dp = option_number(m, IMPORT_DP_UNITS);
    const int64_t sp = option_number(m, IMPORT_SP_UNITS), ints = option_number(m, IMPORT_INT_UNITS);
    const bool own = ints > 0 && general_collectors(m);
    double single[2];
    lose_if(
        m, option_number(m, IMPORT_COALESCE) >= 60 && !m->mapped[IMPORT_INT_LATENCY].line,
        IMPORT_INT_LATENCY,
        "latencies of units: trace.config, which has them, is not in the folder of the options");
    if (sp < 1)
        import_fail(m, &m->mapped[IMPORT_SP_UNITS], "an SM has at least 1 unit for arithmetic");
    read_all(m, IMPORT_SP_LATENCY, single, 2, "LATENCY,INTERVAL");
    map_unit(m, own ? IMPORT_SP_LATENCY : IMPORT_INT_LATENCY, "sm.alu", sp, single[1]);
    if (own)
        map_unit(m, IMPORT_INT_LATENCY, "sm.int", ints, INFINITY);
    lose_if(m, ints > 0 && !own, IMPORT_INT_UNITS,
            "units for integers: here integers and single precision share one, of the shorter "
            "interval");
    map_unit(m, IMPORT_SFU_LATENCY, "sm.sfu", sfu, INFINITY);
    map_unit(m, IMPORT_DP_LATENCY, "sm.fp64", dp ? dp : sfu, INFINITY);
    map_special(m, IMPORT_BRANCH_UNITS, IMPORT_BRANCH_LATENCY, "sm.branch");
    map_special(m, IMPORT_TEXTURE_UNITS, IMPORT_TEXTURE_LATENCY, "sm.texture");
    map_special(m, IMPORT_TENSOR_UNITS, IMPORT_TENSOR_LATENCY, "sm.tensor");
    map_special(m, IMPORT_UNIFORM_UNITS, IMPORT_UNIFORM_LATENCY, "sm.uniform");
}

static void map_collectors(struct import *m) {
    const bool general = general_collectors(m);
    const int64_t schedulers = option_number(m, IMPORT_SCHEDULERS);
    const int64_t units =
        option_number(m, general ? IMPORT_GENERAL_COLLECTORS : IMPORT_MEMORY_COLLECTORS);
    double width[16] = {0};
    if (numbers(m, IMPORT_WIDTHS, width, 16) < 11)
        import_fail(m, &m->mapped[IMPORT_WIDTHS], "expected at least 11 widths");
    if (general)
        set(m, IMPORT_GENERAL_COLLECTORS, "sm.collectors", "the share of a scheduler", "%lld",
            (long long)(units / (schedulers ? schedulers : 1)));
    lose_if(m, general != (option_number(m, IMPORT_SUB_CORE) != 0), IMPORT_SUB_CORE,
            general ? "collectors that all schedulers share: here each has its own"
                    : "collectors of a scheduler's own: here all share them");
    if (general)
        set_number(m, IMPORT_REGISTER_PORTS, "sm.register_ports");
    if (general)
        set(m, EVERY_MACHINE, "sm.copies", "Accel-Sim: parts of an LDGSTS are global loads",
            "global");
    lose_if(m, !general && option_number(m, IMPORT_REGISTER_PORTS) != 1, IMPORT_REGISTER_PORTS,
            "another number of register ports: here 1 without general collectors");
    set_number(m, IMPORT_REGISTER_BANKS, "sm.register_banks");
    set(m, IMPORT_WIDTHS, "sm.lsu_queue",
        "collectors and pipeline registers of memory instructions, and the one that accesses",
        "%lld", (long long)(units + (int64_t)width[4] + (int64_t)width[9] + 1));
    if (!general)
        set(m, IMPORT_SPECIALIZED, "sm.lsu_latency", "measured with Accel-Sim", "4");
    set(m, IMPORT_SHARED_LATENCY, "sm.shared_latency",
        "with the stages before and after it, measured with Accel-Sim", "%lld",
        (long long)(option_number(m, IMPORT_SHARED_LATENCY) + (general ? 5 : 3)));
}

#define MOST_KERNELS 128 /* of cke.kernels */

/* Accel-Sim looks at one kernel at a time unless kernels may share an SM. */
static void map_kernels(struct import *m) {
    const int64_t most = option_number(m, IMPORT_MAX_KERNELS);
    if (!option_number(m, IMPORT_SHARE_SM))
        return;
    set(m, IMPORT_MAX_KERNELS, "cke.kernels", most > MOST_KERNELS ? "the maximum" : NULL, "%lld",
        (long long)(most > MOST_KERNELS ? MOST_KERNELS : most));
    lose_if(m, most > MOST_KERNELS, IMPORT_MAX_KERNELS, "more than 128 kernels at once");
}

static void map_sm(struct import *m) {
    double threads[2] = {0};
    const int64_t arch = option_number(m, IMPORT_COALESCE), issue = option_number(m, IMPORT_ISSUE);
    set(m, IMPORT_CLUSTERS, "sm.count", NULL, "%lld",
        (long long)(option_number(m, IMPORT_CLUSTERS) * option_number(m, IMPORT_CORES)));
    set_number(m, IMPORT_CORES, "icnt.sms_per_port");
    set_number(m, IMPORT_LAUNCH_LATENCY, "sm.launch_latency");
    if (read_all(m, IMPORT_THREADS, threads, 2, "THREADS:WARP_SIZE") && threads[1] != 32)
        import_fail(m, &m->mapped[IMPORT_THREADS], "a warp has 32 threads");
    set(m, IMPORT_THREADS, "sm.warps", NULL, "%.0f", threads[0] / 32);
    set_number(m, IMPORT_CTAS, "sm.ctas");
    if (option_number(m, IMPORT_REGISTERS) < 1)
        import_fail(m, &m->mapped[IMPORT_REGISTERS], "an SM has at least 1 register");
    set_number(m, IMPORT_REGISTERS, "sm.registers");
    set(m, IMPORT_SHARED_SIZE, "sm.shared_kib", NULL, "%lld",
        (long long)(option_number(m, IMPORT_SHARED_SIZE) / 1024));
    set_number(m, IMPORT_SCHEDULERS, "sm.schedulers");
    map_scheduler(m);
    set(m, EVERY_MACHINE, "sm.model", "GPGPU-Sim's pipeline", "gpgpusim");
    set_number(m, IMPORT_FETCH, "sm.fetch");
    set(m, EVERY_MACHINE, "sm.exit_latency", "measured with Accel-Sim", "%d",
        general_collectors(m) ? 6 : 4);
    set(m, IMPORT_ISSUE, "sm.dual_issue", NULL, "%s",
        issue > 1 && option_number(m, IMPORT_DUAL_ISSUE) ? "yes" : "no");
    lose_if(m, issue > 1 && !option_number(m, IMPORT_DUAL_ISSUE), IMPORT_DUAL_ISSUE,
            "two instructions of a warp for one unit: here one issues");
    lose_if(m, issue > 2, IMPORT_ISSUE, "more than two instructions of a warp in a cycle");
    map_collectors(m);
    set(m, IMPORT_COALESCE, "sm.coalesce", NULL, "%s",
        arch >= 40 || (arch >= 20 && option_number(m, IMPORT_L1D_SKIP)) ? "sector" : "segment");
    map_units(m);
    set(m, EVERY_MACHINE, "sm.pending_loads", "only registers limit loads in flight", "1024");
}

/* ---- Caches ---- */

/* {N|S}:sets:line:ways,replacement:write:allocate:write_allocate:index,mshr:entries:merge,queue */
struct import_cache {
    char sector, replacement, write, allocate, write_allocate, index, mshr;
    unsigned sets, line, ways, entries, merge, queue;
};

/* Reads a cache. The sector letter and the index letter may be missing, as before 2018. Returns
 * false without a cache ("none"), or with a recorded error. */
static bool read_cache(struct import *m, int id, struct import_cache *c) {
    const struct import_option *o = &m->mapped[id];
    const char *text = o->value;
    char index[8] = "";
    *c = (struct import_cache){.sector = 'N', .index = 'L'};
    if (strcmp(text, "none") == 0)
        return false;
    if (text[0] == 'N' || text[0] == 'S') {
        c->sector = text[0];
        text += text[1] == ':' ? 2 : 1;
    }
    if (sscanf(text, "%u:%u:%u,%c:%c:%c:%c%7[:A-Z],%c:%u:%u,%u", &c->sets, &c->line, &c->ways,
               &c->replacement, &c->write, &c->allocate, &c->write_allocate, index, &c->mshr,
               &c->entries, &c->merge, &c->queue) != 12 &&
        sscanf(text, "%u:%u:%u,%c:%c:%c:%c,%c:%u:%u,%u", &c->sets, &c->line, &c->ways,
               &c->replacement, &c->write, &c->allocate, &c->write_allocate, &c->mshr, &c->entries,
               &c->merge, &c->queue) != 11) {
        import_fail(m, o,
                    "expected {N|S}:SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATE:WRITE_ALLOCATE:INDEX,"
                    "MSHR:ENTRIES:MERGES,QUEUE");
        return false;
    }
    if (index[0])
        c->index = index[1];
    return true;
}

static void map_index(struct import *m, int id, const struct import_cache *c, const char *key) {
    const char *const name = c->index == 'L'   ? "bmod"
                             : c->index == 'H' ? "fermi"
                             : c->index == 'P' ? "ipoly"
                             : c->index == 'X' ? "xor"
                                               : NULL;
    if (name)
        set(m, id, key, NULL, "%s", name);
    else
        import_fail(m, &m->mapped[id], "set index %c; expected L, H, P or X", c->index);
    if (c->line != LINE_BYTES)
        import_fail(m, &m->mapped[id], "lines of %u B; MemTwin's have %d B", c->line, LINE_BYTES);
    lose_if(m, c->replacement != 'L', id, "FIFO replacement: here the least recently used");
}

static const char *l1d_write(struct import *m, const struct import_cache *c) {
    const bool allocates = c->write_allocate != 'N';
    switch (c->write) {
    case 'T':
        return allocates ? "wtwa" : "wtwn";
    case 'E':
        return "wewn";
    case 'B':
        return "wbwa";
    case 'L':
        return allocates ? "local_wb" : "local_wbwn";
    default:
        import_fail(m, &m->mapped[IMPORT_L1D], "write policy %c; expected T, E, B or L", c->write);
        return "";
    }
}

/* Sets the ways of the L1D, or of the whole array that it has in common with shared memory. */
static void map_l1d_ways(struct import *m, const struct import_cache *c) {
    const int64_t unified = option_number(m, IMPORT_UNIFIED);
    const double size = (double)c->sets * c->line * c->ways / 1024;
    const bool adaptive = option_number(m, IMPORT_ADAPTIVE) && unified && size > 0;
    set(m, adaptive ? IMPORT_UNIFIED : IMPORT_L1D, "l1d.ways",
        adaptive ? "the ways of the whole array" : NULL, "%.0f",
        adaptive ? rint(c->ways * (double)unified / size) : c->ways);
    if (adaptive)
        set(m, IMPORT_SHARED_OPTIONS, "l1d.carveouts", NULL, "%s",
            m->mapped[IMPORT_SHARED_OPTIONS].value);
    lose_if(m, adaptive && c->allocate == 's', IMPORT_ADAPTIVE,
            "a streaming L1D that claims a way at the miss if no shared memory is used");
}

/* Sets a DL-MSHR with as many slots, for the schemes that use one. `reserved` is in eighths. */
static void map_dl(struct import *m, int id, const struct import_cache *c, bool l1d,
                   unsigned reserved) {
    static const char why[] = "as many slots as the static MSHR";
    const unsigned halves = l1d && c->merge % 2 == 0 && c->entries <= 2048 ? 2 : 1;
    const unsigned sets = c->entries * halves;
    set(m, id, l1d ? "l1d.dl_sets" : "l2.dl_sets", why, "%u", sets);
    set(m, id, l1d ? "l1d.dl_slots" : "l2.dl_slots", why, "%u", c->merge / halves);
    set(m, id, l1d ? "l1d.dl_reserved_heads" : "l2.dl_reserved_heads", why, "%u",
        sets * reserved / 8);
}

static void map_l1d_mshr(struct import *m, const struct import_cache *c) {
    if (c->allocate == 's') {
        set(m, IMPORT_L1D, "l1d.mshr", "a streaming cache has one for each sector", "unlimited");
        return;
    }
    struct import_cache bank = *c;
    const unsigned banks = (unsigned)option_number(m, IMPORT_L1D_BANKS);
    bank.entries = banks > 1 ? (c->entries + banks - 1) / banks : c->entries;
    set(m, IMPORT_L1D, "l1d.mshr_entries", NULL, "%u", c->entries);
    if (banks > 1)
        set(m, EVERY_MACHINE, "l1d.mshr_shared", "GPGPU-Sim: an L1D has one MSHR", "yes");
    set(m, IMPORT_L1D, "l1d.mshr_slots", NULL, "%u", c->merge);
    map_dl(m, IMPORT_L1D, &bank, true, 5);
}

static void map_l1d(struct import *m) {
    struct import_cache c;
    const int64_t latency = option_number(m, IMPORT_L1D_LATENCY);
    if (!read_cache(m, IMPORT_L1D, &c)) {
        set(m, IMPORT_L1D, "l1d.enabled", NULL, "no");
        return;
    }
    set(m, IMPORT_L1D, "l1d.sets", NULL, "%u", c.sets);
    map_l1d_ways(m, &c);
    set(m, IMPORT_L1D, "l1d.allocate", NULL, "%s", c.allocate == 'm' ? "miss" : "fill");
    set(m, IMPORT_L1D, "l1d.write", NULL, "%s", l1d_write(m, &c));
    if (option_number(m, IMPORT_L1D_SKIP))
        set(m, IMPORT_L1D_SKIP, "l1d.bypass", NULL, "global");
    set(m, EVERY_MACHINE, "l1d.bypass_slots", "only the crossbar limits loads that bypass", "0");
    map_index(m, IMPORT_L1D, &c, "l1d.set_index");
    lose_if(m, c.sector == 'N' && option_number(m, IMPORT_COALESCE) >= 40, IMPORT_L1D,
            "an L1D that fetches lines: here it fetches sectors");
    set(m, IMPORT_L1D_LATENCY, "l1d.hit_latency",
        general_collectors(m) ? "with the stages after it, measured with Accel-Sim" : NULL, "%lld",
        (long long)(latency + (general_collectors(m) ? 2 : 0)));
    set(m, EVERY_MACHINE, "l1d.model", "GPGPU-Sim: the tag lookup is the last stage", "gpgpusim");
    set_number(m, IMPORT_L1D_BANKS, "l1d.banks");
    set_number(m, IMPORT_L1D_WRITTEN, "l1d.written_percent");
    set(m, IMPORT_L1D, "l1d.miss_queue", NULL, "%u", c.queue);
    if (general_collectors(m) && c.queue >= 2)
        set(m, EVERY_MACHINE, "l1d.miss_room",
            "GPGPU-Sim: a load that misses may send two requests", "2");
    map_l1d_mshr(m, &c);
}

static void map_icache(struct import *m) {
    struct import_cache c;
    if (option_number(m, IMPORT_PERFECT_ICACHE) || !read_cache(m, IMPORT_ICACHE, &c))
        return;
    if (c.line != LINE_BYTES) {
        lose_if(m, true, IMPORT_ICACHE,
                "an instruction cache without lines of 128 B: here every fetch hits");
        return;
    }
    set(m, IMPORT_ICACHE, "icache.sets", NULL, "%u", c.sets);
    set(m, IMPORT_ICACHE, "icache.ways", NULL, "%u", c.ways);
}

/* ---- Crossbar ---- */

/* BookSim's defaults for what its file leaves out. */
static void map_booksim(struct import *m) {
    struct import_network n = {
        .input_buffer = 9, .vc_buffer = 8, .boundary_buffer = 16, .speedup = 1};
    const int id = IMPORT_NETWORK_FILE;
    import_network(m, &n);
    if (n.ejection_buffer == 0)
        n.ejection_buffer = n.vc_buffer;
    set(m, EVERY_MACHINE, "icnt.model", "GPGPU-Sim: buffers hold flits", "gpgpusim");
    set(m, IMPORT_NETWORK, "icnt.latency", "measured with Accel-Sim", "%d",
        general_collectors(m) ? 7 : 6);
    set_number(m, IMPORT_FLIT, "icnt.flit_bytes");
    set(m, id, "icnt.in_queue", "input_buffer_size + vc_buf_size", "%lld",
        (long long)(n.input_buffer + n.vc_buffer));
    set(m, id, "icnt.out_queue", "ejection_buffer_size + boundary_buffer_size", "%lld",
        (long long)(n.ejection_buffer + n.boundary_buffer));
    set(m, id, "icnt.speedup", "internal_speedup", "%lld", (long long)n.speedup);
}

static void map_icnt(struct import *m) {
    const int64_t mode = option_number(m, IMPORT_NETWORK);
    if (mode == 1) {
        map_booksim(m);
        return;
    }
    if (mode != 2)
        import_fail(m, &m->mapped[IMPORT_NETWORK], "expected 1 (BookSim) or 2 (local crossbar)");
    set(m, IMPORT_NETWORK, "icnt.latency", "measured with Accel-Sim", "2");
    set(m, IMPORT_NETWORK, "icnt.flit_bytes", "the local crossbar moves a packet in a cycle",
        "256");
    set(m, IMPORT_NETWORK, "icnt.input_bursts", "its outputs take packets in ascending order",
        "yes");
    set_number(m, IMPORT_IN_LIMIT, "icnt.in_queue");
    set_number(m, IMPORT_OUT_LIMIT, "icnt.out_queue");
}

/* ---- L2 ---- */

static void map_partitions(struct import *m) {
    const int64_t n = option_number(m, IMPORT_PARTITIONS),
                  index = option_number(m, IMPORT_INDEXING);
    const bool power = n > 0 && (n & (n - 1)) == 0;
    const char *map = index == 0   ? "modulo"
                      : index == 1 ? "xor_next"
                      : index == 4 ? "random"
                                   : "ipoly_banks";
    if (index == 3 || index > 4)
        import_fail(m, &m->mapped[IMPORT_INDEXING], "expected 0, 1, 2 or 4");
    if ((index == 2 && n < 8) || (index == 1 && !power)) {
        lose_if(m, true, IMPORT_INDEXING,
                "a hash for this number of partitions: here chunks take turns");
        map = "modulo";
    }
    set_number(m, IMPORT_PARTITIONS, "l2.partitions");
    set_number(m, IMPORT_SUB_PARTITIONS, "l2.banks");
    set(m, IMPORT_INDEXING, "l2.partition_map", NULL, "%s", map);
}

static void map_l2_write(struct import *m, const struct import_cache *c) {
    const bool allocates = c->write_allocate != 'N';
    if (c->write != 'B' && c->write != 'T' && c->write != 'E')
        import_fail(m, &m->mapped[IMPORT_L2], "write policy %c; expected B, T or E", c->write);
    set(m, IMPORT_L2, "l2.write", NULL, "%s",
        c->write == 'B'   ? "wbwa"
        : c->write == 'T' ? "wtwn"
                          : "wewn");
    lose_if(m, (c->write == 'B') != allocates, IMPORT_L2,
            "write-back without allocation, or write-through with it");
    if (c->write == 'B')
        set(m, IMPORT_L2, "l2.write_fetch", NULL, "%s",
            c->write_allocate == 'L'   ? "lazy"
            : c->write_allocate == 'W' ? "both"
                                       : "fetch");
}

static void map_l2(struct import *m) {
    struct import_cache c;
    double queue[4] = {0};
    map_partitions(m);
    if (!read_cache(m, IMPORT_L2, &c)) {
        import_fail(m, &m->mapped[IMPORT_L2], "MemTwin has no GPU without an L2");
        return;
    }
    set(m, IMPORT_L2, "l2.sets", NULL, "%u", c.sets);
    set(m, IMPORT_L2, "l2.ways", NULL, "%u", c.ways);
    set(m, IMPORT_L2, "l2.sectored", NULL, "%s", c.sector == 'S' ? "yes" : "no");
    set(m, IMPORT_L2, "l2.allocate", NULL, "%s", c.allocate == 'm' ? "miss" : "fill");
    map_l2_write(m, &c);
    map_index(m, IMPORT_L2, &c, "l2.set_index");
    set(m, IMPORT_COPY_FILL, "l2.copy_fill", NULL, "%s",
        option_number(m, IMPORT_COPY_FILL) ? "yes" : "no");
    set(m, IMPORT_FLUSH_L2, "l2.flush", NULL, "%s",
        option_number(m, IMPORT_FLUSH_L2) ? "yes" : "no");
    set_number(m, IMPORT_L2_LATENCY, "l2.latency");
    set(m, EVERY_MACHINE, "l2.model", "GPGPU-Sim: queues and replies are by sector", "gpgpusim");
    read_all(m, IMPORT_L2_QUEUES, queue, 4, "four queues: crossbar-L2:L2-DRAM:DRAM-L2:L2-crossbar");
    set(m, IMPORT_L2_QUEUES, "l2.in_queue", NULL, "%.0f", queue[0]);
    set(m, IMPORT_L2, "l2.miss_queue", NULL, "%u", c.queue);
    set(m, IMPORT_L2_QUEUES, "l2.reply_queue", NULL, "%.0f", queue[3]);
    set(m, IMPORT_L2, "l2.mshr_entries", NULL, "%u", c.entries);
    set(m, IMPORT_L2, "l2.mshr_slots", NULL, "%u", c.merge);
    map_dl(m, IMPORT_L2, &c, false, 4);
}

/* ---- DRAM ---- */

/* Timings by name, in their order without names. The last three may be missing. */
static const struct timing {
    const char *name, *key;
} timings[] = {{"nbk", "dram.banks"}, {"CCD", "dram.ccd"},  {"RRD", "dram.rrd"},
               {"RCD", "dram.rcd"},   {"RAS", "dram.ras"},  {"RP", "dram.rp"},
               {"RC", "dram.rc"},     {"CL", "dram.cl"},    {"WL", "dram.wl"},
               {"CDLR", "dram.cdlr"}, {"WR", "dram.wr"},    {"nbkgrp", "dram.groups"},
               {"CCDL", "dram.ccdl"}, {"RTPL", "dram.rtpl"}};
enum { TIMING_NAMES = sizeof timings / sizeof timings[0] };

/* Handles the timing at `text`, NAME=NUMBER or NUMBER. Returns its end, or NULL after an error. */
static const char *map_timing(struct import *m, const char *text, unsigned n, bool *seen) {
    const struct import_option *o = &m->mapped[IMPORT_DRAM_TIMING];
    char name[16] = "";
    int used = 0;
    unsigned value;
    if (sscanf(text, "%15[A-Za-z]=%n", name, &used) == 1 && used)
        for (n = 0; n < TIMING_NAMES && strcmp(timings[n].name, name) != 0;)
            n++;
    text += used;
    if (n >= TIMING_NAMES || sscanf(text, "%u%n", &value, &used) != 1) {
        import_fail(m, o, "'%s': expected NAME=NUMBER, with names from nbk and CCD to RTPL",
                    name[0] ? name : text);
        return NULL;
    }
    if (!seen[n])
        set(m, IMPORT_DRAM_TIMING, timings[n].key, NULL, "%u", value);
    seen[n] = true;
    return text + used;
}

static void map_timings(struct import *m) {
    const char *text = m->mapped[IMPORT_DRAM_TIMING].value;
    bool seen[TIMING_NAMES] = {false};
    for (unsigned n = 0; text; n++) {
        text = map_timing(m, text, n, seen);
        if (!text || !*text)
            break;
        text++;
    }
    for (unsigned n = 0; n < TIMING_NAMES - 3; n++)
        if (!seen[n])
            import_fail(m, &m->mapped[IMPORT_DRAM_TIMING], "%s is missing", timings[n].name);
}

/* "dramid@8;" and 64 letters, highest bit first: R row, B bank, C column, S byte. */
static void map_addresses(struct import *m, int64_t atom) {
    const struct import_option *o = &m->mapped[IMPORT_DRAM_MAP];
    const char *text = strchr(o->value, ';');
    char bits[65] = "";
    unsigned chunk = 0, n = 0, bank = 0;
    for (const char *c = text ? text : ""; *c; c++)
        if (strchr("0RBCSrbcsDd", *c) && n < 64)
            bits[n++] = *c;
    if (sscanf(o->value, "dramid@%u;", &chunk) != 1 || chunk < 7 || chunk > 17 || n != 64 ||
        strpbrk(bits, "Dd") || strspn(bits, "0") < 32) {
        import_fail(m, o,
                    "expected dramid@N; with N from 7 to 17, then 64 of 0, R, B, C and S, the "
                    "first 32 of them 0");
        return;
    }
    /* Bytes of the atom; GPGPU-Sim counts further S bits among the columns too. */
    for (unsigned bit = 0; bit < 32 && strchr("Ss", bits[63 - bit]); bit++)
        if (atom >> bit <= 1)
            bits[63 - bit] = 'C';
    while (bank < 32 && bits[63 - bank] != 'B' && bits[63 - bank] != 'b')
        bank++;
    set(m, IMPORT_DRAM_MAP, "l2.interleave_lines", "chunks of 2^N B", "%u", 1u << (chunk - 7));
    if (option_number(m, IMPORT_SUB_PARTITIONS) > 1)
        set(m, IMPORT_DRAM_MAP, "l2.bank_shift", "the lowest bank bit selects the L2 bank", "%u",
            bank < 7 ? 0 : bank - 7);
    set(m, IMPORT_DRAM_MAP, "dram.address_map", NULL, "%.8s.%.8s.%.8s.%.8s", bits + 32, bits + 40,
        bits + 48, bits + 56);
}

static void map_dram_queues(struct import *m) {
    const int64_t queue = option_number(m, IMPORT_DRAM_QUEUE),
                  replies = option_number(m, IMPORT_DRAM_RETURN);
    set(m, IMPORT_DRAM_QUEUE, "dram.read_queue", queue ? NULL : "no limit", "%lld",
        (long long)(queue ? queue : 4096));
    set(m, IMPORT_DRAM_RETURN, "dram.reply_queue", replies ? NULL : "no limit", "%lld",
        (long long)(replies ? replies : 1024));
    set(m, IMPORT_DRAM_RETURN, "dram.in_flight", "the entries of both queues, and one", "%lld",
        (long long)(queue && replies ? queue + replies + 1 : 0));
}

static void map_dram(struct import *m, const double *mhz) {
    const int64_t burst = option_number(m, IMPORT_DRAM_BURST),
                  ratio = option_number(m, IMPORT_DRAM_RATIO);
    const int64_t latency = option_number(m, IMPORT_DRAM_LATENCY);
    const int64_t atom =
        burst * option_number(m, IMPORT_DRAM_BUS) * option_number(m, IMPORT_DRAM_CHIPS);
    set(m, EVERY_MACHINE, "dram.model", "GPGPU-Sim's scheduler", "gpgpusim");
    if (general_collectors(m))
        set(m, EVERY_MACHINE, "dram.delay_first", "measured with Accel-Sim", "yes");
    set(m, IMPORT_DRAM_SCHEDULER, "dram.scheduler", NULL, "%s",
        option_number(m, IMPORT_DRAM_SCHEDULER) ? "frfcfs" : "fcfs");
    map_dram_queues(m);
    map_timings(m);
    set(m, IMPORT_DRAM_BURST, "dram.atom_bytes", "burst x bus x chips", "%lld", (long long)atom);
    set(m, IMPORT_DRAM_BURST, "dram.burst", "in CK", "%lld",
        (long long)(ratio ? burst / ratio : 0));
    set(m, IMPORT_DRAM_LATENCY, "dram.extra_latency", "SM cycles in CK", "%.0f",
        mhz[0] > 0 ? (double)latency * mhz[3] / mhz[0] : 0);
    set(m, IMPORT_DRAM_BUSES, "dram.buses", NULL, "%d",
        option_number(m, IMPORT_DRAM_BUSES) ? 2 : 1);
    map_addresses(m, atom);
    set(m, EVERY_MACHINE, "dram.streak_cap", "row hits pass any number of requests", "0");
    set(m, EVERY_MACHINE, "dram.age_cap", "row hits pass any number of requests", "0");
}

void import_map(struct import *m) {
    double mhz[4] = {0};
    map_clocks(m, mhz);
    map_sm(m);
    map_kernels(m);
    map_icache(m);
    map_l1d(m);
    map_icnt(m);
    map_l2(m);
    map_dram(m, mhz);
}
