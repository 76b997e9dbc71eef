/**
 * A link is the save file: `#v1.` + base64url(deflate-raw(canonical JSON of Share)). People can also write a short form
 * by hand: `#a-leader-dies&t=40s`, `#s=a-leader-dies&t=40s&e=60s&seed=7`, `#lesson=3&step=4` for a step of a lesson,
 * and `#museum=B02` for an incident of the museum.
 *
 * Guarantee: decodeLink(encodeLink(x)) equals x. A damaged link gives an error with a sentence for the reader, and
 * never opens a different run. decodeLink leaves out the parts that leaselab does not know and lists them in `dropped`.
 */

import { seedOf, seedRefusal } from './seed.js';
import { isCursor, isListOf, isObject, isText, isTooDeep, isWhole, MAX_DEPTH } from './shape.js';

/** @import { Cursor, Nanos, Share, Side } from '../protocol.js' */

/**
 * A run in a link. Without a seed, the scenario's seed applies. study: a study for the search room; dropped: the parts
 * of the link that leaselab does not know; refused: a sentence about each part that it cannot read; plays: the link
 * names a run and no instant; isNew: the visitor comes by this link, and not back to it; page: a page instead of a run.
 * @typedef {Omit<Share, 'seed'> & {seed?: number, selection?: Marked | null, compare?: {a: Side, b: Side},
 * lesson?: LessonLink, predict?: Predict, museum?: string, study?: unknown, dropped?: string[], refused?: string[],
 * plays?: boolean, isNew?: boolean, page?: {id: string, item?: string}}} Linked
 */
/**
 * What a visitor has marked. kind: "event" (cursor, node) · "node" (node) · "version" (version) · "span" (from, to) ·
 * "band", "fault", "violation" (from, to, cursor)
 * @typedef {{kind: string, node?: string, index?: number, from?: Nanos, to?: Nanos, cursor?: Cursor, version?: number,
 *   text?: string, rule?: string, band?: string, verb?: string, outcome?: string, count?: number}} Marked
 */
/**
 * A question that the visitor must answer before the run goes on from its instant. until: the instant by which the run
 * shows the answer; change: for the questions "when" and "gap", the leader change that the question is about; text: the
 * teacher's words.
 * @typedef {{ask: 'when' | 'gap' | 'leader' | 'two', until: number, change?: number, text?: string}} Predict
 */
/**
 * A place in a lesson. name: the lesson's name or number; document: a teacher's own lesson instead; step: counted from
 * 1; bet: a prediction as the visitor typed it.
 * @typedef {{name?: string, document?: object, step?: number, bet?: string}} LessonLink
 */

/** A link with more characters than this is too long to share. The page offers a file instead. */
export const MAX_LINK = 8000;
/** A link that unpacks to more bytes is not from leaselab. */
const MAX_UNPACKED = 4 << 20;
const PREFIX = 'v1.';

/** JSON with members in the order of their names, so that identical runs have identical links.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalJson(value) {
  return JSON.stringify(value, (_, member) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** An FNV-1a hash, which tells a damaged link from a good one. @param {string} text */
function checksum(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

/** @param {Linked} share @returns {Promise<string>} the part after "#" */
export const encodeLink = (share) => packLink(canonicalJson(share));

/** The address of a link; "" if it is too long to share. @param {Linked} share */
export async function linkUrl(share) {
  const link = await encodeLink(share);
  return link.length > MAX_LINK ? '' : new URL(`#${link}`, location.href).href;
}

/** Packs a JSON text into a link. @param {string} text */
export async function packLink(text) {
  const json = new TextEncoder().encode(text);
  if (typeof CompressionStream === 'undefined') {
    throw new Error('This browser cannot pack links: it has no CompressionStream. Save the run as a file instead.');
  }
  const packed = await pipe(json, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return PREFIX + base64 + checksum(base64);
}

/**
 * @param {string} fragment with or without "#"
 * @returns {Promise<Linked | undefined>} undefined if the fragment is not a link
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
  if (typeof DecompressionStream === 'undefined') {
    throw new Error(
      'This browser cannot unpack links (it has no DecompressionStream), so the default scenario is open instead.',
    );
  }
  /** @type {string} */
  let json;
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    json = new TextDecoder().decode(await pipe(bytes, new DecompressionStream('deflate-raw'), MAX_UNPACKED));
  } catch {
    throw new Error(UNREADABLE);
  }
  if (isTooDeep(json)) {
    throw new Error(
      `This link is nested more than ${MAX_DEPTH} levels deep, more than any run needs, ` +
        'so the default scenario is open instead.',
    );
  }
  return linkedOf(parseJson(json));
}

