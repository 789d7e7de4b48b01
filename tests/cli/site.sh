#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# `make docs` builds a site of all pages with the text that GitHub shows, without broken links or external loads. Its search works from
# file://, and it is dark as the system is. Figures are up to date with their sources.
. tests/lib.bash
. tests/browser.bash
site=build/site
built() { # PAGE.md: prints its page in the site
    local html=$site/${1%.md}.html
    echo "${html/%README.html/index.html}"
}
# text: prints the headings, lists, tables and words of HTML, one a line. Attributes and lines do not count.
text() {
    tr '\n' ' ' | perl -pe 's/<a class="headerlink".*?<\/a>//g; s/<(h[1-6]|[uo]l|li|pre|table|tr|t[hd]|img|blockquote)\b[^>]*>/ [$1] /g; s/<(p|br)\b[^>]*>|<\/(pre|t[hd]|li|h[1-6])>/ /g;
        s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/&/g; s/\s+/\n/g'
}
# differs PAGE.md HTML: prints the first difference of a built page from its source, as GitHub's renderer reads it
differs() {
    cmark-gfm --unsafe -e table -e autolink -e strikethrough "$1" | text >"$work/want"
    sed -n '/<article/,/<\/article>/p' "$2" | text >"$work/got"
    diff <(grep . "$work/want") <(grep . "$work/got") | head -n 6
}
expect 0 docs/site/build.sh
[ ! -s "$work/err" ] || complain "mkdocs says: $(head -n 5 "$work/err")"
n=0
for page in docs/{use,understand,results,examples}/*.md; do
    grep -qF " $page" docs/site/mkdocs.yml || complain "$page is not in docs/site/mkdocs.yml"
done
for page in $(cd build/site-src && find . -name '*.md' -printf '%P\n'); do
    html=$(built "$page")
    [ -s "$html" ] || { complain "no $html"; continue; }
    difference=$(differs "$page" "$html")
    [ -z "$difference" ] || complain "$html: not as $page: $difference"
    n=$((n + 1))
done
[ $n -gt 80 ] || complain "only $n pages"
# A page that differs is found: a fence with two words, a list after a line of text, a bar in the code of a table.
printf '# A\n\nText\n* one\n* two\n\n```c a.h\nint a;\n```\n\n| a |\n|---|\n| `b \\| c` |\n' >"$work/page.md"
cmark-gfm -e table "$work/page.md" | sed '1s/^/<article>\n/; $s/$/\n<\/article>/' >"$work/page.html"
[ -z "$(differs "$work/page.md" "$work/page.html")" ] || complain "a page differs from itself"
for fault in 's/<li>two/two/' 's/<pre>/<p>/' 's/b |/b \\|/' 's/<h1>/<p>/'; do
    sed "$fault" "$work/page.html" >"$work/broken.html"
    [ -n "$(differs "$work/page.md" "$work/broken.html")" ] || complain "not found: $fault"
done
# Each link inside the site leads to a page, and to a heading in it.
for html in $(cd $site && find . -name '*.html' ! -name 404.html -printf '%P\n'); do
    grep -oE '<a [^>]*href="[^"]*"' "$site/$html" | sed 's/.*href="//; s/"$//' | grep -vE '^(https?:|mailto:)' | sort -u |
        sed -E "s,^#,$(basename "$html")#,; s,^,$(dirname "$html")/," | sed -E ':a; s,(^|/)[^/.]+/\.\./,\1,; ta; s,(^|/)\./,\1,g'
done | sort -u >"$work/links"
while IFS='#' read -r file anchor; do
    [ -e "$site/$file" ] || complain "the site has no $file"
    [ -z "$anchor" ] || grep -qF "id=\"$anchor\"" "$site/$file" || complain "$file has no #$anchor"
done <"$work/links"
[ "$(grep -c '#.' "$work/links")" -gt 500 ] || complain "only $(grep -c '#.' "$work/links") links to headings"
grep -rhoE '<(script|img)[^>]* src="[^"]*"|<link[^>]* href="[^"]*"|url\([^)]*\)' $site --include=*.html --include=*.css | grep -E '(https?:)?//' | grep -v '^url(.\?data:' >"$work/loaded" &&
    complain "loaded from elsewhere: $(head -n 3 "$work/loaded")"

# In a browser, from file://: the search answers, and nothing is reported. Dark as the system is; no page is wider than a phone.
size() { call "/$id/goog/cdp/execute" "{\"cmd\": \"Emulation.setDeviceMetricsOverride\", \"params\": {\"width\": $1, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": $2}}" >/dev/null; }
size 390 true
for page in README.md docs/use/tutorial.md docs/understand/dl_mshr.md docs/results/cart.md; do
    call "/$id/url" "{\"url\": \"file://$PWD/$(built $page)\"}" >/dev/null
    [ "$(js 'document.documentElement.scrollWidth <= 390')" = true ] || complain "$page: $(js document.documentElement.scrollWidth) pixels wide on a phone"
done
size 1366 false
for scheme in light:default dark:slate; do
    call "/$id/goog/cdp/execute" "{\"cmd\": \"Emulation.setEmulatedMedia\", \"params\": {\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"${scheme%:*}\"}]}}" >/dev/null
    call "/$id/url" "{\"url\": \"file://$PWD/$site/docs/use/install.html?q=Dynamic+Allocation+Unit\"}" >/dev/null
    [ "$(js 'document.body.dataset.mdColorScheme')" = "\"${scheme#*:}\"" ] || complain "a ${scheme%:*} system: $(js 'document.body.dataset.mdColorScheme')"
    js 'localStorage.clear()' >/dev/null # the first visit decides
done
for _ in $(seq 100); do
    found=$(js '[...document.querySelectorAll(".md-search-result__link")].map(a => a.getAttribute("href"))' | jq -r '.[]')
    [ -z "$found" ] || break
    sleep 0.05
done
grep -q '/docs/understand/dl_mshr_paper\.html?h=dynamic+allocation+unit$' <<<"$found" || complain "the search finds: $found"
console=$(call "/$id/se/log" '{"type": "browser"}' | jq -r '.[].message')
[ -z "$console" ] || complain "on the console: $console"

# A broken link is found.
mkdir "$work/tree" && cp -r --parents docs tb/env.bash README.md CONTRIBUTING.md CHANGELOG.md LICENSE CITATION.cff rtl "$work/tree"
echo '[nowhere](nowhere.md)' >>"$work/tree/docs/use/install.md"
("$work/tree/docs/site/build.sh"; exit) >"$work/out" 2>&1 && complain "a broken link is not found"
# Another version of Graphviz may give other figures.
version=$(dot -V 2>&1 | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')
for figure in docs/figures/*.dot; do
    grep -q "Generated by graphviz version $version " "${figure%.dot}.svg" || continue
    dot -Tsvg "$figure" | cmp -s - "${figure%.dot}.svg" || complain "${figure%.dot}.svg is out of date with $figure (dot -Tsvg)"
done
finish
