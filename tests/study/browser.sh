#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 27 s
# The page of `memtwin report` in headless Chromium, through WebDriver: no errors, no requests, the numbers of the database, filters, the
# tooltip, and a run; 10,000 runs load within 3 s. RUNS=n sets the number of runs in the database (default 10000).
. tests/lib.bash
. tests/study.bash
RUNS=${RUNS:-10000}
MEMTWIN=$(realpath "$MEMTWIN")
. tests/browser.bash
cd "$work"

until_js() { # EXPRESSION: waits until it is true
    for _ in $(seq 100); do
        [ "$(js "!!($1)")" != true ] || return 0
        sleep 0.05
    done
    complain "never: $1: $(js 'document.querySelector("#about").textContent')"
}
# pointer SELECTOR [BUTTON]: moves the pointer to the middle of an element; with BUTTON, clicks
pointer() {
    local click='' at
    [ $# = 1 ] || click=', {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}'
    js "document.querySelector('$1').scrollIntoView({block: 'center'})" >/dev/null
    at=$(js "{ const r = document.querySelector('$1').getBoundingClientRect(); return {x: Math.round(r.x + r.width / 2), y: Math.round(r.y + r.height / 2)}; }")
    call "/$id/actions" "{\"actions\": [{\"type\": \"pointer\", \"id\": \"mouse\", \"actions\": [{\"type\": \"pointerMove\", \"duration\": 0, \"x\": $(jq .x <<<"$at"), \"y\": $(jq .y <<<"$at")}$click]}]}" >/dev/null
}
page() { # FILE.html
    call "/$id/url" "{\"url\": \"file://$work/$1\"}" >/dev/null
    until_js 'document.body.dataset.ready'
}
# quiet WHAT: checks that the console is empty and that only the page was loaded
quiet() {
    local console requests
    console=$(call "/$id/se/log" '{"type": "browser"}' | jq -r '.[].message')
    [ -z "$console" ] || complain "$1: on the console: $console"
    requests=$(call "/$id/se/log" '{"type": "performance"}' | jq -r '.[].message | fromjson | .message | select(.method == "Network.requestWillBeSent") | .params.request.url' |
        grep -vE '^(data:|blob:)' | sort -u)
    is "$1: requests" "file://$work/$2" "$requests"
}
# ---- A study ----
cat >shape.ini <<'END'
[study]
config = tiny
workload = addvect:32 atax:16 bfs:64
series = yes
detail = yes
baseline = small l1d.ways=2
[scheme small]
l1d.mshr = static
[scheme dl]
l1d.mshr = dl
[scheme lost]
sim.planted_fault = lose_page
[axis]
l1d.ways = 2 4
[plot bars]
[plot lines]
kind = line
y = cycles
relative = no
x = l1d.ways
color = workload
END
"$MEMTWIN" study shape.ini -q -j 2 2>err
sql shape.db "CREATE TABLE IF NOT EXISTS reference(study TEXT, seed TEXT, figure TEXT, quantity TEXT, scheme TEXT, group_name TEXT, value REAL);
    INSERT INTO reference VALUES('shape', 'Doe 2020', '7', 'IPC over the baseline', 'dl', 'atax', 1.25), ('shape', 'Doe 2020', '7', 'IPC over the baseline', 'dl', 'all', 1.5),
        ('shape', 'Doe 2020', '8', 'area', 'dl', 'all', 3)"
expect 0 "$MEMTWIN" report shape.db
# A table that is opened before its plot is drawn, and a button of such a plot.
call "/$id/goog/cdp/execute" "$(jq -n --arg source 'const open = () => { document.querySelectorAll("figure details").forEach(d => { d.open = true; });
    document.querySelectorAll("figure .tools button").forEach(b => b.closest("figure").shown || b.click()); if (!document.body?.dataset.ready) setTimeout(open); }; open()' \
    '{cmd: "Page.addScriptToEvaluateOnNewDocument", params: {source: $source}}')" >script
page shape.html
quiet "tables that are opened early" shape.html
is "their rows" true "$(js "[...document.querySelectorAll('#plots figure, #own figure, #where figure')].every(f => f.querySelectorAll('tbody tr').length === f.shown.rows.length - 1)")"
call "/$id/goog/cdp/execute" "$(jq -c '{cmd: "Page.removeScriptToEvaluateOnNewDocument", params: .}' script)" >/dev/null
page shape.html
both="FROM result r JOIN result b ON b.n = r.baseline WHERE r.state = 'done'"
same_numbers "the first plot" "$(sql shape.db "SELECT json_group_array(y) FROM (SELECT exp(avg(ln(r.ipc / b.ipc))) AS y $both GROUP BY r.workload, r.scheme
    ORDER BY min(r.n))" | jq -c sort)" "$(js "document.querySelectorAll('figure')[0].shown.rows.slice(1).filter(r => !/mean/.test(r[0])).map(r => r[2])" | jq -c sort)"
same_numbers "its means" "$(sql shape.db "SELECT json_group_array(y) FROM (SELECT exp(avg(ln(r.ipc / b.ipc))) AS y $both GROUP BY r.scheme)" | jq -c sort)" \
    "$(js "document.querySelectorAll('figure')[0].shown.rows.filter(r => /mean/.test(r[0])).map(r => r[2])" | jq -c sort)"
is "its bars" 8 "$(js "document.querySelectorAll('figure')[0].querySelectorAll('.bars path').length")"
same_numbers "the lines" "$(sql shape.db "SELECT json_group_array(y) FROM (SELECT avg(cycles) AS y FROM result WHERE state = 'done' GROUP BY workload, axes)" | jq -c sort)" \
    "$(js "document.querySelectorAll('figure')[1].shown.rows.slice(1).map(r => r[2])" | jq -c sort)"
is "published figures" '[1.25,1.5]' "$(js "document.querySelectorAll('figure')[0].shown.rows.slice(1).map(r => r[4]).filter(v => v)" | jq -c sort)"
is "its diamonds" 2 "$(js "document.querySelectorAll('figure')[0].querySelectorAll('.paper path').length")"
is "their table" 3 "$(js "document.querySelectorAll('#references tbody tr').length")"

