#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s; full, 40 s
# sim/experiments/inputs.csv: each kernel of each paper's experiment has one complete row, `today` is the study's argument, `workload` that of studies
# with the suites' inputs, and the program accepts each workload:
# by the number of its values, and by building it (tier test: those of at most 14 MB).
. tests/lib.bash

experiments='dl_mshr_schemes cart_schemes mdb_schemes sound_baseline concurrent_kernels farfault_schemes hpe_policies capture_schemes uvmbench'
# query TABLE SQL: prints the result of a query on the tables `input` and `known`, the program's list of workloads
query() {
    sqlite3 -bail -tabs :memory: ".import --csv '$1' input" ".import --csv '$work/known.csv' known" "$2" 2>"$work/short"
}
# workloads STUDY.ini...: prints the workloads of the studies' lists, one a line
workloads() {
    awk '/^workload = / { on = 1; sub(/^workload = /, "") } on && (/^\[/ || /^;/ || / = / || /^ *$/) { on = 0 } on { for (i = 1; i <= NF; i++) print $i }' "$@" | sort -u
}
# faults TABLE: prints what is wrong with a table
faults() {
    local name study
    head -n 1 "$1" | grep -qx 'study,kernel,workload,suite,version,arguments,source,bytes,today,reach,note' || {
        echo "columns: $(head -n 1 "$1")"
        return
    }
    query "$1" 'SELECT 1 WHERE 0'
    sed 's/.*csv:/line /; s/columns but found/fields, not/; s/ - .*//' "$work/short" # lines with too many or too few fields
    query "$1" "SELECT 'not complete: ' || study || ' ' || kernel FROM input WHERE '' IN (study, kernel, workload, suite, version, arguments, source, bytes, today) OR note IS NULL
        UNION ALL SELECT 'reach of ' || study || ' ' || kernel || ': ' || reach FROM input WHERE reach NOT IN ('whole', 'cut', 'smaller') OR reach = 'smaller' AND note = ''
        UNION ALL SELECT 'bytes of ' || study || ' ' || kernel || ': ' || bytes FROM input WHERE CAST(bytes AS INTEGER) <= 0 OR bytes GLOB '*[^0-9]*'
        UNION ALL SELECT 'source of ' || study || ' ' || kernel || ': no commit, no document, not inferred' FROM input
            WHERE source NOT GLOB '*@[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*' AND source NOT GLOB '*[[][A-Z]*' AND source NOT LIKE '%inferred: %'
        UNION ALL SELECT 'workload of ' || study || ' ' || kernel || ': ' || workload FROM input LEFT JOIN known ON name = kernel WHERE name IS NULL
            OR workload NOT GLOB kernel || ':[0-9]*' OR substr(workload, length(kernel) + 2) GLOB '*[^0-9,]*'
            OR length(workload) - length(replace(workload, ',', '')) > length(\"default\") - length(replace(\"default\", ',', ''))
        UNION ALL SELECT 'twice: ' || study || ' ' || kernel FROM input GROUP BY study, kernel HAVING count(*) > 1
        UNION ALL SELECT 'bytes of ' || workload || ' differ' FROM input GROUP BY workload HAVING count(DISTINCT bytes) > 1
        UNION ALL SELECT 'study: ' || study FROM input WHERE ' $experiments ' NOT LIKE '% ' || study || ' %'"
    for name in $experiments; do
        # The first study of an experiment has its sizes of today; others use the same kernels, some in other sizes.
        workloads $(ls sim/experiments/"$name"{,.main,.wide,.others,.1_*,.sad}.ini 2>/dev/null) >"$work/listed"
        query "$1" "SELECT today FROM input WHERE study = '$name'" | sort -u | diff "$work/listed" - | sed -n "s/^< /$name: no row has this as today: /p; s/^> /$name: no study has this: /p"
        query "$1" "SELECT kernel FROM input WHERE study = '$name'" >"$work/kernels"
        for study in sim/experiments/"$name"{.*,}.ini; do
            [ ! -e "$study" ] || workloads "$study" | sed 's/:.*//' | grep -vxFf "$work/kernels" | sed "s|^|$study: no row for |"
        done
    done
    query "$1" "SELECT kernel FROM input WHERE study = 'uvmbench'" | sort >"$work/kernels"
    workloads sim/experiments/uvmbench.inputs.ini | sed 's/:.*//' | sort | diff "$work/kernels" - | sed -n 's/^[<>] /uvmbench.inputs: not once: /p'
    for study in dl_mshr_schemes.inputs sound_baseline.7_inputs uvmbench.inputs; do
        query "$1" "SELECT workload FROM input WHERE study = '${study%%.*}'" >"$work/suite"
        sed -E '/^\[group (whole|launches|smaller)\]/,/^ *$/d' "sim/experiments/$study.ini" >"$work/suite.ini"
        workloads "$work/suite.ini" | grep -vxFf "$work/suite" | sed "s|^|$study: not a suite's input: |"
    done
}
# refused WORKLOAD...: prints why the program refuses workloads
refused() {
    printf '[study]\nconfig = pascal28\nworkload = %s\n[scheme base]\n' "$*" >"$work/all.ini"
    "$MEMTWIN" study "$work/all.ini" --dry-run -o "$work/all.db" >/dev/null 2>"$work/err" || sed 's/.*all.ini:3: //' "$work/err"
}

table=sim/experiments/inputs.csv
expect 0 "$MEMTWIN" list workloads --csv "$work/known.csv"
faults "$table" >"$work/out"
refused $(query "$table" "SELECT DISTINCT workload FROM input WHERE $([ "$TIER" = test ] && echo 'CAST(bytes AS INTEGER) < 14000000' || echo true)") >>"$work/out"
[ ! -s "$work/out" ] || complain "$(cat "$work/out")"

# bytes: 4096 for each page of the arrays. These workloads are built quickly.
for workload in gemm:512 hotspot:512,2,2 lud:256 pfilter:1000,10; do
    pages=$("$MEMTWIN" run -q -c uvm28 -w $workload -s sim.max_cycles=1 --csv - 2>/dev/null | awk -F, '$1 == "total" && $4 == "uvm_footprint_pages" { print $6 }')
    [ "$(query "$table" "SELECT DISTINCT bytes FROM input WHERE workload = '$workload'")" = $((pages * 4096)) ] || complain "bytes of $workload: not those of $pages pages"
done

# ---- Each fault is found ----
# planted SED FAULT...: expects these faults in the table with this change
planted() {
    sed "$1" "$table" >"$work/planted.csv"
    faults "$work/planted.csv" >"$work/out"
    for fault in "${@:2}"; do
        grep -qF -- "$fault" "$work/out" || complain "$1: not found: $fault: $(cat "$work/out")"
    done
}
planted '1s/bytes/size,bytes/' 'columns: study,kernel'
planted '/^uvmbench,svm,/d; /^uvmbench,nw,/s/nw:2048/nw:1024/; /^hpe_policies,mvt,/s/mvt:768/mvt:512/; /^mdb_schemes,scalarprod,/s/CUDA SDK,13.0/CUDA SDK,/; /^mdb_schemes,lud,/s/,whole,/,quick,/
    /^mdb_schemes,lud,/s/@/ /; /^mdb_schemes,covar,/s/covar:2048/mvt:2048/; /^mdb_schemes,srad,/s/"srad:2048,2"/"srad:2048,2,2"/; /^mdb_schemes,2dconv,/p; /^dl_mshr_schemes,nw,/s/nw:2048/nw:1024/; $s/,/,,/' \
    'dl_mshr_schemes.inputs: not a suite'\''s input: nw:2048' 'uvmbench.inputs: not a suite'\''s input: nw:2048' 'uvmbench.inputs: not once: svm' \
    'uvmbench: no row has this as today: svm:256,20,32' 'sim/experiments/uvmbench.small.ini: no row for svm' 'hpe_policies: no study has this: mvt:512' \
    'not complete: mdb_schemes scalarprod' 'reach of mdb_schemes lud: quick' 'source of mdb_schemes lud: no commit' 'workload of mdb_schemes covar: mvt:2048' \
    'workload of mdb_schemes srad: srad:2048,2,2' 'twice: mdb_schemes 2dconv' 'expected 11 fields, not 12'
refused gemm:512 lud:250 >"$work/out"
grep -q '^lud: ' "$work/out" || complain "lud:250 is not refused"
finish
