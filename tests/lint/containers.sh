#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Outside cmodel/lib no FIFO wraps around an array and no table hashes its keys, since lib/ring.h and lib/hash_map.h do. Prints each line that looks like this.
. tests/lib.bash

# The golden ratio as a factor; an index at the end of an array; the end of a FIFO as head + count, or its second element; these through a function; a mask of a
# table's size.
by_hand='9e3779b(1|97f4a7c15)
\b(head|tail)\b *(\+ *1u?)?\)? *(==|>=) *[^;]*(capacity|room|depth|places|size|slots)\b
\b(head|first)\b *\+ *[^;]*count[^;]*[%&]
\b(head|first|tail)\b *\+ *1u?\)? *[%&]
\b([a-z_]+) >= ([a-z_]+) \? \1 - \2 : \1
\b(at|i|hash|h)\b[^;]*& *\([^()]*(size|capacity|entries|buckets|room|pcs) *- *1\)'

# found FILE...: FILE:LINE:TEXT
found() {
    grep -nEiHf <(printf '%s\n' "$by_hand") "$@"
}

mapfile -t files < <(git ls-files 'cmodel/*.[ch]' 'sim/*.[ch]' 'tb/*.[ch]' | grep -v '^cmodel/lib/')
found "${files[@]}" >"$work/out"
[ ! -s "$work/out" ] || complain "a ring or a hash table by hand, not of cmodel/lib: $(cat "$work/out")"

i=0
while IFS= read -r line; do
    i=$((i + 1))
    echo "$line" >"$work/wrong$i.c"
    found "$work/wrong$i.c" >/dev/null || complain "not found: $line"
done <<'END'
    return &t->bucket[key * UINT32_C(0x9e3779b1) >> t->shift];
    uint64_t at = line * UINT64_C(0x9E3779B97F4A7C15) >> 20;
    if (++q->head == q->capacity)
    q->head = q->head + 1 == q->depth ? 0 : q->head + 1;
    return at >= n ? at - n : at;
    q->warp[(q->head + q->count++) % WARP_SLOTS] = warp;
    q->head = (q->head + 1) % WARP_SLOTS;
    struct pc *p = &c->pc[i & (c->room_pcs - 1)];
END
finish
