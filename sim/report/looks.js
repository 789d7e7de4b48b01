// SPDX-License-Identifier: Apache-2.0
// Looks that all plots share, those of the report and those of the documents.
export const SCHEMA = 'https://vega.github.io/schema/vega/v5.json';
// Color-blind-safe colors of Okabe and Ito, without black; then gray.
export const COLORS = ['#0072B2', '#E69F00', '#009E73', '#D55E00', '#56B4E9', '#CC79A7', '#F0E442', '#999999'];
// Lines also differ in dashes, and points in shape and size, so that they are visible below others.
const DASHES = [[1, 0], [9, 5], [3, 3], [14, 4, 3, 4], [6, 2], [2, 6], [12, 8], [5, 3, 1, 3]];
const SHAPES = ['circle', 'square', 'triangle-up', 'cross', 'triangle-down', 'triangle-right', 'triangle-left', 'stroke'];
export const textStyle = { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
// Assigns a value the same color in all plots, of the area and of its edge. `all` includes values that this plot omits.
export function colorScales(cs, all = cs) {
  const scale = (name, of) => ({ name, type: 'ordinal', domain: cs, range: cs.map(c => of(all.indexOf(c))) });
  return [scale('color', shade), scale('edge', k => COLORS[k % COLORS.length])];
}
// Mixes a color with white or black.
function mix(color, to, share) {
  const part = at => Math.round(parseInt(color.slice(at, at + 2), 16) * (1 - share) + to * share).toString(16).padStart(2, '0');
  return '#' + part(1) + part(3) + part(5);
}
const roundOf = k => Math.floor(k / COLORS.length);
const ROUNDS = 3;
// After the eight colors, they repeat as pale ones and as dark ones; their edges keep the color.
function shade(k) {
  const color = COLORS[k % COLORS.length];
  return [color, mix(color, 255, 0.65), mix(color, 0, 0.55)][roundOf(k) % ROUNDS];
}
// Dashes and shapes move on by one in each round of the colors, so that 64 lines differ.
const movingScale = (name, list) => (cs, all = cs) => ({ name, type: 'ordinal', domain: cs,
  range: cs.map(c => all.indexOf(c)).map(k => list[(k + roundOf(k)) % list.length]) });
export const dashScale = movingScale('dash', DASHES), shapeScale = movingScale('shape', SHAPES);
// Returns the luminance of a color, from 0 to 1 (WCAG 2).
function luminance(color) {
  const part = at => {
    const v = parseInt(color.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
// Mixes a color with white until its contrast with a dark page is that of text.
const DARK = '#14171a', CONTRAST = 4.5;
export const contrastOnDark = color => (luminance(color) + 0.05) / (luminance(DARK) + 0.05);
function lighten(color) {
  let share = 0;
  while (contrastOnDark(mix(color, 255, share)) < CONTRAST) share += 0.02;
  return mix(color, 255, share);
}
// Returns a style sheet with the colors for a dark page.
export function darkStyle() {
  const looks = new Set([...COLORS, ...Array.from({ length: ROUNDS * COLORS.length }, (_, k) => shade(k))]);
  const rules = [...looks].flatMap(c => ['fill', 'stroke'].map(of => `.chart svg [${of}="${c}"] { ${of}: ${lighten(c)}; }`));
  return `@media screen and (prefers-color-scheme: dark) { ${rules.join(' ')} }`;
}
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
