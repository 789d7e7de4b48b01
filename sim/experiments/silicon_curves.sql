-- SPDX-License-Identifier: Apache-2.0
-- Latency of a load against footprint, compared with those of cards: plateaus, knees and all points.
-- Cycles of a load at a footprint in KiB: of the card, of ours, and of ours with reserved shared memory.
CREATE TEMP TABLE run_of AS
SELECT study, config, CAST(substr(workload, 7) AS INTEGER) AS kib, CAST(substr(workload, instr(workload, ',') + 1) AS INTEGER) AS loads, cycles
FROM result WHERE study IN ('silicon_curves', 'silicon_curves.reserved');
CREATE TEMP TABLE curve AS
SELECT a.config, a.kib, iif(a.study = 'silicon_curves', 'MemTwin', 'reserved') AS who, 1.0 * (b.cycles - a.cycles) / b.loads AS y
FROM run_of a JOIN run_of b USING (study, config, kib) WHERE a.loads = 0 AND b.loads > 0;
INSERT INTO curve SELECT substr(group_name, 1, instr(group_name, ':') - 1), CAST(substr(group_name, instr(group_name, ':') + 1) AS INTEGER), 'card', value
FROM reference WHERE study = 'silicon_curves';

-- Plateaus of the cards, by footprint. The far half of the L2 holds the lines of other partitions.
CREATE TEMP TABLE plateau(config TEXT, id INTEGER, level TEXT, low INTEGER, high INTEGER);
INSERT INTO plateau VALUES ('v100', 1, 'L1D', 15, 106), ('v100', 2, 'L2', 321, 5245), ('v100', 4, 'DRAM', 12381, 75772),
    ('a100', 1, 'L1D', 15, 144), ('a100', 2, 'L2', 321, 18132), ('a100', 3, 'L2, far half', 32129, 38878), ('a100', 4, 'DRAM', 62620, 75772),
    ('h100', 1, 'L1D', 15, 216), ('h100', 2, 'L2', 577, 19946), ('h100', 3, 'L2, far half', 38878, 47045), ('h100', 4, 'DRAM', 75772, 75772);
CREATE TEMP TABLE machine AS SELECT config, min(rowid) AS first FROM plateau GROUP BY config;
CREATE TEMP TABLE level_of AS
SELECT p.config, p.id, p.level, iif(low = high, low, printf('%d to %d', low, high)) AS span, who, avg(y) AS y
FROM plateau p JOIN curve c ON c.config = p.config AND kib BETWEEN low AND high GROUP BY p.config, p.id, who;

-- A knee is the least footprint at which the latency is midway between two plateaus, on the line between two points. Ours has none
-- if its plateaus differ by less than a tenth.
CREATE TEMP TABLE knee_of AS
WITH middle AS (SELECT a.config, a.id, a.level || ' to ' || b.level AS step, a.who, (a.y + b.y) / 2 AS y
        FROM level_of a JOIN level_of b ON b.config = a.config AND b.who = a.who AND b.id = (SELECT min(id) FROM plateau p WHERE p.config = a.config AND p.id > a.id)
        WHERE b.y > 1.1 * a.y),
    piece AS (SELECT config, who, kib, y, lead(kib) OVER w AS next_kib, lead(y) OVER w AS next_y FROM curve WINDOW w AS (PARTITION BY config, who ORDER BY kib))
SELECT m.config, m.id, step, m.who, min(p.kib + (m.y - p.y) / (p.next_y - p.y) * (p.next_kib - p.kib)) AS kib
FROM middle m JOIN piece p ON p.config = m.config AND p.who = m.who AND p.y < m.y AND p.next_y >= m.y GROUP BY m.config, m.id, m.who;

SELECT '# Latency of dependent loads beside real cards

Written by `sim/experiments/experiment.sh silicon_curves`: latency of a load that follows the one before (workload `chase`), in SM cycles. Cards: te42kyfo/gpu-benches, gpu-latency, Tesla V100, A100 (40 GB), H100 PCIe.';
INSERT INTO cell SELECT '## Plateaus', 'Means over the footprints of the plateau.', 'machine, level', value FROM json_each('["KiB", "card", "MemTwin", "error, %"]');
INSERT INTO cell SELECT '## Plateaus', 'Means over the footprints of the plateau.', c.config || ', ' || c.level,
    printf('%s | %.1f | %.1f | %+.1f', c.span, c.y, o.y, 100 * (o.y / c.y - 1))
