# SPDX-License-Identifier: Apache-2.0
# Proofs of contracts, for run.sh: a module whose Verilog ends with its own contract, under `ifdef FORMAL (docs/results/verification.md).
#   assert (..)         a promise of the module
#   `RULE_<module> (..) an obligation of its user: an assumption in the module under proof, an assertion in instances of it
#   cover (..)          must be reachable under the rules; otherwise the proof is vacuous
# Each has a label. All assertions are proven together, so that one may depend on another.

# sources BLOCK: its Verilog files
sources() {
    sed "s|^rtl/|$RTL/|" "$RTL/$1/$1.f" | tr '\n' ' '
}

# contract_sources MODULE: its Verilog files; a submodule's files are found in the folder of its block
contract_sources() {
    local file
    if [ -f "$RTL/$1/$1.f" ]; then
        sources "$1"
    else
        file=$(echo "$RTL"/*/"$1.v")
        [ -f "$file" ] || die "no module $1"
        { ls "$RTL"/lib/*.v "${file%/*}"/*.v; } | sort -u | tr '\n' ' '
    fi
}

# contract_rules MODULE: a definition of RULE_x for each contract
contract_rules() {
    local file name
    for file in $(grep -lE '^`ifdef FORMAL' "$RTL"/*/*.v); do
        name=$(basename "$file" .v)
        if [ "$name" = "$1" ]; then echo "-DRULE_$name=assume"; else echo "-DRULE_$name=assert"; fi
    done | tr '\n' ' '
}

