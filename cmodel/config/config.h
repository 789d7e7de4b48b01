/* Configuration of a GPU: one declared table of keys (config.def), files in INI form, overrides. */
#ifndef MEMTWIN_CONFIG_CONFIG_H
#define MEMTWIN_CONFIG_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_STR_SIZE 96 /* bytes of a STR, with the zero that ends it */

struct config {
#define INT(section, key, def, min, max, doc) int64_t section##_##key;
#define ENUM(section, key, def, values, doc) int64_t section##_##key;
#define STR(section, key, def, doc) char section##_##key[CONFIG_STR_SIZE];
#include "config/config.def"
#undef INT
#undef ENUM
#undef STR
};

/* Positions in the ENUM keys of config.def. */
enum { SCHEDULER_GTO, SCHEDULER_LRR, SCHEDULER_TWO_LEVEL, SCHEDULER_SWL };
enum { COALESCE_LINE, COALESCE_SECTOR };
enum mshr_kind { MSHR_KIND_STATIC, MSHR_KIND_DL, MSHR_KIND_IMPLICIT, MSHR_KIND_UNLIMITED };
enum { ALLOCATE_MISS, ALLOCATE_FILL };
enum { L1D_WTWN, L1D_WEWN, L1D_LOCAL_WB, L1D_WBWA };
enum {
    BYPASS_NONE,
    BYPASS_GLOBAL,
    BYPASS_STALL,
    BYPASS_LINE,
    BYPASS_STATIC,
    BYPASS_MDB_LOCAL,
    BYPASS_MDB_GLOBAL,
    BYPASS_PDP
};
enum { FAILURES_CYCLES, FAILURES_ACCESSES };
enum { BYPASS_UNIT_AUTO, BYPASS_UNIT_WARP, BYPASS_UNIT_CTA };
enum { MRPB_WARP, MRPB_CTA };
enum { MRPB_GREEDY, MRPB_LOWEST, MRPB_LONGEST, MRPB_ROUND_ROBIN };
enum { INCOMING_FIFO, INCOMING_NONBLOCKING, INCOMING_BANK_QUEUES, INCOMING_CART };
enum { CART_POLICY_ROTATING, CART_POLICY_LONGEST, CART_POLICY_ROUND_ROBIN };
enum { L2_BYPASS_NONE, L2_BYPASS_STALL };
enum { L2_WBWA, L2_WTWN, L2_WEWN };
enum { WRITE_FETCH, WRITE_LAZY };
enum { PARTITION_MODULO, PARTITION_XOR };
enum { UVM_OFF, UVM_COPY, UVM_PAGED };
enum { FAULTS_REPLAYABLE, FAULTS_BLOCKING };
enum { SERVICE_EACH, SERVICE_SET };
enum { WRITE_BACK_ALL, WRITE_BACK_DIRTY };
enum { FREE_AT_START, FREE_AT_END };
enum { PCIE_FLAT, PCIE_CURVE };
enum { RRIP_LONG, RRIP_DISTANT };
enum { HPE_HITS_HIR, HPE_HITS_IDEAL };
enum { HPE_ADAPTIVE, HPE_LRU, HPE_MRU_C };
enum {
    PLANT_NONE,
    PLANT_LOSE_STORE,
    PLANT_STALE_LINE,
    PLANT_DOUBLE_REPLY,
    PLANT_LOSE_REPLY,
    PLANT_LOSE_LANE,
    PLANT_LOST_UPDATE,
    PLANT_NO_SHOOTDOWN,
    PLANT_LOSE_PAGE,
    PLANT_LOSE_ARRIVAL,
    PLANT_LOSE_FRAME,
    PLANT_KEEP_LINES
};

/* All keys at the table's defaults. */
void config_default(struct config *cfg);

/* Reads an INI file over *cfg. Errors: missing file, unknown section or key, a key given twice, not
 * an integer, not one of the values, out of range, an empty or too long string. Returns 0, or -1
 * with "FILE:LINE: what" in err.
 */
int config_load(struct config *cfg, const char *path, char *err, size_t err_size);

/* One "section.key=value" from the command line. Returns 0, or -1 with one line in err. */
int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size);

/* Relations between keys (DL-MSHR geometry, ids that must fit, DRAM queues and layout). Returns 0,
 * or -1 with one line in err that names the keys and their values. */
int config_check(const struct config *cfg, char *err, size_t err_size);

/* Calls `fn` for each key in table order, with its value as text. */
void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx);

#endif
