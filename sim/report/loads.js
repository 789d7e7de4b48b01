// SPDX-License-Identifier: Apache-2.0
// The page of `memtwin report LOADS.json`: the path of single loads, from the issue to the register write.
import { $, count, csv, digits, download, h, opener, select, table } from './dom.js';
import { makeCommands } from './loads_wave.js';

const data = JSON.parse($('data').textContent);
const column = Object.fromEntries(data.columns.map((name, i) => [name, i]));
const first = data.columns.length; // position of the first span in a load
const valueOf = (load, name) => load[column[name]];
const latency = load => load[column.latency];
const ROWS = 100; // loads in the list
const INSTRUCTIONS = 200; // in the table of all loads

// One hue for each part; a part's stages differ in lightness.
const HUES = { lsu: 265, tlb: 320, l1d: 210, icnt: 35, l2: 130, dram: 0 };
const NAMES = { lsu: 'LSU', tlb: 'address translation', l1d: 'L1D', icnt: 'crossbar', l2: 'L2', dram: 'DRAM' };
const shade = data.spans.map((s, i) => {
  const same = data.spans.map((x, k) => [x.part, k]).filter(x => x[0] === s.part).map(x => x[1]);
  return `hsl(${HUES[s.part]} 60% ${same.length > 1 ? 38 + 34 * same.indexOf(i) / (same.length - 1) : 50}%)`;
});

// ---- percentiles, from the counts of all loads ----
const total = Math.max(1, data.loads_seen);
function latencyAt(percentile) {
  let seen = 0;
  if (percentile >= 100 && !data.range) return data.loads.reduce((most, l) => Math.max(most, latency(l)), 0); // the slowest is kept
  for (const [from, n] of data.latencies) {
    seen += n;
    if (seen >= percentile / 100 * total) return from;
  }
  return data.latencies.length ? data.latencies[data.latencies.length - 1][0] : 0;
}
const cumulated = [];
for (const [from, n] of data.latencies) cumulated.push([from, (cumulated.length ? cumulated[cumulated.length - 1][1] : 0) + n]);
function percentileOf(value) {
  let low = 0, high = cumulated.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulated[middle][0] <= value) low = middle + 1; else high = middle;
  }
  return low ? 100 * cumulated[low - 1][1] / total : 0;
}

// ---- names ----
const kernelOf = i => data.kernels[data.instructions[i].kernel];
const ordinal = new Map();
{
  const next = new Map();
  data.instructions.forEach((x, i) => { next.set(x.kernel, (next.get(x.kernel) || 0) + 1); ordinal.set(i, next.get(x.kernel)); });
}
function nameInst(i) {
  const x = data.instructions[i];
  if (i >= data.kept.instructions) return 'other instructions';
  const what = x.pc != null ? `pc 0x${x.pc.toString(16)}` : `load ${ordinal.get(i)}`;
  return `${kernelOf(i)}, ${what} (${x.bytes} B${x.local ? ', local' : ''})`;
}
const hex = a => '0x' + BigInt(a).toString(16);

// ---- drawings ----
function bar(sums, scale) {
  const all = sums.reduce((a, b) => a + b, 0) || 1;
  const b = h('div', { class: 'bar', style: `width:${100 * (scale || 1)}%` });
  sums.forEach((n, s) => {
    if (n) b.append(h('i', { style: `width:${100 * n / all}%;background:${shade[s]}`, title: `${data.spans[s].words}: ${digits(n)}` }));
  });
  return b;
}
const keys = () => h('div', { class: 'keys' }, ...Object.keys(NAMES).filter(p => data.spans.some((s, i) => s.part === p && data.sums[i])).map(p =>
  h('span', {}, h('span', { class: 'key', style: `background:hsl(${HUES[p]} 60% 50%)` }), NAMES[p])));