FROM level_of c JOIN level_of o USING (config, id) JOIN machine USING (config) WHERE c.who = 'card' AND o.who = 'MemTwin' ORDER BY first, c.id;

CREATE TEMP VIEW knees AS SELECT '## Knees' AS section,
    'Footprint, in KiB, at which the latency is midway between two plateaus; "-": none. Reserved: shared memory has at least 32 KiB of the array of the L1D.' AS title;
INSERT INTO cell SELECT section, title, 'machine, knee', value FROM knees, json_each('["card", "MemTwin", "error, %", "reserved", "its error, %"]');
INSERT INTO cell SELECT section, title, c.config || ', ' || c.step, printf('%.0f | %s | %s', c.kib, iif(o.kib, printf('%.0f | %+.1f', o.kib, 100 * (o.kib / c.kib - 1)), '- | -'),
    iif(v.kib, printf('%.0f | %+.1f', v.kib, 100 * (v.kib / c.kib - 1)), '- | -'))
FROM knees, knee_of c JOIN machine USING (config) LEFT JOIN knee_of o ON o.config = c.config AND o.id = c.id AND o.who = 'MemTwin'
    LEFT JOIN knee_of v ON v.config = c.config AND v.id = c.id AND v.who = 'reserved' WHERE c.who = 'card' ORDER BY first, c.id;

-- Cycles of one load from DRAM, with the SMs at the clock of the card.
CREATE TEMP TABLE clocked AS
SELECT config, mhz, 1.0 * (max(cycles) - min(cycles)) / max(CAST(substr(workload, instr(workload, ',') + 1) AS INTEGER)) AS y
FROM (SELECT *, axes ->> '$."clock.sm_mhz"' AS mhz FROM result WHERE study = 'silicon_curves.clock')
WHERE (config, mhz) IN (VALUES ('v100', 1380), ('h100', 1755)) GROUP BY config;
CREATE TEMP VIEW clocks AS SELECT '## DRAM at the clock of the card' AS section, 'SMs, crossbar and L2 of ours at the clock of the SMs of the card.' AS title;
INSERT INTO cell SELECT section, title, 'machine', value FROM clocks, json_each('["MHz", "card", "MemTwin", "error, %"]');
INSERT INTO cell SELECT section, title, config, printf('%s | %.1f | %.1f | %+.1f', mhz, l.y, c.y, 100 * (c.y / l.y - 1))
FROM clocks, clocked c JOIN level_of l USING (config) JOIN machine USING (config) WHERE level = 'DRAM' AND who = 'card' ORDER BY first;

CREATE TEMP VIEW points AS SELECT '## All points' AS section, 'Card / MemTwin, by footprint in KiB.' AS title;
INSERT INTO cell SELECT section, title, 'KiB', config FROM points, machine ORDER BY first;
INSERT INTO cell SELECT section, title, c.kib, printf('%.1f / %.1f', c.y, o.y)
FROM points, curve c JOIN curve o USING (config, kib) JOIN machine USING (config) WHERE c.who = 'card' AND o.who = 'MemTwin' ORDER BY c.kib, first;
INSERT INTO cell SELECT section, '![Latency against footprint](silicon_curves.svg)', NULL, NULL FROM points;

SELECT * FROM page;

-- ---- Data of the plots ----
CREATE TEMP VIEW plot_line AS SELECT c.config, printf('%d %.1f %.1f', kib, c.y, o.y) AS line
FROM curve c JOIN curve o USING (config, kib) WHERE c.who = 'card' AND o.who = 'MemTwin' ORDER BY kib;
.mode list
.output silicon_curves.v100.dat
SELECT line FROM plot_line WHERE config = 'v100';
.output silicon_curves.a100.dat
SELECT line FROM plot_line WHERE config = 'a100';
.output silicon_curves.h100.dat
SELECT line FROM plot_line WHERE config = 'h100';
