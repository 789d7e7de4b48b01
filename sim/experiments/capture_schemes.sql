-- SPDX-License-Identifier: Apache-2.0
-- The page of the study capture_schemes.
SELECT '# CAPTURE on uvm28

Written by `make experiment-capture` (`sim/experiments/capture_schemes.ini`, which says what each scheme is, and `.sql`). Paper: Gu, PhD dissertation, Oregon State University 2023, section 4.5; "-": it gives no figure.
NP, RP, SP, TP, CAP: prefetch nothing, a page of the chunk at random, the 64 KB block, by the tree, by free memory. RE, SE, NE, TE, TURE: evict a page at random, a block, a chunk of 2 MB, by the tree, by true usage.
Far-faults are served one after the other, 45 us each; +each: each by itself, any number at once. Means are geometric.';

INSERT INTO kernel SELECT min(n), substr(workload, 1, instr(workload || ':', ':') - 1), group_name FROM result WHERE study = 'capture_schemes' GROUP BY workload;
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, r.*, r.uvm_faults - r.uvm_served_along AS services
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n WHERE r.study = 'capture_schemes' AND r.state = 'done';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'cycles', cycles FROM run_of UNION ALL SELECT kernel, scheme, 'services', services FROM run_of
    UNION ALL SELECT kernel, scheme, 'kib', pcie_read_bytes / 1024.0 / pcie_read_transfers FROM run_of;

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
INSERT INTO cell VALUES ('## References to pages (Figure 4.7)', '![References to each page](capture_schemes_pages.svg)', NULL, NULL);

-- ---- Figures 4.8 and 4.9: all pages fit ----
CREATE TEMP TABLE service(suffix, words);
INSERT INTO service VALUES ('', 'one fault after the other'), ('+each', 'each fault by itself');
INSERT INTO ratio SELECT '## All pages fit (Figure 4.8)', 'Speed over NP; ' || words, 'each', upper(value) || suffix, 'fit.' || value || suffix, 'fit.np' || suffix, 'cycles', 1, iif(suffix = '', 'speed over NP', NULL)
FROM service, json_each('["rp", "sp", "tp", "cap"]') j ORDER BY service.rowid, j.id;
INSERT INTO ratio SELECT '## All pages fit (Figure 4.8)', 'Speed of CAP over the others, and over itself with the range that begins with the faulted block; ' || words, 'each', iif(value LIKE '%+ahead', 'CAP, ahead', upper(substr(value, 5))) || suffix, value || suffix, 'fit.cap' || suffix, 'cycles', 0, iif(suffix = '', 'speed of CAP over it', NULL)
FROM service, json_each('["fit.rp", "fit.sp", "fit.tp", "fit.cap+ahead"]') j WHERE suffix = '' OR value <> 'fit.cap+ahead' ORDER BY service.rowid, j.id;
INSERT INTO cell VALUES ('## All pages fit (Figure 4.8)', '![Speed over NP](capture_schemes_fit.svg)', NULL, NULL);
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'Services of faults, NP over the scheme', 'each', upper(value), 'fit.' || value, 'fit.np', 'services', 1, 'faults of NP over it' FROM json_each('["rp", "sp", "tp", "cap"]') ORDER BY id;
INSERT INTO ratio SELECT '## Faults and PCIe (Figure 4.9)', 'KiB of a transfer to the GPU, CAP over the scheme (the paper: prefetches of CAP are 6 times those of TP)', NULL, upper(value), 'fit.cap', 'fit.' || value, 'kib', 0, NULL FROM json_each('["np", "sp", "tp"]') ORDER BY id;
CREATE TEMP TABLE share AS SELECT '## Faults and PCIe (Figure 4.9)' AS section, 'Percent of the pages that came without a service of their own; of the prefetched pages that were used; of the time that the link to the GPU is busy' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM share, json_each('["SP: without a service", "TP", "CAP", "SP: used", "TP", "CAP", "SP: busy", "TP", "CAP"]');
CREATE TEMP VIEW percents AS SELECT kernel, label, j.id AS at, f.id AS what,
    CASE f.value WHEN 'alone' THEN 100.0 - 100.0 * services / (uvm_demand_pages + uvm_prefetched_pages) WHEN 'used' THEN 100.0 * uvm_prefetched_used / nullif(uvm_prefetched_pages, 0) ELSE 100.0 * pcie_read_utilisation END AS x
FROM json_each('["alone", "used", "busy"]') f, json_each('["fit.sp", "fit.tp", "fit.cap"]') j JOIN run_of ON scheme = j.value;
INSERT INTO cell SELECT section, title, label, printf('%.1f', x) FROM share, percents ORDER BY kernel, what, at;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.1f**', avg(x)) FROM share, percents GROUP BY what, at;
INSERT INTO cell SELECT section, title, 'paper', value FROM share, json_each('["-", "-", "99.5", "-", "-", "99.0", "-", "-", "-"]');

