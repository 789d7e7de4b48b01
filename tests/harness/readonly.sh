#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s; full, 40 s
# A read-only checkout or installed program: twins and replay files go to the user's cache, in a separate folder for each checkout. Without a
# writable folder, Verilator or a compiler, or with RTL that does not build, the result is exit code 1 and one line with the reason. Another
# version of Verilator rebuilds the twins.
. tests/lib.bash
unset MEMTWIN_HOME MEMTWIN_RTL MEMTWIN_TWINS MEMTWIN_CACHE XDG_CACHE_HOME
chmod 755 "$work"

# user COMMAND...: runs COMMAND as a user who cannot write to the checkouts
if [ "$(id -u)" = 0 ]; then
    command -v setpriv >/dev/null || { echo 'skipped: root may write everywhere, and there is no setpriv to be somebody else'; exit 0; }
    user() { HOME=$work/home setpriv --reuid=65534 --regid=65534 --clear-groups env "$@"; }
else
    user() { HOME=$work/home env "$@"; }
fi
checkout() { # NAME: makes a read-only copy
    mkdir -p "$work/$1/build"
    cp -r rtl cmodel tb "$work/$1" && cp "$MEMTWIN" "$work/$1/build/memtwin"
    [ -z "${2:-}" ] || sed -i "$2" "$work/$1/rtl/in_fifo/in_fifo.v"
    chmod -R a+rX,a-w "$work/$1"
}
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
writable() { mkdir -p "$1" && chmod 777 "$1"; }
cosim='build/memtwin cosim in_fifo -p DEPTH=3 --cycles 300'
checkout 'a tree'
writable "$work/blank"
(cd "$work/a tree" && user MEMTWIN_TWINS="$work/blank" $cosim) >"$work/blank.out" 2>&1 || complain "a path with a blank: $(cat "$work/blank.out")"
grep 'are not compared' "$work/blank.out" && complain "a path with a blank: the ports were not compared"
checkout one
cd "$work/one" || exit 1
user touch build/x 2>/dev/null && { echo 'skipped: this user can write a read-only folder'; exit 0; }

# ---- no writable folder
build/memtwin cosim in_fifo -p DEPTH=3 --model-only --cycles 20 --record "$work/x.vec" >/dev/null
replay="build/memtwin replay $work/x.vec"
mkdir "$work/closed"
chmod 555 "$work/closed"
expect_line 1 "$work/one/build/twins: Permission denied" user MEMTWIN_CACHE="$work/closed/cache" $replay
expect_line 1 "$work/closed/cache/twins-" user MEMTWIN_CACHE="$work/closed/cache" $replay
expect_line 1 "$work/closed/memtwin/twins-" user XDG_CACHE_HOME="$work/closed" $replay
expect_line 1 "$work/home/.cache/memtwin/twins-" user $replay
expect_line 1 'set MEMTWIN_CACHE or HOME' user -u HOME $replay
expect_line 1 "MEMTWIN_TWINS=$work/closed: Permission denied" user MEMTWIN_TWINS="$work/closed" $replay

# ---- no tools
writable "$work/home"
expect_line 1 'a path that GNU make cannot handle' user MEMTWIN_CACHE="$work/home/a x" $replay
mkdir "$work/bin"
for tool in env flock make sh sed mkdir grep echo cksum mv rm cat; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
expect_line 1 'verilator is not installed' user PATH="$work/bin" $replay
grep -q "log: $work/home/.cache/memtwin/twins-.*\.log" "$work/err" || complain "no log is named: $(cat "$work/err")"
ln -s "$(command -v verilator)" "$work/bin/verilator"
ln -s "$(command -v perl)" "$work/bin/perl"
expect_line 1 'g++ is not installed' user PATH="$work/bin" $replay
expect_line 1 'iverilog: cannot run iverilog: No such file' user PATH="$work/bin" $replay --engine icarus
rm "$work/bin/make"
expect_line 1 "make" user PATH="$work/bin" $replay
[ $TIER = full ] || finish
[ $TIER = full ] || exit 0

# ---- the cache
compares() { # CODE ARGUMENT...
    expect "$1" user "${@:2}"
    [ "$1" != 0 ] || grep -q '^verdict: PASS' "$work/out" || complain "no verdict: $(cat "$work/out" "$work/err")"
}
rm -rf "$work/home/.cache"
compares 0 $cosim
[ -n "$(find "$work"/home/.cache/memtwin/twins-* -name '*.so')" ] || complain "no twin in the cache"
[ -z "$(find "$work/one" -name '*.so')" ] || complain "a twin in the checkout"
so=$(find "$work/home/.cache" -name '*.so')
before=$(stat -c %y "$so")
compares 0 $cosim
[ "$(stat -c %y "$so")" = "$before" ] || complain "a twin in the cache is built again"
compares 3 $cosim --plant fill_ready@50
[ -s "$(echo "$work"/home/.cache/memtwin/replay/in_fifo-*.vec)" ] || complain "no replay file in the cache: $(cat "$work/out" "$work/err")"

# another checkout, which has a fault, gets its own twin
checkout two 's/assign fill_ready *= /&!/'
! cmp -s "$work"/{one,two}/rtl/in_fifo/in_fifo.v || complain "the fault can no longer be planted"
cd "$work/two" && compares 3 $cosim
cd "$work/one" && compares 0 $cosim
[ "$(find "$work/home/.cache" -name '*.so' | wc -l)" -eq 2 ] || complain "not two twins: $(find "$work/home/.cache" -name '*.so')"

# another Verilator
cat >"$work/bin/verilator.new" <<END
#!/bin/bash
[ "\$1" != --version ] || { echo 'Verilator 9.999 2099-01-01'; exit; }
exec $(command -v verilator) "\$@"
END
mkdir "$work/new"
mv "$work/bin/verilator.new" "$work/new/verilator"
chmod 755 "$work/new/verilator"
compares 0 PATH="$work/new:$PATH" $cosim
[ "$(stat -c %y "$so")" != "$before" ] || complain "a twin of another Verilator is used"
before=$(stat -c %y "$so")
compares 0 $cosim
[ "$(stat -c %y "$so")" != "$before" ] || complain "a twin of the other Verilator is used after switching back"
finish
