# SPDX-License-Identifier: Apache-2.0
# Shared by the tests of studies. Source tests/lib.bash first.

sql() { # DB QUERY
    sqlite3 "$1" ".timeout 5000" "$2"
}
# is WHAT EXPECTED GOT
is() {
    [ "$2" = "$3" ] || complain "$1: '$3' instead of '$2'"
}
# same_numbers WHAT EXPECTED GOT: lists in JSON, to 12 digits
same_numbers() {
    local rounded='map(if . then (. * 1e12 | round) / 1e12 else . end)'
    is "$1" "$(jq -c "$rounded" <<<"$2")" "$(jq -c "$rounded" <<<"$3")"
    [ "$(jq length <<<"$2")" -gt 0 ] || complain "$1: no expected value"
}
# Checks that every finished run has statistics, all statistics a run, and no run appears active.
whole() { # DB
    is "$1: integrity" ok "$(sql "$1" 'PRAGMA integrity_check')"
    is "$1: half rows" 0 "$(sql "$1" "SELECT count(*) FROM run FULL JOIN total ON total.run = run.id
        WHERE run.id IS NULL OR (state = 'done' AND cycles IS NULL)")"
    is "$1: running" 0 "$(sql "$1" "SELECT count(*) FROM run WHERE state = 'running'")"
}
states() { # DB
    sql "$1" "SELECT state || ' ' || count(*) FROM run GROUP BY state ORDER BY state" | xargs
}
alive() { # PID...: prints how many are alive; zombies are not
    cat /dev/null $(printf '/proc/%s/status ' "$@") 2>/dev/null | grep -c '^State:.[^Z]'
}
running() { # DB N: waits until N runs are active; their processes in `children`
    for _ in $(seq 500); do
        children=$(sql "$1" "SELECT pid FROM run WHERE state = 'running'" 2>/dev/null | xargs)
        [ "$(alive $children)" = "$2" ] && return
        sleep 0.02
    done
    complain "$1: not $2 runs at work: $(states "$1")"
}
# Prints everything in a database about the runs of its study, except host, process, times and memory.
contents() { # DB
    sql "$1" "SELECT p.*, r.identity, r.workload, r.trace_hash, r.version, r.state, r.exit_code, r.end, r.complete, r.message, r.checked,
            r.detailed, r.sampled, r.twin, r.compared, r.mismatches, t.* FROM point p JOIN run r ON r.id = p.run LEFT JOIN total t ON t.run = r.id ORDER BY p.n;
        SELECT r.identity, c.key, c.value FROM run r JOIN config_value c USING(config) ORDER BY 1, 2;
        SELECT r.identity, d.* FROM run r JOIN detail d ON d.run = r.id ORDER BY r.identity, scope, number"
}
same() { # DB DB
    contents "$1" >"$work/contents"
    [ -s "$work/contents" ] && cmp -s "$work/contents" <(contents "$2") ||
        complain "$1 and $2 differ: $(diff "$work/contents" <(contents "$2") | head -n 3 | cut -c1-300)"
}
