# SPDX-License-Identifier: Apache-2.0
# Shows the progress of a long script on stderr: current step, its number, time left. On a terminal one line is updated; in a log each step
# gets a line. Steps are counted in a file, so that subshells and child processes count too.

# progress_begin WHAT STEPS FILE: starts WHAT with STEPS steps, which are counted in the new FILE
progress_begin() {
    export progress_what=$1 progress_steps=$2 progress_file=$3 progress_since=$EPOCHSECONDS
    : >"$progress_file"
}

# progress NAME [kept]: starts a step; kept: it was done before and takes no time. A name counts once. The time left is shown once half of the
# steps are done: steps differ, so the first of them tell nothing about the rest.
progress() {
    local n kept spent left=''
    ! grep -qE "^(kept|made) ${1//[^a-zA-Z0-9_=, -]/.}\$" "$progress_file" || return 0
    echo "${2:-made} $1" >>"$progress_file"
    [ $# -eq 1 ] || return 0
    n=$(wc -l <"$progress_file")
    kept=$(grep -c '^kept ' "$progress_file") || true
    spent=$((EPOCHSECONDS - progress_since))
    if [ $((n - kept)) -gt 1 ] && [ $(((n - 1) * 2)) -ge "$progress_steps" ] && [ $spent -gt 0 ]; then
        left=$((spent * (progress_steps - n + 1) / (n - kept - 1)))
        if [ $left -lt 100 ]; then left=", about $left s left"; else left=", about $(((left + 59) / 60)) min left"; fi
    fi
    if [ -t 2 ]; then
        printf '\r\033[K%s: %s of %s, %s%s' "$progress_what" "$n" "$progress_steps" "$1" "$left" >&2
    else
        echo "$progress_what: $n of $progress_steps, $1$left" >&2
    fi
}

# progress_end: clears the line on a terminal
progress_end() {
    [ ! -t 2 ] || printf '\r\033[K' >&2
}
