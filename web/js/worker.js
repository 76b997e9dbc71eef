/**
 * The engine's worker. It loads the engine, answers requests one by one, and while the run plays it calls `tick` and
 * posts each new view. It holds no state of its own besides "is it playing".
 *
 * Messages in:  {type: "start", exec, wasm, module} · {type: "request", request}
 * Messages out: {type: "progress", loaded, total} · {type: "ready"} · {type: "failed", message} ·
 *               {type: "reply", reply} · {type: "view", view}
 */
/* global Go, leaselab */
import { unpack } from './unpack.js';

/** @type {any} */
const scope = self;

/** Wall time between two ticks. */
const TICK_MS = 16;

let playing = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

scope.onmessage = (/** @type {MessageEvent} */ event) => {
  const message = event.data;
  if (message.type === 'start') start(message);
  else if (message.type === 'request') answer(message.request);
};

/**
 * Where the engine is, and what it is: the bytes to load, and how many and of which hash they are when they are unpacked.
 * @typedef {{exec: string, wasm: string, module: {bytes: number, size: number, sha256: string}}} Parts
 */

/** @param {Parts} parts */
async function start(parts) {
  try {
    scope.importScripts(parts.exec);
    const go = new scope.Go();
    const unpacked = await load(parts);
    const [{ instance }] = await Promise.all([
      WebAssembly.instantiate(unpacked, go.importObject),
      check(unpacked, parts),
    ]);
    const exited = go.run(instance);
    closeDoors();
    if (typeof scope.leaselab !== 'function') throw new Error('the engine did not start');
    exited.then(() => scope.postMessage({ type: 'failed', message: 'the engine stopped' }));
    scope.postMessage({ type: 'ready' });
  } catch (error) {
    scope.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** Loads the engine, says how far it is, and unpacks it. @param {Parts} parts */
async function load({ wasm, module }) {
  const response = await fetch(wasm);
  if (!response.ok || !response.body) throw new Error(`the engine could not be fetched (HTTP ${response.status})`);
  // What comes through is unpacked already if the host has said that it is packed.
  const total = response.headers.get('content-encoding') === 'zstd' ? module.size : module.bytes;
  let loaded = 0;
  const counted = response.body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        scope.postMessage({ type: 'progress', loaded, total });
        controller.enqueue(chunk);
      },
    }),
  );
  return unpack(new Uint8Array(await new Response(counted).arrayBuffer()));
}

/** Whether the module is the one that was built; a page without https cannot compute that. @param {Uint8Array<ArrayBuffer>} unpacked @param {Parts} parts */
async function check(unpacked, { module }) {
  const subtle = scope.crypto?.subtle;
  if (!subtle) return;
  const digest = new Uint8Array(await subtle.digest('SHA-256', unpacked));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== module.sha256) throw new Error("the engine's file is broken: it is not the one that was built");
}

/** Nothing leaves the page: a worker has no content policy of its own on plain hosts, so it gives its doors away. */
function closeDoors() {
  for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts']) {
    for (let owner = scope; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
      if (Object.hasOwn(owner, name)) Reflect.deleteProperty(owner, name);
    }
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false });
  }
}

/** @param {{id: number, op: string}} request */
function answer(request) {
  const reply = call(request);
  if (reply.result?.lanes) pack(reply.result.lanes);
  scope.postMessage({ type: 'reply', reply });
  if (reply.ok && reply.result && 'playing' in reply.result) setPlaying(reply.result.playing);
}

/**
 * The long lists of a timeline as typed arrays: the page then takes them over in one piece, where it would lose frames
 * over a hundred thousand numbers one by one.
 * @param {import('./protocol.js').Lane[]} lanes
 */
function pack(lanes) {
  for (const { buckets } of lanes) {
    if (!buckets) continue;
    Object.assign(buckets, {
      requests: Uint32Array.from(buckets.requests),
      worstNs: Float64Array.from(buckets.worstNs),
    });
  }
}

/** @param {object} request */
function call(request) {
  try {
    return JSON.parse(scope.leaselab(JSON.stringify(request)));
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    return { id: /** @type {any} */ (request).id, ok: false, error: { code: 'panic', message: String(error), stack } };
  }
}

/** @param {boolean} on */
function setPlaying(on) {
  playing = on;
  clearTimeout(timer);
  if (playing) timer = setTimeout(tick, TICK_MS);
}

function tick() {
  const reply = call({ id: 0, op: 'tick' });
  if (!reply.ok) {
    playing = false;
    scope.postMessage({ type: 'reply', reply });
    return;
  }
  if (reply.result && 'cursor' in reply.result) {
    playing = reply.result.playing;
    scope.postMessage({ type: 'view', view: reply.result });
  }
  if (playing) timer = setTimeout(tick, TICK_MS);
}