function drawAll() {
  const n = Math.max(1, data.loads_seen);
  const order = data.instructions.map((x, i) => i).sort((a, b) => data.instructions[b].latency - data.instructions[a].latency);
  const most = Math.max(1, ...data.instructions.map(x => x.latency / x.loads));
  const rows = order.slice(0, INSTRUCTIONS).map(i => {
    const x = data.instructions[i];
    return h('tr', {}, h('td', {}, opener(nameInst(i), () => choose({ instruction: String(i) }), 'show its loads')), h('td', { class: 'number' }, x.loads.toLocaleString('en')),
      h('td', { class: 'number' }, digits(x.latency / x.loads)), h('td', { class: 'wide' }, bar(x.sums.map(s => s / x.loads), x.latency / x.loads / most)));
  });
  $('all').replaceChildren(h('h2', {}, `All ${count(data.loads_seen, 'load')}: mean cycles by stage`), keys(),
    h('p', { class: 'note' }, `Latency: mean ${digits(data.latency / n)}; ` + [50, 90, 99, 99.9, 100].map(p => `${p === 100 ? 'maximum' : 'p' + p} ${latencyAt(p)}`).join(', ') +
      ' SM cycles. A load is one access that the coalescer makes of a warp load.'),
    order.length > INSTRUCTIONS ? h('p', { class: 'note' }, `The ${INSTRUCTIONS} instructions with the most cycles, of ${order.length.toLocaleString('en')}; the choice below has all.`) : '',
    h('div', { class: 'table' }, table(['instruction', 'loads', 'mean latency', 'where the cycles went'], rows)));
}

// ---- choice ----
const choice = { percentile: '', sm: '', warp: '', instruction: '', address: '', order: 'latency' };
// Shows the first of the chosen loads.
function choose(change) {
  Object.assign(choice, change);
  for (const [name, label] of Object.entries(controls)) label.lastChild.value = choice[name];
  chosen = null;
  drawList();
}
// Returns the first and last address of "0x80", "0x80-0xff" or a decimal number. Returns null for other texts and more than 64 bits.
function addresses(text) {
  const words = text.split('-').map(t => t.trim());
  if (words.length > 2 || words.some(t => !/^(0x[0-9a-f]+|[0-9]+)$/i.test(t))) return null;
  const ends = words.map(BigInt), [from, to] = ends.length === 2 ? ends : [ends[0] & ~127n, ends[0] | 127n];
  return from <= to && to < 1n << 64n ? [from, to] : null;
}
const isPercentile = t => t !== '' && Number(t) >= 0 && Number(t) <= 100;
// Returns what is wrong with the texts of the choice, or ''.
function wrongChoice() {
  if (choice.address && !addresses(choice.address)) return 'Address: expected a number below 2^64 such as 0x80000000, or FROM-TO in order.';
  return choice.percentile && !isPercentile(choice.percentile) ? 'Percentile: expected a number from 0 to 100.' : '';
}
function findLoads() {
  const range = choice.address ? addresses(choice.address) : [0n, (1n << 64n) - 1n];
  const found = data.loads.filter(l =>
    (choice.sm === '' || valueOf(l, 'sm') === Number(choice.sm)) && (choice.warp === '' || valueOf(l, 'warp') === Number(choice.warp)) &&
    (choice.instruction === '' || valueOf(l, 'instruction') === Number(choice.instruction)) &&
    valueOf(l, 'address') + valueOf(l, 'bytes') > range[0] && valueOf(l, 'address') <= range[1]);
  if (isPercentile(choice.percentile)) {
    const at = latencyAt(Number(choice.percentile));
    return found.sort((a, b) => Math.abs(latency(a) - at) - Math.abs(latency(b) - at));
  }
  return found.sort(choice.order === 'issued' ? (a, b) => valueOf(a, 'issued') - valueOf(b, 'issued') : (a, b) => latency(b) - latency(a));
}
const unique = name => [...new Set(data.loads.map(l => valueOf(l, name)))].sort((a, b) => a - b);
const sms = unique('sm'), warps = unique('warp');
function field(label, name, hint) {
  return h('label', {}, label + ' ', h('input', { type: 'text', id: name, placeholder: hint, onchange: e => choose({ [name]: e.target.value.trim() }) }));
}
const all = [['', 'all']];
const controls = {
  percentile: field('Latency percentile', 'percentile', '0 to 100'),
  sm: select('SM', all.concat(sms.map(s => [String(s), String(s)])), choice.sm, v => choose({ sm: v })),
  warp: select('Warp slot', all.concat(warps.map(w => [String(w), String(w)])), choice.warp, v => choose({ warp: v })),
  instruction: select('Instruction', all.concat(data.instructions.map((x, i) => [String(i), nameInst(i)])), choice.instruction, v => choose({ instruction: v })),
  address: field('Address', 'address', '0x80000000, or FROM-TO'),
  order: select('Order', [['latency', 'slowest first'], ['issued', 'by time']], choice.order, v => choose({ order: v })),
};
function drawFilters() {
  const { percentile, ...others } = controls;
  $('filters').replaceChildren(h('h2', {}, 'Choose loads'), h('div', { class: 'row' }, percentile,
    h('span', {}, ...[50, 90, 99, 99.9, 100].map(p => h('button', { onclick: () => choose({ percentile: String(p) }) }, p === 100 ? 'slowest' : 'p' + p))),
    ...Object.values(others), h('button', { onclick: () => choose({ percentile: '', sm: '', warp: '', instruction: '', address: '' }) }, 'All')));
}

