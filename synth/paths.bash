# SPDX-License-Identifier: Apache-2.0
# Clock periods: a flat netlist mapped for speed, timed by OpenSTA. Sourced by synth/flow.bash.

# ABC's recipes for speed; the one with the shortest period is used, as results differ by some 5 %. Each flattens the AND-OR levels (with
# -g) and maps for delay with structural choices. Flip-flop outputs are inputs to ABC, so it must buffer them too (-p).
begin='strash; ifraig; scorr' flat='if -g -K 6; strash' size='topo; buffer -p; upsize {D}; dnsize {D}'
recipes=(
    "$begin; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; $flat; dch; map -B 0.9; $size"
    "$begin; dc2; strash; $flat; $flat; $flat; dch; map; $size"
    "$begin; dc2; strash; $flat; dch; $flat; dch; map; $size"
)

# map_for_speed NAME: Yosys commands that map the design by each recipe -> $tmp/NAME.RECIPE.v and .stat
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

# critical_path NAME TIMING CUT BLOCK PARAM=VALUE...: the flat design, mapped for speed -> $tmp/NAME.v; its counts -> $tmp/NAME.speed. A
# flip-flop is named after its register, with suffix _reg. State machines keep the encoding of the Verilog, so that registers match in a
# proof. The pins of cut storage are ports; $tmp/NAME.cut lists that storage.
# $tmp/NAME.macro: with TIMING macros and FAKERAM, the netlist with the shortest period with macro delays: {period_ns, wire_period_ns, area}; else {}.
critical_path() {
    local name=$1 timing=$2 cut=$3 block=$4 boxes='' times best ns wire_ns
    shift 4
    [ "$cut" = whole ] || boxes='blackbox *mt_ram_slice*' # each shape, with ports of its width
    run_yosys "$name.fast" <<-END
		$(sources "$block" whole "$@")
		$boxes
		synth -flatten -nofsm -top $block
		rename -hide t:*mt_ram_slice*
		rename -enumerate -pattern slots% t:*mt_ram_slice*
		dump -m -o $tmp/$name.cut t:*mt_ram_slice* =*mt_ram_slice*
		expose -evert t:*mt_ram_slice*
		delete -port o:*.clk
		rename -wire -suffix _reg t:\$_*FF*
		dfflibmap -liberty $lib
		$(map_for_speed "$name")
	END
    echo '{}' >"$tmp/$name.macro"
    if [ "$timing" = macros ] && [ -n "$FAKERAM" ]; then
        times=$(ram_times "$name") || exit 1
        best=$(fastest "$name" "$block" "${times:?no RAM in $name}") || exit 1
        read -r ns wire_ns best <<<"$best"
        count "$tmp/$name.$best.stat" | jq -c --argjson ns "$ns" --argjson wire_ns "$wire_ns" \
            '{period_ns: $ns, wire_period_ns: $wire_ns, area: (map(.area) | add)}' >"$tmp/$name.macro"
    fi
    best=$(fastest "$name" "$block") || exit 1
    best=${best##* }
    mv "$tmp/$name.$best.v" "$tmp/$name.v"
    count "$tmp/$name.$best.stat" >"$tmp/$name.speed"
    rm "$tmp/$name".[0-9]*
}

# fastest NAME BLOCK [TIMES]: prints the shortest period in ns over the recipes' netlists, that netlist's period with wires, and the recipe
fastest() {
    local i ns
    for i in "${!recipes[@]}"; do
        ns=$(slowest "$1.$i" "${@:2}") || exit 1
        echo "$ns $i"
    done | sort -k 1,1g -k 3,3n | sed 1q
}

# time_paths NAME BLOCK [TIMES]: runs OpenSTA on that netlist, without wires and with the library's wire load. Paths start and end at the
# pins of cut storage or, with its TIMES (ram_times), inside it.
time_paths() {
    LIB=$lib NETLIST=$tmp/$1.v TOP=$2 DRIVER=$driver LOAD=$load RAM_TIMES=${3:-} WIRES=$wires tool sta -exit -no_splash synth/timing.tcl >"$tmp/$1.sta" 2>&1 || true
    ! grep -qi '^error' "$tmp/$1.sta" || die "sta failed at $1: $(grep -i -m1 '^error' "$tmp/$1.sta")"
    grep -q '^setup ' "$tmp/$1.sta" || die "sta found no path in $1"
    [ -z "$wires" ] || grep -q '^wires ' "$tmp/$1.sta" || die "sta failed at $1 with wire load $wires"
}

# slowest NAME BLOCK [TIMES]: prints the shortest period of that netlist in ns, and the one with the library's wire load, or null
slowest() {
    time_paths "$@"
    awk '$1 == "setup" && !n++ { ns = $2 } $1 == "wires" { wires = sprintf("%.3f", $2) } END { printf "%.3f %s\n", ns, wires ? wires : "null" }' "$tmp/$1.sta"
}

# paths NAME: converts the result of time_paths to JSON: {min_period_ns, wire_period_ns: with the library's wire load, or null, start, end,
# stages, needs: number of endpoints per required period, in units of 10 ps, hold}
paths() {
    awk '
        function quoted(s) { gsub(/\\/, "", s); return "\"" s "\"" }
        $1 == "setup" { needs[int(sprintf("%.3f", $2) * 100 + 0.9999)]++; if (!n++) printf "{\"min_period_ns\":%.3f,\"start\":%s,\"end\":%s", $2, quoted($3), quoted($4) }
        $1 == "hold" && !held++ { hold = sprintf("{\"slack_ns\":%.3f,\"start\":%s,\"end\":%s}", $2, quoted($3), quoted($4)) }
        $1 == "stage" { stages = stages (stages ? "," : "") sprintf("{\"at\":%s,\"cell\":\"%s\",\"time_ns\":%.3f}", quoted($3), $4, $2) }
        $1 == "wires" { wires = sprintf("%.3f", $2) }
        END {
            printf ",\"wire_period_ns\":%s,\"stages\":[%s],\"hold\":%s,\"endpoints\":%d,\"needs\":{", wires ? wires : "null", stages, hold ? hold : "null", n
            for (need in needs) printf "%s\"%d\":%d", sep++ ? "," : "", need, needs[need]
            print "}}"
        }' "$tmp/$1.sta"
}

# ram_times NAME: prints for each RAM shape in the mapped design: word width, address width, and macro_times
ram_times() {
    local cell w d times
    while IFS=$'\t' read -r _ _ cell w d _; do
        [ "$cell" = mt_ram_slice ] || continue
        times=$(macro_times "$w" "$d") || exit 1
        echo "$w $(address_bits "$d") $times"
    done <"$tmp/$1.shapes" | sort -u
}
