#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# A configuration names all keys or has a base; what came from where is in the output; memtwin config prints the effective one.
. tests/lib.bash
all=$(rows config/keys.def INT ENUM STR)
n=$((all - $(rows memory/keys.def INT ENUM STR))) # that a file has to name: not those of cache levels
short=(-w addvect:64 -s sim.max_cycles=10 -q)

# refused TEXT: the file on stdin is, by each command that reads one
refused() {
    cat >"$work/x.ini"
    expect_line 1 "$1" "$MEMTWIN" run -c "$work/x.ini" "${short[@]}"
    expect_line 1 "$1" "$MEMTWIN" config -c "$work/x.ini"
    expect_line 1 "$1" "$MEMTWIN" dram -c "$work/x.ini" -t /dev/null
}
refused "$work/x.ini: missing $n of $n keys (clock.sm_mhz, clock.icnt_mhz, clock.l2_mhz, ..): begin with 'base = NAME'" </dev/null
refused "begin with 'base = NAME'" < <(head -n 20 sim/configs/gtx480.ini)
refused "$work/x.ini: missing 1 of $n keys (dram.rfc)" < <(sed '/^rfc = /d' sim/configs/titanx.ini)
refused "/dev/null: missing $n of $n keys" <<<"base = /dev/null"
refused "$work/x.ini:1: base = nowhere: no configuration 'nowhere'" <<<"base = nowhere"
refused "$work/x.ini:1: base = $work/x.ini: the base files form a cycle" <<<"base = $work/x.ini"
refused "$work/x.ini:2: base must come before the first section" < <(printf '[sm]\nbase = tiny\n')
printf 'base = tiny\n\n[sm]\ncount = four\n' >"$work/bad.ini"
refused "$work/bad.ini:4: sm.count: 'four' is not an integer" <<<"base = bad.ini"
refused "$work/x.ini:3: line longer than 198" < <(printf 'base = tiny\n[sm]\n' && head -c 100000 /dev/zero | tr '\0' x)
expect_line 1 "/dev/zero:1: a zero byte" timeout 5 "$MEMTWIN" run -c /dev/zero "${short[@]}"
expect_line 1 "/dev/null: missing $n of $n keys" "$MEMTWIN" run -c /dev/null "${short[@]}"
expect_line 1 "<stdin>: missing $n of $n keys" "$MEMTWIN" run -c - "${short[@]}"
expect_line 1 "README.md:3: neither [section] nor key = value" "$MEMTWIN" run -c README.md "${short[@]}"
expect_line 1 "$work: Is a directory" "$MEMTWIN" run -c "$work" "${short[@]}"
expect_line 1 ".: Is a directory" "$MEMTWIN" run -c . "${short[@]}"
expect_line 1 "$MEMTWIN:1: a zero byte: not a text file" "$MEMTWIN" run -c "$MEMTWIN" "${short[@]}"
expect_line 1 "option -c: an empty value" "$MEMTWIN" run -c '' "${short[@]}"
expect_line 1 "no configuration" "$MEMTWIN" config
expect_line 1 "no configuration 'nowhere'" "$MEMTWIN" config -c tiny --diff nowhere
expect_line 1 "-s sm.count=0: sm.count: 0 is outside" "$MEMTWIN" config -c tiny -s sm.count=0
expect_line 1 "configuration tiny: l1d.dl_reserved_heads=10 must be below" "$MEMTWIN" config -c tiny -s l1d.mshr=dl -s l1d.dl_sets=8

printf 'base = maxwell16\n[l1d]\nset_index = ipoly\n' >"$work/rule.ini"
expect_line 1 "configuration $work/rule.ini: l1d.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l1d.sets=48 (l1d.set_index: $work/rule.ini:3, l1d.sets: -s)" \
    "$MEMTWIN" config -c "$work/rule.ini" -s l1d.sets=48

# A file that may not be read; root may read any, so somebody else tries (who cannot write the counts of tb/coverage/c.sh).
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

