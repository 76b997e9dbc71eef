import { computed } from '@preact/signals-core';

/**
 * The members of a signal's value, each as its own signal. A reader of one member runs again only when that member
 * changes, not with every new value.
 * @template {object} T
 * @param {{readonly value: T}} whole @returns {T}
 */
export function fieldsOf(whole) {
  /** @type {Map<keyof T, {readonly value: unknown}>} */
  const fields = new Map();
  const field = (/** @type {keyof T} */ name) => {
    /** @type {unknown} */
    let last;
    let text = '';
    return computed(() => {
      const next = whole.value[name];
      const json = JSON.stringify(next) ?? '';
      if (json !== text) {
        last = next;
        text = json;
      }
      return last;
    });
  };
  return /** @type {T} */ (
    new Proxy(
      {},
      {
        get(_, key) {
          const name = /** @type {keyof T} */ (key);
          if (!fields.has(name)) fields.set(name, field(name));
          return fields.get(name)?.value;
        },
      },
    )
  );
}
