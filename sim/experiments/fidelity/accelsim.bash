# SPDX-License-Identifier: Apache-2.0
# Runs Accel-Sim on traces of kernels. Sourced by scripts that have $work, an empty folder of their own, and $MEMTWIN.
data=sim/experiments/fidelity
binary=gpu-simulator/bin/release/accel-sim.out

fail() { # TEXT
    echo "${0##*/}: $*" >&2
    exit 1
}

# Prints the path of a kernel's trace, which is exported at its first use. Accel-Sim skips files with names that do not begin with "kernel".
exported() { # KERNEL: its kernelslist.g
    local trace=$work/${1//[:,]/-}
    [ -d "$trace" ] || case $1 in
        m_*)
            [ -f "$data/micro/$1.traceg.xz" ] || fail "$1: no such micro trace"
            mkdir "$trace" && xz -dc "$data/micro/$1.traceg.xz" >"$trace/kernel-1.traceg" && echo kernel-1.traceg >"$trace/kernelslist.g"
            ;;
        modern:*) "$data/modern_trace.sh" "${1#modern:}" "$trace" ;;
        make:*:*) "$MEMTWIN" trace make "$(cut -d : -f 2 <<<"$1")" --warps "$(cut -d : -f 3 <<<"$1" | cut -d , -f 1)" --scale "${1#*,}" -o "$trace" >/dev/null ;;
        make:*) "$MEMTWIN" trace make "${1#make:}" -o "$trace" >/dev/null ;;
        *) "$MEMTWIN" trace export -w "$1" -o "$trace" >/dev/null ;;
    esac || return
    echo "$trace/kernelslist.g"
}

# Prints the path of a checkout of accel-sim-framework, which must be built.
their_folder() { # FOLDER
    [ -d "$1" ] || fail "$1: no such folder"
    [ -x "$1/$binary" ] || fail "$1: no $binary: build Accel-Sim first"
    realpath "$1"
}

# Copies Accel-Sim's configuration of a machine, and edits it as docs/results/fidelity.md describes.
their_configuration() { # FOLDER CONFIG: the folder to run in
    local name to=$work/accel-sim-$2
    case $2 in
    gtx480) name=SM2_GTX480 ;;
    titanx) name=SM6_TITANX ;;
    qv100) name=SM7_QV100 ;;
    titanv) name=SM7_TITANV ;;
    rtx2060) name=SM75_RTX2060 ;;
    rtx3070) name=SM86_RTX3070 ;;
    sm90_h100) name=SM90_H100 ;;
    esac
    local from=$1/gpu-simulator/gpgpu-sim/configs/tested-cfgs/$name more=$1/gpu-simulator/configs/tested-cfgs/$name/trace.config
    [ -f "$from/gpgpusim.config" ] || fail "$from: no gpgpusim.config"
    cp -rL "$from" "$to"
    sed -i '/^-power_simulation_enabled/d; /^-gpuwattch_xml_file/d; /^-accelwattch/d' "$to/gpgpusim.config"
    if [ "$2" != gtx480 ]; then
        [ -f "$more" ] || fail "$more: no such file"
        cp "$more" "$to/trace.config"
    fi
    echo "$to"
}

# Runs Accel-Sim on a trace, with a launch latency of 0, and prints its output. SM90_H100 runs without its hash of the L2 banks: Accel-Sim has
# none for 160 banks, and stops.
run_theirs() { # FOLDER CONFIG TRACE
    local library more=()
    library=$(find -L "$1/gpu-simulator/gpgpu-sim/lib" -name libcudart.so -print -quit 2>/dev/null) || true
    [ -n "$library" ] || fail "$1: no libcudart.so below gpu-simulator/gpgpu-sim/lib: build Accel-Sim first"
    [ -d "$work/accel-sim-$2" ] || their_configuration "$1" "$2" >/dev/null || exit
    [ "$2" = gtx480 ] || more=(-config trace.config -gpgpu_kernel_launch_latency 0)
    [ "$2" != sm90_h100 ] || more+=(-gpgpu_memory_partition_indexing 0)
    (cd "$work/accel-sim-$2" &&
        LD_LIBRARY_PATH=${library%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$1/$binary" -trace "$3" -config gpgpusim.config "${more[@]}") 2>&1 </dev/null
}

# Statistics are sums over the kernels so far, so only those after the last gpu_tot_sim_cycle count.
their_figures() { # LOG CONFIG: cycles, L1D load misses, L2 read misses including those of instructions, DRAM reads of a sector
    local reads=1
    [ "$2" != sm90_h100 ] || reads=2 # atoms of 16 B
    awk -v reads=$reads '
        /^gpu_tot_sim_cycle = / { cycles = $3; l1 = l2 = dram = 0 }
        /Total_core_cache_stats_breakdown\[(GLOBAL|LOCAL)_ACC_R\]\[(MISS|SECTOR_MISS)\] = / { l1 += $NF }
        /L2_cache_stats_breakdown\[(GLOBAL|LOCAL|INST)_ACC_R\]\[(MISS|SECTOR_MISS)\] = / { l2 += $NF }
        match($0, / n_rd=[0-9]+/) { dram += substr($0, RSTART + 6, RLENGTH - 6) }
        /^GPGPU-Sim: [*]+ exit detected/ { done = 1 }
        END { if (!done || !cycles) exit 1; print cycles, l1, l2, dram / reads }' "$1"
}
