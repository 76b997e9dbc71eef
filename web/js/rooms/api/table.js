/** Text as kubectl prints it: tables, descriptions, errors. */

import { isObject } from '../../lib/shape.js';
import { sortMembers } from './merge.js';

/** @import { Members } from './merge.js' */
/** @import { ApiObject } from './objects.js' */

/** The annotation in which kubectl's client-side apply stores the object that it sent. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * kubectl's columns: three spaces between them, and a minimum width. Source: cli-runtime pkg/printers tabwriter.go.
 */
const GAP = 3;
const LEAST = 6;

/**
 * Aligns rows in columns. Widths only grow, so that later rows align with the earlier ones.
 * @param {string[][]} rows
 * @param {number[]} [widths] columns changes these
 */
export function columns(rows, widths = []) {
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? LEAST, [...cell].length + GAP);
  const pad = (/** @type {string} */ cell, /** @type {number} */ i) => cell + ' '.repeat(widths[i] - [...cell].length);
  return rows.map((row) => [...row.slice(0, -1).map(pad), ...row.slice(-1)].join('')).join('\n');
}

/** A value as text; "" for null. @param {unknown} value */
export const plainText = (value) =>
  typeof value === 'object' && value !== null ? jsonText(value) : String(value ?? '');

/**
 * JSON as Go encodes it: members in order of their names, and <, > and & escaped.
 * @param {unknown} value @param {number} [indent]
 */
export function jsonText(value, indent) {
  const escapeChar = (/** @type {string} */ one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(sortMembers(value), null, indent).replace(/[<>&\u2028\u2029]/g, escapeChar);
}

/**
 * Prints the server's own tables, one after another, under one header. Source: cli-runtime pkg/printers
 * tableprinter.go printTable, decorateTable.
 * @param {{wide?: boolean, namespaces?: boolean, head?: boolean}} how
 */
export function tablePrinter({ wide, namespaces, head = true }) {
  /** @type {number[]} */
  const widths = [];
  /** @type {{name: string, priority: number}[]} */
  let definitions = [];
  let hasHead = !head;
  return (/** @type {ApiObject[]} */ ...tables) => {
    definitions = tables.find((table) => table.columnDefinitions?.length)?.columnDefinitions ?? definitions;
    const isShown = (/** @type {unknown} */ _, /** @type {number} */ i) => wide || !definitions[i]?.priority;
    const rows = tables.flatMap((table) =>
      (table.rows ?? []).map(({ cells, object }) => [
        ...(namespaces ? [object?.metadata?.namespace ?? ''] : []),
        ...cells.filter(isShown).map((cell) => plainText(cell).replace(/[\f\n\r].*/s, '...')),
      ]),
    );
    const names = definitions.filter(isShown).map(({ name }) => name.toUpperCase());
    const first = hasHead ? [] : [[...(namespaces ? ['NAMESPACE'] : []), ...names]];
    hasHead = true;
    return columns([...first, ...rows], widths);
  };
}

/** "lease.coordination.k8s.io/demo" @param {ApiObject} object */
export function nameOf(object) {
  const group = String(object.apiVersion ?? '').split('/');
  const kind = String(object.kind ?? 'object').toLowerCase();
  return `${group.length > 1 ? `${kind}.${group[0]}` : kind}/${object.metadata?.name ?? ''}`;
}

/** @param {string} text @returns {unknown} undefined for text that is not JSON */
export function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a server's object; an empty object for anything else. @param {string} text @returns {ApiObject} */
export function readObject(text) {
  const value = readJson(text);
  return isObject(value) ? value : {};
}

/** JSON for people. Other text stays unchanged. @param {string} body */
export function prettyJson(body) {
  const value = readJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

/** The texts of the server's Warning headers. @param {string[]} headers */
export function warningsOf(headers) {
  return headers
    .filter((header) => /^warning:/i.test(header))
    .map((header) => /"((?:[^"\\]|\\.)*)"/.exec(header)?.[1].replace(/\\(.)/g, '$1') ?? header);
}

/**
 * Prints an error answer like kubectl. Source: kubectl pkg/cmd/util helpers.go checkErr.
 * @param {{status: number, answer: string}} sent
 */
