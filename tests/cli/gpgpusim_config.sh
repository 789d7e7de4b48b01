#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# Configurations of GPGPU-Sim: their options become keys, or are named with what is lost. A wrong one is refused in one line. The tables of
# docs/use/accelsim.md are those of the source.
. tests/lib.bash

for kind in mapped lost inert; do
    awk -v KIND=$kind -f tests/cli/option_table.awk cmodel/import/options.def >"$work/table"
    [ "$(wc -l <"$work/table")" -gt 30 ] || complain "only $(wc -l <"$work/table") lines of $kind options"
    case $kind in
    mapped) section='Mapped options' ;;
    lost) section='Options that are not imported' ;;
    inert) section='Options without effect' ;;
    esac
    awk -v section="## $section" '/^## /{ p = $0 == section } p && /^\|/' docs/use/accelsim.md | diff - "$work/table" >"$work/diff" ||
        complain "docs/use/accelsim.md, $section: $(head -n 4 "$work/diff")"
done
"$MEMTWIN" list keys | awk '{ print $1 }' >"$work/keys"
for key in $(sed -n 's/^MAPPED(.*"\([^"]*\)")$/\1/p' cmodel/import/options.def | tr -d ,); do
    grep -qx "$key" "$work/keys" || complain "cmodel/import/options.def: $key is no key"
done

# The machines gtx480 and titanx by their options. What differs is named.
mkdir "$work/fermi" "$work/pascal" "$work/volta"
zeros=00000000.00000000.00000000.00000000
cat >"$work/fermi/gpgpusim.config" <<END
# a Fermi; its crossbar is in a file
-gpgpu_n_clusters 15   # SMs
-gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 6
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 700.0:700.0:700.0:924.0
-gpgpu_shader_registers 32768
-gpgpu_shader_core_pipeline 1536:32
-gpgpu_shader_cta 8
-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,2
-gpgpu_num_sp_units 2
-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8
-gpgpu_shmem_size 49152
-icnt_flit_size 40
-gpgpu_l1_latency 35
-gpgpu_smem_latency 26
-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32
-gpgpu_dram_partition_queues 64:64:64:64
-gpgpu_cache:il1 N:4:128:4,L:R:f:N:L,S:2:32,4
-gpgpu_num_reg_banks 16
-gpgpu_coalesce_arch 20
-gpgpu_max_insn_issue_per_warp 1
-inter_config_file net.icnt
-gpgpu_l2_rop_latency 120
-dram_latency 100
-gpgpu_frfcfs_dram_sched_queue_size 64
-gpgpu_dram_return_queue_size 116
-gpgpu_n_mem_per_ctrlr 2
-gpgpu_dram_burst_length 8
-dram_data_command_freq_ratio 4
-gpgpu_mem_addr_mapping dramid@8;$zeros.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS
-gpgpu_dram_timing_opt "nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40: # continued
                        CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2"
-gpgpu_num_sched_per_core 2
END
printf '// a comment\nvc_buf_size = 64;\ninternal_speedup = 2.0;\n' >"$work/fermi/net.icnt"
expect 0 "$MEMTWIN" config -c gtx480 --diff "$work/fermi/gpgpusim.config"
[ "$(awk '{ print $1 }' "$work/out" | xargs)" = 'l1d.bypass_slots l1d.dl_sets l1d.dl_reserved_heads' ] || complain "gtx480 and its options: $(cat "$work/out")"
cat >"$work/pascal/gpgpusim.config" <<END
-gpgpu_kernel_launch_latency 5000 -gpgpu_n_clusters 28 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 12
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1417.0:1417.0:1417.0:2500.0
-gpgpu_shader_registers 65536 -gpgpu_shader_core_pipeline 2048:32 -gpgpu_shader_cta 32
-gpgpu_pipeline_widths 4,0,0,4,4,4,0,0,4,4,8 -gpgpu_num_sp_units 4 -gpgpu_num_sfu_units 4
-gpgpu_sub_core_model 1 -gpgpu_enable_specialized_operand_collector 0
-gpgpu_operand_collector_num_units_gen 8
-gpgpu_num_reg_banks 16 -gpgpu_reg_file_port_throughput 2
-gpgpu_coalesce_arch 61 -gpgpu_num_sched_per_core 4 -gpgpu_max_insn_issue_per_warp 2
-gpgpu_l1_banks 2 -gpgpu_cache:dl1 S:4:128:96,L:L:s:N:L,A:256:8,16:0,32
-gpgpu_shmem_size 98304 -gpgpu_gmem_skip_L1D 1 -icnt_flit_size 40 -gpgpu_l1_latency 82 -gpgpu_smem_latency 24
-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:256:64,16:0,32 -gpgpu_dram_partition_queues 32:32:32:32
-gpgpu_memory_partition_indexing 4 -gpgpu_inst_fetch_throughput 8 -gpgpu_perfect_inst_const_cache 1
-inter_config_file net.icnt -gpgpu_l2_rop_latency 120 -dram_latency 100
-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_dram_return_queue_size 64
-gpgpu_dram_burst_length 8 -dram_data_command_freq_ratio 4
-gpgpu_mem_addr_mapping dramid@8;$zeros.0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS
-gpgpu_dram_timing_opt 16:2:8:16:37:16:52:16:6:7:16:4:4:3
END
printf 'vc_buf_size = 64;\ninput_buffer_size = 256;\nejection_buffer_size = 64;\nboundary_buffer_size = 64;\ninternal_speedup = 2.0;\n' >"$work/pascal/net.icnt"
printf -- '-trace_opcode_latency_initiation_%s\n' 'int 4,1' 'sp 4,1' 'dp 20,8' 'sfu 20,4' >"$work/pascal/trace.config"
expect 0 "$MEMTWIN" config -c titanx --diff "$work/pascal/gpgpusim.config"
awk '{ print $1, $2, $4 }' "$work/out" | grep -v '\.dl_' >"$work/differ"
printf '%s\n' 'sm.launch_latency 0 5000' 'sm.register_ports 0 2' 'sm.copies shared global' 'sm.pending_loads 128 1024' 'l1d.bypass_slots 256 0' 'l1d.hit_latency 82 84' \
    'l1d.miss_room 0 2' 'l1d.mshr static unlimited' 'l1d.mshr_entries 128 32' 'dram.delay_first no yes' | diff "$work/differ" - >"$work/diff" || complain "titanx and its options: $(cat "$work/diff")"

