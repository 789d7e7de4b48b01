-- SPDX-License-Identifier: Apache-2.0
-- Page of the study mdb_lockstep.
SELECT '# The Verilog of bpg in lockstep, on fermi15 with mdb_local

Written by `sim/experiments/experiment.sh mdb_lockstep`: each kernel with the Verilog of the bpg of all SMs beside the model, every byte checked.

| kernel | SM cycles | decisions | twins | twin-cycles compared | in motion | differing | loads checked |
|---|---|---|---|---|---|---|---|';
CREATE TEMP TABLE run_of AS
SELECT run.workload, r.cycles, mdb_decisions, twins, compared, evaluated, mismatches, checked_loads FROM result r JOIN run ON run.id = r.run WHERE study = 'mdb_lockstep' ORDER BY n;
SELECT printf('| %s | %d | %d | %d | %d | %d | %d | %d |', workload, cycles, mdb_decisions, twins, compared, evaluated, mismatches, checked_loads) FROM run_of;
SELECT printf('| **all** | **%d** | **%d** | | **%d** | **%d** | **%d** | **%d** |', sum(cycles), sum(mdb_decisions), sum(compared), sum(evaluated), sum(mismatches), sum(checked_loads)) FROM run_of;
