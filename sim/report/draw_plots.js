// SPDX-License-Identifier: Apache-2.0
// Draws the plots of the documents with the report's library and looks: node draw_plots.js PLOTS.json, in the folder of the data.
// PLOTS.json is a list of plots; each is written to FILE.svg. A plot is one panel, or has `panels` and `columns` of them:
//   file, width, height      without .svg; of a panel, in pixels
//   bars, lines, points or strokes: data file, or a list with a file for each line. Fields are separated by tabs, or by blanks if a line has no tab.
//                            bars: a line for each place, first its name; lines: first x; points and strokes: x and y
//   names                    of the columns, or of the files; without it the first line has them; "blocks": of blocks after empty lines
//   from                     first column to draw (default: 1)
//   x, y, title              titles of the axes and of the panel
//   log                      axes with a logarithmic scale: "x", "y" or "xy"
//   low, high                ends of the y axis
//   reverse                  the x axis falls
//   rule                     horizontal line at this value
//   powers                   list of exponents, each a number or a file of NAME=NUMBER: draws x^exponent as {exponent, name};
//                            % in the name stands for the exponent
//   each                     file name without _NUMBER.dat: a panel of strokes for each such file
// Lines without a file are left out, and plots without data are not written.
import fs from 'node:fs';
import { View, parse } from './vega.js';
import { SCHEMA, colorScales, dashScale, legend, nameLabels, shapeScale, textStyle } from './looks.js';

