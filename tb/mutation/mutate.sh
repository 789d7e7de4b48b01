#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures whether the lockstep tests detect bugs. Creates mutants of each block's netlist (Yosys `mutate`), runs the stimulus of `memtwin
# cosim` at its test length against all of them, and proves that undetected mutants are harmless (docs/results/verification.md). For mutants
# found only at observed ports (st_), it tries to prove that they change no other port. The exit code is 1 if a mutant is neither found nor
# proven nor in explained.txt, or after an error, which is printed in one line.
#   tb/mutation/mutate.sh [BLOCK]...              the small points tagged mutants (rtl/BLOCK/block.points) of the named blocks, or of all
#   tb/mutation/mutate.sh --sample N [BLOCK]...   only the points tagged for samples, with N mutants each
#   tb/mutation/mutate.sh --large [BLOCK]...      the points tagged large, of shipped size, without proofs; undetected mutants count as unproven
#   tb/mutation/mutate.sh --list [BLOCK]...         prints a line NUMBER BLOCK MUTANTS PARAM=VALUE... for each point
#   tb/mutation/mutate.sh --verilog POINT NUMBER FOLDER   writes one mutant as Verilog, for MEMTWIN_RTL=FOLDER; POINT is a finished point
#                                                 such as cart-2; points of a sample need OUT=build/mutation/sample
# MEMTWIN_RTL=folder  other Verilog, in folders as in rtl/
# SEED=n       seed for choosing among all mutants (default 1)
# RUNS='n:s ..' cycles and seed of each run (default: those in tb/harness/blocks.bash, which tests/cosim.sh uses too)
# REUSE=1      keeps finished points with the same Verilog, choice, runs and program, to resume after an interruption
# PROVE=word   proves only mutants that no run finds (survived) or those found only at observed ports (observed); the default is both. An
#              undetected mutant that is not proven counts as unproven
# JOBS=n       number of points in parallel (default 2)
# OUT=folder   folder for the results (default build/mutation); --sample uses OUT/sample, --large OUT/large
# Writes OUT/BLOCK.json and report.txt, which it removes at the start; OUT/BLOCK-POINT/ has the netlist, the list of mutants and the proofs.
set -euo pipefail
shopt -s inherit_errexit
. "$(dirname "$0")/../../tb/env.bash"
export OUT=${OUT:-${MEMTWIN_PROJECT:-.}/build/mutation} SEED=${SEED:-1} JOBS=${JOBS:-2} CHOICE=small SAMPLE=0
. tb/harness/blocks.bash
. tb/progress.bash
. tb/mutation/key.bash
MEMTWIN=${MEMTWIN:-build/memtwin}
export RUNS=${RUNS:-$LOCKSTEP_RUNS}
SECONDS_OF_PDR=90 SECONDS_OF_ALL=120 # limits of processor time for one proof and for the joint proof of all survivors

die() {
    echo "mutate: $*" >&2
    exit 1
}

run_yosys() { # SCRIPT
    tool yosys -q -l "${1%.ys}.log" -s "$1" >"${1%.ys}.out" 2>&1 || die "yosys: $(grep -m1 ERROR "${1%.ys}.out") ($1)"
}

# zeroed BLOCK: prints the option --zeroed for each fact `zeroed` of the block
zeroed() {
    facts zeroed "$1" | sed 's/^/--zeroed /'
}

