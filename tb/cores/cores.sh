#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Generates the FuseSoC cores (CAPI2) of all blocks, the bench and vectors that ship with each core, and the files of tb/sv/sv.sh. A block's files come from its
# file list rtl/BLOCK/BLOCK.f, its parameters from its Verilog and the C model's table (`memtwin list blocks`), which must agree.
#   tb/cores/cores.sh [FOLDER]     writes into this folder, which must exist: FOLDER/rtl/...; default: this tree
# Each folder of rtl/ is one core. A block depends on the cores of other folders, so that two blocks in a design share the files of those cores.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
MEMTWIN=${MEMTWIN:-build/memtwin}
show_help "$@"
to=${1:-.}
[ $# -le 1 ] && [[ $to != -* ]] || { echo 'usage: tb/cores/cores.sh [FOLDER]' >&2; exit 1; }
[ -d "$to" ] || { echo "cores: $to: no such folder" >&2; exit 1; }
. tb/harness/blocks.bash
version=$(sed -n 's/^VERSION := //p' Makefile)
blocks=$(blocks)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

die() {
    echo "cores: $*" >&2
    exit 1
}

# rooms LIST...: prints the folders of rtl/ that contain the files in the lists
rooms() {
    cat "$@" | cut -d/ -f2 | sort -u
}

# own ROOM LIST...: prints the files of a room in the order of the lists
own() {
    local room=$1
    shift
    cat "$@" | awk -v room="rtl/$room/" 'index($0, room) == 1 && !seen[$0]++ { print substr($0, length(room) + 1) }'
}

# verilog_parameters BLOCK: prints NAME, default and description of each parameter, separated by tabs; the description is the comment above it
verilog_parameters() {
    awk '/^\) \(/ { exit }
         /^    \/\/ / { doc = substr($0, 8) }
         /^    parameter / {
             name = $2; value = $0
             sub(/.*= */, "", value); sub(/,$/, "", value)
             print name "\t" value "\t" doc
         }' "rtl/$1/$1.v"
}

# model_parameters BLOCK: prints NAME, default and range of each parameter
model_parameters() {
    "$MEMTWIN" list blocks | awk -v block="$1" '/^[^ ]/ { here = $1 == block } here && /^  / { gsub(/[()]/, "", $3); print $1 "\t" $2 "\t" $3 }'
}

# core_parameters BLOCK: prints NAME, default (empty if derived from other parameters) and description with the range of each parameter
core_parameters() {
    verilog_parameters "$1" >"$tmp/verilog"
    model_parameters "$1" >"$tmp/model"
    awk -F '\t' -v block="$1" -v OFS='\t' '
        function fail(why) { print "cores: " block ": " why >"/dev/stderr"; failed = 1; exit 1 }
        NR == FNR { model[$1] = $2; range[$1] = $3; left++; next }
        $1 in model { left-- }
        !($1 in model) { fail($1 " is in the Verilog only") }
        {
            number = $2 ~ /^-?[0-9]+$/
            if (number && ($1 in model) && $2 != model[$1]) fail($1 " has default " $2 " in the Verilog, " model[$1] " in the model")
            print $1, number ? $2 : "", $3 (number ? "" : "; default " $2) (($1 in range) && $3 !~ /[0-9]/ ? ", " range[$1] : "")
        }
        END { if (!failed && left) fail("a parameter of the model is not in the Verilog") }' "$tmp/model" "$tmp/verilog"
}

# fileset ROOM: prints the Verilog files of a room, include files first
fileset() {
    local file
    for file in "rtl/$1"/*.vh; do
        [ ! -e "$file" ] || echo "      - ${file##*/}: {is_include_file: true}"
    done
    own "$1" $lists | sed 's/^/      - /'
}

head_of() { # ROOM DESCRIPTION
    printf 'CAPI=2:\n# Made by `make cores` from the file lists; a test fails if it is out of date.\n'
    printf 'name: "memtwin:rtl:%s:%s"\ndescription: "%s"\nlicense: Apache-2.0\n\nfilesets:\n  rtl:\n    file_type: verilogSource-2005\n' "$1" "$version" "$2"
}

depend() { # ROOM...
    [ $# -eq 0 ] || printf '    depend:\n'
    [ $# -eq 0 ] || printf '      - "memtwin:rtl:%s"\n' "$@"
}

shared_core() { # ROOM
    head_of "$1" "$(case $1 in
        lib) echo 'Parts shared by all blocks: FIFO pointers, first-one pickers, multiplexers, RAM and register-file wrappers' ;;
        mshr) echo 'Parts shared by dl_mshr, dl_mshr_paper and static_mshr' ;;
        incoming) echo 'Parts shared by in_fifo, bank_queues and cart' ;;
        *) die "rtl/$1 has no description here" ;;
    esac)"
    [ "$1" = lib ] || depend lib
    printf '    files:\n'
    fileset "$1"
    printf '\ntargets:\n  default:\n    filesets: [rtl]\n'
}