# A machine of 2018: what is not imported is named, with its line; options that are neutral or without effect are not.
cat >"$work/volta/gpgpusim.config" <<END
-gpgpu_n_clusters 4 -gpgpu_n_cores_per_cluster 2 -gpgpu_n_mem 8 -gpgpu_num_sched_per_core 4 -gpgpu_shader_registers 65536
-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 -gpgpu_shmem_option 0,8,16,32,64,96
-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32 -gpgpu_l1_banks 4 -gpgpu_l1_latency 20
-gpgpu_enable_specialized_operand_collector 0 -gpgpu_sub_core_model 1 -gpgpu_reg_file_port_throughput 2 -gpgpu_operand_collector_num_units_gen 8
-network_mode 2 -gpgpu_flush_l1_cache 1 -gpgpu_visionary 3
-visualizer_enabled 0 -gpgpu_ptx_sim_mode 0 -gpgpu_memlatency_stat 14 -ptx_opcode_latency_int 4,13,4,5,145,21
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32 -gpgpu_cache:dl2_texture_only 0
-gpgpu_clock_domains 1132:1132:1132:850.5 -gpgpu_dram_burst_length 2
-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3
-gpgpu_dram_buswidth 8 -gpgpu_mem_address_mask 1 -dram_bnkgrp_indexing_policy 1
-gpgpu_mem_addr_mapping dramid@8;$zeros.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS
END
printf -- '-specialized_unit_3 1,4,8,4,4,TENSOR\n' >"$work/volta/trace.config"
volta=$work/volta/gpgpusim.config
expect 0 "$MEMTWIN" config --import "$volta" -o "$work/volta.ini"
[ ! -s "$work/out" ] || complain "output beside -o: $(cat "$work/out")"
sed -n "s|^memtwin config: $work/volta/\([^ ]*\) \(-[^ ]*\) .*|\1 \2|p" "$work/err" >"$work/lost"
printf '%s\n' 'gpgpusim.config:5: -gpgpu_visionary' 'gpgpusim.config:8: -gpgpu_clock_domains' >"$work/expected"
grep -v ' -gpgpu_max_concurrent_kernel$\| -gpgpu_shmem_\| -gpgpu_cache:il1$' "$work/lost" | diff - "$work/expected" >"$work/diff" ||
    complain "what is not imported: $(cat "$work/diff")"