// ---- a load ----
function fact(name, value) {
  return [h('dt', {}, name), h('dd', {}, value)];
}
function pathOf(load) {
  let at = 0;
  const rows = [];
  data.spans.forEach((s, i) => {
    const n = load[first + i];
    if (!n) return;
    const from = valueOf(load, 'issued') + at;
    rows.push(h('tr', {}, h('td', {}, h('span', { class: 'key', style: `background:${shade[i]}` }), s.words), h('td', { class: 'number' }, n),
      h('td', { class: 'number' }, from), h('td', { class: 'number' }, from + n),
      h('td', { class: 'wide' }, h('div', { class: 'path' }, h('i', { style: `left:${100 * at / latency(load)}%;width:${100 * n / latency(load)}%;background:${shade[i]}` })))));
    at += n;
  });
  return table(['stage', 'cycles', 'from', 'to', 'SM cycles'], rows);
}
function whereOf(load) {
  if (!valueOf(load, 'l1d_missed')) return `L1D ${valueOf(load, 'sm')}: hit`;
  const bank = valueOf(load, 'l2_bank');
  const l2 = `L1D ${valueOf(load, 'sm')}: miss; L2 bank ${bank}: `;
  if (!valueOf(load, 'dram')) return l2 + 'hit';
  return `${l2}miss; DRAM channel ${Math.floor(bank / data.l2_banks_per_channel)}, bank ${valueOf(load, 'dram_bank')}, row ${valueOf(load, 'dram_row')} (${valueOf(load, 'row_opened') ? 'opened for it' : 'open'})`;
}
function drawOne(load) {
  const at = percentileOf(latency(load));
  $('one').replaceChildren(h('h2', { tabindex: -1 }, `Load ${valueOf(load, 'seq')}: ${count(latency(load), 'SM cycle')}`),
    h('dl', { class: 'facts' },
      ...fact('instruction', nameInst(valueOf(load, 'instruction'))),
      ...fact('warp', `SM ${valueOf(load, 'sm')}, warp slot ${valueOf(load, 'warp')}: warp ${valueOf(load, 'cta_warp')} of CTA (${valueOf(load, 'cta_x')}, ${valueOf(load, 'cta_y')}, ${valueOf(load, 'cta_z')})`),
      ...fact('address', `${hex(valueOf(load, 'address'))}, ${valueOf(load, 'bytes')} B of line ${hex(Math.floor(valueOf(load, 'address') / 128) * 128)}; access ${valueOf(load, 'index') + 1} of ${valueOf(load, 'accesses')}`),
      ...fact('latency', `${latency(load)} SM cycles, at percentile ${digits(at)}: issued in ${valueOf(load, 'issued')}, data in ${valueOf(load, 'issued') + latency(load)}`),
      ...fact('path', whereOf(load))),
    h('div', { class: 'table' }, pathOf(load)), ...makeCommands(data, load, valueOf, latency));
}