# Cycles by scheme, then by the reasons of a part as shares.
where() { # prints the rows of the table next to the bars
    js "document.querySelector('#where figure').shown.rows.slice(1).map(r => [r[0], r[1], r[2], r[3], r[4]])"
}
refused="SELECT name FROM statistic WHERE unit = 'refused cycles' AND kind = 'counter' AND name"
sum_of() { sql shape.db "$refused $1" | paste -sd+; }
same_numbers "refusals of the L1D, by scheme" "$(sql shape.db "SELECT json_group_array(y) FROM (SELECT avg($(sum_of "LIKE 'l1d\\_refusals\\_%' ESCAPE '\\'")) AS y FROM result WHERE state = 'done' GROUP BY scheme)" | jq -c 'map(select(. > 0)) | sort')" \
    "$(where | jq -c 'map(select(.[1] == "L1D") | .[2]) | sort')"
is "runs of a bar" '[6]' "$(where | jq -c 'map(.[4]) | unique')"
is "schemes with runs" '["small","dl"]' "$(js "document.querySelector('#where .chart').view.scale('y').domain()")"
is "its bars" "$(where | jq length)" "$(js "document.querySelectorAll('#where .stack path').length")"
js "{ const s = document.querySelectorAll('#where select'); for (const [k, v] of [[0, 'Refusals of L1D, by reason'], [1, 'workload'], [2, 'share']]) { s[k].value = v; s[k].dispatchEvent(new Event('change')); } }" >/dev/null
until_js "document.querySelector('#where figcaption').textContent === 'Refusals of L1D, by reason, by workload'"
reason=$(sql shape.db "SELECT substr(name, 14) FROM value WHERE name IN ($refused LIKE 'l1d\\_refusals\\_%' ESCAPE '\\') GROUP BY name ORDER BY sum(value) DESC LIMIT 1")
same_numbers "refusals by reason" "$(sql shape.db "SELECT json_group_array(y) FROM (SELECT avg(l1d_refusals_$reason) AS y FROM result WHERE state = 'done' GROUP BY workload)" | jq -c 'map(select(. > 0)) | sort')" \
    "$(where | jq -c --arg reason "$(js "memtwin.page.head.words['l1d_refusals_$reason']" | jq -r .)" 'map(select(.[1] == $reason) | .[2]) | sort')"
same_numbers "shares" '[1,1,1]' "$(where | jq -c 'group_by(.[0]) | map(map(.[3]) | add)' | jq -c '. + [1, 1, 1] | .[:3]')"

# The tooltip shows the run and its command, and a click opens the run.
pointer 'figure .bars path'
until_js "!document.querySelector('#tip').hidden"
is "the tooltip" "$(sql shape.db 'SELECT text FROM command WHERE run = (SELECT run FROM point WHERE n = 0)')" "$(js "document.querySelector('#tip code').textContent" | jq -r .)"
pointer 'figure .bars path' click
until_js "document.querySelectorAll('#run figure svg').length >= 2"
is "its title" '"Run 0: addvect:32 small l1d.ways=2"' "$(js "document.querySelector('#run h2').textContent")"
js "memtwin.showRun(memtwin.page.study, 8)" >/dev/null
same_numbers "where the cycles of a run went" "$(sql shape.db "SELECT json_array(warp_insts, slots_lsu, slots_registers, slots_no_work, load_in_l2, load_in_dram, l1d_refusals_no_way) FROM result WHERE n = 8")" \
    "$(js "{ const d = {}; for (const c of document.querySelectorAll('#run .chart')) if (c.querySelector('.stack')) for (const b of c.view.data('bars')) if (b.label === 'run 8' && b.names.length === 1) d[b.names[0]] = b.v;
        return ['warp_insts', 'slots_lsu', 'slots_registers', 'slots_no_work', 'load_in_l2', 'load_in_dram', 'l1d_refusals_no_way'].map(k => d[k] || 0); }")"
# Over time: the lines and the heat map show the values of the database, for kernels and for parts.
sql shape.db "SELECT sqlar_uncompress(data, size) FROM series JOIN point USING(run) WHERE n = 8" >series.json
lines() { # TITLE NAME: prints the values of a line
    js "{ for (const f of document.querySelectorAll('#run figure')) if (f.querySelector('figcaption').textContent === '$1') return f.querySelector('.chart').view.data('points').filter(p => p.c === '$2').map(p => p.y); }"
}
same_numbers "IPC over time" "$(jq -c '[.tracks[] | select(.name == "issue")][0].values | . + [last]' series.json)" "$(lines 'Instructions per cycle' issue)"
sql shape.db "SELECT sqlar_uncompress(data, size) FROM series JOIN point USING(run) WHERE n = (SELECT baseline FROM point WHERE n = 8)" >base.json
same_numbers "the baseline's IPC over time" "$(jq -c '[.tracks[] | select(.name == "issue")][0].values | . + [last]' base.json)" \
    "$(js "[...document.querySelectorAll('#run figure')].find(f => f.querySelector('figcaption').textContent === 'Instructions per cycle').querySelector('.chart').view.data('baseline').map(p => p.y)")"
is "what is said of rates" true "$(js "/fewer than 64 accesses, with its neighbors/.test(document.querySelector('#run h3 + .note').textContent)")"
same_numbers "L1D MSHRs over time" "$(jq -c '[.tracks[] | select(.name == "L1D MSHR")][0] | .capacity as $c | .values | map(. * 100 / $c) | . + [last]' series.json)" "$(lines 'SM: in use' 'L1D MSHR')"
is "kernels" "$(jq '.kernels | length' series.json)" "$(js "document.querySelectorAll('#run .launches path').length")"
same_numbers "banks of channel 1" "$(jq -c '[.tracks[] | select(.name == "DRAM banks" and .index == 1)][0].values' series.json)" \
    "$(js "[...document.querySelectorAll('#run .chart')].find(c => c.querySelector('.heat')).view.data('fields').filter(f => f.part === 1).map(f => f.v)")"
same_numbers "open rows of bank 2 of channel 1" "$(jq -c '.banks | .open[.banks + 2]' series.json)" \
    "$(js "[...document.querySelectorAll('#run .chart')].filter(c => c.querySelector('.heat'))[1].view.data('fields').filter(f => f.part === '1.2').map(f => f.v)")"
