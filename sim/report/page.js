// SPDX-License-Identifier: Apache-2.0
// The page of `memtwin report`. Data come as columns (sim/study/columns.h) and are unpacked when they are first shown; Vega draws.
import { View, parse } from './vega.js';

const $ = id => document.getElementById(id);
const MEAN = 'mean', MOST_MARKS = 4000, PAGE = 100;
// Okabe and Ito's colours, that the colour-blind can tell apart, without black; then grey.
const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#D55E00', '#56B4E9', '#CC79A7', '#F0E442', '#999999'];

// ---- DOM ----

// h('td', {class: 'number'}, 'text', element...): what begins with "on" is a listener.
function h(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  e.append(...children.filter(c => c != null));
  return e;
}
const isNumber = v => typeof v === 'number';
// What is shown in plots; tables and downloads have all digits.
const short = v => v == null ? '' : isNumber(v) ? String(+v.toPrecision(4)) : v;
const cell = v => h('td', isNumber(v) ? { class: 'number' } : {}, v == null ? '' : String(v));
function select(label, options, value, onchange) {
  const s = h('select', { onchange: () => onchange(s.value) });
  for (const o of options)
    s.append(o.group ? h('optgroup', { label: o.group }, ...o.options.map(x => h('option', { value: x[0], title: x[2] }, x[1])))
      : h('option', { value: o[0] }, o[1]));
  s.value = value;
  return h('label', {}, label + ' ', s);
}
function table(titles, rows) {
  return h('table', {}, h('thead', {}, h('tr', {}, ...titles.map(t => h('th', {}, t)))), h('tbody', {}, ...rows));
}
function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
const csvField = v => v == null ? '' : /[",\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : String(v);
const csv = rows => rows.map(r => r.map(csvField).join(',')).join('\n') + '\n';

// ---- Columns ----

const elements = new Map(), unpacked = new Map();
for (const e of document.querySelectorAll('[data-column]')) elements.set(e.dataset.column, e);
const has = name => elements.has(name);
async function unpack(e) {
  const bytes = Uint8Array.from(atob(e.textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}
function column(name) {
  if (!unpacked.has(name)) unpacked.set(name, has(name) ? unpack(elements.get(name)) : Promise.resolve([]));
  return unpacked.get(name);
}
// Rows of a small table: an object each.
async function rows(prefix) {
  const names = [...elements.keys()].filter(k => k.startsWith(prefix + '.')), columns = await Promise.all(names.map(column));
  return (columns[0] || []).map((_, i) => Object.fromEntries(names.map((n, j) => [n.slice(prefix.length + 1), columns[j][i]])));
}

// ---- A study ----

const page = { head: JSON.parse($('head').textContent) };

// A dimension: what a run has a value of. code[i]: which one point i has.
function dimension(key, label, values) {
  const known = new Map(), code = new Int32Array(values.length);
  values.forEach((v, i) => {
    if (!known.has(v)) known.set(v, known.size);
    code[i] = known.get(v);
  });
  return { key, label, code, values: [...known.keys()], on: new Set(known.values()) };
}
async function readStudy(row) {
  const p = 'point' + row.id;
  const [n, run, workload, scheme, config, axes, baseline, group] = await Promise.all(
    ['n', 'run', 'workload', 'scheme', 'config', 'axes', 'baseline', 'group'].map(c => column(`${p}.${c}`)));
  const place = new Map(n.map((x, i) => [x, i])), parsed = new Map();
  for (const a of axes) if (!parsed.has(a)) parsed.set(a, JSON.parse(a));
  const s = {
    row, n, count: n.length, run: Int32Array.from(run, id => page.index.get(id)),
    base: Int32Array.from(baseline, b => b == null || !place.has(b) ? -1 : place.get(b)),
    dims: [dimension('workload', 'workload', workload), dimension('scheme', 'scheme', scheme), dimension('config', 'configuration', config)],
  };
  if (group.length) s.dims.push(dimension('group', 'group', group.map(g => g ?? '')));
  const keys = new Set([...parsed.values()].flatMap(Object.keys));
  for (const k of keys) s.dims.push(dimension(k, k, axes.map(a => parsed.get(a)[k] ?? '')));
  s.axes = [...keys];
  s.hasBaseline = s.base.some(b => b >= 0);
  s.references = await rows('reference' + row.id);
  s.plots = (await rows('plot' + row.id)).map(x => ({ ...x, schemes: x.schemes ? x.schemes.split(' ') : null, mean: 'auto' }));
  if (!s.plots.length) s.plots = defaultPlots(s);
  return s;
}
const dim = (s, key) => s.dims.find(d => d.key === key) || s.dims[0];
const varies = (s, key) => s.dims.some(d => d.key === key && d.values.length > 1);
const numeric = d => d.values.every(v => v !== '' && isFinite(v));
function defaultPlots(s) {
  const relative = s.hasBaseline ? 'baseline' : 'no';
  const color = ['scheme', 'config', ...s.axes].find(k => varies(s, k)) || 'scheme';
  const plot = (kind, x, c) => ({ kind, x, color: c, y: 'ipc', relative, mean: 'auto', schemes: null });
  const list = [plot('bar', 'workload', color)];
  for (const k of s.axes)
    if (varies(s, k) && numeric(dim(s, k)))
      list.push(plot('line', k, ['scheme', 'config', 'workload'].find(c => varies(s, c)) || 'scheme'));
  return list;
}
// Which points the filters leave.
function mask(s) {
  const m = new Uint8Array(s.count).fill(1);
  for (const d of s.dims)
    if (d.on.size < d.values.length)
      for (let i = 0; i < s.count; i++) if (!d.on.has(d.code[i])) m[i] = 0;
  return m;
}

// ---- What a plot shows ----

const quantity = p => p.relative === 'baseline' ? `${p.y} over the baseline` : p.relative === 'inverse' ? `baseline's ${p.y} over the run's` : p.y;
const plotTitle = (s, p) => p.title || `${quantity(p)} by ${dim(s, p.x).label}`;
const unitOf = p => p.relative === 'no' ? (page.statistic.get(p.y) || {}).unit : 'ratio';
// The value of a statistic at each point; null: none.
async function valuesOf(s, p) {
  const c = await column('stat.' + p.y);
  const own = i => c[s.run[i]] ?? null;
  if (p.relative === 'no') return own;
  return i => {
    const b = s.base[i] < 0 ? null : own(s.base[i]), v = own(i);
    if (b == null || v == null) return null;
    const q = p.relative === 'baseline' ? v / b : b / v;
    return isFinite(q) ? q : null;
  };
}
function meanOf(values, how) {
  if (values.length === 1) return values[0];
  if (how === 'geometric')
    return values.every(v => v > 0) ? Math.exp(values.reduce((a, v) => a + Math.log(v), 0) / values.length) : null;
  return values.reduce((a, v) => a + v, 0) / values.length;
}
const howOf = p => p.mean === 'geometric' || p.mean === 'arithmetic' ? p.mean : p.relative === 'no' ? 'arithmetic' : 'geometric';
// Cells: a bar or a point of a line each, of all runs that share x and colour.
async function cellsOf(s, p) {
  const value = await valuesOf(s, p), m = mask(s), dx = dim(s, p.x), dc = dim(s, p.color), how = howOf(p);
  const scheme = dim(s, 'scheme'), kept = p.schemes && new Set(p.schemes), cells = new Map();
  const withMean = p.kind === 'bar' && p.x === 'workload' && dx.values.length > 1;
  const put = (x, c, i, v) => {
    const key = x + '\0' + c;
    if (!cells.has(key)) cells.set(key, { x, c, values: [], points: [] });
    const to = cells.get(key);
    to.values.push(v);
    to.points.push(i);
  };
  for (let i = 0; i < s.count; i++) {
    if (!m[i] || (kept && !kept.has(scheme.values[scheme.code[i]]))) continue;
    const v = value(i);
    if (v == null) continue;
    put(dx.values[dx.code[i]], dc.values[dc.code[i]], i, v);
    if (withMean) put(MEAN, dc.values[dc.code[i]], i, v);
  }
  const list = [...cells.values()].map(o => ({ ...o, y: meanOf(o.values, how), runs: o.values.length })).filter(o => o.y != null);
  const order = p.kind === 'line' && numeric(dx) ? (a, b) => a - b : (a, b) => dx.values.indexOf(a) - dx.values.indexOf(b);
  const xs = [...new Set(list.map(o => o.x))].filter(x => x !== MEAN).sort(order);
  if (withMean && xs.length > 1) xs.push(MEAN);
  const cs = dc.values.filter(c => list.some(o => o.c === c));
  return { list: list.filter(o => xs.includes(o.x)), xs, cs, how, references: referencesOf(s, p, xs, cs) };
}
// Published figures of this quantity that have a place in the plot.
function referencesOf(s, p, xs, cs) {
  const names = [quantity(p), p.title, p.name].filter(Boolean).map(t => t.toLowerCase()), list = [];
  for (const r of s.references) {
    const all = r.group === '' || r.group === 'all';
    if (!names.includes(r.quantity.toLowerCase())) continue;
    const x = p.x === 'scheme' ? r.scheme : all ? MEAN : xs.find(v => v === r.group || String(v).split(':')[0] === r.group);
    const c = p.color === 'scheme' ? r.scheme : cs.length === 1 ? cs[0] : null;
    if (xs.includes(x) && cs.includes(c)) list.push({ x, c, y: r.value, paper: r });
  }
  return list;
}

// ---- Vega ----

const text = { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
function colourScale(cs) {
  const many = cs.length > COLOURS.length;
  return { name: 'color', type: 'ordinal', domain: cs, range: many ? { scheme: 'viridis', count: cs.length } : COLOURS };
}
function frame(s, p, d) {
  const longest = Math.max(0, ...d.xs.map(x => String(x).length)), one = p.relative !== 'no';
  return {
    $schema: 'https://vega.github.io/schema/vega/v5.json', height: 260, padding: 6, autosize: 'pad', config: { background: null },
    legends: d.cs.length > 1 ? [{ fill: 'color', orient: 'top', direction: 'horizontal', columns: 8, symbolType: 'square', labelFontSize: 12, labelLimit: 260,
      title: dim(s, p.color).label, titleFontSize: 12 }] : [],
    data: [{ name: 'cells', values: d.list.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y })) },
      { name: 'papers', values: d.references.map((o, i) => ({ i, x: o.x, c: o.c, y: o.y, paper: true })) },
      { name: 'one', values: one ? [{ y: 1 }] : [] }],
    axes: [{ orient: 'left', scale: 'y', grid: true, tickCount: 6, title: `${quantity(p)} [${unitOf(p)}]`, ...text },
      { orient: 'bottom', scale: 'x', title: dim(s, p.x).label, labelAngle: longest * d.xs.length > 110 ? -40 : 0,
        labelAlign: longest * d.xs.length > 110 ? 'right' : 'center', labelLimit: 150, ...text }],
  };
}
const hover = { update: { tooltip: { signal: 'datum' } } };
const oneRule = { type: 'rule', name: 'unity', interactive: false, from: { data: 'one' }, encode: { enter: { x: { value: 0 }, x2: { signal: 'width' },
  y: { scale: 'y', field: 'y' }, stroke: { value: '#444' }, strokeDash: { value: [4, 3] } } } };
function papers(x) {
  return { type: 'symbol', name: 'paper', from: { data: 'papers' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, shape: { value: 'diamond' },
    size: { value: 70 }, stroke: { value: '#000' }, strokeWidth: { value: 1.5 }, fill: { value: '#fff' } }, ...hover } };
}
const fields = ['cells', 'papers', 'one'].map(data => ({ data, field: 'y' }));
function barSpec(s, p, d, width) {
  const x = { scale: 'x', field: 'x', offset: { scale: 'in', field: 'c' } };
  return { ...frame(s, p, d), width: Math.max(width, d.xs.length * (d.cs.length + 1) * 5),
    scales: [{ name: 'x', type: 'band', domain: d.xs, range: 'width', paddingInner: 0.2, paddingOuter: 0.1 },
      { name: 'in', type: 'band', domain: d.cs, range: [0, { signal: "bandwidth('x')" }] },
      { name: 'y', type: 'linear', domain: { fields }, range: 'height', nice: true, zero: true }, colourScale(d.cs)],
    marks: [{ type: 'rect', name: 'bars', from: { data: 'cells' }, encode: { enter: { x, width: { scale: 'in', band: 0.92 }, y: { scale: 'y', field: 'y' },
      y2: { scale: 'y', value: 0 }, fill: { scale: 'color', field: 'c' } }, ...hover } }, oneRule,
    papers({ ...x, band: undefined, offset: { scale: 'in', field: 'c', band: 0.5, offset: 0 } })] };
}
function lineSpec(s, p, d, width) {
  const numbers = d.xs.every(x => isFinite(x)), x = { scale: 'x', field: 'x' };
  const log = numbers && d.xs[0] > 0 && d.xs.length > 3 && d.xs[d.xs.length - 1] / d.xs[0] >= 16;
  const spec = frame(s, p, d);
  if (numbers && d.xs.length <= 16) spec.axes[1].values = d.xs;
  if (numbers) spec.axes[1].format = 'd';
  const shape = { enter: { x, y: { scale: 'y', field: 'y' }, size: { value: 60 }, fill: { scale: 'color', field: 'c' } }, ...hover };
  return { ...spec, width,
    scales: [numbers ? { name: 'x', type: log ? 'log' : 'linear', base: log ? 2 : undefined, domain: [d.xs[0], d.xs[d.xs.length - 1]], range: 'width', zero: false, padding: 12 }
      : { name: 'x', type: 'point', domain: d.xs, range: 'width', padding: 0.5 },
    { name: 'y', type: 'linear', domain: { fields }, range: 'height', nice: true, zero: false }, colourScale(d.cs)],
    marks: [{ type: 'group', from: { facet: { name: 'line', data: 'cells', groupby: 'c' } }, marks: [
      { type: 'line', interactive: false, from: { data: 'line' }, sort: { field: 'datum.x' }, encode: { enter: { x, y: { scale: 'y', field: 'y' }, strokeWidth: { value: 2 },
        stroke: { scale: 'color', field: 'c' } } } },
      { type: 'symbol', name: 'dots', from: { data: 'line' }, encode: shape }] }, oneRule, papers(x)] };
}
const rowOf = (k, v) => h('tr', {}, h('td', {}, k), h('td', {}, v == null ? '' : String(v)));
const pointName = (s, i) => s.dims.filter(d => d.values.length > 1).map(d => (d.key === d.label && !d.key.includes('.') ? '' : d.key + '=') + d.values[d.code[i]]).join(' ');
function place(event) {
  const tip = $('tip'), w = document.documentElement.clientWidth;
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(event.pageX + 14, scrollX + w - tip.offsetWidth - 8)) + 'px';
  tip.style.top = event.pageY + 16 + 'px';
}
// Draws into a box. about(datum): what the tooltip says, or nothing; click(datum).
async function draw(box, spec, about, click) {
  const old = box.view;
  let now = null;
  const tooltip = async (_, event, __, value) => {
    now = value && isNumber(value.i) ? value : null;
    if (!now) return void ($('tip').hidden = true);
    const content = await about(now);
    if (now !== value) return;
    $('tip').replaceChildren(...content);
    place(event);
  };
  box.replaceChildren();
  if (old) old.finalize();
  box.view = new View(parse(spec), { renderer: 'svg', container: box, hover: false, tooltip });
  if (click) box.view.addEventListener('click', (_, item) => item && item.datum && isNumber(item.datum.i) && click(item.datum));
  await box.view.runAsync();
}