// ---- the list ----
let chosen = null;
function open(load) {
  chosen = load;
  drawList();
  $('one').querySelector('h2').focus({ preventScroll: true });
  $('one').scrollIntoView({ block: 'nearest' });
}
function drawList() {
  const wrong = wrongChoice(), found = wrong ? [] : findLoads();
  if (!found.includes(chosen)) chosen = found[0] || null;
  if (chosen) drawOne(chosen); else $('one').replaceChildren();
  const most = Math.max(1, ...found.slice(0, ROWS).map(latency));
  const rows = found.slice(0, ROWS).map(l => h('tr', { class: l === chosen ? 'chosen' : null }, h('td', { class: 'number' }, opener(String(latency(l)), () => open(l), 'show its path')),
    h('td', { class: 'number' }, valueOf(l, 'issued')), h('td', {}, `SM ${valueOf(l, 'sm')}, ${valueOf(l, 'warp')}`), h('td', {}, nameInst(valueOf(l, 'instruction'))), h('td', {}, hex(valueOf(l, 'address'))),
    h('td', { class: 'wide' }, bar(l.slice(first), latency(l) / most))));
  const save = () => download('loads.csv', 'text/csv', csv([[...data.columns, ...data.spans.map(s => s.name)], ...found]));
  if (wrong) return $('list').replaceChildren(h('h2', {}, 'Loads'), h('p', { class: 'bad' }, wrong));
  $('list').replaceChildren(h('h2', {}, `${count(found.length, 'recorded load')} match${found.length === 1 ? 'es' : ''}` + (found.length > ROWS ? `; the first ${ROWS}` : '')),
    data.command && choice.address && data.kept.all < data.loads_seen ? h('p', { class: 'note' }, 'To keep the loads at these addresses: ',
      h('code', {}, `${data.command} -q --loads loads.json --loads-at ${addresses(choice.address).map(hex).join('-')}`)) : '', h('p', { class: 'tools' }, h('button', { onclick: save }, 'Download as CSV')),
    h('div', { class: 'table' }, table(['latency', 'issued', 'SM, warp slot', 'instruction', 'address', 'where the cycles went'], rows)));
}

$('about').textContent = `${data.workload} on ${data.config}: ${data.end}, ${count(data.cycles, 'SM cycle')}; version ${data.version}`;
$('kept').textContent = data.kept.all === data.loads_seen ? `All ${count(data.loads_seen, 'load')} are in this page.`
  : `${count(data.kept.all, 'load')} of ${data.loads_seen.toLocaleString('en')} are in this page: a random sample of ${data.kept.sample.toLocaleString('en')}, the ${data.kept.slowest.toLocaleString('en')} slowest, ` +
    `and up to ${data.kept.per_latency} of each latency and ${data.kept.per_instruction} of each instruction. Counts, means and percentiles are of all loads.`;
if (data.range) $('kept').textContent = `${count(data.kept.all, 'load')} of the addresses ${data.range} are in this page, of ${data.loads_seen.toLocaleString('en')} loads of the run. Counts, means and percentiles are of the whole run.`;
if (!data.complete) $('kept').textContent += ' The run is not complete; loads in flight at its end are not counted.';
drawAll();
drawFilters();
drawList();
document.body.dataset.ready = Math.round(performance.now());
