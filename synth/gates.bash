# SPDX-License-Identifier: Apache-2.0
# Shared by the gate-level scripts: cached results, and the kernels that are recorded. Sourced after flow.bash.

# key ARGUMENT... -- FILE...: cache key of a result
key() {
    {
        while [ "$1" != -- ]; do
            printf '%s\n' "$1"
            shift
        done
        shift
        sha256sum "$@" | cut -c 1-64
    } | sha256sum | cut -c 1-32
}

# once KEY TO COMMAND...: appends the command's output to the file TO, from the cache if KEY is known
once() {
    local known=$out/points/$1.json to=$2
    shift 2
    if [ ! -e "$known" ]; then
        "$@" >"$tmp/once"
        mkdir -p "$out/points"
        mv "$tmp/once" "$known"
    fi
    cat "$known" >>"$to"
}

# awake CELLS: prints those cells with flip-flops that start at 0 or 1
awake() {
    sed -E 's/^ *reg ([A-Za-z0-9_]+);$/&\n`ifndef SYNTHESIS\n  initial \1 = $random;\n`endif/' "$1"
}

# kernels WORD: one line NAME INSTANCE TIMES ARGUMENT... per block: an instance in the run of a kernel. TIMES scales the length, so that a
# bpg decides twice and the HIR cache sends some entries. With a fault service time of 20 us, the HIR cache, which gets hits on other pages
# only, would see none in this time, so its run uses 1 us and counts all hits.
kernels() {
    facts "$1"
}