// ---- A plot with its table ----

async function aboutCell(s, p, o) {
  const i = o.points[0], list = [h('b', {}, `${quantity(p)}: ${o.y}`)];
  if (o.runs > 1) list.push(h('p', { class: 'note' }, `${howOf(p)} mean of ${o.runs} runs, the first of them:`));
  const command = (await column('run.command'))[s.run[i]];
  const stat = (await column('stat.' + p.y));
  list.push(h('table', {}, rowOf('run', s.n[i]), ...s.dims.filter(d => d.values[d.code[i]] !== '').map(d => rowOf(d.label, d.values[d.code[i]])),
    rowOf(p.y, stat[s.run[i]]), p.relative !== 'no' ? rowOf('baseline: run ' + s.n[s.base[i]], stat[s.run[s.base[i]]]) : null), h('code', {}, command || ''));
  return list;
}
const aboutPaper = (p, o) => [h('b', {}, `${o.paper.quantity}: ${o.y}`), h('table', {}, rowOf('published in', o.paper.seed), rowOf('figure', o.paper.figure),
  rowOf('scheme', o.paper.scheme), rowOf('group', o.paper.group))];
function plotRows(s, p, d) {
  const head = [dim(s, p.x).label, dim(s, p.color).label, quantity(p), 'runs', 'published'];
  return [head, ...d.xs.flatMap(x => d.cs.flatMap(c => {
    const o = d.list.find(e => e.x === x && e.c === c), r = d.references.find(e => e.x === x && e.c === c);
    return o ? [[x === MEAN ? d.how + ' mean' : x, c, o.y, o.runs, r ? r.y : null]] : [];
  }))];
}
// Fills a figure: what is drawn is `figure.shown`, for tests and for downloads.
async function showPlot(s, p, figure) {
  const d = await cellsOf(s, p), chart = figure.querySelector('.chart'), note = figure.querySelector('.note');
  figure.shown = { plot: p, rows: plotRows(s, p, d) };
  figure.querySelector('figcaption').textContent = plotTitle(s, p);
  const most = Math.max(0, ...d.list.map(o => o.runs).filter((_, i) => d.list[i].x !== MEAN));
  note.textContent = !d.list.length ? 'No run that the filters leave has such a value.'
    : d.list.length > MOST_MARKS ? `${d.list.length} values are too many to draw: filter them, or look at the table.`
    : (most > 1 ? `Each ${p.kind === 'bar' ? 'bar' : 'point'}: ${d.how} mean of up to ${most} runs. ` : '') + (d.references.length ? 'Diamonds: published figures.' : '');
  if (!d.list.length || d.list.length > MOST_MARKS) {
    if (chart.view) chart.view.finalize();
    chart.view = null;
    chart.replaceChildren();
  } else {
    const width = Math.max(320, Math.min(1300, $('plots').clientWidth || 1000) - 90);
    await draw(chart, (p.kind === 'line' ? lineSpec : barSpec)(s, p, d, width),
      v => v.paper ? aboutPaper(p, d.references[v.i]) : aboutCell(s, p, d.list[v.i]), v => v.paper || showRun(s, d.list[v.i].points[0]));
  }
  if (figure.querySelector('details').open) showPlotTable(figure);
}
function showPlotTable(figure) {
  const [head, ...body] = figure.shown.rows;
  figure.querySelector('.table').replaceChildren(table(head, body.slice(0, 2000).map(r => h('tr', {}, ...r.map(cell)))));
}
function makeFigure(s, p) {
  const name = () => `${s.row.name}-${plotTitle(s, p)}`.replace(/[^A-Za-z0-9.-]+/g, '_');
  const figure = h('figure', {}, h('figcaption'), h('p', { class: 'note' }), h('div', { class: 'chart' }),
    h('div', { class: 'row tools' },
      h('button', { onclick: async () => { const v = figure.querySelector('.chart').view; if (v) download(name() + '.svg', 'image/svg+xml', await v.toSVG()); } }, 'SVG'),
      h('button', { onclick: () => download(name() + '.csv', 'text/csv', csv(figure.shown.rows)) }, 'CSV')),
    h('details', { class: 'tools', ontoggle: () => figure.querySelector('details').open && showPlotTable(figure) }, h('summary', {}, 'Table'), h('div', { class: 'table' })));
  return figure;
}

