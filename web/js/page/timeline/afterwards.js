/** What the timeline needs only once there is a picture. */
export { TimelineInput } from './input.js';
export { RunSummary } from './summary.js';