block_core() { # BLOCK
    local names
    core_parameters "$1" >"$tmp/parameters"
    names=$(cut -f1 "$tmp/parameters" | paste -sd, | sed 's/,/, /g')
    head_of "$1" "$(sed -n "s|^// $1: \([^.]*\)\..*|\1|p" "rtl/$1/$1.v" | head -1)"
    depend $(rooms "rtl/$1/$1.f" | grep -vx "$1")
    printf '    files:\n'
    lists=rtl/$1/$1.f fileset "$1"
    cat <<END
  bench:
    file_type: verilogSource-2005
    files:
      - sim/$1_bench.v
      - sim/$1.vec: {file_type: user, copyto: $1.vec}
END
    printf '\nparameters:\n'
    awk -F '\t' '{
        printf "  %s:\n    datatype: int\n", $1
        if ($2 != "") printf "    default: %s\n", $2
        printf "    description: \"%s\"\n    paramtype: vlogparam\n", $3
    }' "$tmp/parameters"
    cat <<END

targets:
  default:
    filesets: [rtl]
    toplevel: "is_toplevel? ($1)"
  lint:
    description: "Verilator, all warnings"
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall, --language, 1364-2005]
    filesets: [rtl]
    toplevel: $1
    parameters: [$names]
  sim:
    description: "Recorded vectors in Icarus, in four states; the bench ends with PASS"
    flow: sim
    flow_options:
      tool: icarus
      iverilog_options: [-g2005, -Wall]
    filesets: [rtl, bench]
    toplevel: $1_bench
  synth:
    description: "Yosys, for an iCE40; cells of another library: docs/use/synthesis.md"
    flow: generic
    flow_options:
      tool: yosys
      arch: ice40
      output_format: json
    filesets: [rtl]
    toplevel: $1
    parameters: [$names]
END
}

# around_core BLOCK NAME: prints the core of a wrapper module of a block, which has its own list rtl/BLOCK/NAME.f
around_core() {
    printf 'CAPI=2:\n# Made by `make cores` from the file lists; a test fails if it is out of date.\n'
    printf 'name: "memtwin:rtl:%s:%s"\ndescription: "%s"\nlicense: Apache-2.0\n\n' "$2" "$version" "$(sed -n '2s|^// \([^.]*\)\..*|\1|p' "rtl/$1/$2.v")"
    printf 'filesets:\n  rtl:\n    file_type: verilogSource-2005\n'
    depend "$1" lib
    printf '    files:\n      - %s.v\n\ntargets:\n  default:\n    filesets: [rtl]\n' "$2"
}

sv_core() { # BLOCK
    printf 'CAPI=2:\n# Made by `make cores`; a test fails if it is out of date.\n'
    printf 'name: "memtwin:rtl:%s_sv:%s"\ndescription: "%s behind a SystemVerilog interface, with port assertions bound to it"\nlicense: Apache-2.0\n\n' "$1" "$version" "$1"
    printf 'filesets:\n  sv:\n    file_type: systemVerilogSource\n    depend:\n      - "memtwin:rtl:%s"\n    files:\n' "$1"
    sed -n 's|^rtl/sv/|      - |p' "$to/rtl/sv/$1.f"
    printf '\ntargets:\n  default:\n    filesets: [sv]\n'
}

# bench BLOCK CYCLES NAME=VALUE..: writes the bench and its vectors
bench() {
    local block=$1 cycles=$2 dir=$to/rtl/$1/sim
    shift 2
    "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' "$@") --model-only --cycles "$cycles" --seed 1 --record "$tmp/$block.vec" >"$tmp/log" ||
        die "$block: $(tail -n 1 "$tmp/log")"
    mkdir -p "$dir"
    awk -v block="$block" -f tb/cores/bench.awk "$tmp/$block.vec" >"$dir/${block}_bench.v"
    awk -f tb/cores/vectors.awk "$tmp/$block.vec" >"$dir/$block.vec"
}

tb/sv/sv.sh "$to"
for block in $blocks; do
    sv_core "$block" >"$to/rtl/sv/${block}_sv.core"
    for list in rtl/"$block"/"$block"_*.f; do
        name=${list##*/}
        name=${name%.f}
        [ ! -e "$list" ] || around_core "$block" "$name" >"$to/rtl/$block/$name.core"
    done
done
lists=$(for block in $blocks; do echo "rtl/$block/$block.f"; done)
for room in $(rooms $lists); do
    mkdir -p "$to/rtl/$room"
    if [ -e "rtl/$room/$room.f" ]; then block_core "$room"; else shared_core "$room"; fi >"$tmp/core"
    mv "$tmp/core" "$to/rtl/$room/$room.core"
done
points core >"$tmp/points"
while read -r block _ cycles point; do bench "$block" "$cycles" $point </dev/null; done <"$tmp/points"