// ---- Your own plot ----

function statisticOptions() {
  const parts = new Map();
  for (const x of page.statistic.values())
    if (!elements.get('stat.' + x.name)?.hasAttribute('data-zero')) {
      if (!parts.has(x.part)) parts.set(x.part, []);
      parts.get(x.part).push([x.name, x.name, `${x.unit}: ${x.meaning}`]);
    }
  return [...parts].map(([group, options]) => ({ group, options }));
}
function showOwn(s) {
  const p = page.own, again = k => v => { p[k] = v; p.title = null; meaning(); showPlot(s, p, figure); };
  const dims = s.dims.filter(d => d.values.length > 1 || d.key === 'workload' || d.key === 'scheme').map(d => [d.key, d.label]);
  const about = h('p', { class: 'note' }), figure = makeFigure(s, p);
  const meaning = () => { const x = page.statistic.get(p.y); about.textContent = x ? `${x.name} [${x.unit}]: ${x.meaning}` : ''; };
  $('own').replaceChildren(h('h2', {}, 'Your own plot'), h('div', { class: 'row' },
    select('Statistic', statisticOptions(), p.y, again('y')),
    select('Relative to the baseline', [['no', 'no'], ...(s.hasBaseline ? [['baseline', 'run / baseline'], ['inverse', 'baseline / run']] : [])], p.relative, again('relative')),
    select('As', [['bar', 'bars'], ['line', 'lines']], p.kind, again('kind')), select('Over', dims, p.x, again('x')), select('Colour', dims, p.color, again('color')),
    select('Mean', [['auto', 'by the quantity'], ['geometric', 'geometric'], ['arithmetic', 'arithmetic']], p.mean, again('mean'))), about, figure);
  meaning();
  return showPlot(s, p, figure);
}

