#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every error on the command line or in a file gives exit code 1 and exactly one line that names it.
. tests/lib.bash

run() { # TEXT ARGUMENT...
    local text=$1
    shift
    expect_line 1 "$text" "$MEMTWIN" run "$@"
}
ok=(-c tiny -w addvect:1024)

expect_line 1 "no command" "$MEMTWIN"
expect_line 1 "unknown command 'fly' (see memtwin --help)" "$MEMTWIN" fly
expect_line 1 "unknown command 'relpay' (see memtwin --help); did you mean 'replay'?" "$MEMTWIN" relpay
expect_line 1 "unknown command 'traec'" "$MEMTWIN" help traec
expect_line 1 "unexpected 'list'" "$MEMTWIN" help run list
expect_line 1 "unexpected 'more' after version" "$MEMTWIN" version more
expect_line 1 "unknown option '--fly'" "$MEMTWIN" --fly

# the program frees what it allocates (of use with build/memtwin-asan)
expect 0 "$MEMTWIN" version
[ ! -s "$work/err" ] || complain "version: $(head -n 5 "$work/err")"

# control characters in the user's words do not reach the terminal
expect_line 1 "unknown command 'a?[31m'" "$MEMTWIN" $'a\e[31m'
run "no workload '?[31mx?y'" -c tiny -w $'\e[31mx\ny'
run "--twin z?: no such instance" "${ok[@]}" --twin $'z\a'
run "unknown option --fly?" "${ok[@]}" $'--fly\n'

expect 0 "$MEMTWIN" trace export -q -w addvect:32 -o "$work/"$'t\e[31m\n\xc2\x9b'
for quiet in -q --stats; do
    expect 0 "$MEMTWIN" run $quiet -c tiny -t "$work/"$'t\e[31m\n\xc2\x9b'
    grep -qF "$work/t?[31m???/kernelslist.g on tiny: done" "$work/out" || complain "a name on standard output: $(head -n 3 "$work/out" | cat -A)"
done
# .. nor in a summary, where a line feed would begin a line
odd=$work/$'n\e\n'
printf '[study]\nconfig = tiny\nworkload = addvect:32\n' >"$work/odd.ini"
cleaned() { # ARGUMENT...: checks that standard output has the name, cleaned
    expect 0 "$MEMTWIN" "$@"
    grep -q 'n??' "$work/out" && ! grep -q $'\e' "$work/out" || complain "a name on standard output: $*: $(head -n 3 "$work/out" | cat -A)"
}
cleaned trace export -w addvect:32 -o "$odd"
expect 0 "$MEMTWIN" study "$work/odd.ini" -q -o "$work/odd.db"
cleaned report "$work/odd.db" -o "$odd.html"

run "no configuration" -w addvect
run "no workload" -c tiny
run "unknown option --fly" "${ok[@]}" --fly
run "unknown option -z" "${ok[@]}" -z
run "option -c needs a value" -w addvect -c
run "option --json needs a value" "${ok[@]}" --json
for word in --csv --csv=a --cs --help -- -q -wgemm; do
    run "option --json needs a value, but the next word is the option $word (see memtwin run --help)" "${ok[@]}" --json $word "$work/a"
done
run "option -c needs a value, but the next word is the option -w" -c -w addvect:1024
run "option --sample needs a value" "${ok[@]}" --sample --json "$work/a"
run "--sample -4: not a positive number" "${ok[@]}" --sample -4
# no options: a word that matches no option, a path, and a value after =
program=$(realpath "$MEMTWIN")
(
    cd "$work" || exit
    for value in '--json --fly' '--json ./--csv' --json=--csv.json; do
        expect 0 "$program" run "${ok[@]}" $value
    done
    ls -- --fly --csv --csv.json >/dev/null
) || complain "a value that begins with dashes"
run "unknown option --jsno=x (see memtwin run --help); did you mean '--json'?" "${ok[@]}" --jsno=x
run "--threads was removed: a run uses one core; run several concurrently with memtwin study FILE -j N" "${ok[@]}" --threads=2
run "unknown option --ctas (see memtwin run --help)" "${ok[@]}" --ctas 0:5
! grep -q 'did you mean' "$work/err" || complain "--ctas: $(cat "$work/err")"
run "--json is given twice" "${ok[@]}" --json "$work/a" --json "$work/b"
run "--sample is given twice" "${ok[@]}" --sample 1 --sample 1
run "option --check=yes takes no value" "${ok[@]}" --check=yes
run "unexpected 'more'" "${ok[@]}" more
run "use either -w addvect:1024 or -t" "${ok[@]}" -t kernelslist.g
run "-t is given twice" -c tiny -t a -t b
run "-c is given twice" "${ok[@]}" -c tiny
run "2 workloads need cke.partition" "${ok[@]}" -w bfs
run "option --json has an empty value" "${ok[@]}" --json=
run "option -s has an empty value" "${ok[@]}" -s ''
run "the path is too long" -c tiny -t "$(printf '%05000d' 0)"
expect_line 1 "-: a device, neither a file nor a pipe" bash -c 'exec "$0" run -c tiny -t - <&-' "$MEMTWIN"
expect_line 1 "-: cannot be copied to $work/nowhere: No such file" bash -c 'echo | TMPDIR=$1 "$0" run -c tiny -t -' "$MEMTWIN" "$work/nowhere"
run "$work/none.g: No such file" -c tiny -t "$work/none.g"
run "$work: the folder has no kernelslist.g" -c tiny -t "$work"

