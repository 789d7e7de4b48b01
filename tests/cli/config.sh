#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Defaults, bases and -s: the output names the source of each value, and memtwin config prints the effective configuration.
. tests/lib.bash
all=$(rows config/keys.def INT ENUM STR)
short=(-w addvect:64 -s sim.max_cycles=10 -q)

# refused TEXT: checks that each command refuses the file on stdin with this text
refused() {
    cat >"$work/x.ini"
    expect_line 1 "$1" "$MEMTWIN" run -c "$work/x.ini" "${short[@]}"
    expect_line 1 "$1" "$MEMTWIN" config -c "$work/x.ini"
    expect_line 1 "$1" "$MEMTWIN" dram -c "$work/x.ini" -t /dev/null
}
refused "$work/x.ini:1: base = nowhere: no configuration 'nowhere'" <<<"base = nowhere"
refused "$work/x.ini:1: base = $work/x.ini: the base files form a cycle" <<<"base = $work/x.ini"
refused "$work/x.ini:2: base must come before the first section" < <(printf '[sm]\nbase = tiny\n')
# a former name of a key, a value or a configuration, and its present name
refused "$work/x.ini:2: l2.places is now part of l2.model=gpgpusim" <<<$'[l2]\nplaces = sectors'
refused "$work/x.ini:2: l2.mshr=implicit is gone: an MSHR is static, dl or unlimited" <<<$'[l2]\nmshr = implicit'
refused "$work/x.ini:1: base = gtx480_plain: gtx480_plain is now fermi_base" <<<"base = gtx480_plain"
expect_line 1 "-s sim.hash=yes: sim.hash is now called sim.check_hash" "$MEMTWIN" config -c tiny -s sim.hash=yes
printf '[study]\nconfig = tiny\n[group a]\nworkload = addvect:64\n[scheme b]\nsm.atomics = hold\n' >"$work/former.ini"
expect_line 1 "sm.atomics is now part of sm.model=gpgpusim" "$MEMTWIN" study "$work/former.ini" -o "$work/former"
# Every former key is refused with its row's text, and each present name exists.
"$MEMTWIN" list keys | awk '{ print $1 }' >"$work/keys"
while IFS=$'\t' read -r former now; do
    [[ $former == *.*=* ]] && assignment=$former || assignment=$former=1
    [[ $former == *.* ]] || continue
    expect_line 1 "-s $assignment: $former $now" "$MEMTWIN" run -q -c tiny -w addvect:32 -s "$assignment"
    [[ $now != 'is now called '* ]] || grep -qx "${now#is now called }" "$work/keys" || complain "$former $now, which is no key"
done < <(sed -n 's/^RENAMED("\(.*\)", "\(.*\)")$/\1\t\2/p' cmodel/config/renamed.def)
printf 'base = tiny\n\n[sm]\ncount = four\n' >"$work/bad.ini"
refused "$work/bad.ini:4: sm.count: 'four' is not an integer" <<<"base = bad.ini"
refused "$work/x.ini:3: line longer than 8192" < <(printf 'base = tiny\n[sm]\n' && head -c 100000 /dev/zero | tr '\0' x)
expect_line 1 "/dev/zero:1: not a text file (contains a zero byte)" timeout 5 "$MEMTWIN" run -c /dev/zero "${short[@]}"
# A key that no file sets has its default. A file without a key and a section is no configuration, nor a base.
printf '[sm]\n' >"$work/section.ini"
expect 0 "$MEMTWIN" run -c "$work/section.ini" "${short[@]}"
: >"$work/empty.ini"
printf '; only\n\n# remarks\n' >"$work/remarks.ini"
printf 'base = empty.ini\n' >"$work/on_empty.ini"
for file in empty:empty 'remarks:no key' on_empty:empty; do
    expect_line 1 ".ini: ${file#*:}; a configuration has at least one key, or base = NAME" "$MEMTWIN" run -c "$work/${file%%:*}.ini" "${short[@]}"