const UNREADABLE = 'This link cannot be read, so the default scenario is open instead.';

/** @param {string} json @returns {unknown} */
function parseJson(json) {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(UNREADABLE);
  }
}

/**
 * A check for each part of a link, and which parts are optional.
 * @type {[string, boolean, (value: unknown) => boolean, string][]}
 */
const PARTS = [
  ['scenario', true, (value) => isText(value) || isObject(value), 'the name of a scenario, or a scenario'],
  ['cursor', true, isCursor, 'a place in the run, {"t": …, "n": …} in whole numbers'],
  ['live', true, isCursor, 'a place in the run, {"t": …, "n": …} in whole numbers'],
  [
    'patch',
    false,
    (value) => isListOf(value, (one) => isObject(one) && isText(one.path) && isText(one.value)),
    'a list of {"path": "…", "value": "…"}',
  ],
  ['actions', false, (value) => isListOf(value, isObject), 'a list of acts'],
  ['seed', false, isWhole, 'a whole number'],
  ['engine', false, isWhole, 'a whole number'],
  ['hash', false, isText, 'a text'],
  [
    'breakpoints',
    false,
    (value) => isListOf(value, (one) => isObject(one) && isText(one.text)),
    'a list of {"text": "…"}',
  ],
  ['compare', false, (value) => isObject(value) && isObject(value.a) && isObject(value.b), 'two runs, a and b'],
  ['selection', false, isSelection, 'a node, the Lease, an event or a span'],
  ['predict', false, isPredict, 'a question with the instant of its answer'],
  [
    'lesson',
    false,
    (value) => isObject(value) && (isText(value.name) || isObject(value.document)),
    'a lesson and its step',
  ],
];

/** Every part of a link. */
const KNOWN = [...PARTS.map(([name]) => name), 'museum', 'study'];

/** @type {Record<string, (value: unknown) => boolean>} */
const MARKED = {
  ...Object.fromEntries(['kind', 'node', 'text', 'rule', 'band', 'verb', 'outcome'].map((name) => [name, isText])),
  ...Object.fromEntries(['index', 'from', 'to', 'count', 'version'].map((name) => [name, isWhole])),
  cursor: isCursor,
};

/** @param {unknown} value */
function isPredict(value) {
  return (
    isObject(value) &&
    ['when', 'gap', 'leader', 'two'].includes(String(value.ask)) &&
    isWhole(value.until) &&
    (value.change === undefined || isWhole(value.change)) &&
    (value.text === undefined || (isText(value.text) && String(value.text).length <= MAX_QUESTION))
  );
}
/** The longest question of a teacher, in characters. */
export const MAX_QUESTION = 300;

/** @param {unknown} value */
function isSelection(value) {
  return (
    isObject(value) &&
    isText(value.kind) &&
    Object.entries(MARKED).every(([name, fits]) => value[name] === undefined || fits(value[name]))
  );
}

/**
 * Returns the run of a link, or throws an error that names the link's first invalid part. @param {unknown} written
 * @returns {Linked}
 */
function linkedOf(written) {
  if (!isObject(written)) throw new Error(UNREADABLE);
  const { edge, live = edge, ...rest } = written; // earlier versions called the live cursor "edge"
  /** @type {{[part: string]: unknown}} */
  const share = { ...rest, live };
  /** @type {string[]} */
  const refused = [];
  for (const [name, needed, fits, words] of PARTS) {
    if (share[name] === undefined ? !needed : fits(share[name])) continue;
    if (needed || name === 'patch' || name === 'actions')
      throw new Error(`This link cannot be read: its ${name} must be ${words}. The default scenario is open instead.`);
    delete share[name];
    refused.push(`The ${name} of this link must be ${words}, so the run opens without it.`);
  }
  const decoded = /** @type {unknown} */ ({ ...share, patch: share.patch ?? [], actions: share.actions ?? [] });
  const strange = Object.keys(rest).filter((name) => !KNOWN.includes(name));
  return withDropped(/** @type {Linked} */ (decoded), strange, refused);
}

