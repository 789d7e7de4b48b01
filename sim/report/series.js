// SPDX-License-Identifier: Apache-2.0
// Time series of a run.
import { count, h, select, short } from './dom.js';
import { column, has, page } from './study.js';
import { draw, hover, rowOf } from './chart.js';
import { COLORS, SCHEMA, colorScales, dashScale, legend, textStyle } from './looks.js';

export const plainFigure = title => h('figure', {}, h('figcaption', {}, title), h('div', { class: 'chart' }));
const axisWidth = { minExtent: 48, maxExtent: 48 };
// Draws the charts of a time series (sim/gauge_series.h). Gauges of a part with a capacity share a chart, in percent of it.
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
  const end = Math.max(series.cycle[series.cycle.length - 1], series.end || 0);
  return { $schema: SCHEMA, width, height, padding: 4, config: { background: null },
    bounds: { name: 'bounds', values: series.kernels.flatMap(k => [k.begin, k.end]).filter((c, k, all) => c > 0 && c < end && c !== all[k - 1]).map(c => ({ c })) },
    x: { name: 'x', type: 'linear', domain: [0, end], range: 'width', nice: false, zero: true },
    rules: { type: 'rule', name: 'boundary', interactive: false, from: { data: 'bounds' }, encode: { enter: { x: { scale: 'x', field: 'c' }, y: { value: 0 }, y2: { signal: 'height' },
      stroke: { value: '#888' }, strokeDash: { value: [2, 3] } } } } };
}
const cyclesAxis = { orient: 'bottom', scale: 'x', title: 'SM cycles', tickCount: 10, format: 'd', ...textStyle };
function kernelSpec(series, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 18);
  return { ...frame, data: [{ name: 'kernels', values: series.kernels.map((k, i) => ({ i, ...k })) }],
    scales: [x, { name: 'y', type: 'point', domain: ['kernels'], range: 'height' }],
    axes: [{ ...cyclesAxis, title: null }, { orient: 'left', scale: 'y', ticks: false, domain: false, title: ' ', ...textStyle, ...axisWidth }],
    marks: [{ type: 'rect', name: 'launches', from: { data: 'kernels' }, encode: { enter: { x: { scale: 'x', field: 'begin' }, x2: { scale: 'x', field: 'end' }, y: { value: 0 }, y2: { signal: 'height' },
      fill: { signal: `['${COLORS[0]}', '${COLORS[4]}'][datum.i % 2]` } }, ...hover } }] };
}
function drawKernels(chart, series) {
  return draw(chart, width => kernelSpec(series, width),
    k => [h('b', {}, k.name), h('table', {}, rowOf('launch', k.launch), rowOf('from cycle', k.begin), rowOf('to cycle', k.end))]);
}
// Returns the points of lines. The last value lasts to the end.
function pointsOf(cycle, tracks) {
  const n = cycle.length - 1;
  return tracks.flatMap(t => t.scaled.flatMap((v, k) => [{ x: cycle[k], c: t.name, y: v }, ...(k === n - 1 ? [{ x: cycle[n], c: t.name, y: v }] : [])]));
}
const linesOf = (name, width, opacity) => ({ type: 'group', from: { facet: { name: name + ' line', data: name, groupby: 'c' } }, marks: [{ type: 'line', interactive: false,
  from: { data: name + ' line' }, encode: { enter: { x: { scale: 'x', field: 'x' }, y: { scale: 'y', field: 'y' }, interpolate: { value: 'step-after' }, strokeWidth: { value: width },
    strokeOpacity: { value: opacity }, stroke: { scale: 'edge', field: 'c' }, strokeDash: { scale: 'dash', field: 'c' }, defined: { signal: 'datum.y !== null' } } } }] });
