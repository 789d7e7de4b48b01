# SPDX-License-Identifier: Apache-2.0
# Storage: modules of rtl/lib that a macro could replace. Each shape is mapped once, and counted as often as it is used. Sourced by synth/flow.bash.
storage='mt_ram_slice|mt_regfile_1rw|mt_regfile_1r1w|mt_regfile_sel_[12]r1w'

# address_bits WORDS: at least 1
address_bits() {
    local bits=1
    while [ $((1 << bits)) -lt "$1" ]; do bits=$((bits + 1)); done
    echo $bits
}

# shape_name MODULE WIDTH DEPTH [PARAM=VALUE]...: MODULE_WxD, with the other parameters where they do not follow from these
shape_name() {
    local s=$1_$2x$3 p
    for p in "${@:4}"; do [ "$p" = "ADDR_W=$(address_bits "$3")" ] || s+=_${p/=/}; done
    echo "$s"
}

# shape MODULE WIDTH DEPTH [PARAM=VALUE]... -> $tmp/SHAPE.json, and the module that was counted, under that name: SHAPE.il
shape() {
    local s p more=''
    s=$(shape_name "$@")
    for p in "${@:4}"; do more+=" -set ${p%%=*} ${p#*=}"; done
    [ ! -e "$tmp/$s.json" ] || return 0
    run_yosys "$s" <<-END
		read_verilog rtl/lib/$1.v
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
    case $1 in mt_regfile_*2r1w) copies=2 ;; esac # a copy for each read port
    [ -z "$FAKERAM" ] || macro=$(macro_per_bit "$2" "$3")
    jq --arg kind "$1" --argjson w "$2" --argjson d "$3" --argjson copies $copies --argjson m "$macro" \
        '.[$kind] + {bits: ($w * $d), macro: (if $m == null then null else $w * $d * $m * $copies end)}' "$tmp/$s.count" >"$tmp/$s.json"
}

# macro_area WIDTH DEPTH: um2 of the macro of just this shape; null without FAKERAM
macro_area() {
    [ -n "$FAKERAM" ] || {
        echo null
        return
    }
    awk '/^ *area *:/ { gsub(/[^0-9.]/, "", $NF); print $NF; exit }' "$FAKERAM/fakeram45_$2x$1.lib"
}

# need_macros WORDSxBITS...: what macro_area will be asked for
need_macros() {
    for f in "$@"; do [ -z "$FAKERAM" ] || [ -r "$FAKERAM/fakeram45_$f.lib" ] || die "no fakeram45_$f.lib in $FAKERAM"; done
}

# nearest_macro WIDTH DEPTH: of the macro nearest in words and bits, um2 a bit and its file
nearest_macro() {
    for f in "$FAKERAM"/fakeram45_*.lib; do
        awk -v w="$1" -v d="$2" -v f="${f##*/fakeram45_}" '
            function far(a, b) { return a > b ? log(a / b) : log(b / a) }
            /^ *area *:/ { split(f, g, /[x.]/); gsub(/[^0-9.]/, "", $NF); print far(w, g[2]) + far(d, g[1]), $NF / (g[1] * g[2]), FILENAME; exit }' "$f"
    done | sort -g | awk 'NR == 1 { print $2, $3 }'
}

# macro_per_bit WIDTH DEPTH: um2 a bit of that macro
macro_per_bit() {
    nearest_macro "$1" "$2" | awk '{ print $1 }'
}

# macro_times WIDTH DEPTH: of that macro, ns from the clock to the word that is read, and ns that inputs come before the clock
macro_times() {
    local file
    file=$(nearest_macro "$1" "$2")
    file=${file#* }
    awk '
        /timing_type/ { hold = /timing_type *: *hold/ }
        /cell_rise|rise_constraint/ && !hold { of = /cell/ ? "access" : "setup" }
        of && /values/ { gsub(/[^0-9.]/, ""); if ($0 > ns[of]) ns[of] = $0; of = "" }
        END { if (!ns["access"] || !ns["setup"]) exit 1; print ns["access"], ns["setup"] }' "$file" || die "${file##*/} has no times of access and setup"
}
