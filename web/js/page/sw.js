/**
 * Keeps the site for visits without a network, and lets no request leave the origin. The page itself comes from the
 * network when there is one; everything else has a hash in its name and comes from the copy. What is asked of a
 * Kubernetes API is answered by the page that asks: this worker keeps nothing, as it may be stopped between two requests.
 *
 * A new version waits until no page of an older one is open, and only then takes the older copies away: what an open page
 * loads later, or again when its engine has crashed, is still there. A page that was loaded meanwhile finds its files in
 * the copy of the version that waits. Another site on the same origin has copies of its own, under its own path.
 */
const keeper = /** @type {any} */ (self);
const OURS = `leaselab ${new URL(keeper.registration.scope).pathname} `;
const CACHE = OURS + __VERSION__;
/** What the copies were called when all sites of an origin shared the name. */
const SHARED = 'leaselab-';
/** Where page/worker.js keeps the engine unpacked. */
const UNPACKED = `${OURS}unpacked`;
const PAGE = './';
/** The root of `leaselab serve` is the page for a browser, and a list of paths for all who do not ask for a page. */
const AS_A_BROWSER = { headers: { accept: 'text/html' } };

keeper.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(__KEPT__.map((path) => new Request(path, path === PAGE ? AS_A_BROWSER : {})))),
  );
});

keeper.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  for (const name of await caches.keys()) {
    const old = name.startsWith(OURS) && name !== CACHE && name !== UNPACKED;
    if (old || (name.startsWith(SHARED) && (await isOurs(name)))) await caches.delete(name);
  }
  await pruneUnpacked();
  await keeper.clients.claim();
}

/** Takes away the unpacked engine of another version. */
async function pruneUnpacked() {
  const kept = new Set(__KEPT__.map((path) => new URL(path, keeper.registration.scope).href));
  const cache = await caches.open(UNPACKED);
  for (const request of await cache.keys()) if (!kept.has(request.url)) await cache.delete(request);
}

/** Whether a copy of the shared name is of the site at this very path. @param {string} name */
async function isOurs(name) {
  const copy = await caches.open(name);
  return (await copy.match(keeper.registration.scope, { ignoreVary: true })) !== undefined;
}

keeper.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== keeper.location.origin) event.respondWith(Response.error());
  else if (targetOf(url)) event.respondWith(api(event, targetOf(url)));
  else if (request.method === 'GET') event.respondWith(request.mode === 'navigate' ? page(request) : part(request));
});

// A page with an open watch says now and then that it is there; being told is all that is needed.
keeper.addEventListener('message', () => {});

/** @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE, { cacheName: CACHE, ignoreVary: true })) ?? Response.error();
  }
}

/** @param {Request} request */
async function part(request) {
  const kept = await caches.match(request, { cacheName: CACHE });
  if (kept) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok) return answer;
    return (await keptElsewhere(request)) ?? answer;
  } catch (error) {
    const other = await keptElsewhere(request);
    if (other) return other;
    throw error;
  }
}

/** From the copy of another version: names carry a hash, so it is the same file. @param {Request} request */
async function keptElsewhere(request) {
  for (const name of await caches.keys()) {
    const found = name.startsWith(OURS) && name !== UNPACKED && (await caches.match(request, { cacheName: name }));
    if (found) return found;
  }
  return undefined;
}

/* ---- the API ---- */

/** The first parts of the paths that a Kubernetes API server answers. */
const API = new Set(['api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz']);
/** The longest body that the API server reads: of a longer one enough is passed on to be refused. */
const MAX_BODY = 3 * 1024 * 1024;
/** How often, and how many times, the page is asked whether it listens: it may still be loading. */
const KNOCK_MS = 250;
const KNOCKS = 80;

/** Path and query as the API server knows them, under the site's own path or at the root; "" for anything else. @param {URL} url */
function targetOf({ pathname, search }) {
  const scope = new URL(keeper.registration.scope).pathname;
  const inside = pathname.startsWith(scope) ? pathname.slice(scope.length) : pathname.slice(1);
  return API.has(inside.split('/', 1)[0]) ? `/${inside}${search}` : '';
}

/** @param {any} event @param {string} target */
async function api({ request, clientId }, target) {
  const client = await answering(request, clientId);
  const port = client && (await knock(client, request.signal));
  if (!port)
    return unavailable(client ? 'The page of the laboratory does not answer.' : 'The laboratory is open in no tab.');
  const bytes = ['GET', 'HEAD'].includes(request.method) ? new ArrayBuffer(0) : await request.arrayBuffer();
  const body = new TextDecoder().decode(bytes.slice(0, MAX_BODY + 1));
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  return exchange(port, { method: request.method, target, headers, body }, request.signal);
}

/** The page that sent the request; for an address that somebody opens, the one looked at last. @param {Request} request @param {string} clientId */
async function answering(request, clientId) {
  // Not clients.get for a navigation: the page to be is waiting for this very answer.
  const asking = request.mode === 'navigate' ? undefined : await keeper.clients.get(clientId);
  return asking ?? (await keeper.clients.matchAll({ type: 'window' }))[0];
}

/**
 * A port to a page that listens. Only then it is sent the request, so that nothing is done twice.
 * @param {any} client
 * @param {AbortSignal} signal
 * @returns {Promise<MessagePort | undefined>}
 */
async function knock(client, signal) {
  for (let i = 0; i < KNOCKS && !signal.aborted; i++) {
    const { port1, port2 } = new MessageChannel();
    const here = await new Promise((resolve) => {
      port1.onmessage = () => resolve(true);
      setTimeout(() => resolve(false), KNOCK_MS);
      client.postMessage({ type: 'knock' }, [port2]);
    });
    if (here) return port1;
    port1.close();
  }
  return undefined;
}

/**
 * @param {MessagePort} port
 * @param {object} ask
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
function exchange(port, ask, signal) {
  const leave = () => port.postMessage({ type: 'close' });
  signal.addEventListener('abort', leave);
  return new Promise((resolve) => {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let frames;
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      frames?.close();
      resolve(unavailable('The page of the laboratory went away.'));
      port.close();
    };
    port.onmessage = ({ data }) => {
      if (data.type === 'frames' && !over) frames.enqueue(new TextEncoder().encode(data.text));
      else if (data.type === 'end') end();
      else if (data.type === 'answer') {
        const body = new ReadableStream({
          start: (controller) => {
            frames = controller;
          },
          pull: () => port.postMessage({ type: 'more' }),
          cancel: () => {
            over = true;
            leave();
          },
        });
        resolve(answered(data, data.streams ? body : data.body));
        if (!data.streams) port.close();
      }
    };
    // The page was closed: where browsers tell.
    port.addEventListener('close', end);
    port.postMessage({ type: 'request', ask });
  });
}

/** @param {{status: number, headers: string[]}} answer @param {ReadableStream | string} body */
function answered({ status, headers }, body) {
  const told = new Headers();
  for (const header of headers) {
    const at = header.indexOf(':');
    told.append(header.slice(0, at), header.slice(at + 1).trim());
  }
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: told });
}

/** @param {string} message */
function unavailable(message) {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'ServiceUnavailable',
    code: 503,
  };
  return new Response(`${JSON.stringify(status)}\n`, { status: 503, headers: { 'content-type': 'application/json' } });
}
