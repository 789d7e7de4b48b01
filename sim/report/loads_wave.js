// SPDX-License-Identifier: Apache-2.0
// Commands that show a load's cycles in the waveform of a block.
import { h } from './dom.js';

const BEFORE = 5, AFTER = 5; // cycles in the wave before and after the load

// Blocks on the way of the load, with the cycles in which it was there, of their own clock.
function blocksOf(data, load, valueOf, latency) {
  const end = valueOf(load, 'issued') + latency(load), sm = valueOf(load, 'sm');
  const places = [[`l1d.${sm}.mshr`, valueOf(load, 'issued'), end, 'SM']];
  if (valueOf(load, 'l1d_missed'))
    for (const what of ['in', 'bank_queues', 'cart', 'mshr'])
      places.push([`l2.${valueOf(load, 'l2_bank')}.${what}`, valueOf(load, 'l2_from'), valueOf(load, 'l2_to'), 'L2']);
  return places.filter(p => data.blocks.includes(p[0].replace(/\.[0-9]+\./, '.*.')));
}

export function makeCommands(data, load, valueOf, latency) {
  const blocks = blocksOf(data, load, valueOf, latency);
  if (!blocks.length) return [h('p', { class: 'note' }, 'No block on its way has Verilog with these parameters.')];
  if (!data.command)
    return [h('p', { class: 'note' }, 'No commands for its wave: the run read standard input, which cannot be repeated.')];
  const stop = Math.min(data.cycles, valueOf(load, 'issued') + latency(load) + AFTER + 1);
  const record = `${data.command} -q -s sim.max_cycles=${stop}` + blocks.map(b => ` --record ${b[0]}=${b[0]}.vec`).join('');
  return [h('h3', {}, 'The same cycles in the Verilog'), h('p', {}, 'Record the blocks: ', h('code', {}, record)),
    ...blocks.map(([name, from, to, clock]) => h('p', {}, `${name}, ${clock} cycles ${from} to ${to}: `,
      h('code', {}, `${data.program} replay ${name}.vec --wave ${name}.fst --cycles ${Math.max(0, from - BEFORE)}:${to + AFTER}`)))];
}
