// SPDX-License-Identifier: Apache-2.0
// Charts, drawn by Vega.
import { View, parse } from './vega.js';
import { $, h, isNumber } from './dom.js';
import { dim, varies } from './study.js';
import { quantity, unitOf } from './cells.js';
import { SCHEMA, colorScales, dashScale, legend, nameLabels, shapeScale, textStyle } from './looks.js';

function frame(s, p, d, width) {
  const one = p.relative !== 'no', kept = spreadOf(p, d);
  return {
    $schema: SCHEMA, width, height: 260, padding: 6, config: { background: null },
    legends: d.cs.length > 1 || varies(s, p.color) ? [legend(d.cs, width, { title: dim(s, p.color).label })] : [],
    data: [{ name: 'cells', values: d.list.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y })) },
      { name: 'spreads', values: kept.map(o => ({ x: o.x, c: o.c, low: o.low, high: o.high })) },
      { name: 'papers', values: d.references.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y, paper: true })) },
      { name: 'one', values: one ? [{ y: 1 }] : [] }],
    axes: [{ orient: 'left', scale: 'y', grid: true, tickCount: 6, title: one ? [quantity(p), `[${unitOf(p)}; the baseline is 1]`] : [quantity(p), `[${unitOf(p)}]`], titleLimit: 270, ...textStyle },
      { orient: 'bottom', scale: 'x', title: dim(s, p.x).label, ...nameLabels(d.xs, width) }],
  };
}
export const hover = { update: { tooltip: { signal: 'datum' } } };
const oneRule = { type: 'rule', name: 'unity', interactive: false, from: { data: 'one' }, encode: { enter: { x: { value: 0 }, x2: { signal: 'width' },
  y: { scale: 'y', field: 'y' }, stroke: { value: '#444' }, strokeDash: { value: [4, 3] } } } };
