-- SPDX-License-Identifier: Apache-2.0
-- Study concurrent_kernels.3_triples: all triples of the seven kernels (Figures 41 and 42).
SELECT text FROM head;
SELECT '[scheme ws]
cke.quotas = none

[scheme smk]
cke.partition = smk
cke.quotas = none

[scheme smk.w]
cke.partition = smk

[scheme {ws,smk}.qbmi]
base = {}
mil.order = quotas

[scheme {ws,smk}.dmil]
base = {}
mil.limit = dynamic
';
SELECT text FROM mix WHERE n = 3 ORDER BY name;
