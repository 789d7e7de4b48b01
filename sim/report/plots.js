// SPDX-License-Identifier: Apache-2.0
// Plots with their tables: those of the study and the user's own.
import { $, cell, count, csv, download, h, opener, select, table } from './dom.js';
import { choicesOf, column, dim, isZero, page, valueText, varies } from './study.js';
import { MEAN, cellsOf, howOf, plotTitle, quantity } from './cells.js';
import { barSpec, clear, draw, lineSpec, rowOf, spreadOf } from './chart.js';
import { showRun } from './run.js';
import { statisticName } from './names.js';

// ---- Plot with its table ----

export const MOST_MARKS = 4000;
async function aboutCell(s, p, o) {
  const i = o.points[0], list = [h('b', {}, `${quantity(p)}: ${o.y}`)];
  if (o.runs > 1) list.push(h('p', { class: 'note' }, `${howOf(p)} mean of ${o.runs} runs, from ${o.low} to ${o.high}; the first of them:`));
  const command = (await column('run.command'))[s.run[i]];
  const stat = (await column('stat.' + p.y));
  list.push(h('table', {}, rowOf('run', s.n[i]), ...s.dims.filter(d => d.values[d.code[i]] !== '').map(d => rowOf(d.label, d.values[d.code[i]])),
    s.choice[i] ? rowOf('choice', s.choice[i]) : null,
    rowOf(statisticName(p.y), stat[s.run[i]]), p.relative !== 'no' ? rowOf('baseline: run ' + s.n[s.base[i]], stat[s.run[s.base[i]]]) : null), h('code', {}, command || ''));
  return list;
}
const aboutPaper = (p, o) => [h('b', {}, `${o.paper.quantity}: ${o.y}`), h('table', {}, rowOf('published in', o.paper.seed), rowOf('figure', o.paper.figure),
  rowOf('scheme', o.paper.scheme), rowOf('group', o.paper.group))];
// Returns the rows of the table. Each opens the first run of its cell.
function plotRows(s, p, d) {
  const at = o => o.x + '\0' + o.c, cells = new Map(d.list.map(o => [at(o), o])), published = new Map(d.references.map(r => [at(r), r.y]));
  const head = [dim(s, p.x).label, dim(s, p.color).label, quantity(p), 'runs', 'published', ...(s.hasChoice ? ['choice'] : []), 'lowest', 'highest'], points = [];
  const rows = d.xs.flatMap(x => d.cs.flatMap(c => {
    const o = cells.get(at({ x, c }));
    if (!o) return [];
    points.push(o.points[0]);
    return [[x === MEAN ? d.how + ' mean' : valueText(x), c, o.y, o.runs, published.get(at(o)) ?? null, ...(s.hasChoice ? [choicesOf(s, o.points)] : []), ...(o.runs > 1 ? [o.low, o.high] : [null, null])]];
  }));
  return { rows: [head, ...rows], points };
}
const averagesConfigs = (s, p) => varies(s, 'config') && !p.config && p.x !== 'config' && p.color !== 'config';
// Returns the plots of a study. A plot that would average over configurations is drawn once for each, except for those of the baseline.
export const MOST_PANELS = 8;
export function panelsOf(s) {
  const d = dim(s, 'config'), own = new Set(d.values.keys());
  for (let i = 0; i < s.count; i++) if (s.base[i] !== i) own.delete(d.code[i]);
  return s.plots.flatMap(p => averagesConfigs(s, p) && d.values.length <= MOST_PANELS
    ? d.values.filter((_, c) => p.relative === 'no' || !own.has(c)).map(config => ({ ...p, config })) : [p]);
}
// Counts the runs behind the values.
export function countOf(list, what) {
  const n = list.map(o => o.runs), least = Math.min(...n), most = Math.max(...n);
  return most > 1 ? `${what} of ${least === most ? most : `${least} to ${most}`} runs. ` : '';
}
// Returns the drawn cells, without bars of the baseline over itself.
function drawnOf(s, p, d) {
  if (p.relative === 'no' || p.kind === 'line') return d;
  const other = d.list.filter(o => !o.points.every(i => s.base[i] === i));
  const list = d.list.filter(o => other.some(e => e.c === o.c) && other.some(e => e.x === o.x)), xs = d.xs.filter(x => list.some(o => o.x === x)), cs = d.cs.filter(c => list.some(o => o.c === c));
  return { ...d, list, xs, cs, references: d.references.filter(r => xs.includes(r.x) && cs.includes(r.c)), dropped: d.list.length - list.length };
}
const spreadText = (p, d) => !d.list.some(o => o.low < o.high) ? '' : spreadOf(p, d).length ? 'Thin lines: from the lowest to the highest run.' : 'The table has the lowest and the highest run.';
function noteOf(s, p, d) {
  if (!d.list.length) return d.dropped ? 'These runs are the baseline.' : 'None of the runs selected by the filters has this value.';
  if (d.list.length > MOST_MARKS) return `${d.list.length} values are too many to draw: filter them, or look at the table.`;
  const means = d.list.filter(o => o.x === MEAN), left = d.left.slice(0, 4).join(', ') + (d.left.length > 4 ? ` and ${d.left.length - 4} more` : '');
  return (countOf(d.list.filter(o => o.x !== MEAN), `Each ${p.kind === 'bar' ? 'bar' : 'point'}: ${d.how} mean`) + countOf(means, `Bars of the mean: ${d.how} mean`)
    + (left && `Left out of means, since a result is missing for some ${dim(s, p.color).label}: ${left}. `)
    + (d.dropped ? 'The baseline has no bars: they would all be 1. ' : '') + (averagesConfigs(s, p) ? `Means over ${dim(s, 'config').values.length} configurations. ` : '')
    + (d.equal ? '' : 'Not all means are of the same workloads: see the numbers of runs in the table. ') + (d.references.length ? 'Diamonds: published figures. ' : '') + spreadText(p, d)).trim();
}
// Fills a figure. `figure.shown` holds the drawn data for tests and downloads, once there are some.
export async function showPlot(s, p, figure) {
  const all = await cellsOf(s, p), d = drawnOf(s, p, all), chart = figure.querySelector('.chart'), note = figure.querySelector('.note');
  figure.shown = { plot: p, ...plotRows(s, p, all), open: i => showRun(s, i) };
  figure.querySelector('figcaption').textContent = plotTitle(s, p);
  note.textContent = noteOf(s, p, d);
  if (!d.list.length || d.list.length > MOST_MARKS) {
    clear(chart);
  } else {
    const spec = p.kind === 'line' ? lineSpec : barSpec;
    await draw(chart, width => spec(s, p, d, width),
      v => v.paper ? aboutPaper(p, d.references[v.i]) : aboutCell(s, p, d.list[v.i]), v => v.paper || showRun(s, d.list[v.i].points[0]));
  }
  showPlotTable(figure);
}
const MOST_ROWS = 2000;
// Removes the columns without a value.
function withoutEmpty([head, ...body]) {
  const some = head.map((_, k) => !body.length || body.some(r => r[k] != null && r[k] !== ''));
  return [head, ...body].map(r => r.filter((_, k) => some[k]));
}
// Fills the table of a figure, if it is open and has data.
export function showPlotTable(figure) {
  if (!figure.shown || !figure.querySelector('details').open) return;
  const { points, open } = figure.shown, [head, ...body] = withoutEmpty(figure.shown.rows), more = body.length - MOST_ROWS;
  const first = (v, k) => points ? h('td', {}, opener(v, () => open(points[k]), 'Open the run, the first of the mean')) : cell(v);
  figure.querySelector('.table').replaceChildren(table(head, body.slice(0, MOST_ROWS).map((r, k) => h('tr', {}, first(r[0], k), ...r.slice(1).map(cell)))),
    ...(more > 0 ? [h('p', { class: 'note' }, `The CSV has ${count(more, 'more row')}.`)] : []));
}
// title() returns the name of downloads.
export function makeFigure(s, title) {
  const name = () => `${s.row.name}-${title()}`.replace(/[^A-Za-z0-9.-]+/g, '_');
  const figure = h('figure', {}, h('figcaption'), h('p', { class: 'note' }), h('div', { class: 'chart' }),
    h('div', { class: 'row tools' },
      h('button', { onclick: async () => { const v = figure.querySelector('.chart').view; if (v) download(name() + '.svg', 'image/svg+xml', await v.toSVG()); } }, 'SVG'),
      h('button', { onclick: () => figure.shown && download(name() + '.csv', 'text/csv', csv(figure.shown.rows)) }, 'CSV')),
    h('details', { class: 'tools', ontoggle: () => showPlotTable(figure) }, h('summary', {}, 'Table'), h('div', { class: 'table' })));
  return figure;
}

