/**
 * The module as the page loads it: in Zstandard, because hosts of static sites compress with gzip at best, which sees
 * 32 KiB back, and Go's code repeats itself over much more. The page unpacks it in js/lib/unpack.js.
 */
import zlib from 'node:zlib';
import { unpack } from '../js/lib/unpack.js';

/** The levels above take three times as long for 0.1 % less. */
const LEVEL = 19;

/**
 * Node's own packer since 22.15; a package's for those before.
 * @returns {Promise<(module: Uint8Array) => Uint8Array<ArrayBuffer>>}
 */
async function packer() {
  const { zstdCompressSync, constants } = /** @type {any} */ (zlib);
  if (zstdCompressSync)
    return (module) =>
      zstdCompressSync(module, {
        params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
        pledgedSrcSize: module.length,
      });
  const { compress, init } = await import('@bokuweb/zstd-wasm');
  await init();
  return (module) => Uint8Array.from(compress(module, LEVEL));
}

/**
 * Once in a thread: the package for old Nodes does not give all of its memory back. Errors when the page would unpack
 * anything else.
 * @param {Uint8Array} module
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function pack(module) {
  const packOnce = (await packer())(module);
  if (Buffer.compare(unpack(packOnce), module) !== 0)
    throw new Error('the packed engine does not unpack to what it was');
  return packOnce;
}
