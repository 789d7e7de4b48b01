#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 70 s
# docs/use/tutorial.md works from its first line to its last: MemTwin is installed into an empty home, each file of the page is written, and
# each command is run in order and prints the output on the page. The result is docs/tutorial/own_block. Then the installation: it writes
# nothing into its folders, and uninstalls without leftovers.
. tests/lib.bash
unset MEMTWIN MEMTWIN_HOME MEMTWIN_BLOCK MEMTWIN_PROJECT MEMTWIN_RTL MEMTWIN_TWINS MEMTWIN_CACHE XDG_CACHE_HOME MAKEFLAGS MFLAGS MAKELEVEL MEMTWIN_BRIEF
root=$PWD page=$PWD/docs/use/tutorial.md
export HOME=$work/home
mkdir "$HOME"

# same WANTED GOT: `...` within a line matches any text, and on its own any number of lines
same() {
    awk '
        function like(text, want) {
            gsub(/[][\\^$.*+?(){}|]/, "\\\\&", want)
            gsub(/\\[.]\\[.]\\[.]/, ".*", want)
            return text ~ "^" want "$"
        }
        FILENAME == ARGV[1] { want[++n] = $0; next }
        { got[++m] = $0 }
        END {
            for (at = k = 1; k <= n; k++) {
                if (want[k] == "...") { skip = 1; continue }
                while (at <= m && !like(got[at], want[k]) && skip) at++
                if (at > m || !like(got[at], want[k])) { print "not: " want[k]; exit 1 }
                at++
                skip = 0
            }
            if (at <= m && !skip) { print "besides: " got[at]; exit 1 }
        }' "$1" "$2"
}

# run COMMAND: runs it, compares the output with $work/want, and returns its exit code
run() {
    (exit $status)
    eval "$1" >"$work/got" 2>&1 </dev/null
    status=$?
    commands=$((commands + 1))
    same "$work/want" "$work/got" >"$work/why" || complain "$1: $(cat "$work/why"), in: $(head -n 40 "$work/got")"
}

# block OF_LANGUAGE LINES: handles a block of the page, which is a file or commands
block() {
    local name=${1#* } line command=
    if [ "$1" != console ]; then
        printf '%s\n' "$2" >"$name" || complain "no file $name"
        files=$((files + 1))
        return
    fi
    while IFS= read -r line; do
        if [[ $line != '$ '* ]]; then
            printf '%s\n' "$line" >>"$work/want"
            continue
        fi
        [ -z "$command" ] || run "$command"
        command=${line#$ }
        : >"$work/want"
    done <<<"$2"
    run "$command"
}

status=0 commands=0 files=0 kind='' lines=''
while IFS= read -r line <&3; do
    case $kind,$line in
    ,'```'*) kind=${line#'```'} lines='' ;;
    ,*) ;;
    *,'```') block "$kind" "${lines%$'\n'}" && kind='' ;;
    *) lines+=$line$'\n' ;;
    esac
done 3<"$page"
[ $files -eq 7 ] && [ $commands -ge 25 ] || complain "only $files files and $commands commands in the page"

# ---- the example in the tree matches the page
own=$PWD
[ "$own" = "$HOME/own_block" ] || complain "the page ends in $own"
diff -r -x build -x .git -x .gitignore -I 'SPDX-License-Identifier' "$root/docs/tutorial/own_block" "$own" || complain "docs/tutorial/own_block differs from the page"

# ---- the installation
cd "$work" || exit 1
before=$(find "$HOME/.local" | sort)
expect 0 memtwin run -q -c tiny -w addvect:256
expect 0 memtwin cosim in_fifo -p DEPTH=3 --cycles 300
[ -n "$(find "$HOME/.cache/memtwin" -name '*.so')" ] || complain "no twin in the cache"
[ "$before" = "$(find "$HOME/.local" | sort)" ] || complain "something was written into the installation"
memtwin=$(command -v memtwin)
expect 0 "$memtwin" cosim --block home/own_block/build/aging_arbiter.so --cycles 20 --model-only
grep -q '^.TH MEMTWIN' "$HOME/.local/share/man/man1/memtwin-cosim.1" || complain "no page of cosim"
grep -qx "prefix=$HOME/.local" "$HOME/.local/share/pkgconfig/memtwin.pc" || complain "memtwin.pc: $(cat "$HOME/.local/share/pkgconfig/memtwin.pc")"
cd "$root" || exit 1
expect_line 1 'PREFIX=here: not an absolute path' sim/install.sh install here 1
expect 0 env DESTDIR="$work/stage" sim/install.sh install /usr 1
[ -x "$work/stage/usr/bin/memtwin" ] && grep -qx prefix=/usr "$work/stage/usr/share/pkgconfig/memtwin.pc" || complain "DESTDIR"
expect 0 make -s uninstall PREFIX="$HOME/.local"
[ ! -e "$HOME/.local" ] || complain "left behind: $(find "$HOME/.local" | head)"
finish
