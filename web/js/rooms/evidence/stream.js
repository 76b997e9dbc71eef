/** The bytes of a file, unpacked, and its lines by number. */

/**
 * How many bytes the browser unpacks at once. The browser keeps the whole result, which may be a thousand times as
 * large.
 */
const PIECE = 4096;

/** How many lines to show on each side, and how much of each line. */
const AROUND = 3;
const MOST_CHARS = 20_000;
const MOST_BESIDE = 200;

/**
 * A line of a file. cut: the line is longer than the shown text. @typedef {{number: number, text: string, cut:
 * boolean}} Line
 */

/**
 * Unpacks one member of a file: of an archive, or the file itself. With bytes, it takes the next part of the file (an
 * empty array for its end) and returns the first piece of output. Without bytes, it returns the next piece; an empty
 * piece is the last one.
 * @typedef {(bytes?: Uint8Array) => Uint8Array<ArrayBuffer>} Unpack
 */

/**
 * The bytes of a file, still packed.
 * @param {Blob} file
 * @param {(bytes: number) => void} tell called with the size of each part that it reads
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
export async function* partsOf(file, tell) {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await readOrExplain(() => reader.read());
      if (done) return;
      tell(value.byteLength);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream has ended, or nobody wants the rest
  }
}

/**
 * The bytes of a file, unpacked. Without `unpack`, the browser unpacks the file, but only the first part of a gzip
 * file, and no archive.
 * @param {Blob} file
 * @param {(bytes: number) => void} [tell] called with the size of each part that it reads
 * @param {Unpack} [unpack]
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
export async function* streamOf(file, tell = () => {}, unpack = undefined) {
  const [a, b] = new Uint8Array(await head(file, 2));
  const packed = a === 0x1f && b === 0x8b;
  let bytes = file.stream().pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        tell(chunk.byteLength);
        const size = packed && !unpack ? PIECE : chunk.length;
        for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.subarray(at, at + size));
      },
    }),
  );
  if (packed && !unpack) bytes = bytes.pipeThrough(new DecompressionStream('gzip'));
  const reader = bytes.getReader();
  try {
    for (;;) {
      const { done, value } = await readOrExplain(() => reader.read(), packed);
      if (unpack) {
        for (let part = unpack(value ?? new Uint8Array()); part.length > 0; part = unpack()) yield part;
      } else if (value) yield value;
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream has ended, or nobody wants the rest
  }
}

/** The first bytes of a file. @param {Blob} file @param {number} size */
const head = (file, size) => readOrExplain(() => file.slice(0, size).arrayBuffer());

/**
 * Calls read. If that fails, throws an error that tells the reader why.
 * @template T @param {() => Promise<T>} read @param {boolean} [packed] as gzip
 */
async function readOrExplain(read, packed = false) {
  try {
    return await read();
  } catch (error) {
    const { name } = /** @type {Error} */ (error);
    if (packed && !/^Not(Readable|Found)Error$/.test(name)) throw new Error('the gzip data is damaged, or cut off.');
    throw new Error('the file cannot be read. It has changed or moved, or it is a folder: drop its files instead.');
  }
}

/** The text at the start of a file, unpacked. @param {Blob} file @param {number} [most] bytes */
export async function startOf(file, most = 16 << 10) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of streamOf(file)) {
    text += decoder.decode(chunk.subarray(0, most), { stream: true });
    if (text.length >= most) break;
  }
  return text;
}

/**
 * A line and its neighbors.
 * @param {Blob} file
 * @param {number} line from 1
 * @param {Unpack} [unpack]
 * @returns {Promise<Line[]>}
 */
export async function linesAround(file, line, unpack) {
  const [from, to] = [Math.max(1, line - AROUND), line + AROUND];
  /** @type {Line[]} */
  const lines = [];
  let number = 1;
  let text = '';
  let decoder = new TextDecoder();
  const charLimit = () => (number === line ? MOST_CHARS : MOST_BESIDE);
  const keep = () => {
    if (number >= from && number <= to) {
      const whole = text.replace(/\r$/, '');
      lines.push({ number, text: whole.slice(0, charLimit()), cut: whole.length > charLimit() });
    }
    text = '';
    decoder = new TextDecoder();
  };
  for await (const chunk of streamOf(file, undefined, unpack)) {
    for (let at = 0; at < chunk.length && number <= to; ) {
      const end = chunk.indexOf(10, at);
      const stop = end < 0 ? chunk.length : end;
      // One character beyond the shown ones reveals that the line is longer.
      if (number >= from && text.length <= charLimit())
        text += decoder.decode(chunk.subarray(at, Math.min(stop, at + 4 * charLimit())), { stream: true });
      at = stop + 1;
      if (end < 0) break;
      keep();
      number++;
    }
    if (number > to) return lines;
  }
  if (text !== '') keep();
  return lines;
}
