/** Checks the study in a link, which may contain anything. */

/** @import { StudyKind } from '../../protocol.js' */
/** @import { StudyLink } from './index.js' */

/** @type {StudyKind[]} */
const KINDS = ['advise', 'hunt', 'shrink', 'explore'];

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isCount = (/** @type {any} */ value, /** @type {number} */ least) =>
  Number.isSafeInteger(value) && value >= least;

/**
 * The study of a link; undefined if it is not a valid study.
 * @param {unknown} found @returns {StudyLink | undefined}
 */
export function studyOf(found) {
  if (typeof found !== 'object' || found === null) return undefined;
  const { kind, ...rest } = /** @type {any} */ (found);
  if (kind === 'heat') return heatOf(rest);
  if (!KINDS.includes(kind)) return undefined;
  const { values } = rest;
  if (typeof values !== 'object' || values === null || !Object.values(values).every(isText)) return undefined;
  return { kind, values };
}

/** @param {any} found @returns {StudyLink | undefined} */
function heatOf({ x, y, first, seeds, varyPhase = false, duration = '', measure }) {
  const texts = [x?.path, x?.values, y?.path, y?.values, duration, measure];
  if (!texts.every(isText) || !isCount(first, 0) || !isCount(seeds, 1) || typeof varyPhase !== 'boolean')
    return undefined;
  const axis = (/** @type {any} */ { path, values }) => ({ path, values });
  return { kind: 'heat', x: axis(x), y: axis(y), first, seeds, varyPhase, duration, measure };
}