# The source of each key: a chain of a file, its base, a shipped one and what that is based on.
mkdir "$work/sub"
printf '; two\nbase = ../mid.ini\n[sm]\ncount = 3\n' >"$work/sub/top.ini"
printf 'base = tiny\n[sm]\ncount = 4\nwarps = 8\n' >"$work/mid.ini"
top=$work/sub/top.ini mid=$work/sub/../mid.ini
expect 0 "$MEMTWIN" run -c "$top" -w addvect:64 -s sm.ctas=3 -s sm.ctas=2 --json "$work/run.json"
grep -qx "addvect:64 on tiny; 1 key from $top, 1 from $mid, 1 from -s: done" "$work/out" || complain "header: $(sed -n 2p "$work/out")"
jq -e --argjson n "$all" --arg top "$top" --arg mid "$mid" '.config == $top and .config_base == [$mid, "tiny", "pascal28", "titanx_plain", "titanx"] and
    (.config_sources | length) == $n and (.config_sources | keys) == (.config_values | keys) and
    (.config_sources | [."sm.count", ."sm.warps", ."sm.ctas"]) == ["\($top):4", "\($mid):4", "-s"]' "$work/run.json" >/dev/null ||
    complain "sources: $(jq -c '.config_base, (.config_sources | [."sm.count", ."sm.warps", ."sm.ctas"])' "$work/run.json")"
# .. and the line that a source names has the key
jq -r '.config_sources | to_entries[] | select(.value | test("^[a-z0-9]+[.]ini:")) | "\(.key) \(.value)"' "$work/run.json" | tr ':' ' ' >"$work/sources"
[ "$(cut -d' ' -f2 "$work/sources" | sort -u | xargs)" = "pascal28.ini tiny.ini titanx.ini" ] || complain "not from three shipped files"
while read -r key file line; do
    sed -n "${line}p" "sim/configs/$file" | grep -q "^${key#*.} = " || complain "$key does not stand in $file:$line"
done <"$work/sources"

# memtwin config prints a complete configuration of the same machine: it is read without its base, and from stdin.
values() { jq -S .config_values "$1"; }
expect 0 "$MEMTWIN" config -c "$top" -s sm.ctas=2
[ "$(grep -cE '^[a-z0-9_]+ = .* ; ' "$work/out")" -eq "$all" ] || complain "config prints not $all keys with their sources"
[ "$(grep -vE '^(;.*|\[[a-z0-9_]+\]|[a-z0-9_]+ = .* ; .*|)$' "$work/out" | wc -l)" -eq 0 ] || complain "a line that is none of a configuration"
grep -qE "^ctas = 2 +; -s\$" "$work/out" && grep -qE "^write_low = 2 +; tiny.ini:[0-9]+\$" "$work/out" || complain "config: sources: $(grep -E '^(ctas|write_low)' "$work/out")"
cp "$work/out" "$work/whole.ini"
! grep -q '^base' "$work/whole.ini" || complain "a base in what is complete"
expect 0 "$MEMTWIN" run -c "$work/whole.ini" -w addvect:64 -q --json "$work/whole.json"
cmp -s <(values "$work/run.json") <(values "$work/whole.json") || complain "memtwin config prints another machine"
cmp -s <(jq .stats "$work/run.json") <(jq .stats "$work/whole.json") || complain "its statistics are others"
"$MEMTWIN" run -c - -w addvect:64 -q --json "$work/stdin.json" <"$work/whole.ini" >"$work/out" 2>&1 || complain "run -c -: $(cat "$work/out")"
cmp -s <(values "$work/run.json") <(values "$work/stdin.json") || complain "run -c - runs another machine"
[ "$(jq -r '.config_sources."clock.sm_mhz"' "$work/stdin.json")" = "<stdin>:5" ] || complain "the source of what came through stdin"
for config in $("$MEMTWIN" list configs | cut -d' ' -f1); do
    "$MEMTWIN" config -c "$config" | "$MEMTWIN" config -c - --diff "$config" >"$work/out" 2>&1
    [ "$(cat "$work/out")" = "the same in all $all keys" ] || complain "$config: not what config prints of it: $(cat "$work/out")"
done
# .. the source too long for a line
long=$work/$(printf 'x%.0s' {1..200})/$(printf 'y%.0s' {1..200}).ini
mkdir "${long%/*}" && echo 'base = tiny' >"$long" && sed -n '/^\[dram\]/,/^$/p' sim/configs/tiny.ini >>"$long"
"$MEMTWIN" config -c "$long" | "$MEMTWIN" config -c - --diff "$long" | grep -q '^the same' || complain "sources with long paths make lines that are refused"

# --diff: the keys that differ and no more
expect 0 "$MEMTWIN" config -c tiny -s sm.count=7 -s l1d.mshr=static --diff "$work/mid.ini"
cmp -s "$work/out" - <<END || complain "--diff: $(cat "$work/out")"
sm.count                 7 -> 4                   ; -s -> $work/mid.ini:3
sm.warps                 16 -> 8                  ; tiny.ini:$(grep -n '^warps' sim/configs/tiny.ini | cut -d: -f1) -> $work/mid.ini:4
END

