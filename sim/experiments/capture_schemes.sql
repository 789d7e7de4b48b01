-- SPDX-License-Identifier: Apache-2.0
-- Page of the study capture_schemes.
SELECT '# CAPTURE on uvm28

Written by `make experiment-capture` (`sim/experiments/capture_schemes.ini`, which says what each scheme is, and `.sql`). Paper: Gu, PhD dissertation, Oregon State University 2023, section 4.5; "-": it gives no figure.
NP, RP, SP, TP, CAP: prefetch nothing, a page of the chunk at random, the 64 KB block, by the tree, by free memory. RE, SE, NE, TE, TURE: evict a page at random, a block, a chunk of 2 MB, by the tree, by true usage.
CAPTE, CAPNE: CAP with TE, with NE. Far-faults are served one after the other, 45 us each; +each: each by itself, any number at once. Means of quotients are geometric, of other figures arithmetic.';

INSERT INTO kernel SELECT min(n), substr(workload, 1, instr(workload || ':', ':') - 1), group_name FROM result WHERE study = 'capture_schemes' GROUP BY workload;
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, r.*, r.uvm_faults - r.uvm_faults_joined AS services
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n WHERE r.study = 'capture_schemes' AND r.state = 'done';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'cycles', cycles FROM run_of UNION ALL SELECT kernel, scheme, 'services', services FROM run_of
    UNION ALL SELECT kernel, scheme, 'kib', pcie_read_bytes / 1024.0 / pcie_read_transfers FROM run_of UNION ALL SELECT kernel, scheme, 'rate', 1.0 * pcie_read_bytes / pcie_read_busy_cycles FROM run_of;

-- ---- Figure 4.6 ----
CREATE TEMP VIEW footprint AS SELECT '## Pages (Figure 4.6)' AS section, 'Pages (4 KB) of all arrays, and how many of them a kernel touches (the paper: above 98 %, one 93 %)' AS title, * FROM run_of WHERE scheme = 'fit.np' ORDER BY kernel;
INSERT INTO cell SELECT DISTINCT section, title, 'kernel', value FROM footprint, json_each('["pages", "MiB", "touched, %", "cycles of NP"]');
INSERT INTO cell SELECT section, title, label, printf('%d | %.1f | %.1f | %d', uvm_footprint_pages, uvm_footprint_pages / 256.0 - 1e-9 * (uvm_footprint_pages % 256 = 64), 100.0 * uvm_touched_pages / uvm_footprint_pages, cycles) FROM footprint;
INSERT INTO cell SELECT section, printf('In the mean %.1f MiB; in the paper 20.3.', avg(uvm_footprint_pages) / 256), NULL, NULL FROM footprint;

-- ---- Figure 4.7 ----
CREATE TEMP TABLE refers(workload TEXT, array TEXT, page INTEGER, n INTEGER);
.import --csv --schema temp capture_schemes_pages.csv refers
CREATE TEMP TABLE by_array AS SELECT workload, array, count(*) AS pages, avg(n) AS mean, sqrt(max(avg(1.0 * n * n) - avg(n) * avg(n), 0)) AS spread FROM refers GROUP BY workload, array;
CREATE TEMP TABLE spread AS SELECT '## References to pages (Figure 4.7)' AS section, 'Warp instructions that refer to a page that is touched: their mean; their standard deviation over this mean, among all pages and, in the mean over pages, among those of an array' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM spread, json_each('["mean", "spread, all pages", "in an array"]');
INSERT INTO cell SELECT s.section, s.title, label, printf('%.1f | %.2f | %.2f', mean, sqrt(max(square - mean * mean, 0)) / mean, within)
FROM spread s, footprint f JOIN (SELECT workload, avg(n) AS mean, avg(1.0 * n * n) AS square FROM refers GROUP BY workload) USING (workload)
JOIN (SELECT workload, sum(pages * spread / mean) / sum(pages) AS within FROM by_array GROUP BY workload) USING (workload) ORDER BY f.kernel;
INSERT INTO cell SELECT '## References to pages (Figure 4.7)', '![References to each page](capture_schemes_pages.svg)', NULL, NULL WHERE EXISTS (SELECT * FROM kernel WHERE label IN ('atax', 'fdtd2d', 'hotspot', 'ra'));