const WIDTH = 820, AXIS = 90, HEIGHT = 240, KINDS = ['bars', 'lines', 'points', 'strokes'];
const fields = line => (line.includes('\t') ? line.split('\t') : line.match(/"[^"]*"|\S+/g)).map(f => f.replace(/^"|"$|\\(?=_)/g, ''));
const value = f => f === undefined || f === '' ? null : +f;
const blocksOf = text => text.split(/\n\n\n+/).map(b => b.split('\n').filter(l => l && !/^#/.test(l)).map(fields));

// Returns the marks of a panel as {x, c, y}, and `part`, a number that separates strokes.
function readPanel(p) {
  const kind = KINDS.find(k => p[k]), files = [p[kind]].flat(), rows = [];
  files.forEach((file, f) => {
    if (!fs.existsSync(file)) return;
    const text = fs.readFileSync(file, 'utf8');
    if (kind === 'strokes') {
      text.replace(/^#.*\n/, '').split(/\n\n+/).forEach((stroke, part) => stroke.split('\n').filter(Boolean).map(fields).forEach(r => rows.push({ x: +r[0], y: +r[1], c: '', part })));
    } else if (Array.isArray(p[kind])) {
      for (const r of blocksOf(text)[0]) rows.push({ x: +r[0], y: value(r[p.from || 1]), c: p.names[f] });
    } else if (p.names === 'blocks') {
      for (const [head, ...block] of blocksOf(text).filter(b => b.length))
        for (const r of head.length === 1 ? block : [head, ...block]) rows.push(head.length === 1 ? { x: +r[0], y: +r[1], c: head[0] } : { x: +r[1], y: +r[2], c: r[0] });
    } else {
      const all = blocksOf(text)[0] || [], names = p.names || all.shift()?.slice(1) || [], from = p.from || 1;
      for (const r of all) names.forEach((c, k) => rows.push({ x: kind === 'bars' ? r[0] : +r[0], c, y: value(r[from + k]) }));
    }
  });
  const list = rows.filter(r => r.y !== null && isFinite(r.y) && !(/y/.test(p.log) && r.y <= 0)).map(r => ({ part: 0, ...r }));
  const xs = [...new Set(list.map(r => r.x))], cs = [...new Set(list.map(r => r.c))];
  return { kind, list, xs: kind === 'bars' ? xs : xs.sort((a, b) => a - b), cs };
}
// Returns the number, or the one in the file, or null if there is no file.
const exponentOf = e => typeof e === 'number' ? e : fs.existsSync(e) ? +fs.readFileSync(e, 'utf8').split('=')[1] : null;
const curve = (e, c) => Array.from({ length: 51 }, (_, i) => ({ x: i / 50, y: (i / 50) ** e, c, part: 0 }));
function marksOf(p, d) {
  const x = { scale: 'x', field: 'x' }, y = { scale: 'y', field: 'y' }, fill = { scale: 'color', field: 'c' }, stroke = { scale: 'edge', field: 'c' };
  const rule = p.rule === undefined ? [] : [{ type: 'rule', encode: { enter: { x: { value: 0 }, x2: { signal: 'w' }, y: { scale: 'y', value: p.rule }, stroke: { value: '#444' }, strokeDash: { value: [4, 3] } } } }];
  const dots = data => ({ type: 'symbol', from: { data },
    encode: { enter: { x, y, fill, stroke, shape: { scale: 'shape', field: 'c' }, size: { value: d.kind === 'points' && d.list.length > 200 ? 12 : 60 }, fillOpacity: { value: 0.8 } } } });
  const line = (data, more) => ({ type: 'group', from: { facet: { name: 'line', data, groupby: ['c', 'part'] } },
    marks: [{ type: 'line', from: { data: 'line' }, encode: { enter: { x, y, stroke, strokeWidth: { value: 2 }, ...more } } }] });
  const base = p.low ?? (/y/.test(p.log) ? d.low : 0);
  if (d.kind === 'bars')
    return [{ type: 'rect', from: { data: 'values' }, clip: true, encode: { enter: { x: { ...x, offset: { scale: 'in', field: 'c' } }, width: { scale: 'in', band: 0.92 },
      y, y2: { scale: 'y', value: base }, fill, stroke } } }, ...rule];
  if (d.kind === 'points') return [dots('values'), ...(d.curves.length ? [line('curves', { strokeDash: { scale: 'dash', field: 'c' } })] : [])];
  if (d.kind === 'strokes') return [line('values', { strokeWidth: { value: 3 }, strokeCap: { value: 'butt' } })];
  return [line('values', { strokeDash: { scale: 'dash', field: 'c' } }), ...(d.xs.length <= 40 ? [dots('values')] : []), ...rule];
}
function scalesOf(p, d, w, h) {
  const log = a => new RegExp(a).test(p.log) ? { type: 'log', base: a === 'x' ? 2 : 10 } : { type: 'linear' }, all = [...d.list, ...d.curves], ys = all.map(r => r.y);
  d.low = Math.min(...ys);
  const low = p.low ?? (/y/.test(p.log) ? d.low : d.kind === 'points' ? d.low : Math.min(0, d.low)), high = p.high ?? Math.max(...ys, p.rule ?? -Infinity, d.kind === 'bars' && !/y/.test(p.log) ? 0 : -Infinity) * (p.low > 0 ? 1.1 : 1);
  const x = d.kind === 'bars' ? [{ name: 'x', type: 'band', domain: d.xs, range: [0, w], paddingInner: 0.2, paddingOuter: 0.1 }, { name: 'in', type: 'band', domain: d.cs, range: [0, { signal: "bandwidth('x')" }] }]
    : [{ name: 'x', ...log('x'), domain: [Math.min(...all.map(r => r.x)), Math.max(...all.map(r => r.x))], range: p.reverse ? [w, 0] : [0, w], zero: false, padding: d.kind === 'strokes' ? 0 : 8 }];
  return [...x, { name: 'y', ...log('y'), domain: [low, high], range: [h, 0], nice: p.high === undefined && !(p.low > 0), zero: false, clamp: /y/.test(p.log) },
    ...[colorScales, dashScale, shapeScale].flatMap(scale => scale(d.cs))];
}
function panelOf(p, width, height) {
  const d = readPanel(p), w = width, h = height;
  if (!d.list.length) return null;
  d.curves = (p.powers || []).flatMap(({ exponent, name }) => {
    const e = exponentOf(exponent);
    return e === null ? [] : curve(e, name.replace('%', e.toFixed(2)));
  });
  d.cs = [...d.cs, ...new Set(d.curves.map(r => r.c))];
  const scales = scalesOf(p, d, w, h), plain = d.kind === 'strokes', symbols = d.kind === 'lines' || d.kind === 'points';
  const axes = plain ? [] : [{ orient: 'left', scale: 'y', grid: true, tickCount: 5, title: p.y, titleLimit: 2 * h, labelOverlap: true, ...textStyle },
    { orient: 'bottom', scale: 'x', title: p.x, tickCount: 6, labelOverlap: true,
      ...(d.kind === 'bars' ? nameLabels(d.xs, w + 70) : textStyle),
      ...(/x/.test(p.log) ? { values: d.xs.length < 20 ? d.xs : undefined, format: ',d' } : {}) }];
  return { type: 'group', title: p.title ? { text: p.title, fontSize: plain ? 11 : 13, fontWeight: 'normal', anchor: plain ? 'middle' : 'start', offset: 4 } : undefined,
    encode: { enter: { width: { value: w }, height: { value: h }, ...(plain ? { stroke: { value: '#999' } } : {}) } }, signals: [{ name: 'w', value: w }],
    data: [{ name: 'values', values: d.list }, { name: 'curves', values: d.curves }], scales, axes,
    legends: d.cs.length > 1 ? [legend(d.cs, w, { offset: 8, labelLimit: 400, ...(symbols ? { shape: 'shape', symbolType: undefined } : {}) })] : [], marks: marksOf(p, d) };
}
async function drawPlot(plot) {
  const panels = (plot.panels || [plot]), columns = plot.columns || 1;
  const width = plot.width || Math.round(WIDTH / columns) - (columns > 1 ? AXIS : 0), made = panels.map(p => panelOf({ ...p }, width, plot.height || HEIGHT)).filter(Boolean);
  if (!made.length) return;
  const spec = { $schema: SCHEMA, padding: 6, background: 'white', layout: { columns, padding: plot.gap ?? AXIS, bounds: 'flush' }, marks: made };
  const view = new View(parse(spec), { renderer: 'none' });
  fs.writeFileSync(`${plot.file}.svg`, await view.toSVG() + '\n');
  view.finalize();
}
// Expands `each`: a panel for each file NAME_0.dat, NAME_1.dat .., with the title of its first line.
function expand(plot) {
  if (!plot.each) return plot;
  const panels = [];
  for (let file; fs.existsSync(file = `${plot.each}_${panels.length}.dat`);) panels.push({ strokes: file, title: fs.readFileSync(file, 'utf8').split('\n')[0].replace(/^# /, '') });
  return { ...plot, panels };
}
for (const plot of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) await drawPlot(expand(plot));