// ---- User's own plot ----

function statisticOptions() {
  const parts = new Map();
  for (const x of page.statistic.values())
    if (!isZero(x.name)) {
      if (!parts.has(x.part)) parts.set(x.part, []);
      parts.get(x.part).push([x.name, statisticName(x.name), `${x.name} [${x.unit}]: ${x.meaning}`]);
    }
  return [...parts].map(([group, options]) => ({ group, options }));
}
export function showOwn(s) {
  const p = page.own, again = k => v => { p[k] = v; p.title = null; meaning(); showPlot(s, p, figure); };
  const dims = s.dims.filter(d => d.values.length > 1 || d.key === 'workload' || d.key === 'scheme').map(d => [d.key, d.label]);
  const about = h('p', { class: 'note' }), figure = makeFigure(s, () => plotTitle(s, p));
  const meaning = () => { const x = page.statistic.get(p.y); about.textContent = x ? `${x.name} [${x.unit}]: ${x.meaning}` : ''; };
  $('own').replaceChildren(h('h2', {}, 'Your own plot'), h('div', { class: 'row' },
    select('Statistic', statisticOptions(), p.y, again('y')),
    select('Relative to the baseline', [['no', 'no'], ...(s.hasBaseline ? [['baseline', 'run / baseline'], ['inverse', 'baseline / run']] : [])], p.relative, again('relative')),
    select('As', [['bar', 'bars'], ['line', 'lines']], p.kind, again('kind')), select('Over', dims, p.x, again('x')), select('Color', dims, p.color, again('color')),
    select('Mean', [['auto', 'by the quantity'], ['geometric', 'geometric'], ['arithmetic', 'arithmetic']], p.mean, again('mean')),
    ...(varies(s, 'config') ? [select('Configuration', [['', 'all of them'], ...dim(s, 'config').values.map(c => [c, c])], p.config || '', again('config'))] : [])), about, figure);
  meaning();
  return showPlot(s, p, figure);
}
