/**
 * WebAssembly memory never shrinks. When finished work has left the engine with a lot of memory, a new engine silently
 * takes its place. This happens only while nothing plays, no request is open and no watch has a follower, and only if
 * the engine can recompute the run quickly.
 */

/** @import { Engine } from './engine.js' */

/** Above this size a new engine is worth its cost. The engine itself stays below 160 MiB (web/fuzz/memory.test.mjs). */
const MUCH_BYTES = 96 << 20;
/** The engine recomputes a run of this many requests in about a second. */
const QUICK_REQUESTS = 500_000;
const CHECK_MS = 2000;

/**
 * @param {Pick<Engine, 'wasmBytes' | 'view' | 'state' | 'pending' | 'computing' | 'replace'>} engine
 * @param {() => boolean} followed whether a watch of the API has a follower
 * @returns {() => Promise<boolean>} replaces the engine if now is a good time, and returns whether it did
 */
export function recycler(engine, followed) {
  let much = MUCH_BYTES;
  let replaced = false;
  return async () => {
    const { wasmBytes, view } = engine;
    if (replaced && wasmBytes > 0) {
      // If the run itself needs the memory, replacing the engine again does not help.
      much = Math.max(MUCH_BYTES, 1.5 * wasmBytes);
      replaced = false;
    }
    const idle = engine.state === 'running' && engine.pending.size === 0 && engine.computing === 0 && !followed();
    if (!idle || wasmBytes < much || !view || view.playing || view.totals.requests > QUICK_REQUESTS) return false;
    replaced = await engine.replace();
    if (replaced) engine.wasmBytes = 0; // until the next ping
    return replaced;
  };
}

/** @param {Engine} engine @param {() => boolean} followed */
export function recycle(engine, followed) {
  const check = recycler(engine, followed);
  setInterval(check, CHECK_MS);
}
