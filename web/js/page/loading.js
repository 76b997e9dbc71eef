/** The first task of a worker: it loads a module, checks it and runs it. After that, the worker has no network. */
import { unpack } from '../lib/unpack.js';

/**
 * Where the engine's files are: the bytes to load, and their size and hash once unpacked. compiled is the module that
 * an earlier worker loaded. passing: the cache does not keep it for the next visit.
 * @typedef {{exec: string, wasm: string, module: {bytes: number, size: number, sha256: string}, compiled?:
 *   WebAssembly.Module, passing?: boolean}} Parts
 */

/**
 * Loads a module, runs it, and removes the network from the worker. If the module that an earlier visit or worker left
 * does not start, the worker loads it again.
 * @param {EngineScope} scope @param {Parts} parts @param {string[]} [also] the names of further APIs that lead to the
 *   network
 */
export async function startModule(scope, parts, also = []) {
  scope.importScripts(parts.exec);
  const left = parts.compiled ?? (await keptModule(scope, parts));
  const started = left && (await run(scope, left).catch(() => undefined));
  const running = started ?? (await run(scope, await fetchModule(scope, parts)));
  closeDoors(scope, also);
  return running;
}

/** @param {EngineScope} scope @param {WebAssembly.Module} compiled */
async function run(scope, compiled) {
  const go = new scope.Go();
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  const exited = go.run(instance);
  if (typeof scope.leaselab !== 'function') throw new Error('the engine did not start');
  return { compiled, exited, memory: /** @type {WebAssembly.Memory} */ (instance.exports.mem) };
}

/**
 * Loads a module. If a cache on the way has a broken copy, the host sends another.
 * @param {EngineScope} scope @param {Parts} parts
 */
async function fetchModule(scope, parts) {
  const loaded = await load(scope, parts, 'default');
  return compile(scope, loaded, parts).catch(async () => compile(scope, await load(scope, parts, 'reload'), parts));
}

/** @param {EngineScope} scope @param {Uint8Array} loaded @param {Parts} parts */
async function compile(scope, loaded, parts) {
  const unpacked = unpack(loaded);
  const [compiled] = await Promise.all([WebAssembly.compile(unpacked), check(scope, unpacked, parts)]);
  if (!parts.passing) keep(scope, parts.wasm, unpacked).catch(() => {}); // storage may be full or missing
  return compiled;
}

/**
 * The errors if the engine with all operations does not load. The page fetches that engine when a room first needs it.
 */
const NEEDS_NETWORK = 'This needs the network once: its part of the simulator has not been loaded yet.';
const NOT_THERE =
  'This part of the simulator is not there: a newer version may have replaced this one. Reload the page.';

/** The cache that keeps the unpacked module for the next visit. page/sw.js prunes it. */
const unpackedCache = (/** @type {EngineScope} */ scope) =>
  `leaselab ${new URL('./', scope.location.href).pathname} unpacked`;

/**
 * The module that an earlier visit unpacked, if it is still whole. It compiles while it streams from the cache.
 * @param {EngineScope} scope @param {Parts} parts
 */
async function keptModule(scope, parts) {
  try {
    const copy = await scope.caches.match(parts.wasm, { cacheName: unpackedCache(scope) });
    if (!copy) return undefined;
    const bytes = copy.clone().arrayBuffer();
    const whole = bytes.then((unpacked) => check(scope, new Uint8Array(unpacked), parts));
    return (await Promise.all([WebAssembly.compileStreaming(copy), whole]))[0];
  } catch {
    return undefined;
  }
}

/**
 * Keeps the unpacked module and deletes the modules of other versions.
 * @param {EngineScope} scope
 * @param {string} wasm
 * @param {Uint8Array<ArrayBuffer>} unpacked
 */
async function keep(scope, wasm, unpacked) {
  const cache = await scope.caches.open(unpackedCache(scope));
  for (const other of await cache.keys()) await cache.delete(other);
  await cache.put(wasm, new Response(unpacked, { headers: { 'content-type': 'application/wasm' } }));
}

/**
 * Loads the engine and reports progress.
 * @param {EngineScope} scope @param {Parts} parts @param {RequestCache} cache
 */
async function load(scope, { wasm, module, passing }, cache) {
  const response = await fetch(wasm, { cache }).catch((error) => {
    throw passing ? new Error(NEEDS_NETWORK) : error;
  });
  if (!response.ok || !response.body)
    throw new Error(passing ? NOT_THERE : `the engine could not be fetched (HTTP ${response.status})`);
  // When the host names the encoding, the browser has already unpacked what arrives here.
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
  return new Uint8Array(await new Response(counted).arrayBuffer());
}

/**
 * Checks that the module is the one that the build made. A page without https cannot compute the hash.
 * @param {EngineScope} scope
 * @param {Uint8Array<ArrayBuffer>} unpacked
 * @param {Parts} parts
 */
async function check(scope, unpacked, { module }) {
  const subtle = scope.crypto?.subtle;
  if (!subtle) return;
  const digest = new Uint8Array(await subtle.digest('SHA-256', unpacked));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== module.sha256) throw new Error("the engine's file is broken: it is not the one that was built");
}

const DOORS = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts'];

/**
 * Nothing may leave the page. On hosts that send no headers, a worker has no content security policy, so it deletes its
 * own network APIs.
 * @param {EngineScope} scope
 * @param {string[]} also
 */
function closeDoors(scope, also) {
  for (const name of [...DOORS, ...also]) {
    for (
      let owner = /** @type {object} */ (scope);
      owner && owner !== Object.prototype;
      owner = Object.getPrototypeOf(owner)
    ) {
      if (Object.hasOwn(owner, name)) Reflect.deleteProperty(owner, name);
    }
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false });
  }
}
