#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# tb/progress.bash: in a log a line a step, on a terminal one line; steps of subshells count, steps that were kept do not show, and a step counts once.
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
script -qec "bash $work/steps $work" /dev/null >"$work/terminal"
[ "$(tr -cd '\n' <"$work/terminal" | wc -c)" -eq 1 ] || complain "more than one line on a terminal: $(cat -v "$work/terminal")"
grep -q $'\r\e\\[Kwork: 3 of 4, three' "$work/terminal" || complain "no line that updates: $(cat -v "$work/terminal")"
finish