// ---- Filters ----

function showFilters(s) {
  const box = h('div', { class: 'choices' }), count = h('span');
  const changed = async () => { count.textContent = `${mask(s).reduce((a, v) => a + v, 0)} of ${s.count} runs`; await showFiltered(s); };
  for (const d of s.dims.filter(x => x.values.length > 1)) {
    const values = h('div', { class: 'values' });
    const all = on => { d.on = new Set(on ? d.values.keys() : []); values.querySelectorAll('input').forEach(i => { i.checked = on; }); return changed(); };
    d.values.forEach((v, i) => values.append(h('label', {}, h('input', { type: 'checkbox', checked: d.on.has(i), 'data-value': v,
      onchange: e => { e.target.checked ? d.on.add(i) : d.on.delete(i); return changed(); } }), ' ' + v)));
    box.append(h('fieldset', { 'data-dimension': d.key }, h('legend', {}, d.label), h('div', { class: 'row' },
      h('button', { onclick: () => all(true) }, 'all'), h('button', { onclick: () => all(false) }, 'none')), values));
  }
  count.textContent = `${mask(s).reduce((a, v) => a + v, 0)} of ${s.count} runs`;
  $('filters').replaceChildren(h('details', {}, h('summary', {}, 'Filters: ', count), box));
}

