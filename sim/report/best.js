// SPDX-License-Identifier: Apache-2.0
// Table of schemes by workload, with the best scheme of each row marked.
import { $, csv, download, h, opener, select, table } from './dom.js';
import { choicesOf, dim, page, varies } from './study.js';
import { MEAN, cellsOf, howOf, plotTitle, quantity } from './cells.js';
import { countOf } from './plots.js';
import { showRun } from './run.js';

const MOST_ROWS = 500, MOST_COLUMNS = 10;
const even = v => Number.isInteger(v) && Math.abs(v) > 1 || Math.abs(v) >= 1e4 ? String(Math.round(v)) : v.toPrecision(4); // aligns numbers in a column at their ends
// Returns true if a larger value is better: for statistics with these names, or for all others if the baseline is divided by the run.
const moreIsBetter = p => /(^|_)(ipc|insts?|hits?|hit_rate|efficiency)(_|$)/.test(p.y) !== (p.relative === 'inverse');
// Returns the quantities that the table can show: those of the study's plots, and that of the user's own plot.
function choices(s) {
  const known = new Map();
  for (const p of s.panels) {
    const key = [p.y, p.relative, p.schemes, p.config].join(' ');
    if (!known.has(key)) known.set(key, p);
  }
  return [...known.values()];
}
// Adds the baseline scheme even if the plot omits it, because it may be the best.
function plotOf(s, t) {
  const p = t.of === 'own' ? page.own : choices(s)[t.of], scheme = dim(s, 'scheme');
  const over = p.relative === 'no' ? [] : [...new Set(s.base.filter(b => b >= 0).map(b => scheme.code[b]))].map(c => scheme.values[c]);
  return { ...p, kind: 'bar', x: 'workload', color: 'scheme', schemes: p.schemes && [...p.schemes, ...over] };
}
export function makeBest(s) {
  $('best').replaceChildren();
  page.best = null;
  if (!varies(s, 'scheme')) return;
  const list = choices(s), first = Math.max(0, list.findIndex(p => p.x === 'workload' && p.color === 'scheme')), again = k => v => { page.best[k] = v; return showBest(s); };
  page.best = { of: first, is: 'auto' };
  $('best').replaceChildren(h('h2', {}, 'Schemes by workload'), h('div', { class: 'row tools' },
    select('Of', [...list.map((p, k) => [k, p.title ? `${plotTitle(s, p)}: ${quantity(p)}` : plotTitle(s, p)]), ['own', 'your own plot']], first, again('of')),
    select('Best', [['auto', 'by the quantity'], ['most', 'the highest'], ['least', 'the lowest']], 'auto', again('is')),
    h('button', { onclick: () => page.best.rows && download(`${s.row.name}-schemes.csv`, 'text/csv', csv(page.best.rows)) }, 'CSV')), h('p', { class: 'note' }), h('div', { class: 'table' }));
}
// Values that differ only by rounding are equal. A row in which all schemes are equal has no best.
const equal = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b), isBest = (y, best) => best != null && equal(y, best);
function valueCell(s, p, o, best) {
  if (!o) return h('td', {});
  const chosen = choicesOf(s, o.points), i = o.points[0];
  const title = [`${quantity(p)}: ${o.y}`, o.runs > 1 ? `${howOf(p)} mean of ${o.runs} runs; opens the first` : `opens run ${s.n[i]}`, chosen && 'choice: ' + chosen].filter(Boolean).join('\n');
  return h('td', { class: isBest(o.y, best) ? 'number best' : 'number' }, opener(even(o.y), () => showRun(s, i), title), o.x !== MEAN && chosen ? h('small', {}, chosen) : null);
}
// Makes a row for each workload and the mean; if there are many schemes, makes a column for each instead.
function tableOf(s, p, d, rows) {
  const line = (name, cells, mean) => h('tr', mean ? { class: 'mean' } : {}, h('th', { scope: 'row' }, name), ...cells), of = (r, k) => valueCell(s, p, r.cells[k], r.tie ? null : r.best);
  if (d.cs.length > MOST_COLUMNS && rows.length <= MOST_COLUMNS)
    return table(['scheme', ...rows.map(r => r.name)], d.cs.map((c, k) => line(c, rows.map(r => of(r, k)))));
  return table(['workload', ...d.cs], rows.map(r => line(r.name, d.cs.map((_, k) => of(r, k)), r.x === MEAN)));
}
// page.best.rows holds the displayed rows for tests and downloads.
export async function showBest(s) {
  const t = page.best;
  if (!t) return;
  const p = plotOf(s, t), d = await cellsOf(s, p), at = new Map(d.list.map(o => [o.x + '\0' + o.c, o])), most = t.is === 'auto' ? moreIsBetter(p) : t.is === 'most';
  const rows = d.xs.map(x => {
    const cells = d.cs.map(c => at.get(x + '\0' + c)), best = (most ? Math.max : Math.min)(...cells.filter(Boolean).map(o => o.y));
    const some = cells.filter(Boolean);
    return { x, name: x === MEAN ? `${d.how} mean` : x, cells, best, tie: some.length > 1 && some.every(o => equal(o.y, best)) };
  });
  t.rows = [['workload', ...d.cs, 'best'], ...rows.map(r => [r.name, ...r.cells.map(o => o?.y ?? null), r.tie ? 'all equal' : d.cs.filter((_, k) => r.cells[k] && isBest(r.cells[k].y, r.best)).join(' ')])];
  const shown = rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS), rows[rows.length - 1]] : rows;
  $('best').querySelector('.note').textContent = !rows.length ? 'None of the runs selected by the filters has this value.'
    : `${quantity(p)}; \u2605 marks the ${most ? 'highest' : 'lowest'} of each workload${rows.some(r => r.tie) ? ', except where all are equal' : ''}.`
      + meanNote(d)
      + (shown.length < rows.length ? ` The first ${MOST_ROWS} of ${rows.length - 1} workloads; the CSV has all.` : '');
  $('best').querySelector('.table').replaceChildren(tableOf(s, p, d, shown));
}
function meanNote(d) {
  const note = countOf(d.list.filter(o => o.x !== MEAN), `Each cell: ${d.how} mean`) + countOf(d.list.filter(o => o.x === MEAN), `Cells of the mean: ${d.how} mean`);
  return (note && ' ' + note.trimEnd())
    + (d.left.length ? ` Left out of means, since a scheme has no result: ${d.left.slice(0, 4).join(', ')}${d.left.length > 4 ? ` and ${d.left.length - 4} more` : ''}.` : '');
}
