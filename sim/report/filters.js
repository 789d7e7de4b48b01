// SPDX-License-Identifier: Apache-2.0
// Filters on runs.
import { $, count, h } from './dom.js';
import { mask, valueText } from './study.js';

// Returns the filters in words: for each dimension the values shown, or the hidden ones if that is shorter.
export function filterText(s) {
  const list = (d, on) => d.values.filter((_, i) => d.on.has(i) === on).map(valueText);
  return s.dims.filter(d => d.on.size < d.values.length).map(d => {
    const on = list(d, true), off = list(d, false), few = on.length <= off.length ? on : off;
    return !on.length ? `${d.label}: none` : `${d.label}: ${few === on ? '' : 'all but '}${few.slice(0, 12).join(', ')}${few.length > 12 ? ` and ${few.length - 12} more` : ''}`;
  }).join('; ');
}
export function showFilters(s, showFiltered) {
  const box = h('div', { class: 'choices' }), kept = h('span'), set = h('p', { class: 'note set', hidden: true });
  const show = () => {
    const text = filterText(s);
    kept.textContent = `${mask(s).reduce((a, v) => a + v, 0)} of ${count(s.count, 'run')}`;
    set.textContent = `Filtered to ${kept.textContent}: ${text}.`;
    set.hidden = !text;
  };
  const changed = async () => { show(); await showFiltered(s); };
  for (const d of s.dims.filter(x => x.values.length > 1)) {
    const values = h('div', { class: 'values' });
    const all = on => { d.on = new Set(on ? d.values.keys() : []); values.querySelectorAll('input').forEach(i => { i.checked = on; }); return changed(); };
    d.values.forEach((v, i) => values.append(h('label', {}, h('input', { type: 'checkbox', checked: d.on.has(i), 'data-value': v,
      onchange: e => { e.target.checked ? d.on.add(i) : d.on.delete(i); return changed(); } }), ' ' + valueText(v))));
    box.append(h('fieldset', { 'data-dimension': d.key }, h('legend', {}, d.label), h('div', { class: 'row' },
      h('button', { onclick: () => all(true) }, 'all'), h('button', { onclick: () => all(false) }, 'none')), values));
  }
  show();
  $('filters').replaceChildren(h('details', {}, h('summary', {}, 'Filters: ', kept), box), set);
}
