-- SPDX-License-Identifier: Apache-2.0
-- Counters of kernels beside those of a Quadro GV100: errors of each counter, cycles, and all counters. `memtwin compare` made the rows.
.mode csv
.import --schema temp silicon_kernels.rows.csv row
.import --schema temp silicon_kernels.card.csv card
.mode list
CREATE TEMP TABLE pair AS
SELECT rowid AS id, substr(run, instr(run, ' on ') + 4) AS config, kernel, their_kernel, counter, CAST(theirs AS REAL) AS theirs, CAST(ours AS REAL) AS ours,
    iif(error_percent = '', NULL, CAST(error_percent AS REAL)) AS error
FROM row;
DROP TABLE row;
CREATE TEMP TABLE counter AS SELECT counter, min(id) AS first FROM pair GROUP BY counter;
CREATE TEMP TABLE kernel_of AS SELECT kernel, their_kernel, min(id) AS first FROM pair GROUP BY kernel;

SELECT '# Counters of kernels beside a Quadro GV100

Written by `sim/experiments/experiment.sh silicon_kernels` (`memtwin compare`). Card: accel-sim-framework, util/accelwattch/accelwattch_hw_profiler/hw_perf.csv (Kandiah et al. 2021).';

INSERT INTO cell SELECT '## Errors', 'Mean: of the errors without sign of all kernels, in percent. Of the sum: differences without sign, summed over the kernels, in percent of the sum of the card''s values. Kernels whose value is 0 on the card alone are in neither.',
    'counter', value FROM json_each('["kernels", "`qv100`, mean", "`qv100`, of the sum", "`v100`, mean", "`v100`, of the sum"]');
CREATE TEMP VIEW errors AS
SELECT counter, config, count(*) AS n, avg(abs(error)) AS mean, 100 * sum(iif(error IS NULL, 0, abs(ours - theirs))) / sum(theirs) AS of_sum FROM pair GROUP BY counter, config;
INSERT INTO cell SELECT section, title, counter, printf('%d | %.1f | %.1f | %.1f | %.1f', q.n, q.mean, q.of_sum, v.mean, v.of_sum)
FROM (SELECT section, title FROM cell LIMIT 1), counter JOIN errors q USING (counter) JOIN errors v USING (counter)
WHERE q.config = 'qv100' AND v.config = 'v100' ORDER BY first;

CREATE TEMP VIEW both AS
SELECT k.kernel, k.their_kernel, k.first AS of_kernel, c.counter, c.first AS of_counter, q.theirs, q.ours AS qv100, q.error AS qv100_error, v.ours AS v100, v.error AS v100_error
FROM pair q JOIN pair v USING (kernel, counter) JOIN kernel_of k USING (kernel) JOIN counter c USING (counter) WHERE q.config = 'qv100' AND v.config = 'v100';
CREATE TEMP VIEW line AS
SELECT *, printf('%.0f | %.0f | %s | %.0f | %s', theirs, qv100, coalesce(printf('%+.1f', qv100_error), 'none'), v100, coalesce(printf('%+.1f', v100_error), 'none')) AS text FROM both;
INSERT INTO cell SELECT '## ' || c.counter, 'Values of the card and of ours; errors in percent.', 'kernel, of the card', value
FROM counter c, json_each('["card", "`qv100`", "error of `qv100`", "`v100`", "error of `v100`"]') ORDER BY c.first, key;
INSERT INTO cell SELECT '## ' || counter, 'Values of the card and of ours; errors in percent.', kernel || ', `' || their_kernel || '`', text FROM line ORDER BY of_counter, of_kernel;
-- Arithmetic instructions. An instruction takes two cycles of one of the five pipelines.
CREATE TEMP TABLE arithmetic AS
SELECT k.kernel, k.their_kernel, k.first, 5 * 80 / 2 * CAST(c.Pipeline_Duty AS REAL) * CAST(c.Elapsed_Cycles AS REAL) AS theirs,
    avg(d.warp_insts - d.load_insts - d.store_insts - d.shared_insts) AS ours
FROM kernel_of k JOIN card c ON c.Kernel = k.their_kernel JOIN detail d ON d.scope = 'kernel' AND d.name = k.kernel JOIN result r ON r.run = d.run AND r.config = 'qv100'
GROUP BY k.kernel;
CREATE TEMP VIEW about_arithmetic AS SELECT '## Arithmetic' AS section,
    'Warp instructions. Card: Pipeline_Duty x 5 pipelines x 80 SMs x cycles / 2 cycles of a pipeline, without special functions. Ours: all that do not access memory.' AS title;
INSERT INTO cell SELECT section, title, 'kernel, of the card', value FROM about_arithmetic, json_each('["card", "ours", "error, %"]');
INSERT INTO cell SELECT section, title, kernel || ', `' || their_kernel || '`', printf('%.0f | %.0f | %+.1f', theirs, ours, 100 * (ours / theirs - 1)) FROM about_arithmetic, arithmetic ORDER BY first;
INSERT INTO cell VALUES ('## Plot', '![Cycles and sectors beside the card](silicon_kernels.svg)', NULL, NULL);
SELECT * FROM page;

-- ---- Data of the plot ----
.output silicon_kernels.cycles.qv100.dat
SELECT printf('%.0f %.0f', theirs, qv100) FROM both WHERE counter = 'cycles';
.output silicon_kernels.cycles.v100.dat
SELECT printf('%.0f %.0f', theirs, v100) FROM both WHERE counter = 'cycles';
.output silicon_kernels.cycles.card.dat
SELECT printf('%.0f %.0f', theirs, theirs) FROM both WHERE counter = 'cycles' ORDER BY theirs;
.output silicon_kernels.sectors.qv100.dat
SELECT printf('%.0f %.0f', theirs, qv100) FROM both WHERE counter = 'l2_read_sectors' AND theirs > 0 AND qv100 > 0;
.output silicon_kernels.sectors.v100.dat
SELECT printf('%.0f %.0f', theirs, v100) FROM both WHERE counter = 'l2_read_sectors' AND theirs > 0 AND v100 > 0;
.output silicon_kernels.sectors.card.dat
SELECT printf('%.0f %.0f', theirs, theirs) FROM both WHERE counter = 'l2_read_sectors' AND theirs > 0 ORDER BY theirs;
