/**
 * The format for the page's forms, from the site's scenario.schema.json: all fields, the kind of control for each, its
 * heading, when a change takes effect, and the arguments of each act. This file does not mention any field by name.
 */

import { durationOf } from '../../lib/format.js';
import { isObject } from '../../lib/shape.js';

/** @import { Node, Schema } from './nodes.js' */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label the plain name
 * @property {"duration" | "number" | "bool" | "choice" | "text" | "amount" | "words" | "lines" | "group" | "list"} kind
 * @property {string} help
 * @property {string[]} choices of a choice, or of words (a list of choices)
 * @property {string} type of a group, or of the entries of a list
 * @property {boolean} numeric the lines are numbers
 * @property {boolean} multiline a text of several lines
 * @property {string} heading "": the heading of its group
 * @property {"" | "now" | "start"} effect when a change during the run takes effect: at once, at the next start of the
 *   node, or not at all
 * @property {Record<string, string>} meanings of the choices, if the schema gives them
 * @property {string} range "1 to 10,000", or ""
 * @property {boolean} needed
 */

/**
 * An act. sentence: with its fields, such as "{target} stops for {for=20 s|ever}".
 * @typedef {{act: string, name: string, short: string, sentence: string, section: string, help: string, takes:
 *   string[], needs: string[], oneOf: string[]}} Rule
 */

/** @param {Schema} schema scenario.schema.json */
export function readFormat(schema) {
  /** @type {Map<string, Field[]>} */
  const known = new Map();
  const node = (/** @type {string} */ type) => (type === 'Scenario' ? schema : schema.$defs[type]);

  /** The fields of a type. @param {string} type */
  function fields(type) {
    let all = known.get(type);
    if (!all) {
      const { properties = {}, required = [] } = node(type);
      all = Object.entries(properties)
        .filter(([, one]) => one.const === undefined)
        .map(([name, one]) => fieldOf(name, one, required.includes(name)));
      known.set(type, all);
    }
    return all;
  }

  /** @type {Rule[]} */
  const rules = schema.$defs.Action.allOf.map((one) => ({
    act: one.if.properties.act.const,
    name: one.then['x-name'] ?? one.if.properties.act.const,
    short: one.then['x-short'] ?? '',
    sentence: one.then['x-sentence'] ?? '',
    section: one.then['x-section'],
    help: one.then.description ?? '',
    takes: one.then.propertyNames.enum.filter((name) => name !== 'at' && name !== 'act'),
    needs: one.then.required ?? [],
    oneOf: (one.then.anyOf ?? []).map((way) => way.required[0]),
  }));

  /**
   * The fields of one entry of a list. An act has only the fields of its kind.
   * @param {string} type @param {unknown} entry
   */
  function fieldsOfEntry(type, entry) {
    const all = fields(type);
    if (type !== 'Action') return all;
    const chosen = valueAt(entry, 'act');
    const rule = rules.find(({ act }) => act === chosen);
    return all.filter(({ name }) => name === 'at' || name === 'act' || rule?.takes.includes(name));
  }

  /**
   * The outermost field on a path: a field of the scenario, of a node, or of an API server.
   * @param {string} path "candidates[1].clock.offset"
   */
  function ownerOf(path) {
    const [, list, below] = /^(candidates|apiServers)\[\d+\]\.(.*)/.exec(path) ?? [];
    const type = { candidates: 'Candidate', apiServers: 'APIServer' }[list] ?? 'Scenario';
    const [name] = stepsOf(below ?? path);
    return fields(type).find((one) => one.name === name);
  }

  /**
   * The field at a path within a type: "server.ratePerSecond" of an act.
   * @param {string} type @param {string} path @returns {Field | undefined}
   */
  function fieldAt(type, path) {
    const [first, ...rest] = path.split('.');
    const field = fields(type).find(({ name }) => name === first);
    return field && rest.length > 0 ? fieldAt(field.type, rest.join('.')) : field;
  }

  return {
    fields,
    fieldAt,
    fieldsOfEntry,
    ownerOf,
    headings: schema['x-headings'],
    rules,
    sections: schema['x-sections'],
  };
}

/** @param {string} name @param {Node} one @param {boolean} needed @returns {Field} */
function fieldOf(name, one, needed) {
  const field = {
    name,
    label: one['x-name'] ?? name,
    help: helpOf(one),
    choices: one.enum ?? [],
    type: '',
    numeric: false,
    multiline: one['x-lines'] === true,
    heading: one['x-heading'] ?? '',
    effect: one['x-effect'] ?? '',
    meanings: one['x-words'] ?? {},
    range: one.maximum === undefined ? '' : `${count(one.minimum ?? 0)} to ${count(one.maximum)}`,
    needed,
  };
  /** @param {Field["kind"]} kind @param {Partial<Field>} [more] @returns {Field} */
  const is = (kind, more) => ({ ...field, kind, ...more });
  if (one.$ref) return is('group', { type: typeOf(one.$ref) });
  if (one.enum) return is('choice');
  if (one.anyOf) return is('amount'); // a number, or a length of time
  switch (one.type) {
    case 'boolean':
      return is('bool');
    case 'integer':
    case 'number':
      return is('number');
    case 'array':
      if (one.items?.$ref) return is('list', { type: typeOf(one.items.$ref) });
      if (one.items?.enum) return is('words', { choices: one.items.enum });
      return is('lines', { numeric: one.items?.type !== 'string' });
  }
  return is(one.pattern ? 'duration' : 'text');
}

/** The part of a description before its list of words and its default. @param {Node} one @returns {string} */
function helpOf({ description = '', 'x-words': meanings = {}, 'x-default': normal }) {
  const [first] = Object.keys(meanings);
  const [help] = first === undefined ? [description] : description.split(` ${first}: `, 1);
  const end = ` Default: ${normal}.`;
  return help.endsWith(end) ? help.slice(0, -end.length) : help;
}

