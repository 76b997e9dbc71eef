/**
 * Packs the module for the page with Zstandard. Static hosts use gzip at best, which looks back only 32 KiB, and Go's
 * code repeats itself over longer distances. The page unpacks it in js/lib/unpack.js.
 */
import zlib from 'node:zlib';
import { unpack } from '../js/lib/unpack.js';

/** Higher levels take three times as long and save only 0.1 %. */
const LEVEL = 19;

/**
 * The packer of Node itself since 22.15, or of a package for older versions.
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
 * Call it only once in a thread, because the package for old Node versions leaks memory. Throws if the page would not
 * unpack the same bytes.
 * @param {Uint8Array} module
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function pack(module) {
  const packOnce = (await packer())(module);
  if (Buffer.compare(unpack(packOnce), module) !== 0)
    throw new Error('the packed engine does not unpack to what it was');
  return packOnce;
}