function papers(x) {
  return { type: 'symbol', name: 'paper', from: { data: 'papers' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, shape: { value: 'diamond' },
    size: { value: 70 }, stroke: { value: '#000' }, strokeWidth: { value: 1.5 }, fill: { value: '#fff' } }, ...hover } };
}
const spanOf = values => Math.max(...values) - Math.min(...values);
// Returns the cells with a range of values to draw, or none if the ranges are so large that the means would be flat.
export function spreadOf(p, d) {
  const some = d.list.filter(o => o.low < o.high), ys = d.list.map(o => o.y), anchors = p.relative === 'no' ? p.kind === 'bar' ? [0] : [] : [1, 1.004];
  return some.length && spanOf(some.flatMap(o => [o.low, o.high])) <= 5 * spanOf([...ys, ...anchors]) ? some : [];
}
const spreads = (x, name, stroke) => ({ type: 'rule', name, interactive: false, from: { data: 'spreads' }, encode: { enter: { x, y: { scale: 'y', field: 'low' }, y2: { scale: 'y', field: 'high' }, stroke } } });
// Scales ratios around the line at 1, not from 0, because most are close to 1.
function valueScale(p, d, zero) {
  const y = [...[...d.list, ...d.references].map(o => o.y), ...spreadOf(p, d).flatMap(o => [o.low, o.high])], from = p.relative === 'no' ? zero ? [0] : [] : [0.998, 1.002], domain = [Math.min(...y, ...from), Math.max(...y, ...from)];
  return { name: 'y', type: 'linear', domain, range: 'height', nice: true, zero: false };
}
// Covers each bar with a transparent column of the plot's height, so that the pointer finds low bars.
export function barSpec(s, p, d, width) {
  const x = { scale: 'x', field: 'x', offset: { scale: 'in', field: 'c' } };
  const middle = { ...x, offset: { scale: 'in', field: 'c', band: 0.46 } };
  return { ...frame(s, p, d, Math.max(width, d.xs.length * (d.cs.length + 1) * 3)),
    scales: [{ name: 'x', type: 'band', domain: d.xs, range: 'width', paddingInner: 0.2, paddingOuter: 0.1 },
      { name: 'in', type: 'band', domain: d.cs, range: [0, { signal: "bandwidth('x')" }] },
      valueScale(p, d, true), ...colorScales(d.cs, dim(s, p.color).values)],
    marks: [{ type: 'rect', name: 'bars', from: { data: 'cells' }, encode: { enter: { x, width: { scale: 'in', band: 0.92 }, y: { scale: 'y', field: 'y' },
      y2: { scale: 'y', value: p.relative === 'no' ? 0 : 1 }, fill: { scale: 'color', field: 'c' }, stroke: { scale: 'edge', field: 'c' }, strokeWidth: { value: 1 } } } }, spreads(middle, 'spread', { value: '#555' }), oneRule,
    { type: 'rect', name: 'columns', from: { data: 'cells' }, encode: { enter: { x, width: { scale: 'in', band: 0.92 }, y: { value: 0 }, y2: { signal: 'height' }, fill: { value: 'transparent' } }, ...hover } },
    papers({ ...x, band: undefined, offset: { scale: 'in', field: 'c', band: 0.5, offset: 0 } })] };
}
export function lineSpec(s, p, d, width) {
  const numbers = d.xs.every(x => isFinite(x)), x = { scale: 'x', field: 'x' };
  const log = numbers && d.xs[0] > 0 && d.xs.length > 3 && d.xs[d.xs.length - 1] / d.xs[0] >= 16;
  const spec = frame(s, p, d, width);
  if (numbers && d.xs.length <= 16) spec.axes[1].values = d.xs;
  if (numbers) Object.assign(spec.axes[1], { format: 'd', labelAngle: 0, labelAlign: 'center', labelBaseline: 'top' });
  const color = { scale: 'color', field: 'c' }, edge = { scale: 'edge', field: 'c' };
  for (const l of spec.legends) Object.assign(l, { shape: 'shape', symbolType: undefined });
  const shape = { enter: { x, y: { scale: 'y', field: 'y' }, size: { value: 80 }, shape: { scale: 'shape', field: 'c' }, fill: color, fillOpacity: { value: 0.8 }, stroke: edge }, ...hover };
  return { ...spec,
    scales: [numbers ? { name: 'x', type: log ? 'log' : 'linear', base: log ? 2 : undefined, domain: [d.xs[0], d.xs[d.xs.length - 1]], range: 'width', zero: false, padding: 12 }
      : { name: 'x', type: 'point', domain: d.xs, range: 'width', padding: 0.5 },
    valueScale(p, d, false), ...[colorScales, dashScale, shapeScale].flatMap(scale => scale(d.cs, dim(s, p.color).values))],
    marks: [spreads(x, 'range', edge), { type: 'group', from: { facet: { name: 'line', data: 'cells', groupby: 'c' } }, marks: [
      { type: 'line', interactive: false, from: { data: 'line' }, sort: { field: 'datum.x' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, strokeWidth: { value: 2 },
        stroke: edge, strokeDash: { scale: 'dash', field: 'c' } } } },
      { type: 'symbol', name: 'dots', from: { data: 'line' }, encode: shape }] }, oneRule, papers(x)] };
}
export const rowOf = (k, v) => h('tr', {}, h('td', {}, k), h('td', {}, v == null ? '' : String(v)));
function placeTip(event) {
  const tip = $('tip'), w = document.documentElement.clientWidth;
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(event.pageX + 14, scrollX + w - tip.offsetWidth - 8)) + 'px';
  tip.style.top = event.pageY + 16 + 'px';
}
const roomOf = box => Math.max(260, Math.min(1400, box.clientWidth || 1000));
// Draws into a box, and again when its width changes. make(width) returns the specification; about(datum) returns the tooltip's text, or nothing; click(datum) handles a click.
export function draw(box, make, about, click) {
  box.drawing = [make, about, click];
  return drawAt(box, roomOf(box));
}
export function clear(box) {
  if (box.view) box.view.finalize();
  box.view = null;
  box.replaceChildren();
}
// `low`: with plots low enough for three or four on a sheet, unless their rows need more (usermeta.least).
async function drawAt(box, width, low) {
  const [make, about, click] = box.drawing, made = make(width), spec = { ...made, height: Math.min(made.height, low ? Math.max(120, made.usermeta?.least ?? 0) : Infinity), autosize: { type: 'fit-x', contains: 'padding' } };
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
  box.drawnAt = width;
  box.view = new View(parse(spec), { renderer: 'svg', container: box, hover: false, tooltip });
  if (click) box.view.addEventListener('click', (_, item) => item && item.datum && isNumber(item.datum.i) && click(item.datum));
  await box.view.runAsync();
}
// Width of A4 and US letter between browser margins. Set at beforeprint, because layout follows immediately.
const PAPER = 690;
export function followWidth(main, print) {
  const charts = () => [...document.querySelectorAll('.chart')].filter(box => box.view && box.clientWidth);
  let timer = 0, printing = false;
  const follow = () => { for (const box of charts()) if (!printing && roomOf(box) !== box.drawnAt) drawAt(box, roomOf(box)); };
  new ResizeObserver(() => { clearTimeout(timer); timer = setTimeout(follow, 150); }).observe(main);
  addEventListener('beforeprint', () => { printing = true; $('tip').hidden = true; for (const box of charts()) drawAt(box, PAPER, true); print(true); });
  addEventListener('afterprint', () => { printing = false; follow(); print(false); });
}
