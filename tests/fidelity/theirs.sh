#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# fidelity.sh --theirs with a dummy for Accel-Sim: its configuration, the figures read, errors, and an interrupt.
. tests/lib.bash
folder=$work/framework gpu=$work/framework/gpu-simulator
theirs=(sim/experiments/fidelity.sh --theirs "$folder")
export SEEN=$work/seen TMPDIR=$work/tmp
mkdir "$TMPDIR"
expect_line 1 "$folder: no such folder" "${theirs[@]}"
mkdir -p "$gpu/bin/release"
expect_line 1 "$folder: no gpu-simulator/bin/release/accel-sim.out" "${theirs[@]}" gtx480 m_bar
# The trace must be at the path of -trace, and the folder must have the configuration.
cat >"$gpu/bin/release/accel-sim.out" <<'END'
#!/bin/bash
{ echo "$@" && cat gpgpusim.config "$2" "${2%/*}/$(tail -n 1 "$2")"; } >"$SEEN"
[ -z "${SLEEP:-}" ] || { touch "$SEEN.up" && exec sleep 60; }
grep -q '^kernel' "$2" || { echo "GPGPU-Sim: *** exit detected ***" && exit; }
for n in 1 2; do
    echo "gpu_sim_cycle = 7"
    echo "gpu_tot_sim_cycle = $((100 * n))"
    for c in Total_core L2; do
        for t in GLOBAL_ACC_R GLOBAL_ACC_W INST_ACC_R; do
            for s in HIT MISS SECTOR_MISS MSHR_HIT; do echo "	${c}_cache_stats_breakdown[$t][$s] = $n"; done
        done
    done
    echo "n_cmd=9 n_req=9 n_rd=$((20 * n)) n_rd_L2_A=5 n_write=3"
    echo "n_cmd=9 n_req=9 n_rd=$((30 * n)) n_rd_L2_A=5 n_write=3"
done
[ -z "${BREAK:-}" ] || { echo "deadlock detected" && exit "$BREAK"; }
echo "GPGPU-Sim: *** exit detected ***"
END
chmod +x "$gpu/bin/release/accel-sim.out"
expect_line 1 "$folder: no libcudart.so" "${theirs[@]}" gtx480 m_bar
mkdir -p "$gpu/gpgpu-sim/lib/gcc/cuda/release"
touch "$gpu/gpgpu-sim/lib/gcc/cuda/release/libcudart.so"
expect_line 1 "SM2_GTX480: no gpgpusim.config" "${theirs[@]}" gtx480 m_bar
for name in SM2_GTX480 SM6_TITANX SM7_QV100 SM7_TITANV SM75_RTX2060 SM86_RTX3070 SM90_H100; do
    mkdir -p "$gpu/gpgpu-sim/configs/tested-cfgs/$name" "$gpu/configs/tested-cfgs/$name"
    printf -- '-gpgpu_n_clusters 1\n-power_simulation_enabled 1\n-gpuwattch_xml_file x.xml\n' >"$gpu/gpgpu-sim/configs/tested-cfgs/$name/gpgpusim.config"
done
expect_line 1 "trace.config: no such file" "${theirs[@]}" titanx m_bar
touch "$gpu"/configs/tested-cfgs/{SM6_TITANX,SM7_QV100,SM7_TITANV,SM75_RTX2060,SM86_RTX3070,SM90_H100}/trace.config

# One kernel of the table, one that is not in it, and a micro trace.
expect 0 "${theirs[@]}" gtx480 atax:128 atax:64
[ "$(cat "$work/out")" = "A gtx480 atax:128 200 4 8 100
- gtx480 atax:64 200 4 8 100" ] || complain "rows: $(cat "$work/out")"
! grep -q 'gpuwattch\|power_sim' "$SEEN" && grep -q n_clusters "$SEEN" || complain "gtx480's configuration: $(cat "$SEEN")"
expect 0 "${theirs[@]}" titanx m_bar
[ "$(cat "$work/out")" = "micro titanx m_bar 200 4 8 100" ] || complain "a micro trace: $(cat "$work/out")"
grep -q ' -config gpgpusim.config -config trace.config -gpgpu_kernel_launch_latency 0$' "$SEEN" && grep -q 'kernel name = m_bar' "$SEEN" || complain "titanx: $(head -n 30 "$SEEN")"
expect 0 "${theirs[@]}" sm90_h100 m_bar
[ "$(cat "$work/out")" = "micro sm90_h100 m_bar 200 4 8 50" ] || complain "reads of 16 B: $(cat "$work/out")"
grep -q ' -gpgpu_memory_partition_indexing 0$' "$SEEN" || complain "sm90_h100: $(head -n 1 "$SEEN")"
expect 0 "${theirs[@]}" m_empty1
[ "$(wc -l <"$work/out")" -eq 7 ] || complain "all machines: $(cat "$work/out")"

# A trace of modern.txt, its copies and its kernels.
expect 0 "${theirs[@]}" rtx2060 modern:copied
[ "$(cat "$work/out")" = "- rtx2060 modern:copied 200 4 8 100" ] || complain "a trace with copies: $(cat "$work/out")"
[ "$(grep -c '^MemcpyHtoD' "$SEEN")" -eq 2 ] && grep -q 'kernel name = saxpy_small' "$SEEN" || complain "copied: $(grep -v ffffffff "$SEEN" | head -n 20)"
expect_line 1 "none: no such trace" "${theirs[@]}" qv100 modern:none

# A run that fails or does not end gives no row.
BREAK=134 expect_line 1 "m_bar on gtx480: Accel-Sim failed: deadlock detected" "${theirs[@]}" gtx480 m_bar
BREAK=0 expect_line 1 "m_bar on gtx480: Accel-Sim did not end well" "${theirs[@]}" gtx480 m_bar
expect_line 1 "m_none: no such micro trace" "${theirs[@]}" gtx480 m_none
expect 1 sim/experiments/fidelity.sh --theirs

# After Ctrl-C there is no row and no leftover file.
SLEEP=1 setsid --fork bash -c 'trap - INT; echo $$ >"$0"; exec "$@"' "$work/pid" "${theirs[@]}" gtx480 m_bar >"$work/row" 2>/dev/null
for _ in {1..100}; do [ -e "$SEEN.up" ] && break || sleep 0.1; done
[ -e "$SEEN.up" ] || complain "Accel-Sim does not start"
kill -INT -- "-$(cat "$work/pid")"
for _ in {1..50}; do kill -0 "$(cat "$work/pid")" 2>/dev/null && sleep 0.1 || break; done
! kill -0 "$(cat "$work/pid")" 2>/dev/null || complain "an interrupt does not end it"
[ ! -s "$work/row" ] || complain "a row of a run that was interrupted: $(cat "$work/row")"
[ -z "$(ls "$TMPDIR")" ] || complain "left behind: $(ls "$TMPDIR")"
finish