run "no configuration 'nowhere'" -c nowhere -w addvect
run "no configuration 'pascal82' (see memtwin list configs); did you mean 'pascal28'?" -c pascal82 -w addvect
run "no workload 'gem' (see memtwin list workloads); did you mean 'gemm'?" -c tiny -w gem:32
run "cannot read configuration $work/nowhere.ini" -c "$work/nowhere.ini" -w addvect
run "no workload 'sudoku'" -c tiny -w sudoku
for name in streamcluster:sc convolutionSeparable:convsep quasirandomgenerator:qrng sortingnetwork:sn particlefilter:pfilter; do
    run "no workload '${name%:*}' (see memtwin list workloads); did you mean '${name#*:}'?" -c tiny -w "${name%:*}:64"
done
run "no workload 'rodinia'" -c tiny -w rodinia
! grep -q "did you mean" "$work/err" || complain "a suite is no workload: $(cat "$work/err")"
run "no workload 'b' (see memtwin list workloads); + joins workloads" -c tiny -w b+tree:1
for size in x 0 -1 '' 1x 99999999999999999999 1,2,3,4,5,6; do
    run "size" -c tiny -w "addvect:$size"
    run "size" -c tiny -w "gemm:$size"
done

run "expected section.key=value" "${ok[@]}" -s l1d.sets
run "unknown key 'colour' in section 'l1d'" "${ok[@]}" -s l1d.colour=1
run "unknown section 'l9'" "${ok[@]}" -s l9.sets=1
run "unknown key 'setz' in section 'l1d' (see memtwin list keys); did you mean 'sets'?" "${ok[@]}" -s l1d.setz=1
run "unknown section 'lid' (see memtwin list keys); did you mean 'l1d'?" "${ok[@]}" -s lid.sets=1
run "uvm.evict=lur is not one of" "${ok[@]}" -s uvm.evict=lur
grep -q "; did you mean 'lru'?" "$work/err" || complain "a policy: $(cat "$work/err")"
run "'four' is not an integer from 1 to " "${ok[@]}" -s l1d.sets=four
run "0 is outside 1..512" "${ok[@]}" -s sm.count=0
run "'odd' is not one of static|dl" "${ok[@]}" -s l1d.mshr=odd
run "l1d.dl_reserved_heads=16 must be below l1d.dl_sets=16" "${ok[@]}" -s l1d.mshr=dl -s l1d.dl_reserved_heads=16
run "l1d.dl_pools=split needs l1d.dl_tail=2, not 0" "${ok[@]}" -s l1d.mshr=dl -s l1d.dl_pools=split -s l1d.dl_tail=0
run "l2.dl_pools=split needs l2.dl_reserved_heads of at least 2, not 1" "${ok[@]}" -s l2.mshr=dl -s l2.dl_pools=split -s l2.dl_reserved_heads=1
run "l2.mshr_lookup=2 cannot be used with l2.incoming=nonblocking" "${ok[@]}" -s l2.mshr_lookup=2 -s l2.incoming=nonblocking
run "l2.dl_pools=split needs l2.incoming_hold=yes" "${ok[@]}" -s l2.mshr=dl -s l2.dl_pools=split -s l2.incoming=bank_queues -s l2.bank_queues=2 -s l2.incoming_hold=no

run "l2.incoming=cart needs more than one bank" "${ok[@]}" -s l2.incoming=cart -s dram.banks=1 -s dram.groups=1 -s dram.address_map=0000RRRRRRRRRRRRRRRRRRCCCCCSSSSS
run "l2.incoming=bank_queues needs all B bits among" "${ok[@]}" -s l2.incoming=bank_queues -s dram.address_map=0000RRRRRRRRRRRRRRRCCCCCCBBSSSSS
run "l2.incoming=cart needs a C bit among" "${ok[@]}" -s l2.incoming=cart -s dram.address_map=0000RRRRRRRRRRRRRRRRRRRBBCCSSSSS
run "l2.cart_age_limit=4 needs l2.cart_policy=rotating" "${ok[@]}" -s l2.incoming=cart -s l2.cart_age_limit=4 -s l2.cart_policy=longest
run "l2.cart_column_lines=6 is not a power of two" "${ok[@]}" -s l2.incoming=cart -s l2.cart_column_lines=6
run "sm.active_warps=17 is above sm.warps=16" "${ok[@]}" -s sm.scheduler=swl -s sm.active_warps=17
run "l2.cart_column_lines=4 must be a power of two up to 2, half the lines of a row in dram.address_map=" "${ok[@]}" -s l2.incoming=cart -s l2.cart_column_lines=4
run "l2.cart_column_lines=32 must be a power of two up to 16, half the lines of a row" "${ok[@]}" -s l2.incoming=cart -s l2.cart_column_lines=32 -s dram.address_map=0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS -s dram.banks=16 -s dram.atom_bytes=64
run "'row' is not one of group|branch" "${ok[@]}" -s l2.cart_fill=row
run "l2.bank_queues=3 must be a power of two" "${ok[@]}" -s l2.incoming=bank_queues -s l2.bank_queues=3

