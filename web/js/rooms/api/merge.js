/** The difference between two objects, as a patch that a client could send. */

import { isObject } from '../../lib/shape.js';

/** @typedef {{[name: string]: unknown}} Members */

/** @param {unknown} a @param {unknown} b */
export const equal = (a, b) => JSON.stringify(sortMembers(a)) === JSON.stringify(sortMembers(b));

/** Sorts the members of a value by name. @param {unknown} value @returns {unknown} */
export function sortMembers(value) {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]));
}

/**
 * The JSON merge patch that turns the current object into the wanted one: the changed members, and null for removed
 * ones; undefined if nothing differs.
 * @param {Members} current
 * @param {Members} wanted
 * @returns {Members | undefined}
 */
export function mergePatch(current, wanted) {
  /** @type {Members} */
  const patch = {};
  for (const name of Object.keys(current)) if (!Object.hasOwn(wanted, name)) patch[name] = null;
  for (const [name, value] of Object.entries(wanted)) {
    const old = Object.hasOwn(current, name) ? current[name] : undefined;
    if (isObject(value) && isObject(old)) {
      const inner = mergePatch(old, value);
      if (inner) patch[name] = inner;
    } else if (!Object.hasOwn(current, name) || !equal(old, value)) patch[name] = value;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
