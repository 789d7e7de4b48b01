-- SPDX-License-Identifier: Apache-2.0
-- Bandwidth of DRAM, L2 and L1D and cycles of strided loads, compared with those of cards. A value of ours is that of the work by which two
-- runs differ. `number` has the numbers of a workload's size.
CREATE TEMP TABLE number AS
SELECT r.study, r.config, substr(r.workload, 1, instr(r.workload, ':') - 1) AS workload, j.value ->> 0 AS a, j.value ->> 1 AS b, j.value ->> 2 AS c, r.cycles,
    CAST((SELECT value FROM config_value v JOIN run ON run.config = v.config WHERE run.id = r.run AND key = 'clock.sm_mhz') AS REAL) AS mhz
FROM result r JOIN json_each(json_array(json('[' || substr(r.workload, instr(r.workload, ':') + 1) || ']'))) j;
-- Clocks of the SMs of the cards in MHz, and their numbers of SMs.
CREATE TEMP TABLE card(config TEXT PRIMARY KEY, id INTEGER, mhz REAL, sms INTEGER);
INSERT INTO card VALUES ('v100', 1, 1380, 80), ('a100', 2, 1410, 108), ('h100', 3, 1755, 114);
CREATE TEMP TABLE theirs AS
SELECT DISTINCT quantity, substr(group_name, 1, instr(group_name, ':') - 1) AS config, CAST(substr(group_name, instr(group_name, ':') + 1) AS INTEGER) AS x, value AS y
FROM reference WHERE study LIKE 'silicon_bandwidth%';

-- DRAM: GB/s by kernel and threads per CTA.
CREATE TEMP TABLE stream AS
SELECT s.config, s.quantity AS scheme, s.x, s.y AS card, (z.a - n.a) * 8 * iif(z.c = 3, 3, 1) * n.mhz / (z.cycles - n.cycles) / 1000 AS ours
FROM theirs s JOIN number n ON n.workload = 'stream' AND n.config = s.config AND n.b = s.x AND n.c = CASE s.quantity WHEN 'init' THEN 0 WHEN 'read' THEN 1 WHEN 'triad' THEN 3 END
JOIN number z ON z.workload = 'stream' AND z.config = n.config AND z.b = n.b AND z.c = n.c AND z.a > n.a;
-- Caches: bytes per cycle and SM by footprint.
CREATE TEMP TABLE cached AS
SELECT s.config, s.x, s.y * 1000 / c.mhz / c.sms AS card, 1024.0 * s.x * (z.b - n.b) / (z.cycles - n.cycles) AS ours
FROM theirs s JOIN card c USING (config) JOIN number n ON n.workload = 'cached' AND n.config = s.config AND n.a = s.x
JOIN number z ON z.workload = 'cached' AND z.config = n.config AND z.a = n.a AND z.b > n.b WHERE s.quantity = 'cached';
-- Strides: cycles of a load of a warp by stride.
CREATE TEMP TABLE strided AS
SELECT s.config, s.x, s.y AS card, 1.0 * (z.cycles - n.cycles) / (z.b - n.b) / 256 AS ours
FROM theirs s JOIN number n ON n.workload = 'strides' AND n.config = s.config AND n.a = s.x
JOIN number z ON z.workload = 'strides' AND z.a = n.a AND z.b > n.b WHERE s.quantity = 'strides';
-- Shared memory: cycles of an iteration of a warp by words in one bank. The cards ran 100 launches of 10,000 iterations, in ms; 1280 CTAs of 8
-- warps are 16 on each SM of a V100, and 12 on most of an A100. The clock of the V100 is unknown: at 1435 MHz, 8 words take 65 cycles, as on
-- the A100.
CREATE TEMP TABLE conflict AS
SELECT s.config, s.x, s.y * 1000 * iif(s.config = 'v100', 1435, c.mhz) / 1e6 / (8.0 * ((1280 + c.sms - 1) / c.sms)) AS card, 1.0 * (z.cycles - n.cycles) / (z.b - n.b) / 8 / (n.c / c.sms) AS ours
FROM theirs s JOIN card c USING (config) JOIN number n ON n.workload = 'conflicts' AND n.config = s.config AND n.a = s.x
JOIN number z ON z.workload = 'conflicts' AND z.config = n.config AND z.a = n.a AND z.b > n.b WHERE s.quantity = 'conflicts';

