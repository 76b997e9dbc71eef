/**
 * Keeps the site for visits without a network, and lets no request leave the origin. The page itself comes from the
 * network when there is one; everything else has a hash in its name and comes from the copy. The page that asks a
 * Kubernetes API also answers.
 *
 * A new version waits until no page of an older one is open, and only then takes the older copies away: what an open page
 * loads later, or again when its engine has crashed, is still there. A page that was loaded meanwhile finds its files in
 * the copy of the version that waits.
 */
import { Copies } from './sw/copies.js';
import { relay } from './sw/relay.js';
import { routeOf, targetOf } from './sw/routes.js';

const keeper = /** @type {any} */ (self);
const site = new URL(keeper.registration.scope);
const copies = new Copies(caches, { site, version: __VERSION__, fetch: (request) => fetch(request) });

keeper.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(copies.keep(__KEPT__));
});

keeper.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(copies.dropOlder(__KEPT__).then(() => keeper.clients.claim()));
});

keeper.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const route = routeOf(request, site);
  if (route === 'refuse') event.respondWith(Response.error());
  else if (route === 'api')
    event.respondWith(relay(event, targetOf(new URL(request.url), site.pathname), keeper.clients));
  else if (route !== 'network') event.respondWith(copies[route](request));
});

// A page with an open watch sends a message now and then: receiving it keeps this worker alive.
keeper.addEventListener('message', () => {});
