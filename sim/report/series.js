// SPDX-License-Identifier: Apache-2.0
// A run over time.
import { h, select, short } from './dom.js';
import { column, has, page } from './study.js';
import { COLOURS, SCHEMA, colourScale, draw, hover, roomOf, rowOf, textStyle } from './chart.js';

export const plainFigure = title => h('figure', {}, h('figcaption', {}, title), h('div', { class: 'chart' }));
const axisWidth = { minExtent: 48, maxExtent: 48 };
// Charts of a time series (sim/gauge_series.h): gauges of a place with a capacity together, in percent of it.
function chartsOf(series) {
  const charts = new Map();
  for (const t of series.tracks) {
    if (t.index != null) continue;
    const issue = t.unit === 'instructions per cycle', full = t.capacity && !issue;
    const key = t.place && !issue ? `${t.place}: ${full ? 'in use' : t.unit}` : t.name === 'issue' ? 'Instructions per cycle' : t.unit.includes('/') ? 'Miss rates, row hit rate' : t.name;
    if (!charts.has(key)) charts.set(key, { title: key, unit: full ? '%' : t.place ? t.unit : t.unit.includes('/') ? 'ratio' : t.unit, tracks: [] });
    charts.get(key).tracks.push({ ...t, scaled: full ? t.values.map(v => v == null ? null : 100 * v / t.capacity) : t.values });
  }
  return [...charts.values()];
}
function timeFrame(series, width, height) {
  const end = series.cycle[series.cycle.length - 1];
  return { $schema: SCHEMA, width, height, padding: 4, config: { background: null },
    bounds: { name: 'bounds', values: series.kernels.flatMap(k => [k.begin, k.end]).filter((c, k, all) => c > 0 && c < end && c !== all[k - 1]).map(c => ({ c })) },
    x: { name: 'x', type: 'linear', domain: [0, end], range: 'width', nice: false, zero: true },
    rules: { type: 'rule', name: 'boundary', interactive: false, from: { data: 'bounds' }, encode: { enter: { x: { scale: 'x', field: 'c' }, y: { value: 0 }, y2: { signal: 'height' },
      stroke: { value: '#888' }, strokeDash: { value: [2, 3] } } } } };
}
const cyclesAxis = { orient: 'bottom', scale: 'x', title: 'SM cycles', tickCount: 10, format: 'd', ...textStyle };
function drawKernels(chart, series, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 18);
  return draw(chart, { ...frame, data: [{ name: 'kernels', values: series.kernels.map((k, i) => ({ i, ...k })) }],
    scales: [x, { name: 'y', type: 'point', domain: ['kernels'], range: 'height' }],
    axes: [{ ...cyclesAxis, title: null }, { orient: 'left', scale: 'y', ticks: false, domain: false, title: ' ', ...textStyle, ...axisWidth }],
    marks: [{ type: 'rect', name: 'launches', from: { data: 'kernels' }, encode: { enter: { x: { scale: 'x', field: 'begin' }, x2: { scale: 'x', field: 'end' }, y: { value: 0 }, y2: { signal: 'height' },
      fill: { signal: `['${COLOURS[0]}', '${COLOURS[4]}'][datum.i % 2]` } }, ...hover } }] },
    k => [h('b', {}, k.name), h('table', {}, rowOf('launch', k.launch), rowOf('from cycle', k.begin), rowOf('to cycle', k.end))]);
}
function drawLines(chart, series, c, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 110), names = c.tracks.map(t => t.name), n = series.cycle.length - 1;
  const points = c.tracks.flatMap(t => t.scaled.flatMap((v, k) => [{ x: series.cycle[k], c: t.name, y: v }, ...(k === n - 1 ? [{ x: series.cycle[n], c: t.name, y: v }] : [])]));
  const about = o => [h('b', {}, `cycles ${series.cycle[o.i]} to ${series.cycle[o.i + 1]}`), h('table', {}, ...c.tracks.map(t =>
    rowOf(t.name, t.values[o.i] == null ? 'none' : t.capacity ? `${t.values[o.i]} of ${t.capacity} ${t.unit}` : `${t.values[o.i]} ${t.unit}`)))];
  return draw(chart, { ...frame, data: [bounds, { name: 'points', values: points }, { name: 'samples', values: series.cycle.slice(0, n).map((v, i) => ({ i, x0: v, x1: series.cycle[i + 1] })) }],
    scales: [x, { name: 'y', type: 'linear', domain: { data: 'points', field: 'y' }, range: 'height', nice: true, zero: true }, colourScale(names)],
    axes: [cyclesAxis, { orient: 'left', scale: 'y', grid: true, tickCount: 4, title: c.unit, ...textStyle, ...axisWidth }],
    legends: names.length > 1 ? [{ fill: 'color', orient: 'top', direction: 'horizontal', columns: 8, symbolType: 'square', labelFontSize: 12, labelLimit: 260 }] : [],
    marks: [rules, { type: 'group', from: { facet: { name: 'line', data: 'points', groupby: 'c' } }, marks: [{ type: 'line', interactive: false, from: { data: 'line' }, encode: { enter: {
      x: { scale: 'x', field: 'x' }, y: { scale: 'y', field: 'y' }, interpolate: { value: 'step-after' }, strokeWidth: { value: 1.5 }, stroke: { scale: 'color', field: 'c' },
      defined: { signal: 'datum.y !== null' } } } }] },
    { type: 'rect', name: 'sample', from: { data: 'samples' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { value: 0 }, y2: { signal: 'height' },
      fill: { value: 'transparent' } }, ...hover } }] }, about);
}
// A gauge of each DRAM channel over time; neighbouring samples of long series share a field.
const MOST_FIELDS = 6000;
function fieldsOf(series, name) {
  const tracks = series.tracks.filter(t => t.index != null && t.name === name), n = series.cycle.length - 1, every = Math.ceil(n * tracks.length / MOST_FIELDS), fields = [];
  for (const t of tracks)
    for (let k = 0; k < n; k += every) {
      const to = Math.min(k + every, n);
      let sum = 0, cycles = 0;
      for (let j = k; j < to; j++)
        if (t.values[j] != null) { sum += t.values[j] * (series.cycle[j + 1] - series.cycle[j]); cycles += series.cycle[j + 1] - series.cycle[j]; }
      if (cycles) fields.push({ i: fields.length, part: t.index, x0: series.cycle[k], x1: series.cycle[to], v: sum / cycles, capacity: t.capacity, unit: t.unit, share: 100 * sum / cycles / t.capacity });
    }
  return fields;
}
function drawHeat(chart, series, name, width, part = 'channel', height = 12) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 0), fields = fieldsOf(series, name);
  const parts = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.index))];
  if (part === 'channel') parts.sort((a, b) => a - b);
  return draw(chart, { ...frame, height: Math.max(60, parts.length * height), data: [bounds, { name: 'fields', values: fields }],
    scales: [x, { name: 'y', type: 'band', domain: parts, range: 'height' }, { name: 'color', type: 'linear', domain: [0, 100], range: { scheme: 'viridis' } }],
    axes: [cyclesAxis, { orient: 'left', scale: 'y', title: part, ...textStyle, ...axisWidth, labelFontSize: 10, labelOverlap: true }],
    legends: [{ fill: 'color', type: 'gradient', orient: 'top', direction: 'horizontal', gradientLength: 200, title: `${name} [% ${fields[0]?.unit ?? ''}]`, titleFontSize: 12, labelFontSize: 11 }],
    marks: [{ type: 'rect', name: 'heat', from: { data: 'fields' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'part' },
      height: { scale: 'y', band: 1 }, fill: { scale: 'color', field: 'share' } }, ...hover } }, rules] },
  f => [h('b', {}, part === 'bank' ? `bank ${f.part}: a row open ${short(f.v)} % of the time` : `channel ${f.part}: ${short(f.v)} of ${f.capacity} ${f.unit}`), h('p', { class: 'note' }, `cycles ${f.x0} to ${f.x1}: ${name}`)]);
}
export async function showSeries(r, box) {
  const id = 'series.' + page.ids[r];
  if (!has(id)) return;
  const series = await column(id);
  if (series.cycle.length < 2) return;
  box.append(h('h3', {}, 'Over time'), h('p', { class: 'note' }, `${series.cycle.length - 1} samples, one every ${series.period} SM cycles${series.kernels.length ? '; dotted: where kernels begin and end' : ''}.`));
  const add = (title, ...tools) => { const f = plainFigure(title); f.querySelector('figcaption').after(...tools); box.append(f); return f.querySelector('.chart'); };
  const width = roomOf(box, 90);
  if (series.kernels.length) await drawKernels(add('Kernels'), series, width);
  for (const c of chartsOf(series)) await drawLines(add(c.title), series, c, width);
  await showChannels(series, width, add);
  await showBanks(series, width, add);
}
async function showChannels(series, width, add) {
  const gauges = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.name))];
  if (!gauges.length) return;
  const at = gauges.includes('DRAM banks') ? 'DRAM banks' : gauges[0];
  const chart = add('DRAM channels over time', h('div', { class: 'row tools' }, select('Show', gauges.map(g => [g, g]), at, g => drawHeat(chart, series, g, width))));
  await drawHeat(chart, series, at, width);
}
// The banks of one channel, or of all.
async function showBanks(series, width, add) {
  const b = series.banks;
  if (!b) return;
  if (!b.open) {
    add('DRAM banks over time').replaceWith(h('p', { class: 'note' }, `No DRAM banks over time: the series has them up to ${b.left_out_above} banks, and there are ${b.channels} channels of ${b.banks} (memtwin run --timeline has them all).`));
    return;
  }
  const cycle = series.cycle.slice(0, -1).filter((_, k) => k % b.samples === 0).concat(series.cycle.slice(-1));
  const rows = b.open.map((values, i) => ({ index: `${Math.floor(i / b.banks)}.${i % b.banks}`, channel: Math.floor(i / b.banks), name: 'row open', unit: 'of the time', capacity: 100, values }));
  const show = at => drawHeat(chart, { ...series, cycle, tracks: rows.filter(t => at === 'all' || t.channel === +at) }, 'row open', width, 'bank', b.open.length > 64 && at === 'all' ? 4 : 12);
  const at = b.open.length > 64 ? '0' : 'all';
  const chart = add('DRAM banks over time', h('div', { class: 'row tools' }, select('Channel', [['all', 'all'], ...Array.from({ length: b.channels }, (_, c) => [String(c), String(c)])], at, show)));
  await show(at);
}
