/**
 * Keeps the site for visits without a network, and lets no request leave the origin. The page itself comes from the
 * network when there is one; everything else has a hash in its name and comes from the copy.
 */
const keeper = /** @type {any} */ (self);
const CACHE = `leaselab-${__VERSION__}`;

keeper.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(__KEPT__))
      .then(() => keeper.skipWaiting()),
  );
});

keeper.addEventListener('activate', (/** @type {any} */ event) => {
  const old = (/** @type {string} */ name) => name.startsWith('leaselab-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => keeper.clients.claim()),
  );
});

keeper.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (new URL(request.url).origin !== keeper.location.origin) event.respondWith(Response.error());
  else if (request.method === 'GET') event.respondWith(request.mode === 'navigate' ? page(request) : part(request));
});

/** @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('./', { cacheName: CACHE })) ?? Response.error();
  }
}

/** @param {Request} request */
async function part(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}
