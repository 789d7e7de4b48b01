// SPDX-License-Identifier: Apache-2.0
// Data of the page. They are stored as columns (sim/study/columns.h) and unpacked when they are first shown.
import { $ } from './dom.js';

// ---- Columns ----

const elements = new Map(), unpacked = new Map();
for (const e of document.querySelectorAll('[data-column]')) elements.set(e.dataset.column, e);
export const has = name => elements.has(name);
async function unpack(e) {
  const packed = atob(e.textContent), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(bytes[0] === 0x1f ? 'gzip' : 'deflate'));
  return JSON.parse(await new Response(stream).text());
}
export function column(name) {
  if (!unpacked.has(name)) unpacked.set(name, has(name) ? unpack(elements.get(name)) : Promise.resolve([]));
  return unpacked.get(name);
}
// Reads the rows of a small table as objects.
export async function readRows(prefix) {
  const names = [...elements.keys()].filter(k => k.startsWith(prefix + '.')), columns = await Promise.all(names.map(column));
  return (columns[0] || []).map((_, i) => Object.fromEntries(names.map((n, j) => [n.slice(prefix.length + 1), columns[j][i]])));
}
export const isZero = name => !has('stat.' + name) || elements.get('stat.' + name).hasAttribute('data-zero');

// ---- Study ----

export const page = { head: JSON.parse($('head').textContent), leftOut: JSON.parse($('left-out').textContent) };

// Makes a dimension, which has a value for each run. code[i] is the index of the value of point i.
function dimension(key, label, values) {
  const known = new Map(), code = new Int32Array(values.length);
  values.forEach((v, i) => {
    if (!known.has(v)) known.set(v, known.size);
    code[i] = known.get(v);
  });
  return { key, label, code, values: [...known.keys()], on: new Set(known.values()) };
}
export async function readStudy(row) {
  const p = 'point' + row.id;
  const [n, run, workload, scheme, config, axes, baseline, group, choice] = await Promise.all(
    ['n', 'run', 'workload', 'scheme', 'config', 'axes', 'baseline', 'group', 'choice'].map(c => column(`${p}.${c}`)));
  const place = new Map(n.map((x, i) => [x, i])), parsed = new Map();
  for (const a of axes) if (!parsed.has(a)) parsed.set(a, JSON.parse(a));
  const s = {
    row, n, choice, count: n.length, members: new Map(), run: Int32Array.from(run, id => page.index.get(id)),
    base: Int32Array.from(baseline, b => b == null || !place.has(b) ? -1 : place.get(b)),
    dims: [dimension('workload', 'workload', workload), dimension('scheme', 'scheme', scheme), dimension('config', 'configuration', config)],
  };
  if (group.length) s.dims.push(dimension('group', 'group', group.map(g => g ?? '')));
  const keys = new Set([...parsed.values()].flatMap(Object.keys));
  for (const k of keys) s.dims.push(dimension(k, k, axes.map(a => parsed.get(a)[k] ?? '')));
  s.axes = [...keys];
  s.hasChoice = choice.some(c => c);
  s.hasBaseline = s.base.some(b => b >= 0);
  s.references = await readRows('reference' + row.id);
  s.plots = (await readRows('plot' + row.id)).map(x => ({ ...x, schemes: x.schemes ? x.schemes.split(' ') : null, mean: 'auto' }));
  if (!s.plots.length) s.plots = defaultPlots(s);
  return s;
}
export const dim = (s, key) => s.dims.find(d => d.key === key) || s.dims[0];
export const varies = (s, key) => s.dims.some(d => d.key === key && d.values.length > 1);
export const numeric = d => d.values.every(v => v !== '' && isFinite(v));
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
// Returns a value as text: '' is a workload without a group, or a run without the axis.
export const valueText = v => v === '' ? '(none)' : String(v);
// Returns the schemes that `best` and `least` chose at the points.
export const choicesOf = (s, points) => [...new Set(points.map(i => s.choice[i]).filter(Boolean))].join(' ');
// Returns the points selected by the filters.
export function mask(s) {
  const m = new Uint8Array(s.count).fill(1);
  for (const d of s.dims)
    if (d.on.size < d.values.length)
      for (let i = 0; i < s.count; i++) if (!d.on.has(d.code[i])) m[i] = 0;
  return m;
}
// State of a run stopped by max_time.
export const STOPPED = 'stopped';
export const stateText = (state, end) => state + (state === STOPPED ? ' by max_time' : state === 'done' && end === 'cut_off' ? ', to sim.max_cycles' : state === 'done' && end && end !== 'done' ? ` (${end})` : '');
