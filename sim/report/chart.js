// SPDX-License-Identifier: Apache-2.0
// Charts: Vega draws.
import { View, parse } from './vega.js';
import { $, h, isNumber } from './dom.js';
import { dim } from './study.js';
import { quantity, unitOf } from './cells.js';

export const SCHEMA = 'https://vega.github.io/schema/vega/v5.json';
// Okabe and Ito's colours, that the colour-blind can tell apart, without black; then grey.
export const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#D55E00', '#56B4E9', '#CC79A7', '#F0E442', '#999999'];
// The width of a chart in a box.
export const roomOf = (box, less) => Math.max(320, Math.min(1300, box.clientWidth || 1000) - less);
export const textStyle = { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
// A value keeps its colour in all plots: `all` has those that some plots leave out.
export function colourScale(cs, all = cs) {
  const range = all.length > COLOURS.length ? { scheme: 'viridis', count: cs.length } : cs.map(c => COLOURS[all.indexOf(c)]);
  return { name: 'color', type: 'ordinal', domain: cs, range };
}
function frame(s, p, d, width) {
  const longest = Math.max(0, ...d.xs.map(x => String(x).length)), slant = longest * d.xs.length * 7 > width, one = p.relative !== 'no';
  return {
    $schema: SCHEMA, height: 260, padding: 6, autosize: 'pad', config: { background: null },
    legends: d.cs.length > 1 ? [{ fill: 'color', orient: 'top', direction: 'horizontal', columns: 8, symbolType: 'square', labelFontSize: 12, labelLimit: 260,
      title: dim(s, p.color).label, titleFontSize: 12 }] : [],
    data: [{ name: 'cells', values: d.list.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y })) },
      { name: 'papers', values: d.references.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y, paper: true })) },
      { name: 'one', values: one ? [{ y: 1 }] : [] }],
    axes: [{ orient: 'left', scale: 'y', grid: true, tickCount: 6, title: `${quantity(p)} [${unitOf(p)}]`, ...textStyle },
      { orient: 'bottom', scale: 'x', title: dim(s, p.x).label, labelAngle: slant ? -40 : 0,
        labelAlign: slant ? 'right' : 'center', labelLimit: 150, ...textStyle }],
  };
}
export const hover = { update: { tooltip: { signal: 'datum' } } };
const oneRule = { type: 'rule', name: 'unity', interactive: false, from: { data: 'one' }, encode: { enter: { x: { value: 0 }, x2: { signal: 'width' },
  y: { scale: 'y', field: 'y' }, stroke: { value: '#444' }, strokeDash: { value: [4, 3] } } } };
function papers(x) {
  return { type: 'symbol', name: 'paper', from: { data: 'papers' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, shape: { value: 'diamond' },
    size: { value: 70 }, stroke: { value: '#000' }, strokeWidth: { value: 1.5 }, fill: { value: '#fff' } }, ...hover } };
}
const ofAll = ['cells', 'papers', 'one'].map(data => ({ data, field: 'y' }));
export function barSpec(s, p, d, width) {
  const x = { scale: 'x', field: 'x', offset: { scale: 'in', field: 'c' } };
  const room = Math.max(width, d.xs.length * (d.cs.length + 1) * 5);
  return { ...frame(s, p, d, room), width: room,
    scales: [{ name: 'x', type: 'band', domain: d.xs, range: 'width', paddingInner: 0.2, paddingOuter: 0.1 },
      { name: 'in', type: 'band', domain: d.cs, range: [0, { signal: "bandwidth('x')" }] },
      { name: 'y', type: 'linear', domain: { fields: ofAll }, range: 'height', nice: true, zero: true }, colourScale(d.cs, dim(s, p.color).values)],
    marks: [{ type: 'rect', name: 'bars', from: { data: 'cells' }, encode: { enter: { x, width: { scale: 'in', band: 0.92 }, y: { scale: 'y', field: 'y' },
      y2: { scale: 'y', value: 0 }, fill: { scale: 'color', field: 'c' } }, ...hover } }, oneRule,
    papers({ ...x, band: undefined, offset: { scale: 'in', field: 'c', band: 0.5, offset: 0 } })] };
}
export function lineSpec(s, p, d, width) {
  const numbers = d.xs.every(x => isFinite(x)), x = { scale: 'x', field: 'x' };
  const log = numbers && d.xs[0] > 0 && d.xs.length > 3 && d.xs[d.xs.length - 1] / d.xs[0] >= 16;
  const spec = frame(s, p, d, width);
  if (numbers && d.xs.length <= 16) spec.axes[1].values = d.xs;
  if (numbers) spec.axes[1].format = 'd';
  const shape = { enter: { x, y: { scale: 'y', field: 'y' }, size: { value: 60 }, fill: { scale: 'color', field: 'c' } }, ...hover };
  return { ...spec, width,
    scales: [numbers ? { name: 'x', type: log ? 'log' : 'linear', base: log ? 2 : undefined, domain: [d.xs[0], d.xs[d.xs.length - 1]], range: 'width', zero: false, padding: 12 }
      : { name: 'x', type: 'point', domain: d.xs, range: 'width', padding: 0.5 },
    { name: 'y', type: 'linear', domain: { fields: ofAll }, range: 'height', nice: true, zero: false }, colourScale(d.cs, dim(s, p.color).values)],
    marks: [{ type: 'group', from: { facet: { name: 'line', data: 'cells', groupby: 'c' } }, marks: [
      { type: 'line', interactive: false, from: { data: 'line' }, sort: { field: 'datum.x' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, strokeWidth: { value: 2 },
        stroke: { scale: 'color', field: 'c' } } } },
      { type: 'symbol', name: 'dots', from: { data: 'line' }, encode: shape }] }, oneRule, papers(x)] };
}
export const rowOf = (k, v) => h('tr', {}, h('td', {}, k), h('td', {}, v == null ? '' : String(v)));
function placeTip(event) {
  const tip = $('tip'), w = document.documentElement.clientWidth;
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(event.pageX + 14, scrollX + w - tip.offsetWidth - 8)) + 'px';
  tip.style.top = event.pageY + 16 + 'px';
}
// Draws into a box. about(datum): what the tooltip says, or nothing; click(datum).
export async function draw(box, spec, about, click) {
  const old = box.view;
  let now = null;
  const tooltip = async (_, event, __, value) => {
    now = value && isNumber(value.i) ? value : null;
    if (!now) return void ($('tip').hidden = true);
    const content = await about(now);
    if (now !== value) return;
    $('tip').replaceChildren(...content);
    placeTip(event);
  };
  box.replaceChildren();
  if (old) old.finalize();
  box.view = new View(parse(spec), { renderer: 'svg', container: box, hover: false, tooltip });
  if (click) box.view.addEventListener('click', (_, item) => item && item.datum && isNumber(item.datum.i) && click(item.datum));
  await box.view.runAsync();
}