const typeOf = (/** @type {string} */ ref) => ref.replace('#/$defs/', '');
const count = (/** @type {number} */ n) => n.toLocaleString('en');

/** @typedef {ReturnType<typeof readFormat>} Format */

/** The number of settings of a run: its fields, and the fields of its groups. @param {Format} format */
export const countOf = (format) =>
  format
    .fields('Scenario')
    .filter(({ heading, name }) => heading && name !== 'candidates')
    .reduce((sum, { kind, type }) => sum + (kind === 'group' ? format.fields(type).length : 1), 0);

/* ---- drafts: what a form contains ---- */

/** Whether a draft is empty: no text, no entry, no field. @param {unknown} value @returns {boolean} */
export function isEmpty(value) {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** Turns a field's draft into a document. Text that does not fit the field's type stays unchanged, and the engine
 * refuses it.
 * @param {Format} format @param {Field} field @param {unknown} draft @returns {unknown}
 */
function documentOf(format, field, draft) {
  const number = (/** @type {unknown} */ text) => (/^-?\d+(\.\d+)?$/.test(String(text).trim()) ? Number(text) : text);
  switch (field.kind) {
    case 'group':
      return objectOf(format, field.type, draft);
    case 'list':
      return listOf(draft).map((one) => objectOf(format, field.type, one));
    case 'lines':
      return field.numeric ? listOf(draft).map(number) : draft;
    case 'bool':
      return draft === true || draft === 'true';
    case 'number':
    case 'amount':
      return number(draft);
    case 'duration':
      return durationOf(String(draft));
    default:
      return draft;
  }
}

/** @param {Format} format @param {string} type @param {unknown} draft @param {string[]} [only] */
export function objectOf(format, type, draft, only) {
  /** @type {{[name: string]: unknown}} */
  const out = {};
  for (const field of format.fields(type)) {
    if (only && !only.includes(field.name)) continue;
    const own = valueAt(draft, field.name);
    if (!isEmpty(own)) out[field.name] = documentOf(format, field, own);
  }
  return out;
}

/** Lists whose entries are separate settings. Other lists change as a whole. */
const BY_ENTRY = new Set(['candidates', 'apiServers']);

/**
 * The settings that turn the document into the draft.
 * @param {Format} format @param {unknown} before @param {unknown} draft
 * @param {{type: string, at: string}} [part] of the document
 * @returns {{path: string, value: string}[]}
 */
export function changesBetween(format, before, draft, { type, at } = { type: 'Scenario', at: '' }) {
  // A draft shares unchanged parts with the document, so thousands of nodes cost nothing.
  if (before === draft) return [];
  return format.fields(type).flatMap((field) => {
    const path = at ? `${at}.${field.name}` : field.name;
    const [old, now] = [valueAt(before, field.name), valueAt(draft, field.name)];
    if (isEmpty(now) && isEmpty(old)) return [];
    // A group with a required field changes as a whole.
    const divided = field.kind === 'group' && !format.fields(field.type).some(({ needed }) => needed);
    if (isEmpty(now) && !divided) return [{ path, value: '' }];
    if (field.kind === 'group') return changesBetween(format, old, now, { type: field.type, at: path });
    const [entries, others] = [listOf(now), listOf(old)];
    if (BY_ENTRY.has(field.name) && others.length === entries.length)
      return entries.flatMap((one, i) =>
        changesBetween(format, others[i], one, { type: field.type, at: `${path}[${i}]` }),
      );
    const newValue = documentOf(format, field, now);
    const text = typeof newValue === 'object' ? JSON.stringify(newValue) : String(newValue);
    const isSame = typeof newValue === 'object' ? JSON.stringify(old) === text : !isEmpty(old) && String(old) === text;
    return isSame ? [] : [{ path, value: text }];
  });
}

/** @param {unknown} value @returns {unknown[]} empty if the value is not a list */
export const listOf = (value) => (Array.isArray(value) ? value : []);

/** The member of an object or of a list. @param {unknown} from @param {string} step @returns {unknown} */
const memberOf = (from, step) => (Array.isArray(from) ? from[Number(step)] : isObject(from) ? from[step] : undefined);

/** The value at a path such as candidates[1].elector.dialect. @param {unknown} from @param {string} path */
export const valueAt = (from, path) => stepsOf(path).reduce(memberOf, from);

/** The value as text; "" for undefined. @param {unknown} from @param {string} path */
export const textAt = (from, path) => String(valueAt(from, path) ?? '');

/**
 * A copy with a new value at a path.
 * @param {unknown} from
 * @param {string[]} steps
 * @param {unknown} value
 * @returns {unknown}
 */
export function withValue(from, [step, ...rest], value) {
  if (step === undefined) return value;
  const below = memberOf(from, step) ?? (/^\d+$/.test(rest[0] ?? '') ? [] : {});
  const inner = withValue(below, rest, value);
  if (!Array.isArray(from)) return { ...(isObject(from) ? from : {}), [step]: inner };
  const copy = [...from];
  copy[Number(step)] = inner;
  return copy;
}

/** @param {string} path */
export const stepsOf = (path) => path.split(/[.[\]]+/).filter(Boolean);

/* ---- names ---- */

/** "actions" → "action". @param {string} name */
export const singular = (name) => (name.endsWith('s') ? name.slice(0, -1) : name);

/** The control for an error: the control with the error's path, or else the nearest enclosing one.
 * @param {string} path @param {string[]} controls
 */
export function controlOf(path, controls) {
  const fits = controls.filter((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`));
  return fits.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}