// ---- Runs ----

async function showRuns(s) {
  const t = page.table, m = mask(s), y = page.own.y, stat = await column('stat.' + y);
  const [state, message, end, seconds] = await Promise.all(['state', 'message', 'end', 'seconds'].map(c => column('run.' + c)));
  const over = await valuesOf(s, { y, relative: 'baseline' });
  const columns = [['run', i => s.n[i]], ...s.dims.filter(d => d.values.length > 1).map(d => [d.label, i => d.values[d.code[i]]]),
    ['state', i => state[s.run[i]] + (end[s.run[i]] && end[s.run[i]] !== 'done' ? ` (${end[s.run[i]]})` : '')], [y, i => stat[s.run[i]] ?? null],
    ...(s.hasBaseline ? [[y + ' over the baseline', over]] : []), ['seconds', i => seconds[s.run[i]]], ['message', i => message[s.run[i]]]];
  let list = [...Array(s.count).keys()].filter(i => m[i]);
  if (t.sort < columns.length && t.sort > 0) {
    const key = list.map(columns[t.sort][1]), at = new Map(list.map((i, k) => [i, key[k]]));
    list.sort((a, b) => { const x = at.get(a), z = at.get(b); return t.way * (x == null ? 1 : z == null ? -1 : x < z ? -1 : x > z ? 1 : a - b); });
  } else if (t.way < 0) list.reverse();
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  t.page = Math.min(t.page, pages - 1);
  const go = by => () => { t.page += by; showRuns(s); };
  const title = (name, k) => h('button', { onclick: () => { t.way = t.sort === k ? -t.way : 1; t.sort = k; showRuns(s); } }, name + (t.sort === k ? (t.way > 0 ? ' \u25b2' : ' \u25bc') : ''));
  const body = list.slice(t.page * PAGE, (t.page + 1) * PAGE).map(i => h('tr', state[s.run[i]] === 'failed' ? { class: 'bad' } : {},
    h('td', {}, h('button', { onclick: () => showRun(s, i) }, String(s.n[i]))), ...columns.slice(1, -1).map(c => cell(c[1](i))), h('td', message[s.run[i]] ? { class: 'message' } : {}, message[s.run[i]] || '')));
  $('runs').replaceChildren(h('h2', {}, 'Runs'), h('div', { class: 'row tools' },
    h('button', { onclick: go(-1), disabled: t.page === 0 }, 'Back'), h('span', {}, `page ${t.page + 1} of ${pages}`),
    h('button', { onclick: go(1), disabled: t.page + 1 >= pages }, 'Forward'),
    h('button', { onclick: async () => {
      const command = await column('run.command');
      download(s.row.name + '.csv', 'text/csv', csv([[...columns.map(c => c[0]), 'command'], ...list.map(i => [...columns.map(c => c[1](i)), command[s.run[i]]])]));
    } }, 'CSV')), h('div', { class: 'table' }, table(columns.map((c, k) => title(c[0], k)), body)));
}

