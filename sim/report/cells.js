// SPDX-License-Identifier: Apache-2.0
// Values of a plot.
import { column, dim, mask, numeric, page } from './study.js';
import { capital, statisticName } from './names.js';

export const MEAN = 'mean';
const related = (y, p) => p.relative === 'baseline' ? `${y} over the baseline` : p.relative === 'inverse' ? `baseline's ${y} over the run's` : y;
export const quantity = p => related(statisticName(p.y), p);
export const plotTitle = (s, p) => (p.title || capital(`${quantity(p)} by ${dim(s, p.x).label}`)) + (p.config ? `: ${p.config}` : '');
export const unitOf = p => p.relative === 'no' ? (page.statistic.get(p.y) || {}).unit : 'ratio';
// Returns the value of a statistic at each point, or null.
export async function valuesOf(s, p) {
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
export function meanOf(values, how) {
  if (values.length === 1) return values[0];
  if (how === 'geometric')
    return values.every(v => v > 0) ? Math.exp(values.reduce((a, v) => a + Math.log(v), 0) / values.length) : null;
  return values.reduce((a, v) => a + v, 0) / values.length;
}
const least = values => values.reduce((a, v) => Math.min(a, v), Infinity), most = values => values.reduce((a, v) => Math.max(a, v), -Infinity);
export const howOf = p => p.mean === 'geometric' || p.mean === 'arithmetic' ? p.mean : p.relative === 'no' ? 'arithmetic' : 'geometric';
const nameOf = (dims, i) => dims.map(d => (d.key === d.label && !d.key.includes('.') ? '' : d.key + '=') + d.values[d.code[i]]).join(' ');
export const pointName = (s, i) => nameOf(s.dims.filter(d => d.values.length > 1), i);
// Returns true if each value of a dimension implies the value of another, as for keys of one axis, or a workload and its group.
function goesWith(d, other) {
  const seen = new Int32Array(d.values.length).fill(-1);
  return d.code.every((c, i) => (seen[c] < 0 ? (seen[c] = other.code[i]) : seen[c]) === other.code[i]);
}
// Returns the dimensions that a mean covers, i.e. those that the plot does not show. code[i] is the index of point i among the `size` combinations of their values.
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
// Counts the cells that have each combination.
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
// Makes the means of compared cells cover the same combinations: removes from each cell those that another cell lacks (its run failed or was cut off). Adds
// their names to `left`. Returns false, and changes nothing, if no combination would remain.
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
// Makes the cells comparable within a workload or group, and its means; if there are none, among all cells.
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
// Collects the values of a plot. Runs with the same x and color share a cell.
async function gather(s, p, dx, dc, withMean) {
  const value = await valuesOf(s, p), m = mask(s), scheme = dim(s, 'scheme'), config = dim(s, 'config'), kept = p.schemes && new Set(p.schemes), cells = new Map();
  const put = (key, x, c, i, v) => {
    if (!cells.has(key)) cells.set(key, { x, c, values: [], points: [] });
    const to = cells.get(key);
    to.values.push(v);
    to.points.push(i);
  };
  for (let i = 0; i < s.count; i++) {
    if (!m[i] || (kept && !kept.has(scheme.values[scheme.code[i]]))) continue;
    if (p.config && config.values[config.code[i]] !== p.config) continue;
    const v = value(i), c = dc.code[i], x = dx.code[i];
    if (v == null) continue;
    put(x * dc.values.length + c, dx.values[x], dc.values[c], i, v);
    if (withMean) put(-1 - c, MEAN, dc.values[c], i, v);
  }
  return [...cells.values()];
}
// Returns the cells of a plot, each a bar or a point of a line.
export async function cellsOf(s, p) {
  const dx = dim(s, p.x), dc = dim(s, p.color), how = howOf(p), withMean = p.kind === 'bar' && p.x === 'workload' && dx.values.length > 1;
  const cells = await gather(s, p, dx, dc, withMean), fair = makeFair(s, p, cells, dx, dc);
  const list = cells.map(o => ({ ...o, y: meanOf(o.values, how), runs: o.values.length, low: least(o.values), high: most(o.values) })).filter(o => o.y != null);
  const place = new Map(dx.values.map((x, k) => [x, k])), order = p.kind === 'line' && numeric(dx) ? (a, b) => a - b : (a, b) => place.get(a) - place.get(b);
  const xs = [...new Set(list.map(o => o.x))].filter(x => x !== MEAN).sort(order), colors = new Set(list.map(o => o.c));
  if (withMean && xs.length > 1) xs.push(MEAN);
  const cs = dc.values.filter(c => colors.has(c)), shown = new Set(xs);
  return { list: list.filter(o => shown.has(o.x)), xs, cs, how, ...fair, references: referencesOf(s, p, xs, cs) };
}
// Returns the names that a published figure may use for the plot's quantity.
export const namesOf = p => [quantity(p), related(p.y, p), p.title, p.name].filter(Boolean).map(t => t.toLowerCase());
// Returns the published figures of this quantity that fit into the plot.
function referencesOf(s, p, xs, cs) {
  const names = namesOf(p), list = [];
  for (const r of s.references) {
    const all = r.group === '' || r.group === 'all';
    if (!names.includes(r.quantity.toLowerCase())) continue;
    const x = p.x === 'scheme' ? r.scheme : all ? MEAN : xs.find(v => v === r.group || String(v).split(':')[0] === r.group);
    const c = p.color === 'scheme' ? r.scheme : cs.length === 1 ? cs[0] : null;
    if (xs.includes(x) && cs.includes(c)) list.push({ x, c, y: r.value, paper: r });
  }
  return list;
}
