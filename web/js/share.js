/**
 * A link is the save file: `#v1.` + base64url(deflate-raw(canonical JSON of Share)). A hand-written short form is read
 * too: `#a-leader-dies&t=40s` or `#s=a-leader-dies&t=40s&e=60s&seed=7`.
 *
 * Guarantee: decodeLink(encodeLink(x)) equals x, and a damaged link is an error with a sentence, never another run.
 */

/** @import { Share, OpenParams } from './protocol.js' */
/** @typedef {Share & {selection?: import('./state.js').Selection, compare?: {a: import('./protocol.js').Side, b: import('./protocol.js').Side}}} Linked */

/** Above this many characters a link is too long to pass around; a file is offered instead. */
export const MAX_LINK = 8000;
/** A link that unpacks to more than this is not one of ours. */
const MAX_UNPACKED = 4 << 20;
const PREFIX = 'v1.';

/** JSON with members in the order of their names, so that equal runs have equal links.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalJson(value) {
  return JSON.stringify(value, (_, member) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** FNV-1a: tells a damaged link from a good one. @param {string} text */
function checksum(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

/**
 * @param {Linked} share
 * @returns {Promise<string>} the part after "#"
 */
export async function encodeLink(share) {
  const json = new TextEncoder().encode(canonicalJson(share));
  const packed = await pipe(json, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return PREFIX + text + checksum(text);
}

/**
 * @param {string} fragment with or without "#"
 * @returns {Promise<Linked | undefined>} undefined when the fragment is not a link at all
 */
export async function decodeLink(fragment) {
  const text = fragment.replace(/^#/, '');
  if (text === '') return undefined;
  if (text.startsWith(PREFIX)) return unpack(text.slice(PREFIX.length));
  return readShort(text);
}

/** @param {string} text @returns {Promise<Linked>} */
async function unpack(text) {
  const body = text.slice(0, -7);
  if (body === '' || checksum(body) !== text.slice(-7)) {
    throw new Error('This link is damaged or cut short, so the default scenario is open instead.');
  }
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const json = new TextDecoder().decode(await pipe(bytes, new DecompressionStream('deflate-raw'), MAX_UNPACKED));
    const share = JSON.parse(json);
    if (!isShare(share)) throw new Error('not a run');
    return share;
  } catch {
    throw new Error('This link cannot be read, so the default scenario is open instead.');
  }
}

/** @param {any} share */
function isShare(share) {
  const isCursor = (/** @type {any} */ cursor) => Number.isSafeInteger(cursor?.t) && Number.isSafeInteger(cursor?.n);
  const named = typeof share?.scenario === 'string' || (typeof share?.scenario === 'object' && share.scenario !== null);
  return named && isCursor(share.cursor) && isCursor(share.edge);
}

const UNITS = /** @type {Record<string, number>} */ ({ ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 });

/**
 * An instant as people write it: "40s", "34.039 s", "1m20s", "01:20.5", "40".
 * @param {string} text
 * @returns {number | undefined} nanoseconds
 */
export function parseInstant(text) {
  const trimmed = text.trim();
  const clock = /^(?:(\d+):)?(\d+):(\d+(?:\.\d{1,9})?)$/.exec(trimmed);
  if (clock) return Math.round((Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60) * 1e9 + Number(clock[3]) * 1e9);
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1e9);
  const parts = /^(?:\d+(?:\.\d+)?\s*(?:ns|us|µs|ms|s|m|h)\s*)+$/.exec(trimmed);
  if (!parts) return undefined;
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * UNITS[unit];
  }
  return Math.round(total);
}

/** @param {string} text @returns {Linked} */
function readShort(text) {
  const fields = new URLSearchParams(text.includes('=') && !/^[^&]*=/.test(text) ? `s=${text}` : text);
  const first = text.split('&')[0];
  const name = fields.get('s') ?? (first.includes('=') ? 'a-leader-dies' : decodeURIComponent(first));
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new Error('This link names no scenario, so the default scenario is open instead.');
  }
  const t = parseInstant(fields.get('t') ?? '0');
  const e = fields.has('e') ? parseInstant(fields.get('e') ?? '') : t;
  if (t === undefined || e === undefined) {
    throw new Error('This link has a time that cannot be read (write t=40s), so the default scenario is open instead.');
  }
  const seed = fields.get('seed');
  const share = {
    scenario: name,
    patch: [],
    actions: [],
    cursor: { t, n: -1 },
    edge: { t: Math.max(t, e), n: -1 },
    engine: 0,
    hash: '',
  };
  return /** @type {any} */ (seed !== null && /^\d{1,16}$/.test(seed) ? { ...share, seed: Number(seed) } : share);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} transform
 * @param {number} limit
 */
async function pipe(bytes, transform, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) throw new Error('too large');
    chunks.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.byteLength;
  }
  return out;
}