run "sm.count=15 is not a multiple of icnt.sms_per_port=2: each port of the crossbar needs the same number of SMs" -c gtx480 -w addvect:64 -s icnt.sms_per_port=2

# Keys without an effect in this mode (last column of keys.def), and the keys that choose the mode.
no_effect() { # KEY=VALUE CHOOSER=VALUE OPTION...
    run "$1 has no effect with $2 (${1%%=*}: -s, ${2%%=*}: " "${ok[@]}" -s "$1" "${@:3}"
}
no_effect sm.active_warps=4 sm.scheduler=gto
no_effect mil.fallback=keep mil.limit=8,none -s mil.limit=8,none
no_effect mil.failure_bits=14 mil.limit=none -s mil.order=turns
no_effect icache.sets=4 sm.model=simple
no_effect icache.sets=4 sm.fetch=0 -s sm.model=gpgpusim
no_effect sm.collectors=2 sm.model=simple
no_effect sm.lsu_latency=3 sm.collectors=2 -s sm.model=gpgpusim -s sm.collectors=2 -s sm.register_banks=16
no_effect icnt.speedup=2 icnt.model=simple
no_effect dram.write_high=5 dram.model=gpgpusim -s dram.model=gpgpusim
no_effect icache.ways=2 icache.sets=0
no_effect l1d.bypass_slots=4 l1d.bypass=none
no_effect l1d.cache_users=3 l1d.bypass=none
no_effect l1d.mdb_failures=accesses l1d.bypass=static -s l1d.bypass=static
no_effect l1d.protect_distance=3 l1d.bypass=none
no_effect l1d.ucp_cycles=5000 l1d.partition=none
no_effect l1d.mrpb_drain=lowest l1d.mrpb_queues=0
no_effect l1d.mshr_lookup=2 l1d.mshr=dl -s l1d.mshr=dl
no_effect l1d.dl_sets=64 l1d.mshr=static
no_effect l2.mshr_slots=8 l2.mshr=unlimited -s l2.mshr=unlimited
no_effect l2.bank_queues=4 l2.incoming=fifo
no_effect l2.cart_fill=branch l2.incoming=fifo
no_effect l2.cart_age_limit=4 l2.incoming=bank_queues -s l2.incoming=bank_queues -s l2.bank_queues=4
no_effect uvm.evict=random uvm.mode=off
for key in uvm.{evict=random,service=set,prefetch=random,prefetch_full=random,faults=blocking,far_faults=4,fault_us=10}; do
    no_effect $key uvm.mode=copy -s uvm.mode=copy
done
for key in uvm.{service=set,faults=blocking,far_faults=4,fault_us=10,prefetch=random}; do
    no_effect $key uvm.resident=yes -s uvm.mode=paged -s uvm.resident=yes
done
no_effect uvm.far_faults=4 uvm.faults=blocking -s uvm.mode=paged -s uvm.faults=blocking
no_effect uvm.prefetch_full=random uvm.memory_pages=0 -s uvm.mode=paged
no_effect uvm.frame_unit=16 uvm.memory_percent=0 -s uvm.mode=paged
no_effect uvm.set_pages=40 uvm.service=each -s uvm.mode=paged
for key in uvm.write_back=dirty; do
    no_effect $key uvm.mode=copy -s uvm.mode=copy
    no_effect $key uvm.memory_pages=0 -s uvm.mode=paged
done
no_effect uvm.seed=3 uvm.mode=copy -s uvm.mode=copy
no_effect uvm.seed=3 uvm.prefetch=none -s uvm.mode=paged
no_effect cap.range=ahead uvm.prefetch=none -s uvm.mode=paged
no_effect pcie.gbps=32 uvm.mode=off
no_effect pcie.copy_slow_kib=0 uvm.mode=paged -s uvm.mode=paged -s pcie.model=curve
no_effect pcie.copy_slow_kib=0 pcie.model=flat -s uvm.mode=copy
no_effect tlb.l1_misses=4 uvm.mode=copy -s uvm.mode=copy
no_effect tlb.l2_ways=4 tlb.l2_entries=0 -s uvm.mode=paged -s tlb.l2_entries=0
no_effect gmmu.walkers=4 uvm.mode=off
no_effect gmmu.cache_miss=100 gmmu.cache_lines=0 -s uvm.mode=paged
no_effect hpe.transfer=4 uvm.evict=lru
no_effect hpe.transfer=4 hpe.hits=ideal -s uvm.mode=paged -s uvm.evict=hpe -s hpe.hits=ideal
no_effect rrip.insert=distant uvm.evict=lru
no_effect ture.batch=2 uvm.evict=lru
printf 'base = tiny\n[l2]\nincoming = fifo\ncart_fill = branch\n' >"$work/fifo.ini"
expect 0 "$MEMTWIN" config -c "$work/fifo.ini"
expect_line 1 "l2.cart_fill=group has no effect with l2.incoming=fifo (l2.cart_fill: -s, l2.incoming: $work/fifo.ini:3)" "$MEMTWIN" config -c "$work/fifo.ini" -s l2.cart_fill=group
expect 0 "$MEMTWIN" config -c "$work/fifo.ini" -s l2.cart_fill=group -s l2.incoming=cart
takes() { expect 0 "$MEMTWIN" config -c tiny "$@"; }
takes -s uvm.prefetch_full=cap -s uvm.mode=paged -s uvm.memory_percent=50 -s cap.range=ahead
for evict in hpe ture; do takes -s uvm.mode=paged -s uvm.evict=$evict; done # allowed even while all pages fit
takes -s mil.order=quotas -s mil.failure_bits=14
takes -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.write_back=dirty
for key in uvm.evict=random uvm.prefetch=random_2mb uvm.prefetch_full=random; do
    takes -s uvm.mode=paged -s uvm.memory_percent=50 -s $key -s uvm.seed=3