export function errorText({ status, answer }) {
  const { kind, reason, message, details } = readObject(answer);
  if (kind !== 'Status') return `Error from server: HTTP ${status}${answer ? `: ${answer.trim().slice(0, 300)}` : ''}`;
  if (reason !== 'Invalid') return `Error from server${reason ? ` (${reason})` : ''}: ${message}`;
  const what = details?.kind || details?.name ? `The ${details.kind} "${details.name}" is invalid` : '';
  const causes = details?.causes ?? [];
  if (causes.length === 0) return what || `The request is invalid: ${message}`;
  const faults = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const reasons = faults.length === 1 ? faults[0] : faults.map((one) => `\n* ${one}`).join('');
  return `${what || 'The request is invalid'}: ${reasons}`;
}

/** The words that kubectl writes in capitals. Source: kubectl pkg/describe describe.go smartLabelFor. */
const ACRONYMS = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);
/** "leaseDurationSeconds" → "Lease Duration Seconds", "uid" → "UID". @param {string} name */
export function label(name) {
  if (/[./_]/.test(name)) return name;
  const titleCase = (/** @type {string} */ word) =>
    ACRONYMS.has(word.toUpperCase()) ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1);
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?=[A-Z][a-z])/)
    .map(titleCase)
    .join(' ');
}

/**
 * Describes an object the way kubectl describes an unknown kind. The server keeps no events. Source: kubectl
 * pkg/describe describe.go genericDescriber.
 * @param {ApiObject} object
 */
export function describe({ apiVersion, kind, metadata = {}, ...rest }) {
  const { name, namespace, labels, annotations, managedFields: _, ...meta } = metadata;
  /** @type {string[][]} */
  const rows = [
    ['Name:', name ?? ''],
    ['Namespace:', namespace ?? ''],
    ...withTitle(
      'Labels:',
      Object.entries(labels ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .sort(),
    ),
    ...withTitle('Annotations:', annotationLines(annotations ?? {})),
    ['API Version:', apiVersion ?? ''],
    ['Kind:', kind ?? ''],
    ...members({ metadata: meta, ...rest }, ''),
    ['Events:', '<none>'],
  ];
  const lines = [];
  for (let i = 0; i < rows.length; ) {
    // Consecutive rows of two cells form a table.
    const end = rows.findIndex((row, k) => k >= i && row.length < 2);
    const table = rows.slice(i, end < 0 ? rows.length : end);
    const width = Math.max(0, ...table.map(([title]) => title.length)) + 2;
    lines.push(...table.map(([title, value]) => `${title.padEnd(width)}${value}`.trimEnd()));
    i += table.length;
    if (i < rows.length) lines.push(rows[i++][0]);
  }
  return lines.join('\n');
}

/** Puts a title before the first of several lines. @param {string} title @param {string[]} lines */
const withTitle = (title, lines) =>
  (lines.length > 0 ? lines : ['<none>']).map((line, i) => [i === 0 ? title : '', line]);

/**
 * A long annotation, or one with several lines, goes below its name. Source: describe.go printAnnotationsMultiline.
 */
const LONG = 140;
/** @param {Record<string, string>} annotations */
function annotationLines({ [LAST_APPLIED]: _, ...annotations }) {
  return Object.keys(annotations)
    .sort()
    .flatMap((name) => {
      const value = annotations[name].replace(/\n$/, '');
      const short = name.length + value.length + 2 <= LONG && !value.includes('\n');
      const cut = (/** @type {string} */ line) => `  ${line.slice(0, LONG - 2)}${line.length > LONG - 2 ? '...' : ''}`;
      return short ? [`${name}: ${value}`] : [`${name}:`, ...value.split('\n').map(cut)];
    });
}

/**
 * Titles and values. A title without a value goes above its contents.
 * @param {Members} object
 * @param {string} indent
 * @returns {string[][]}
 */
function members(object, indent) {
  return Object.keys(object)
    .sort()
    .flatMap((name) => {
      const value = object[name];
      const title = `${indent}${label(name)}:`;
      const inner = `${indent}  `;
      if (isObject(value)) return [[title], ...members(value, inner)];
      if (!Array.isArray(value)) return [[title, plainText(value)]];
      return [[title], ...value.flatMap((one) => (isObject(one) ? members(one, inner) : [[`${inner}${one}`]]))];
    });
}
