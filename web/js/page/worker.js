/**
 * The engine's worker. It loads the engine and answers requests one by one. While the run plays, it calls `tick` and
 * posts each new view. Its only state is whether the run plays. It announces each request before it processes it. The
 * answer to a change of the run comes with a snapshot, so the page never has one without the other.
 *
 * Messages in:  {type: "start", exec, wasm, module, compiled?} · {type: "request", request, kept?} · {type: "ping"}
 * Messages out: {type: "progress", loaded, total} · {type: "ready", compiled} · {type: "failed", message} ·
 *               {type: "busy", id} · {type: "reply", reply, snapshot?} · {type: "view", view} · {type: "here", bytes}
 */
import { startModule } from './loading.js';

/** @import { Lane, OpInfo } from '../protocol.js' */
/** @import { SavedRun } from '../rooms/engine/engine.js' */
/** @import { Parts } from './loading.js' */

const scope = /** @type {EngineScope} */ (/** @type {unknown} */ (self));

/**
 * The operations that change the run. Their answers come with a snapshot. The engine lists them in its answer to hello.
 */
let changing = new Set(['goOn']);

/** Wall time between two ticks. */
const TICK_MS = 16;

let playing = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {WebAssembly.Memory | undefined} */
let memory;

scope.onmessage = ({ data: message }) => {
  if (message.type === 'start') start(message);
  else if (message.type === 'request') answer(message.request, message.kept);
  else if (message.type === 'ping') reportAlive();
};

function reportAlive() {
  scope.postMessage({ type: 'here', bytes: memory?.buffer.byteLength ?? 0 });
}
/** The engine calls this during a long request, as long as it makes progress. */
scope.leaselabAlive = reportAlive;

/** @param {Parts} parts */
async function start(parts) {
  try {
    const started = await startModule(scope, parts);
    memory = started.memory;
    started.exited.then(() => scope.postMessage({ type: 'failed', message: 'the engine stopped' }));
    scope.postMessage({ type: 'ready', compiled: started.compiled });
  } catch (error) {
    scope.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** @param {{id: number, op: string}} request @param {SavedRun} [kept] what to open */
function answer(request, kept) {
  scope.postMessage({ type: 'busy', id: request.id });
  let reply = call(request.id, kept ? openRequest(request.id, kept) : JSON.stringify(request));
  if (reply.ok && reply.result?.ops) changing = new Set(['goOn', ...changesOf(reply.result.ops)]);
  let snapshot;
  if (reply.ok && reply.result?.done !== false && (changing.has(request.op) || reply.result?.changed)) {
    try {
      snapshot = takeSnapshot();
    } catch (error) {
      reply = panicReply(request.id, error);
    }
  }
  if (reply.result?.lanes) pack(reply.result.lanes);
  scope.postMessage({ type: 'reply', reply, snapshot });
  if (reply.ok && reply.result && 'playing' in reply.result) setPlaying(reply.result.playing);
}

/** @param {OpInfo[]} ops */
const changesOf = (ops) => ops.filter(({ kind }) => kind === 'opens' || kind === 'changes').map(({ name }) => name);

/**
 * Turns the long lists of a timeline into typed arrays, which the page receives in one piece. Copying a hundred
 * thousand numbers one by one would drop frames.
 * @param {Lane[]} lanes
 */
function pack(lanes) {
  for (const { buckets } of lanes) {
    const { requests = [], worstNs = [] } = buckets ?? {};
    if (buckets) Object.assign(buckets, { requests: Uint32Array.from(requests), worstNs: Float64Array.from(worstNs) });
  }
}

/**
 * A snapshot stays text all the way, because it may hold numbers that JavaScript would round.
 * @param {number} id
 * @param {SavedRun} kept
 */
function openRequest(id, { text, cursor, live }) {
  const place = cursor && live ? `,"cursor":${JSON.stringify(cursor)},"live":${JSON.stringify(live)}` : '';
  return `{"id":${id},"op":"open","params":{"scenario":${text}${place}}}`;
}

function takeSnapshot() {
  const text = scope.leaselab('{"id":0,"op":"snapshot"}');
  const head = '{"id":0,"ok":true,"result":';
  if (!text.startsWith(head)) throw new Error(JSON.parse(text).error.message);
  return text.slice(head.length, -1);
}

/** @param {number} id @param {string} text */
function call(id, text) {
  try {
    return JSON.parse(scope.leaselab(text));
  } catch (error) {
    return panicReply(id, error);
  }
}

/** @param {number} id @param {unknown} error */
function panicReply(id, error) {
  const stack = error instanceof Error ? error.stack : undefined;
  return { id, ok: false, error: { code: 'panic', message: String(error), stack } };
}

/** @param {boolean} on */
function setPlaying(on) {
  playing = on;
  clearTimeout(timer);
  if (playing) timer = setTimeout(tick, TICK_MS);
}

function tick() {
  const reply = call(0, '{"id":0,"op":"tick"}');
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
