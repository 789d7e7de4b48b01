// SPDX-License-Identifier: Apache-2.0
// Looks that all plots share, those of the report and those of the documents.
export const SCHEMA = 'https://vega.github.io/schema/vega/v5.json';
// Colour-blind-safe colours of Okabe and Ito, without black; then grey.
export const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#D55E00', '#56B4E9', '#CC79A7', '#F0E442', '#999999'];
// Lines also differ in dashes, and points in shape and size, so that they are visible below others.
const DASHES = [[1, 0], [9, 5], [3, 3], [14, 4, 3, 4], [6, 2], [2, 6], [12, 8], [5, 3, 1, 3]];
export const SHAPES = ['circle', 'square', 'triangle-up', 'cross', 'triangle-down', 'triangle-right', 'triangle-left', 'stroke'];
export const textStyle = { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
// Assigns a value the same colour in all plots, of the area and of its edge. `all` includes values that this plot omits.
export function colourScales(cs, all = cs) {
  const scale = (name, of) => ({ name, type: 'ordinal', domain: cs, range: cs.map(c => of(all.indexOf(c))) });
  return [scale('color', shade), scale('edge', k => COLOURS[k % COLOURS.length])];
}
// Mixes a colour with white or black.
function mix(colour, to, share) {
  const part = at => Math.round(parseInt(colour.slice(at, at + 2), 16) * (1 - share) + to * share).toString(16).padStart(2, '0');
  return '#' + part(1) + part(3) + part(5);
}
// After the eight colours, they repeat as pale ones and as dark ones; their edges keep the colour.
function shade(k) {
  const colour = COLOURS[k % COLOURS.length];
  return [colour, mix(colour, 255, 0.65), mix(colour, 0, 0.55)][Math.floor(k / COLOURS.length) % 3];
}
export const dashScale = cs => ({ name: 'dash', type: 'ordinal', domain: cs, range: DASHES });
// Makes a legend with as many columns as fit into the width.
export function legend(names, width, more) {
  const longest = Math.max(...names.map(n => Math.min(32, String(n).length)));
  return { orient: 'top', direction: 'horizontal', columns: Math.max(1, Math.floor((width - 60) / (longest * 7 + 36))), symbolType: 'square', symbolStrokeWidth: 1.5,
    fill: 'color', stroke: 'edge', labelFontSize: 12, labelLimit: 230, titleFontSize: 12, titleLimit: width - 20, ...more };
}
// Labels an axis with names: level, slanted or upright, whichever fits. Omits labels only if none of them fits.
export function nameLabels(names, width) {
  const longest = Math.max(0, ...names.map(n => String(n).length)), step = (width - 70) / Math.max(1, names.length), angle = longest < 4 || longest * 7 <= step ? 0 : step >= 18 ? -40 : -90;
  return { labelAngle: angle, labelAlign: angle ? 'right' : 'center', labelBaseline: angle === -90 ? 'middle' : 'top', labelOverlap: !angle || step < 12, labelLimit: 150, ...textStyle };
}