done


run "no such instance; the machine has l1d.*.mshr (2 static_mshr), sm.*.hash (2 addr_hash), l2.*.in (2 in_fifo), l2.*.mshr (2 static_mshr)" "${ok[@]}" --twin 'l4.*'
run "no such instance" "${ok[@]}" --twin dl_mshr
run "(2 static_mshr); did you mean 'static_mshr'?" "${ok[@]}" --twin static_msh
run "l1d.0.mshr (unlimited_mshr) has no Verilog and thus no twin" "${ok[@]}" -s l1d.mshr=unlimited --twin 'l1d.*'
run "has no Verilog" "${ok[@]}" -s l2.mshr=unlimited --twin unlimited_mshr
run "--twin l2.*: l2.0.mshr has no Verilog: static_mshr: parameter ENTRIES=257 is outside 1..256, the range of the Verilog" "${ok[@]}" -s l2.mshr_entries=257 --twin 'l2.*'
run "l1d.1.mshr has no Verilog: dl_mshr: parameter SETS=4096 is outside 3..256" "${ok[@]}" -s l1d.mshr=dl -s l1d.dl_sets=4096 --twin l1d.1.mshr:drive
expect 0 "$MEMTWIN" run "${ok[@]}" -s l2.mshr_entries=257 -s sm.count=129 --check -q
run "'sideways' is neither lockstep nor drive" "${ok[@]}" --twin 'l2.*:sideways'
run "expected PATTERN" "${ok[@]}" --twin :drive
run "expected PATTERN" "${ok[@]}" --twin 'l2.*.mshr,'
run "--twin l4.*: no such instance" "${ok[@]}" --twin 'l2.*.mshr:drive,l4.*'
cp -r rtl "$work/rtl"
sed -i 's/^endmodule/endmodul/' "$work/rtl/in_fifo/in_fifo.v"
export MEMTWIN_RTL=$work/rtl MEMTWIN_TWINS=$work/twins
run "rtl/in_fifo/in_fifo.v:" "${ok[@]}" --twin in_fifo
run "(log: $work/twins/twins-" "${ok[@]}" --twin in_fifo
unset MEMTWIN_RTL MEMTWIN_TWINS

run "cannot write $work/no/x.json" "${ok[@]}" --json "$work/no/x.json"
run "cannot write $work: not a regular file" "${ok[@]}" --json "$work"

# ---- Output files ----
# The temporary name is of a form that only MemTwin makes, and fits beside the longest name. A replaced file keeps its mode.
touch "$work/o.csv.999998.part"
expect 0 "$MEMTWIN" run -q "${ok[@]}" --csv "$work/o.csv"
[ -e "$work/o.csv.999998.part" ] || complain "a file of the user was removed"
expect 0 "$MEMTWIN" run -q "${ok[@]}" --csv "$work/$(printf '%0255d' 0)"
run "File name too long" "${ok[@]}" --csv "$work/$(printf '%0256d' 0)"
chmod 600 "$work/o.csv"
expect 0 "$MEMTWIN" run -q "${ok[@]}" --csv "$work/o.csv"
[ "$(stat -c %a "$work/o.csv")" = 600 ] || complain "the mode of a replaced file: $(stat -c %a "$work/o.csv")"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir -m 777 "$work/all"
    chmod 755 "$work"
    echo kept >"$work/all/o.csv"
    chown 65534 "$work/all/o.csv"
    expect 0 "$MEMTWIN" run -q "${ok[@]}" --csv "$work/all/o.csv"
    [ "$(stat -c %u "$work/all/o.csv")" = 65534 ] || complain "the owner of a replaced file: $(stat -c %u "$work/all/o.csv")"
    chmod 444 "$work/all/o.csv"
    expect_line 1 "cannot write $work/all/o.csv: Permission denied; make the file writable or write to another path" \
        setpriv --reuid=65534 --regid=65534 --clear-groups "$MEMTWIN" run -q "${ok[@]}" --csv "$work/all/o.csv"
fi

