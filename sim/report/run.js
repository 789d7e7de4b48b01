// SPDX-License-Identifier: Apache-2.0
// View of a run: statistics by kernel and part, and totals.
import { $, cell, h, select, short, table } from './dom.js';
import { STOPPED, column, dim, has, isZero, page, stateText } from './study.js';
import { pointName } from './cells.js';
import { draw, hover } from './chart.js';
import { COLORS, SCHEMA, nameLabels, textStyle } from './looks.js';
import { MOST_MARKS, makeFigure, showPlotTable } from './plots.js';
import { barsOf, drawStack, wholes } from './where.js';
import { plainFigure, showSeries } from './series.js';
import { capital, statisticName } from './names.js';

// ---- Run by kernel and part ----

const SCOPES = { kernel: 'kernel launch', sm: 'SM', l2: 'L2 bank', dram: 'DRAM channel' };
const FIRST = { kernel: 'cycles', sm: 'warp_insts', l2: 'l2_accesses', dram: 'dram_bank_cycles' };

// Makes a table of the kernels by name, with most cycles first, if a name has several launches or there are several names.
function kernelTable(names, rows) {
  const at = new Map(names.map((n, k) => [n, k])), of = new Map(), sum = (list, n) => list.reduce((v, row) => v + (row[at.get(n)] || 0), 0);
  for (const row of rows) of.set(row[2], [...(of.get(row[2]) || []), row]);
  if (rows.length < 2) return null;
  const all = sum(rows, 'cycles'), ratio = (a, b) => b ? a / b : null;
  const line = ([name, list]) => {
    const get = n => sum(list, n), misses = get('l1d_primary_misses') + get('l1d_secondary_misses') + get('l1d_bypasses');
    const l2 = get('l2_primary_misses') + get('l2_secondary_misses') + get('l2_write_misses') + get('l2_bypasses');
    return [name, list.length, get('cycles'), ratio(100 * get('cycles'), all), ratio(get('warp_insts'), get('cycles')), ratio(100 * misses, misses + get('l1d_hits')),
      ratio(100 * l2, get('l2_accesses')), get('dram_rd'), get('dram_wr')];
  };
  const lines = [...of].map(line).sort((a, b) => b[2] - a[2]);
  return h('div', { class: 'table by-name' }, table(['kernel', 'launches', 'cycles', '% of cycles', 'IPC', 'L1D misses, %', 'L2 misses, %', 'DRAM reads', 'DRAM writes'],
    lines.map(v => h('tr', {}, ...v.map(cell)))));
}

