# SPDX-License-Identifier: Apache-2.0
# Shared by the tests of the synthesis scripts' reports.

# report_of SCRIPT NAME: the test is for synth/SCRIPT and its report NAME in build/synth; removes old reports
report_of() {
    script=synth/$1
    report=build/synth/$2.json
    rm -f "build/synth/$2".*
    mkdir -p "$work/macros"
}

# macro WORDSxBITS AREA: adds a fast macro to the library of macros
macro() {
    cat >"$work/macros/fakeram45_$1.lib" <<END
    area : $2;
    timing_type : rising_edge; cell_rise(scalar) {
        values ("0.001");
    }
    timing_type : setup_rising; rise_constraint(scalar) {
        values ("0.001");
    }
END
}

# gated_library: the library becomes the default one plus a clock gate, GATEX1, after the cells on stdin
gated_library() {
    export LIBERTY=$work/gates.lib
    {
        sed '$d' /usr/share/qflow/tech/osu018/osu018_stdcells.lib
        cat
        cat <<'END'
  cell (GATEX1) {
    area : 100;
    clock_gating_integrated_cell : "latch_posedge";
    pin (CLK) {
      direction : input;
      clock_gate_clock_pin : true;
    }
    pin (EN) {
      direction : input;
      clock_gate_enable_pin : true;
    }
    pin (GCLK) {
      direction : output;
      clock_gate_out_pin : true;
    }
  }
}
END
    } >"$LIBERTY"
}

# quick HEADING...: makes the report of tiny designs with that library and checks its columns
quick() {
    local heading
    expect 0 env FAKERAM="$work/macros" "$script" --quick
    cmp -s "$work/out" "${report%.json}.txt" || complain "${report%.json}.txt differs from the printed report"
    for heading in "$@"; do
        grep -qF "$heading" "$work/out" || complain "no column '$heading'"
    done
}

# holds WHAT JQ: checks the jq condition on the report
holds() {
    jq -e "$2" "$report" >/dev/null || complain "the report: $1"
}

# refuses: checks errors common to all scripts
refuses() {
    echo kept >"$report"
    expect_line 1 "no cell library" env LIBERTY="$work/none.lib" "$script" --quick
    expect_line 1 "unknown argument --slow" "$script" --slow
    [ -e "$report" ] || complain "a typo has cost the report"
    rm -f "$report"
}

# copy_tree: copies what the scripts need, for changes -> $work/tree
copy_tree() {
    rm -rf "$work/tree"
    mkdir "$work/tree"
    mkdir -p "$work/tree/tb"
    cp -r synth rtl cmodel "$work/tree"
    cp -r tb/harness tb/env.bash tb/progress.bash "$work/tree/tb"
}

# broken WHAT FILE SED [REASON]: checks that a copy of the tree with this fault ends with exit code 1 and a reason, an extended regular
# expression. Earlier measurements of unchanged RTL by unchanged scripts are cached there.
broken() {
    copy_tree
    mkdir -p "$work/tree/build/synth"
    [ ! -d build/synth/points ] || cp -r build/synth/points "$work/tree/build/synth"
    sed -i "$3" "$work/tree/$2"
    ! cmp -s "$2" "$work/tree/$2" || complain "$1: the fault can no longer be planted"
    expect 1 "$work/tree/$script" --quick
    grep -qE "^synth: ${4:-yosys failed at}" "$work/err" || complain "$1: no reason: $(tail -1 "$work/err")"
    [ ! -s "$work/out" ] && [ ! -e "$work/tree/$report" ] || complain "$1: a report despite the fault"
}