# Flattens the block and its observer into one netlist at word level, before gates are chosen. The block's cells have `product` in their src.
make_block() { # DIR BLOCK PARAMETERS
    local p set='' top
    top=$(observed "$2")
    for p in $3; do set+=" -set ${p%%=*} ${p#*=}"; done
    cat >"$1/block.ys" <<-END
		read_verilog $(printf -- "-I%s " "$RTL"/*/) -I${MEMTWIN_PROJECT:-.} $(sed "s|^rtl/|$RTL/|" "$RTL/$2/$2.f" | tr '\n' ' ') $(observer "$2")
		chparam$set $top
		hierarchy -check -top $top
		proc
		$([ "$top" = "$2" ] || echo "setattr -set src \"product\" $top/u_block")
		flatten
		opt
		memory -nomap -nowiden
		opt
		wreduce
		opt_clean
		rename -top $2
		write_rtlil $1/block.il
	END
    run_yosys "$1/block.ys"
}

# Prints all mutations except those of clocks, since the graph has one clock, and of ports that a memory lacks: resets of reads, and enables of
# reads without a clock.
mutations() { # FILE DIR
    awk 'FNR == NR { if ($1 == "cell") cell = substr($3, 2); if ($2 == "\\RD_CLK_ENABLE") clocked[cell] = $3; next }
        /-port (CLK|RD_CLK|WR_CLK|RD_ARST|RD_SRST) / { next }
        match($0, /-cell [^ ]+ -port RD_EN -portbit [0-9]+/) { split(substr($0, RSTART, RLENGTH), f, " "); if (substr(clocked[f[2]], length(clocked[f[2]]) - f[6], 1) == "0") next }
        { print }' "$2/block.il" "$1"
}

# Writes all mutations of the block to DIR/all, and NUMBER of them to DIR/list: mutant K is line K. The observer is not mutated.
choose_mutants() { # DIR NUMBER BLOCK
    local cells=''
    [ -z "$(observer "$3")" ] || cells='c:* a:src=*product* %i'
    cat >"$1/choose.ys" <<-END
		read_rtlil $1/block.il
		mutate -list 10000000 -o $1/all.txt $cells
		mutate -list $(($2 + $2 / 20 + 10)) -seed $SEED -o $1/some.txt $cells
	END
    run_yosys "$1/choose.ys"
    mutations "$1/all.txt" "$1" >"$1/all"
    mutations "$1/some.txt" "$1" | awk -v n="$2" 'NR <= n' >"$1/list"
    [ "$(wc -l <"$1/list")" -eq "$2" ] || die "fewer than $2 mutants to choose from ($1)"
    rm "$1/all.txt" "$1/some.txt"
}

# Writes $1/netlist.aig, the gates of the block with all mutants, one of which the select input enables.
make_netlist() { # DIR BLOCK PARAMETERS
    local legal=() rule
    while IFS= read -r rule; do legal+=(--legal "$rule"); done < <(facts legal "$2")
    "$MEMTWIN" mutants "$2" $(printf -- '-p %s ' $3) "${legal[@]}" --top "$1/top.v" || exit 1
    {
        echo "read_rtlil $1/block.il"
        awk '{ sub(/^mutate/, "mutate -ctrl mutsel 16 " NR); print }' "$1/list"
        cat <<-END
			read_verilog $1/top.v
			hierarchy -check -top mutants_top
			flatten
			memory_map
			opt -fast
			simplemap
			techmap
			opt -fast
			dffunmap
			setundef -undriven -zero
			opt_clean
			aigmap
			opt_clean
			write_aiger -symbols $1/netlist.aig
		END
    } >"$1/netlist.ys"
    run_yosys "$1/netlist.ys"
}

# Few mutations leave the graph unchanged. If many do, the select does not reach them, and they are not tested.
MOST_SAME=25 # per cent
check_same() { # DIR BLOCK PARAMETERS
    local made same
    read -r made same < <(awk '$2 == "same" { same++ } END { print NR, same + 0 }' "$1/found")
    [ "$same" -le 2 ] || [ $((100 * same)) -le $((MOST_SAME * made)) ] ||
        die "$2 $3: $same of $made mutants, over $MOST_SAME %, have the graph of the block itself: the select does not reach them"
}

# abc NAME SECONDS COMMAND: simplifies NAME.aig and runs the command with a limit of processor time, with the log in NAME.log. A timeout is not
# an error. A limit of real time, 20 times as long, is for commands that ignore -T.
abc() {
    limited $((20 * $2)) yosys-abc -c "read_aiger $1.aig; scorr; dc2; scorr; $3 -T $2" >"$1.log" 2>&1 || [ $? -eq 124 ] || die "abc failed ($1.log)"
}

# asserted NAME: prints the numbers of the outputs that can be 1
asserted() {
    sed -nE 's/^Output +([0-9]+) (of miter .* )?was asserted.*/\1/p' "$1.log"
}

# decided NAME: succeeds if for each output it is known whether it can be 1
decided() {
    grep -qE 'Undecided = 0\.|Property proved|Networks are equivalent' "$1.log"
}

# Prints the number of each MUTANT whose mutation never has an effect, by one proof for all mutants.
prove_idle() { # DIR ACTS MUTANT...
    local acts=$1/miters/$2 i=0 k active
    shift 2
    abc "$acts" $SECONDS_OF_ALL 'pdr -a'
    decided "$acts" || return 0
    active=$(asserted "$acts")
    for k; do
        grep -qx "$i" <<<"$active" || echo "$k"
        i=$((i + 1))
    done
}

# Tries to prove one mutant equivalent to the block. All latches are shared at first; latches found to differ are then separated, until no more
# differ. Prints unseen or open.
prove_parting() { # DIR BLOCK PARAMETERS MUTANT [--unobserved]
    local at=$1/miters/$4 apart='' parts
    while :; do
        "$MEMTWIN" mutants "$2" $(printf -- '-p %s ' $3) --netlist "$1/netlist.aig" $(zeroed "$2") --part "$4" ${apart:+--apart "$apart"} --miter "$at.aig" \
            ${5:-} >"$at.outputs" || die "no miter of mutant $4 ($1)"
        abc "$at" $SECONDS_OF_PDR 'pdr -a'
        parts=$(asserted "$at" | awk 'FNR == NR { part[$1]; next } (FNR - 1) in part' - "$at.outputs")
        if [ -z "$parts" ]; then break; fi
        if grep -qx ports <<<"$parts"; then echo open && return; fi
        apart+=${apart:+,}$(tr '\n' ',' <<<"$parts" | sed 's/,$//')
    done
    if decided "$at"; then echo unseen; else echo open; fi
}

# Tries to prove an undecided mutant with the full miter, in which each register that can differ exists twice. Prints unseen, open, or differs
# with the number of cycles from reset to the first difference.
prove_full() { # DIR MUTANT
    local at=$1/miters/$2-full engine frame
    for engine in int pdr; do # interpolation can succeed where pdr would need a clause for each bit of a memory
        abc "$at" $SECONDS_OF_PDR $engine
        if decided "$at" && [ -z "$(asserted "$at")" ]; then echo unseen && return; fi
    done
    abc "$at" $SECONDS_OF_PDR bmc3
    frame=$(sed -nE 's/.*was asserted in frame *([0-9]+).*/differs \1/p' "$at.log" | head -n 1)
    echo "${frame:-open}"
}

# is_large MUTANTS: succeeds if the point is too large for proofs
is_large() {
    [[ $1 == *,large ]]
}

# is_explained BLOCK PARAMETERS MUTANT: succeeds if explained.txt names the mutant, a line of Yosys
is_explained() {
    awk -F ' *[|] *' -v block="$1" -v params="$2" -v mutant="$3" '
        $1 == block && $2 == params && split($3, m, / of |[[]|[]]/) && index(mutant, "-mode " m[1] " ") && index(mutant, " -port " m[2] " -portbit " m[3] " ") &&
            index(mutant, "-src " $4 "-") { found = 1 }
        END { exit !found }' tb/mutation/explained.txt
}

# Prints one line NUMBER idle|unseen|differs FRAME|open for each mutant with that verdict. PROVE=survived proves no mutant that is explained.
prove() { # DIR BLOCK PARAMETERS FOUND ACTS [--unobserved]
    local mutants idle k how
    awk -v found="$4" '$2 == found && $NF == "unreached" { print $1, "unseen" }' "$1/found"
    mutants=$(awk -v found="$4" '$2 == found && $NF != "unreached" { print $1 }' "$1/found")
    [ -n "$mutants" ] || return 0
    idle=$(prove_idle "$1" "$5" $mutants)
    for k in $mutants; do
        how=idle
        if ! grep -qx "$k" <<<"$idle"; then
            if [ "${PROVE:-}" = survived ] && is_explained "$2" "$3" "$(sed -n "${k}p" "$1/list")"; then
                echo "$k open"
                continue
            fi
            how=$(prove_parting "$1" "$2" "$3" "$k" ${6:-})
        fi
        if [ "$how" = open ]; then how=$(prove_full "$1" "$k"); fi
        echo "$k $how"
    done
}

# Writes $1/point.json
report_point() { # DIR BLOCK PARAMETERS SECONDS
    awk 'FILENAME == ARGV[1] { proof[$1] = $2; frame[$1] = $3; next } FILENAME == ARGV[2] { line[FNR] = $0; next }
        { v = $2; if (v == "survived") v = $1 in proof ? proof[$1] : "unproven"
          print $1 "\t" v "\t" (v == "copy" ? $3 : frame[$1]) "\t" $4 "\t" $5 "\t" $7 "\t" $8 "\t" (v == "observed" ? proof[$1] : "") "\t" line[$1] }' \
        "$1/proofs" "$1/list" "$1/found" >"$1/verdicts"
    jq -Rn --arg block "$2" --arg params "$3" --arg key "$(point_key "$2" "$3")" --arg by "$(made_by)" --argjson all "$(wc -l <"$1/all")" --arg runs "$RUNS" --argjson seconds "$4" '
        def number: if . == "" then null else tonumber end;
        def named($n): capture("-" + $n + " (?<v>[^ ]+)").v? // null;
        # most specific source: the shortest range that Yosys names
        def source: [scan("-src ([^ ]+)")[0] | select(test(":[0-9]+\\.[0-9]+-[0-9]+\\.[0-9]+$"))
            | {text: ., r: capture(":(?<a>[0-9]+)\\.[0-9]+-(?<b>[0-9]+)\\.[0-9]+$")}]
            | if length == 0 then null else (min_by((.r.b | tonumber) - (.r.a | tonumber)) | .text | sub("^[.]/"; "")) end;
        {block: $block, params: $params, key: $key, by: $by, mutations: $all, runs: ($runs | split(" ")), seconds: $seconds, mutants: [inputs | split("\t") | {
            number: .[0] | tonumber, verdict: .[1], detail: .[2] | number, cycle: .[3] | number, port: .[4],
            function_cycle: .[5] | number, function_port: .[6], unobserved: .[7],
            mode: .[8] | named("mode"), cell: .[8] | named("cell"), at: .[8] | named("port"), bit: .[8] | named("portbit") | number,
            source: .[8] | source}]}' "$1/verdicts" >"$1/point.json"
    rm "$1/verdicts"
}

# made_by: prints a hash of the program, which contains drivers and models, the library, this script, the version of Yosys and the choice of proofs
made_by() {
    { cat "$MEMTWIN" ${MEMTWIN_BLOCK:-} tb/mutation/mutate.sh && yosys -V && echo "${PROVE:-}"; } | sha256sum | cut -c 1-32
}

# is_made DIR BLOCK PARAMETERS MUTANTS: succeeds if a current result exists
is_made() {
    [ -s "$1/point.json" ] && jq -e --arg key "$(point_key "$2" "$3")" --arg by "$(made_by)" --argjson n "$4" \
        '.key == $key and .by == $by and (.mutants | length) == $n' "$1/point.json" >/dev/null
}

make_point() { # NUMBER BLOCK PARAMETERS MUTANTS
    local dir=$OUT/$2-$1 start=$SECONDS n=${4%,*}
    if [ -n "${REUSE:-}" ] && is_made "$dir" "$2" "$3" "$n"; then
        progress "$2 $3" kept
        return
    fi
    progress "$2 $3"
    rm -rf "$dir"
    mkdir -p "$dir/miters"
    make_block "$dir" "$2" "$3"
    choose_mutants "$dir" "$n" "$2"
    make_netlist "$dir" "$2" "$3"
    "$MEMTWIN" mutants "$2" $(printf -- '-p %s ' $3) --netlist "$dir/netlist.aig" --mutants "$(wc -l <"$dir/list")" $(printf -- '--run %s ' $RUNS) \
        $(zeroed "$2") $(is_large "$4" || echo "--miters $dir/miters") >"$dir/found" || exit 1
    check_same "$dir" "$2" "$3"
    : >"$dir/proofs"
    if ! is_large "$4"; then
        [ "${PROVE:-survived}" != survived ] || prove "$dir" "$2" "$3" survived acts >"$dir/proofs"
        [ "${PROVE:-observed}" != observed ] || SECONDS_OF_PDR=10 prove "$dir" "$2" "$3" observed acts-unobserved --unobserved >>"$dir/proofs"
    fi
    report_point "$dir" "$2" "$3" $((SECONDS - start))
}

# chosen_points BLOCK...: prints NUMBER BLOCK PARAMETERS MUTANTS of each point, each field ended by NUL
chosen_points() {
    local n block params mutants
    while IFS= read -rd '' n && IFS= read -rd '' block && IFS= read -rd '' params && IFS= read -rd '' mutants; do
        if [ "$SAMPLE" -gt 0 ]; then mutants=$SAMPLE; fi
        printf '%s\0' "$n" "$block" "$params" "${mutants%,sample}"
    done < <(numbered $CHOICE "$@")
}

# Defines the jq filter for the counts of mutants in the report.
FIGURES='def number_of(f): [.[] | select(f)] | length;
    def figures: {made: length, same: number_of(.verdict == "same"), copies: number_of(.verdict == "copy"),
        killed: number_of(.verdict == "killed" or .verdict == "observed"), function: number_of(.verdict == "killed"),
        observed: number_of(.verdict == "observed"),
        unobserved: number_of(.verdict == "observed" and (.unobserved | IN("idle", "unseen"))),
        idle: number_of(.verdict == "idle"), unseen: number_of(.verdict == "unseen"),
        survived: number_of(.verdict == "differs" or .verdict == "open"), unproven: number_of(.verdict == "unproven")}
        | .distinct = .made - .same - .copies;'

report_block() { # Writes OUT/BLOCK.json from the current points.
    local n files=()
    for n in "${@:2}"; do files+=("$OUT/$1-$n/point.json"); done
    jq -s --arg block "$1" "$FIGURES"' {block: $block, figures: (map(.mutants[]) | figures),
        points: [.[] | {params, key, mutations, runs, seconds, figures: (.mutants | figures), mutants}]}' "${files[@]:-/dev/null}" >"$OUT/$1.json.new"
    mv "$OUT/$1.json.new" "$OUT/$1.json"
}

