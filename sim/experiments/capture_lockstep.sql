-- SPDX-License-Identifier: Apache-2.0
-- Page of the study capture_lockstep.
SELECT '# The Verilog of cap, lease and expiry in lockstep, on uvm28 with CAPTURE

Written by `sim/experiments/experiment.sh capture_lockstep`: each kernel, by the percentage of its pages that fit into GPU memory, with the Verilog of the three blocks in lockstep and every byte checked.

| kernel | fit, % | SM cycles | prefetch sizes | leases | pages expired | blocks recalled | twin-cycles compared | in motion | differing | loads checked |
|---|---|---|---|---|---|---|---|---|---|---|';
CREATE TEMP TABLE run_of AS
SELECT run.workload, axes ->> '$."uvm.memory_percent"' AS fit, r.cycles, cap_queries, lease_updates, ture_expired, ture_recalls, compared, evaluated, mismatches, checked_loads
FROM result r JOIN run ON run.id = r.run WHERE study = 'capture_lockstep' ORDER BY n;
SELECT printf('| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |', workload, fit, cycles, cap_queries, lease_updates, ture_expired, ture_recalls, compared, evaluated, mismatches, checked_loads) FROM run_of;
SELECT printf('| **all** | | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** |', sum(cycles), sum(cap_queries), sum(lease_updates), sum(ture_expired), sum(ture_recalls), sum(compared), sum(evaluated), sum(mismatches), sum(checked_loads)) FROM run_of;