// ---- A run ----

// Groups of statistics that make up a whole: where issue slots, the time of loads and refused cycles went.
function wholes() {
  const list = [{ title: 'Issue slots of the schedulers', unit: 'issue slots', of: [] }, { title: 'Time of loads', unit: 'SM cycles', of: [] }], refusals = new Map();
  for (const { name, unit, kind } of page.statistic.values()) {
    const refused = /^(.*?)_?(?:rf|stalls)_(.+)$/.exec(name);
    if (name === 'warp_insts') list[0].of.unshift([name, 'issued']);
    else if (/^slots_/.test(name)) list[0].of.push([name, name.slice(6)]);
    else if (/^load_in_/.test(name)) list[1].of.push([name, name.slice(8)]);
    else if (kind === 'counter' && unit === 'refused cycles' && refused) {
      if (!refusals.has(refused[1])) refusals.set(refused[1], []);
      refusals.get(refused[1]).push([name, refused[2]]);
    }
  }
  return [...list, ...[...refusals].map(([part, of]) => ({ title: `Refusals of ${part}, by reason`, unit: 'refused cycles', of }))];
}
async function stack(s, i, whole, box) {
  const which = [[`run ${s.n[i]}`, i], ...(s.base[i] >= 0 && s.base[i] !== i ? [[`baseline: run ${s.n[s.base[i]]}`, s.base[i]]] : [])], bars = [];
  const columns = await Promise.all(whole.of.map(([name]) => column('stat.' + name)));
  for (const [label, at] of which) {
    let from = 0;
    whole.of.forEach(([name, reason], k) => {
      const v = columns[k][s.run[at]];
      if (v) bars.push({ i: bars.length, label, name, reason, v, x0: from, x1: from += v });
    });
  }
  if (!bars.length) return;
  const figure = h('figure', {}, h('figcaption', {}, whole.title), h('div', { class: 'chart' })), reasons = whole.of.map(o => o[1]).filter(r => bars.some(b => b.reason === r));
  box.append(figure);
  const spec = { $schema: 'https://vega.github.io/schema/vega/v5.json', width: Math.max(320, Math.min(1300, box.clientWidth || 1000) - 190), height: 26 * which.length, padding: 6, config: { background: null },
    data: [{ name: 'bars', values: bars }],
    scales: [{ name: 'x', type: 'linear', domain: [0, Math.max(...bars.map(b => b.x1))], range: 'width' }, { name: 'y', type: 'band', domain: which.map(w => w[0]), range: 'height', padding: 0.15 },
      colourScale(reasons)],
    axes: [{ orient: 'bottom', scale: 'x', title: whole.unit, tickCount: 8, ...text }, { orient: 'left', scale: 'y', ...text }],
    legends: [{ fill: 'color', orient: 'top', direction: 'horizontal', columns: 10, symbolType: 'square', labelFontSize: 12 }],
    marks: [{ type: 'rect', from: { data: 'bars' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'label' }, height: { scale: 'y', band: 1 },
      fill: { scale: 'color', field: 'reason' } }, ...hover } }] };
  await draw(figure.querySelector('.chart'), spec, b => [h('b', {}, `${b.name}: ${b.v}`), h('p', { class: 'note' }, page.statistic.get(b.name).meaning)]);
}
async function showRun(s, i) {
  const box = $('run'), r = s.run[i], names = [...page.statistic.keys()].filter(n => !elements.get('stat.' + n)?.hasAttribute('data-zero'));
  const get = async c => (await column('run.' + c))[r];
  const [command, state, message, version, host, seconds, memory, end] = await Promise.all(['command', 'state', 'message', 'version', 'host', 'seconds', 'peak_rss_kib', 'end'].map(get));
  const stats = h('div', { class: 'table' }), charts = h('div');
  const fill = async () => {
    const columns = await Promise.all(names.map(n => column('stat.' + n))), b = s.base[i];
    stats.replaceChildren(table(['statistic', 'value', ...(b >= 0 ? ['baseline'] : []), 'unit', 'part', 'meaning'], names.flatMap((n, k) => {
      const x = page.statistic.get(n), v = columns[k][r] ?? null, w = b >= 0 ? columns[k][s.run[b]] ?? null : null;
      return v || w ? [h('tr', {}, cell(n), cell(v), b >= 0 ? cell(w) : null, cell(x.unit), cell(x.part), cell(x.meaning))] : [];
    })));
  };
  box.hidden = false;
  box.replaceChildren(h('h2', { tabindex: '-1' }, `Run ${s.n[i]}: ${pointName(s, i)}`),
    h('p', {}, h('code', {}, command || ''), ' ', h('button', { onclick: () => navigator.clipboard.writeText(command) }, 'Copy')),
    h('p', { class: state === 'failed' ? 'bad' : 'note' }, [state + (end && end !== 'done' ? ` (${end})` : ''), message, version && 'memtwin ' + version, host && 'on ' + host,
      seconds != null && `${short(seconds)} s`, memory && `${short(memory / 1024)} MiB`].filter(Boolean).join(', ')),
    charts, h('details', { ontoggle: e => e.target.open && fill() }, h('summary', {}, 'Every statistic that is not 0'), stats));
  for (const whole of wholes()) await stack(s, i, whole, charts);
  const title = box.querySelector('h2');
  title.scrollIntoView({ block: 'start' });
  title.focus({ preventScroll: true });
}

