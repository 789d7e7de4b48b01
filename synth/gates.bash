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

# kernels: NAME INSTANCE TIMES ARGUMENT...: an instance of each block in the run of a kernel, a line; TIMES as long as is asked for: a bpg has decided
# twice then, and some entries of the HIR cache were sent. The driver of unified memory takes 20 us for a fault and the HIR cache is told of hits on other
# pages alone: then it sees none in so few cycles. Here it is 1 us, and all count.
kernels() {
    cat <<-END
		l1d_dl_128x2 l1d.0.mshr 1 -c pascal28 -w spmv -s l1d.mshr=dl
		l1d_static_32x8 l1d.0.mshr 1 -c pascal28 -w spmv
		l2_in_fifo l2.0.in 1 -c cart28 -w spmv
		l2_bank_queues l2.0.bank_queues 1 -c cart28 -w spmv -s l2.incoming=bank_queues
		l2_cart l2.0.cart 1 -c cart28 -w spmv -s l2.incoming=cart
		l1d_bpg l1d.0.bpg 7 -c fermi15 -w spmv -s l1d.bypass=mdb_local
		gmmu_hir gmmu.hir 7 -c hpe15 -w ra -s uvm.memory_percent=75 -s uvm.evict=hpe -s uvm.fault_us=1 -s gmmu.replays_touch=yes -s hpe.transfer=4 -s hir.sets=16
	END
}
