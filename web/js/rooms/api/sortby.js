/**
 * Objects in the order of a field, as kubectl get --sort-by has them.
 * Source: kubectl pkg/cmd/get sorter.go TableSorter, isLess; fvbommel/sortorder NaturalLess.
 */
import { PathError, valuesAt } from './jsonpath.js';

/** @param {unknown} one @param {unknown} other */
function compared(one, other) {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(one) - Number(other);
  return natural(String(one), String(other));
}

/** Texts in which numbers are compared as numbers: "n2" before "n10". @param {string} one @param {string} other */
function natural(one, other) {
  const [a, b] = [one, other].map((text) => text.match(/\d+|\D/g) ?? []);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] === b[i]) continue;
    const numbers = /^\d/.test(a[i]) && /^\d/.test(b[i]);
    if (numbers && Number(a[i]) !== Number(b[i])) return Number(a[i]) - Number(b[i]);
    return a[i] < b[i] ? -1 : 1;
  }
  return a.length - b.length;
}

/** What kubectl says when no object has the field. @param {string} path */
export const noSuchField = (path) =>
  new PathError(
    `error: couldn't find any field with path "{${path.replace(/^\{|\}$/g, '').replace(/^(?![.[])/, '.')}}" in the list of objects`,
  );

/**
 * Those without the field come first; undefined when none has it.
 * @template T
 * @param {T[]} all
 * @param {string} path
 * @param {(one: T) => unknown} objectOf
 * @returns {T[] | undefined}
 */
export function sortedBy(all, path, objectOf) {
  const keyed = all.map((one) => ({ one, value: valuesAt(path, objectOf(one))[0] }));
  if (keyed.every(({ value }) => value === undefined)) return undefined;
  return keyed
    .sort((a, b) => {
      const missing = Number(b.value === undefined) - Number(a.value === undefined);
      return a.value === undefined || b.value === undefined ? missing : compared(a.value, b.value);
    })
    .map(({ one }) => one);
}
