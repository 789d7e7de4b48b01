// SPDX-License-Identifier: Apache-2.0
// Table of runs.
import { $, cell, csv, download, h, opener, table } from './dom.js';
import { column, mask, page, stateText } from './study.js';
import { valuesOf } from './cells.js';
import { showRun } from './run.js';
import { statisticName } from './names.js';

const PAGE = 100;
export async function showRuns(s) {
  const t = page.table, m = mask(s), y = page.own.y, stat = await column('stat.' + y);
  const [state, message, end, seconds] = await Promise.all(['state', 'message', 'end', 'seconds'].map(c => column('run.' + c)));
  const over = await valuesOf(s, { y, relative: 'baseline' });
  const allColumns = [['run', i => s.n[i]], ...s.dims.filter(d => d.values.length > 1).map(d => [d.label, i => d.values[d.code[i]]]),
    ...(s.hasChoice ? [['choice', i => s.choice[i]]] : []),
    ['state', i => stateText(state[s.run[i]], end[s.run[i]])], [y, i => stat[s.run[i]] ?? null, statisticName(y)],
    ...(s.hasBaseline ? [[y + ' over the baseline', over, statisticName(y) + ' over the baseline']] : []), ['seconds', i => seconds[s.run[i]] == null ? null : +seconds[s.run[i]].toFixed(3)], ['message', i => message[s.run[i]]]];
  const failed = i => state[s.run[i]] === 'failed', list = [...Array(s.count).keys()].filter(i => m[i] && (!t.failed || failed(i)));
  const hasValue = of => of === allColumns[0] || list.some(i => of[1](i) != null && of[1](i) !== ''), columns = allColumns.filter(hasValue);
  const sorted = columns.find(c => c[0] === t.sort) || columns[0];
  if (sorted !== columns[0]) {
    const key = list.map(sorted[1]), at = new Map(list.map((i, k) => [i, key[k]]));
    list.sort((a, b) => { const x = at.get(a), z = at.get(b); return t.way * (x == null ? 1 : z == null ? -1 : x < z ? -1 : x > z ? 1 : a - b); });
  } else if (t.way < 0) list.reverse();
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  t.page = Math.min(t.page, pages - 1);
  const go = by => () => { t.page += by; showRuns(s); };
  const title = c => h('button', { onclick: () => { t.way = sorted === c ? -t.way : 1; t.sort = c[0]; showRuns(s); } }, (c[2] || c[0]) + (sorted === c ? (t.way > 0 ? ' \u25b2' : ' \u25bc') : ''));
  const field = (c, i) => c[0] !== 'message' ? cell(c[1](i)) : h('td', c[1](i) ? { class: 'message' } : {}, c[1](i) || '');
  const rowOf = i => h('tr', failed(i) ? { class: 'bad' } : {}, h('td', {}, opener(String(s.n[i]), () => showRun(s, i))), ...columns.slice(1).map(c => field(c, i)));
  $('runs').replaceChildren(...[h('h2', {}, 'Runs'), t.failed ? h('p', { class: 'note' }, 'Failed runs only.') : null, h('div', { class: 'row tools' },
    h('button', { onclick: go(-1), disabled: t.page === 0 }, 'Back'), h('span', {}, `page ${t.page + 1} of ${pages}`),
    h('button', { onclick: go(1), disabled: t.page + 1 >= pages }, 'Forward'),
    t.failed ? h('button', { onclick: () => { t.failed = false; showRuns(s); } }, 'All runs') : null,
    h('button', { onclick: async () => {
      const command = await column('run.command');
      download(s.row.name + '.csv', 'text/csv', csv([[...allColumns.map(c => c[0]), 'command'], ...list.map(i => [...allColumns.map(c => c[1](i)), command[s.run[i]]])]));
    } }, 'CSV')), h('div', { class: 'table' })].filter(Boolean));
  // Draws the rows of a page, or all of them for print.
  t.draw = all => $('runs').querySelector('.table').replaceChildren(table(columns.map(title), (all ? list : list.slice(t.page * PAGE, (t.page + 1) * PAGE)).map(rowOf)));
  t.draw(false);
}
