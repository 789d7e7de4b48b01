// SPDX-License-Identifier: Apache-2.0
// Stacked bars of cycles by cause.
import { $, digits, h, select, short } from './dom.js';
import { column, dim, isZero, mask, page, varies } from './study.js';
import { clear, draw, hover } from './chart.js';
import { SCHEMA, colorScales, legend, textStyle } from './looks.js';
import { MOST_PANELS, makeFigure, showPlotTable } from './plots.js';
import { partOf, reasonOf, statisticName, wordsOf } from './names.js';

// Groups of statistics that add up to a whole: issue slots, load latency, refusals. `of` holds the statistics and the name of the whole.
export function wholes() {
  const slots = [], loads = [], refusals = new Map();
  for (const { name, unit, kind } of page.statistic.values()) {
    const refused = /^(.*?)_?(?:refusals|stalls)_(.+)$/.exec(name);
    if (isZero(name)) continue;
    if (name === 'warp_insts') slots.unshift([[name], 'issued']);
    else if (/^slots_/.test(name)) slots.push([[name], reasonOf(name, name.slice(6))]);
    else if (/^load_in_/.test(name)) loads.push([[name], wordsOf(name.slice(8))]);
    else if (kind === 'counter' && unit === 'refused cycles' && refused) {
      const part = partOf(name);
      if (!refusals.has(part)) refusals.set(part, []);
      refusals.get(part).push([[name], reasonOf(name, refused[2])]);
    }
  }
  return [{ title: 'Refusals, by part', unit: 'refused cycles', of: [...refusals].map(([part, of]) => [of.map(o => o[0][0]), part]) },
    { title: 'Issue slots of the schedulers', unit: 'issue slots', of: slots }, { title: 'Time of loads', unit: 'SM cycles', of: loads },
    ...[...refusals].map(([part, of]) => ({ title: `Refusals of ${part}, by reason`, unit: 'refused cycles', of }))].filter(w => w.of.length);
}
// Makes a stacked bar for each row {label, points}: the means over its runs that have values. `labels` lists the rows that have such runs.
export async function barsOf(s, whole, rows, share) {
  const columns = await Promise.all(whole.of.map(([names]) => Promise.all(names.map(n => column('stat.' + n))))), bars = [], labels = [];
  for (const { label, points } of rows) {
    const runs = points.map(i => s.run[i]).filter(r => columns[0][0][r] != null);
    const parts = columns.map(of => of.reduce((sum, c) => sum + sumOf(c, runs), 0) / runs.length), all = parts.reduce((a, v) => a + v, 0);
    let from = 0;
    if (runs.length) labels.push(label);
    if (all)
      parts.forEach((v, k) => {
        const shown = share ? 100 * v / all : v;
        if (v) bars.push({ i: bars.length, label, names: whole.of[k][0], reason: whole.of[k][1], v, share: v / all, runs: runs.length, x0: from, x1: from += shown });
      });
  }
  return { bars, labels };
}
function sumOf(column, places) {
  let sum = 0;
  for (const r of places) sum += column[r];
  return sum;
}
export async function drawStack(chart, whole, { bars, labels }, share) {
  const reasons = whole.of.map(o => o[1]).filter(r => bars.some(b => b.reason === r));
  const spec = width => ({ $schema: SCHEMA, width, height: 26 * labels.length, usermeta: { least: 14 * labels.length }, padding: 6, config: { background: null },
    data: [{ name: 'bars', values: bars }],
    scales: [{ name: 'x', type: 'linear', domain: [0, Math.max(...bars.map(b => b.x1))], range: 'width' }, { name: 'y', type: 'band', domain: labels, range: 'height', padding: 0.15 },
      ...colorScales(reasons)],
    axes: [{ orient: 'bottom', scale: 'x', title: share ? `% of ${whole.unit}` : whole.unit, tickCount: 8, labelOverlap: true, ...textStyle }, { orient: 'left', scale: 'y', ...textStyle, labelLimit: Math.min(210, width / 3) }],
    legends: [legend(reasons, width)],
    marks: [{ type: 'rect', name: 'stack', from: { data: 'bars' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'label' },
      height: { scale: 'y', band: 1 }, fill: { scale: 'color', field: 'reason' }, stroke: { scale: 'edge', field: 'reason' } }, ...hover } }] });
  await draw(chart, spec, b => [h('b', {}, `${b.names.length > 1 ? 'refusals of ' + b.reason : statisticName(b.names[0])}: ${digits(b.v)}`),
    h('p', { class: 'note' }, `${short(100 * b.share)} % of ${b.label}${b.runs > 1 ? `, mean of ${b.runs} runs` : ''}`),
    h('p', { class: 'note' }, b.names.length > 1 ? b.names.map(statisticName).join(', ') : `${b.names[0]}: ${page.statistic.get(b.names[0]).meaning}`)]);
}
// Groups the runs selected by the filters by a dimension and, as the plots are, by configuration.
function groupsOf(s, d) {
  const m = mask(s), config = dim(s, 'config'), mixed = varies(s, 'config') && d !== config, apart = mixed && config.values.length <= MOST_PANELS, groups = [];
  for (const c of apart ? config.values : [''])
    for (const v of d.values) groups.push({ label: apart ? [c, v].filter(x => x !== '').join(' ') : `${v === '' ? s.row.name : v}`, points: [] });
  for (let i = 0; i < s.count; i++) if (m[i]) groups[(apart ? config.code[i] * d.values.length : 0) + d.code[i]].points.push(i);
  return { groups, label: apart ? `${config.label} and ${d.label}` : d.label, mixed: mixed && !apart ? ` Means over ${config.values.length} configurations.` : '' };
}
// Covers all runs selected by the filters.
export async function showWhere(s) {
  const list = wholes(), w = page.where, figure = $('where').querySelector('figure'), whole = list.find(x => x.title === w.of) || list[0], { groups, label, mixed } = groupsOf(s, dim(s, w.by));
  const share = w.as === 'share', stack = whole ? await barsOf(s, whole, groups, share) : { bars: [], labels: [] }, { bars } = stack, chart = figure.querySelector('.chart');
  const counts = new Set(bars.map(b => b.runs)), some = counts.size > 1;
  figure.shown = { rows: [[label, 'part', whole ? whole.unit : '', 'share', 'runs'], ...bars.map(b => [b.label, b.reason, b.v, b.share, b.runs])] };
  figure.querySelector('figcaption').textContent = whole ? `${whole.title}, by ${label}` : '';
  figure.querySelector('.note').textContent = !bars.length ? 'None of the runs selected by the filters has these values.'
    : stack.labels.length > 60 ? `${stack.labels.length} bars are too many to draw: see the table.`
    : `Each bar: mean of ${some ? `${Math.min(...counts)} to ${Math.max(...counts)} runs, those that are done: not all bars have the same workloads` : counts.values().next().value + (counts.has(1) ? ' run' : ' runs')}.${mixed}`;
  if (bars.length && stack.labels.length <= 60) await drawStack(chart, whole, stack, share);
  else clear(chart);
  showPlotTable(figure);
}
export function makeWhere(s) {
  const list = wholes(), again = k => v => { page.where[k] = v; return showWhere(s); };
  page.where = { of: list[0]?.title, by: varies(s, 'scheme') ? 'scheme' : (s.dims.find(d => d.values.length > 1) || s.dims[0]).key, as: 'value' };
  $('where').replaceChildren(h('h2', {}, 'Where the cycles went'), h('div', { class: 'row tools' }, select('Of', list.map(w => [w.title, w.title]), page.where.of, again('of')),
    select('By', s.dims.filter(d => d.values.length > 1 || d.key === 'scheme').map(d => [d.key, d.label]), page.where.by, again('by')),
    select('As', [['value', 'mean of a run'], ['share', 'share of the bar']], 'value', again('as'))), makeFigure(s, () => `${page.where.of}-${page.where.by}`));
}