js "{ const s = [...document.querySelectorAll('#run .tools select')].find(e => [...e.options].some(o => o.value === 'all')); s.value = '1'; s.dispatchEvent(new Event('change')); }" >/dev/null
until_js "[...document.querySelectorAll('#run .chart')].filter(c => c.querySelector('.heat'))[1].view.data('fields').every(f => /^1[.]/.test(f.part))"
same_numbers "warp instructions by SM" "$(sql shape.db "SELECT json_group_array(warp_insts) FROM detail JOIN point USING(run) WHERE n = 8 AND scope = 'sm'")" \
    "$(js "{ const s = () => [...document.querySelectorAll('#run .tools select')].find(e => [...e.options].some(o => o.value === 'sm')); s().value = 'sm'; s().dispatchEvent(new Event('change'));
        await new Promise(r => setTimeout(r, 300)); return [...document.querySelectorAll('#run figure')].find(f => f.shown).shown.rows.slice(1).map(r => r[1]); }")"
# The table of kernels: sums over the launches of each name, with most cycles first.
is "kernels by name" "$(sql shape.db "SELECT group_concat(name || ' ' || n || ' ' || c || ' ' || r, char(10)) FROM (SELECT name, count(*) AS n, sum(cycles) AS c, sum(dram_rd) AS r
    FROM detail WHERE run = (SELECT run FROM point WHERE n = 8) AND scope = 'kernel' GROUP BY name ORDER BY c DESC)")" \
    "$(js "[...document.querySelectorAll('#run .by-name tbody tr')].map(r => [0, 1, 2, 7].map(k => r.cells[k].textContent).join(' ')).join('\\n')" | jq -r .)"
pointer '#run .sample path'
until_js "!document.querySelector('#tip').hidden && /^cycles /.test(document.querySelector('#tip').textContent)"
js "document.querySelector('#run .statistics').open = true" >/dev/null
until_js "document.querySelectorAll('#run .statistics tr').length > 50"
is "every statistic" "$(sql shape.db "SELECT name || ' ' || value FROM value JOIN point USING(run) WHERE n = 8 AND typeof(value) = 'integer' AND value > 0 ORDER BY name" | cksum)" \
    "$(js "[...document.querySelectorAll('#run .statistics tbody tr')].map(r => [r.cells[0].textContent, r.cells[1].textContent]).filter(r => +r[1] && memtwin.page.statistic.get(r[0]).kind === 'counter')" |
        jq -r '.[] | join(" ")' | LC_ALL=C sort | cksum)"