# ---- Input: endless, with a byte order mark, with invisible characters ----
expect_line 1 "-:28: expected 'warp = w' or #END_TB, not '0010'" timeout 20 bash -c '(head -n 24 docs/examples/addvect.traceg
    yes "0010 ffffffff 1 R4 LDG.E 0 4 1 0x000080000800 4 0" 2>/dev/null) | "$0" run -q -c tiny -t -' "$MEMTWIN"
for command in 'trace check' 'pages'; do
    expect_line 1 "-: more than 1 MiB; read a file, or raise MEMTWIN_PIPE_MIB (in MiB)" timeout 20 bash -c \
        'yes -- "-kernel name = k" 2>/dev/null | MEMTWIN_PIPE_MIB=1 "$0" $1 -t -' "$MEMTWIN" "$command"
done
expect_line 1 "MEMTWIN_PIPE_MIB=0: expected a number of MiB, such as 4096" bash -c 'echo | MEMTWIN_PIPE_MIB=0 "$0" trace check -t -' "$MEMTWIN"
expect_line 1 "-:1000001: more than 1000000 lines without a request" timeout 20 bash -c 'yes "" 2>/dev/null | "$0" dram -c tiny -t -' "$MEMTWIN"
expect 0 bash -c 'TMPDIR=$1/nowhere "$0" trace check -q -t - <docs/examples/addvect.traceg' "$MEMTWIN" "$work"
dos() { printf '\xef\xbb\xbf' && sed 's/$/\r/' "$1"; }
mkdir "$work/dos"
dos docs/examples/addvect.traceg >"$work/dos/kernel-1.traceg"
dos <(echo kernel-1.traceg) >"$work/dos/kernelslist.g"
dos <(echo 0 R 0) >"$work/dos/requests"
"$MEMTWIN" cosim static_mshr --model-only --cycles 100 --record "$work/x.vec" >/dev/null
dos "$work/x.vec" >"$work/dos/x.vec"
expect 0 "$MEMTWIN" trace check -q -t "$work/dos"
[ ! -s "$work/err" ] || complain "a byte order mark in a list: $(cat "$work/err")"
expect 0 "$MEMTWIN" dram -c tiny -t "$work/dos/requests"
expect 0 "$MEMTWIN" replay "$work/dos/x.vec" --engine model
expect_line 1 "-:1: not a cycle: '5???'" bash -c 'printf "5\xe2\x80\x8b R 0\n" | "$0" dram -c tiny -t -' "$MEMTWIN"

ini() { # LINE TEXT: checks that the file on stdin is refused with its name, this line and this text
    cat >"$work/x.ini"
    run "$work/x.ini:$1: $2" -c "$work/x.ini" -w addvect
}
ini 3 "unknown key 'wheels'" < <(printf '[sm]\ncount = 2\nwheels = 4\n')
ini 3 "unknown section 'bus'" < <(printf '; x\n\n[bus]\ncount = 2\n')
ini 3 "neither [section] nor key = value" < <(printf '[sm]\ncount = 2\nhello\n')
ini 3 "key 'count' is given twice" < <(printf '[sm]\ncount = 2\ncount = 2\n')
ini 2 "sm.count: 'two' is not an integer" < <(printf '[sm]\ncount = two\n')
ini 2 "sm.count: 2000 is outside 1..512" < <(printf '[sm]\ncount = 2000\n')
ini 2 "line longer than" < <(printf '[sm]\n; %09000d\n' 0)
[[ $MEMTWIN == *asan* ]] || expect_line 1 "/dev/fd/63:2: line longer than" \
    bash -c 'ulimit -v 200000; exec "$0" run -c <(printf "[sm]\n" && yes 2>/dev/null | tr -d "\n" | head -c 300000000) -w addvect' "$MEMTWIN"
ini 1 "not a text file (contains a zero byte)" < <(head -c 4096 /dev/zero)
ini 1 "" < <(printf '\177ELF\001\002garbage\n')

expect_line 1 "no BLOCK given" "$MEMTWIN" cosim
expect_line 1 "no block 'toaster'" "$MEMTWIN" cosim toaster
expect_line 1 "no block 'dlmshr' (see memtwin list blocks); did you mean 'dl_mshr'?" "$MEMTWIN" cosim dlmshr
expect_line 1 "SETS=1 is outside 3..256" "$MEMTWIN" cosim dl_mshr -p SETS=1
expect_line 1 "SETS=257 is outside 3..256, the range of the Verilog" "$MEMTWIN" cosim dl_mshr -p SETS=257
expect_line 1 "-p SETS=4: SETS is given twice" "$MEMTWIN" cosim dl_mshr -p SETS=8 -p SLOTS=2 -p SETS=4
expect 0 "$MEMTWIN" cosim dl_mshr -p SETS=8 -p SLOTS=2 --model-only --cycles 1
grep -q ': 1 cycle, seed' "$work/out" || complain "a run of one cycle: $(head -n 1 "$work/out")"
expect_line 1 "has no parameter 'WAYS'" "$MEMTWIN" cosim dl_mshr -p WAYS=1
expect_line 1 "has no parameter 'SET'; did you mean 'SETS'?" "$MEMTWIN" cosim dl_mshr -p SET=3
for value in x 0x8 '' 8x; do
    expect_line 1 "SETS: '$value' is not an integer" "$MEMTWIN" cosim dl_mshr -p "SETS=$value"