# A program away from its tree reads a file that needs no shipped one.
if ldd "$MEMTWIN" | grep -q libmemtwin; then :; else
    cp "$MEMTWIN" "$work/program"
    expect 0 env -u MEMTWIN_HOME "$work/program" run -c "$work/whole.ini" "${short[@]}"
    expect_line 1 "set MEMTWIN_HOME" env -u MEMTWIN_HOME "$work/program" run -c tiny "${short[@]}"
fi

# memtwin dram says the same of its configuration.
echo '0 R 0' >"$work/requests"
expect 0 "$MEMTWIN" dram -c "$work/mid.ini" -s dram.cl=20 -t "$work/requests" --json "$work/dram.json"
jq -e --argjson n "$all" '.config_base[0] == "tiny" and .config_values["dram.cl"] == 20 and .config_sources["dram.cl"] == "-s" and
    (.config_sources | length) == $n' "$work/dram.json" >/dev/null || complain "memtwin dram: JSON"

# No result replaces a file that the run reads, a base included.
expect_line 1 "is read by this run" "$MEMTWIN" run -c "$top" "${short[@]}" --json "$work/mid.ini"
for out in --json --commands; do
    for input in mid.ini requests; do
        expect_line 1 "is read by this run" "$MEMTWIN" dram -c "$work/sub/top.ini" -t "$work/requests" $out "$work/$input"
    done
done
# a home of another version: its configurations have a key more, or less
mkdir -p "$work/home/tb/harness" "$work/home/sim"
cp tb/harness/twin.mk "$work/home/tb/harness"
cp -r sim/configs "$work/home/sim"
newer="$work/home/sim/configs/titanx.ini"
sed -i '1a [sm]\nnew_key = 5' "$newer"
hint="; the file is of another version of memtwin, or was changed"
expect_line 1 "$newer:3: unknown key 'new_key' in section 'sm' (see memtwin list keys)$hint" env MEMTWIN_HOME="$work/home" "$MEMTWIN" run -c tiny "${short[@]}"
sed '/^rfc = /d' sim/configs/titanx.ini >"$newer"
expect_line 1 "$newer: missing 1 of $n keys (dram.rfc): begin with 'base = NAME' (memtwin list configs), or name them all$hint" env MEMTWIN_HOME="$work/home" "$MEMTWIN" run -c titanx "${short[@]}"
cp "$newer" "$work/mine.ini" # a file of one's own may just be wrong
expect 1 "$MEMTWIN" run -c "$work/mine.ini" "${short[@]}"
! grep -qF "$hint" "$work/err" || complain "a file of one's own: $(cat "$work/err")"
# the present values, and where they come from
expect_line 1 "l2.drain=beside needs wbwa, not l2.write=wtwn (l2.drain: titanx.ini:$(grep -n '^drain' sim/configs/titanx.ini | cut -d: -f1), l2.write: -s)" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.write=wtwn
expect_line 1 "l2.drain=beside needs miss, not l2.allocate=fill (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.allocate=fill
expect_line 1 "l2.places=sectors needs yes, not l2.sectored=no (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.sectored=no
expect_line 1 "l2.places=sectors needs fifo, not l2.incoming=cart (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.incoming=cart
expect_line 1 "l2.places=sectors needs places for the 4 sectors of a line, not l2.in_queue=3 (" "$MEMTWIN" run -c titanx "${short[@]}" -s l2.in_queue=3
expect_line 1 "sm.collectors=2 needs sm.lsu_latency=1, not 2 (" "$MEMTWIN" run -c titanx "${short[@]}" -s sm.lsu_latency=2
expect_line 1 "sm.register_banks=16 without sm.collectors needs sm.memory_issue=1 and sm.shared_path=lsu (" "$MEMTWIN" run -c titanx "${short[@]}" -s sm.collectors=0
expect_line 1 "sm.register_banks=2 with sm.collectors: not 1 to 8 banks for each of sm.schedulers=4 (" "$MEMTWIN" run -c titanx "${short[@]}" -s sm.register_banks=2
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.register_banks=32
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.schedulers=1
expect 0 "$MEMTWIN" run -q -c gtx480 -w hotspot:64,1,1 -s sm.collectors=2 -s sm.lsu_latency=1
expect_line 1 "sm.register_banks=12 is not a power of two (" "$MEMTWIN" run -c gtx480 "${short[@]}" -s sm.register_banks=12
expect_line 1 "named for two results" "$MEMTWIN" dram -c tiny -t "$work/requests" --json "$work/x" --commands "$work/x"
finish