# A user-defined plot with another statistic, then without one workload. One control is used by keyboard.
js "{ const s = [...document.querySelectorAll('#own select')]; s[0].value = 'dram_reads'; s[0].dispatchEvent(new Event('change')); s[1].value = 'no'; s[1].dispatchEvent(new Event('change')); }" >/dev/null
until_js "document.querySelector('#own figure').shown.plot.y === 'dram_reads' && document.querySelector('#own figcaption').textContent === 'DRAM reads by workload'"
reads() { # CONDITION
    sql shape.db "SELECT json_group_array(y) FROM (SELECT avg(dram_reads) AS y FROM result WHERE state = 'done' AND $1 GROUP BY workload, scheme)" | jq -c sort
}
shown() {
    js "document.querySelector('#own figure').shown.rows.slice(1).filter(r => !/mean/.test(r[0])).map(r => r[2])" | jq -c sort
}
same_numbers "another statistic" "$(reads 1)" "$(shown)"
js "document.querySelector('#filters details').open = true" >/dev/null
pointer '#filters input[data-value="atax:16"]' click
until_js "/12 of 18 runs/.test(document.querySelector('#filters summary').textContent) && document.querySelectorAll('#runs tbody tr').length === 12"
is "runs of a bar that the filter leaves" '[4]' "$(where | jq -c 'map(.[4]) | unique')"
same_numbers "a filter" "$(reads "workload <> 'atax:16'")" "$(shown)"
is "of all plots" 6 "$(js "document.querySelectorAll('figure')[0].querySelectorAll('.bars path').length")"
is "failures in the table" 4 "$(js "document.querySelectorAll('#runs tr.bad').length")"
is "their message" true "$(js "/had no opportunity/.test(document.querySelector('#runs tr.bad').textContent)")"
js "document.querySelector('#study').focus()" >/dev/null
call "/$id/actions" '{"actions": [{"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\uE004"}, {"type": "keyUp", "value": "\uE004"}]}]}' >/dev/null
is "the next control" '"6 failed"' "$(js 'document.activeElement.textContent')"
is "an SVG of its own" true "$(js "(async () => { const t = await document.querySelector('figure .chart').view.toSVG(); return /^<svg/.test(t) && !/var\(/.test(t); })()")"
# Ratios are drawn from 1, with bars as high as the distance from 1. Lines differ in dashes and markers.
is "where bars start" true "$(js "{ const v = document.querySelector('figure .chart').view, y = v.scale('y'); return y.domain()[0] > 0 && y.domain()[0] < 1 && v.scenegraph().root.items[0].items.find(m => m.name === 'bars').items.every(b => Math.abs(Math.max(b.y, b.y2 ?? b.y + b.height) - y(1)) < 0.1 || Math.abs(Math.min(b.y, b.y2 ?? b.y) - y(1)) < 0.1); }")"
is "the title of its axis" true "$(js "/the baseline is 1/.test(document.querySelector('figure .role-axis-title').textContent)")"
is "dashes and markers" '[2,2]' "$(js "{ const c = document.querySelectorAll('figure')[1].querySelector('.chart'); return [new Set([...c.querySelectorAll('.mark-line path')].map(e => e.getAttribute('stroke-dasharray'))).size, new Set([...c.querySelectorAll('.dots path')].map(e => e.getAttribute('d'))).size]; }")"
# Plots are as wide as the window and, when printed, as the paper.
outside="[...document.querySelectorAll('.chart')].filter(c => c.clientWidth && (c.scrollWidth > c.clientWidth || c.querySelector('svg').width.baseVal.value < 0.98 * c.clientWidth)).length"
for width in 1200 500 1300; do
    call "/$id/window/rect" "{\"width\": $width, \"height\": 2000}" >/dev/null
    until_js "$outside === 0 && Math.abs(document.querySelector('figure svg').width.baseVal.value - $width) < 100"
done
widths="[...new Set([...document.querySelectorAll('.chart')].filter(c => c.clientWidth).map(c => c.querySelector('svg').width.baseVal.value))]"
is "plots on paper" '[690]' "$(js "{ dispatchEvent(new Event('beforeprint')); await null; await new Promise(r => setTimeout(r, 50)); return $widths; }")"
js "dispatchEvent(new Event('afterprint'))" >/dev/null
until_js "$outside === 0 && document.querySelector('figure svg').width.baseVal.value > 1100"
is "a plot and its title on one page" true "$(js "document.querySelector('#run .together h3').textContent === 'By kernel and part' && !!document.querySelector('#run .together svg')")"
color="document.querySelector('figure .chart').view.scale('color')('dl')"
before=$(js "$color")
js "{ const s = memtwin.page.study, d = s.dims.find(x => x.key === 'scheme'); d.on.delete(0); await memtwin.showFiltered(s); }" >/dev/null
is "the color of a scheme that stands alone" "$before" "$(js "$color")"
quiet "a study" shape.html

# A run that max_time stopped has no values. The means of all schemes leave out its combination of workload and axes.
cut="SELECT run FROM point WHERE workload = 'atax:16' AND scheme = 'dl' AND axes LIKE '%4%'"
cp shape.db gap.db
sql gap.db "UPDATE run SET end = 'time_limit' WHERE id = ($cut)"
expect 0 "$MEMTWIN" report gap.db
page gap.html
same_numbers "means of what all have" "$(sql gap.db "SELECT json_group_array(y) FROM (SELECT exp(avg(ln(r.ipc / b.ipc))) AS y $both
    AND NOT (r.workload = 'atax:16' AND r.axes LIKE '%4%') GROUP BY r.scheme)" | jq -c sort)" \
    "$(js "document.querySelector('figure').shown.rows.filter(r => /mean/.test(r[0])).map(r => r[2])" | jq -c sort)"
is "their runs" '[5,5]' "$(js "document.querySelector('figure').shown.rows.filter(r => /mean/.test(r[0])).map(r => r[3])")"
is "what is said of it" '"Each bar: geometric mean of 1 to 2 runs. Bars of the mean: geometric mean of 5 runs. Left out of means, since a result is missing for some scheme: atax:16 l1d.ways=4. Diamonds: published figures. Thin lines: from the lowest to the highest run."' \
    "$(js "document.querySelector('figure .note').textContent")"
is "its row" '["stopped by max_time","",""]' "$(js "[...[...document.querySelectorAll('#runs tbody tr')].find(r => /stopped by/.test(r.textContent)).cells].slice(4, 7).map(c => c.textContent)")"
js "memtwin.showRun(memtwin.page.study, $(sql gap.db "SELECT n FROM point WHERE run = ($cut)"))" >/dev/null
is "the run" true "$(js "/^stopped by max_time, statistics of a part/.test(document.querySelector('#run .note').textContent)")"
is "no run to sim.max_cycles" 0 "$(js "document.querySelectorAll('#plots .cut').length")"
quiet "a gap" gap.html
# Runs that sim.max_cycles ended have values, and a note above the plots counts them.
cp shape.db cut.db
sql cut.db "UPDATE run SET end = 'cut_off' WHERE id = ($cut)"
expect 0 "$MEMTWIN" report cut.db
page cut.html
is "the note of sim.max_cycles" '"1 of 18 runs was cut off at sim.max_cycles; means over it compare the cycles up to there, not whole kernels."' "$(js "document.querySelector('#plots .cut').textContent")"
is "it is above the plots" true "$(js "{ const [note, plot] = ['#plots .cut', '#plots figure'].map(e => document.querySelector(e).getBoundingClientRect().top); return note < plot; }")"
quiet "cut off" cut.html

# ---- Best scheme: a second study of the same runs, stored last, with groups and a choice ----
cp shape.db two.db
sql two.db "INSERT INTO study VALUES(7, 'zero', 'zero.ini', 'none', 9e9);
    INSERT INTO point(study, n, run, config, workload, scheme, axes, baseline, group_name, choice) SELECT 7, n, run, config, workload, scheme, axes, baseline,
        CASE workload WHEN 'bfs:64' THEN 'graphs' ELSE '' END, CASE scheme WHEN 'dl' THEN 'small' END FROM point WHERE study = 1 AND scheme <> 'lost';
    INSERT INTO reference VALUES('zero', 'Doe 2020', '7', 'IPC over the baseline', 'dl', 'all', 1.5), ('zero', 'Doe 2020', '7', 'IPC over the baseline', 'dl', 'graphs', 2)"
expect 0 "$MEMTWIN" report two.db
page two.html
ratios="FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline WHERE r.study = 'zero'"
is "the study stored last" '"zero (12 runs)"' "$(js "document.querySelector('#study').selectedOptions[0].textContent")"
same_numbers "schemes by workload" "$(sql two.db "SELECT json_group_array(y) FROM (SELECT exp(avg(ln(r.ipc / b.ipc))) AS y $ratios GROUP BY r.workload, r.scheme
    UNION ALL SELECT exp(avg(ln(r.ipc / b.ipc))) $ratios GROUP BY r.scheme)" | jq -c sort)" "$(js "memtwin.page.best.rows.slice(1).flatMap(r => r.slice(1, -1))" | jq -c sort)"
is "its means" true "$(js "/\\. Each cell: geometric mean of 2 runs\\. Cells of the mean: geometric mean of 6 runs\\.\$/.test(document.querySelector('#best .note').textContent)")"
is "the best ones" "$(sql two.db "SELECT group_concat(best, ';') FROM (SELECT group_concat(scheme, ' ') AS best FROM (SELECT *, round(y, 12) = round(max(y) OVER (PARTITION BY workload), 12) AS top
    FROM (SELECT r.workload, r.scheme, min(r.n) AS n, exp(avg(ln(r.ipc / b.ipc))) AS y $ratios GROUP BY r.workload, r.scheme) ORDER BY n) WHERE top GROUP BY workload ORDER BY min(n))")" \
    "$(js "memtwin.page.best.rows.slice(1, -1).map(r => r[3])" | jq -r 'join(";")')"
is "they are marked" "$(js "memtwin.page.best.rows.slice(1).flatMap(r => r[3].split(' ')).length")" "$(js "document.querySelectorAll('#best td.best').length")"
is "choices in it" '["small","small","small"]' "$(js "[...document.querySelectorAll('#best td small')].map(e => e.textContent)")"
is "choices in a plot's CSV" '["","small"]' "$(js "[...new Set(document.querySelector('figure').shown.rows.slice(1).map(r => r[5]))]" | jq -c sort)"
is "choices in the table of runs" '["","small"]' "$(js "{ const k = [...document.querySelectorAll('#runs th')].findIndex(t => t.textContent === 'choice');
    return [...new Set([...document.querySelectorAll('#runs tbody tr')].map(r => r.cells[k].textContent))]; }" | jq -c sort)"
pointer "figure .bars path:nth-child($(js "1 + document.querySelector('figure .chart').view.data('cells').findIndex(o => o.c === 'dl')"))"
until_js "!document.querySelector('#tip').hidden && /choicesmall/.test(document.querySelector('#tip').textContent)"
# Numbers have at most 5 digits, and all digits on hover. The table fits.
is "long numbers" '[]' "$(js "[...document.querySelectorAll('#runs td.number, #best td.number, #references td.number')].map(e => e.firstChild?.textContent || '').filter(t => t.replace(/^[^0-9]*0?[.]?0*/, '').replace('.', '').length > 5 && !/^[0-9]+\$/.test(t))")"
same_numbers "all their digits" "$(sql two.db "SELECT json_group_array(ipc) FROM (SELECT ipc FROM result WHERE study = 'zero' ORDER BY n)")" \
    "$(js "{ const k = [...document.querySelectorAll('#runs th')].findIndex(t => t.textContent === 'IPC'); return [...document.querySelectorAll('#runs tbody tr')].map(r => +(r.cells[k].title || r.cells[k].textContent)); }")"
is "the table of runs fits" true "$(js "document.querySelector('#runs table').offsetWidth <= document.querySelector('#runs').clientWidth")"
# Published figures: for a group, with the number of kernels behind our figure.
ours() {
    js "[...document.querySelectorAll('#references tbody tr')].map(r => [+(r.cells[6].title || r.cells[6].textContent), r.cells[7].textContent])"
}
same_numbers "ours" "$(sql two.db "SELECT json_array((SELECT exp(avg(ln(r.ipc / b.ipc))) $ratios AND r.scheme = 'dl'), (SELECT exp(avg(ln(r.ipc / b.ipc))) $ratios AND r.scheme = 'dl' AND r.group_name = 'graphs'))")" "$(ours | jq -c 'map(.[0])')"
is "over these" '["3 kernels","1 kernel"]' "$(ours | jq -c 'map(.[1])')"
# A filter is printed, and the unnamed group has one.
is "no group" '["(none)","graphs"]' "$(js "[...document.querySelectorAll('#filters fieldset[data-dimension=group] label')].map(l => l.textContent.trim())" | jq -c sort)"
is "no filter" true "$(js "document.querySelector('#filters .set').hidden")"
js "document.querySelector('#filters details').open = true" >/dev/null
pointer '#filters input[data-value="atax:16"]' click
until_js "/8 of 12 runs/.test(document.querySelector('#filters summary').textContent) && document.querySelectorAll('#runs tbody tr').length === 8"
is "the filter in words" '"Filtered to 8 of 12 runs: workload: all but atax:16."' "$(js "document.querySelector('#filters .set').textContent")"
is "over fewer" '["2 of 3 kernels","1 kernel"]' "$(ours | jq -c 'map(.[1])')"
call "/$id/goog/cdp/execute" '{"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}}' >/dev/null
is "what is printed of it" '["block","none"]' "$(js "['#filters .set', '#filters details'].map(e => getComputedStyle(document.querySelector(e)).display)")"
call "/$id/goog/cdp/execute" '{"cmd": "Emulation.setEmulatedMedia", "params": {"media": ""}}' >/dev/null
# The dark blue of the plots is lighter on a dark page.
media() { call "/$id/goog/cdp/execute" "{\"cmd\": \"Emulation.setEmulatedMedia\", \"params\": {\"features\": [$1]}}" >/dev/null; }
media '{"name": "prefers-color-scheme", "value": "dark"}'
is "blue on a dark page" '"rgb(41, 137, 190)"' "$(js "getComputedStyle(document.querySelector('.chart svg [fill=\"#0072B2\"]')).fill")"
media ''
# By keyboard, a row of a plot's table opens its run.
js "{ const d = document.querySelector('figure details'); d.open = true; await new Promise(r => setTimeout(r, 50)); d.querySelectorAll('button.open')[1].focus(); }" >/dev/null
call "/$id/actions" '{"actions": [{"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\uE007"}, {"type": "keyUp", "value": "\uE007"}]}]}' >/dev/null
until_js "/^Run $(sql two.db "SELECT min(n) FROM point WHERE study = 7 AND workload = 'addvect:32' AND scheme = 'dl'"):/.test(document.querySelector('#run h2')?.textContent)"
is "its choice" true "$(js "/^dl chose small, done/.test(document.querySelector('#run .note').textContent)")"
quiet "two studies" two.html

# Two configurations have separate plots, and the baseline has no bars.
cat >configs.ini <<'END'
[study]
config = tiny pascal28
workload = addvect:32 atax:16
baseline = static
[scheme static]
l1d.mshr = static
[scheme dl]
l1d.mshr = dl
END
"$MEMTWIN" study configs.ini -q -j 2
expect 0 "$MEMTWIN" report configs.db
page configs.html
is "a plot for each configuration" '["IPC over the baseline by workload: tiny","IPC over the baseline by workload: pascal28"]' "$(js "[...document.querySelectorAll('#plots figcaption')].map(c => c.textContent)")"
same_numbers "that of the second" "$(sql configs.db "SELECT json_group_array(r.ipc / b.ipc) FROM result r JOIN result b ON b.n = r.baseline WHERE r.config = 'pascal28'" | jq -c sort)" \
    "$(js "document.querySelectorAll('#plots figure')[1].shown.rows.slice(1).filter(r => !/mean/.test(r[0])).map(r => r[2])" | jq -c sort)"
is "schemes with bars" '["dl"]' "$(js "document.querySelector('#plots .chart').view.scale('color').domain()")"
is "their legend" '["dl","scheme"]' "$(js "[...document.querySelectorAll('#plots figure:first-of-type .role-legend text')].map(e => e.textContent).sort()")"
# So are the bars of the cycles.
is "a bar for each configuration" '["tiny static","tiny dl","pascal28 static","pascal28 dl"]' "$(js "document.querySelector('#where .chart').view.scale('y').domain()")"
is "its title" true "$(js "/, by configuration and scheme\$/.test(document.querySelector('#where figcaption').textContent)")"
is "runs of each" '[2]' "$(where | jq -c 'map(.[4]) | unique')"
js "{ const s = [...document.querySelectorAll('#own select')].pop(); s.value = ''; s.dispatchEvent(new Event('change')); }" >/dev/null
until_js "/Means over 2 configurations/.test(document.querySelector('#own figure .note').textContent)"
quiet "two configurations" configs.html

# ---- No results, ties, many schemes ----
cat >none.ini <<'END'
[study]
config = tiny
workload = addvect:32 atax:16
[set]
sim.planted_fault = lose_page
END
"$MEMTWIN" study none.ini -q -j 2 2>err
expect 0 "$MEMTWIN" report none.db
page none.html
is "no run is done" '["sim.planted_fault: the run had no opportunity to plant this fault (2 runs, such as run 0)"]' "$(js "[...document.querySelectorAll('#problem li')].map(e => e.textContent)")"
is "it is above all" true "$(js "document.querySelector('#problem').getBoundingClientRect().top < 200")"
is "empty sections" 0 "$(js "['filters', 'plots', 'best', 'own', 'where'].filter(id => document.getElementById(id).offsetHeight > 0).length")"
quiet "no results" none.html
sql none.db "UPDATE run SET state = 'done', end = 'time_limit', message = NULL, exit_code = 0"
expect 0 "$MEMTWIN" report none.db
page none.html
is "all are stopped" '["stopped by max_time (2 runs, such as run 0)"]' "$(js "[...document.querySelectorAll('#problem li')].map(e => e.textContent)")"
is "their number, and their repetition" '[true,true]' "$(js "[/: 2 stopped by max_time; /.test(document.querySelector('#about').textContent), /--retry repeats runs that failed or were stopped by max_time/.test(document.querySelector('#problem').textContent)]")"
quiet "stopped runs" none.html
{
    printf '[study]\nconfig = tiny\nworkload = addvect:32 atax:16\nbaseline = s1\n[plot a]\nrelative = no\n'
    for k in {1..12}; do printf '[scheme s%d]\nl2.in_queue = %d\n' "$k" $((k + 1)); done
} >ties.ini
"$MEMTWIN" study ties.ini -q -j 2
expect 0 "$MEMTWIN" report ties.db
page ties.html
is "stars of ties" 0 "$(js "document.querySelectorAll('#best td.best').length")"
is "ties in words" '["all equal","all equal","all equal"]' "$(js "memtwin.page.best.rows.slice(1).map(r => r.at(-1))")"
is "looks of twelve schemes" 12 "$(js "{ const v = document.querySelector('figure .chart').view; return new Set(v.scale('color').domain().map(c => v.scale('color')(c) + v.scale('edge')(c))).size; }")"
is "edges of them" true "$(js "{ const v = document.querySelector('figure .chart').view; return v.scale('edge')('s9') === v.scale('color')('s1') && v.scale('color')('s9') !== v.scale('color')('s1'); }")"
is "digits of the seconds" 0 "$(js "[...document.querySelectorAll('#runs tbody tr')].filter(r => !/^([0-9.]+|)\$/.test(r.cells[6].textContent) || /\\.[0-9]{4}/.test(r.cells[6].textContent)).length")"
is "no empty columns" '["run ▲","workload","scheme","state","IPC","IPC over the baseline","seconds"]' "$(js "[...document.querySelectorAll('#runs th')].map(e => e.textContent)")"
js "{ dispatchEvent(new Event('beforeprint')); await null; await new Promise(r => setTimeout(r, 50)); }" >/dev/null
is "row labels that overlap on paper" 0 "$(js "{ const r = [...document.querySelectorAll('#where .role-axis-label text')].filter(t => /^s[0-9]+\$/.test(t.textContent)).map(t => t.getBoundingClientRect()).sort((a, b) => a.top - b.top); return r.length === 12 ? r.filter((x, i) => i && x.top < r[i - 1].top + 12).length : 'rows: ' + r.length; }")"
js "dispatchEvent(new Event('afterprint'))" >/dev/null
quiet "ties" ties.html

# ---- One run, failed runs, the spread of means ----
sed 's/ atax:16//; /^\[set\]/,$d' none.ini >one.ini
"$MEMTWIN" study one.ini -q
expect 0 "$MEMTWIN" report one.db
page one.html
is "one run" '["one.db, 1 run: 1 done","Filters: 1 of 1 run"]' "$(js "[document.querySelector('#about').textContent.split(';')[0], document.querySelector('#filters summary').textContent]")"
quiet "one run" one.html
page shape.html
is "failed runs" '["6 failed","rgb(163, 50, 11)"]' "$(js "{ const a = document.querySelector('#about a'); return [a.textContent, getComputedStyle(a).color]; }")"
js "document.querySelector('#about a').click()" >/dev/null
until_js "document.querySelectorAll('#runs tbody tr').length === 6 && document.querySelectorAll('#runs tbody tr.bad').length === 6"
is "their link" '"#runs"' "$(js 'location.hash')"
same_numbers "lowest and highest" "$(sql shape.db "SELECT json_array(min(r.ipc / b.ipc), max(r.ipc / b.ipc)) $both AND r.scheme = 'dl'")" \
    "$(js "document.querySelector('figure').shown.rows.find(r => /mean/.test(r[0]) && r[1] === 'dl').slice(-2)")"
ranges="SELECT r.workload, r.scheme, min(r.ipc / b.ipc) AS low, max(r.ipc / b.ipc) AS high $both GROUP BY"
is "thin lines" "$(sql shape.db "SELECT count(*) FROM ($ranges r.workload, r.scheme UNION ALL $ranges r.scheme) WHERE low < high")" "$(js "document.querySelectorAll('figure')[0].querySelectorAll('.spread line').length")"
is "marker sizes" '[80]' "$(js "[...new Set(document.querySelectorAll('figure')[1].querySelector('.chart').view.scenegraph().root.items[0].items.filter(m => m.marktype === 'group').flatMap(m => m.items.flatMap(g => g.items || [])).filter(m => m.name === 'dots').flatMap(m => m.items.map(i => i.size)))]")"
is "reasons as the terminal has them" '[true,true]' "$(js "{ const names = [...document.querySelector('#own select').options].map(o => o.textContent); return [names.every(n => !/_/.test(n)), names.includes('issue slots: LSU full')]; }")"
quiet "failed runs" shape.html

# ---- Many runs ----
cat >many.ini <<'END'
[study]
config = pascal28
workload = bfs:256 atax:16 hotspot:32,1 mvt:16 transpose:32
END
"$MEMTWIN" study many.ini -q -j 2
sql many.db "BEGIN;
CREATE TEMP TABLE new AS WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < $RUNS)
    SELECT n, 1000 + n AS run, n * 20 / $RUNS AS w, n * 200 / $RUNS % 10 AS s, n % ($RUNS / 200) AS a, 1 + n % 5 AS real FROM n;