# Marks the survivors that tb/mutation/explained.txt names.
explain() {
    awk -F ' *[|] *' '
        NR == FNR { if ($0 !~ /^#/) { n++; point[n] = "SURVIVED: " $1 " " $2 ": "; what[n] = ", " $3 " of "; source[n] = $4 }; next }
        { for (i = 1; i <= n; i++) if (index($0, point[i]) == 1 && index($0, what[i]) && index($0, source[i])) sub(/^SURVIVED/, "EXPLAINED") }
        1' tb/mutation/explained.txt -
}

# Prints the table of the blocks as text: one line per point, then the unexplained mutants.
report_text() { # BLOCK...
    local block
    {
        echo "block parameters mutations made same copies distinct found at_system_ports at_st_alone of_these_proven idle unseen survived unproven"
        for block; do
            jq -r '.block as $b | .points[] | "\($b) \(.params | gsub(" "; ",")) \(.mutations) \(.figures | "\(.made) \(.same) \(.copies) \(.distinct) \(.killed) \(.function) \(.observed) \(.unobserved) \(.idle) \(.unseen) \(.survived) \(.unproven)")"' "$OUT/$block.json"
        done
    } | column -t
    for block; do
        jq -r '.block as $b | .points[] | .params as $p | .mutants[] | select(.verdict == "differs" or .verdict == "open")
            | "SURVIVED: \($b) \($p): mutant \(.number), \(.mode) of \(.at)[\(.bit)] of \(.cell), \(.source): \(if .verdict == "open" then "neither found nor proven" else "differs \(.detail) cycles after a reset" end)"' "$OUT/$block.json"
    done
}

# Writes a folder laid out like rtl/ that has the block and its observer with one mutation.
write_mutant() { # POINT NUMBER FOLDER
    local dir=$OUT/$1 block=${1%-*} params
    [ -s "$dir/point.json" ] || die "$1 is not a finished point in $OUT"
    [ "$2" -le "$(wc -l <"$dir/list")" ] || die "$1 has no mutant $2"
    params=$(jq -r .params "$dir/point.json")
    mkdir -p "$3/$block"
    "$MEMTWIN" mutants "$block" $(printf -- '-p %s ' $params) --shell "$3/$block/$block.v" --unobserved || exit 1
    "$MEMTWIN" mutants "$block" $(printf -- '-p %s ' $params) --shell "$3/$block/${block}_observe.v" || exit 1
    {
        echo "read_rtlil $dir/block.il"
        sed -n "$2p" "$dir/list"
        echo "rename $block mutant"
        echo "write_verilog -noattr $3/$block/mutant.v"
    } >"$3/mutant.ys"
    run_yosys "$3/mutant.ys"
    printf 'rtl/%s/%s.v\nrtl/%s/mutant.v\n' "$block" "$block" "$block" >"$3/$block/$block.f"
}

# Checks the environment variables.
check_settings() {
    [[ $SEED =~ ^[0-9]{1,9}$ ]] || die "SEED=$SEED: not a number below 1000000000"
    [[ $JOBS =~ ^[1-9][0-9]{0,2}$ ]] || die "JOBS=$JOBS: not a number from 1 to 999"
    [ -d "$RTL" ] || die "MEMTWIN_RTL=$RTL: no such folder"
    [[ ${PROVE:-observed} =~ ^(survived|observed)$ ]] || die "PROVE=$PROVE: not survived or observed"
    [[ $RUNS =~ ^[1-9][0-9]*:[0-9]+(\ +[1-9][0-9]*:[0-9]+)*$ ]] || die "RUNS=$RUNS: not CYCLES:SEED with blanks between them"
}

show_help "$@"
[ "${1:-}" != --point ] || { shift && make_point "$@" && exit 0; }
check_settings
if [ "${1:-}" = --list ]; then
    points mutants "${@:2}" | awk '{ $2 = $1; $1 = ++count[$1]; print }'
    exit
fi
[ "${1:-}" != --verilog ] || { shift && write_mutant "$@" && exit 0; }
if [ "${1:-}" = --sample ]; then
    [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || die "--sample ${2:-}: not a number from 1 to 9999"
    CHOICE=sample SAMPLE=$2 OUT=$OUT/sample
    shift 2
elif [ "${1:-}" = --large ]; then
    CHOICE=large OUT=$OUT/large
    shift
fi
for program in yosys yosys-abc jq column "$MEMTWIN"; do command -v "$program" >/dev/null || die "$program is not installed"; done
blocks=${*:-$(blocks)}
for block in $blocks; do
    reason=$(check_block "$block") || die "$reason"
    of_block=$(points mutants "$block")
    [ -n "$of_block" ] || die "no points of a block '$block'"
    check_points mutants "$block"
done
reason=$(check_rtl $blocks) || die "$reason"
mkdir -p "$OUT"
rm -f "$OUT/report.txt"
for block in $blocks; do rm -f "$OUT/$block.json"; done
progress_begin mutate $(($(chosen_points $blocks | tr -cd '\0' | wc -c) / 4)) "$OUT/progress"
tool xargs -0 -r -n 4 -P "$JOBS" "$0" --point < <(chosen_points $blocks) || exit 1 # the error has been printed
progress_end
for block in $blocks; do
    report_block "$block" $(chosen_points "$block" | tr '\0' '\n' | awk 'NR % 4 == 1')
done
report_text $blocks | explain >"$OUT/report.txt.new"
mv "$OUT/report.txt.new" "$OUT/report.txt"
cat "$OUT/report.txt"
! grep -q '^SURVIVED' "$OUT/report.txt"
