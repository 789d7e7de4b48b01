#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes build/report/mutation.md from the results of tb/mutation/mutate.sh in build/mutation. They must contain all small points tagged
# mutants with all their mutants, made with the default choice and runs from the current Verilog. If they are incomplete, it prints the reason
# in one line and exits with code 1.
#   tb/mutation/report.sh           writes all sections except that of the points of shipped size, which it keeps
#   tb/mutation/report.sh --large   writes the section of the points of shipped size, from the results of tb/mutation/mutate.sh --large
set -euo pipefail
shopt -s inherit_errexit
. "$(dirname "$0")/../../tb/env.bash"
show_help "$@"
OUT=${OUT:-build/mutation}
if [ -z "${DOC:-}" ]; then
    DOC=build/report/mutation.md
    mkdir -p build/report
    [ -e "$DOC" ] || cp docs/results/data/mutation.md "$DOC" # keeps the section that is not written now
fi
. tb/harness/blocks.bash
. tb/mutation/key.bash
RTL=rtl SEED=1 RUNS=$LOCKSTEP_RUNS CHOICE=small
case ${1:-} in
'') ;;
--large) CHOICE=large OUT=$OUT/large ;;
*) echo "report: unknown argument $1 (only --large)" >&2 && exit 1 ;;
esac
blocks=$(blocks)
missing=''
for block in $blocks; do [ -s "$OUT/$block.json" ] || missing+="${missing:+, }\`$block\`"; done
blocks=$(for block in $blocks; do [ ! -s "$OUT/$block.json" ] || echo "$block"; done)
[ -n "$blocks" ] || { echo "report: nothing in $OUT: run tb/mutation/mutate.sh" >&2 && exit 1; }

files() {
    local block
    for block in $blocks; do echo "$OUT/$block.json"; done
}

die() {
    echo "report: $*" >&2
    exit 1
}

# Checks that the results match the list of points.
check_block() { # BLOCK
    local json=$OUT/$1.json n=0 params mutants key made said
    [ "$(jq '.points | length' "$json")" -eq $(($(numbered $CHOICE "$1" | tr -cd '\0' | wc -c) / 4)) ] || die "$json does not match the points of rtl/$1/block.points"
    while IFS= read -rd '' _ && IFS= read -rd '' _ && IFS= read -rd '' params && IFS= read -rd '' mutants; do
        IFS=$'\t' read -r made key said < <(jq -r --argjson n $n '.points[$n] | [(.mutants | length), .key // "-", .params] | @tsv' "$json")
        [ "$said" = "$params" ] || die "$json does not match the points of rtl/$1/block.points: $said"
        [ "$made" -ge "${mutants%,*}" ] || die "$json: $made mutants instead of ${mutants%,*}: $params"
        [ "$key" = "$(point_key "$1" "$params")" ] || die "$json is not for the current Verilog, choice and runs: $params"
        n=$((n + 1))
    done < <(numbered $CHOICE "$1")
}

for block in $blocks; do check_block "$block"; done

columns='\(.function) | \(.observed) | \(.idle) | \(.unseen) | \(.survived)'

per_block() {
    echo '| block | points | mutants | distinct | found | found at ports that a system uses | found at `st_` ports alone | idle | unseen | survived |'
    echo '|---|---|---|---|---|---|---|---|---|---|'
    jq -r '"| `\(.block)` | \(.points | length) | \(.figures | "\(.made) | \(.distinct) | \(.killed) | '"$columns"'") |"' $(files)
    jq -rs 'map(.figures) as $f | ($f[0] | with_entries(.key as $k | .value = ([$f[][$k]] | add)))
        | "| all | '"$(jq -rs 'map(.points | length) | add' $(files))"' | \(.made) | \(.distinct) | \(.killed) | '"$columns"' |"' $(files)
}

per_point() {
    echo '| block | parameters (others: default) | mutations in all | made | of them | same | copies | found at ports that a system uses | at `st_` ports alone | idle | unseen | survived |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|---|'
    jq -r '.block as $b | .points[] | "| `\($b)` | `\(.params)` | \(.mutations) | \(.figures.made) | \(100 * .figures.made / .mutations | round) % | \(.figures | "\(.same) | \(.copies) | '"$columns"'") |"' $(files)
}

