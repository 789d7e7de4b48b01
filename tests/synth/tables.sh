#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/report.sh writes the tables of a library to build/report and changes nothing else.
. tests/lib.bash
tree=$work/tree
mkdir -p "$tree"/{docs/results/data,build/report,rtl,tb,cmodel}
cp -r synth "$tree"
cp -r rtl/lib "$tree/rtl"
cp -r tb/harness tb/env.bash tb/progress.bash "$tree/tb"
cp cmodel/blocks.def "$tree/cmodel"
# Reports that need no measurement
cat >"$tree/synth/bpg.sh" <<'END'
#!/bin/bash
echo "$*" >>build/synth/asked
echo '[["a", "b"], ["1", "2"]]' >build/synth/bpg.json
cp build/synth/bpg.json build/synth/bpg_options.json
END
echo '.[] | @tsv' >"$tree/synth/bpg.jq"
echo '"", .[][]' >"$tree/synth/paths.jq"
recorded=$tree/docs/results/data/page.md
page=$tree/build/report/page.md
pages() {
    printf '%s\n' '# A page' '<!-- synth: bpg bpg osu018_stdcells -->' '| old |' '<!-- end -->' 'between' \
        '<!-- synth: bpg bpg_options OtherLibrary -->' '| other |' '<!-- end -->' '<!-- synth: paths bpg osu018_stdcells -->' '<!-- end -->' 'last' >"$recorded"
    printf '%s\n' 'no table' '<!-- synth: bpg hir OtherLibrary -->' '<!-- end -->' >"$tree/docs/results/data/other.md"
}

pages
cp "$recorded" "$work/recorded.md"
expect 0 "$tree/synth/report.sh"
[ ! -s "$work/out" ] || complain "output on stdout"
diff "$page" - <<'END' || complain "not the page"
# A page
<!-- synth: bpg bpg osu018_stdcells -->
| a | b |
|---|---|
| 1 | 2 |
<!-- end -->
between
<!-- synth: bpg bpg_options OtherLibrary -->
| other |
<!-- end -->
<!-- synth: paths bpg osu018_stdcells -->
```text
a
b
1
2
```
<!-- end -->
last
END
cmp -s "$tree/docs/results/data/other.md" "$tree/build/report/other.md" || complain "a page of another library has changed"
[ "$(cat "$tree/build/synth/asked")" = "" ] && [ "$(wc -l <"$tree/build/synth/asked")" -eq 1 ] || complain "not one report was made, without an option"

# A report without a library is made when it is named
printf '%s\n' '#!/bin/bash' 'echo "[[\"c\"]]" >build/synth/chip.json' >"$tree/synth/chip.sh"
chmod +x "$tree/synth/chip.sh"
printf '%s\n' '<!-- synth: paths chip any -->' '<!-- end -->' >"$tree/docs/results/data/chip.md"
expect 0 "$tree/synth/report.sh"
[ "$(wc -l <"$tree/build/report/chip.md")" -eq 2 ] || complain "a report of no library is made although it is not named"
expect 0 "$tree/synth/report.sh" chip
[ "$(sed -n 3p "$tree/build/report/chip.md")" = c ] || complain "no table of a report of no library"

cmp -s "$recorded" "$work/recorded.md" || complain "the recorded tables have changed"
cp "$page" "$work/page.md"
expect 0 "$tree/synth/report.sh" bpg
cmp -s "$page" "$work/page.md" || complain "writing twice gives another page"

# ---- errors leave the page unchanged
expect_line 1 "no report other" "$tree/synth/report.sh" other
sed -i '/end -->/d' "$page"
cp "$page" "$work/page.md"
expect 1 "$tree/synth/report.sh"
grep -q "missing end marker of the table of bpg in build/report/page.md" "$work/err" || complain "no reason"
cmp -s "$page" "$work/page.md" || complain "a page in spite of an error"
finish
