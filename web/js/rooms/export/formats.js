/** Formats for other tools, for a run and for evidence. */

/** @typedef {'ndjson' | 'csv' | 'leaders'} Format */

/**
 * The label, the file ending and the type of each format.
 * @type {Record<Format, [label: string, ending: string, type: string]>}
 */
export const FORMATS = {
  ndjson: ['Trace file (NDJSON)', 'ndjson', 'application/x-ndjson'],
  csv: ['Events (CSV)', 'events.csv', 'text/csv'],
  leaders: ['Leaders (CSV)', 'leaders.csv', 'text/csv'],
};

/** The text for a kind within a sentence: "the trace". @param {string} label */
export const kindWords = (label) => `the ${label.toLowerCase().replace(/ \(.*/, '').replace(/^go /, 'Go ')}`;
