/**
 * Joins the data segments of a WebAssembly module. Go's linker cuts its data wherever eight bytes are zero: 80,000 segments
 * whose headers compress badly. Written out with the zeros between them the same memory takes 139 KiB gzip less.
 *
 * Guarantee: the memory after instantiation is the same byte for byte; no other section is touched.
 */

/** A gap of more zeros than this is worth a segment of its own. */
const MOST_ZEROS = 256;
const DATA_SECTION = 11;
const [ACTIVE, I32_CONST, END] = [0x00, 0x41, 0x0b];

/** An unsigned LEB128 number. @param {Uint8Array} bytes @param {number} at @returns {[number, number]} the value, and where it ends */
export function unsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

/** @param {number} value @returns {number[]} */
function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/** Signed, of a number that is not negative. @param {number} value */
function signedLeb(value) {
  const bytes = leb(value);
  const last = bytes[bytes.length - 1];
  return last & 0x40 ? [...bytes.slice(0, -1), last | 0x80, 0] : bytes;
}

/**
 * @param {Uint8Array} module
 * @returns {Uint8Array} the same module with few data segments
 */
export function joinSegments(module) {
  for (let at = 8; at < module.length; ) {
    const [length, body] = unsigned(module, at + 1);
    if (module[at] === DATA_SECTION) {
      const section = joined(segmentsOf(module, body));
      return Buffer.concat(
        [module.subarray(0, at), [DATA_SECTION, ...leb(section.length)], section, module.subarray(body + length)].map(
          Buffer.from,
        ),
      );
    }
    at = body + length;
  }
  return module;
}

/** @typedef {{from: number, to: number, bytes: Uint8Array}} Segment */

/** @param {Uint8Array} module @param {number} body @returns {Segment[]} by their places in memory */
function segmentsOf(module, body) {
  /** @type {Segment[]} */
  const segments = [];
  let [count, at] = unsigned(module, body);
  for (; count > 0; count--) {
    if (module[at] !== ACTIVE || module[at + 1] !== I32_CONST)
      throw new Error('a data segment that is not simply put at a place');
    const [from, end] = unsigned(module, at + 2);
    if (module[end] !== END) throw new Error('the place of a data segment is computed');
    const [size, bytes] = unsigned(module, end + 1);
    at = bytes + size;
    segments.push({ from, to: from + size, bytes: module.subarray(bytes, at) });
  }
  return segments.sort((a, b) => a.from - b.from);
}

/** @param {Segment[]} segments */
function joined(segments) {
  /** @type {{from: number, to: number, parts: Segment[]}[]} */
  const runs = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && segment.from < run.to) throw new Error('two data segments lie over each other');
    if (run && segment.from - run.to <= MOST_ZEROS) {
      run.to = segment.to;
      run.parts.push(segment);
    } else runs.push({ from: segment.from, to: segment.to, parts: [segment] });
  }
  const out = [Buffer.from(leb(runs.length))];
  for (const run of runs) {
    const memory = Buffer.alloc(run.to - run.from);
    for (const part of run.parts) memory.set(part.bytes, part.from - run.from);
    out.push(Buffer.from([ACTIVE, I32_CONST, ...signedLeb(run.from), END, ...leb(memory.length)]), memory);
  }
  return Buffer.concat(out);
}