-- ---- Figures 4.8 and 4.9: all pages fit ----
CREATE TEMP TABLE service(suffix, words);
INSERT INTO service VALUES ('', 'one fault after the other'), ('+each', 'each fault by itself');
INSERT INTO ratio SELECT '## All pages fit (Figure 4.8)', 'Speed over NP; ' || words, 'each', upper(value) || suffix, 'fit.' || value || suffix, 'fit.np' || suffix, 'cycles', 1, iif(suffix = '', 'speed over NP', NULL)
FROM service, json_each('["rp", "sp", "tp", "cap"]') j ORDER BY service.rowid, j.id;
INSERT INTO ratio SELECT '## All pages fit (Figure 4.8)', 'Speed of CAP over the others; ' || words || iif(suffix = '', '. Ahead: itself with ranges that begin with the faulted block', ''), 'each', iif(value LIKE '%+ahead', 'CAP, ahead', upper(substr(value, 5))) || suffix, value || suffix, 'fit.cap' || suffix, 'cycles', 0, iif(suffix = '', 'speed of CAP over it', NULL)
FROM service, json_each('["fit.rp", "fit.sp", "fit.tp", "fit.cap+ahead"]') j WHERE suffix = '' OR value <> 'fit.cap+ahead' ORDER BY service.rowid, j.id;
INSERT INTO cell VALUES ('## All pages fit (Figure 4.8)', '![Speed over NP](capture_schemes_fit.svg)', NULL, NULL);
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'Services of faults, NP over the scheme', 'each', iif(value LIKE '%+ahead', 'CAP, ahead', upper(value)), 'fit.' || value, 'fit.np', 'services', 1, 'faults of NP over it' FROM json_each('["rp", "sp", "tp", "cap", "cap+ahead"]') ORDER BY id;
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'Services of faults, NP over the scheme; each fault by itself', 'each', upper(value) || '+each', 'fit.' || value || '+each', 'fit.np+each', 'services', 1, NULL FROM json_each('["rp", "sp", "tp", "cap"]') ORDER BY id;
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'KiB of a transfer to the GPU, CAP over the scheme (the paper: prefetches of CAP are 6 times those of TP)', NULL, upper(value), 'fit.cap', 'fit.' || value, 'kib', 0, NULL FROM json_each('["np", "sp", "tp"]') ORDER BY id;
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'Rate of the link to the GPU while it is busy, CAP over the scheme', NULL, upper(value), 'fit.cap', 'fit.' || value, 'rate', 0, NULL FROM json_each('["np", "sp", "tp"]') ORDER BY id;
INSERT INTO cell SELECT '## Faults and PCIe (Figure 4.9)', printf('In the paper a prefetch of 1 MiB uses the link 5.0 times as well as one of 64 KiB. On the curve of `pcie.model`, which was measured on such a card, its rate is %.2f times that of 64 KiB and %.2f times that of 4 KiB.',
    atan(0.07292 * 1024) / atan(0.07292 * 64), atan(0.07292 * 1024) / atan(0.07292 * 4)), NULL, NULL;
CREATE TEMP TABLE share AS SELECT '## Faults and PCIe (Figure 4.9)' AS section, 'Pages moved with the fault of another page (along), whether an access waited for them or not, in % of all pages; pages used, in % of those moved along; pages moved without a fault of their own, in % of all pages; busy time of the link to the GPU, in %' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM share, json_each('["SP: along", "TP", "CAP", "SP: used", "TP", "CAP", "SP: without a fault", "TP", "CAP", "SP: busy", "TP", "CAP"]');
CREATE TEMP VIEW percents AS SELECT kernel, label, j.id AS at, f.id AS what,
    CASE f.value WHEN 'along' THEN 100.0 - 100.0 * services / (uvm_demand_pages + uvm_prefetched_pages) WHEN 'used' THEN 100.0 * (uvm_prefetched_used + uvm_faults_joined) / nullif(uvm_prefetched_pages + uvm_faults_joined, 0)
        WHEN 'before' THEN 100.0 * uvm_prefetched_pages / (uvm_demand_pages + uvm_prefetched_pages) ELSE 100.0 * pcie_read_utilization END AS x
FROM json_each('["along", "used", "before", "busy"]') f, json_each('["fit.sp", "fit.tp", "fit.cap"]') j JOIN run_of ON scheme = j.value;
INSERT INTO cell SELECT section, title, label, iif(x IS NULL, '-', printf('%.1f', x)) FROM share, percents ORDER BY kernel, what, at;
INSERT INTO cell SELECT section, title, '**mean**', iif(count(x), printf('**%.1f**', avg(x)), '-') FROM share, percents GROUP BY what, at;
INSERT INTO cell SELECT section, title, 'paper', value FROM share, json_each('["-", "-", "-", "-", "-", "99.0", "-", "-", "99.5", "-", "-", "-"]');

