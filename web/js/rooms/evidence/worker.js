/**
 * The worker that reads evidence. It streams files into the second module. Once the worker has loaded that module, it
 * has no network, so nothing that it reads can leave the machine. To cancel the reading, the page ends the worker.
 *
 * Messages in:  {type: "start", exec, wasm, module} · {type: "read", files, params} · {type: "request", request} ·
 *               {type: "lines", id, file, name, member, line}
 * Messages out: {type: "ready"} · {type: "failed", message} · {type: "read", bytes, of, name} ·
 *               {type: "found", found, notes} · {type: "reply", reply}
 */
import { startModule } from '../../page/loading.js';
import { linesAround, partsOf } from './stream.js';

/** @import { Parts } from '../../page/loading.js' */
/** @import { EvidenceBeginParams } from '../../protocol.js' */
/** @import { Unpack } from './stream.js' */

/** @typedef {{name: string, file: Blob}} NamedFile */

const scope = /** @type {EvidenceScope} */ (/** @type {unknown} */ (self));

/** Other ways to the network: a cache fetches the addresses that a script adds, and a font loads from an address. */
const DOORS = ['caches', 'Worker', 'SharedWorker', 'FontFace', 'fonts', 'WebSocketStream', 'RTCPeerConnection'];
/** How often the worker reports its progress. */
const TELL_MS = 100;

scope.onmessage = async ({ data: message }) => {
  try {
    if (message.type === 'start') await start(message);
    else if (message.type === 'read') await read(message.files, message.params);
    else if (message.type === 'request') scope.postMessage({ type: 'reply', reply: call(message.request) });
    else if (message.type === 'lines') {
      const result = await withUnpacker(message, (unpack) => linesAround(message.file, message.line, unpack));
      scope.postMessage({ type: 'reply', reply: { id: message.id, ok: true, result } });
    }
  } catch (error) {
    scope.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};

/** @param {Parts} parts */
async function start(parts) {
  // The page expects no heartbeat from this worker. A visitor who does not want to wait ends the worker.
  scope.leaselabAlive = () => {};
  const { memory } = await startModule(scope, parts, DOORS);
  scope.leaselabBytes = () => memory.buffer.byteLength;
  scope.postMessage({ type: 'ready' });
}

/** @param {{op: string, params?: object, id?: number}} request */
const call = ({ id = 1, op, params }) => JSON.parse(scope.leaselab(JSON.stringify({ id, op, params })));

let unpackers = 0;

/**
 * Runs the work with a function that unpacks one member of a file.
 * @template T @param {{name: string, member: string}} what @param {(unpack: Unpack) => Promise<T>} work
 */
async function withUnpacker({ name, member }, work) {
  const id = ++unpackers;
  try {
    return await work((bytes) => scope.leaselabUnpack(id, name, member, bytes));
  } finally {
    scope.leaselabUnpack(id, name, member, null);
  }
}

/** Sends a request to the module and throws if it fails. @param {string} op @param {object} [params] */
function callOrThrow(op, params) {
  const { ok, result, error } = call({ op, params });
  if (!ok) throw new Error(error.message);
  return result;
}

/** @param {NamedFile[]} files @param {EvidenceBeginParams} params */
async function read(files, params) {
  callOrThrow('evidenceBegin', params);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  /** @type {string[]} about unreadable parts */
  const notes = [];
  let bytes = 0;
  let toldAt = 0;
  for (const { name, file } of files) {
    const tell = (/** @type {number} */ more) => {
      bytes += more;
      if (performance.now() - toldAt < TELL_MS) return;
      toldAt = performance.now();
      scope.postMessage({ type: 'read', bytes, of: total, name });
    };
    try {
      for await (const chunk of partsOf(file, tell)) {
        const wrong = scope.leaselabFeed(name, chunk);
        if (wrong) throw new Error(wrong);
      }
    } catch (error) {
      notes.push(`${name}: ${/** @type {Error} */ (error).message} Everything before it was read.`);
    }
    callOrThrow('evidenceEnd', { name });
  }
  scope.postMessage({ type: 'found', found: callOrThrow('evidenceReport'), notes });
}
