/** What happened, for other tools: of a run, and of evidence. */

/** @typedef {'perfetto' | 'ndjson' | 'csv' | 'leaders'} Format */

/**
 * What each format is called, how the name of its file ends, and its type.
 * @type {Record<Format, [label: string, ending: string, type: string]>}
 */
export const FORMATS = {
  perfetto: ['Trace (Perfetto)', 'perfetto.json', 'application/json'],
  ndjson: ['Trace file (NDJSON)', 'ndjson', 'application/x-ndjson'],
  csv: ['Events (CSV)', 'events.csv', 'text/csv'],
  leaders: ['Leaders (CSV)', 'leaders.csv', 'text/csv'],
};

/** The name of a kind in a sentence: "the trace". @param {string} label */
export const kindWords = (label) => `the ${label.toLowerCase().replace(/ \(.*/, '').replace(/^go /, 'Go ')}`;