done
for value in 99999999999999999999 -99999999999999999999; do
    expect_line 1 "parameter SETS=$value is outside 3..256" "$MEMTWIN" cosim dl_mshr -p SETS=$value
done
for value in x 2 yes; do
    expect 2 make -n PGO=$value
    grep -qF "PGO=$value: expected 0 or 1" "$work/err" || complain "PGO=$value: $(cat "$work/err")"
done
! grep -q "did you mean" "$work/err" || complain "a parameter that there is: $(cat "$work/err")"
expect_line 1 "expected PARAM=VALUE" "$MEMTWIN" cosim dl_mshr -p SETS
expect_line 1 "RESERVED_HEADS must be below SETS" "$MEMTWIN" cosim dl_mshr_paper -p SETS=4 -p RESERVED_HEADS=4
expect_line 1 "HEADS must be below SETS" "$MEMTWIN" cosim dl_mshr -p SETS=4 -p HEADS=4
expect_line 1 "--cycles 0: not a positive number" "$MEMTWIN" cosim dl_mshr --cycles 0
expect_line 1 "--cycles 1e6: not a positive number" "$MEMTWIN" cosim dl_mshr --cycles 1e6
expect_line 1 "--seed -1: not a non-negative number" "$MEMTWIN" cosim dl_mshr --seed -1
expect_line 1 "--cycles 99999999999999999999: more than 18446744073709551615" "$MEMTWIN" cosim dl_mshr --cycles 99999999999999999999
expect_line 1 "unexpected ''" "$MEMTWIN" cosim ''
expect_line 1 "$work: not a regular file" "$MEMTWIN" cosim dl_mshr --record "$work"
expect_line 1 "rtl/cap/sim/cap.vec:1: vectors of a test bench, without a header; replay reads files that --record writes" "$MEMTWIN" replay rtl/cap/sim/cap.vec
# a variable that the target would ignore
refused() { # TARGET VARIABLE=VALUE...
    expect 2 env -u MAKEFLAGS -u MAKELEVEL make -n "$@"
    [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "make $*: $(cat "$work/out" "$work/err")"
    grep -qE " make $1 does not take ${2%%=*}; these targets take it: .*\btiming\b" "$work/err" || complain "make $*: $(cat "$work/err")"
}
refused formal PARAMS="DEPTH=9" BLOCK=in_fifo
refused cosim-in_fifo PARAMS="DEPTH=9"
refused synth BLOCK=nope
refused test BLOCK=in_fifo
refused fpga PERIOD=2
for target in fpga cosim timing; do
    expect 2 env -u MAKEFLAGS -u MAKELEVEL make -n $target BLOCK=in_fifo DEPTH=0
    grep -qF "make $target does not take DEPTH, a parameter of in_fifo: PARAMS=\"DEPTH=0\"" "$work/err" || complain "make $target DEPTH=0: $(cat "$work/err")"
done
# an empty variable, and parameters of no block
wrong_make() { # TEXT ARGUMENT...
    expect 2 env -u MAKEFLAGS -u MAKELEVEL make -n "${@:2}"
    [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF "$1" "$work/err" || complain "make ${*:2}: $(cat "$work/out" "$work/err")"
}
for target in formal cosim timing fpga; do wrong_make "BLOCK is empty" $target BLOCK=; done
wrong_make "CYCLES is empty" coverage CYCLES=
for target in cosim timing fpga; do wrong_make "PARAMS requires BLOCK, one of: " $target PARAMS="DEPTH=9"; done
expect 1 synth/timing.sh nonsense
[ "$(cat "$work/err")" = "synth: no block 'nonsense'" ] || complain "synth/timing.sh nonsense: $(cat "$work/err")"
expect 0 env -u MAKEFLAGS -u MAKELEVEL make -n fpga BLOCK=in_fifo PARAMS="DEPTH=9 ADDR_W=8"
for taken in "timing BLOCK=in_fifo PARAMS=DEPTH=9 LIBERTY=x PERIOD=2" "formal BLOCK=in_fifo" "experiment-cke CYCLES=9" "clean timing BLOCK=hir"; do
    expect 0 env -u MAKEFLAGS -u MAKELEVEL make -n $taken
done
make -n cosim | grep -q "for block in .*dl_mshr.*hir" || complain "make cosim: not every block"
expect_line 1 "unknown option --fly" "$MEMTWIN" cosim dl_mshr --fly
expect_line 1 "unexpected 'more'" "$MEMTWIN" cosim dl_mshr more
expect 1 "$MEMTWIN" cosim bpg --plant 'nope[0]@100'
grep -q "^memtwin cosim: .*nope" "$work/err" || complain "a plant in no port: $(cat "$work/err")"
plant() { # TEXT ARGUMENT...
    expect 1 "$MEMTWIN" cosim in_fifo "${@:2}"
    grep -qF -- "$1" "$work/err" || complain "${*:2}: $(cat "$work/err")"
}
plant "expected PORT@CYCLE or PORT[BIT]@CYCLE" --plant fill_ready
plant "fill_ready has bits 0 to 0" --plant 'fill_ready[9]@2'
plant "--plant requires a twin" --plant fill_ready@2 --model-only
plant "the run has only 10 cycles" --plant fill_ready@20 --cycles 10

expect_line 1 "no vector file" "$MEMTWIN" replay
expect_line 1 "cannot read $work/none.vec: No such file" "$MEMTWIN" replay "$work/none.vec"
# A long path does not push the reason out of the message. A path that is too long is an error, and is not silently cut.
part=$(printf 'd%.0s' {1..199})
long=$(printf "$part/%.0s" {1..7})none
for c in "run -q -w atax:64 -c" "config -c" "config -c tiny --diff" "run -q -c tiny -t" "run -q -c tiny -w atax:64 --json" "dram -c tiny -t" "trace check -t" \
    "trace export -w atax:64 -o" "cosim in_fifo --model-only --record"; do
    expect_line 1 "dddd/none: No such file or directory" "$MEMTWIN" $c "$long"
done
grep -q '^memtwin cosim.*: dddd.*d[.][.][.]d.*ddd/none: ' "$work/err" || complain "not cut in the middle: $(cat "$work/err")"
(
    cd "$work" && for _ in {1..20}; do mkdir "$part" && cd "$part" || exit 1; done
    >"$part.vec"
) && expect 1 "$MEMTWIN" replay "$work/$(printf "$part/%.0s" {1..20})"
grep -q 'path too long' "$work/err" || complain "a path of more than 4096: $(head -c 200 "$work/err")"
expect_line 1 "unexpected 'b.vec'" "$MEMTWIN" replay a.vec b.vec
expect_line 1 "--engine steam: not twin, icarus or model" "$MEMTWIN" replay x.vec --engine steam
expect_line 1 "--engine is given twice" "$MEMTWIN" replay x.vec --engine model --engine twin
mkdir "$work/empty"
expect_line 1 "$work/empty: no vector files (*.vec) in this folder" "$MEMTWIN" replay "$work/empty"
expect_line 1 "--wave w.vcd needs a single vector file, but $work/empty is a folder" "$MEMTWIN" replay "$work/empty" --wave w.vcd
printf 'no vectors\n' >"$work/bad.vec"
expect 0 "$MEMTWIN" cosim in_fifo --model-only --cycles 100 --record "$work/x.vec"
for wave in x.foo x x.vcd.gz .; do
    for engine in twin icarus; do expect_line 1 "$work/$wave: " "$MEMTWIN" replay "$work/x.vec" --engine $engine --wave "$work/$wave"; done
done
expect_line 1 "$work/x.foo: the name of a wave file must end in .vcd or .fst" "$MEMTWIN" replay "$work/x.vec" --wave "$work/x.foo"
expect_line 1 "$work/bad.vec" "$MEMTWIN" replay "$work/bad.vec" --engine model

mutants() { # TEXT ARGUMENT...
    expect_line 1 "$1" "$MEMTWIN" mutants "${@:2}"
}
mutants "no BLOCK given"
mutants "no block 'toaster'" toaster
mutants "DEPTH=0 is outside" in_fifo -p DEPTH=0
mutants "--mutants 0: not a number from 1 to 65535" in_fifo --mutants 0
mutants "--part x: not a number from 1" in_fifo --part x
mutants "--apart: 'x' is not the number of a latch" in_fifo --apart 1,x
mutants "--run 1000: expected CYCLES:SEED" in_fifo --run 1000
mutants "--run: at most 16 runs" in_fifo $(printf -- '--run 9:%s ' {1..17})
mutants "--legal: at most 8 ports" in_fifo $(printf -- '--legal p%s=0 ' {1..9})
mutants "needs --netlist and --mutants" in_fifo
mutants "--run 5:: expected CYCLES:SEED" in_fifo --run 5:
mutants "--part needs --netlist and --miter" in_fifo --part 1
mutants "$work/no/x.v" in_fifo --top "$work/no/x.v"

expect_line 1 "unknown option --fly" "$MEMTWIN" dram --fly
echo '0 R 0' >"$work/requests"
for option in --json --commands; do
    expect_line 1 "$work/requests would be overwritten" "$MEMTWIN" dram -c tiny -t "$work/requests" $option "$work/requests"
done
expect_line 1 "$work/y is given for two outputs" "$MEMTWIN" dram -c tiny -t "$work/requests" --json "$work/y" --commands "$work/y"
# a file that does not exist yet may be named in several ways
ln -s . "$work/here"
expect_line 1 "$work/z is given for two outputs" bash -c 'program=$(realpath "$0"); cd "$1" && exec "$program" dram -c tiny -t requests --commands z --json "$1/z"' "$MEMTWIN" "$work"
run "$work/here/z is given for two outputs" "${ok[@]}" --json "$work/z" --csv "$work/here/z"
run "/z is given for two outputs" "${ok[@]}" --json "$work/./z" --csv "$work/z"
[ ! -e "$work/z" ] || complain "two results in one file: $(head -c 80 "$work/z")"
# the reason why a result could not be written, for each kind of result
for option in --json --csv; do
    expect 1 "$MEMTWIN" run -q "${ok[@]}" $option /dev/full
    grep -qx "memtwin run: cannot write /dev/full: No space left on device" "$work/err" || complain "$option: $(cat "$work/err")"
    expect 1 bash -c 'ulimit -f 4; exec "$@"' - "$MEMTWIN" run -q "${ok[@]}" --detail $option "$work/z"
    grep -qx "memtwin run: cannot write $work/z: File too large" "$work/err" || complain "$option: $(cat "$work/err")"
done
expect 1 "$MEMTWIN" dram -c tiny -t "$work/requests" --json /dev/full
grep -q "/dev/full: No space left on device" "$work/err" || complain "dram: $(cat "$work/err")"

expect_line 1 "no subcommand: expected" "$MEMTWIN" trace
expect_line 1 "no kind: expected" "$MEMTWIN" trace make
expect_line 1 "unknown 'fly': expected export, make or check" "$MEMTWIN" trace fly
expect_line 1 "unknown 'exprt': expected export, make or check; did you mean 'export'?" "$MEMTWIN" trace exprt
expect_line 1 "unexpected '$work': use -t $work to name the trace" "$MEMTWIN" trace check "$work"
expect_line 1 "; did you mean 'divergent'?" "$MEMTWIN" trace make divergentt -o "$work/t"
expect_line 1 "no workload" "$MEMTWIN" trace export -o "$work/t"
expect_line 1 "no workload 'sudoku'" "$MEMTWIN" trace export -w sudoku -o "$work/t"
expect_line 1 "size" "$MEMTWIN" trace export -w gemm:x -o "$work/t"
expect_line 1 "no folder" "$MEMTWIN" trace export -w gemm:32
expect_line 1 "unexpected 'more'" "$MEMTWIN" trace export -w gemm:32 -o "$work/t" more
expect_line 1 "unknown option --fly" "$MEMTWIN" trace export --fly
expect_line 1 "option -o needs a value" "$MEMTWIN" trace export -w gemm:32 -o
expect_line 1 "--warps and --scale are only for make" "$MEMTWIN" trace export -w gemm:32 -o "$work/t" --warps 8
expect_line 1 "$work: the folder is not empty" "$MEMTWIN" trace export -w gemm:32 -o "$work"
expect_line 1 "$work/x.ini: Not a directory" "$MEMTWIN" trace export -w gemm:32 -o "$work/x.ini"
expect_line 1 "$work/no/t: No such file" "$MEMTWIN" trace export -w gemm:32 -o "$work/no/t"
expect_line 1 "no kind: expected" "$MEMTWIN" trace make
expect_line 1 "no kind 'loop'" "$MEMTWIN" trace make loop -o "$work/t"
expect_line 1 "no folder" "$MEMTWIN" trace make vecadd
expect_line 1 "--warps 12: not a multiple of 8" "$MEMTWIN" trace make vecadd -o "$work/t" --warps 12
expect_line 1 "--warps 0: not a number from 1" "$MEMTWIN" trace make vecadd -o "$work/t" --warps 0
expect_line 1 "--scale 5000: not a number from 1 to 4096" "$MEMTWIN" trace make vecadd -o "$work/t" --scale 5000
expect_line 1 "-w is only for export" "$MEMTWIN" trace make vecadd -o "$work/t" -w gemm
expect_line 1 "no trace: use -t TRACE" "$MEMTWIN" trace check
expect_line 1 "-t is only for check" "$MEMTWIN" trace make vecadd -o "$work/t" -t x
expect_line 1 "check writes no files" "$MEMTWIN" trace check -t x --xz
expect_line 1 "$work/none.g: No such file" "$MEMTWIN" trace check -t "$work/none.g"
[ ! -e "$work/t" ] || complain "trace: a refused export left a folder"

printf '[study]\nconfig = tiny\nworkload = addvect:32\n[scheme \033[31m]\nl1d.ways = 4\n' >"$work/escape.ini"
expect_line 1 "escape.ini:4: a control character: not a text file" "$MEMTWIN" study "$work/escape.ini" -o "$work/escape.db"
# an endless input is refused
printf '[study]\nconfig = tiny\nworkload = addvect:32\nreference = /dev/zero\n' >"$work/endless.ini"
expect_line 1 "/dev/zero:1: not a text file (contains a zero byte)" timeout 10 "$MEMTWIN" study /dev/zero
expect_line 1 "/dev/zero:1: a zero byte, or a line longer than" timeout 10 "$MEMTWIN" study "$work/endless.ini" -o "$work/endless.db"
expect_line 1 ":1000001: more than 1000000 lines" timeout 60 bash -c 'yes "" | "$0" study /dev/stdin' "$MEMTWIN"

expect_line 1 "no list: expected" "$MEMTWIN" list
expect_line 1 "unknown list 'dreams': expected workloads|configs|blocks|policies|stats|keys" "$MEMTWIN" list dreams
expect_line 1 "; did you mean 'stats'?" "$MEMTWIN" list stat
expect_line 1 "unexpected 'more'" "$MEMTWIN" list stats more
finish