/** @param {Linked} linked @param {string[]} dropped @param {string[]} refused @returns {Linked} */
const withDropped = (linked, dropped, refused) => ({
  ...linked,
  ...(dropped.length > 0 ? { dropped } : {}),
  ...(refused.length > 0 ? { refused } : {}),
});

/** Names the parts of a link that decoding left out; "" if none. @param {Linked | undefined} linked */
export function droppedWords(linked) {
  const names = linked?.dropped?.map((one) => `“${one.slice(0, 40)}”`) ?? [];
  const unknown =
    names.length > 0 ? [`This link says ${names.join(' and ')}, which leaselab does not know and ignores.`] : [];
  return [...(linked?.refused ?? []), ...unknown].join(' ');
}

/**
 * Whether a link opens a shipped scenario unchanged. Then the still of the scenario's run also shows the link's run.
 * @param {Linked} linked @param {number} seed of the scenario
 */
export const isPlain = (linked, seed) =>
  linked.patch.length === 0 && linked.actions.length === 0 && (linked.seed ?? seed) === seed;

/**
 * Whether a link opens a shipped scenario without changes, with any seed.
 * @param {{scenario: unknown, patch?: unknown[], actions?: unknown[]}} linked
 */
export const isUnchanged = ({ scenario, patch, actions }) => isText(scenario) && !patch?.length && !actions?.length;

const UNITS = /** @type {Record<string, number>} */ ({ ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 });

/**
 * An instant as people write it: "40s", "34.039 s", "1m20s", "01:20.5", "40".
 * @param {string} text @returns {number | undefined} nanoseconds
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

/** The fields of a short link. */
const SHORT = ['s', 't', 'e', 'seed', 'lesson', 'step', 'bet', 'museum'];

/** @param {string} text @returns {Linked} */
function readShort(text) {
  const fields = new URLSearchParams(/^[^&]*=/.test(text) ? text : `s=${text}`);
  // Names contain no characters that need escaping.
  const name = fields.get('s') ?? 'a-leader-dies';
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new Error('This link names no scenario, so the default scenario is open instead.');
  }
  /** @type {string[]} */
  const refused = [];
  const instant = (/** @type {string} */ field) => {
    const written = fields.get(field);
    const t = written === null ? undefined : parseInstant(written);
    if (written !== null && !isWhole(t))
      refused.push(`This link says ${field}=${written.slice(0, 40)}, which is not a time (write ${field}=40s).`);
    return isWhole(t) ? t : undefined;
  };
  const t = instant('t');
  const e = instant('e');
  const written = fields.get('seed');
  const seed = written === null ? undefined : seedOf(written);
  if (written !== null && seed === undefined) {
    refused.push(`${seedRefusal(written.slice(0, 40))} The run opens with the scenario's own seed.`);
  }
  const lesson = lessonIn(fields);
  const museum = fields.get('museum');
  const decoded = {
    ...(lesson ? { lesson } : {}),
    ...(museum ? { museum } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(t === undefined && e === undefined && !lesson && !museum ? { plays: true } : {}),
    scenario: name,
    patch: [],
    actions: [],
    cursor: { t: t ?? 0, n: -1 },
    live: { t: Math.max(t ?? 0, e ?? 0), n: -1 },
    engine: 0,
    hash: '',
  };
  const strange = [...fields].filter(([field]) => !SHORT.includes(field)).map((field) => field.join('='));
  return withDropped(decoded, strange, refused);
}

/** @param {URLSearchParams} fields @returns {LessonLink | undefined} */
function lessonIn(fields) {
  const name = fields.get('lesson');
  if (!name) return undefined;
  const step = fields.get('step') ?? '1';
  if (!/^[a-z0-9-]+$/.test(name) || !/^\d{1,3}$/.test(step)) {
    throw new Error(
      'This link names no step of a lesson (write lesson=3&step=4), so the default scenario is open instead.',
    );
  }
  return { name, step: Number(step), bet: fields.get('bet') ?? '' };
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} transform
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
