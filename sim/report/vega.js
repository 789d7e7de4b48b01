// SPDX-License-Identifier: Apache-2.0
// Parts of Vega that the report uses: marks, scales, axes and legends; no maps, networks or file loading.
import { extend } from 'vega-util';
import { transforms } from 'vega-dataflow';
import * as plain from 'vega-transforms';
import * as view from 'vega-view-transforms';
import * as encode from 'vega-encode';
extend(transforms, plain, view, encode);
export { View } from 'vega-view';
export { parse } from 'vega-parser';
