#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 7 s; full, 30 s
# make install: the program works from its prefix alone, for a user without write access, and uninstalls without leftovers. A failed
# installation leaves nothing behind.
. tests/lib.bash
unset MEMTWIN_HOME MEMTWIN_BLOCK MEMTWIN_RTL MEMTWIN_TWINS MEMTWIN_CACHE XDG_CACHE_HOME DESTDIR
export MEMTWIN
root=$PWD
chmod 755 "$work"
mkdir -m 777 "$work/home" "$work/there"
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
install() { (umask 077 && sim/install.sh "${1}install" "$2" "${3:-1}"); } # ''|un PREFIX [VERSION]
everything() { find "$1" -printf '%P %y %m %s\n' | sort; }

# ---- install and uninstall, next to other programs' files
prefix="$work/a b/opt"
mkdir -p "$prefix/share/man/man1"
touch "$prefix/share/man/man1/other.1"
before=$(everything "$work/a b")
expect 0 install '' "$prefix"
after=$(everything "$work/a b")
expect 0 install '' "$prefix" 2
[ "$(everything "$work/a b")" = "$after" ] || complain "installed twice is not installed once"
find "$prefix" -mindepth 1 ! -perm -a=r -o -type d -mindepth 1 ! -perm -a=x | grep -vF "$prefix/share/man/man1/other.1" >"$work/closed"
[ ! -s "$work/closed" ] || complain "others may not read: $(head -n 3 "$work/closed")"
expect 0 install un "$prefix" 3
[ "$(everything "$work/a b")" = "$before" ] || complain "left behind: $(diff <(echo "$before") <(everything "$work/a b"))"
expect_line 1 "$prefix: no MemTwin is installed there" install un "$prefix"
# All files in the comment of sim/install.sh are installed, and extra files of an older version are removed.
everywhere="$work/whole"
expect 0 install '' "$everywhere"
mkdir "$everywhere/share/memtwin/rtl/old"
touch "$everywhere/bin/old"
echo bin/old >>"$everywhere/share/memtwin/files"
expect 0 install '' "$everywhere" 2
share=$everywhere/share
{
    printf '%s\n' "$everywhere/bin/memtwin" "$share"/{man/man1/memtwin.1,man/man5/memtwin-{keys,study}.5,pkgconfig/memtwin.pc,bash-completion/completions/memtwin,zsh/site-functions/_memtwin,memtwin/f{iles,olders}}
    "$MEMTWIN" help | sed -nE "/^$/,/^$/s|^  ([a-z]+) .*|$share/man/man1/memtwin-\1.1|p"
    { find rtl -type f; find cmodel -name '*.h' -o -name '*.def'; find tb/env.bash tb/progress.bash tb/harness tb/mutation tb/formal -type f ! -name '*.c'; ls tb/*/*_observe.v; ls sim/configs/*.ini sim/energy/energy.{csv,sql,sh} sim/experiments/page.sql; } | sed "s|^|$share/memtwin/|"
    find docs/{use,understand,results,figures,tutorial,examples} -type f | sed "s|^docs|$share/doc/memtwin|"
    find sim/experiments -name '*.ini' -o -name '*.sql' -o -name '*.csv' | sed "s|.*/|$share/doc/memtwin/examples/|"
    echo "$share/doc/memtwin/LICENSE"
} | sort >"$work/named"
find "$everywhere" -type f | sort | diff "$work/named" - >"$work/differ" || complain "other files than there should be: $(head -n 5 "$work/differ")"
[ ! -e "$share/memtwin/rtl/old" ] || complain "a folder of an older version is left"
expect 0 install un "$everywhere"
# A version from before the list of installed files
mkdir -p "$work"/old/{bin,share/{memtwin,pkgconfig,man/man1,doc/memtwin}}
touch "$work"/old/{bin/memtwin,share/{pkgconfig/memtwin.pc,man/man1/memtwin.1}}
printf '%s\n' share/man/man1 share/man share/pkgconfig share/doc share bin . >"$work/old/share/memtwin/folders"
expect 0 install '' "$work/old"
expect 0 install un "$work/old"
[ ! -e "$work/old" ] || complain "of an old version is left: $(find "$work/old")"
expect 0 env DESTDIR="$work/stage" sim/install.sh install /usr 1
grep -qx prefix=/usr "$work/stage/usr/share/pkgconfig/memtwin.pc" && [ -x "$work/stage/usr/bin/memtwin" ] || complain "DESTDIR"
expect 0 env DESTDIR="$work/stage" sim/install.sh uninstall /usr 1
[ ! -e "$work/stage" ] || complain "DESTDIR: left behind: $(find "$work/stage")"

# ---- errors
expect_line 1 'PREFIX=here: not an absolute path' install '' here
expect_line 1 "cannot create directory '/dev/null'" install '' /dev/null/x
mkdir -p "$work/other/share/memtwin"
expect_line 1 "$work/other/share/memtwin: not made by make install" install '' "$work/other"
expect_line 1 "$work/other/share/memtwin: not made by make install" install un "$work/other"
mkdir -p "$work/tree/share"
ln -s "$root" "$work/tree/share/memtwin"
expect_line 1 'is this tree itself' install '' "$work/tree"
rm -rf "$work/tree"
# A program that fails halfway, and a file that is too large, as on a full disk
expect_line 1 'cannot stat' env MEMTWIN="$work/none" sim/install.sh install "$work/half/way" 1
[ ! -e "$work/half" ] || complain "a half installation: $(find "$work/half" | head -n 3)"
expect 0 install '' "$work/kept"
kept=$(everything "$work/kept")
(ulimit -f 1000 && trap '' XFSZ && expect_line 1 'File too large' sim/install.sh install "$work/kept" 2; exit $failures) || failures=$((failures + 1))
[ "$(everything "$work/kept")" = "$kept" ] || complain "a failure has changed existing files: $(diff <(echo "$kept") <(everything "$work/kept"))"
# Interrupted by a signal
printf '#!/bin/bash\n[ "$3" != study ] || { touch "%s"; sleep 20 & wait $!; }\nexec "%s" "$@"\n' "$work/waits" "$(realpath "$MEMTWIN")" >"$work/slow"
chmod +x "$work/slow"
for to in kept new/folder; do
    rm -f "$work/waits"
    MEMTWIN=$work/slow setsid sim/install.sh install "$work/$to" 2 >"$work/out" 2>&1 &
    pid=$!
    for _ in $(seq 200); do [ -e "$work/waits" ] && break || sleep 0.05; done
    kill -TERM -- -$pid
    wait $pid
    code=$?
    [ $code = 143 ] && [ ! -s "$work/out" ] || complain "SIGTERM: exit $code, $(cat "$work/out")"
done
[ "$(everything "$work/kept")" = "$kept" ] || complain "SIGTERM has changed existing files: $(diff <(echo "$kept") <(everything "$work/kept"))"
[ ! -e "$work/new" ] || complain "SIGTERM: left behind: $(find "$work/new" | head -n 3)"
expect 0 install un "$work/kept"

# ---- another user, without the tree
prefix="$work/opt"
expect 0 install '' "$prefix"
chmod -R a-w "$prefix"
user() { HOME=$work/home "$@"; }
if [ "$(id -u)" = 0 ]; then
    hide=(true)
    unshare -m mount -t tmpfs none "$root" 2>/dev/null && hide=(mount -t tmpfs none "$root") || echo 'not hidden: the tree (no mount namespaces here)'
    alone=(unshare -m)
    "${alone[@]}" true 2>/dev/null || alone=() # a container
    user() { HOME=$work/home "${alone[@]}" bash -c '"${@:2:$1}" && exec setpriv --reuid=65534 --regid=65534 --clear-groups "${@:2+$1}"' _ ${#hide[@]} "${hide[@]}" "$@"; }
fi
cd "$work/there" || exit 1
memtwin=$prefix/bin/memtwin
expect 0 user "$memtwin" home
[ "$(cat "$work/out")" = "$prefix/share/memtwin" ] || complain "home: $(cat "$work/out")"
for config in $(user "$memtwin" list configs | cut -d ' ' -f 1); do expect 0 user "$memtwin" config -c "$config" --diff tiny; done
expect 0 user "$memtwin" run -q -c tiny -w addvect:256
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >mine.ini
expect 0 user "$memtwin" study mine.ini -q
[ -s mine.db ] || complain "no database"
[ "$TIER" = test ] || for study in "$prefix"/share/doc/memtwin/examples/*.ini; do
    ! grep -qs "^\[study\]" "$study" || expect 0 user "$memtwin" study "$study" --dry-run
done
before=$(everything "$prefix")
expect 0 user man -M "$prefix/share/man" memtwin-run
expect 0 user bash -c '. "$1" && COMP_LINE="memtwin run -c tin" COMP_POINT=18 && PATH=$2:$PATH && _memtwin memtwin tin && [ "${COMPREPLY[0]}" = tiny ]' _ \
    "$prefix/share/bash-completion/completions/memtwin" "$prefix/bin"
[ "$TIER" = test ] || {
    expect 0 user "$memtwin" cosim in_fifo -p DEPTH=3 --cycles 300
    grep -q '^verdict: PASS' "$work/out" || complain "no twin: $(cat "$work/out" "$work/err")"
}
[ "$(everything "$prefix")" = "$before" ] || complain "something was written into the installation"
cd "$root" || exit 1
chmod -R u+w "$prefix"
expect 0 install un "$prefix"
[ ! -e "$prefix" ] || complain "left behind: $(find "$prefix" | head)"
finish