done
expect_line 1 "/dev/null: empty; a configuration has" "$MEMTWIN" run -c /dev/null "${short[@]}"
expect_line 1 "<stdin>: empty; a configuration has" "$MEMTWIN" run -c - "${short[@]}"
"$MEMTWIN" config -c - -s sm.warps=40 <<<$'[sm]\ncount = 5' >"$work/out" || complain "config -c -: a file that names one key is refused"
[ "$(sed -n '/^\[sm\]$/,/^ctas/p' "$work/out" | tr -s ' ')" = $'[sm]\ncount = 5 ; <stdin>:2\nwarps = 40 ; -s\nctas = 8 ; default' ] || complain "defaults: $(head -n 20 "$work/out")"
grep -qx '; <stdin>; 1 key from -s' "$work/out" || complain "summary: $(head -n 1 "$work/out")"
expect_line 1 "README.md:3: neither [section] nor key = value" "$MEMTWIN" run -c README.md "${short[@]}"
expect_line 1 "$work: Is a directory" "$MEMTWIN" run -c "$work" "${short[@]}"
expect_line 1 ".: Is a directory" "$MEMTWIN" run -c . "${short[@]}"
expect_line 1 "$MEMTWIN:1: not a text file (contains a zero byte)" "$MEMTWIN" run -c "$MEMTWIN" "${short[@]}"
expect_line 1 "option -c has an empty value" "$MEMTWIN" run -c '' "${short[@]}"
expect_line 1 "no configuration" "$MEMTWIN" config
expect_line 1 "no configuration 'nowhere'" "$MEMTWIN" config -c tiny --diff nowhere
expect_line 1 "-s sm.count=0: sm.count: 0 is outside" "$MEMTWIN" config -c tiny -s sm.count=0
expect_line 1 "configuration tiny: l1d.dl_reserved_heads=10 must be below" "$MEMTWIN" config -c tiny -s l1d.mshr=dl -s l1d.dl_sets=8

printf 'base = maxwell16\n[l1d]\nset_index = ipoly\n' >"$work/rule.ini"
expect_line 1 "configuration $work/rule.ini: l1d.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l1d.sets=48 (l1d.set_index: $work/rule.ini:3, l1d.sets: -s)" \
    "$MEMTWIN" config -c "$work/rule.ini" -s l1d.sets=48

# An unreadable file. Root can read any file, so another user tries (who cannot write the counts of tb/coverage/c.sh).
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
    other=()
fi
chmod 755 "$work"
echo 'base = tiny' >"$work/secret.ini" && chmod 000 "$work/secret.ini"
if [ -z "${GCOV_PREFIX:-}" ] && "${other[@]}" test -x "$MEMTWIN" && ! "${other[@]}" test -r "$work/secret.ini"; then
    expect_line 1 "cannot read configuration $work/secret.ini: Permission denied" "${other[@]}" "$MEMTWIN" run -c "$work/secret.ini" "${short[@]}"
fi

# The source of each key, through a chain of a file, its base, a shipped file and its base
mkdir "$work/sub"
printf '; two\nbase = ../mid.ini\n[sm]\ncount = 3\n' >"$work/sub/top.ini"
printf 'base = tiny\n[sm]\ncount = 4\nwarps = 8\n' >"$work/mid.ini"
top=$work/sub/top.ini mid=$work/sub/../mid.ini
expect 0 "$MEMTWIN" run -c "$top" -w addvect:64 -s sm.ctas=3 -s sm.ctas=2 --json "$work/run.json"
grep -qx "addvect:64 on tiny; 1 key from $top, 1 from $mid, 1 from -s: done" "$work/out" || complain "header: $(sed -n 2p "$work/out")"
jq -e --argjson n "$all" --arg top "$top" --arg mid "$mid" '.config == $top and .config_base == [$mid, "tiny", "pascal28"] and
    (.config_sources | length) == $n and (.config_sources | keys) == (.config_values | keys) and
    (.config_sources | [."sm.count", ."sm.warps", ."sm.ctas"]) == ["\($top):4", "\($mid):4", "-s"]' "$work/run.json" >/dev/null ||
    complain "sources: $(jq -c '.config_base, (.config_sources | [."sm.count", ."sm.warps", ."sm.ctas"])' "$work/run.json")"
