#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every kernel on pascal28, static and DL, and on cart28 with CART passes the data check with all twins in lockstep, at its default size or
# at a smaller one if that takes too long. On maxwell16 the Verilog of addr_hash in its 16 SMs runs with each set index and partition map in
# turn.
. tests/lib.bash
unset MEMTWIN_BRIEF

sizes=" bicg:512 mvt:512 gesummv:384 fdtd2d:256,5 corr:96 syrk:96 sssp:16384 backprop:16384 gaussian:64 nw:512 srad:256,2
 sc:4096,32,20,5 cfd:6000,1
 transpose:512 spmv:32768,1 stencil:128,16,1 scan:524288 fwt:16 dwt2d:192,2 histo:262144,60 sn:14
 hotspot3d:128,8,2 leukocyte:4,64,4,1,4 hybridsort:65536,1 heartwall:8,2,12,6
 syr2k:96 covar:96 lud:256 pfilter:1000,2 sgemm:256,256,64 mriq:8192,1024 sad:64,48
 lbm:64,6,1
 cutcp:24,16,12
 alignedtypes:262144,1 asyncapi:524288 blackscholes:65536,1 sobolqrng:10000,30,28 qrng:131072,1 binomialoptions:64,512 "
indices=(bmod bxor fermi xor pmod a_prime d_prime ipoly ipoly_sum)
maps=(modulo xor xor_next prime a_prime d_prime ipoly)
n=0
for kernel in $("$MEMTWIN" list workloads | sed -n 's/^\([a-z0-9]\+\) .*/\1/p'); do
    workload=$kernel
    [[ $sizes =~ [[:space:]]($kernel:[0-9,]+)[[:space:]] ]] && workload=${BASH_REMATCH[1]}
    for mshr in static dl; do
        expect 0 "$MEMTWIN" run -c pascal28 -w "$workload" -s l1d.mshr=$mshr -s l2.mshr=$mshr --check --twin ${mshr}_mshr -q
        cat "$work/out"
    done
    expect 0 "$MEMTWIN" run -c cart28 -w "$workload" -s l2.incoming=cart --check --twin 'l2.*.in' --twin cart -q
    cat "$work/out"
    expect 0 "$MEMTWIN" run -c maxwell16 -w "$workload" -s l2.partitions=16 -s l1d.set_index=${indices[n % 9]} -s l2.partition_map=${maps[n % 9 % 7]} \
        -s sim.check_hash=yes --check --twin addr_hash -q
    cat "$work/out"
    n=$((n + 1))
done
finish