async function showDetail(s, i, box) {
  const r = s.run[i], id = 'detail.' + page.ids[r];
  if (!has(id)) return;
  const [names, ...list] = await column(id), scopes = [...new Set(list.map(row => row[0]))], at = page.detail ||= { scope: scopes[0], y: {} };
  if (!scopes.includes(at.scope)) at.scope = scopes[0];
  const figure = makeFigure(s, () => `run-${s.n[i]}-${at.scope}-${at.y[at.scope]}`), controls = h('div', { class: 'row tools' }), note = figure.querySelector('.note');
  const show = async () => {
    const of = list.filter(row => row[0] === at.scope), some = names.map((n, k) => k > 2 && of.some(row => row[k])), parts = new Map();
    names.forEach((n, k) => { const x = some[k] && page.statistic.get(n); if (x) parts.set(x.part, [...(parts.get(x.part) || []), [n, statisticName(n), `${n} [${x.unit}]: ${x.meaning}`]]); });
    if (!some[names.indexOf(at.y[at.scope])]) at.y[at.scope] = some[names.indexOf(FIRST[at.scope])] ? FIRST[at.scope] : [...parts.values()][0]?.[0][0];
    const y = at.y[at.scope], k = names.indexOf(y), x = page.statistic.get(y);
    const bars = y ? of.map((row, i) => ({ i, x: at.scope === 'kernel' ? `${row[1]} ${row[2]}` : String(row[1]), y: row[k] })) : [];
    controls.replaceChildren(select('By', scopes.map(v => [v, SCOPES[v] || v]), at.scope, v => { at.scope = v; return show(); }),
      select('Statistic', [...parts].map(([group, options]) => ({ group, options })), y, v => { at.y[at.scope] = v; return show(); }));
    figure.shown = { rows: [[SCOPES[at.scope] || at.scope, y], ...bars.map(b => [b.x, b.y])] };
    figure.querySelector('figcaption').textContent = !y ? '' : `${capital(statisticName(y))} by ${SCOPES[at.scope] || at.scope}`;
    note.textContent = !x ? '' : bars.length > MOST_MARKS ? `${bars.length} values are too many to draw: see the table.` : `${y} [${x.unit}]: ${x.meaning}`;
    if (bars.length && bars.length <= MOST_MARKS)
      await draw(figure.querySelector('.chart'), width => ({ $schema: SCHEMA, width, height: 180, padding: 6, config: { background: null }, data: [{ name: 'bars', values: bars }],
        scales: [{ name: 'x', type: 'band', domain: bars.map(b => b.x), range: 'width', padding: 0.1 }, { name: 'y', type: 'linear', domain: { data: 'bars', field: 'y' }, range: 'height', nice: true, zero: true }],
        axes: [{ orient: 'bottom', scale: 'x', title: SCOPES[at.scope], ...nameLabels(bars.map(b => b.x), width) },
          { orient: 'left', scale: 'y', grid: true, tickCount: 5, title: x.unit, ...textStyle }],
        marks: [{ type: 'rect', name: 'columns', from: { data: 'bars' }, encode: { enter: { x: { scale: 'x', field: 'x' }, width: { scale: 'x', band: 1 }, y: { scale: 'y', field: 'y' }, y2: { scale: 'y', value: 0 },
          fill: { value: COLORS[0] } }, ...hover } }] }), b => [h('b', {}, `${statisticName(y)}: ${b.y}`), h('p', { class: 'note' }, `${SCOPES[at.scope] || at.scope} ${b.x}`)]);
    showPlotTable(figure);
  };
  box.append(h('div', { class: 'together' }, h('h3', {}, 'By kernel and part'), kernelTable(names, list.filter(row => row[0] === 'kernel')), controls, figure));
  await show();
}

// ---- Run ----

export async function showRun(s, i) {
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
    h('p', { class: state === 'failed' ? 'bad' : 'note' }, [s.choice[i] && `${dim(s, 'scheme').values[dim(s, 'scheme').code[i]]} chose ${s.choice[i]}`,
      stateText(state, end), message, state === STOPPED && 'statistics of a part of a run, not comparable, are not in the page',
      version && 'memtwin ' + version,
      host && 'on ' + host,
      seconds != null && `${short(seconds)} s`, memory && `${short(memory / 1024)} MiB`].filter(Boolean).join(', ')),
    charts, h('details', { class: 'statistics', ontoggle: e => e.target.open && fill() }, h('summary', {}, 'Every statistic that is not 0'), stats));
  const rows = [{ label: `run ${s.n[i]}`, points: [i] }, ...(s.base[i] >= 0 && s.base[i] !== i ? [{ label: `baseline: run ${s.n[s.base[i]]}`, points: [s.base[i]] }] : [])];
  for (const whole of wholes()) {
    const stack = await barsOf(s, whole, rows, false), figure = plainFigure(whole.title);
    if (!stack.bars.length) continue;
    charts.append(figure);
    await drawStack(figure.querySelector('.chart'), whole, stack, false);
  }
  await showSeries(s, i, charts);
  await showDetail(s, i, charts);
  const others = page.leftOut.runs.length - 1;
  if (page.leftOut.runs.includes(page.ids[r])) charts.append(h('p', { class: 'note left-out' },
    `The details and time series of ${others ? `this run and of ${others} ${others > 1 ? 'others' : 'other'}` : 'this run'} ` +
    `are not in this page: ${others ? 'they' : 'those of all runs'} take more than ${page.leftOut.mib} MiB ` +
    '(memtwin report --study NAME, --detail-size MIB).'));
  const title = box.querySelector('h2');
  title.scrollIntoView({ block: 'start' });
  title.focus({ preventScroll: true });
}
