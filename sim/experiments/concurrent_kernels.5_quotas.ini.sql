-- SPDX-License-Identifier: Apache-2.0
-- Study concurrent_kernels.5_quotas: the pairs with SMK's quotas of 100 and 10,000 cycles; those of concurrent_kernels.2_pairs are of 1,000.
SELECT text FROM head;
CREATE TEMP TABLE pair AS SELECT name, workload, quotas FROM sliced WHERE rank = 1 AND name NOT LIKE '%+%+%';
SELECT '[group ' || name || ']
workload = ' || workload || '
' FROM pair ORDER BY name;
SELECT '[scheme ' || name || ':smk.w' || length || ']
group = ' || name || '
cke.partition = smk
cke.quotas = ' || (SELECT group_concat(max(1, CAST(round(value * length / 1000.0) AS INTEGER))) FROM json_each('[' || quotas || ']')) || '
' FROM pair JOIN (SELECT 100 AS length UNION ALL SELECT 10000) ORDER BY name, length;