// ---- Published figures ----

async function showReferences(s) {
  if (!s.references.length) return $('references').replaceChildren();
  const ours = new Map();
  for (const p of [...s.plots, page.own]) {
    const d = await cellsOf(s, p);
    for (const o of d.references) ours.set(o.paper, d.list.find(e => e.x === o.x && e.c === o.c)?.y);
  }
  $('references').replaceChildren(h('h2', {}, 'Published figures'), h('div', { class: 'table' }, table(['publication', 'figure', 'quantity', 'scheme', 'group', 'published', 'ours'],
    s.references.map(r => h('tr', {}, ...[r.seed, r.figure, r.quantity, r.scheme, r.group, r.value, ours.get(r) ?? null].map(cell))))));
}

// ---- The page ----

async function showFiltered(s) {
  const figures = [...$('plots').querySelectorAll('figure')];
  for (let k = 0; k < figures.length; k++) await showPlot(s, s.plots[k], figures[k]);
  await showPlot(s, page.own, $('own').querySelector('figure'));
  await showReferences(s);
  await showRuns(s);
}
async function showStudy(row) {
  const s = page.study = await readStudy(row), state = await column('run.state'), counts = {};
  for (const r of s.run) counts[state[r]] = (counts[state[r]] || 0) + 1;
  $('about').textContent = `${page.head.database}, ${s.count} runs: ${Object.entries(counts).map(([k, v]) => `${v} ${k}`).join(', ')}; memtwin ${page.head.made}`;
  document.title = `${row.name}: MemTwin report`;
  page.own = { ...s.plots[0], title: null, name: null, schemes: null };
  page.table = { page: 0, sort: 0, way: 1 };
  $('run').hidden = true;
  showFilters(s);
  $('plots').replaceChildren(h('h2', {}, row.name), ...s.plots.map(p => makeFigure(s, p)));
  await showOwn(s);
  await showFiltered(s);
}
async function start() {
  const [studies, statistics, ids] = await Promise.all([rows('study'), rows('statistic'), column('run.id')]);
  page.statistic = new Map(statistics.map(x => [x.name, x]));
  page.index = new Map(ids.map((id, i) => [id, i]));
  $('study').append(...studies.map(x => h('option', { value: x.id }, x.name)));
  $('study').addEventListener('change', () => showStudy(studies.find(x => x.id === +$('study').value)));
  await showStudy(studies[0]);
  page.ready = performance.now(); // ms since the page was asked for
  document.body.dataset.ready = Math.round(page.ready);
}
// For tests: what is shown, as it is.
window.memtwin = { page, showPlot, showRuns, showFiltered, showRun };
start().catch(e => { $('about').textContent = 'This page cannot be shown: ' + e.message; console.error(e); });
