#!/bin/bash
# docs/results/mutation.md from what tb/mutation/mutate.sh has left in build/mutation.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-build/mutation}
DOC=${DOC:-docs/results/mutation.md}
blocks=$(awk -F' *[|]' '!/^#|^[a-z]+ +[a-z_]+:/ && !seen[$1]++ { print $1 }' tb/mutation/points.txt)
for block in $blocks; do
    [ -s "$OUT/$block.json" ] || { echo "report: no $OUT/$block.json: run tb/mutation/mutate.sh" >&2 && exit 1; }
done

files() {
    local block
    for block in $blocks; do echo "$OUT/$block.json"; done
}

per_block() {
    echo '| block | points | mutants | distinct | found | idle | unseen | renames | survived |'
    echo '|---|---|---|---|---|---|---|---|---|'
    jq -r '"| `\(.block)` | \(.points | length) | \(.figures.made) | \(.figures.distinct) | \(.figures.killed) | \(.figures.idle) | \(.figures.unseen) | \(.figures.renames) | \(.figures.survived) |"' $(files)
    jq -rs 'def sum(f): map(.figures | f) | add;
        "| all | \(map(.points | length) | add) | \(sum(.made)) | \(sum(.distinct)) | \(sum(.killed)) | \(sum(.idle)) | \(sum(.unseen)) | \(sum(.renames)) | \(sum(.survived)) |"' $(files)
}

per_point() {
    echo '| block | parameters (others: default) | mutations in all | made | of them | same | copies | found | idle | unseen | renames |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|'
    jq -r '.block as $b | .points[] | "| `\($b)` | `\(.params)` | \(.mutations) | \(.figures.made) | \(100 * .figures.made / .mutations | round) % | \(.figures.same) | \(.figures.copies) | \(.figures.killed) | \(.figures.idle) | \(.figures.unseen) | \(.figures.renames) |"' $(files)
}

# How soon they are found.
soon() {
    jq -rs '[.[].points[].mutants[] | select(.verdict == "killed") | .cycle] as $c
        | def within($n): "\([$c[] | select(. < $n)] | length * 1000 / ($c | length) | round / 10) %";
        "Of all that are found, \(within(10)) are within 10 cycles, \(within(100)) within 100, \(within(1000)) within 1000, \(within(10000)) within 10000; the last one needs \($c | max)."' $(files)
}

# Those that are proven to be no faults, by the line of the Verilog.
proven() { # BLOCK
    echo "### \`$1\`"
    echo
    echo '| source | idle | unseen | renames | mutations: point: mode, port of the cell |'
    echo '|---|---|---|---|---|'
    jq -r '[.points | to_entries[] | (.key + 1) as $n | .value.mutants[] | select(.verdict == "idle" or .verdict == "unseen" or .verdict == "renames") | . + {point: $n}]
        | group_by(.source | sub("\\.[0-9]+-.*"; ""))[]
        | "| `\(.[0].source | sub("\\.[0-9]+-.*"; ""))` | \(map(select(.verdict == "idle")) | length) | \(map(select(.verdict == "unseen")) | length) | \(map(select(.verdict == "renames")) | length) | \(map("\(.point): \(.mode) \(.at)[\(.bit)]") | group_by(.) | map(if length > 1 then "\(.[0]) x\(length)" else .[0] end) | join(", ")) |"' "$OUT/$1.json"
    echo
}

survivors() {
    local left
    left=$(jq -r '.block as $b | .points[] | .params as $p | .mutants[] | select(.verdict == "differs" or .verdict == "open")
        | "* `\($b)` `\($p)`: \(.mode) of \(.at)[\(.bit)], `\(.source)`: \(if .verdict == "open" then "neither found nor proven" else "differs, \(.detail) cycles after a reset at the earliest" end)"' $(files))
    echo "${left:-None.}"
}

{
    cat <<-'END'
		# Would the tests notice a bug?

		Made by `make mutation` (`tb/mutation/mutate.sh`, then `tb/mutation/report.sh`). Each twinned block's Verilog is made wrong in one place at a time, and the lockstep
		test runs against it: the C model and the stimulus of `memtwin cosim BLOCK --cycles 150000 --seed 11`, which is what `make test` runs at every parameter point. A mutant that shows no difference is not
		counted away: it is proven to be no fault, without bound in time, or it fails the run.

	END
    per_block
    cat <<-'END'

		* **mutants**: Yosys `mutate` on the flat netlist of words (adders, multiplexers, registers, memories), before gates are chosen: a bit at a port of a cell inverted, held at 0 or 1, or mixed with another bit of
		  the same port (`inv`, `const0`, `const1`, `cnot0`, `cnot1`). `mutate` spreads its choice over cells, bits and source lines; the seed is fixed. Clocks are not mutated.
		* **distinct**: without those whose graph is that of the block itself (`same` below), or that of another mutant (`copies`): an inverted output is often the same as an inverted input behind it.
		* **found**: a qualified output differs from the model's in some cycle of the test.
		* **idle**: proven: in no state that the block can reach, with no input, does the mutation change an output that is qualified or what a register holds next.
		* **unseen**: proven: registers do differ, but no qualified output ever does.
		* **renames**: not proven in the time given, but no fault by an argument: a bit of a register is inverted, or mixed with another bit, of a tag that is only ever written as it is there and compared with what was written so: all tags get
		  other names, one for one, and every comparison comes out the same (`renaming` in `tb/mutation/points.txt`).
		* **survived**: neither found nor proven.

		## Survivors

	END
    survivors
    echo
    echo '## Points'
    echo
    echo 'They are small, so that proofs end, and together have every option of a block on and off.'
    echo
    per_point
    echo
    soon
    cat <<-'END'

		## How

		1. All mutants of a point are put behind one select (`mutate -ctrl`) of one netlist, which is mapped to an and-inverter graph with Yosys.
		2. `memtwin mutants` (`tb/mutation/`) computes the graph for 256 mutants at once, a bit of a word for each, beside one model and one driver. The netlist without a mutant runs beside them in every batch: it must not
		   differ, and must agree with the port list on every qualifier. All power up with the same random state.
		3. Of what is left: one graph of the block alone, with an output for each mutant that says that it would act here. ABC's `pdr` proves which of them are never 1: **idle**.
		4. Of the others, one at a time: block and mutant have their registers in common, but for those that have been seen to part; `pdr` proves that no other parts and no qualified output differs, or names the next that
		   part, until nothing is left to be shown: **unseen**.
		5. What still is open is searched for a difference in the full miter (`bmc3`).

		The proofs begin after the reset cycle: registers that it sets are set, each by the mutant's own logic; the others hold anything, the same in block and mutant. All inputs are free in each cycle, reset too.

		The tests of this: `tests/mutation/`. A mutant written as Verilog and run by `memtwin cosim` through Verilator differs in the same cycle at the same port; a fault in the Verilog stops the run, since the netlist without
		a mutant differs; a run of two cycles leaves mutants that the proofs then call different. A sample of each block is part of `make test`.

		## Proven to be no faults

		What they are: error detection of states that cannot be reached; upper bits of counts; bits of multiplexers, encoders and masks whose inputs cannot have those values together; conditions that another one implies; what registers
		hold while nobody looks. By the line of the Verilog, with the number of the point:

	END
    for block in $blocks; do proven "$block"; done
} >"$DOC.new"
mv "$DOC.new" "$DOC"