# Prints the runs, which must be the same for all points.
list_runs() {
    jq -rs '[.[].points[].runs] | unique | if length == 1 then .[0] else error("points of different runs") end
        | map(split(":")) | group_by(-(.[0] | tonumber)) | map("\(.[0][0]) cycles with seed \(map(.[1]) | join(", "))") | join("; ")' $(files)
}

# Prints the mutants found only at observed ports: what is proven about the other ports, then those without a proof.
observed() {
    jq -rs 'map(.figures) | (map(.observed) | add) as $n | (map(.unobserved) | add) as $p
        | "Of the \($n) found at `st_` ports alone, \($p) are proven to make no difference at any other port, ever (idle or unseen, as above, except those ports)."
          + if $p < $n then " The other \($n - $p) would be missed by a test that does not look at `st_` ports:" else "" end' $(files)
    jq -r '.block as $b | .points[] | .params as $p | .mutants[] | select(.verdict == "observed" and (.unobserved | IN("idle", "unseen") | not))
        | "* `\($b)` `\($p)`: \(.mode) of \(.at)[\(.bit)], `\(.source // "-")`: found at `\(.port)` in cycle \(.cycle); elsewhere \(if .unobserved == "open" then "neither found nor proven" else "it differs, \(.detail) cycles after a reset at the earliest" end)"' $(files)
}

# Prints the assumptions of the proofs, which come from the facts of the blocks.
assumptions() {
    local block
    for block in $(blocks); do
        facts zeroed "$block" | sed "s/.*/* \`$block\`: registers named \`&\` hold 0 at first: they are read only when they have been written./"
        facts legal "$block" | sed -E "s/^([^=]*)=(.*)/* \`$block\`: \`\1\` is taken for \`\2\`, which is one of its legal values./"
    done
}

# Prints the least and the greatest share of a point's mutations that is tested.
sample() {
    jq -rs '[.[].points[] | 100 * .figures.made / .mutations | if . < 1 then . * 100 | round / 100 else round end] | "\(min) to \(max) %"' $(files)
}

# Prints how soon mutants are found.
soon() {
    jq -rs '[.[].points[].mutants[] | select(.verdict == "killed") | .function_cycle] as $c
        | def within($n): "\([$c[] | select(. < $n)] | length * 1000 / ($c | length) | round / 10) %";
        "Of those found at ports that a system uses, \(within(10)) are within 10 cycles, \(within(100)) within 100, \(within(1000)) within 1000, \(within(10000)) within 10000 of the run that finds them; the last one needs \($c | max)."' $(files)
}

# Prints the mutants proven harmless for each line of the Verilog. Cells created by Yosys have no line.
proven() { # BLOCK
    echo "### \`$1\`"
    echo
    echo '| source | idle | unseen | mutations: point: mode, port of the cell |'
    echo '|---|---|---|---|'
    jq -r '[.points | to_entries[] | (.key + 1) as $n | .value.mutants[] | select(.verdict == "idle" or .verdict == "unseen") | . + {point: $n, line: ((.source // "-") | sub("\\.[0-9]+-.*"; ""))}]
        | group_by(.line)[]
        | "| `\(.[0].line)` | \(map(select(.verdict == "idle")) | length) | \(map(select(.verdict == "unseen")) | length) | \(map("\(.point): \(.mode) \(.at)[\(.bit)]") | group_by(.) | map(if length > 1 then "\(.[0]) x\(length)" else .[0] end) | join(", ")) |"' "$OUT/$1.json"
    echo
}