INSERT INTO study VALUES(100, 'a', 'a.ini', 'none', 0);
INSERT INTO run(id, identity, config, workload, version, state, exit_code, end, complete, host, pid, started, seconds, cpu_seconds, peak_rss_kib,
    checked, detailed, sampled, twin) SELECT run, printf('%032x', n), config, 'kernel' || w, version, 'done', 0, 'done', 1, host, pid, started, seconds, cpu_seconds,
    peak_rss_kib, 0, 0, 0, '' FROM new JOIN run ON run.id = real;
INSERT INTO point(study, n, run, config, workload, scheme, axes, group_name, baseline) SELECT 100, n, run, 'pascal28', 'kernel' || w, 'scheme' || s,
    printf('{\"l1d.ways\":%d,\"l1d.sets\":%d}', 1 + a % 20, 1 + a / 20), '', n - s * ($RUNS / 200) FROM new;
INSERT INTO total(run, $(sql many.db "SELECT group_concat(name) FROM statistic")) SELECT new.run, $(sql many.db "SELECT group_concat(CASE kind WHEN 'histogram' THEN name
    WHEN 'derived' THEN name || ' * (1 + n % 997 * 1e-3)' ELSE name || ' * (1000 + n % 997) / 1000' END) FROM statistic") FROM new JOIN total ON total.run = real;
