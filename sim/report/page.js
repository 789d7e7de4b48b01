// SPDX-License-Identifier: Apache-2.0
// The page of `memtwin report`.
import { $, count, h, opener } from './dom.js';
import { followWidth } from './chart.js';
import { darkStyle } from './looks.js';
import { column, page, readRows, readStudy, stateText } from './study.js';
import { plotTitle } from './cells.js';
import { makeFigure, panelsOf, showOwn, showPlot } from './plots.js';
import { makeBest, showBest } from './best.js';
import { showReferences } from './references.js';
import { showFilters } from './filters.js';
import { showRuns } from './runs.js';
import { makeWhere, showWhere } from './where.js';
import { showRun } from './run.js';

const RESULTS = ['filters', 'plots', 'best', 'own', 'where', 'references'];
async function showFiltered(s) {
  if (!s.done) return showRuns(s);
  const figures = [...$('plots').querySelectorAll('figure')];
  for (let k = 0; k < figures.length; k++) await showPlot(s, s.panels[k], figures[k]);
  await showPlot(s, page.own, $('own').querySelector('figure'));
  await showBest(s);
  await showReferences(s);
  await showRuns(s);
  await showWhere(s); // last, because it reads the most columns
}
// Shows why a study has no results.
async function showProblem(s, state) {
  const message = await column('run.message'), reasons = new Map();
  $('problem').hidden = !!s.done;
  if (s.done) return;
  s.run.forEach((r, i) => {
    const why = message[r] || (state[r] === 'failed' ? 'no message' : stateText(state[r]));
    if (!reasons.has(why)) reasons.set(why, []);
    reasons.get(why).push(i);
  });
  $('problem').replaceChildren(h('h2', {}, `${s.row.name}: no run is done`), h('ul', {}, ...[...reasons].sort((a, b) => b[1].length - a[1].length).map(([why, list]) =>
    h('li', { class: 'bad' }, `${why} (${count(list.length, 'run')}, such as `, opener(`run ${s.n[list[0]]}`, () => showRun(s, list[0])), ')'))),
    h('p', { class: 'note' }, 'The command of a run repeats it; memtwin study FILE --retry repeats runs that failed or were stopped by max_time.'));
}
// Returns a note that counts the runs that sim.max_cycles ended, if there are any.
function cutOffNote(s, state, end) {
  const runs = [...new Set(s.run)], n = runs.filter(r => state[r] === 'done' && end[r] === 'cut_off').length;
  return n ? h('p', { class: 'note cut' }, `${n} of ${count(runs.length, 'run')} ${n === 1 ? 'was' : 'were'} cut off at sim.max_cycles; ` +
    `means over ${n === 1 ? 'it' : 'them'} compare the cycles up to there, not whole kernels.`) : '';
}
async function showStudy(row) {
  const s = page.study = await readStudy(row), state = await column('run.state'), counts = {}, own = new Set(s.run).size;
  for (const r of s.run) counts[state[r]] = (counts[state[r]] || 0) + 1;
  const failed = () => { page.table.failed = true; page.table.page = 0; return showRuns(s); };
  $('about').replaceChildren(`${page.head.database}, ${count(s.count, 'run')}${own === s.count ? '' : ` (${own} different)`}: `,
    ...Object.entries(counts).flatMap(([k, v], i) => [i ? ', ' : '', k === 'failed' ? h('a', { class: 'bad', href: '#runs', onclick: failed }, `${v} failed`) : `${v} ${stateText(k)}`]), `; memtwin ${page.head.made}`);
  s.done = counts.done;
  document.title = `${row.name}: MemTwin report`;
  s.panels = panelsOf(s);
  page.own = { ...(s.panels[0] || s.plots[0]), title: null, name: null, schemes: null };
  page.table = { page: 0, sort: 'run', way: 1, failed: false };
  $('run').hidden = true;
  for (const id of RESULTS) $(id).hidden = !s.done;
  await showProblem(s, state);
  if (!s.done) return showRuns(s);
  showFilters(s, showFiltered);
  $('plots').replaceChildren(h('h2', {}, row.name), cutOffNote(s, state, await column('run.end')), ...s.panels.map(p => makeFigure(s, () => plotTitle(s, p))));
  makeBest(s);
  makeWhere(s);
  await showOwn(s);
  await showFiltered(s);
}
async function start() {
  document.head.append(h('style', {}, darkStyle()));
  const [studies, statistics, ids] = await Promise.all([readRows('study'), readRows('statistic'), column('run.id')]);
  page.statistic = new Map(statistics.map(x => [x.name, x]));
  page.ids = ids;
  page.index = new Map(ids.map((id, i) => [id, i]));
  $('study').append(...studies.map(x => h('option', { value: x.id }, studies.length > 1 ? `${x.name} (${count(x.runs, 'run')})` : x.name)));
  $('study').addEventListener('change', () => showStudy(studies.find(x => x.id === +$('study').value)));
  const last = studies.reduce((a, b) => b.stored > a.stored ? b : a); // the study stored last
  $('study').value = last.id;
  await showStudy(last);
  followWidth(document.querySelector('main'), all => page.table.draw(all));
  page.ready = performance.now(); // ms since the page was requested
  document.body.dataset.ready = Math.round(page.ready);
}
// State of the page for tests.
window.memtwin = { page, showPlot, showRuns, showFiltered, showRun };
start().catch(e => { $('about').textContent = 'This page cannot be shown: ' + e.message; console.error(e); });