-- ---- Figures 4.10 and 4.11: evictors ----
CREATE TEMP TABLE evictor(name, label);
INSERT INTO evictor VALUES ('random', 'RE'), ('sl64', 'SE'), ('lru_2mb', 'NE'), ('tree', 'TE');
INSERT INTO ratio SELECT '## Evictors at 110 % (Figure 4.10)', 'Speed of TURE over the others. TP until memory is full, then no prefetching; ' || words, 'each', label || suffix, 'tp.' || name || suffix, 'tp.ture' || suffix, 'cycles', 0, iif(suffix = '', 'speed of TURE over it', NULL)
FROM service, evictor ORDER BY service.rowid, evictor.rowid;
INSERT INTO ratio SELECT '## Evictors at 110 % (Figure 4.10)', 'TURE counts each access, an ideal; sees the walks of TLBs of 16 entries; lets one block leave at a time: its speed over itself as above', 'each', key, value, 'tp.ture', 'cycles', 1, NULL FROM json_each('{"accesses": "tp.ture+accesses", "TLBs of 16": "tp.ture+tlb16", "one block": "tp.ture+take1"}') ORDER BY id;
INSERT INTO cell SELECT '## Evictors at 110 % (Figure 4.10)', 'In the paper TURE is 4.6, 2.1 and 4.3 times as fast as RE on 2DCONV, 3DCONV and PATHFINDER, and worse on FDTD-2D, BFS, HOTSPOT and SRAD.', NULL, NULL;
INSERT INTO ratio SELECT '## Faults by evictor (Figure 4.11)', 'Services of faults, the other over TURE', 'each', label, 'tp.' || name, 'tp.ture', 'services', 0, NULL FROM evictor ORDER BY rowid;
INSERT INTO ratio SELECT '## Faults by evictor (Figure 4.11)', 'Services of faults, the other over TURE; each fault by itself', 'each', label || '+each', 'tp.' || name || '+each', 'tp.ture+each', 'services', 0, NULL FROM evictor ORDER BY rowid;
INSERT INTO evictor VALUES ('ture', 'TURE'), ('ture+take1', 'TURE, one block');
CREATE TEMP TABLE again AS SELECT '## Faults by evictor (Figure 4.11)' AS section, 'Faults on pages that had been evicted before; blocks evicted because the coalescing table was full' AS title;
INSERT INTO cell SELECT section, title, 'kernel', label FROM again, evictor ORDER BY evictor.rowid;
INSERT INTO cell SELECT section, title, 'kernel', 'TURE: table full' FROM again;
INSERT INTO cell SELECT section, title, r.label, uvm_refaults FROM again, evictor e JOIN run_of r ON scheme = 'tp.' || name ORDER BY kernel, e.rowid;
INSERT INTO cell SELECT section, title, r.label, ture_exits_table_full FROM again JOIN run_of r ON scheme = 'tp.ture' ORDER BY kernel;

-- ---- Figure 4.12: one size ----
INSERT INTO ratio SELECT '## Prefetches of one size at 110 % (Figure 4.12)', 'Speed over 64 KiB. CAP until memory is full, then prefetches of the size in KiB that heads the column (the paper: speed rises to 512, then falls)', 'each', key, value, 'capture+kib64', 'cycles', 1, NULL
FROM json_each('{"128": "capture+kib128", "256": "capture+kib256", "512": "capture", "1024": "capture+kib1024"}') ORDER BY id;
INSERT INTO ratio SELECT '## Prefetches of one size at 110 % (Figure 4.12)', 'Speed over 64 KiB; each fault by itself', 'each', key || '+each', value, 'capture+kib64+each', 'cycles', 1, NULL
FROM json_each('{"128": "capture+kib128+each", "256": "capture+kib256+each", "512": "capture+each", "1024": "capture+kib1024+each"}') ORDER BY id;

