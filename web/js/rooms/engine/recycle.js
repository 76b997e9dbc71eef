/**
 * WebAssembly's memory never shrinks. When the engine has taken much of it for something that is over, another one goes on
 * in its place, unseen: while nothing plays, nothing is asked and no watch of the API is followed, and only where the run is
 * soon computed again.
 */

/** @import { Engine } from './engine.js' */

/** From here on it is worth it; the engine itself stays below 160 MiB (web/fuzz/memory.test.mjs). */
const MUCH_BYTES = 96 << 20;
/** A run of so many requests is there again in about a second. */
const QUICK_REQUESTS = 500_000;
const CHECK_MS = 2000;

/**
 * @param {Pick<Engine, 'wasmBytes' | 'view' | 'state' | 'pending' | 'computing' | 'replace'>} engine
 * @param {() => boolean} followed whether a watch of the API is
 * @returns {() => Promise<boolean>} replaces the engine if now is the time, and tells whether it did
 */
export function recycler(engine, followed) {
  let much = MUCH_BYTES;
  let replaced = false;
  return async () => {
    const { wasmBytes, view } = engine;
    if (replaced && wasmBytes > 0) {
      // What the run needs anyway is no reason to do it again.
      much = Math.max(MUCH_BYTES, 1.5 * wasmBytes);
      replaced = false;
    }
    const idle = engine.state === 'running' && engine.pending.size === 0 && engine.computing === 0 && !followed();
    if (!idle || wasmBytes < much || !view || view.playing || view.totals.requests > QUICK_REQUESTS) return false;
    replaced = await engine.replace();
    if (replaced) engine.wasmBytes = 0; // until the next beat
    return replaced;
  };
}

/** @param {Engine} engine @param {() => boolean} followed */
export function recycle(engine, followed) {
  const check = recycler(engine, followed);
  setInterval(check, CHECK_MS);
}
