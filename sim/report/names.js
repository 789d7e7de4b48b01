// SPDX-License-Identifier: Apache-2.0
// Names of statistics, as `memtwin run` prints them.
import { page } from './study.js';

const WORDS = { ...Object.fromEntries('ipc l1d l2 dram tlb sm lsu mshr uvm gmmu hir hpe mrpb mdb mil lru ucp act pre rd wr ref'.split(' ').map(w => [w, w.toUpperCase()])),
  mipc: 'memory IPC', icache: 'instruction cache', ctas: 'CTAs', cta: 'CTA', icnt: 'crossbar', pcie: 'PCIe', insts: 'instructions', inst: 'instruction', mem: 'memory',
  pki: 'per 1000 instructions', mpki: 'misses per 1000 instructions', hpki: 'hits per 1000 instructions', gpgpusim: 'as GPGPU-Sim counts' };
const reason = name => page.head.words[name];
export const partOf = name => /^slots_/.test(name) ? 'issue slots' : page.statistic.get(name)?.part;
// Returns the name of a statistic: the part and the reason of lost cycles, or the words of its name.
export const statisticName = name => reason(name) ? `${partOf(name)}: ${reason(name)}` : wordsOf(name);
export const wordsOf = name => name.split('_').map(w => WORDS[w] ?? w).join(' ');
// Returns the reason of lost cycles, without the part.
export const reasonOf = (name, rest) => reason(name) || wordsOf(rest);
export const capital = text => text.replace(/^[a-z]/, c => c.toUpperCase());
