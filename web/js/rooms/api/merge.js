/** What changed between two objects, as the patches clients send. */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} a @param {unknown} b */
export const equal = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The same value with members in order of their names. @param {any} value @returns {any} */
export function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/**
 * The JSON merge patch that makes one object of another; undefined when nothing differs.
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 * @returns {Record<string, any> | undefined}
 */
export function mergePatch(before, after) {
  /** @type {Record<string, any>} */
  const patch = {};
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const had = before[name];
    if (isObject(value) && isObject(had)) {
      const inner = mergePatch(had, value);
      if (inner) patch[name] = inner;
    } else if (!equal(had, value) || !(name in before)) patch[name] = value;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/**
 * What a client-side apply sends: what is written now and differs, and null for what was written last time and is not
 * any more. What others wrote is left alone.
 * @param {Record<string, any>} last applied
 * @param {Record<string, any>} current
 * @param {Record<string, any>} wanted
 * @returns {Record<string, any> | undefined}
 */
export function applyPatch(last, current, wanted) {
  /** @type {Record<string, any>} */
  const patch = {};
  for (const name of Object.keys(last)) if (!(name in wanted) && name in current) patch[name] = null;
  for (const [name, value] of Object.entries(wanted)) {
    const has = current[name];
    if (isObject(value) && isObject(has)) {
      const inner = applyPatch(isObject(last[name]) ? last[name] : {}, has, value);
      if (inner) patch[name] = inner;
    } else if (!equal(has, value)) patch[name] = value;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