COMMIT; PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
began=$(date +%s%N)
expect 0 "$MEMTWIN" report many.db --study a -o many.html
echo "$RUNS runs: $(($(stat -c %s many.html) >> 10)) KiB, written in $((($(date +%s%N) - began) / 1000000)) ms"
page many.html
ready=$(js '+document.body.dataset.ready')
echo "ready after $ready ms"
[ "$ready" -lt $((RUNS > 10000 ? 5000 : 3000)) ] || complain "$RUNS runs: ready after $ready ms"
same_numbers "of many" "$(sql many.db "SELECT json_group_array(y) FROM (SELECT exp(avg(ln(r.ipc / b.ipc))) AS y FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline
    WHERE r.study = 'a' GROUP BY r.scheme)" | jq -c sort)" "$(js "document.querySelector('figure').shown.rows.filter(r => /mean/.test(r[0])).map(r => r[2])" | jq -c sort)"
# view WHAT STATEMENTS: checks that a view is ready within a second
view() {
    local ms
    ms=$(js "{ const t = performance.now(); $2; return Math.round(performance.now() - t); }")
    echo "$1: $ms ms"
    [[ $ms =~ ^[0-9]+$ ]] && [ "$ms" -lt 1000 ] || complain "$1: $ms ms"
}
view "another statistic over an axis" "const s = memtwin.page.study; await memtwin.showPlot(s, {...memtwin.page.own, kind: 'line', x: 'l1d.ways', y: 'l1d_hits'}, document.querySelector('#own figure'))"
view "the table of runs" "await memtwin.showRuns(memtwin.page.study)"
view "a filter, for all plots" "memtwin.page.study.dims[0].on.delete(3); await memtwin.showFiltered(memtwin.page.study)"
js "{ memtwin.page.study.dims[0].on.add(3); await memtwin.showFiltered(memtwin.page.study); }" >/dev/null
is "rows on paper" "$RUNS" "$(js "{ dispatchEvent(new Event('beforeprint')); const n = document.querySelectorAll('#runs tbody tr').length; dispatchEvent(new Event('afterprint')); return n; }")"
is "rows after print" 100 "$(js "document.querySelectorAll('#runs tbody tr').length")"
view "a run" "await memtwin.showRun(memtwin.page.study, 777)"
quiet "many runs" many.html