// c is the chart of the run; base is that of its baseline, if any.
function lineSpec(series, c, base, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 110), n = series.cycle.length - 1;
  const names = [...new Set([...c.tracks, ...base.tracks].map(t => t.name))];
  return { ...frame, data: [bounds, { name: 'points', values: pointsOf(series.cycle, c.tracks) }, { name: 'baseline', values: pointsOf(base.cycle, base.tracks) },
    { name: 'samples', values: series.cycle.slice(0, n).map((v, i) => ({ i, x0: v, x1: series.cycle[i + 1] })) }],
    scales: [x, { name: 'y', type: 'linear', domain: { fields: ['points', 'baseline'].map(data => ({ data, field: 'y' })) }, range: 'height', nice: true, zero: true }, ...colorScales(names), dashScale(names)],
    axes: [cyclesAxis, { orient: 'left', scale: 'y', grid: true, tickCount: 4, title: c.unit, ...textStyle, ...axisWidth }],
    legends: names.length > 1 ? [legend(names, width, { fill: undefined, strokeDash: 'dash', symbolType: 'stroke', symbolSize: 500, symbolStrokeWidth: 2 })] : [],
    marks: [rules, linesOf('baseline', 1, 0.65), linesOf('points', 1.7, 1),
      { type: 'rect', name: 'sample', from: { data: 'samples' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { value: 0 }, y2: { signal: 'height' },
        fill: { value: 'transparent' } }, ...hover } }] };
}
const valueOf = (t, k) => t.values[k] == null ? 'none' : t.capacity ? `${t.values[k]} of ${t.capacity} ${t.unit}` : `${t.values[k]} ${t.unit}`;
function drawLines(chart, series, c, base) {
  return draw(chart, width => lineSpec(series, c, base, width), o => {
    const k = base.cycle.findLastIndex(v => v <= series.cycle[o.i]);
    return [h('b', {}, `cycles ${series.cycle[o.i]} to ${series.cycle[o.i + 1]}`), h('table', {}, ...c.tracks.map(t => rowOf(t.name, valueOf(t, o.i))),
      ...(k < base.cycle.length - 1 ? base.tracks.map(t => rowOf(`baseline: ${t.name}`, valueOf(t, k))) : []))];
  });
}
// Draws a gauge of each DRAM channel over time. In long series adjacent samples share a cell.
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
function drawHeat(chart, series, name, part = 'channel', height = 12) {
  const fields = fieldsOf(series, name);
  const parts = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.index))];
  if (part === 'channel') parts.sort((a, b) => a - b);
  const spec = width => {
    const { bounds, x, rules, ...frame } = timeFrame(series, width, 0), title = `${name} [% ${fields[0]?.unit ?? ''}]`;
    return { ...frame, height: Math.max(60, parts.length * height), data: [bounds, { name: 'fields', values: fields }],
    scales: [x, { name: 'y', type: 'band', domain: parts, range: 'height' }, { name: 'color', type: 'linear', domain: [0, 100], range: { scheme: 'viridis' } }],
    axes: [cyclesAxis, { orient: 'left', scale: 'y', title: part, ...textStyle, ...axisWidth, labelFontSize: 10, labelOverlap: true }],
    legends: [{ fill: 'color', type: 'gradient', orient: 'top', direction: 'horizontal', gradientLength: 200, title, titleLimit: width - 80, titleFontSize: 12, labelFontSize: 11 }],
    marks: [{ type: 'rect', name: 'heat', from: { data: 'fields' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'part' },
      height: { scale: 'y', band: 1 }, fill: { scale: 'color', field: 'share' }, stroke: { scale: 'color', field: 'share' }, strokeWidth: { value: 0.5 } }, ...hover } }, rules] };
  };
  return draw(chart, spec, f => [h('b', {}, part === 'bank' ? `bank ${f.part}: a row open ${short(f.v)} % of the time`
    : `channel ${f.part}: ${short(f.v)} of ${f.capacity} ${f.unit}`),
    h('p', { class: 'note' }, `cycles ${f.x0} to ${f.x1}: ${name}`)]);
}
// Returns the series of a run, or null.
async function seriesOf(r) {
  const id = 'series.' + page.ids[r], series = has(id) ? await column(id) : { cycle: [] };
  return series.cycle.length < 2 ? null : series;
}
const NONE = { cycle: [], tracks: [] };
// Shows the series of point i of a study beside that of its baseline.
export async function showSeries(s, i, box) {
  const own = await seriesOf(s.run[i]), base = s.base[i] < 0 || s.base[i] === i ? null : await seriesOf(s.run[s.base[i]]);
  if (!own) return;
  const series = { ...own, end: base?.cycle.at(-1) }, bases = new Map(base ? chartsOf(base).map(c => [c.title, { ...c, cycle: base.cycle }]) : []);
  box.append(h('h3', {}, 'Over time'),
    h('p', { class: 'note' },
    [`${count(series.cycle.length - 1, 'sample')}, one every ${series.period} SM cycles`,
      series.kernels.length ? '; dotted: where kernels begin and end' : '', '.',
      series.accesses ? ` Miss rates, row hit rate and latency: where a sample has fewer than ${series.accesses} accesses, ` +
        "with its neighbors'." : '',
      base ? ` Thin pale lines: the baseline, run ${s.n[s.base[i]]}.` : ''].join('')));
  const add = (title, ...tools) => { const f = plainFigure(title); f.querySelector('figcaption').after(...tools); box.append(f); return f.querySelector('.chart'); };
  if (series.kernels.length) await drawKernels(add('Kernels'), series);
  for (const c of chartsOf(series)) await drawLines(add(c.title), series, c, bases.get(c.title) || NONE);
  await showChannels(series, add);
  await showBanks(series, add);
}
async function showChannels(series, add) {
  const gauges = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.name))];
  if (!gauges.length) return;
  const at = gauges.includes('DRAM banks') ? 'DRAM banks' : gauges[0];
  const chart = add('DRAM channels over time', h('div', { class: 'row tools' }, select('Show', gauges.map(g => [g, g]), at, g => drawHeat(chart, series, g))));
  await drawHeat(chart, series, at);
}
// Draws the banks of one channel, or of all channels.
async function showBanks(series, add) {
  const b = series.banks;
  if (!b) return;
  if (!b.open) {
    add('DRAM banks over time').replaceWith(h('p', { class: 'note' },
      `No DRAM banks over time: the series has them up to ${b.left_out_above} banks, and there are ${b.channels} ` +
      `channels of ${b.banks} (memtwin run --timeline has them all).`));
    return;
  }
  const cycle = series.cycle.slice(0, -1).filter((_, k) => k % b.samples === 0).concat(series.cycle.slice(-1));
  const rows = b.open.map((values, i) => ({ index: `${Math.floor(i / b.banks)}.${i % b.banks}`, channel: Math.floor(i / b.banks), name: 'row open', unit: 'of the time', capacity: 100, values }));
  const show = at => drawHeat(chart, { ...series, cycle, tracks: rows.filter(t => at === 'all' || t.channel === +at) }, 'row open', 'bank', b.open.length > 64 && at === 'all' ? 4 : 12);
  const at = b.open.length > 64 ? '0' : 'all';
  const chart = add('DRAM banks over time', h('div', { class: 'row tools' }, select('Channel', [['all', 'all'], ...Array.from({ length: b.channels }, (_, c) => [String(c), String(c)])], at, show)));
  await show(at);
}
