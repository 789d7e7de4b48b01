// SPDX-License-Identifier: Apache-2.0
// Page elements, and downloads.
export const $ = id => document.getElementById(id);
// Makes an element: h('td', {class: 'number'}, 'text', element...). Attributes that begin with "on" are listeners.
export function h(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  e.append(...children.filter(c => c != null));
  return e;
}
export const isNumber = v => typeof v === 'number';
// Shortens a number for plots and tables. Counts keep all digits, as do downloads and tooltips of tables.
export const short = v => v == null ? '' : isNumber(v) ? String(+v.toPrecision(4)) : v;
export const digits = v => !isNumber(v) ? v : Number.isInteger(v) ? String(v) : String(Math.abs(v) >= 1e5 ? Math.round(v) : +v.toPrecision(5));
export const allDigits = v => isNumber(v) && digits(v) !== String(v) ? String(v) : null;
export const cell = v => h('td', isNumber(v) ? { class: 'number', title: allDigits(v) } : {}, v == null ? '' : String(digits(v)));
// Prints a number of things: 1 run, 2,000 runs.
export const count = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
// Makes a button in a table that opens a run.
export const opener = (text, open, title) => h('button', { class: 'open', onclick: open, title }, text);
export function select(label, options, value, onchange) {
  const s = h('select', { onchange: () => onchange(s.value) });
  for (const o of options)
    s.append(o.group ? h('optgroup', { label: o.group }, ...o.options.map(x => h('option', { value: x[0], title: x[2] }, x[1])))
      : h('option', { value: o[0] }, o[1]));
  s.value = value;
  return h('label', {}, label + ' ', s);
}
export function table(titles, rows) {
  return h('table', {}, h('thead', {}, h('tr', {}, ...titles.map(t => h('th', {}, t)))), h('tbody', {}, ...rows));
}
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
// A spreadsheet would run a text such as =1+1 as a formula, but not one that begins with an apostrophe.
const csvText = v => typeof v === 'string' && /^[=+\-@\t\r]/.test(v) && !/^[+-]?[\d.]+$/.test(v) ? "'" + v : String(v);
const csvField = v => v == null ? '' : /[",\r\n]/.test(csvText(v)) ? '"' + csvText(v).replace(/"/g, '""') + '"' : csvText(v);
export const csv = rows => rows.map(r => r.map(csvField).join(',')).join('\n') + '\n';
