# SPDX-License-Identifier: Apache-2.0
# Emulates FuseSoC and Edalize for our cores: files in the order of dependencies, then the commands of a target. Sourced from the root.
# FuseSoC itself is not in Debian; its CAPI2 schema is in capi2.jq.

# core_json FILE: prints the core as JSON
core_json() {
    [ "$(head -n 1 "$1")" = 'CAPI=2:' ] || { echo "$1: the first line is not CAPI=2:" >&2; return 1; }
    tail -n +2 "$1" | yq .
}

# core_file ROOT VLN: prints the path of the core of that name
core_file() {
    local file
    for file in "$1"/rtl/*/*.core; do
        grep -q "^name: \"$2:" "$file" && { echo "$file"; return; }
    done
    echo "$2: no such core" >&2
    return 1
}

# core_files ROOT FILE TARGET: prints kind (source, include, user), path, name in the work folder, separated by tabs; each dependency once, before its users
core_files() {
    declare -gA core_seen=()
    core_files_of "$@"
}

core_files_of() {
    local root=$1 file=$2 target=$3 json name
    [ -z "${core_seen[$file]:-}" ] || return 0
    core_seen[$file]=1
    json=$(core_json "$file") || return 1
    while read -r name; do
        core_files_of "$root" "$(core_file "$root" "$name")" default || return 1
    done < <(jq -r --arg t "$target" '. as $c | .targets[$t].filesets[] | $c.filesets[.].depend // [] | .[]' <<<"$json")
    jq -r --arg t "$target" --arg dir "${file%/*}" '. as $c | .targets[$t].filesets[] | $c.filesets[.] | .file_type as $type | .files[]
        | if type == "string" then {key: ., value: {}} else to_entries[0] end
        | (.value.file_type // $type) as $type
        | [if .value.is_include_file then "include" elif $type == "verilogSource-2005" or $type == "systemVerilogSource" then "source" else $type end,
           $dir + "/" + .key, .value.copyto // "-"] | @tsv' <<<"$json"
}

# core_run ROOT FILE TARGET WORK [NAME=VALUE]..: runs the target in the folder WORK; parameters as given to FuseSoC, else the core's defaults
core_run() {
    local root=$1 file=$2 target=$3 work=$4 json tool top kind path copy p
    shift 4
    json=$(core_json "$file") || return 1
    tool=$(jq -r --arg t "$target" '.targets[$t].flow_options.tool' <<<"$json")
    top=$(jq -r --arg t "$target" '.targets[$t].toplevel' <<<"$json")
    core_files "$root" "$file" "$target" >"$work/files" || return 1
    local -A value=()
    while IFS=$'\t' read -r p path; do value[$p]=$path; done < <(jq -r --arg t "$target" '. as $c | .targets[$t].parameters // [] | .[]
        | select($c.parameters[.] | has("default")) | [., $c.parameters[.].default] | @tsv' <<<"$json")
    for p in "$@"; do value[${p%%=*}]=${p#*=}; done
    local options=() sources=() includes=()
    while read -r p; do options+=("$p"); done < <(jq -r --arg t "$target" '.targets[$t].flow_options
        | (.verilator_options // .iverilog_options // []) | .[]' <<<"$json")
    while IFS=$'\t' read -r kind path copy; do
        case $kind in
        source) sources+=("$path") ;;
        include) includes+=("${path%/*}") ;;
        user) cp "$path" "$work/$copy" ;;
        esac
    done <"$work/files"
    "core_$tool" || return 1
}

core_verilator() {
    verilator --lint-only "${options[@]}" "${includes[@]/#/+incdir+}" "${sources[@]}" --top-module "$top" \
        $(for p in "${!value[@]}"; do echo "-G$p=${value[$p]}"; done)
}

core_icarus() {
    iverilog "-s$top" -o "$work/$top" "${options[@]}" "${includes[@]/#/-I}" "${sources[@]}" &&
        (cd "$work" && vvp -n "$top")
}

core_yosys() {
    local script="verilog_defaults -push; verilog_defaults -add -defer; verilog_defaults -add ${includes[*]/#/-I};"
    for p in "${sources[@]}"; do script+=" read_verilog $p;"; done
    for p in "${!value[@]}"; do script+=" chparam -set $p ${value[$p]} $top;"; done
    yosys -q -p "$script verilog_defaults -pop; synth_$(jq -r --arg t "$target" '.targets[$t].flow_options.arch' <<<"$json") -top $top; write_json $work/$top.json; stat"
}