# ---- Loads ----
expect 0 "$MEMTWIN" run -q -c gtx480 -w addvect:4194304 --loads loads.json
expect 0 "$MEMTWIN" report loads.json
page loads.html
ready=$(js '+document.body.dataset.ready')
echo "$(jq .loads_seen loads.json) loads: $(($(stat -c %s loads.html) >> 10)) KiB, ready after $ready ms"
[ "$ready" -lt 2000 ] || complain "loads: ready after $ready ms"
[ "$(stat -c %s loads.html)" -lt 15000000 ] || complain "loads: $(stat -c %s loads.html) bytes"
# The stages of the load that is shown add up to the latency in its heading, and their cycles follow each other.
path() { js "[...document.querySelectorAll('#one tbody tr')].map(r => [...r.cells].slice(1, 4).map(c => +c.textContent))"; }
is_path() { # WHAT
    local shown
    shown=$(js "+document.querySelector('#one h2').textContent.replace(/.*: |,| SM.*/g, '')")
    [ "$(path | jq "(map(.[0]) | add) == $shown and (.[-1][2] - .[0][1]) == $shown and ([.[:-1], .[1:]] | transpose | all(.[]; .[0][2] == .[1][1]))")" = true ] ||
        complain "$1: $shown cycles, stages $(path)"
}
is_path "the slowest"
is "where it went" true "$(js "/^L1D [0-9]+: miss; L2 bank [0-9]+: (hit|miss; DRAM)/.test([...document.querySelectorAll('#one dd')].pop().textContent)")"
is "the slowest" "$(jq '(.columns | index("latency")) as $c | [.loads[][$c]] | max' loads.json)" "$(js "+document.querySelector('#list td').textContent")"
choose() { # FIELD TEXT
    js "{ const e = document.querySelector('#$1'); e.value = '$2'; e.dispatchEvent(new Event('change')); }" >/dev/null
}
# Choosing shows the first load of the list, and the focus stays.
js "{ const b = [...document.querySelectorAll('#filters button')].find(b => b.textContent === 'p50'); b.focus(); b.click(); }" >/dev/null
is_path "p50"
first() { # WHAT: checks that the load that is shown is the first of the list
    is "$1: the load that is shown" true "$(js "document.querySelector('#list tbody tr').className === 'chosen' && document.querySelector('#one h2').textContent.replace(/,/g, '').includes(': ' + document.querySelector('#list td').textContent + ' SM')")"
}
first p50
is "the focus" '["p50","50"]' "$(js "[document.activeElement.textContent.slice(0, 20), document.querySelector('#percentile').value]")"
choose percentile 10
first 10
choose percentile 50
first 50
is "p50" "$(jq '(.loads_seen / 2) as $half | reduce .latencies[] as [$from, $n] ([0, null]; if .[1] then . else [.[0] + $n, if .[0] + $n >= $half then $from else null end] end) | .[1]' loads.json)" \
    "$(js "+document.querySelector('#list td').textContent")"