SELECT '# Bandwidth beside real cards

Written by `sim/experiments/experiment.sh silicon_bandwidth`. Cards: te42kyfo/gpu-benches, gpu-stream (Tesla V100, A100 40 GB, H100 PCIe), gpu-cache (Tesla V100, A100 80 GB, H100 PCIe) and gpu-strides (A100); kzwrime/gpu_shm_microbench (V100, A100). Cells are card / MemTwin.';
-- At 280 KiB, the H100 still hits in part of its L1D.
CREATE TEMP VIEW plateaus AS SELECT '## Plateaus' AS section, 'DRAM: at 2048 threads per SM. L1D: mean from 16 to 112 KiB. L2: at 280 KiB.' AS title;
INSERT INTO cell SELECT section, title, 'machine, level', value FROM plateaus, json_each('["unit", "card", "MemTwin", "error, %"]');
INSERT INTO cell SELECT section, title, config || ', ' || level, printf('%s | %.*f | %.*f | %+.1f', unit, digits, card, digits, ours, 100 * (ours / card - 1)) FROM plateaus,
    (SELECT config, 'DRAM, ' || scheme AS level, 'GB/s' AS unit, 0 AS digits, card, ours, 1 AS part FROM stream WHERE x = 1024
    UNION ALL SELECT config, 'L2', 'B/cycle/SM', 1, card, ours, 2 FROM cached WHERE x = 280 AND config <> 'h100'
    UNION ALL SELECT config, 'L1D', 'B/cycle/SM', 1, avg(card), avg(ours), 3 FROM cached WHERE x <= 112 GROUP BY config) p JOIN card c USING (config)
ORDER BY c.id, part, level;
CREATE TEMP VIEW streams AS SELECT '## DRAM' AS section, 'GB/s by threads per CTA, with two CTAs per SM.' AS title;
INSERT INTO cell SELECT section, title, 'machine, kernel', x FROM streams, (SELECT DISTINCT x FROM stream ORDER BY x);
INSERT INTO cell SELECT section, title, config || ', ' || scheme, printf('%.0f / %.0f', s.card, ours) FROM streams, stream s JOIN card c USING (config) ORDER BY c.id, scheme, x;
CREATE TEMP VIEW caches AS SELECT '## Caches' AS section, 'Bytes per cycle and SM by footprint in KiB.' AS title;
INSERT INTO cell SELECT section, title, 'KiB', config FROM caches, card ORDER BY id;
INSERT INTO cell SELECT section, title, x, printf('%.1f / %.1f', s.card, ours) FROM caches, cached s JOIN card c USING (config) ORDER BY x, c.id;
CREATE TEMP VIEW strides AS SELECT '## Strides' AS section, 'Cycles of a load of a warp by stride in floats.' AS title;
INSERT INTO cell SELECT section, title, 'stride', 'a100' FROM strides;
INSERT INTO cell SELECT section, title, x, printf('%.2f / %.2f', s.card, ours) FROM strides, strided s ORDER BY x;
CREATE TEMP VIEW conflicts AS SELECT '## Bank conflicts' AS section, 'Cycles of 8 loads from shared memory and a store, by words of a warp in one bank.' AS title;
INSERT INTO cell SELECT section, title, 'words', config FROM conflicts, card WHERE config IN (SELECT config FROM conflict) ORDER BY id;
INSERT INTO cell SELECT section, title, x, printf('%.2f / %.2f', s.card, ours) FROM conflicts, conflict s JOIN card c USING (config) ORDER BY x, c.id;
INSERT INTO cell SELECT '## Plot', '![Bandwidth and strides beside real cards](silicon_bandwidth.svg)', NULL, NULL;
SELECT * FROM page;

-- ---- Data of the plots ----
.mode list
.output silicon_bandwidth.stream.dat
SELECT printf('%d %.0f %.0f', x, card, ours) FROM stream WHERE config = 'v100' AND scheme = 'read' ORDER BY x;
.output silicon_bandwidth.cached.dat
SELECT printf('%d %.1f %.1f', x, card, ours) FROM cached WHERE config = 'v100' ORDER BY x;
.output silicon_bandwidth.strides.dat
SELECT printf('%d %.2f %.2f', x, card, ours) FROM strided ORDER BY x;
