#!/bin/bash
# docs/integration: tables and timing diagrams are what the Verilog gives now; a change of either is found. Links lead somewhere.
. tests/lib.bash
expect 0 tb/integration/docs.sh --check
cat "$work/err"

cp -r docs "$work/docs"
stale() { # FILE EDIT [PAGE]: a page that is not up to date
    sed -i "$2" "$work/docs/$1"
    ! cmp -s "docs/$1" "$work/docs/$1" || complain "cannot change $1: $2"
    expect 1 env DOCS="$work/docs" tb/integration/docs.sh --check "$work/docs/${3:-$1}"
    grep -qF "${3:-$1}" "$work/err" || complain "not found in $1: $2"
    cp "docs/$1" "$work/docs/$1"
}
stale integration/dl_mshr.md 's/^rsp_last .*/&_/'
stale integration/dl_mshr.md '/`ret_ready` | output/s/`rsp_ready`/the state alone/'
stale integration/cart.md 's/^| `COLS` | 2/| `COLS` | 3/'
stale integration/waves/hir.wave 's/^flush=1/-/' integration/hir.md
expect_line 1 'no input req_vld' bash -c "sed 's/req_valid=1/req_vld=1/' docs/integration/waves/dl_mshr_miss.wave >$work/x.wave; tb/integration/wave.sh $work/x.wave"

# what outputs depend on is not another thing with other options
while read -r block options; do
    [ -s "$work/$block.ports" ] || tb/integration/ports.sh "$block" >"$work/$block.ports"
    expect 0 tb/integration/ports.sh "$block" $options
    cmp -s "$work/out" "$work/$block.ports" || complain "$block $options: $(diff "$work/$block.ports" "$work/out")"
done <<'OPTIONS'
dl_mshr TAIL=0 GATE=0 EARLY_FREE=1
dl_mshr TAIL=1 RESERVED_HEADS=0
bank_queues HOLD=0
cart POLICY=1 HOLD=0
cart POLICY=2
cart AGE_LIMIT=3
bpg INDEX=0 CALCULATORS=1
hir SETS=1 WAYS=1
OPTIONS

# the table of memories names what there is
for wrapper in $(grep -oh 'mt_\(ram_1r1w\|regfile_[a-z0-9_]*\) #' rtl/*/*.v | tr -d ' #' | sort -u); do
    grep -q "${wrapper%_[12]r1w}" docs/integration.md || complain "docs/integration.md: no word about $wrapper"
done

# links of the pages, and of what leads to them
for page in docs/integration.md docs/integration/*.md; do
    grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '^http' | sort -u | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: no $link"
    done
done >"$work/links"
[ ! -s "$work/links" ] || complain "$(cat "$work/links")"
finish
