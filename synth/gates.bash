# SPDX-License-Identifier: Apache-2.0
# What the scripts of the gate level share: results that are kept, and the kernels that are recorded. Sourced after flow.bash.

# key ARGUMENT... -- FILE...: of a result
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

# once KEY TO COMMAND...: what the command writes, one more in the file TO; if it wrote it before with this key, that
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

# awake CELLS: those cells, with flip-flops that wake up at 0 or 1
awake() {
    sed -E 's/^ *reg ([A-Za-z0-9_]+);$/&\n`ifndef SYNTHESIS\n  initial \1 = $random;\n`endif/' "$1"
}

# kernels WORD: NAME INSTANCE TIMES ARGUMENT...: an instance of each block in the run of a kernel, a line; TIMES as long as is asked for: a bpg has decided
# twice then, and some entries of the HIR cache were sent. The driver of unified memory takes 20 us for a fault and the HIR cache is told of hits on other
# pages alone: then it sees none in so few cycles. In its run it is 1 us, and all count.
kernels() {
    facts "$1"
}
