/** For tests: records calls, and waits for them. */

const later = setTimeout;
/** Lets all code run that does not wait for time to pass, even while a test has stopped the clock. */
export const settle = () => new Promise((resolve) => later(resolve));

/** Waits until a condition holds. @param {() => unknown} holds */
export async function waitUntil(holds) {
  for (const end = performance.now() + 20_000; !holds(); await settle())
    if (performance.now() > end) throw new Error(`not within 20 s: ${holds}`);
}

/**
 * Logs calls by name. Each member is a function that logs its call and then does what `answers` says; a value in
 * `answers` that is not a function is the member itself.
 * @param {unknown[][]} log
 * @param {Record<string, unknown>} [answers]
 */
export const recorder = (log, answers = {}) =>
  /** @type {any} */ (
    new Proxy(answers, {
      get: (_, /** @type {string} */ name) =>
        name in answers && typeof answers[name] !== 'function'
          ? answers[name]
          : (/** @type {unknown[]} */ ...given) => {
              log.push([name, ...given]);
              const answer = answers[name];
              return typeof answer === 'function' ? answer(...given) : undefined;
            },
    })
  );

/** The cursor and the live cursor of a run. @param {number} t @param {number} [live] */
export const placeAt = (t, live = t) => ({ cursor: { t, n: -1 }, live: { t: live, n: -1 } });

/**
 * A property of each element, or several properties as a list. If an element is a list, a key is an index.
 * @param {readonly any[]} list @param {(string | number)[]} keys @returns {any[]}
 */
export const each = (list, ...keys) =>
  list.map((one) => (keys.length === 1 ? one[keys[0]] : keys.map((key) => one[key])));
