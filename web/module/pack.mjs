/**
 * The module as the page loads it: in Zstandard, because hosts of static sites compress with gzip at best, which sees 32 KiB
 * back, and Go's code repeats itself over much more. The page unpacks it in js/lib/unpack.js.
 */
import { compress, init } from '@bokuweb/zstd-wasm';
import { unpack } from '../js/lib/unpack.js';

/** The levels above take three times as long for 0.1 % less. */
const LEVEL = 19;

/** Once in a process: the packer does not give all of its memory back. Errors when the page would unpack anything else. @param {Uint8Array} module */
export async function pack(module) {
  await init();
  const packed = Uint8Array.from(compress(module, LEVEL));
  if (Buffer.compare(unpack(packed), module) !== 0) throw new Error('the packed engine does not unpack to what it was');
  return packed;
}