ln -s "$volta" "$work/link.config"
sha256sum "$work"/volta/* >"$work/sums"
for out in "$volta" "$work/volta/trace.config" "$work/link.config"; do
    expect_line 1 "$out would be overwritten, but this run reads it" "$MEMTWIN" config --import "$volta" -o "$out"
done
sha256sum --quiet -c "$work/sums" || complain "an imported file was overwritten"
expect 0 "$MEMTWIN" config -c "$work/volta.ini" --diff "$volta"
grep -q '^all .* keys have the same values$' "$work/out" || complain "the printed file is another machine: $(cat "$work/out")"
expect 0 "$MEMTWIN" config -c "$volta" -s l1d.banks=2
for value in 'count = 8 *; .*/gpgpusim.config:1' 'ways = 256 *; .*:2' 'carveouts = 0,8,16,32,64,96 *; .*:2' 'banks = 2 *; -s' 'write = wtwa *; .*:3' 'hit_latency = 22 *; .*:3' 'atom_bytes = 16 *; .*:8' \
    'address_map = 0000RRRR.RRRRRRRR.RBBBCCCB.CCCCSSSS ' 'fp64 = 9,4 *; .*/gpgpusim.config' 'tensor = 9,4 ' 'dl_reserved_heads = 160 ' \
    'mshr_entries = 512 ' 'mshr_shared = yes ' 'miss_room = 2 ' 'copies = global ' 'input_bursts = yes ' 'sms_per_port = 2 ' \
    'kernels = 1 '; do
    grep -q "^$value" "$work/out" || complain "no '$value' in the imported machine"
done
# Without trace.config, latencies of units are defaults; a machine that is not legal is not written.
{ cat "$volta" && echo '-gpgpu_coalesce_arch 70'; } >"$work/alone.config"
expect 0 "$MEMTWIN" config --import "$work/alone.config" -o "$work/alone.ini"
grep -q 'trace.config, which has them, is not in the folder' "$work/err" || complain "trace.config is missing without a word: $(cat "$work/err")"
sed 's/-gpgpu_n_clusters 4 /-gpgpu_n_clusters 99999 /' "$volta" >"$work/big.config"
expect_line 1 "big.config:1: -gpgpu_n_clusters 99999: sm.count: 199998 is outside 1..512" "$MEMTWIN" config --import "$work/big.config" -o "$work/big.ini"
[ ! -e "$work/big.ini" ] || complain "an illegal machine was written"
{ cat "$volta" && echo '-gpgpu_concurrent_kernel_sm 1 -gpgpu_max_concurrent_kernel 16 -gpgpu_memory_partition_indexing 2'; } >"$work/at_once.config"
expect 0 "$MEMTWIN" config -c "$work/at_once.config"
for value in 'kernels = 16 ' 'partition_map = ipoly_banks '; do
    grep -q "^$value" "$work/out" || complain "no '$value' with kernels at once and hashed banks"
done
for policy in L=lazy F=fetch W=both; do
    sed "s/\(dl2 S:[0-9:]*,L:B:m:\)L/\1${policy%=*}/" "$volta" >"$work/policy.config"
    expect 0 "$MEMTWIN" config -c "$work/policy.config"
    grep -q "^write_fetch = ${policy#*=} " "$work/out" || complain "store misses of policy $policy: $(grep '^write_fetch' "$work/out")"
done
expect 0 "$MEMTWIN" run -c "$volta" -w bfs:64 -q --check
grep -q ' on .*/volta/gpgpusim.config: done' "$work/out" "$work/err" || complain "the machine's name: $(cat "$work/out" "$work/err")"
expect 0 "$MEMTWIN" run -c "$volta" -w bfs:64
grep -q 'on .*trace.config\|keys from' "$work/out" && complain "trace.config as the machine: $(head -3 "$work/out")"
grep -q "^memtwin run: not imported: $volta:5: -gpgpu_visionary 3: unknown option; and [0-9]* more options (memtwin config --import)$" "$work/err" || complain "run: $(cat "$work/err")"
printf 'base = volta/gpgpusim.config\n[sm]\nwarps = 8\n' >"$work/mine.ini"
expect 0 "$MEMTWIN" config -c "$work/mine.ini"
grep -q '^warps = 8 ' "$work/out" && grep -q '^partitions = 8 ' "$work/out" || complain "a file with an imported base"
printf '[study]\nconfig = volta/gpgpusim.config\nworkload = addvect:64\n' >"$work/study.ini"
expect 0 "$MEMTWIN" study "$work/study.ini" -o "$work/study.db"

