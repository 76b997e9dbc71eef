/**
 * Nothing rare disappears. A narrow mark becomes three pixels wide, and neighbors that then touch merge into one mark
 * with their number. The most severe mark of a group determines its kind.
 */
import { toX } from './viewport.js';

/** @import { Scale } from './viewport.js' */

/** The more severe kinds come first. */
export const GRAVITY = ['violation', 'two', 'nobody', 'idle', 'fault', 'change'];
export const RARE_PX = 3;

/**
 * @template T
 * @typedef {{x: number, w: number, kind: string, count: number, from: number, to: number, item: T}} Mark
 * item: the first of the most severe kind. from, to: the time span of the mark.
 */

/** @param {string} kind */
function gravity(kind) {
  const i = GRAVITY.indexOf(kind);
  return i < 0 ? GRAVITY.length : i;
}

/**
 * @template {{from: number, to: number}} T
 * @param {T[]} items sorted by from, already clipped to the part that may show
 * @param {Scale} scale @param {(item: T) => string} kindOf @returns {Mark<T>[]}
 */
export function mergeRare(items, scale, kindOf) {
  /** @type {Mark<T>[]} */
  const marks = [];
  /** @type {Mark<T>|null} the group still open: only narrow marks join one */
  let open = null;
  for (const item of items) {
    const x0 = toX(scale, item.from);
    const w = toX(scale, item.to) - x0;
    const narrow = w < RARE_PX;
    if (narrow && open && x0 - RARE_PX / 2 < open.x + open.w) {
      open.w = Math.max(open.w, x0 + w + RARE_PX / 2 - open.x);
      open.count++;
      open.to = Math.max(open.to, item.to);
      if (gravity(kindOf(item)) < gravity(open.kind)) {
        open.kind = kindOf(item);
        open.item = item;
      }
      continue;
    }
    /** @type {Mark<T>} */
    const mark = {
      x: narrow ? x0 + w / 2 - RARE_PX / 2 : x0,
      w: Math.max(RARE_PX, w),
      kind: kindOf(item),
      count: 1,
      from: item.from,
      to: item.to,
      item,
    };
    marks.push(mark);
    open = narrow ? mark : null;
  }
  return marks;
}
