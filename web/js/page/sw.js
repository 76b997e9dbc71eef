/**
 * Keeps a copy of the site for offline visits, and lets no request leave the origin. The page itself comes from the
 * network if possible. All other files have a hash in their name and come from the copy. Requests for the Kubernetes
 * API go to a page, which answers them.
 *
 * A new version waits until the last page of an older version has closed. Only then does it delete the older copies. So
 * an open page can still load its rooms, and its engine after a crash. A page that loads meanwhile finds its files in
 * the copy of the waiting version.
 */
import { Copies } from './sw/copies.js';
import { relay } from './sw/relay.js';
import { routeOf, targetOf } from './sw/routes.js';

const keeper = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const site = new URL(keeper.registration.scope);
const copies = new Copies(caches, {
  site,
  version: __VERSION__,
  onUse: __KEPT_ON_USE__,
  fetch: (request) => fetch(request),
});

keeper.addEventListener('install', (event) => {
  event.waitUntil(copies.keep(__KEPT__));
});

keeper.addEventListener('activate', (event) => {
  event.waitUntil(copies.dropOlder(__KEPT__).then(() => keeper.clients.claim()));
});

keeper.addEventListener('fetch', (event) => {
  const { request } = event;
  const route = routeOf(request, site);
  if (route === 'refuse') event.respondWith(Response.error());
  else if (route === 'api')
    event.respondWith(relay(event, targetOf(new URL(request.url), site.pathname), keeper.clients));
  else if (route !== 'network') event.respondWith(copies[route](request));
});

// A page with an open watch sends a message now and then: receiving it keeps this worker alive.
keeper.addEventListener('message', () => {});
