#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 15 s
# The output checks of cache_example's driver find faults in the model even without its Verilog, that is, faults that both twins could share.
. tests/lib.bash

cat >"$work/main.c" <<'END'
#include <stdio.h>
#include "cache_example/cache_example_ports.h"
#include "harness/cosim.h"
extern const struct cosim_driver cache_example_driver;
int main(void) {
    const struct block_type *type = &cache_example_type;
    const struct cosim_driver *driver = &cache_example_driver;
    struct block_params p = {0};
    struct cache_example_in in = {0};
    struct cache_example_out out = {0};
    for (unsigned i = 0; i < type->n_params; i++)
        p.v[i] = type->params[i].def;
    void *model = type->create(&p), *d = driver->create(type, &p, 1, 150000);
    const char *broken = NULL;
    for (unsigned i = 0; i < 150000 && !broken; i++) {
        driver->drive(d, &in);
        type->eval(model, &in, &out);
        type->observe(model, &in, &out);
        broken = driver->sample(d, &in, &out);
        type->tick(model, &in);
    }
    puts(broken ? broken : "nothing");
    driver->destroy(d);
    type->destroy(model);
    return 0;
}
END
# finds MODEL: prints the driver's verdict on this model, which replaces the program's own.
finds() {
    cc -std=c11 -O1 -fsanitize=address,undefined -D_GNU_SOURCE -Icmodel -Itb "$work/main.c" "$1" build/asan/libmemtwin.so -Wl,-rpath,"$PWD/build/asan" -o "$work/run" ||
        complain "does not compile: $1"
    ASAN_OPTIONS=detect_odr_violation=0 timeout 100 "$work/run"
}

model=cmodel/cache_example/cache_example.c
[ "$(finds $model)" = nothing ] || complain "the driver finds something in the model as it is: $(finds $model)"
while IFS='~' read -r name expression rule; do
    sed "$expression" $model >"$work/fault.c"
    if cmp -s $model "$work/fault.c"; then
        complain "$name: the fault can no longer be planted"
        continue
    fi
    got=$(finds "$work/fault.c")
    [ "$got" = "$rule" ] && echo "found: $name" || complain "$name: $got"
done <<'FAULTS'
a line in the eviction buffer is fetched~s/if (in_buffer(m, m->s1.line))/if (0)/~a line is fetched before its write-back is acknowledged
a line under drain is looked up~s/ && m->drain_at \/ m->ways == v->index/ \&\& 0/~a line is fetched whose stores are not all in memory
a load hits while a drain goes on~/^static enum cache_wait wait_of_hit/,/^}/s/if (v->mshr.rsp_valid)/if (0)/~a response before that of an older request for the same line
a store that hits leaves the line clean~s/^    m->sets\[v->index\].dirty |= .*//~a line is fetched whose stores are not all in memory
a drained store leaves the line clean~s/m->drain_dirty |= r->write;//~a line is fetched whose stores are not all in memory
a store writes whole words~s/write_bytes(word, m->s1.data.w, m->s1.mask)/write_bytes(word, m->s1.data.w, 0xffff)/~a load did not return the bytes stored last
an error of a fetch is not answered~s/r->write, m->drain_bad);/r->write, false);/~a fetch error is missing in the response
a line with an error is kept~s/m->drain_bad ? 0 : way;/way;/~a fetch error is missing in the response
only the last beat's error counts~s/ || (f->failed \&\& f->beat);/;/~a fetch error is missing in the response
the last word is not copied~s/if (m->copied < m->beats) {/if (m->copied + 1 < m->beats) {/~a line is fetched whose stores are not all in memory
an answer goes before it is taken~s/m->answering &= !v.go;/m->answering = false;/~a response changed while it waited
a fetch goes before it is taken~s/m->fetching &= !in->m_arready;/m->fetching = false;/~AR changed while it waited
a second fetch does not wait for the first~s/m->fetching && !in->m_arready ? CACHE_WAIT_FETCH : CACHE_WAIT_NONE/CACHE_WAIT_NONE/~AR changed while it waited
a line that fills is a victim~s/(uint64_t)set->filling/(uint64_t)0/~a response before that of an older request for the same line
a refused write-back is not reported~s/m->fail = in->m_bresp >> 1;/m->fail = false;/~a refused write-back is not reported
no acknowledgement is taken~s/out->m_bready = 1;/out->m_bready = 0;/~err without a violation by memory
entry-full is called merge-full~/MSHR_REFUSE_ENTRY_FULL/s/CACHE_WAIT_ENTRY_FULL/CACHE_WAIT_MERGE_FULL/~merge full for a line without an older request
RID is not looked at~s/(!f->open || m->beat_last/(m->beat_last/~no err after a violation by memory
FAULTS
finish
