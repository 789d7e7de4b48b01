#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# tb/progress.bash prints one line per step in a log, and one updated line on a terminal. Steps of subshells count, cached steps are not shown,
# and each step counts once.
. tests/lib.bash
cat >"$work/steps" <<'E2'
. tb/progress.bash
progress_begin work 4 "$1/count"
progress 'one A=1' kept
(progress 'two (B)')
sleep 1.1
progress 'two (B)'
progress 'three' & wait
progress_end
echo done
E2
expect 0 bash "$work/steps" "$work"
[ "$(cat "$work/out")" = done ] || complain "progress on stdout: $(cat "$work/out")"
[ "$(wc -l <"$work/err")" -eq 2 ] || complain "not a line a step: $(cat "$work/err")"
grep -qx 'work: 2 of 4, two (B)' "$work/err" || complain "the first step: $(cat "$work/err")"
grep -qxE 'work: 3 of 4, three, about [1-9] s left' "$work/err" || complain "no time left: $(cat "$work/err")"
# before half of the steps are done, no time left
sed 's/work 4/work 5/' "$work/steps" >"$work/more"
expect 0 bash "$work/more" "$work"
grep -qx 'work: 3 of 5, three' "$work/err" || complain "a time left before half of the steps: $(cat "$work/err")"
script -qec "bash $work/steps $work" /dev/null >"$work/terminal"
[ "$(tr -cd '\n' <"$work/terminal" | wc -c)" -eq 1 ] || complain "more than one line on a terminal: $(cat -v "$work/terminal")"
grep -q $'\r\e\\[Kwork: 3 of 4, three' "$work/terminal" || complain "no line that updates: $(cat -v "$work/terminal")"
finish