-- ---- Figures 4.10 and 4.11: evictors ----
CREATE TEMP TABLE evictor(name, label);
INSERT INTO evictor VALUES ('random', 'RE'), ('sl64', 'SE'), ('lru_2mb', 'NE'), ('tree', 'TE');
INSERT INTO ratio SELECT '## Evictors at 110 % (Figure 4.10)', 'Speed of TURE over the others. TP until memory is full, then no prefetching; ' || words, 'each', label || suffix, 'tp.' || name || suffix, 'tp.ture' || suffix, 'cycles', 0, iif(suffix = '', 'speed of TURE over it', NULL)
FROM service, evictor ORDER BY service.rowid, evictor.rowid;
INSERT INTO ratio SELECT '## Evictors at 110 % (Figure 4.10)', 'TURE counts each access, an ideal, or sees the walks of TLBs of 16 entries: its speed over itself as above', 'each', value, value, 'tp.ture', 'cycles', 1, NULL FROM json_each('["tp.ture+accesses", "tp.ture+tlb16"]') ORDER BY id;
INSERT INTO cell SELECT '## Evictors at 110 % (Figure 4.10)', 'In the paper TURE is 4.6, 2.1 and 4.3 times as fast as RE on 2DCONV, 3DCONV and PATHFINDER, and worse on FDTD-2D, BFS, HOTSPOT and SRAD.', NULL, NULL;
INSERT INTO ratio SELECT '## Faults of these (Figure 4.11)', 'Services of faults, the other over TURE', 'each', label, 'tp.' || name, 'tp.ture', 'services', 0, NULL FROM evictor ORDER BY rowid;

-- ---- Figure 4.12: one size ----
INSERT INTO ratio SELECT '## Prefetches of one size at 110 % (Figure 4.12)', 'Speed over 64 KiB. CAP until memory is full, then so many KiB (the paper: it rises to 512, then falls)', 'each', replace(value, 'capture+kib', ''), value, 'capture+kib64', 'cycles', 1, NULL
FROM json_each('["capture+kib128", "capture+kib256", "capture", "capture+kib1024"]') ORDER BY id;

-- ---- Figure 4.13: all together ----
CREATE TEMP TABLE pair(name, label);
INSERT INTO pair VALUES ('rpre', 'RPRE'), ('spse', 'SPSE'), ('tpte', 'TPTE'), ('tpne', 'TPNE');
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'Speed of CAPTURE over the others; ' || words, 'each', label || suffix, name || suffix, 'capture' || suffix, 'cycles', 0, iif(suffix = '', 'speed of CAPTURE over it', NULL) FROM service, pair ORDER BY service.rowid, pair.rowid;
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'CAPTURE counts each access, an ideal: its speed over itself as above. With TLBs of 16 entries: its speed over TPNE with them', 'each', col, scheme, base, 'cycles', 1, NULL
FROM (SELECT 'accesses' AS col, 'capture+accesses' AS scheme, 'capture' AS base UNION ALL SELECT 'TPNE, TLBs of 16', 'capture+tlb16', 'tpne+tlb16');
INSERT INTO cell VALUES ('## CAPTURE at 110 % (Figure 4.13)', '![Time over CAPTURE](capture_schemes_all.svg)', NULL, NULL);
INSERT INTO ratio SELECT '## CAPTURE at 110 % (Figure 4.13)', 'Services of faults, the other over CAPTURE', 'each', label, name, 'capture', 'services', 0, NULL FROM pair ORDER BY rowid;
CREATE TEMP TABLE left AS SELECT '## CAPTURE at 110 % (Figure 4.13)' AS section, 'Blocks that leave, by why: the coalescing table was full; it was asked; it had no more. Then pages that expired, and of these recalled; leases that were granted' AS title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM left, json_each('["full", "asked", "least recently used", "expired", "recalled", "leases"]');
INSERT INTO cell SELECT section, title, label, printf('%d | %d | %d | %d | %d | %d', ture_out_full, ture_out_taken, ture_out_lru, ture_expired, ture_recalled_pages, lease_updates) FROM left, run_of WHERE scheme = 'capture' ORDER BY kernel;

-- ---- Figure 4.14, section 4.7 ----
INSERT INTO ratio SELECT '## By oversubscription (Figure 4.14)', 'Time of CAPTURE over that at 110 % (the paper: no change for streaming kernels, a small rise for the others)', 'each', col, scheme, 'capture', 'cycles', 0, NULL
FROM (SELECT '120 %' AS col, 'capture+83' AS scheme UNION ALL SELECT '140 %', 'capture+71');
INSERT INTO ratio SELECT '## Page walks (section 4.7)', 'Time with walks of 50 and 150 cycles over that with 100 (the paper: less than 0.01 %)', NULL, value, value, substr(value, 1, instr(value, '+') - 1), 'cycles', 0, NULL
FROM json_each('["tpne+walk50", "tpne+walk150", "capture+walk50", "capture+walk150"]') ORDER BY id;
INSERT INTO cell SELECT * FROM ratio_cell;
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
SELECT iif(line > 1 AND at = 1, char(10, 10), '') || replace(name, 'fdtd2d', 'FDTD-2D') || ' ' || (page - first) || ' ' || n FROM (
    SELECT j.id AS line, j.value AS name, page, n, min(page) OVER w AS first, row_number() OVER w AS at
    FROM json_each('["atax", "fdtd2d", "hotspot", "ra"]') j JOIN refers r ON substr(r.workload, 1, instr(r.workload || ':', ':') - 1) = j.value WHERE page % 16 = 0
    WINDOW w AS (PARTITION BY j.id ORDER BY page)) ORDER BY line, page;