survivors() {
    local left
    left=$(jq -r '.block as $b | .points[] | .params as $p | .mutants[] | select(.verdict == "differs" or .verdict == "open")
        | "* `\($b)` `\($p)`: \(.mode) of \(.at)[\(.bit)], `\(.source // "-")`: \(if .verdict == "open" then "neither found nor proven" else "differs, \(.detail) cycles after a reset at the earliest" end)"' $(files))
    echo "${left:-None.}"
}

# Prints the points of shipped size: mutants found and not found.
large() {
    cat <<-END
		## Points of shipped size

		Proofs would not end there, so what is not found is listed: some of it is no fault, as at the small points. \`tb/mutation/mutate.sh --large\`, then \`tb/mutation/report.sh --large\`:
		a sample, $(sample) of the mutations of a point, $runs.

		| block | parameters (others: default) | mutations in all | made | of them | same | copies | found at ports that a system uses | at \`st_\` ports alone | not found |
		|---|---|---|---|---|---|---|---|---|---|
	END
    jq -r '.block as $b | .points[] | "| `\($b)` | `\(.params)` | \(.mutations) | \(.figures.made) | \(100 * .figures.made / .mutations | if . < 1 then . * 100 | round / 100 else round end) % | \(.figures | "\(.same) | \(.copies) | \(.function) | \(.observed) | \(.unproven)") |"' $(files)
    [ -z "$missing" ] || printf '\nNot run on the Verilog as it is: %s.\n' "$missing"
    printf '\n'
    soon
    printf '\nNot found:\n\n'
    jq -r '.block as $b | .points[] | .mutants[] | select(.verdict == "unproven") | "* `\($b)`: \(.mode) of \(.at)[\(.bit)], `\(.source // "-")`"' $(files)
}

runs=$(list_runs)
if [ $CHOICE = large ]; then
    [ -e "$DOC" ] || die "$DOC does not exist: run tb/mutation/report.sh"
    section=$(large) awk '/^## Points of shipped size/ { skip = 1 } /^## What the proofs assume/ { skip = 0; print ENVIRON["section"] "\n" } !skip' "$DOC" >"$DOC.new"
    mv "$DOC.new" "$DOC"
    exit
fi
kept=$([ ! -e "$DOC" ] || awk '/^## / { on = /^## Points of shipped size/ } on' "$DOC")
{
    cat <<-END
		# Would the tests notice a bug?

		Made by \`make mutation\`; docs/results/verification.md says how. Each mutant of a block's Verilog meets the stimulus of \`memtwin cosim BLOCK\`,
		$runs. What no run finds is proven to be no fault, or \`tb/mutation/explained.txt\` has the reason, or the command fails. The mutants are a sample, $(sample) of the mutations of a point (column *of them*).

	END
    per_block
    [ -z "$missing" ] || printf '\nNot run on the Verilog as it is: %s.\n' "$missing"
    cat <<-'END'

		* **mutants**: Yosys `mutate` on the flat netlist of words (adders, multiplexers, registers, memories), before gates are chosen: a bit at a port of a cell inverted, held at 0 or 1, or mixed with another bit of
		  the same port (`inv`, `const0`, `const1`, `cnot0`, `cnot1`). `mutate` spreads its choice over cells, bits and source lines; the seed is fixed. Clocks are not mutated.
		* **distinct**: without those whose graph is that of the block itself (`same` below), or that of another mutant (`copies`): an inverted output is often the same as an inverted input behind it.
		* **found**: a qualified output differs from the model's in some cycle of the test: at a port that a system uses, or in all of the test at `st_` ports alone, which only the observer has.
		* **idle**: proven: in no state that the block can reach, with no input, does the mutation change an output that is qualified or what a register holds next.
		* **unseen**: proven: registers do differ, but no qualified output ever does.
		* **survived**: neither found nor proven.
		* Results are of this Verilog, choice and runs; that driver and model are still those that found them is not checked (`make mutation` repeats everything).

		## Survivors

	END
    survivors
    echo
    echo '## Found at observed ports alone'
    echo
    observed
    echo
    echo '## Points'
    echo
    echo 'They are small, so that proofs end. Mutants are of the block, not of its observer.'
    echo
    per_point
    echo
    soon
    [ -z "$kept" ] || printf '\n%s\n' "$kept"
    cat <<-'END'

		## What the proofs assume

		The proofs begin after the reset cycle: registers that it sets are set, each by the mutant's own logic; the others hold anything, the same in block and mutant. All inputs are free in each cycle, reset too, except:

	END
    assumptions
    cat <<-'END'

		## Proven to be no faults

		By the line of the Verilog, with the number of the point:

	END
    for block in $blocks; do proven "$block"; done
} >"$DOC.new"
mv "$DOC.new" "$DOC"
