/** Packs the recorded opening for the page. js/page/opening.js reads it. */
import { decodeFrames, hasMembers } from './js/page/opening.js';

/** @import { Members, Rest } from './js/page/opening.js' */
/** @import { Nanos, Opening, View } from './js/protocol.js' */

/**
 * The patch that turns `before` into `after`; undefined if they are equal.
 * @param {unknown} before @param {unknown} after @returns {unknown}
 */
export function difference(before, after) {
  if (Object.is(before, after)) return undefined;
  if (!hasMembers(before) || !hasMembers(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  if (Array.isArray(after) && before.length !== after.length) return after;
  /** @type {Members} */
  const out = {};
  for (const [key, value] of Object.entries(after)) {
    const change = key in before ? difference(before[key], value) : value;
    if (change !== undefined) out[key] = change;
  }
  for (const key of Object.keys(before)) if (!(key in after)) out[key] = null;
  return Object.keys(out).length > 0 ? out : undefined;
}

/**
 * Packs frames into fewer bytes: the function view() restores the members that this leaves out. @param {View[]} deltas
 * @returns {View[]}
 */
export function packFrames(deltas) {
  const bare = decodeFrames(deltas).map(({ live, nextT, hash, branches, ...rest }) => ({
    ...rest,
    branches: branches.map((branch) => ({ ...branch, live: 0 })),
  }));
  return /** @type {View[]} */ (bare.map((frame, i) => (i === 0 ? frame : (difference(bare[i - 1], frame) ?? {}))));
}

/** @param {Opening} opening @param {Nanos} until @returns {{story: Opening, rest: Rest}} */
export function splitOpening(opening, until) {
  const frames = packFrames(opening.frames);
  const times = decodeFrames(opening.frames).map((frame) => frame.cursor.t);
  const at = times.findIndex((t) => t > until);
  const split = at < 0 ? frames.length : at;
  const { events, objects, hello } = opening;
  const story = {
    ...opening,
    hello: { ...hello, fieldHelp: [] },
    frames: frames.slice(0, split),
    events: { ...events, rows: events.rows.filter((row) => row.t <= until) },
    objects: objects.filter((object) => object.t <= until),
  };
  const rest = {
    frames: frames.slice(split),
    rows: events.rows.filter((row) => row.t > until),
    objects: objects.filter((object) => object.t > until),
    fieldHelp: hello.fieldHelp,
  };
  return { story, rest };
}
