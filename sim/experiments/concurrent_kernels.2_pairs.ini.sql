-- SPDX-License-Identifier: Apache-2.0
-- Study concurrent_kernels.2_pairs: all pairs of the seven kernels with each partition and limiter (Figures 30 to 40).
SELECT text FROM head;
SELECT '[scheme leftover]
cke.partition = leftover
cke.quotas = none

[scheme spatial]
cke.partition = spatial
cke.quotas = none

[scheme ws]
cke.quotas = none

[scheme smk]
cke.partition = smk
cke.quotas = none

[scheme smk.w]
cke.partition = smk

[scheme ws.ucp]
base = ws
l1d.partition = ucp

[scheme ws.rbmi]
base = ws
mil.order = turns

[scheme {ws,smk}.qbmi]
base = {}
mil.order = quotas

[scheme {ws,smk}.dmil]
base = {}
mil.limit = dynamic

[scheme ws.qbmi+dmil]
base = ws.qbmi
mil.limit = dynamic
';
SELECT text FROM mix WHERE n = 2 ORDER BY name;
