#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# If make is killed at any moment, or runs several times in one checkout at the same time, it leaves nothing that a later make wrongly trusts.
. tests/lib.bash
out=$work/build
object=$out/obj/sim/progress.o
build() { env -u MAKEFLAGS -u MAKELEVEL -u JOBS make -s B="$out" "$@"; }

# A compiler that is killed in the middle of writing its object.
cat >"$work/slow" <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do [ "$1" != -o ] || to=$2; shift; done
printf 'half' >"$to"
echo "$to" >"$0.wrote"
sleep 60
END
chmod +x "$work/slow"
set -m
build CC="$work/slow" "$object" >"$work/log" 2>&1 &
make=$!
for ((i = 0; i < 100; i++)); do [ ! -e "$work/slow.wrote" ] || break && sleep 0.1; done
[ -s "$(cat "$work/slow.wrote")" ] || complain "the compiler did not begin: $(cat "$work/log")"
kill -9 -- -$make
wait $make 2>/dev/null || true
set +m
[ ! -e "$object" ] || complain "a killed make leaves $(stat -c %s "$object") bytes as $object"
build "$object" >"$work/log" 2>&1 || complain "make after a killed one: $(tail -n 3 "$work/log")"
readelf -h "$object" >/dev/null 2>&1 || complain "no object after the second make"

# Several makes in parallel, as from two users, or from an editor and a shell.
for round in 1 2 3; do
    rm -rf "$out"
    for n in 1 2 3 4; do
        { build "$out/version.h" "$object" "$out/obj/sim/main.o" >"$work/log$n" 2>&1; echo $? >"$work/code$n"; } &
    done
    wait
    [ "$(cat "$work"/code[1-4] | xargs)" = "0 0 0 0" ] || complain "makes side by side, round $round: $(cat "$work"/code[1-4] | xargs): $(tail -qn 1 "$work"/log[1-4])"
    readelf -h "$object" "$out/obj/sim/main.o" >/dev/null 2>&1 || complain "no objects of makes side by side"
done

# -jN runs N tests in parallel, and JOBS=n overrides it.
at_a_time() { build -n "$@" | grep -o "JOBS='[^']*'" | head -n 1; }
[ "$(at_a_time -j3 test)" = "JOBS='3'" ] || complain "make -j3 test: $(at_a_time -j3 test)"
[ "$(at_a_time -j3 test JOBS=5)" = "JOBS='5'" ] || complain "JOBS=5 with -j3: $(at_a_time -j3 test JOBS=5)"
finish
