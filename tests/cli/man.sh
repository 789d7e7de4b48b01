#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Man pages: each command has one page with all its options, without warnings of mandoc, groff and man, and whatis finds the pages.
. tests/lib.bash
man=$work/man
mkdir -p "$man"/man{1,5}

page() { # NAME SECTION WORD...: checks the page that help --man prints
    local file=$man/man$2/$1.$2
    expect 0 "$MEMTWIN" help --man "${@:3}"
    cp "$work/out" "$file"
    # A line of the source may be long, since man wraps it.
    (cd "$man/man$2" && command -v mandoc >/dev/null && { mandoc -Tlint "$1.$2" | grep -v "STYLE: input text line longer than 80 bytes"; true; } && groff -ww -z -man -Kutf8 "$1.$2" 2>&1 && man --warnings -E UTF-8 -l -Tutf8 -Z "$1.$2" 2>&1 >/dev/null) >"$work/warnings" 2>&1 || [ -s "$work/warnings" ] || complain "$1($2): could not be checked"
    [ ! -s "$work/warnings" ] || complain "$1($2): $(head -n 5 "$work/warnings")"
    MANWIDTH=80 man -l "$file" >"$work/page"
}
has() { # TEXT...
    for text in "$@"; do grep -qF -- "$text" "$work/page" || complain "no '$text' in: $(head -n 5 "$work/page")"; done
}

page memtwin 1
has NAME SYNOPSIS DESCRIPTION COMMANDS 'EXIT STATUS' ENVIRONMENT FILES 'SEE ALSO' 'lockstep mismatch'
commands=$("$MEMTWIN" help | sed -n '/^$/,/^$/s/^  \([a-z]*\) .*/\1/p')
has $(printf 'memtwin-%s(1) ' $commands)
section() { # NAME: prints a section of the last page
    sed -n "/^$1\$/,/^[A-Z]/p" "$work/page"
}
# The variables in docs/use/harness.md
comm -3 <(grep -oE '^\| (`[A-Z_]+`(, )?)+ \|' docs/use/harness.md | grep -oE '[A-Z_]+' | sort) \
    <(sed -n '/^ENVIRONMENT/,/^FILES/p' "$work/page" | grep -oE '^ {7}[A-Z_]+' | grep -vE ' (TMPDIR|NO_COLOR)$' | tr -d ' ' | sort) >"$work/differ"
[ ! -s "$work/differ" ] || complain "docs/use/harness.md and memtwin(1) have other variables: $(xargs <"$work/differ")"

for command in $commands; do
    page "memtwin-$command" 1 "$command"
    has NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' 'SEE ALSO'
    "$MEMTWIN" help "$command" | sed -nE 's/^  (-[a-z],|   ) (--[a-z-]+).*/\2/p' >"$work/options"
    section OPTIONS | sed -nE 's/^       (-[a-z], )?(--[a-z-]+).*/\2/p' | cmp -s "$work/options" - || complain "memtwin-$command(1) has not the options of --help"
    [ "$(section SYNOPSIS | grep -c "^       memtwin $command")" -ge "$("$MEMTWIN" help "$command" | grep -cE '^(usage:|      ) memtwin ')" ] || complain "$command: a form of the usage is not in SYNOPSIS"
done
page memtwin-keys 5 keys
keys=$(sed -nE 's/^   \[(.*)\]$/\1./p; s/^ {7}([a-z0-9_]+) = .*/\1/p' "$work/page" | awk '/[.]$/ { s = $1; next } { print s $1 }')
[ "$("$MEMTWIN" list keys | sed 1d | cut -d ' ' -f 1)" = "$keys" ] || complain "memtwin-keys(5) has not the keys of list keys"
page memtwin-study 5 study-file
# "section key" of the page, and of the examples in docs/use/studies.md; the text of the page names its other keys.
sed -nE 's/^   \[([a-z]+).*/\1./p; s/^ {7}([a-z_]+) = .*/\1/p' "$work/page" | awk '/[.]$/ { s = $1; next } { print s $1 }' | sort -u >"$work/listed"
sed -nE 's/^    \[([a-z]+).*/\1./p; s/^    ([a-z_]+) += .*/\1/p' docs/use/studies.md | awk '/[.]$/ { s = $1; next } { print s $1 }' | sort -u >"$work/examples"
[ "$(wc -l <"$work/examples")" -gt 10 ] || complain "docs/use/studies.md has few examples of keys: $(xargs <"$work/examples")"
unlisted=$(comm -13 "$work/listed" "$work/examples" | xargs)
[ -z "$unlisted" ] || complain "docs/use/studies.md has keys that memtwin-study(5) has not: $unlisted"
for key in $(comm -23 "$work/listed" "$work/examples"); do
    grep -qF "\`${key#*.}\`" docs/use/studies.md || complain "docs/use/studies.md does not mention ${key/./: }"
done

mandb -qc "$man" 2>"$work/err" || complain "mandb: $(cat "$work/err")"
[ "$(whatis -M "$man" -w 'memtwin*' | wc -l)" -eq $(($(wc -w <<<"$commands") + 3)) ] || complain "whatis: $(whatis -M "$man" -w 'memtwin*')"
apropos -M "$man" 'configuration files' | grep -q '^memtwin-keys (5)' || complain "apropos: $(apropos -M "$man" 'configuration files')"
expect_line 1 "unknown command 'runn'" "$MEMTWIN" help --man runn
finish
