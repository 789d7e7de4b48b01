#!/bin/bash
# A sample of mutants of each block: the stimulus of the lockstep test finds each, or it is proven to be no fault. `make mutation` takes all.
. tests/lib.bash

expect 0 env OUT="$work/mutation" tb/mutation/mutate.sh --sample 60
cat "$work/out"
for block in in_fifo bank_queues static_mshr dl_mshr cart bpg hir; do
    jq -e '.figures | .survived == 0 and .killed > 30 and .made == 60
        and .made == .same + .copies + .killed + .idle + .unseen + .renames' "$work/mutation/$block.json" >/dev/null || complain "$block: $(jq -c .figures "$work/mutation/$block.json")"
done
finish
