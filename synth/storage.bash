# SPDX-License-Identifier: Apache-2.0
# Storage: rtl/lib modules that a macro could replace. Each shape is mapped once and counted once per instance. A RAM is measured in slices of
# at most 64 bits: synth/mt_ram_1r1w.v replaces the RAM, and mt_ram_slice is the RAM under another name. Sourced by synth/flow.bash.
storage='mt_ram_slice|mt_regfile_1rw|mt_regfile_1r1w|mt_regfile_sel_[12]r1w'

# slice_file FILE: writes the module mt_ram_slice, and sets $slice to FILE
slice_file() {
    slice=$1
    sed 's/^module mt_ram_1r1w /module mt_ram_slice /' rtl/lib/mt_ram_1r1w.v >"$slice"
    grep -q '^module mt_ram_slice ' "$slice" || die "no module mt_ram_1r1w in rtl/lib/mt_ram_1r1w.v"
}

# measured_files BLOCK: prints its Verilog files, with the RAM in slices
measured_files() {
    sed "s|^rtl/lib/mt_ram_1r1w\.v\$|$slice\nsynth/mt_ram_1r1w.v|" "rtl/$1/$1.f"
}

# storage_file MODULE: prints the file of a storage module
storage_file() {
    case $1 in mt_ram_slice) echo "$slice" ;; *) echo "rtl/lib/$1.v" ;; esac
}

# address_bits WORDS: at least 1
address_bits() {
    local bits=1
    while [ $((1 << bits)) -lt "$1" ]; do bits=$((bits + 1)); done
    echo $bits
}

# shape_name MODULE WIDTH DEPTH [PARAM=VALUE]...: prints MODULE_WxD, with the other parameters unless they follow from these
shape_name() {
    local s=$1_$2x$3 p
    for p in "${@:4}"; do [ "$p" = "ADDR_W=$(address_bits "$3")" ] || s+=_${p/=/}; done
    echo "$s"
}

# shape MODULE WIDTH DEPTH [PARAM=VALUE]... -> $tmp/SHAPE.json, and the counted module under that name: SHAPE.il
shape() {
    local s p more=''
    s=$(shape_name "$@")
    for p in "${@:4}"; do more+=" -set ${p%%=*} ${p#*=}"; done
    [ ! -e "$tmp/$s.json" ] || return 0
    run_yosys "$s" <<-END
		read_verilog $(storage_file "$1")
		chparam -set WIDTH $2 -set DEPTH $3 $more $1
		hierarchy -check -top $1
		synth -top $1 -run :fine
		$(to_gates)
		dfflibmap -liberty $lib
		abc -liberty $lib
		opt_clean -purge
		stat -liberty $lib
		rename $1 $s
		write_rtlil $tmp/$s.il
	END
    count "$tmp/$s.log" >"$tmp/$s.count"
    local macro=null copies=1
    case $1 in mt_regfile_*2r1w) copies=2 ;; esac # one copy per read port
    [ -z "$FAKERAM" ] || macro=$(macro_per_bit "$2" "$3")
    jq --arg kind "$1" --argjson w "$2" --argjson d "$3" --argjson copies $copies --argjson m "$macro" \
        '.[$kind] + {bits: ($w * $d), macro: (if $m == null then null else $w * $d * $m * $copies end)}' "$tmp/$s.count" >"$tmp/$s.json"
}

# macro_area WIDTH DEPTH: um2 of the macro of exactly this shape; null without FAKERAM
macro_area() {
    [ -n "$FAKERAM" ] || {
        echo null
        return
    }
    awk '/^ *area *:/ { gsub(/[^0-9.]/, "", $NF); print $NF; exit }' "$FAKERAM/fakeram45_$2x$1.lib"
}

# need_macros WORDSxBITS...: checks that the macros needed by macro_area exist
need_macros() {
    for f in "$@"; do [ -z "$FAKERAM" ] || [ -r "$FAKERAM/fakeram45_$f.lib" ] || die "no fakeram45_$f.lib in $FAKERAM"; done
}

# nearest_macro WIDTH DEPTH: um2 per bit and file of the macro nearest in words and bits
nearest_macro() {
    for f in "$FAKERAM"/fakeram45_*.lib; do
        awk -v w="$1" -v d="$2" -v f="${f##*/fakeram45_}" '
            function far(a, b) { return a > b ? log(a / b) : log(b / a) }
            /^ *area *:/ { split(f, g, /[x.]/); gsub(/[^0-9.]/, "", $NF); print far(w, g[2]) + far(d, g[1]), $NF / (g[1] * g[2]), FILENAME; exit }' "$f"
    done | sort -g | awk 'NR == 1 { print $2, $3 }'
}

# macro_per_bit WIDTH DEPTH: um2 per bit of that macro
macro_per_bit() {
    nearest_macro "$1" "$2" | awk '{ print $1 }'
}

# macro_times WIDTH DEPTH: access time and input setup time of that macro, in ns
macro_times() {
    local file
    file=$(nearest_macro "$1" "$2")
    file=${file#* }
    awk '
        /timing_type/ { hold = /timing_type *: *hold/ }
        /cell_rise|rise_constraint/ && !hold { of = /cell/ ? "access" : "setup" }
        of && /values/ { gsub(/[^0-9.]/, ""); if ($0 > ns[of]) ns[of] = $0; of = "" }
        END { if (!ns["access"] || !ns["setup"]) exit 1; print ns["access"], ns["setup"] }' "$file" || die "${file##*/} has no access and setup times"
}
