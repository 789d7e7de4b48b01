-- SPDX-License-Identifier: Apache-2.0
-- Study concurrent_kernels.4_variants: LRR, L1Ds of 48 and 96 KB (Figures 43 and 44), and no address arithmetic (bare), with Warped-Slicer's CTAs of the plain machine, and
-- each kernel alone on these machines; DMIL with other rules for no failures, and with wider counters of failures; static limits for a pair of each class (Figure 35).
SELECT text FROM head;
SELECT '[scheme lrr]
cke.quotas = none
sm.scheduler = lrr

[scheme kb48]
cke.quotas = none
l1d.sets = 64

[scheme kb96]
cke.quotas = none
l1d.sets = 128

[scheme bare]
cke.quotas = none
sm.address_insts = 0

[scheme {lrr,kb48,kb96,bare}.qbmi]
base = {}
mil.order = quotas

[scheme {lrr,kb48,kb96,bare}.dmil]
base = {}
mil.limit = dynamic

[scheme dmil.{step,keep}]
cke.quotas = none
mil.limit = dynamic
mil.fallback = {}

[scheme dmil.wide]
cke.quotas = none
mil.limit = dynamic
mil.failure_bits = 20
';
SELECT '[group ' || name || ']
workload = ' || workload || '
cke.partition = ' || max(n) || '
' FROM curve GROUP BY k;
SELECT sizes FROM mix WHERE n = 2 ORDER BY name;
SELECT '[scheme ' || name || ':smil.{1,2,3,4,6,8,12,16,24,none}.{1,2,3,4,6,8,12,16,24,none}]
group = ' || name || '
cke.quotas = none
mil.limit = {1},{2}
' FROM mix WHERE name IN ('pf+bp', 'bp+ks', 'sv+ks');
