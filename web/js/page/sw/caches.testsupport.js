/** For tests: a CacheStorage of texts. */

/** A CacheStorage of names and paths. @param {Record<string, Record<string, string>>} all */
export function cachesOf(all) {
  const pathOf = (/** @type {any} */ request) => new URL(request.url ?? request).pathname;
  const findCopy = (/** @type {string} */ name, /** @type {any} */ request) => {
    const text = all[name]?.[pathOf(request)];
    return text === undefined ? undefined : new Response(text);
  };
  return {
    all,
    caches: /** @type {any} */ ({
      keys: async () => Object.keys(all),
      delete: async (/** @type {string} */ name) => delete all[name],
      match: async (/** @type {any} */ request, /** @type {any} */ { cacheName }) => findCopy(cacheName, request),
      open: async (/** @type {string} */ name) => ({
        match: async (/** @type {any} */ request) => findCopy(name, request),
        keys: async () =>
          Object.keys(all[name] ?? {}).map((path) => new Request(new URL(path, 'https://host.example/lab/'))),
        delete: async (/** @type {any} */ request) => delete all[name][pathOf(request)],
        put: async (/** @type {any} */ request, /** @type {Response} */ answer) => {
          all[name][pathOf(request)] = await answer.text();
        },
        addAll: async (/** @type {Request[]} */ requests) => {
          all[name] = Object.fromEntries(requests.map((one) => [pathOf(one), 'added']));
        },
      }),
    }),
  };
}
