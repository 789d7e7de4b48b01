// SPDX-License-Identifier: Apache-2.0
// The page of `memtwin report`.
import { $, h } from './dom.js';
import { followWidth } from './chart.js';
import { column, page, readRows, readStudy } from './study.js';
import { plotTitle } from './cells.js';
import { makeFigure, panelsOf, showOwn, showPlot } from './plots.js';
import { makeBest, showBest } from './best.js';
import { showReferences } from './references.js';
import { showFilters } from './filters.js';
import { showRuns } from './runs.js';
import { makeWhere, showWhere } from './where.js';
import { showRun } from './run.js';

async function showFiltered(s) {
  const figures = [...$('plots').querySelectorAll('figure')];
  for (let k = 0; k < figures.length; k++) await showPlot(s, s.panels[k], figures[k]);
  await showPlot(s, page.own, $('own').querySelector('figure'));
  await showBest(s);
  await showReferences(s);
  await showRuns(s);
  await showWhere(s); // last, because it reads the most columns
}
async function showStudy(row) {
  const s = page.study = await readStudy(row), state = await column('run.state'), counts = {}, runs = new Set(s.run);
  for (const r of runs) counts[state[r]] = (counts[state[r]] || 0) + 1;
  $('about').textContent = `${page.head.database}, ${runs.size === s.count ? '' : `${s.count} rows, `}${runs.size} runs: ${Object.entries(counts).map(([k, v]) => `${v} ${k}`).join(', ')}; memtwin ${page.head.made}`;
  document.title = `${row.name}: MemTwin report`;
  s.panels = panelsOf(s);
  page.own = { ...(s.panels[0] || s.plots[0]), title: null, name: null, schemes: null };
  page.table = { page: 0, sort: 0, way: 1 };
  $('run').hidden = true;
  showFilters(s, showFiltered);
  $('plots').replaceChildren(h('h2', {}, row.name), ...s.panels.map(p => makeFigure(s, () => plotTitle(s, p))));
  makeBest(s);
  makeWhere(s);
  await showOwn(s);
  await showFiltered(s);
}
async function start() {
  const [studies, statistics, ids] = await Promise.all([readRows('study'), readRows('statistic'), column('run.id')]);
  page.statistic = new Map(statistics.map(x => [x.name, x]));
  page.ids = ids;
  page.index = new Map(ids.map((id, i) => [id, i]));
  $('study').append(...studies.map(x => h('option', { value: x.id }, studies.length > 1 ? `${x.name} (${x.runs} runs)` : x.name)));
  $('study').addEventListener('change', () => showStudy(studies.find(x => x.id === +$('study').value)));
  const last = studies.reduce((a, b) => b.stored > a.stored ? b : a); // the study stored last
  $('study').value = last.id;
  await showStudy(last);
  followWidth(document.querySelector('main'));
  page.ready = performance.now(); // ms since the page was requested
  document.body.dataset.ready = Math.round(page.ready);
}
// State of the page for tests.
window.memtwin = { page, showPlot, showRuns, showFiltered, showRun };
start().catch(e => { $('about').textContent = 'This page cannot be shown: ' + e.message; console.error(e); });
