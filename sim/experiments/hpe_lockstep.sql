-- SPDX-License-Identifier: Apache-2.0
-- Page of the study hpe_lockstep.
SELECT '# The Verilog of the HIR cache in lockstep, on hpe15 with HPE

Written by `sim/experiments/experiment.sh hpe_lockstep`: each kernel, by the percentage of the pages it touches that fit into GPU memory, with the Verilog of the HIR cache in lockstep and every byte checked.

| kernel | memory | SM cycles | evictions | walk hits told | transfers | entries | lost | cycles compared | in motion | differing | loads checked |
|---|---|---|---|---|---|---|---|---|---|---|---|';
CREATE TEMP TABLE run_of AS
SELECT run.workload, r.* , compared, evaluated, mismatches, checked_loads FROM result r JOIN run ON run.id = r.run WHERE study = 'hpe_lockstep' AND scheme <> 'whole' ORDER BY n;
SELECT printf('| %s | %s %% | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |', workload, scheme, cycles, uvm_evictions, gmmu_walk_reports, hir_transfers, hir_entries, hir_losses,
    compared, evaluated, mismatches, checked_loads) FROM run_of;
SELECT printf('| **all** | | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** |', sum(cycles), sum(uvm_evictions), sum(gmmu_walk_reports),
    sum(hir_transfers), sum(hir_entries), sum(hir_losses), sum(compared), sum(evaluated), sum(mismatches), sum(checked_loads)) FROM run_of;