# each line that is named as a source sets the key
jq -r '.config_sources | to_entries[] | select(.value | test("^[a-z0-9]+[.]ini:")) | "\(.key) \(.value)"' "$work/run.json" | tr ':' ' ' >"$work/sources"
[ "$(cut -d' ' -f2 "$work/sources" | sort -u | xargs)" = "pascal28.ini tiny.ini" ] || complain "not from two shipped files"
while read -r key file line; do
    sed -n "${line}p" "sim/configs/$file" | grep -q "^${key#*.} = " || complain "$key does not stand in $file:$line"
done <"$work/sources"

# memtwin config prints a complete configuration of the same machine, which can be read without its base, and from stdin.
values() { jq -S .config_values "$1"; }
expect 0 "$MEMTWIN" config -c "$top" -s sm.ctas=2
[ "$(grep -cE '^[a-z0-9_]+ = .* ; ' "$work/out")" -eq "$all" ] || complain "config prints not $all keys with their sources"
[ "$(grep -vE '^(;.*|\[[a-z0-9_]+\]|[a-z0-9_]+ = .* ; .*|)$' "$work/out" | wc -l)" -eq 0 ] || complain "a line that is not configuration syntax"
grep -qE "^ctas = 2 +; -s\$" "$work/out" && grep -qE "^write_low = 2 +; tiny.ini:[0-9]+\$" "$work/out" || complain "config: sources: $(grep -E '^(ctas|write_low)' "$work/out")"
cp "$work/out" "$work/whole.ini"
! grep -q '^base' "$work/whole.ini" || complain "a base in a complete configuration"
expect 0 "$MEMTWIN" run -c "$work/whole.ini" -w addvect:64 -q --json "$work/whole.json"
cmp -s <(values "$work/run.json") <(values "$work/whole.json") || complain "memtwin config prints a different machine"
cmp -s <(jq .stats "$work/run.json") <(jq .stats "$work/whole.json") || complain "its statistics are others"
"$MEMTWIN" run -c - -w addvect:64 -q --json "$work/stdin.json" <"$work/whole.ini" >"$work/out" 2>&1 || complain "run -c -: $(cat "$work/out")"
cmp -s <(values "$work/run.json") <(values "$work/stdin.json") || complain "run -c - runs a different machine"
[ "$(jq -r '.config_sources."clock.sm_mhz"' "$work/stdin.json")" = "<stdin>:5" ] || complain "wrong source for a key from stdin"
for config in $("$MEMTWIN" list configs | cut -d' ' -f1); do
    "$MEMTWIN" config -c "$config" | "$MEMTWIN" config -c - --diff "$config" >"$work/out" 2>&1
    [ "$(cat "$work/out")" = "all $all keys have the same values" ] || complain "$config: differs from the output of config: $(cat "$work/out")"
done
# even if the source is too long for a line
long=$work/$(printf 'x%.0s' {1..200})/$(printf 'y%.0s' {1..200}).ini
mkdir "${long%/*}" && echo 'base = tiny' >"$long" && sed -n '/^\[dram\]/,/^$/p' sim/configs/tiny.ini >>"$long"
"$MEMTWIN" config -c "$long" | "$MEMTWIN" config -c - --diff "$long" | grep -q '^all [0-9]* keys have the same values' || complain "sources with long paths make lines that are refused"

# --diff prints exactly the keys that differ
expect 0 "$MEMTWIN" config -c tiny -s sm.count=7 -s l1d.mshr=static --diff "$work/mid.ini"
cmp -s "$work/out" - <<END || complain "--diff: $(cat "$work/out")"
sm.count                 7 -> 4                   ; -s -> $work/mid.ini:3
sm.warps                 16 -> 8                  ; tiny.ini:$(grep -n '^warps' sim/configs/tiny.ini | cut -d: -f1) -> $work/mid.ini:4
END

