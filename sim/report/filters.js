// SPDX-License-Identifier: Apache-2.0
// Filters: which runs are shown.
import { $, h } from './dom.js';
import { mask } from './study.js';

export function showFilters(s, showFiltered) {
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
