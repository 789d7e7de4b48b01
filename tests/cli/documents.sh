#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The documents name files, rooms, configuration keys, configurations, kernels, packages and make targets that exist.
. tests/lib.bash

documents=(README.md CONTRIBUTING.md docs/{use,understand,results,examples}/*.md)
# Links in all Markdown: the file exists, and so does the anchor that GitHub makes from a heading.
shopt -s globstar
pages=(*.md docs/**/*.md)
declare -A heading
while read -r anchor; do heading[$anchor]=1; done < <(awk 'FNR == 1 { code = 0 } /^```/ { code = !code } !code && sub(/^#+ +/, "") { print FILENAME "#" $0 }' "${pages[@]}" |
    sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; h; s/#.*//; x; s/[^#]*#//; s/.*/\L&/; s/[^a-z0-9_ -]//g; s/ /-/g; x; G; s/\n/#/' | awk '{ n = seen[$0]++; print $0 (n ? "-" n : "") }')
anchors=0
for p in "${pages[@]}"; do
    mapfile -t targets < <(grep -oE '\]\([^)]+' "$p" | cut -c3- | grep -v '^http' | sort -u)
    [ ${#targets[@]} -gt 0 ] || continue
    here=$(dirname "$p")/
    mapfile -t files < <(for target in "${targets[@]}"; do [[ $target = '#'* ]] && echo "$p" || echo "$here${target%%#*}"; done | xargs -d '\n' realpath -m --relative-to=.)
    for i in "${!targets[@]}"; do
        if [ ! -e "${files[i]}" ]; then
            complain "$p: broken link to ${targets[i]}"
        elif [[ ${targets[i]} = *'#'* ]]; then
            anchors=$((anchors + 1))
            [ -n "${heading[${files[i]}#${targets[i]#*#}]:-}" ] || complain "$p: link to ${targets[i]}: no heading makes that anchor"
        fi
    done
done
[ "$anchors" -gt 20 ] || complain "only $anchors links to headings were found"

# Paths from the root. foo is an example, and the tutorial's paths are in its own repository.
paths() { # DOCUMENT
    grep -oP '(?<![\w/.>*-])(?:cmodel|docs|rtl|sim|synth|tb|tests)/[a-z0-9_./]*+(?![\w*{<])' "$1" | sed 's/[.]$//' | grep -vE '/foo|/$' | sort -u
}
found=0
for d in "${documents[@]}"; do
    while read -r path; do
        [ -e "$path" ] || { [ "$d" = docs/use/tutorial.md ] && [ -e "docs/tutorial/own_block/$path" ]; } || complain "$d: no such file: $path"
        found=$((found + 1))
    done < <(paths "$d")
done
[ "$found" -gt 100 ] || complain "only $found paths were found in the documents"

# The first page that the Verilog of a block names is about that block.
for file in rtl/*/*.v; do
    block=${file#rtl/} && block=${block%%/*}
    page=$(sed -nE '1,8s|.*(docs/understand/[a-z_]+\.md).*|\1|p' "$file" | head -n 1)
    [ -z "$page" ] || [ "${file##*/}" != "$block.v" ] || head -n 12 "$page" | grep -q "$block" || complain "$file: $page is not about $block"
done

# `section.key`, except file names.
named=0
"$MEMTWIN" list keys | sed 1d | cut -d' ' -f1 | sort >"$work/keys"
for d in "${documents[@]}"; do
    grep -oE '`(-s )?(clock|sm|l1d|icnt|l2|dram|uvm|pcie|tlb|gmmu|hir|hpe|cap|ture|sim)\.[a-z][a-z_0-9]*' "$d" | sed 's/^`\(-s \)\?//' | grep -vE '\.([ch]|sh|md|txt)$' |
        sort -u >"$work/named"
    named=$((named + $(wc -l <"$work/named")))
    unknown=$(comm -23 "$work/named" "$work/keys" | grep -vE '^l2\.[0-9]|^gmmu\.(hir|cap|lease|expiry)$' | xargs)
    [ -z "$unknown" ] || complain "$d: no such key: $unknown"
done
[ "$named" -gt 50 ] || complain "only $named keys were found in the documents"

# The rooms of the C model: the figure of their levels, and one row per room.
cmp -s <(grep -v '^#' cmodel/rooms.txt | tac) <(sed -nE '/^    os /,/^    lib /{s/^    //; s/  .*//; p}' docs/understand/architecture.md) ||
    complain "docs/understand/architecture.md draws other levels than cmodel/rooms.txt has"
for room in $(grep -v '^#' cmodel/rooms.txt); do
    [ "$room" = BLOCKS ] || grep -qE "^\|.*\`$room/\`" docs/understand/architecture.md || complain "docs/understand/architecture.md: no row for the room $room"
done

# The functions on the path of a load exist.
for function in $(sed -n '/^## 6/,/^A \*\*policy/p' docs/understand/cache.md | grep -oE '`[a-z0-9]+_[a-z0-9_]+`' | tr -d '`' | sort -u); do
    grep -qE "\b$function\(" cmodel/*/*.h || complain "docs/understand/cache.md: no function $function"
done

for config in $("$MEMTWIN" list configs | cut -d' ' -f1); do
    grep -q "^| \`$config\` |" docs/use/configurations.md || complain "docs/use/configurations.md: no row for the configuration $config"
done
for kernel in $("$MEMTWIN" list workloads | awk '/^[^ ]/ { print $1 }'); do
    grep '^|' docs/use/workloads.md | grep -qF "\`$kernel\`" || complain "docs/use/workloads.md: no row names $kernel"
done
for package in $(sed -nE 's/^(test-full: )?PACKAGES \+= ([a-z0-9+-]*).*/\2/p' Makefile); do
    grep '^|' docs/use/install.md | grep -qF "\`$package\`" || complain "docs/use/install.md: no word about the package $package"
done
# All workloads but the generator of page patterns, and all configurations but the toy and the base, are kernels and GPUs.
counts="$("$MEMTWIN" list workloads | grep '^[^ ]' | grep -vc '^patterns ') CUDA kernels or your Accel-Sim traces, on $("$MEMTWIN" list configs | grep -vcE '^(tiny|fermi_base)\b') GPUs"
grep -qF "$counts" README.md || complain "README.md: not $counts"
blocks=$(grep '^BLOCK(' cmodel/blocks.def | grep -vc cache_example)
grep -qF "| $blocks blocks as Verilog" README.md || complain "README.md: not $blocks blocks"
# Prose is wrapped at 100 columns; tables, code and unbreakable text may be longer.
awk 'FNR == 1 { code = 0 } /^```/ { code = !code } code || /^(    |[|#!<]|```)/ { next }
    { line = $0; while (match(line, /`[^`]* [^`]*`/)) line = substr(line, 1, RSTART) "x" substr(line, RSTART + RLENGTH - 1)
      if (length($0) > 100 && match(line, /^ *([-*>] |[0-9]+[.] )?[^ ]+ /)) print FILENAME ":" FNR ": a line of " length($0) " characters" }' \
    CONTRIBUTING.md CHANGELOG.md docs/*/*.md >"$work/long"
[ ! -s "$work/long" ] || complain "$(cat "$work/long")"
# The first page stays short.
words=$(tr -d '|' <README.md | wc -w) lines=$(wc -l <README.md)
[ "$words" -le 700 ] && [ "$lines" -le 130 ] || complain "README.md: $words words and $lines lines; at most 700 and 130"

# The changelog has a dated section for the program's version.
version=$(sed -n 's/^VERSION := //p' Makefile)
grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || complain "CHANGELOG.md: no section for $version"
finish
