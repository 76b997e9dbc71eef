import { decompress } from 'fzstd';

/** The first byte of a Zstandard frame; a WebAssembly module begins with 0. */
const ZSTANDARD = 0x28;

/**
 * Unpacks the engine in one piece, which is three times as fast as streaming. If the host declares .zst as an encoding,
 * the browser has already unpacked the bytes, and this returns them unchanged. It throws an error for truncated or
 * invalid Zstandard, but does not detect a changed byte.
 * @param {Uint8Array} loaded @returns {Uint8Array<ArrayBuffer>}
 */
export function unpack(loaded) {
  if (loaded[0] !== ZSTANDARD) return /** @type {Uint8Array<ArrayBuffer>} */ (loaded);
  try {
    return /** @type {Uint8Array<ArrayBuffer>} */ (decompress(loaded));
  } catch (error) {
    throw new Error(`the engine's file is broken: ${/** @type {Error} */ (error).message}`);
  }
}