# refused TEXT LINE...: checks that a file with the lines is refused
refused() {
    printf '%s\n' "${@:2}" >"$work/x.config"
    expect_line 1 "$1" "$MEMTWIN" run -c "$work/x.config" -w addvect:64
    expect_line 1 "$1" "$MEMTWIN" config --import "$work/x.config"
}
x=$work/x.config
refused "$x: no options, such as -gpgpu_n_mem 8" '# nothing'
refused "$x:2: 'gpgpu_n_mem': expected an option, as in -gpgpu_n_mem 8" '-gpgpu_n_clusters 4' 'gpgpu_n_mem 8'
refused "$x:1: -gpgpu_n_mem has no value" '-gpgpu_n_mem # 8'
refused "$x:1: '16:2:8..': the closing quotation mark is missing" '-gpgpu_dram_timing_opt "16:2' ':8'
working=('-network_mode 2' '-gpgpu_perfect_inst_const_cache 1')
refused "$x:2: -gpgpu_n_mem eight: 'eight' is not a number" '' '-gpgpu_n_mem eight' "${working[@]}"
sed 's/-gpgpu_l1_banks 4/-gpgpu_l1_banks 0/' "$volta" >"$work/bankless.config"
expect_line 1 "l1d.banks" "$MEMTWIN" run -c "$work/bankless.config" -w addvect:64
refused "$x:1: -gpgpu_n_mem 8,8: expected one integer" '-gpgpu_n_mem 8,8' "${working[@]}"
refused "$x:1: -gpgpu_num_sp_units 0: an SM has at least 1 unit for arithmetic" '-gpgpu_num_sp_units 0' "${working[@]}"
refused "$x:1: -gpgpu_shader_registers 0: an SM has at least 1 register" '-gpgpu_shader_registers 0' "${working[@]}"
refused "$x:1: -trace_opcode_latency_initiation_dp 8,0: a latency and an interval are at least 1" '-trace_opcode_latency_initiation_dp 8,0' "${working[@]}"
refused "$x:1: -gpgpu_n_mem 8.5: expected one integer" '-gpgpu_n_mem 8.5' "${working[@]}"
refused "$x:1: -gpgpu_clock_domains 700:700: expected four clocks" '-gpgpu_clock_domains 700:700'
refused "$x:1: -gpgpu_scheduler best: expected gto, lrr" '-gpgpu_scheduler best'
refused "$x:1: -gpgpu_shader_core_pipeline 2048:64: a warp has 32 threads" '-gpgpu_shader_core_pipeline 2048:64'
refused "$x:1: -gpgpu_cache:dl1 S:4: expected {N|S}:SETS" '-gpgpu_cache:dl1 S:4'
refused "$x:1: -gpgpu_cache:dl1 N:4:64:4,L:E:m:N:L,A:2:2,4: lines of 64 B" '-gpgpu_cache:dl1 N:4:64:4,L:E:m:N:L,A:2:2,4'
refused "$x:1: -gpgpu_cache:dl2 none: MemTwin has no GPU without an L2" '-gpgpu_cache:dl2 none -network_mode 2'
refused "$x:1: -network_mode 3: expected 1 (BookSim) or 2" '-network_mode 3'
refused "cannot read $work/mesh: No such file" '-network_mode 1'
refused "$x:3: -gpgpu_dram_timing_opt nbk=16:TWO=2: 'TWO': expected NAME=NUMBER" "${working[@]}" '-gpgpu_dram_timing_opt nbk=16:TWO=2'
refused "$x:3: -gpgpu_dram_timing_opt nbk=16: CCD is missing" "${working[@]}" '-gpgpu_dram_timing_opt nbk=16'
refused ' (the default of the option, which no file has)' "${working[@]}"
refused "$x:3: -gpgpu_mem_addr_mapping $zeros.DDDDRRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS: expected dramid@N" "${working[@]}" \
    "-gpgpu_mem_addr_mapping $zeros.DDDDRRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS"
cp "$volta" "$x" && sed -i 's/-gpgpu_n_mem 8/-gpgpu_n_mem 600/' "$x"
expect_line 1 "$x:1: -gpgpu_n_mem 600: l2.partitions: 600 is outside" "$MEMTWIN" run -c "$x" -w addvect:64
expect_line 1 "cannot read $work/no.config: No such file" "$MEMTWIN" run -c "$work/no.config" -w addvect:64
expect_line 1 "cannot read $work: Is a directory" "$MEMTWIN" config --import "$work"
yes '# endless' | head -c 2000000 >"$x"
expect_line 1 "$x: larger than 1 MiB" timeout 10 "$MEMTWIN" config --import "$x"
expect_line 1 "/dev/zero:1: not a text file (contains a zero byte)" timeout 10 "$MEMTWIN" config --import /dev/zero
expect_line 1 '--import: 4 files; expected at most 3' "$MEMTWIN" config --import "$volta" --import "$volta" "$volta" "$volta"
expect_line 1 '--import takes no option but -o' "$MEMTWIN" config --import "$volta" -c tiny
expect_line 1 '-o requires --import' "$MEMTWIN" config -c tiny -o "$work/o.ini"
expect_line 1 "unexpected argument 'more'" "$MEMTWIN" config -c tiny more
expect_line 1 "cannot write $work/no/o.ini" "$MEMTWIN" config --import "$volta" -o "$work/no/o.ini"
# A line feed in a name does not begin a line.
cp "$work/fermi/gpgpusim.config" "$work/fermi/"$'n\nl1d.config'
expect 0 "$MEMTWIN" config --import "$work/fermi/"$'n\nl1d.config' -o "$work/odd.ini"
grep -q ';   .*/n?l1d.config$' "$work/odd.ini" || complain "a name in a comment: $(head -n 4 "$work/odd.ini")"
finish
