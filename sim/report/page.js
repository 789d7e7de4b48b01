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
  const packed = atob(e.textContent), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(bytes[0] === 0x1f ? 'gzip' : 'deflate'));
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
    row, n, count: n.length, members: new Map(), run: Int32Array.from(run, id => page.index.get(id)),
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
const nameOf = (dims, i) => dims.map(d => (d.key === d.label && !d.key.includes('.') ? '' : d.key + '=') + d.values[d.code[i]]).join(' ');
const pointName = (s, i) => nameOf(s.dims.filter(d => d.values.length > 1), i);
// Whether each value of a dimension comes with one value of another: values of an axis that go together, workloads of a group.
function goesWith(d, other) {
  const seen = new Int32Array(d.values.length).fill(-1);
  return d.code.every((c, i) => (seen[c] < 0 ? (seen[c] = other.code[i]) : seen[c]) === other.code[i]);
}
// What a mean is over: the dimensions that the plot does not show. code[i]: which of the `size` combinations of their values point i has.
function membersOf(s, shown) {
  const key = shown.map(d => d.key).join('\0');
  if (s.members.has(key)) return s.members.get(key);
  const dims = s.dims.filter(d => d.values.length > 1 && !shown.some(other => goesWith(d, other)));
  const members = { dims, code: new Int32Array(s.count), size: 1 };
  for (const d of dims) {
    const known = new Map();
    for (let i = 0; i < s.count; i++) {
      const pair = members.code[i] * d.values.length + d.code[i];
      let c = known.get(pair);
      if (c === undefined) known.set(pair, c = known.size);
      members.code[i] = c;
    }
    members.size = known.size;
  }
  s.members.set(key, members);
  return members;
}
// How many of the cells have each combination.
function countMembers(cells, { code, size }) {
  const count = new Int32Array(size), last = new Int32Array(size).fill(-1);
  cells.forEach((o, k) => {
    for (const i of o.points)
      if (last[code[i]] !== k) {
        last[code[i]] = k;
        count[code[i]]++;
      }
  });
  return count;
}
// Cells that are compared with each other are means over the same: each loses what another one lacks (a run failed, was cut off). To
// `left`: the names of what is left out. If nothing would be left they stay as they are: false.
function makeEqual(cells, members, name, left) {
  const { code } = members, count = countMembers(cells, members), lacks = c => c > 0 && c < cells.length;
  if (!count.some(lacks)) return true;
  if (!count.includes(cells.length)) return false;
  for (const o of cells) {
    const keep = o.points.map(i => !lacks(count[code[i]]));
    o.points.forEach((i, k) => keep[k] || left.add(name(i)));
    o.values = o.values.filter((_, k) => keep[k]);
    o.points = o.points.filter((_, k) => keep[k]);
  }
  return true;
}
// Bars of a workload, or of a group, are compared with each other, and its means; all else with all.
function makeFair(s, p, cells, dx, dc) {
  const left = new Set(), sets = new Map(), bySelf = p.x === 'workload' || p.x === 'group';
  for (const o of cells) {
    const key = o.x === MEAN ? MEAN : bySelf ? 'x' + o.x : '';
    if (!sets.has(key)) sets.set(key, []);
    sets.get(key).push(o);
  }
  const equal = [...sets].map(([key, list]) => {
    const members = membersOf(s, key === MEAN ? [dc] : [dx, dc]), dims = key && key !== MEAN ? [dx, ...members.dims] : members.dims;
    return makeEqual(list, members, i => nameOf(dims, i), left);
  });
  return { left: [...left], equal: equal.every(e => e) };
}
// The values that a plot shows, of all runs that share x and colour together.
async function gather(s, p, dx, dc, withMean) {
  const value = await valuesOf(s, p), m = mask(s), scheme = dim(s, 'scheme'), kept = p.schemes && new Set(p.schemes), cells = new Map();
  const put = (key, x, c, i, v) => {
    if (!cells.has(key)) cells.set(key, { x, c, values: [], points: [] });
    const to = cells.get(key);
    to.values.push(v);
    to.points.push(i);
  };
  for (let i = 0; i < s.count; i++) {
    if (!m[i] || (kept && !kept.has(scheme.values[scheme.code[i]]))) continue;
    const v = value(i), c = dc.code[i], x = dx.code[i];
    if (v == null) continue;
    put(x * dc.values.length + c, dx.values[x], dc.values[c], i, v);
    if (withMean) put(-1 - c, MEAN, dc.values[c], i, v);
  }
  return [...cells.values()];
}
// Cells: a bar or a point of a line each.
async function cellsOf(s, p) {
  const dx = dim(s, p.x), dc = dim(s, p.color), how = howOf(p), withMean = p.kind === 'bar' && p.x === 'workload' && dx.values.length > 1;
  const cells = await gather(s, p, dx, dc, withMean), fair = makeFair(s, p, cells, dx, dc);
  const list = cells.map(o => ({ ...o, y: meanOf(o.values, how), runs: o.values.length })).filter(o => o.y != null);
  const place = new Map(dx.values.map((x, k) => [x, k])), order = p.kind === 'line' && numeric(dx) ? (a, b) => a - b : (a, b) => place.get(a) - place.get(b);
  const xs = [...new Set(list.map(o => o.x))].filter(x => x !== MEAN).sort(order), colours = new Set(list.map(o => o.c));
  if (withMean && xs.length > 1) xs.push(MEAN);
  const cs = dc.values.filter(c => colours.has(c)), shown = new Set(xs);
  return { list: list.filter(o => shown.has(o.x)), xs, cs, how, ...fair, references: referencesOf(s, p, xs, cs) };
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
  const at = o => o.x + '\0' + o.c, cells = new Map(d.list.map(o => [at(o), o])), published = new Map(d.references.map(r => [at(r), r.y]));
  const head = [dim(s, p.x).label, dim(s, p.color).label, quantity(p), 'runs', 'published'];
  return [head, ...d.xs.flatMap(x => d.cs.flatMap(c => {
    const o = cells.get(at({ x, c }));
    return o ? [[x === MEAN ? d.how + ' mean' : x, c, o.y, o.runs, published.get(at(o)) ?? null]] : [];
  }))];
}
// How many runs the values are of.
function countOf(list, what) {
  const n = list.map(o => o.runs), least = Math.min(...n), most = Math.max(...n);
  return most > 1 ? `${what} of ${least === most ? most : `${least} to ${most}`} runs. ` : '';
}
function noteOf(s, p, d) {
  if (!d.list.length) return 'No run that the filters leave has such a value.';
  if (d.list.length > MOST_MARKS) return `${d.list.length} values are too many to draw: filter them, or look at the table.`;
  const means = d.list.filter(o => o.x === MEAN), left = d.left.slice(0, 4).join(', ') + (d.left.length > 4 ? ` and ${d.left.length - 4} more` : '');
  return countOf(d.list.filter(o => o.x !== MEAN), `Each ${p.kind === 'bar' ? 'bar' : 'point'}: ${d.how} mean`) + countOf(means, `The last bars: ${d.how} mean`)
    + (left && `Left out of means, since a result is missing for some ${dim(s, p.color).label}: ${left}. `)
    + (d.equal ? '' : 'Not all means are of the same workloads: see the numbers of runs in the table. ') + (d.references.length ? 'Diamonds: published figures.' : '');
}
// Fills a figure: what is drawn is `figure.shown`, for tests and for downloads.
async function showPlot(s, p, figure) {
  const d = await cellsOf(s, p), chart = figure.querySelector('.chart'), note = figure.querySelector('.note');
  figure.shown = { plot: p, rows: plotRows(s, p, d) };
  figure.querySelector('figcaption').textContent = plotTitle(s, p);
  note.textContent = noteOf(s, p, d);
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
// title(): of the files that are saved from it.
function makeFigure(s, title) {
  const name = () => `${s.row.name}-${title()}`.replace(/[^A-Za-z0-9.-]+/g, '_');
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
    if (!isZero(x.name)) {
      if (!parts.has(x.part)) parts.set(x.part, []);
      parts.get(x.part).push([x.name, x.name, `${x.unit}: ${x.meaning}`]);
    }
  return [...parts].map(([group, options]) => ({ group, options }));
}
function showOwn(s) {
  const p = page.own, again = k => v => { p[k] = v; p.title = null; meaning(); showPlot(s, p, figure); };
  const dims = s.dims.filter(d => d.values.length > 1 || d.key === 'workload' || d.key === 'scheme').map(d => [d.key, d.label]);
  const about = h('p', { class: 'note' }), figure = makeFigure(s, () => plotTitle(s, p));
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

const CUT_OFF = 'cut off';
const stateText = (state, end) => state + (state === 'done' && end === 'cut_off' ? ', to sim.max_cycles' : state === 'done' && end !== 'done' ? ` (${end})` : '');

async function showRuns(s) {
  const t = page.table, m = mask(s), y = page.own.y, stat = await column('stat.' + y);
  const [state, message, end, seconds] = await Promise.all(['state', 'message', 'end', 'seconds'].map(c => column('run.' + c)));
  const over = await valuesOf(s, { y, relative: 'baseline' });
  const columns = [['run', i => s.n[i]], ...s.dims.filter(d => d.values.length > 1).map(d => [d.label, i => d.values[d.code[i]]]),
    ['state', i => stateText(state[s.run[i]], end[s.run[i]])], [y, i => stat[s.run[i]] ?? null],
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

// ---- Where the cycles went ----

const SCHEMA = 'https://vega.github.io/schema/vega/v5.json';
const roomOf = (box, less) => Math.max(320, Math.min(1300, box.clientWidth || 1000) - less);
const isZero = name => !has('stat.' + name) || elements.get('stat.' + name).hasAttribute('data-zero');
// Groups of statistics that make up a whole: issue slots, the time of loads, refusals. of: [statistics, what they are together].
function wholes() {
  const slots = [], loads = [], refusals = new Map();
  for (const { name, unit, kind } of page.statistic.values()) {
    const refused = /^(.*?)_?(?:rf|stalls)_(.+)$/.exec(name);
    if (isZero(name)) continue;
    if (name === 'warp_insts') slots.unshift([[name], 'issued']);
    else if (/^slots_/.test(name)) slots.push([[name], name.slice(6)]);
    else if (/^load_in_/.test(name)) loads.push([[name], name.slice(8)]);
    else if (kind === 'counter' && unit === 'refused cycles' && refused) {
      if (!refusals.has(refused[1])) refusals.set(refused[1], []);
      refusals.get(refused[1]).push([[name], refused[2]]);
    }
  }
  return [{ title: 'Refusals, by part', unit: 'refused cycles', of: [...refusals].map(([part, of]) => [of.map(o => o[0][0]), part]) },
    { title: 'Issue slots of the schedulers', unit: 'issue slots', of: slots }, { title: 'Time of loads', unit: 'SM cycles', of: loads },
    ...[...refusals].map(([part, of]) => ({ title: `Refusals of ${part}, by reason`, unit: 'refused cycles', of }))].filter(w => w.of.length);
}
// A stacked bar for each row, {label, points}: the means over its runs that have values.
async function barsOf(s, whole, rows, share) {
  const columns = await Promise.all(whole.of.map(([names]) => Promise.all(names.map(n => column('stat.' + n))))), bars = [];
  for (const { label, points } of rows) {
    const runs = points.map(i => s.run[i]).filter(r => columns[0][0][r] != null);
    const parts = columns.map(of => of.reduce((sum, c) => sum + sumOf(c, runs), 0) / runs.length), all = parts.reduce((a, v) => a + v, 0);
    let from = 0;
    if (all)
      parts.forEach((v, k) => {
        const shown = share ? 100 * v / all : v;
        if (v) bars.push({ i: bars.length, label, names: whole.of[k][0], reason: whole.of[k][1], v, share: v / all, runs: runs.length, x0: from, x1: from += shown });
      });
  }
  return bars;
}
function sumOf(column, places) {
  let sum = 0;
  for (const r of places) sum += column[r];
  return sum;
}
async function drawStack(chart, whole, bars, share, click) {
  const labels = [...new Set(bars.map(b => b.label))], reasons = whole.of.map(o => o[1]).filter(r => bars.some(b => b.reason === r));
  const longest = Math.max(...labels.map(l => l.length));
  const spec = { $schema: SCHEMA, width: roomOf(chart, Math.min(longest, 30) * 7 + 50), height: 26 * labels.length, padding: 6, config: { background: null },
    data: [{ name: 'bars', values: bars }],
    scales: [{ name: 'x', type: 'linear', domain: [0, Math.max(...bars.map(b => b.x1))], range: 'width' }, { name: 'y', type: 'band', domain: labels, range: 'height', padding: 0.15 },
      colourScale(reasons)],
    axes: [{ orient: 'bottom', scale: 'x', title: share ? `% of ${whole.unit}` : whole.unit, tickCount: 8, ...text }, { orient: 'left', scale: 'y', ...text, labelLimit: 210 }],
    legends: [{ fill: 'color', orient: 'top', direction: 'horizontal', columns: 10, symbolType: 'square', labelFontSize: 12 }],
    marks: [{ type: 'rect', name: 'stack', from: { data: 'bars' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'label' },
      height: { scale: 'y', band: 1 }, fill: { scale: 'color', field: 'reason' } }, ...hover } }] };
  await draw(chart, spec, b => [h('b', {}, `${b.names.length > 1 ? 'refusals of ' + b.reason : b.names[0]}: ${b.v}`),
    h('p', { class: 'note' }, `${short(100 * b.share)} % of ${b.label}${b.runs > 1 ? `, mean of ${b.runs} runs` : ''}`),
    h('p', { class: 'note' }, b.names.length > 1 ? b.names.join(', ') : page.statistic.get(b.names[0]).meaning)], click);
}
// Over all runs that the filters leave.
async function showWhere(s) {
  const list = wholes(), w = page.where, figure = $('where').querySelector('figure'), whole = list.find(x => x.title === w.of) || list[0], d = dim(s, w.by), m = mask(s);
  const groups = d.values.map(v => ({ label: `${v === '' ? s.row.name : v}`, points: [] }));
  for (let i = 0; i < s.count; i++) if (m[i]) groups[d.code[i]].points.push(i);
  const share = w.as === 'share', bars = whole ? await barsOf(s, whole, groups, share) : [], chart = figure.querySelector('.chart');
  const counts = new Set(bars.map(b => b.runs)), some = counts.size > 1;
  figure.shown = { rows: [[d.label, 'part', whole ? whole.unit : '', 'share', 'runs'], ...bars.map(b => [b.label, b.reason, b.v, b.share, b.runs])] };
  figure.querySelector('figcaption').textContent = whole ? `${whole.title}, by ${d.label}` : '';
  figure.querySelector('.note').textContent = !bars.length ? 'No run that the filters leave has such values.'
    : groups.length > 60 ? `${groups.length} bars are too many to draw: see the table.`
    : `Each bar: mean of ${some ? `${Math.min(...counts)} to ${Math.max(...counts)} runs, those that are done: not all bars have the same workloads` : counts.values().next().value + (counts.has(1) ? ' run' : ' runs')}.`;
  if (bars.length && groups.length <= 60) await drawStack(chart, whole, bars, share);
  else { chart.view?.finalize(); chart.view = null; chart.replaceChildren(); }
  if (figure.querySelector('details').open) showPlotTable(figure);
}
function makeWhere(s) {
  const list = wholes(), again = k => v => { page.where[k] = v; return showWhere(s); };
  page.where = { of: list[0]?.title, by: varies(s, 'scheme') ? 'scheme' : (s.dims.find(d => d.values.length > 1) || s.dims[0]).key, as: 'value' };
  $('where').replaceChildren(h('h2', {}, 'Where the cycles went'), h('div', { class: 'row tools' }, select('Of', list.map(w => [w.title, w.title]), page.where.of, again('of')),
    select('By', s.dims.filter(d => d.values.length > 1 || d.key === 'scheme').map(d => [d.key, d.label]), page.where.by, again('by')),
    select('As', [['value', 'mean of a run'], ['share', 'share of the bar']], 'value', again('as'))), makeFigure(s, () => `${page.where.of}-${page.where.by}`));
}

// ---- A run over time ----

const plainFigure = title => h('figure', {}, h('figcaption', {}, title), h('div', { class: 'chart' }));
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
const cyclesAxis = { orient: 'bottom', scale: 'x', title: 'SM cycles', tickCount: 10, format: 'd', ...text };
function drawKernels(chart, series, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 18);
  return draw(chart, { ...frame, data: [{ name: 'kernels', values: series.kernels.map((k, i) => ({ i, ...k })) }],
    scales: [x, { name: 'y', type: 'point', domain: ['kernels'], range: 'height' }],
    axes: [{ ...cyclesAxis, title: null }, { orient: 'left', scale: 'y', ticks: false, domain: false, title: ' ', ...text, ...axisWidth }],
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
    axes: [cyclesAxis, { orient: 'left', scale: 'y', grid: true, tickCount: 4, title: c.unit, ...text, ...axisWidth }],
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
function drawHeat(chart, series, name, width) {
  const { bounds, x, rules, ...frame } = timeFrame(series, width, 0), fields = fieldsOf(series, name);
  const parts = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.index))].sort((a, b) => a - b);
  return draw(chart, { ...frame, height: Math.max(60, parts.length * 12), data: [bounds, { name: 'fields', values: fields }],
    scales: [x, { name: 'y', type: 'band', domain: parts, range: 'height' }, { name: 'color', type: 'linear', domain: [0, 100], range: { scheme: 'viridis' } }],
    axes: [cyclesAxis, { orient: 'left', scale: 'y', title: 'channel', ...text, ...axisWidth, labelFontSize: 10, labelOverlap: true }],
    legends: [{ fill: 'color', type: 'gradient', orient: 'top', direction: 'horizontal', gradientLength: 200, title: `${name} [% ${fields[0]?.unit ?? ''}]`, titleFontSize: 12, labelFontSize: 11 }],
    marks: [{ type: 'rect', name: 'heat', from: { data: 'fields' }, encode: { enter: { x: { scale: 'x', field: 'x0' }, x2: { scale: 'x', field: 'x1' }, y: { scale: 'y', field: 'part' },
      height: { scale: 'y', band: 1 }, fill: { scale: 'color', field: 'share' } }, ...hover } }, rules] },
  f => [h('b', {}, `channel ${f.part}: ${short(f.v)} of ${f.capacity} ${f.unit}`), h('p', { class: 'note' }, `cycles ${f.x0} to ${f.x1}: ${name}`)]);
}
async function showSeries(r, box) {
  const id = 'series.' + page.ids[r];
  if (!has(id)) return;
  const series = await column(id);
  if (series.cycle.length < 2) return;
  box.append(h('h3', {}, 'Over time'), h('p', { class: 'note' }, `${series.cycle.length - 1} samples, one every ${series.period} SM cycles${series.kernels.length ? '; dotted: where kernels begin and end' : ''}.`));
  const add = (title, ...tools) => { const f = plainFigure(title); f.querySelector('figcaption').after(...tools); box.append(f); return f.querySelector('.chart'); };
  const width = roomOf(box, 90);
  if (series.kernels.length) await drawKernels(add('Kernels'), series, width);
  for (const c of chartsOf(series)) await drawLines(add(c.title), series, c, width);
  const gauges = [...new Set(series.tracks.filter(t => t.index != null).map(t => t.name))];
  if (!gauges.length) return;
  const at = gauges.includes('DRAM banks') ? 'DRAM banks' : gauges[0];
  const chart = add('DRAM channels over time', h('div', { class: 'row tools' }, select('Show', gauges.map(g => [g, g]), at, g => drawHeat(chart, series, g, width))));
  await drawHeat(chart, series, at, width);
}

// ---- A run by kernel and part ----

const SCOPES = { kernel: 'kernel launch', sm: 'SM', l2: 'L2 bank', dram: 'DRAM channel' };
const FIRST = { kernel: 'cycles', sm: 'warp_insts', l2: 'l2_accesses', dram: 'dram_bank_cycles' };
async function showDetail(s, r, box) {
  const id = 'detail.' + page.ids[r];
  if (!has(id)) return;
  const [names, ...list] = await column(id), scopes = [...new Set(list.map(row => row[0]))], at = page.detail ||= { scope: scopes[0], y: {} };
  if (!scopes.includes(at.scope)) at.scope = scopes[0];
  const figure = makeFigure(s, () => `run-${r}-${at.scope}-${at.y[at.scope]}`), controls = h('div', { class: 'row tools' }), note = figure.querySelector('.note');
  const show = async () => {
    const of = list.filter(row => row[0] === at.scope), some = names.map((n, k) => k > 2 && of.some(row => row[k])), parts = new Map();
    names.forEach((n, k) => { const x = some[k] && page.statistic.get(n); if (x) parts.set(x.part, [...(parts.get(x.part) || []), [n, n, `${x.unit}: ${x.meaning}`]]); });
    if (!some[names.indexOf(at.y[at.scope])]) at.y[at.scope] = some[names.indexOf(FIRST[at.scope])] ? FIRST[at.scope] : [...parts.values()][0]?.[0][0];
    const y = at.y[at.scope], k = names.indexOf(y), x = page.statistic.get(y);
    const bars = y ? of.map((row, i) => ({ i, x: at.scope === 'kernel' ? `${row[1]} ${row[2]}` : String(row[1]), y: row[k] })) : [];
    controls.replaceChildren(select('By', scopes.map(v => [v, SCOPES[v] || v]), at.scope, v => { at.scope = v; return show(); }),
      select('Statistic', [...parts].map(([group, options]) => ({ group, options })), y, v => { at.y[at.scope] = v; return show(); }));
    figure.shown = { rows: [[SCOPES[at.scope] || at.scope, y], ...bars.map(b => [b.x, b.y])] };
    figure.querySelector('figcaption').textContent = `${y} by ${SCOPES[at.scope] || at.scope}`;
    note.textContent = !x ? '' : bars.length > MOST_MARKS ? `${bars.length} values are too many to draw: see the table.` : `${x.unit}: ${x.meaning}`;
    const longest = Math.max(1, ...bars.map(b => b.x.length)), slant = longest * bars.length > 110;
    if (bars.length && bars.length <= MOST_MARKS)
      await draw(figure.querySelector('.chart'), { $schema: SCHEMA, width: roomOf(box, 90), height: 180, padding: 6, config: { background: null }, data: [{ name: 'bars', values: bars }],
        scales: [{ name: 'x', type: 'band', domain: bars.map(b => b.x), range: 'width', padding: 0.1 }, { name: 'y', type: 'linear', domain: { data: 'bars', field: 'y' }, range: 'height', nice: true, zero: true }],
        axes: [{ orient: 'bottom', scale: 'x', title: SCOPES[at.scope], labelOverlap: true, labelAngle: slant && longest > 3 ? -40 : 0, labelAlign: slant && longest > 3 ? 'right' : 'center', labelLimit: 150, ...text },
          { orient: 'left', scale: 'y', grid: true, tickCount: 5, title: x.unit, ...text }],
        marks: [{ type: 'rect', name: 'columns', from: { data: 'bars' }, encode: { enter: { x: { scale: 'x', field: 'x' }, width: { scale: 'x', band: 1 }, y: { scale: 'y', field: 'y' }, y2: { scale: 'y', value: 0 },
          fill: { value: COLOURS[0] } }, ...hover } }] }, b => [h('b', {}, `${y}: ${b.y}`), h('p', { class: 'note' }, `${SCOPES[at.scope] || at.scope} ${b.x}`)]);
    if (figure.querySelector('details').open) showPlotTable(figure);
  };
  box.append(h('h3', {}, 'By kernel and part'), controls, figure);
  await show();
}

// ---- A run ----

async function showRun(s, i) {
  const box = $('run'), r = s.run[i], names = [...page.statistic.keys()].filter(n => !isZero(n));
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
    h('p', { class: state === 'failed' ? 'bad' : 'note' }, [stateText(state, end), message, state === CUT_OFF && 'stopped by max_time: statistics of a part of a run, not comparable, are not in the page', version && 'memtwin ' + version, host && 'on ' + host,
      seconds != null && `${short(seconds)} s`, memory && `${short(memory / 1024)} MiB`].filter(Boolean).join(', ')),
    charts, h('details', { class: 'statistics', ontoggle: e => e.target.open && fill() }, h('summary', {}, 'Every statistic that is not 0'), stats));
  const rows = [{ label: `run ${s.n[i]}`, points: [i] }, ...(s.base[i] >= 0 && s.base[i] !== i ? [{ label: `baseline: run ${s.n[s.base[i]]}`, points: [s.base[i]] }] : [])];
  for (const whole of wholes()) {
    const bars = await barsOf(s, whole, rows, false), figure = plainFigure(whole.title);
    if (!bars.length) continue;
    charts.append(figure);
    await drawStack(figure.querySelector('.chart'), whole, bars, false);
  }
  await showSeries(r, charts);
  await showDetail(s, r, charts);
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
  await showWhere(s); // last: it reads the most columns
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
  $('plots').replaceChildren(h('h2', {}, row.name), ...s.plots.map(p => makeFigure(s, () => plotTitle(s, p))));
  makeWhere(s);
  await showOwn(s);
  await showFiltered(s);
}
async function start() {
  const [studies, statistics, ids] = await Promise.all([rows('study'), rows('statistic'), column('run.id')]);
  page.statistic = new Map(statistics.map(x => [x.name, x]));
  page.ids = ids;
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
