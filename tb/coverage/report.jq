# SPDX-License-Identifier: Apache-2.0
# Converts lines "file BLOCK FILE counts.." and "hole BLOCK FILE LINE KIND NAME REASON" (tabs; holes of block "all") to the report: jq -Rn
def numbers: map(tonumber);
[inputs | split("\t")] as $rows
| ($rows | map(select(.[0] == "file") | {block: .[1], file: .[2], counts: (.[3:] | numbers)})) as $files
| ($rows | map(select(.[0] == "hole") | {file: .[2], line: .[3], kind: .[4], name: .[5], reason: .[6]})) as $holes
| def sums: map(.counts) | transpose | map(add);
  {
    counted: $ARGS.named.counted,
    total: ($files | map(select(.block == "all")) | sums),
    blocks: ($files | map(select(.block != "all")) | group_by(.block) | map({name: .[0].block, counts: sums})),
    files: ($files | map(select(.block == "all") | {name: .file, counts})),
    holes: $holes,
    unexplained: ($holes | map(select(.reason == "")) | length)
  }
