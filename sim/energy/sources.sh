#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints the energies per event behind the tables gpuwattch and accelwattch of energy.csv, from a clone of the repository
# accel-sim/gpgpu-sim_distribution: the commits and files that energy.csv names. Takes a minute.
#
#   sim/energy/sources.sh CLONE
set -euo pipefail
[ $# -eq 1 ] && git -C "$1" rev-parse --git-dir >/dev/null 2>&1 || { echo "usage: $0 CLONE" >&2 && exit 1; }
clone=$(realpath "$1")
. "$(dirname "$0")/../../tb/env.bash"
driver=$PWD/sim/energy/events.cpp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# energies COMMIT FOLDER FILE.xml [OPTION]..: builds the power model of FOLDER, without its main.cc, and runs events.cpp. Options with D are for the compiler.
energies() {
    local commit=$1 folder=$2 xml=$3 at=$work/$1 flags=(-std=gnu++98 -fpermissive -w -O1 -DNTHREADS=1 -Icacti -I.) file
    shift 3
    mkdir -p "$at/src/gpgpu-sim"
    git -C "$clone" archive "$commit" "$folder" "$(dirname "$xml")" | tar x -C "$at"
    echo '#include <zlib.h>' >"$at/src/gpgpu-sim/visualizer.h" # declares gzFile only; the original needs the simulator
    cd "$at/$folder"
    # AccelWattch checks a sum that its own rounding fails without events
    sed -i 's/assert("Total Power does not equal.*/;/' gpgpu_sim_wrapper.cc
    if [[ ${1:-} = -D* ]]; then flags+=("$1") && shift; fi
    for file in *.cc cacti/*.cc "$driver"; do
        case $file in main.cc | cacti/main.cc | cacti/highradix.cc | technology_*) continue ;; esac
        g++ "${flags[@]}" -c "$file" -o "$work/$(basename "${file%.*}").o"
    done
    g++ "$work"/*.o -o "$work/events" -lz -lpthread
    echo "$commit $xml"
    "$work/events" "$at/$xml" "$@" | grep -v ^sum_pwr_cmp
    rm "$work"/*.o
}
(energies 24f29469 src/gpuwattch configs/GTX480/gpuwattch_gtx480.xml)
(energies 667834cf src/accelwattch configs/tested-cfgs/SM7_QV100/accelwattch_sass_sim.xml -DACCELWATTCH 1132 80)