choose address 0x80000000-0x8000ffff
first address
is "addresses" "$(jq '(.columns | index("address")) as $a | [.loads[] | select(.[$a] < 2147549184)] | length' loads.json)" "$(js "parseInt(document.querySelector('#list h2').textContent.replace(/,/g, ''))")"
js "{ const s = document.querySelectorAll('#filters select')[0]; s.value = '3'; s.dispatchEvent(new Event('change')); }" >/dev/null
is "one SM" '["SM 3"]' "$(js "[...new Set([...document.querySelectorAll('#list tbody tr')].map(r => r.cells[2].textContent.replace(/,.*/, '')))]")"
is "the wave" true "$(js "/memtwin[^ ]* replay l1d.3.mshr.vec --wave l1d.3.mshr.fst --cycles [0-9]+:[0-9]+/.test(document.querySelector('#one').textContent)")"
for text in 0xff-0x80 zz 0xffffffffffffffffff 0-0x10000000000000000; do
    choose address $text
    is "the title of $text" '"Loads"' "$(js "document.querySelector('#list h2').textContent")"
    is "loads of $text" 0 "$(js "document.querySelectorAll('#list table, #one *').length")"
    is "the address $text" '"Address: expected a number below 2^64 such as 0x80000000, or FROM-TO in order."' "$(js "document.querySelector('#list .bad')?.textContent")"
done
choose address 0-0xffffffffffffffff
is "all addresses" true "$(js "!document.querySelector('#list .bad') && document.querySelector('#list code').textContent.endsWith(' --loads-at 0x0-0xffffffffffffffff')")"
for text in 150 -1 abc; do
    choose percentile " $text"
    is "the percentile $text" '["Loads","Percentile: expected a number from 0 to 100.",0]' "$(js "[...['h2', '.bad'].map(e => document.querySelector('#list ' + e)?.textContent), document.querySelectorAll('#list table, #one *').length]")"
done
choose percentile 50
first "a percentile again"
quiet "loads" loads.html
# On a phone, a stage takes a few lines, and no control is wider than the page.
call "/$id/goog/cdp/execute" '{"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": false}}' >/dev/null
lines() { js "{ const cell = document.querySelector('#one td'), before = cell.lastChild.data; cell.lastChild.data = 'end of the L1D pipeline, while the tags refuse this access or one before it'; const n = Math.round(cell.clientHeight / 21); cell.lastChild.data = before; return n; }"; }
[ "$(lines)" -le 6 ] || complain "a stage takes $(lines) lines on a phone"
is "bars beside the screen" 0 "$(js "[...document.querySelectorAll('.bar, .path')].map(e => e.getBoundingClientRect()).filter(r => r.left < 0 || r.right > 360 || !r.width).length")"
is "loads on a phone" true "$(js 'document.documentElement.scrollWidth <= 360')"
page shape.html
is "a study on a phone" true "$(js 'document.documentElement.scrollWidth <= 360')"
quiet "a study on a phone" shape.html
call "/$id/goog/cdp/execute" '{"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}}' >/dev/null
# More instructions than the table shows, and a run without a command
jq -c '.command = null | .instructions[0].loads as $n | .instructions += [range(300) as $i | .instructions[0]] | .loads_seen += 300 * $n | .latencies[0][1] += 300 * $n' loads.json >more.json
expect 0 "$MEMTWIN" report more.json
page more.html
is "rows of instructions" 200 "$(js "document.querySelectorAll('#all tbody tr').length")"
is "what is left out" true "$(js "/The 200 instructions with the most cycles, of 30[0-9];/.test(document.querySelector('#all').textContent)")"
is "no command" true "$(js "/the run read standard input/.test(document.querySelector('#one').textContent) && !/null/.test(document.querySelector('main').innerText)")"
quiet "many instructions" more.html

# ---- A comparison: the counters of two kernels, one of them 0 on their side ----
expect 0 "$MEMTWIN" run -c tiny -w backprop:64 -s sm.coalesce=sector -s l2.sectored=yes -q --json ours.json
cycles=$(jq '.kernels[0] | .stats.cycles / .launches' ours.json)
printf 'Kernel,Elapsed_Cycles,L1_RH,L1_RM\nfirst,%s,5,5\nsecond,1,0,0\n' "$((2 * cycles))" >'theirs<!--<script>.csv'
expect 0 "$MEMTWIN" compare ours.json 'theirs<!--<script>.csv' --kernel 'backprop forward=first' --kernel 'backprop adjust=second' --html compared.html
page compared.html
is "the files" '"ours.json, beside theirs<!--<script>.csv"' "$(js "document.querySelector('#about').textContent")"
is "kernels" '["backprop forward","backprop adjust"]' "$(js "[...document.querySelectorAll('#rows tbody tr')].map(r => r.cells[0].textContent)")"
is "error of cycles" '"-50.0"' "$(js "document.querySelector('#rows tbody tr').cells[5].textContent")"
is "their name" '"first"' "$(js "document.querySelector('#rows tbody tr').cells[2].textContent")"
is "points of cycles" 2 "$(js "document.querySelectorAll('#plot .mark-symbol.dots path').length")"
js "[...document.querySelectorAll('#errors button')].find(b => b.textContent === 'l1d_load_sectors').click()" >/dev/null
until_js "document.querySelector('#plot h2').textContent.startsWith('l1d_load_sectors')"
until_js "document.querySelectorAll('#plot .mark-symbol.dots path').length === 1"
is "what is not drawn" '"Not drawn: 1 of 2 values, 0 on one side."' "$(js "document.querySelector('#plot .note').textContent")"
quiet "a comparison" compared.html
finish
