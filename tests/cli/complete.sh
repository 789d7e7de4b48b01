#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Completion: the words that the program offers, and the behavior of bash and zsh at a terminal.
. tests/lib.bash
unset MEMTWIN_BLOCK HISTFILE
mkdir "$work/bin" "$work/here" "$work/here/folder"
ln -s "$(realpath "$MEMTWIN")" "$work/bin/memtwin"
touch "$work/here"/{mine.ini,shape.db,notes.txt}
root=$PWD
export PATH=$work/bin:$PATH HOME=$work MEMTWIN_HOME=$root

# offers "WORD..." CANDIDATE...: expects exactly these candidates; if ... ends the list, at least these
offers() {
    local words=$1 all=exactly
    shift
    : >"$work/want"
    [ "${!#}" != ... ] || { all=among && set -- "${@:1:$#-1}"; }
    eval "memtwin complete $words" | cut -f 1 >"$work/got"
    [ $# = 0 ] || printf '%s\n' "$@" >"$work/want"
    if [ $all = exactly ]; then
        cmp -s "$work/want" "$work/got" || complain "complete $words: $(xargs <"$work/got"), not: $*"
    else
        [ -z "$(sort "$work/want" | comm -23 - <(sort "$work/got"))" ] || complain "complete $words: $(xargs <"$work/got"), and not: $*"
    fi
}

# ---- commands, options, words
offers "''" $(memtwin help | sed -n '/^$/,/^$/s/^  \([a-z]*\) .*/\1/p') help version home
offers 'st' study
offers 'help st' study
offers 'nothing x'
# Each option that --help lists for a command.
for command in $(memtwin complete '' | cut -f 1 | grep -vE '^(help|version|home)$'); do
    offers "$command --" $(memtwin help "$command" | sed -nE 's/^  (-[a-z],|   ) (--[a-z-]+).*/\2/p')
done
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >"$work/own.ini"
memtwin study "$work/own.ini" -q -o "$work/own.db"
offers "report $work/own.db --study ''" own
offers "report $work/none.db --study ''"
offers 'run -c tiny --c' --check --csv
offers 'run -ctiny --c' --check --csv
offers 'run --set a.b=1 --se' --set --series
offers "run -q ''" --config --help ...
offers 'run -- --'
offers 'list k' keys
offers "list keys ''" --block --csv --json --help
offers 'trace e' export
offers 'trace make v' vecadd vecadd16

# ---- values
offers "run -c ''" $(cd sim/configs && ls *.ini | sed 's/[.]ini//') ':files ini'
offers 'run --diff --config=pas' --config=pascal28 ':files ini'
offers 'run -qcpas' -qcpascal28 ':files ini'
offers "run -w ''" $(memtwin list workloads | awk '/^[^ ]/ { print $1 }')
offers 'run -w bicg:' bicg:1024
offers 'study mine.ini -w bicg:' bicg:1024
offers 'trace export -w bicg:' bicg:1024
offers 'pages -w bicg:' bicg:1024
offers "pages --csv ''" :files
offers "run -s ''" $(memtwin list keys | sed '1d; s/[.].*/./' | uniq)
offers 'run -s l1d.' $(memtwin list keys | sed -n 's/^\(l1d[.][a-z0-9_]*\) .*/\1=/p')
offers 'run -s l1d.mshr=' l1d.mshr={static,dl,unlimited}
offers 'run -s sm.count=' sm.count={1,28,512}
offers 'run -s uvm.evict=' $(memtwin list policies | sed -n 's/^uvm.evict *\([a-z_0-9-]*\).*/uvm.evict=\1/p')
offers 'run -s uvm.nothing='
offers "dram -s ''" dram.
offers "run --twin ''" $(sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def)
offers 'run --twin cart,in' cart,in_fifo
offers 'run --twin=cart,in_fifo:' --twin=cart,in_fifo:{lockstep,drive}
offers "cosim -p ''"
offers 'cosim in_fifo -p D' DEPTH=
offers 'cosim in_fifo -p DEPTH=' DEPTH={1,8,16384}
offers 'replay --engine i' icarus
offers "replay ''" :files :folders
offers "study ''" ':files ini' ':files db'
offers "report ''" ':files db'
offers "trace export -o ''" :folders
offers "run --json ''" :files
offers "run --sample ''"
TIMEFORMAT=%R
slow=$({ time memtwin complete run -s l1d. >/dev/null; } 2>&1)
awk -v s="$slow" 'BEGIN { exit s >= 0.05 }' || complain "completion is slow: $slow s"

# ---- at a terminal: the line after a tab
typed=(
    'memtwin stu' 'memtwin study '
    'memtwin run -c pasc' 'memtwin run -c pascal28 '
    'memtwin run -c tiny -s l1d.dl_se' 'memtwin run -c tiny -s l1d.dl_sets='
    'memtwin run -s l1d.mshr=unli' 'memtwin run -s l1d.mshr=unlimited '
    'memtwin run -s icn' 'memtwin run -s icnt.'
    'memtwin run --twin in_fifo:dr' 'memtwin run --twin in_fifo:drive '
    'memtwin run -w bicg:' 'memtwin run -w bicg:1024 '
    'memtwin cosim in_fifo -p DE' 'memtwin cosim in_fifo -p DEPTH='
    'memtwin study mi' 'memtwin study mine.ini '
    'memtwin study --list sh' 'memtwin study --list shape.db '
    'memtwin run --json=no' 'memtwin run --json=notes.txt '
    'memtwin trace export -o fol' 'memtwin trace export -o folder/'
    'true; memtwin list conf' 'true; memtwin list configs '
)
# Control-P prints the current line and clears it.
at_terminal() { # SHELL COMMAND SETUP
    local i
    for ((i = 0; i < ${#typed[@]}; i += 2)); do printf '%s\t\020' "${typed[i]}"; done >"$work/keys"
    { echo "$3"; sleep 0.5; cat "$work/keys"; printf '\nexit\n'; } | (cd "$work/here" && TERM=dumb timeout 60 script -qec "$2" /dev/null) | tr -d '\r' >"$work/terminal"
    for ((i = 1; i < ${#typed[@]}; i += 2)); do
        grep -qF -- "<${typed[i]}>" "$work/terminal" || complain "$1: a tab behind '${typed[i - 1]}' does not make '${typed[i]}': $(grep -aF "<${typed[i - 1]}" "$work/terminal")"
    done
}
at_terminal bash 'bash --norc --noprofile -i' \
    ". $root/sim/completion/memtwin; show() { echo \"<\$READLINE_LINE>\"; READLINE_LINE=; READLINE_POINT=0; }; bind -x '\"\\C-p\": show'"
command -v zsh >/dev/null || { echo 'no zsh: its completion is not tested' && finish && exit 0; }
at_terminal zsh 'zsh -f -i' \
    "fpath=($root/sim/completion \$fpath); autoload -Uz compinit; compinit -u -D; show() { print -r -- \"<\$BUFFER>\"; BUFFER= }; zle -N show; bindkey '^P' show"
finish
