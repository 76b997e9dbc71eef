/**
 * Relays requests for the Kubernetes API to a page, which answers over a message port. The worker keeps no state: the
 * browser may stop it between two requests.
 */

/**
 * The longest body that the API server reads. The relay truncates longer bodies just above it, so that the server
 * refuses them.
 */
const MAX_BODY = 3 * 1024 * 1024;
/**
 * The relay asks the page several times whether it listens, because the page may still be loading. These are the time
 * between two questions, and their number.
 */
const KNOCK_MS = 250;
const KNOCKS = 80;

/** @typedef {{postMessage: (message: object, transfer?: Transferable[]) => void}} Page */
/**
 * @typedef {{get: (id: string) => Promise<Page | undefined>, matchAll: (how: {type: "window"}) => Promise<readonly
 *   Page[]>}} Pages
 */

/**
 * @param {{request: Request, clientId: string}} event
 * @param {string} target path and query for the API server
 * @param {Pages} pages @param {{knockMs?: number, knocks?: number}} [patience]
 */
export async function relay({ request, clientId }, target, pages, patience) {
  const page = await findPage(request, clientId, pages);
  const port = page && (await knock(page, request.signal, patience));
  if (!port) return unavailable(page ? 'The leaselab page does not answer.' : 'No tab has leaselab open.');
  const bytes = ['GET', 'HEAD'].includes(request.method) ? new ArrayBuffer(0) : await request.arrayBuffer();
  const body = new TextDecoder().decode(bytes.slice(0, MAX_BODY + 1));
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  return exchange(port, { method: request.method, target, headers, body }, request.signal);
}

/**
 * The page that sent the request. For an address that a visitor opens, the most recently used page.
 * @param {Request} request
 * @param {string} clientId
 * @param {Pages} pages
 */
async function findPage(request, clientId, pages) {
  // A navigation has no page yet, because its page waits for this answer.
  const asking = request.mode === 'navigate' ? undefined : await pages.get(clientId);
  return asking ?? (await pages.matchAll({ type: 'window' }))[0];
}

/**
 * Opens a port to a page that listens. The page gets the request only after that, so no request runs twice.
 * @param {Page} page @param {AbortSignal} signal @param {{knockMs?: number, knocks?: number}} [patience]
 * @returns {Promise<MessagePort | undefined>}
 */
async function knock(page, signal, { knockMs = KNOCK_MS, knocks = KNOCKS } = {}) {
  for (let i = 0; i < knocks && !signal.aborted; i++) {
    const { port1, port2 } = new MessageChannel();
    const reply = await new Promise((resolve) => {
      port1.onmessage = () => resolve(true);
      setTimeout(() => resolve(false), knockMs);
      page.postMessage({ type: 'knock' }, [port2]);
    });
    if (reply) return port1;
    port1.close();
  }
  return undefined;
}

/** @param {MessagePort} port @param {object} ask @param {AbortSignal} signal @returns {Promise<Response>} */
function exchange(port, ask, signal) {
  const leave = () => port.postMessage({ type: 'close' });
  signal.addEventListener('abort', leave);
  return new Promise((resolve) => {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let frames;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      frames?.close();
      resolve(unavailable('The leaselab page was closed.'));
      port.close();
    };
    port.onmessage = ({ data }) => {
      if (data.type === 'frames' && !isOver) frames.enqueue(new TextEncoder().encode(data.text));
      else if (data.type === 'end') end();
      else if (data.type === 'answer') {
        const body = new ReadableStream({
          start: (controller) => {
            frames = controller;
          },
          pull: () => port.postMessage({ type: 'more' }),
          cancel: () => {
            isOver = true;
            leave();
          },
        });
        resolve(makeResponse(data, data.streams ? body : data.body));
        if (!data.streams) port.close();
      }
    };
    // The page has closed. Not every browser fires this event.
    port.addEventListener('close', end);
    port.postMessage({ type: 'request', ask });
  });
}

/** @param {{status: number, headers: string[]}} answer @param {ReadableStream | string} body */
function makeResponse({ status, headers }, body) {
  const list = new Headers();
  for (const header of headers) {
    const at = header.indexOf(':');
    list.append(header.slice(0, at), header.slice(at + 1).trim());
  }
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: list });
}

/** @param {string} message */
function unavailable(message) {
  const reason = 'ServiceUnavailable';
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: 503 };
  return new Response(`${JSON.stringify(status)}\n`, { status: 503, headers: { 'content-type': 'application/json' } });
}
