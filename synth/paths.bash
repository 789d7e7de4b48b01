# SPDX-License-Identifier: Apache-2.0
# Periods: a flat netlist mapped for speed, and OpenSTA on it. Sourced by synth/flow.bash.

# ABC's recipes for speed, of which the one with the shortest period is kept: the same logic by another differs by some 5 %. Each flattens the AND-OR
# levels (if -g), and maps for delay with structural choices. Outputs of flip-flops are inputs to ABC: it has to buffer them too (-p).
begin='strash; ifraig; scorr' flat='if -g -K 6; strash' size='topo; buffer -p; upsize {D}; dnsize {D}'
recipes=(
    "$begin; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; $flat; dch; map -B 0.9; $size"
    "$begin; dc2; strash; $flat; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; dch; $flat; dch; map; $size"
)

# map_for_speed NAME: Yosys commands: the design by each recipe -> $tmp/NAME.RECIPE.v and .stat
map_for_speed() {
    local i script
    echo 'design -save unmapped'
    for i in "${!recipes[@]}"; do
        script=${recipes[i]//; /;}
        echo "design -load unmapped
            abc -liberty $lib -constr $tmp/io.constr -D ${PERIOD_PS:-1} -script +${script// /,}
            splitnets
            opt_clean -purge
            tee -q -o $tmp/$1.$i.stat stat -liberty $lib
            write_verilog -noattr -noexpr -nohex -nodec $tmp/$1.$i.v"
    done
}

# critical_path NAME TIMING CUT BLOCK PARAM=VALUE...: the flat design, mapped for speed -> $tmp/NAME.v; its count -> $tmp/NAME.speed. A flip-flop has
# the name of its register, and _reg. Where storage is cut, its pins are ports; $tmp/NAME.cut has what was cut. $tmp/NAME.macro: with TIMING macros and
# FAKERAM, the shortest period with the times of macros, by the recipe that is best with them; else null.
critical_path() {
    local name=$1 timing=$2 cut=$3 block=$4 boxes='' times best macro=null
    shift 4
    [ "$cut" = whole ] || boxes='blackbox *mt_ram_slice*' # each shape, with ports of its width
    run_yosys "$name.fast" <<-END
		$(sources "$block" whole "$@")
		$boxes
		synth -flatten -top $block
		rename -hide t:*mt_ram_slice*
		rename -enumerate -pattern slots% t:*mt_ram_slice*
		dump -m -o $tmp/$name.cut t:*mt_ram_slice* =*mt_ram_slice*
		expose -evert t:*mt_ram_slice*
		delete -port o:*.clk
		rename -wire -suffix _reg t:\$_*FF*
		dfflibmap -liberty $lib
		$(map_for_speed "$name")
	END
    best=$(fastest "$name" "$block") || exit 1
    best=${best#* }
    if [ "$timing" = macros ] && [ -n "$FAKERAM" ]; then
        times=$(ram_times "$name") || exit 1
        macro=$(fastest "$name" "$block" "${times:?no RAM in $name}") || exit 1
    fi
    echo "${macro% *}" >"$tmp/$name.macro"
    mv "$tmp/$name.$best.v" "$tmp/$name.v"
    count "$tmp/$name.$best.stat" >"$tmp/$name.speed"
    rm "$tmp/$name".[0-9]*
}

# fastest NAME BLOCK [TIMES]: of the recipes' netlists, the shortest period in ns and the recipe
fastest() {
    local i ns
    for i in "${!recipes[@]}"; do
        ns=$(slowest "$1.$i" "${@:2}") || exit 1
        echo "$ns $i"
    done | sort -g | sed 1q
}

# time_paths NAME BLOCK [TIMES]: OpenSTA on that netlist, without wires. Paths begin and end at the pins of storage that is cut, or, with its
# TIMES (ram_times), behind them.
time_paths() {
    LIB=$lib NETLIST=$tmp/$1.v TOP=$2 DRIVER=$driver LOAD=$load RAM_TIMES=${3:-} tool sta -exit -no_splash synth/timing.tcl >"$tmp/$1.sta" 2>&1 || true
    ! grep -qi '^error' "$tmp/$1.sta" || die "sta failed at $1: $(grep -i -m1 '^error' "$tmp/$1.sta")"
    grep -q '^setup ' "$tmp/$1.sta" || die "sta found no path in $1"
}

# slowest NAME BLOCK [TIMES]: shortest period of that netlist in ns
slowest() {
    time_paths "$@"
    awk '$1 == "setup" { printf "%.3f\n", $2; exit }' "$tmp/$1.sta"
}

# paths NAME: result of time_paths -> JSON: {min_period_ns, start, end, stages, needs: number of endpoints by the period they need, in 10 ps, hold}
paths() {
    awk '
        function quoted(s) { gsub(/\\/, "", s); return "\"" s "\"" }
        $1 == "setup" { needs[int(sprintf("%.3f", $2) * 100 + 0.9999)]++; if (!n++) printf "{\"min_period_ns\":%.3f,\"start\":%s,\"end\":%s", $2, quoted($3), quoted($4) }
        $1 == "hold" && !held++ { hold = sprintf("{\"slack_ns\":%.3f,\"start\":%s,\"end\":%s}", $2, quoted($3), quoted($4)) }
        $1 == "stage" { stages = stages (stages ? "," : "") sprintf("{\"at\":%s,\"cell\":\"%s\",\"time_ns\":%.3f}", quoted($3), $4, $2) }
        END {
            printf ",\"stages\":[%s],\"hold\":%s,\"endpoints\":%d,\"needs\":{", stages, hold ? hold : "null", n
            for (need in needs) printf "%s\"%d\":%d", sep++ ? "," : "", need, needs[need]
            print "}}"
        }' "$tmp/$1.sta"
}

# ram_times NAME: of each shape of RAM in the design that was mapped: bits of a word and of an address, and macro_times
ram_times() {
    local cell w d times
    while IFS=$'\t' read -r _ _ cell w d _; do
        [ "$cell" = mt_ram_slice ] || continue
        times=$(macro_times "$w" "$d") || exit 1
        echo "$w $(address_bits "$d") $times"
    done <"$tmp/$1.shapes" | sort -u
}
