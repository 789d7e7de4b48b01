// SPDX-License-Identifier: Apache-2.0
// Replaces topojson-client, which Vega's loader imports; the report loads no files.
export const feature = null, mesh = null;
