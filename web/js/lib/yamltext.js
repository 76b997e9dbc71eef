/**
 * Scenario files in YAML, restricted to what every parser reads in the same way. Loaded when a visitor opens or saves a
 * file.
 *
 * Refused, with line and advice: anchors, aliases, tags, merge keys, several documents, repeated keys, and the plain
 * scalars on which YAML 1.1 and 1.2 disagree (yes, no, on, off, 0o7, 017, 1_000, 1:30).
 */
import { CORE_SCHEMA, dump, EVENT_ID, load, parseEvents, SCALAR_STYLE_PLAIN } from 'js-yaml';
import { MAX_DEPTH } from './shape.js';

/** A sentence about a place in the file. */
export class YamlError extends Error {
  /** @param {number} line @param {string} sentence */
  constructor(line, sentence) {
    super(`Line ${line}: ${sentence}`);
    this.line = line;
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

/** @param {string} source @returns {unknown} */
export function parseYaml(source) {
  const lineOf = (/** @type {number} */ at) => source.slice(0, Math.max(0, at)).split('\n').length;
  try {
    let documents = 0;
    for (const event of parseEvents(source, { maxDepth: MAX_DEPTH })) {
      if (event.type === EVENT_ID.DOCUMENT && ++documents > 1) {
        throw new YamlError(
          lineOf(source.lastIndexOf('---')),
          'a scenario is one document. Remove what follows “---”.',
        );
      }
      if (event.type === EVENT_ID.ALIAS) {
        throw new YamlError(lineOf(event.anchorStart), 'aliases (*name) are not read. Write the value out.');
      }
      if ('anchorStart' in event && event.anchorStart >= 0) {
        throw new YamlError(
          lineOf(event.anchorStart),
          'anchors (&name) are not read. Write the value out where it is needed.',
        );
      }
      if ('tagStart' in event && event.tagStart >= 0) {
        throw new YamlError(lineOf(event.tagStart), 'tags (!name) are not read. Remove the tag.');
      }
      if (event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE_PLAIN) {
        const text = source.slice(event.valueStart, event.valueEnd);
        // Only an error needs its line: in a long file the search takes a while.
        const refuse = (/** @type {string} */ sentence) => new YamlError(lineOf(event.valueStart), sentence);
        if (text === '<<') throw refuse('merge keys (<<) are not read. Write the members out.');
        const dispute = DISPUTED.find(([pattern]) => pattern.test(text));
        if (dispute) throw refuse(`“${text}” means different things to YAML 1.1 and 1.2; ${dispute[1]}.`);
      }
    }
    return load(source, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH });
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

/** Text that parseYaml, and YAML 1.1 parsers, read back as the same value. @param {unknown} value */
export function printYaml(value) {
  return dump(value, { noRefs: true, lineWidth: 120 });
}
