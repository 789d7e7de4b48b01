// SPDX-License-Identifier: Apache-2.0
// Which scheme is best for which workload: a table of them, with the best of each row marked.
import { $, allDigits, csv, digits, download, h, opener, select, table } from './dom.js';
import { choicesOf, page, varies } from './study.js';
import { MEAN, cellsOf, howOf, plotTitle, quantity } from './cells.js';
import { showRun } from './run.js';

const MOST_ROWS = 500;
// More of these is better; of all else, less. The baseline over the run turns it round.
const moreIsBetter = p => /(^|_)(ipc|insts?|hits?|hit_rate|efficiency)(_|$)/.test(p.y) !== (p.relative === 'inverse');
// What the table can show: the quantities of the study's plots, and that of your own.
function choices(s) {
  const known = new Map();
  for (const p of s.plots) {
    const key = [p.y, p.relative, p.schemes].join(' ');
    if (!known.has(key)) known.set(key, p);
  }
  return [...known.values()];
}
const plotOf = (s, t) => ({ ...(t.of === 'own' ? page.own : choices(s)[t.of]), kind: 'bar', x: 'workload', color: 'scheme' });
export function makeBest(s) {
  $('best').replaceChildren();
  page.best = null;
  if (!varies(s, 'scheme')) return;
  const list = choices(s), first = Math.max(0, list.findIndex(p => p.x === 'workload' && p.color === 'scheme')), again = k => v => { page.best[k] = v; return showBest(s); };
  page.best = { of: first, is: 'auto' };
  $('best').replaceChildren(h('h2', {}, 'Schemes by workload'), h('div', { class: 'row tools' },
    select('Of', [...list.map((p, k) => [k, p.title ? `${p.title}: ${quantity(p)}` : plotTitle(s, p)]), ['own', 'your own plot']], first, again('of')),
    select('Best', [['auto', 'by the quantity'], ['most', 'the highest'], ['least', 'the lowest']], 'auto', again('is')),
    h('button', { onclick: () => download(`${s.row.name}-schemes.csv`, 'text/csv', csv(page.best.rows)) }, 'CSV')), h('p', { class: 'note' }), h('div', { class: 'table' }));
}
function valueCell(s, p, o, best) {
  if (!o) return h('td', {});
  const chosen = choicesOf(s, o.points), i = o.points[0];
  const title = [`${quantity(p)}: ${allDigits(o.y) || o.y}`, o.runs > 1 ? `${howOf(p)} mean of ${o.runs} runs; opens the first` : `opens run ${s.n[i]}`, chosen && 'choice: ' + chosen].filter(Boolean).join('\n');
  return h('td', { class: o.y === best ? 'number best' : 'number' }, opener(digits(o.y), () => showRun(s, i), title), o.x !== MEAN && chosen ? h('small', {}, chosen) : null);
}
const rowName = (d, x) => x === MEAN ? `${d.how} mean` : x;
// page.best.rows: what is shown, for tests and for downloads.
export async function showBest(s) {
  const t = page.best;
  if (!t) return;
  const p = plotOf(s, t), d = await cellsOf(s, p), at = new Map(d.list.map(o => [o.x + '\0' + o.c, o])), pick = (t.is === 'auto' ? moreIsBetter(p) : t.is === 'most') ? Math.max : Math.min;
  const rows = d.xs.map(x => ({ x, cells: d.cs.map(c => at.get(x + '\0' + c)) }));
  const bestOf = r => pick(...r.cells.filter(Boolean).map(o => o.y)), winners = r => d.cs.filter((_, k) => r.cells[k]?.y === bestOf(r)).join(' ');
  t.rows = [['workload', ...d.cs, 'best'], ...rows.map(r => [rowName(d, r.x), ...r.cells.map(o => o?.y ?? null), winners(r)])];
  const shown = rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS), rows[rows.length - 1]] : rows;
  $('best').querySelector('.note').textContent = !rows.length ? 'No run that the filters leave has such a value.'
    : `${quantity(p)}; \u2605 marks the ${pick === Math.max ? 'highest' : 'lowest'} of each row.` + meanNote(d) + (shown.length < rows.length ? ` The first ${MOST_ROWS} of ${rows.length - 1} workloads; the CSV has all.` : '');
  $('best').querySelector('.table').replaceChildren(table(['workload', ...d.cs], shown.map(r => h('tr', {}, h('th', { scope: 'row' }, rowName(d, r.x)), ...r.cells.map(o => valueCell(s, p, o, bestOf(r)))))));
}
function meanNote(d) {
  const n = new Set(d.list.filter(o => o.x === MEAN).map(o => o.runs));
  return (n.size ? ` Mean of ${[...n].sort((a, b) => a - b).join(' or ')} runs each.` : '') + (d.left.length ? ` Left out of means, since a scheme has no result: ${d.left.slice(0, 4).join(', ')}${d.left.length > 4 ? ` and ${d.left.length - 4} more` : ''}.` : '');
}
