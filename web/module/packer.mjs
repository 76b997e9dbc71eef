/**
 * A thread that turns Go's module into the page's module and packs it. With two threads, the build packs the engine and
 * the tools in parallel.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { pack } from './pack.mjs';
import { PASSES, shrinkForPage } from './page.mjs';

/**
 * @typedef {{packed: Uint8Array<ArrayBuffer>, size: number, sha256: string}} Packed size and sha256: of the module
 *   unpacked
 */

/**
 * Throws the errors of shrinkForPage and pack.
 * @param {string} file @param {boolean} plain without the passes
 * @returns {Promise<Packed>}
 */
export function packedModule(file, plain) {
  return new Promise((done, failed) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { file, plain } });
    thread.once('message', done);
    thread.once('error', failed);
  });
}

if (!isMainThread) {
  const module = shrinkForPage(readFileSync(workerData.file), workerData.plain ? PASSES : []);
  const packed = await pack(module);
  const sha256 = createHash('sha256').update(module).digest('hex');
  parentPort?.postMessage({ packed, size: module.byteLength, sha256 });
}
