// SPDX-License-Identifier: Apache-2.0
// The page of `memtwin compare --html`: the errors of all counters, and a correlation plot and the kernels of one.
import { View, parse } from './vega.js';
import { $, cell, h, opener, short, table } from './dom.js';
import { SCHEMA, colorScales, darkStyle, legend, shapeScale, textStyle } from './looks.js';

const data = JSON.parse($('data').textContent);
const configOf = row => row.run.slice(row.run.lastIndexOf(' on ') + 4);
const configs = [...new Set(data.counters.flatMap(c => c.rows.map(configOf)))];
const fixed = (v, places) => h('td', { class: 'number' }, v == null ? 'none' : v.toFixed(places));
const percent = v => fixed(v, 1);

// Draws values above 0 on logarithmic axes of the same range, with the line on which both are equal.
function specOf(counter, width) {
  const values = counter.rows.map((r, i) => ({ i, x: r.theirs, y: r.ours, c: configOf(r), label: `${r.kernel}, ${r.run}: theirs ${short(r.theirs)}, ours ${short(r.ours)}` }))
    .filter(r => r.x > 0 && r.y > 0), all = values.flatMap(r => [r.x, r.y]), domain = [Math.min(...all), Math.max(...all)];
  if (!values.length) return null;
  const scale = (name, range) => ({ name, type: 'log', domain, range, nice: true, padding: 8 }), size = Math.min(520, width - 100);
  const axis = (orient, name, title) => ({ orient, scale: name, grid: true, tickCount: 5, labelOverlap: true, format: '~s', title, ...textStyle });
  const shown = configs.filter(c => values.some(r => r.c === c));
  return { $schema: SCHEMA, width: size, height: size, padding: 6, config: { background: null },
    data: [{ name: 'values', values }, { name: 'equal', values: domain.map(x => ({ x })) }],
    scales: [scale('x', 'width'), scale('y', 'height'), ...[colorScales, shapeScale].flatMap(s => s(shown, configs))],
    axes: [axis('left', 'y', `MemTwin [${counter.unit}]`), axis('bottom', 'x', `theirs [${counter.unit}]`)],
    legends: configs.length > 1 ? [legend(shown, size, { shape: 'shape', symbolType: undefined })] : [],
    marks: [{ type: 'line', interactive: false, from: { data: 'equal' }, encode: { enter: { x: { scale: 'x', field: 'x' }, y: { scale: 'y', field: 'x' },
      stroke: { value: '#444' }, strokeDash: { value: [4, 3] } } } },
    { type: 'symbol', name: 'dots', from: { data: 'values' }, encode: { enter: { x: { scale: 'x', field: 'x' }, y: { scale: 'y', field: 'y' }, size: { value: 80 },
      shape: { scale: 'shape', field: 'c' }, fill: { scale: 'color', field: 'c' }, fillOpacity: { value: 0.8 }, stroke: { scale: 'edge', field: 'c' }, tooltip: { field: 'label' } } } }] };
}
function showErrors(shown) {
  $('errors').replaceChildren(h('h2', {}, 'Errors, in percent of theirs'), h('div', { class: 'table' },
    table(['counter', 'kernels', 'mean |error|', 'mean error', 'greatest', 'of sum', 'correlation'], data.counters.map(c =>
      h('tr', { class: c === shown ? 'shown' : null }, h('td', {}, opener(c.name, () => show(c), c.meaning)), cell(c.rows.length), percent(c.absolute), percent(c.mean),
        percent(c.most), percent(c.sum_error), fixed(c.correlation, 3))))));
}
async function show(counter) {
  const box = h('div', { class: 'chart' }), n = counter.rows.filter(r => !(r.theirs > 0 && r.ours > 0)).length;
  showErrors(counter);
  $('plot').replaceChildren(h('h2', {}, `${counter.name}: ${counter.meaning}`), box, n ? h('p', { class: 'note' }, `Not drawn: ${n} of ${counter.rows.length} values, 0 on one side.`) : '');
  $('rows').replaceChildren(h('div', { class: 'table' }, table(['kernel', 'run', 'their kernel', `theirs [${counter.unit}]`, 'ours', 'error, %'],
    counter.rows.map(r => h('tr', {}, cell(r.kernel), cell(r.run), cell(r.their_kernel), cell(r.theirs), cell(r.ours), percent(r.error))))));
  const spec = specOf(counter, box.clientWidth || 1000);
  if (spec) await new View(parse(spec), { renderer: 'svg', container: box }).runAsync();
}
async function start() {
  document.head.append(h('style', {}, darkStyle()));
  $('about').textContent = `${data.ours}, beside ${data.theirs}`;
  await show(data.counters[0]);
  document.body.dataset.ready = Math.round(performance.now());
}
start().catch(e => { $('about').textContent = 'This page cannot be shown: ' + e.message; console.error(e); });
