/** What explains beyond the first picture, in one chunk: causes, and what is behind the beliefs. */
export { openInnerLife } from './inner.js';
export { openCause } from './room.js';