-- ---- Figure 4.13: all schemes together ----
CREATE TEMP TABLE pair(name, label);
INSERT INTO pair VALUES ('rpre', 'RPRE'), ('spse', 'SPSE'), ('tpte', 'TPTE'), ('tpne', 'TPNE');
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'Speed of CAPTURE over the others; ' || words, 'each', label || suffix, name || suffix, 'capture' || suffix, 'cycles', 0, iif(suffix = '', 'speed of CAPTURE over it', NULL) FROM service, pair ORDER BY service.rowid, pair.rowid;
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'What CAP brings: speed of CAP over TP with the same evictor. What TURE brings: speed of CAPTURE over CAP with another', 'each', a || ' / ' || b || suffix, lower(a) || suffix, lower(b) || suffix, 'cycles', 1, NULL
FROM service, (SELECT value ->> 0 AS a, value ->> 1 AS b, id FROM json_each('[["CAPTE", "TPTE"], ["CAPNE", "TPNE"], ["CAPTURE", "CAPTE"], ["CAPTURE", "CAPNE"]]')) j ORDER BY service.rowid, j.id;
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'Speed of CAPTURE over TPTE and TPNE: it counts each access, an ideal; both have TLBs of 16 entries. Over itself as above: it counts each access; samples 4,000 cycles of 6,000, or 10,000 of 60,000; lets one block leave at a time; has a coalescing table of 32 blocks', 'each', col, scheme, base, 'cycles', 1, NULL
FROM (SELECT 'TPTE, accesses' AS col, 'capture+accesses' AS scheme, 'tpte' AS base UNION ALL SELECT 'TPNE, accesses', 'capture+accesses', 'tpne' UNION ALL SELECT 'TPTE, TLBs of 16', 'capture+tlb16', 'tpte+tlb16' UNION ALL SELECT 'TPNE, TLBs of 16', 'capture+tlb16', 'tpne+tlb16' UNION ALL SELECT 'itself, accesses', 'capture+accesses', 'capture'
    UNION ALL SELECT '4,000 of 6,000', 'capture+duty4000', 'capture' UNION ALL SELECT '10,000 of 60,000', 'capture+period60000', 'capture' UNION ALL SELECT 'one block', 'capture+take1', 'capture' UNION ALL SELECT 'table of 32', 'capture+table32', 'capture');
INSERT INTO cell VALUES ('## CAPTURE at 110 % (Figure 4.13)', '![Time over CAPTURE](capture_schemes_all.svg)', NULL, NULL);
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'Services of faults, the other over CAPTURE', 'each', label, name, 'capture', 'services', 0, NULL FROM pair ORDER BY rowid;
CREATE TEMP TABLE left AS SELECT '## CAPTURE at 110 % (Figure 4.13)' AS section, 'Blocks evicted, by reason: the coalescing table was full; the table was asked for a block; the table was empty, so the least recently used block went. Pages that expired; pages recalled after they expired; the same in % of the expired ones, also with the two other sampling windows. Leases granted. Blocks evicted because a table of 32 blocks was full' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM left, json_each('["full", "asked", "least recently used", "expired", "recalled", "%", "4,000 of 6,000", "10,000 of 60,000", "leases", "full, 32"]');
CREATE TEMP VIEW recalled AS SELECT *, iif(ture_expired, printf('%.1f', 100.0 * ture_recalled_pages / ture_expired), '-') AS percent FROM run_of;
INSERT INTO cell SELECT section, title, r.label, printf('%d | %d | %d | %d | %d | %s | %s | %s | %d | %d', r.ture_exits_table_full, r.ture_exits_memory_full, r.ture_evictions_lru, r.ture_expired, r.ture_recalled_pages, r.percent, m.percent, l.percent, r.lease_updates, s.ture_exits_table_full)
FROM left, recalled r JOIN recalled m USING (kernel) JOIN recalled l USING (kernel) JOIN run_of s USING (kernel)
WHERE r.scheme = 'capture' AND m.scheme = 'capture+duty4000' AND l.scheme = 'capture+period60000' AND s.scheme = 'capture+table32' ORDER BY kernel;

INSERT INTO cell SELECT DISTINCT section, 'Never full with CAPTURE, since the coalescing table overflows: ' || (SELECT group_concat(label, ', ') FROM run_of WHERE scheme = 'capture' AND uvm_full_cycle = 0) || '.', NULL, NULL
FROM left WHERE EXISTS (SELECT * FROM run_of WHERE scheme = 'capture' AND uvm_full_cycle = 0);

