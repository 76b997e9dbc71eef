/** For tests: a page that stands at a view, and what its units do, written down. */
import { browser, recorder } from '#dom';
import { createState } from './state.js';

/** The ports that are only called. */
const CALLED = [
  'run',
  'select',
  'selectNode',
  'mark',
  'showTab',
  'remember',
  'schedule',
  'compare',
  'theme',
  'download',
];

/**
 * @param {object} view
 * @param {Record<string, unknown>} [lab] what it answers
 * @param {Record<string, unknown>} [own] ports that the test supplies
 */
export function pageAt(view, lab = {}, own = {}) {
  const page = browser();
  const state = createState();
  state.phase.value = 'ready';
  state.view.value = /** @type {any} */ (view);
  /** @type {unknown[][]} */
  const done = [];
  const log = recorder(done);
  /** @type {any} */
  const ports = {
    ...Object.fromEntries(CALLED.map((name) => [name, log[name]])),
    ...{ state, lab: recorder(done, lab), notifier: log, currentTab: () => state.tab.value },
    ...{ pages: { close: () => false, enter: (/** @type {any} */ dialog) => dialog.show(), left() {} }, ...own },
  };
  return { ...page, state, done, lab: ports.lab, ports };
}
