// SPDX-License-Identifier: Apache-2.0
// Published figures beside the results of the study.
import { $, cell, h, table } from './dom.js';
import { dim, mask, page } from './study.js';
import { cellsOf, howOf, meanOf, namesOf, valuesOf } from './cells.js';

const shortName = w => String(w).split(':')[0];
// Returns the points of the study for a published figure: those of its scheme, and of its group or workload.
function pointsOf(s, r) {
  const scheme = dim(s, 'scheme'), workload = dim(s, 'workload'), group = s.dims.find(d => d.key === 'group'), list = [];
  for (let i = 0; i < s.count; i++) {
    const w = workload.values[workload.code[i]];
    if (scheme.values[scheme.code[i]] === r.scheme &&
        (r.group === '' || r.group === 'all' || r.group === w || r.group === shortName(w) || (group && r.group === group.values[group.code[i]]))) list.push(i);
  }
  return list;
}
const kernels = (s, points) => new Set(points.map(i => dim(s, 'workload').code[i])).size;
// Returns the study's value: that of the plot if it draws the figure, else the mean over its runs. `all` holds the runs of the study for the figure.
async function oursOf(s, r, p, drawn) {
  const all = pointsOf(s, r);
  if (drawn) return { y: drawn.y, points: drawn.points, all };
  const value = await valuesOf(s, p), m = mask(s), points = all.filter(i => m[i] && value(i) != null);
  return { y: points.length ? meanOf(points.map(value), howOf(p)) : null, points, all };
}
function overText(s, { points, all }) {
  const n = kernels(s, points), of = kernels(s, all);
  return `${n === of ? n : `${n} of ${of}`} ${of === 1 ? 'kernel' : 'kernels'}`;
}
export async function showReferences(s) {
  if (!s.references.length) return $('references').replaceChildren();
  const plots = [...s.plots, { ...page.own, config: null }], drawn = new Map(), rows = [];
  for (const p of plots) {
    const d = await cellsOf(s, p);
    for (const o of d.references) {
      const same = d.list.find(e => e.x === o.x && e.c === o.c);
      if (same && !drawn.has(o.paper)) drawn.set(o.paper, { ...same, p });
    }
  }
  for (const r of s.references) {
    const p = drawn.get(r)?.p || plots.find(q => namesOf(q).includes(r.quantity.toLowerCase())), ours = p && await oursOf(s, r, p, drawn.get(r));
    rows.push([r.seed, r.figure, r.quantity, r.scheme, r.group, r.value, ours?.y ?? null, ours?.y == null ? '' : overText(s, ours)]);
  }
  const partly = rows.some(r => / of /.test(r[7]));
  $('references').replaceChildren(h('h2', {}, 'Published figures'),
    h('p', { class: 'note' }, partly ? 'Ours is a mean over only some of the study\u2019s kernels where the last column says so: the others are filtered out, or have no result.' : ''),
    h('div', { class: 'table' }, table(['publication', 'figure', 'quantity', 'scheme', 'group', 'published', 'ours', 'ours is over'], rows.map(r => h('tr', {}, ...r.map(cell))))));
}