-- ---- Memory to the page ----
INSERT INTO cell VALUES ('## Memory to the page', 'At 110 %, with `uvm.frame_unit=1`: 91 % of the pages, not rounded down to whole blocks of 64 KB. A frame left over serves faults of a page alone, each of which takes a service.', NULL, NULL);
INSERT INTO ratio SELECT '## Memory to the page', 'Speed of CAPTURE over the others (Figure 4.13)', 'each', label, name || '+page', 'capture+page', 'cycles', 0, NULL FROM pair ORDER BY rowid;
INSERT INTO ratio SELECT '## Memory to the page', 'What CAP brings: speed of CAP over TP with the same evictor. What TURE brings: speed of CAPTURE over CAP with another', 'each', value ->> 0 || ' / ' || (value ->> 1), lower(value ->> 0) || '+page', lower(value ->> 1) || '+page', 'cycles', 1, NULL
FROM json_each('[["CAPTE", "TPTE"], ["CAPNE", "TPNE"], ["CAPTURE", "CAPTE"], ["CAPTURE", "CAPNE"]]') ORDER BY id;
INSERT INTO ratio SELECT '## Memory to the page', 'Speed of TURE over the others. TP until memory is full, then no prefetching (Figure 4.10)', 'each', label, 'tp.' || name || '+page', 'tp.ture+page', 'cycles', 0, NULL FROM evictor WHERE name NOT GLOB 'ture*' ORDER BY rowid;
INSERT INTO ratio SELECT '## Memory to the page', 'Time with memory to the page over that with whole blocks', 'each', upper(value), value || '+page', value, 'cycles', 0, NULL FROM json_each('["rpre", "spse", "tpte", "tpne", "capture"]') ORDER BY id;

-- ---- Five runs of each scheme ----
CREATE TEMP TABLE five AS SELECT kernel, label, iif(at, substr(scheme, 1, at - 1), scheme) AS scheme, iif(at, substr(scheme, at + 5), '100') AS walk, cycles
FROM (SELECT *, instr(scheme, '+walk') AS at FROM run_of) WHERE walk IN ('98', '99', '100', '101', '102');
CREATE INDEX temp.by_five ON five(kernel, walk, scheme);
CREATE TEMP TABLE compared(fast, slow, col);
INSERT INTO compared SELECT 'capture', name, label FROM pair;
INSERT INTO compared VALUES ('capte', 'tpte', 'CAPTE / TPTE'), ('capne', 'tpne', 'CAPNE / TPNE'), ('capture', 'capte', 'CAPTURE / CAPTE'), ('capture', 'capne', 'CAPTURE / CAPNE');
CREATE TEMP TABLE spread_of AS SELECT c.rowid AS id, col, kernel, f.label, walk, ln(1.0 * s.cycles / f.cycles) AS x
FROM compared c JOIN five f ON f.scheme = fast JOIN five s USING (kernel, walk) WHERE s.scheme = slow;
INSERT INTO spread_of SELECT id, col, 1e9, '**mean, all**', walk, avg(x) FROM spread_of GROUP BY id, walk UNION ALL SELECT id, col, 2e9, '**mean, without pathfinder**', walk, avg(x) FROM spread_of WHERE label <> 'pathfinder' GROUP BY id, walk;
CREATE TEMP TABLE of_five AS SELECT '## Five runs each' AS section, 'Speed of CAPTURE over the others, and of the first scheme over the second, with page walks of 98, 99, 100, 101 and 102 cycles: mean (least to most)' AS title;
INSERT INTO cell SELECT section, title, 'kernel', col FROM of_five, spread_of GROUP BY id ORDER BY id;
INSERT INTO cell SELECT section, title, label, printf('%.2f (%.2f to %.2f)', exp(avg(x)), exp(min(x)), exp(max(x))) FROM of_five, spread_of GROUP BY kernel, id ORDER BY kernel, id;
INSERT INTO cell SELECT section, 'Faster in some of the five runs and slower in others: ' || group_concat(label || ' over ' || col, ', ') || '.', NULL, NULL
FROM of_five, (SELECT id, col, label FROM spread_of WHERE kernel < 1e9 AND col NOT LIKE '%/%' GROUP BY id, kernel HAVING min(x) < 0 AND max(x) > 0 ORDER BY id, kernel) HAVING count(*) > 0;

