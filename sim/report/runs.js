// SPDX-License-Identifier: Apache-2.0
// Table of runs.
import { $, cell, csv, download, h, opener, table } from './dom.js';
import { column, mask, page, stateText } from './study.js';
import { valuesOf } from './cells.js';
import { showRun } from './run.js';

const PAGE = 100;
export async function showRuns(s) {
  const t = page.table, m = mask(s), y = page.own.y, stat = await column('stat.' + y);
  const [state, message, end, seconds] = await Promise.all(['state', 'message', 'end', 'seconds'].map(c => column('run.' + c)));
  const over = await valuesOf(s, { y, relative: 'baseline' });
  const columns = [['run', i => s.n[i]], ...s.dims.filter(d => d.values.length > 1).map(d => [d.label, i => d.values[d.code[i]]]),
    ...(s.hasChoice ? [['choice', i => s.choice[i]]] : []),
    ['state', i => stateText(state[s.run[i]], end[s.run[i]])], [y, i => stat[s.run[i]] ?? null],
    ...(s.hasBaseline ? [[y + ' over the baseline', over]] : []), ['seconds', i => seconds[s.run[i]] ?? null], ['message', i => message[s.run[i]]]];
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
    h('td', {}, opener(String(s.n[i]), () => showRun(s, i))), ...columns.slice(1, -1).map(c => cell(c[1](i))), h('td', message[s.run[i]] ? { class: 'message' } : {}, message[s.run[i]] || '')));
  $('runs').replaceChildren(h('h2', {}, 'Runs'), h('div', { class: 'row tools' },
    h('button', { onclick: go(-1), disabled: t.page === 0 }, 'Back'), h('span', {}, `page ${t.page + 1} of ${pages}`),
    h('button', { onclick: go(1), disabled: t.page + 1 >= pages }, 'Forward'),
    h('button', { onclick: async () => {
      const command = await column('run.command');
      download(s.row.name + '.csv', 'text/csv', csv([[...columns.map(c => c[0]), 'command'], ...list.map(i => [...columns.map(c => c[1](i)), command[s.run[i]]])]));
    } }, 'CSV')), h('div', { class: 'table' }, table(columns.map((c, k) => title(c[0], k)), body)));
}