# A program outside its tree reads a file that needs no shipped file.
if ldd "$MEMTWIN" | grep -q libmemtwin; then :; else
    cp "$MEMTWIN" "$work/program"
    expect 0 env -u MEMTWIN_HOME "$work/program" run -c "$work/whole.ini" "${short[@]}"
    expect_line 1 "set MEMTWIN_HOME" env -u MEMTWIN_HOME "$work/program" run -c tiny "${short[@]}"
fi

# memtwin dram reports the same about its configuration.
echo '0 R 0' >"$work/requests"
expect 0 "$MEMTWIN" dram -c "$work/mid.ini" -s dram.cl=20 -t "$work/requests" --json "$work/dram.json"
jq -e --argjson n "$all" '.config_base[0] == "tiny" and .config_values["dram.cl"] == 20 and .config_sources["dram.cl"] == "-s" and
    (.config_sources | length) == $n' "$work/dram.json" >/dev/null || complain "memtwin dram: JSON"

# A result never replaces a file that the run reads, even as a base.
expect_line 1 "but this run reads it" "$MEMTWIN" run -c "$top" "${short[@]}" --json "$work/mid.ini"
for out in --json --commands; do
    for input in mid.ini requests; do
        expect_line 1 "but this run reads it" "$MEMTWIN" dram -c "$work/sub/top.ini" -t "$work/requests" $out "$work/$input"
    done
done
# a home of another version, with a key that this version does not know
mkdir -p "$work/home/tb/harness" "$work/home/sim"
cp tb/harness/twin.mk "$work/home/tb/harness"
cp -r sim/configs "$work/home/sim"
newer="$work/home/sim/configs/pascal28.ini"
sed -i '1a [sm]\nnew_key = 5' "$newer"
hint="; the file is of another version of memtwin, or was changed"
expect_line 1 "$newer:3: unknown key 'new_key' in section 'sm' (see memtwin list keys)$hint" env MEMTWIN_HOME="$work/home" "$MEMTWIN" run -c tiny "${short[@]}"
cp "$newer" "$work/mine.ini" # a user's own file may simply be wrong
expect 1 "$MEMTWIN" run -c "$work/mine.ini" "${short[@]}"
! grep -qF "$hint" "$work/err" || complain "a file of one's own: $(cat "$work/err")"
# the message has the current values and their sources
expect_line 1 "l2.model=gpgpusim needs l2.write=wbwa, not wtwn (l2.model: titanx.ini:$(sed -n '/^\[l2\]/,$ { /^model/ { =; q; } }' sim/configs/titanx.ini), l2.write: -s)" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.write=wtwn
expect_line 1 "l2.model=gpgpusim needs l2.allocate=miss, not fill (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.allocate=fill
expect_line 1 "l2.model=gpgpusim needs entries for the 4 sectors of a line, not l2.in_queue=3 (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.in_queue=3
expect_line 1 "sm.register_banks=2 with sm.collectors: not 1 to 8 banks for each of sm.schedulers=4 (" "$MEMTWIN" run -c titanx "${short[@]}" -s sm.register_banks=2
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.register_banks=32
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.schedulers=1
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.collectors=2
expect_line 1 "sm.register_banks=12 is not a power of two (" "$MEMTWIN" run -c gtx480 "${short[@]}" -s sm.register_banks=12
expect_line 1 "given for two outputs" "$MEMTWIN" dram -c tiny -t "$work/requests" --json "$work/x" --commands "$work/x"
# a text key is checked where the configuration is read, not when a run begins
expect_line 1 'cke.partition=smkk: must be none, leftover' "$MEMTWIN" config -c tiny -s cke.partition=smkk
expect_line 1 "mil.limit=dynamc: 'dynamc' is not a limit" "$MEMTWIN" config -c tiny -s mil.limit=dynamc
finish