-- ---- Figure 4.14, section 4.7 ----
INSERT INTO ratio SELECT '## By oversubscription (Figure 4.14)', 'Time of CAPTURE over that at 110 % (the paper: no change for streaming kernels, a small rise for the others)', 'each', col, scheme, 'capture', 'cycles', 0, NULL
FROM (SELECT '120 %' AS col, 'capture+83' AS scheme UNION ALL SELECT '140 %', 'capture+71');
INSERT INTO ratio SELECT '## By oversubscription (Figure 4.14)', 'Services of faults over those at 110 %', 'each', col, scheme, base, 'services', 0, NULL FROM ratio WHERE section LIKE '## By over%';
INSERT INTO ratio SELECT '## Page walks (section 4.7)', 'Time with walks of 50 and 150 cycles over that with 100 (the paper: less than 0.01 %)', NULL, upper(replace(value, '+walk', ', ')), value, substr(value, 1, instr(value, '+') - 1), 'cycles', 0, NULL
FROM json_each('["tpne+walk50", "tpne+walk150", "capture+walk50", "capture+walk150"]') ORDER BY id;
INSERT INTO cell SELECT * FROM ratio_cell WHERE line <> 'paper';
-- The paper omits ATAX and MVT, with SPSE and with RE.
INSERT INTO cell SELECT section, title, '**mean, without atax and mvt**', printf('**%.3f**', exp(avg(ln(x)))) FROM ratio r JOIN ratio_value v ON v.id = r.rowid
WHERE (title LIKE 'Speed of TURE over the others.%' OR title LIKE 'Speed of CAPTURE over the others;%') AND label NOT IN ('atax', 'mvt') GROUP BY r.rowid ORDER BY r.rowid;
-- With CAPTURE it is never full.
INSERT INTO cell SELECT section, title, '**mean, without pathfinder**', printf('**%.3f**', exp(avg(ln(x)))) FROM ratio r JOIN ratio_value v ON v.id = r.rowid
WHERE (title LIKE 'Speed over 64 KiB%' OR title LIKE 'Speed of CAPTURE over the others;%') AND label <> 'pathfinder' GROUP BY r.rowid ORDER BY r.rowid;
INSERT INTO cell SELECT * FROM ratio_cell WHERE line = 'paper';
INSERT INTO cell SELECT section, title, 'paper, ' || label, coalesce(p.text, '-') FROM kernel k JOIN ratio r ON r.published = 'speed of CAPTURE over it'
LEFT JOIN paper p ON p.quantity = r.published AND p.scheme = r.scheme AND p.grp = k.label WHERE k.label IN (SELECT grp FROM paper) ORDER BY k.id, r.rowid;
SELECT * FROM page;

-- ---- Data of the plots: kernels, then their mean ----
CREATE TEMP TABLE plot(file, scheme, base, swap);
INSERT INTO plot SELECT 'fit', 'fit.' || value, 'fit.np', 1 FROM json_each('["rp", "sp", "tp", "cap"]') ORDER BY id;
INSERT INTO plot SELECT 'all', name, 'capture', 0 FROM pair ORDER BY rowid;
CREATE TEMP TABLE plotted AS SELECT p.rowid AS id, file, kernel, label, iif(swap, 1 / x, x) AS x FROM plot p JOIN quotient q ON q.scheme = p.scheme AND q.base = p.base AND quantity = 'cycles';
INSERT INTO plotted SELECT id, file, 1e9, 'mean', exp(avg(ln(x))) FROM plotted GROUP BY id;
CREATE TEMP VIEW plot_line AS SELECT file, label || char(9) || group_concat(printf('%.4f', x), char(9)) AS line FROM (SELECT * FROM plotted ORDER BY file, kernel, id LIMIT 100000) GROUP BY file, kernel ORDER BY kernel;
.output capture_schemes_fit.dat
SELECT line FROM plot_line WHERE file = 'fit';
.output capture_schemes_all.dat
SELECT line FROM plot_line WHERE file = 'all';
-- Every 16th page of four kernels, from 0 on
.output capture_schemes_pages.dat
SELECT iif(nth > 1 AND at = 1, char(10, 10), '') || replace(name, 'fdtd2d', 'FDTD-2D') || ' ' || (page - first) || ' ' || n FROM (
    SELECT j.id AS line, j.value AS name, page, n, min(page) OVER w AS first, row_number() OVER w AS at, row_number() OVER (ORDER BY j.id, page) AS nth
    FROM json_each('["atax", "fdtd2d", "hotspot", "ra"]') j JOIN refers r ON substr(r.workload, 1, instr(r.workload || ':', ':') - 1) = j.value WHERE page % 16 = 0
    WINDOW w AS (PARTITION BY j.id ORDER BY page)) ORDER BY line, page;