# contract_model DIR MODULE PARAMETERS [KIND]: writes $1/assert.aig and $1/cover.aig, whose outputs are the assertions and the covers, and
# $1/step.aig, which starts in any state in which all assertions hold. KIND limits it to one of them
contract_model() {
    local p set='' kind map cells other first
    for p in $3; do set+=" -chparam ${p%%=*} ${p#*=}"; done
    {
        echo "read_verilog -formal -defer -I${MEMTWIN_PROJECT:-.} $(printf -- '-I%s ' "$RTL"/*/) $(contract_rules "$2") $(contract_sources "$2")"
        echo "read_verilog -lib tb/formal/formal_cells.v"
        cat <<-END
			hierarchy -check -top $2$set
			proc
			memory_collect
			memory_map
			flatten
			tee -o $1/check.txt check
			delete t:\$cover c:*.* %i
			delete -output
			opt -full
			techmap -map tb/formal/formal_checks.v
			setattr -set keep 1 t:formal_assert t:formal_cover
			techmap
			opt
			dffunmap
			setundef -undriven -anyseq
			design -save checked
		END
        while read -r kind map cells other first; do
            [ "${4:-$kind}" = "$kind" ] || continue
            cat <<-END
				design -load checked
				techmap ${map//:/ }
				setattr -set keep 1 t:formal_bad t:formal_reached
				techmap
				delete $other
				expose -evert $cells
				$first
				aigmap
				opt_clean -purge
				write_aiger -I -L -zinit -map $1/$kind.aim $1/$kind.aig
			END
        done <<-END
			assert -map:tb/formal/formal_map.v t:formal_bad t:formal_reached
			step -D:STEP:-map:tb/formal/formal_map.v t:formal_bad t:formal_reached setattr -unset init w:*
			cover -map:tb/formal/formal_map.v t:formal_reached t:formal_bad
		END
    } >"$1/model.ys"
    tool yosys -q -l "$1/yosys.log" -s "$1/model.ys" >"$1/out" 2>&1 || die "yosys: $(grep -m1 ERROR "$1/out") ($1/yosys.log)"
    # the missing word of a memory, and no other wire, may lack a driver
    ! grep -E '^Warning: ' "$1/check.txt" | grep -vqF '.$memory' || die "$(grep -E '^Warning: ' "$1/check.txt" | grep -vm1 -F '.$memory')"
}

# contract_abc DIR KIND COMMANDS: $1/$2.log. `fold` adds the rules to each output: an output is violated only while the rules hold.
contract_abc() {
    limited 1200 yosys-abc -c "read_aiger $1/$2.aig; fold; $3" >"$1/$2.log" 2>&1 || die "abc failed ($1/$2.log)"
}

# contract_each DIR KIND COMMANDS: like contract_abc for one output at a time, which is faster than all at once; also, bmc3 -a can crash
contract_each() {
    local i script="read_aiger $1/$2.aig; fold; write_aiger $1/$2.fold.aig; "
    for ((i = 0; i < $(output_count "$1" "$2"); i++)); do script+="read_aiger $1/$2.fold.aig; cone -s -O $i; echo output $(output_name "$1" "$2" $i); $3; "; done
    limited 1200 yosys-abc -c "$script" >"$1/$2.log" 2>&1 || die "abc failed ($1/$2.log)"
}

# output_count DIR KIND: number of outputs of a model
output_count() { head -n 1 "$1/$2.aig" | awk '{ print $5 }'; }

# output_name DIR KIND NUMBER: label of an output of a model; constant outputs have no name
output_name() {
    awk -v n="$3" '$1 == "output" && $2 == n { sub(/\.(bad|reached)\.is$/, "", $4); name = $4 } END { print name == "" ? "constant_" n : name }' "$1/$2.aim"
}

# contract_covers DIR: fails if a cover is not reached in 40 cycles; sets verdict
contract_covers() {
    local missed
    contract_each "$1" cover 'bmc3 -F 40 -T 60'
    missed=$(awk '$1 == "output" { name = $2; all[name] } /^Output 0 .*was asserted in frame/ { seen[name] } END { for (name in all) if (!(name in seen)) printf " %s", name }' "$1/cover.log")
    [ -z "$missed" ] || { verdict="EMPTY: not reached:$missed" && return 1; }
}

# contract_bench DIR MODULE PARAMETERS: writes $1/bench.v, which applies the inputs of $1/trace.aiw cycle by cycle; prints them to $1/replay.txt
contract_bench() {
    awk -v module="$2" -v parameters="$(as_verilog "$3")" -v text="$1/replay.txt" '
        FNR == NR { if ($1 == "input") { at[$4, $3] = $2 + 1; if (!($4 in top)) order[++names] = $4; if ($3 >= top[$4]) top[$4] = $3 } next }
        FNR == 1 && FNR != NR {
            print "module bench;"
            for (k = 1; k <= names; k++) {
                printf "    reg [%d:0] %s = 0;\n", top[order[k]], order[k]
                list = list (k > 1 ? ", " : "") "." order[k] "(" order[k] ")"
            }
            print "    " module " #(" parameters ") dut (" list ");"
            print "    initial begin\n        $dumpfile(\"trace.vcd\");\n        $dumpvars(0, dut);"
        }
        !/^[01]/ || FNR == 1 { next }
        {
            s = cycle++ ":"
            printf "       "
            for (k = 1; k <= names; k++) {
                if (order[k] == "clk") continue
                bits = ""
                for (i = top[order[k]]; i >= 0; i--) bits = bits (((order[k], i) in at) ? substr($0, at[order[k], i], 1) : "0")
                s = s " " order[k] " " bits
                printf " %s = \047b%s;", order[k], bits
            }
            print " #5 clk = 1; #5 clk = 0;"
            print s >text
        }
        END { print "    end\nendmodule" }' "$1/assert.aim" "$1/trace.aiw" >"$1/bench.v"
}

# contract_trace DIR MODULE PARAMETERS: finds the shortest violation; writes inputs, label and waveform. Sets verdict
contract_trace() {
    local n
    contract_abc "$1" assert "bmc3 -T ${PATIENCE:-60}; write_cex -a $1/trace.aiw"
    n=$(grep -oE 'Output [0-9]+ of miter "[^"]*" was asserted in frame [0-9]+' "$1/assert.log" | awk '{ print $2, $NF }')
    verdict="NOT PROVEN, and not violated in as many cycles as ${PATIENCE:-60} s allow"
    [ -n "$n" ] || return 0
    verdict="VIOLATED: $(output_name "$1" assert "${n% *}") in cycle ${n#* }: $1/trace.vcd"
    contract_bench "$1" "$2" "$3"
    iverilog -g2005 -I"${MEMTWIN_PROJECT:-.}" $(printf -- '-I%s ' "$RTL"/*/) -s bench -o "$1/bench.vvp" "$1/bench.v" $(contract_sources "$2") &&
        (cd "$1" && vvp -n bench.vvp >/dev/null)
}

# contract DIR MODULE PARAMETERS ENGINE ASSERTIONS COVERS: proves the contract and sets verdict. The numbers must match those of the list,
# which detects an assertion that is no longer read; covers detect rules that contradict each other.
contract() {
    local size reached
    contract_model "$1" "$2" "$3"
    size=$(output_count "$1" assert)
    reached=$(output_count "$1" cover)
    [[ "$size $reached" == "${5:-} ${6:-}" ]] || { verdict="MISCOUNT: $size assertions and $reached covers, and the list says ${5:-none} and ${6:-none}" && return 1; }
    [[ $size -gt 0 && $reached -gt 0 ]] || die "$2 has no assertion or no cover"
    case $4 in
    pdr)
        contract_abc "$1" assert 'orpos; scorr; dc2; scorr; pdr -T 600'
        if grep -q 'Property proved' "$1/assert.log"; then verdict="$size proven, unbounded (pdr)"; fi
        ;;
    induction)
        contract_abc "$1" assert 'orpos; bmc3 -F 2'
        contract_each "$1" step 'bmc3 -F 2 -T 900'
        if grep -q 'No output asserted in 2 frames' "$1/assert.log" && [ "$(grep -c 'No output asserted in 2 frames. .*conf limit' "$1/step.log")" = "$size" ]; then
            verdict="$size proven, unbounded (induction)"
        fi
        ;;
    *) die "no engine '$4'" ;;
    esac
    if [ -z "$verdict" ]; then
        contract_trace "$1" "$2" "$3"
        return 1
    fi
    contract_covers "$1" && verdict+=", $reached reached"
}
