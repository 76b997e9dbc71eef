/** The parts of the timeline that load after the first picture. */
export { TimelineInput } from './input.js';
export { RunSummary } from './summary.js';
