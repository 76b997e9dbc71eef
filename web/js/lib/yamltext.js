/**
 * Scenario files in YAML, restricted to what every parser reads in the same way. This module loads when a visitor opens
 * or saves a file.
 *
 * It refuses the following, with the line and advice: anchors, aliases, tags, merge keys, several documents without a
 * Deployment, repeated keys, and the plain scalars on which YAML 1.1 and 1.2 disagree (yes, no, on, off, 0o7, 017,
 * 1_000, 1:30).
 */
import { CORE_SCHEMA, dump, EVENT_ID, getScalarValue, loadAll, parseEvents, SCALAR_STYLE_PLAIN } from 'js-yaml';
import { MAX_DEPTH } from './shape.js';

/** The mistakes in a file, each with its line. The first one is the message. */
export class YamlError extends Error {
  /**
   * @param {number} line
   * @param {string} sentence
   * @param {{line: number, message: string}[]} [others] further mistakes in the file
   */
  constructor(line, sentence, others = []) {
    super(`Line ${line}: ${sentence}`);
    this.line = line;
    this.all = [{ line, message: sentence }, ...others];
  }
}

/** Plain scalars that YAML 1.1 and 1.2 read differently. @type {[RegExp, string][]} */
const DISPUTED = [
  [/^(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/, 'write true or false, or put it in quotes'],
  [/^[-+]?0o[0-7_]+$/, 'parsers disagree about octal numbers; write the decimal number'],
  [/^[-+]?0[0-9_]+$/, 'some parsers read a leading zero as octal; write the number without it, or put it in quotes'],
  [/^[-+]?0b[01_]+$/, 'parsers disagree about binary numbers; write the decimal number'],
  [/^[-+]?(0x[0-9a-fA-F]*_[0-9a-fA-F_]*|[0-9]+_[0-9_.]*)$/, 'write the number without underscores'],
  [/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/, 'some parsers read this as a base-60 number; put it in quotes'],
  [/^=$/, 'put it in quotes'],
];

/** The number of the line that contains an offset. @param {string} source @param {number} at */
const lineAt = (source, at) => source.slice(0, Math.max(0, at)).split('\n').length;

/** The most refusals to list for one file. */
const MANY = 50;

/**
 * Finds the places in a file that parsers read differently, and the reasons why leaselab refuses them.
 * @param {string} source @returns {{at: number, sentence: string}[]}
 */
function refusals(source) {
  /** @type {{at: number, sentence: string}[]} */
  const found = [];
  const refuse = (/** @type {number} */ at, /** @type {string} */ sentence) => found.push({ at, sentence });
  for (const event of parseEvents(source, { maxDepth: MAX_DEPTH })) {
    if (found.length === MANY) break;
    if (event.type === EVENT_ID.ALIAS)
      refuse(event.anchorStart, 'aliases (*name) are unsupported. Write the value out.');
    else if ('anchorStart' in event && event.anchorStart >= 0)
      refuse(event.anchorStart, 'anchors (&name) are unsupported. Write the value out where it is needed.');
    else if ('tagStart' in event && event.tagStart >= 0)
      refuse(event.tagStart, 'tags (!name) are unsupported. Remove the tag.');
    else if (event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE_PLAIN) {
      const text = source.slice(event.valueStart, event.valueEnd);
      const dispute = DISPUTED.find(([pattern]) => pattern.test(text));
      if (text === '<<') refuse(event.valueStart, 'merge keys (<<) are unsupported. Write the members out.');
      else if (dispute)
        refuse(event.valueStart, `“${text}” means different things to YAML 1.1 and 1.2; ${dispute[1]}.`);
    }
  }
  return found;
}

/**
 * Several objects of Kubernetes in one file, among them a Deployment, become a List.
 * @param {string} source @returns {unknown}
 */
export function parseYaml(source) {
  try {
    const all = refusals(source).map(({ at, sentence }) => ({ line: lineAt(source, at), message: sentence }));
    if (all.length > 0) throw new YamlError(all[0].line, all[0].message, all.slice(1));
    const [first, ...more] = /** @type {any[]} */ (loadAll(source, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH }));
    const items = [first, ...more.filter((item) => item !== null)]; // null: the file ends with a separator
    if (items.length < 2) return first;
    if (items.some((item) => item?.kind === 'Deployment')) return { kind: 'List', items };
    throw new YamlError(
      lineAt(source, source.lastIndexOf('\n---') + 1),
      'a scenario is one document. Remove what follows “---”.',
    );
  } catch (error) {
    if (error instanceof YamlError) throw error;
    const { reason = 'this is not YAML', mark } =
      /** @type {{reason?: string, mark?: {line: number, column: number}}} */ (error);
    if (/maxDepth/.test(reason)) {
      throw new YamlError(
        (mark?.line ?? 0) + 1,
        `this is nested more than ${MAX_DEPTH} levels deep, more than any scenario needs.`,
      );
    }
    throw new YamlError((mark?.line ?? 0) + 1, `${reason}.`);
  }
}

/**
 * The lines of fields in a YAML or JSON file. A missing field gets the line of the nearest field that encloses it.
 * @param {string} source @param {string[]} paths as the engine writes them: "actions[0].at"
 * @returns {number[]} 0 for the document itself
 */
export function linesOf(source, paths) {
  const parentOf = (/** @type {string} */ path) => path.replace(/(\.[^.[]*|\[\d+\]|^[^.[]*)$/, '');
  /** @type {Map<string, number>} */
  const places = new Map();
  try {
    for (const { path, at } of fields(source)) if (!places.has(path)) places.set(path, at);
  } catch {
    return paths.map(() => 0); // the file is JSON, and YAML treats tabs differently
  }
  return paths.map((path) => {
    let ancestor = path;
    while (ancestor !== '' && !places.has(ancestor)) ancestor = parentOf(ancestor);
    return ancestor === '' ? 0 : lineAt(source, places.get(ancestor) ?? 0);
  });
}

/** Every value of a document with its path and where it begins. @param {string} source */
function* fields(source) {
  /** @type {{path: string, list: boolean, index: number, key?: string}[]} */
  const open = [];
  /** The path of the next value; undefined for a key. */
  const next = (/** @type {string} */ text) => {
    const top = open.at(-1);
    if (!top) return '';
    if (top.list) return `${top.path}[${top.index++}]`;
    const { key } = top;
    top.key = key === undefined ? text : undefined;
    return key === undefined ? undefined : `${top.path}${top.path && '.'}${key}`;
  };
  for (const event of parseEvents(source, { maxDepth: MAX_DEPTH })) {
    if (event.type === EVENT_ID.POP) open.pop();
    else if (event.type === EVENT_ID.SCALAR) {
      const path = next(getScalarValue(source, event));
      if (path !== undefined) yield { path, at: event.valueStart };
    } else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      const path = next('') ?? '';
      yield { path, at: event.start };
      open.push({ path, list: event.type === EVENT_ID.SEQUENCE, index: 0 });
    }
  }
}

/** Text that parseYaml and YAML 1.1 parsers read back as the same value. @param {unknown} value */
export function printYaml(value) {
  return dump(value, { noRefs: true, lineWidth: 120 });
}
