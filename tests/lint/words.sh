#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Prints FILE:LINE of each British spelling and of each stock phrase of the list below in a source or page. A phrase names something by its neighbor, so the text does not
# stand alone. One that continues on the next line of a comment is found too, at its second line.
. tests/lib.bash

phrases='of these|so many|nobody|anew|goes past|go past|went past|none is|for want of|to be had'

# uses FILE...: prints FILE:LINE: TEXT for each use of a phrase. In docs/understand/terms.md, the words to be avoided do not count.
uses() {
    awk -v phrases="(^|[^a-z])($phrases)([^a-z]|$)" '
        FNR == 1 { last = ""; gone = 0 }
        {
            text = $0
            if (FILENAME ~ /docs\/understand\/terms\.md$/) {
                if (/^\|/) sub(/\|[^|]*\|$/, "", text)
                if (/^$/) gone = 0
                if (gone) text = ""
                if (sub(/Words that go:.*/, "", text)) gone = 1
            }
            text = tolower(text)
            sub(/^[ \t]*(\/?\*+|\/\/+|#+|;+|>)?[ \t]+/, "", text)
            end = substr(last, length(last) - 8)
            if (text ~ phrases || (end !~ phrases && (end " " substr(text, 1, 8)) ~ phrases)) print FILENAME ":" FNR ": " $0
            last = text
        }' "$@"
}

{ git ls-files 2>/dev/null || find . -path ./build -prune -o -type f -print | sed 's|^\./||'; } |
    grep -E '^(cmodel|rtl|sim|tb|tests|synth|docs)/|^(README\.md|CONTRIBUTING\.md|Makefile)$' | grep -vE '^(docs/results/data/|tests/lint/words\.sh$)' >"$work/files"
[ "$(wc -l <"$work/files")" -gt 1000 ] || complain "only $(wc -l <"$work/files") files"
xargs -d '\n' grep -lIi . <"$work/files" >"$work/texts" # no binary file and no empty one
mapfile -t texts <"$work/texts"
uses "${texts[@]}" >"$work/out"
[ ! -s "$work/out" ] || complain "$(wc -l <"$work/out") stock phrases: $(cat "$work/out")"

# Each phrase is found in a comment, in a message and in a name. Parts of other words are not.
mkdir -p "$work/docs/understand"
n=0
while read -r phrase; do
    printf '/* It is %s */\nprint("%s: an argument");\nint a_%s_b;\n' "${phrase^}" "$phrase" "${phrase// /_}" >"$work/planted.c"
    uses "$work/planted.c" >"$work/out"
    [ "$(cut -d : -f 2 "$work/out" | xargs)" = "1 2$([[ $phrase = *' '* ]] || echo ' 3')" ] || complain "'$phrase' is not found: $(cat "$work/out")"
    if [[ $phrase = *' '* ]]; then
        printf '/* Text that ends with %s\n * %s next line */\n' "${phrase% *}" "${phrase##* }" >"$work/planted.c"
        [ "$(uses "$work/planted.c" | cut -d : -f 2)" = 2 ] || complain "'$phrase' on two lines is not found"
    fi
    n=$((n + 1))
done < <(tr '|' '\n' <<<"$phrases")
[ $n -eq 10 ] || complain "$n phrases, not 10"
printf '// also many, the cycles in which none issues\n// manew, of theses\n' >"$work/planted.c"
[ -z "$(uses "$work/planted.c")" ] || complain "a word that only looks like a phrase"
printf '| skip | to leave out | so many, anew |\n| skip | so many | jump |\n\nA refusal. Words that go:\nreason, "for want of".\n\nnobody\n' >"$work/docs/understand/terms.md"
[ "$(uses "$work/docs/understand/terms.md" | cut -d : -f 2 | xargs)" = "2 7" ] || complain "terms.md: $(uses "$work/docs/understand/terms.md")"

# British spellings, but for keys that tests misspell and for words of SystemVerilog.
british='colour|centre|neighbour|behaviour|favour|grey|modelled|signalled|cancelled|(recogni|utili|optimi|normali|synthesi|seriali|prioriti)s(e|ing|ation)'
spellings() { grep -HniE "$british" "$@" | grep -vE "colour=1|'colour'|^tests/lint/keywords.txt:"; }
spellings $(grep -vx tests/lint/words.sh "$work/texts") >"$work/out"
[ ! -s "$work/out" ] || complain "British spellings: $(cat "$work/out")"
printf 'color, wise, synthesis\nthe nearest Centre\nnormalised\n' >"$work/planted.c"
[ "$(spellings "$work/planted.c" | cut -d : -f 2 | xargs)" = "2 3" ] || complain "spellings: $(spellings "$work/planted.c")"
finish
