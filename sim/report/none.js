// SPDX-License-Identifier: Apache-2.0
// In the place of topojson-client: Vega's loader imports it, and the report loads no file.
export const feature = null, mesh = null;
