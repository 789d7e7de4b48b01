#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every script and the Makefile use the C locale, whatever the user's locale is. In other locales mawk prints 0,50 or nan, and sort has another order.
. tests/lib.bash

# unguarded SCRIPT...: prints the scripts that source neither tb/env.bash nor a library that does, except those that only run another script
unguarded() {
    grep -LE '^(\.|source) ("\$\(dirname "\$0"\)/[./]*/tb/env\.bash"|tests/lib\.bash|"\$\(dirname "\$0"\)/flow\.bash")$|^exec "\$\(dirname "\$0"\)/' "$@"
}
scripts=$({ git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print; } | grep '\.sh$')
[ "$(wc -l <<<"$scripts")" -gt 90 ] || complain "only $(wc -l <<<"$scripts") scripts"
for script in $(unguarded $scripts); do complain "$script does not source tb/env.bash"; done
printf 'cd "$(dirname "$0")/.."\n' >"$work/bare.sh"
[ "$(unguarded "$work/bare.sh")" = "$work/bare.sh" ] || complain "a script without tb/env.bash is accepted"
for library in tests/lib.bash synth/flow.bash; do
    grep -q '/env\.bash"\?$' "$library" || complain "$library does not source tb/env.bash"
done

# In a German locale, figures are correct with tb/env.bash and wrong without it.
half='BEGIN { printf "%.2f\n", 1 / 2 }'
german() { env -u LC_NUMERIC LOCPATH="$work" LC_ALL=de_DE.UTF-8 CDPATH=/usr "$@"; }
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>"$work/err" && [ "$(german awk "$half")" = 0,50 ]; then
    [ "$(german bash -c '. tb/env.bash; awk "$1"' _ "$half")" = 0.50 ] || complain "tb/env.bash does not set the locale"
    { grep -w LC_ALL Makefile && echo "all:; @awk '$half'"; } >"$work/Makefile"
    [ "$(german make -s -f "$work/Makefile")" = 0.50 ] || complain "the Makefile does not set the locale"
    (cd tb && german bash -c '. harness/../env.bash; test -f Makefile') || complain "tb/env.bash does not go to the root"
    german tests/identical.sh --help >"$work/out" || complain "a script fails where CDPATH is set: $(tail -n 1 "$work/out")"
else
    echo "no German locale can be made (package locales), or awk heeds none: only the sources were checked"
fi
finish
