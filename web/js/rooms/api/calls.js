/**
 * The requests of a kubectl-like line: the meaning of its words, the requests that it sends, and how it prints objects.
 */

import { printPath } from './jsonpath.js';
import { joinWords, LineError, VERBS } from './line.js';
import { apiVersionOf, findResource, pathOf, RESOURCES } from './resources.js';
import { errorText, jsonText, nameOf, readObject, warningsOf } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Resource } from './resources.js' */
/** @import { Ask } from '../desk/client.js' */
/** @import { ApiObject } from './objects.js' */
/** @typedef {{status: number, headers: string[], answer: string, watch: number}} Answer */
/** @typedef {{resource: Resource, names: string[], namespace: string}} At what a line names */
/**
 * A request for the visitor to finish by hand.
 * @typedef {object} Draft
 * @property {"create" | "apply" | "edit"} verb
 * @property {string} target
 * @property {ApiObject} object
 * @property {ApiObject} [before] the object as the line read it; the editor sends only the difference
 */
/**
 * The functions that a line needs from the page.
 * @typedef {object} Io
 * @property {(ask: Ask) => Promise<Answer>} send
 * @property {(text: string) => void} print adds lines to the output
 * @property {(sentence: string) => void} say adds a sentence, whose lines may wrap anywhere
 * @property {(sent: Answer, tell: (frames: string[]) => void) => Promise<void>} watch follows a watch to its end
 * @property {(draft: Draft) => void} edit opens the editor
 * @property {(value: unknown) => Promise<string>} yaml
 * @property {(text: string) => Promise<unknown>} parse JSON or YAML
 * @property {string} namespace the default namespace
 * @property {string} lease the run's own Lease
 */

export const JSON_TYPE = 'Accept: application/json';
const TABLE = ['v1', 'v1beta1'].map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`);
export const TABLE_TYPE = `Accept: ${TABLE.join()},application/json`;
/** How many objects kubectl requests at once. */
const CHUNK = '500';
export const PATCHES = /** @type {Record<string, string>} */ ({
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
});

/** An answer that ends the line. */
export class Refused extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/* ---- the meaning of a line ---- */

const KINDS = RESOURCES.map((resource) => resource.name);

/** @param {string} word */
function requireResource(word) {
  const resource = findResource(word);
  if (resource) return resource;
  throw new LineError(`This API does not serve “${word}”. It serves ${joinWords(KINDS)}.`);
}

/**
 * The kind and the names of a line: "lease a b", "lease/a lease/b".
 * @param {Line} line
 * @param {Io} io
 * @returns {At}
 */
export function objects({ verb, args, flags }, io) {
  if (args.length === 0) throw new LineError(`${verb} what? Name ${joinWords(KINDS, 'or')}: ${VERBS[verb].usage}`);
  const [first, ...rest] = args;
  const slashed = first.includes('/');
  const kinds = new Set(slashed ? args.map((arg) => arg.split('/')[0]) : first.split(','));
  if (kinds.size > 1) throw new LineError('One kind at a time.');
  const names = slashed ? args.map((arg) => arg.slice(arg.indexOf('/') + 1)) : rest;
  const resource = requireResource([...kinds][0]);
  const everywhere = flags['all-namespaces'] === true;
  if (everywhere && names.length > 0) throw new LineError('A name belongs to one namespace: leave out -A or the name.');
  const namespace = everywhere ? '' : String(flags.namespace ?? io.namespace);
  return { resource, names, namespace: resource.namespaced ? namespace : '' };
}

/** The single object of a line. @param {Line} line @param {Io} io */
export function oneObject(line, io) {
  const { names, ...rest } = objects(line, io);
  if (names.length !== 1) throw new LineError(`${line.verb} takes one name: ${VERBS[line.verb].usage}`);
  return { ...rest, name: names[0] };
}

/** The query parameters that have a value. @param {Record<string, string | boolean | undefined>} all */
const queryPairs = (all) =>
  Object.entries(all).flatMap(([name, value]) => (value ? [/** @type {[string, string]} */ ([name, `${value}`])] : []));

/**
 * Query parameters that several verbs share.
 * @param {Line} line @param {string} [manager] unless the line names a different one
 */
export function writeQuery({ flags }, manager = '') {
  return queryPairs({
    fieldManager: flags['field-manager'] || manager,
    dryRun: flags['dry-run'] === 'server' && 'All',
    fieldValidation: ['Strict', 'Warn', 'Ignore'].find((word) => word.toLowerCase() === flags.validate),
  });
}

/** @param {Line} line @returns {[string, string][]} */
export function selectorQuery({ flags }) {
  return queryPairs({ labelSelector: flags.selector, fieldSelector: flags['field-selector'] });
}

/** @param {Line} line */
export const dryRunNote = ({ flags }) => (flags['dry-run'] === 'server' ? ' (server dry run)' : '');

/* ---- sending ---- */

/**
 * Sends a request. An answer other than success ends the line.
 * @param {Io} io
 * @param {string} method
 * @param {string} target
 * @param {{accept?: string, type?: string, body?: unknown}} [what]
 */
export async function ask(io, method, target, { accept = JSON_TYPE, type = 'application/json', body } = {}) {
  const sends = body === undefined ? [] : [`Content-Type: ${type}`];
  const text = body === undefined ? '' : JSON.stringify(body);
  const answer = await io.send({ method, target, headers: [accept, ...sends], body: text });
  for (const warning of warningsOf(answer.headers)) io.say(`Warning: ${warning}`);
  if (answer.status >= 400) throw new Refused(errorText(answer), answer.status);
  return answer;
}

/** @param {Io} io @param {string} target @param {string} [accept] */
export const read = async (io, target, accept) => readObject((await ask(io, 'GET', target, { accept })).answer);

/**
 * Reads a collection in the same chunks as kubectl. Returns the answers, and the objects of these answers with their
 * kind.
 * @param {Io} io
 * @param {{resource: Resource, namespace: string, query: [string, string][], accept?: string}} what
 * @returns {Promise<{answers: ApiObject[], items: ApiObject[]}>}
 */
export async function list(io, { resource, namespace, query, accept }) {
  /** @type {ApiObject[]} */
  const answers = [];
  let next = '';
  do {
    const all = [...query, ...queryPairs({ limit: CHUNK, continue: next })];
    answers.push(await read(io, pathOf(resource, { namespace, query: all }), accept));
    next = answers[answers.length - 1].metadata?.continue ?? '';
  } while (next);
  const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return { answers, items: answers.flatMap(({ items }) => items ?? []).map((item) => ({ ...kind, ...item })) };
}

/**
 * Calls a function for every name. Like kubectl, it continues after a refusal and reports all refusals at the end.
 * @template N, T
 * @param {N[]} names
 * @param {(name: N) => Promise<T>} run
 * @param {boolean} [ignoreMissing] does not report missing objects
 */
export async function each(names, run, ignoreMissing = false) {
  /** @type {T[]} */
  const done = [];
  /** @type {string[]} */
  const refused = [];
  for (const name of names) {
    try {
      done.push(await run(name));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!ignoreMissing || error.status !== 404) refused.push(error.message);
    }
  }
  const end = () => {
    if (refused.length > 0) throw new Refused(refused.join('\n'));
  };
  return { done, end };
}

/**
 * The objects or tables that a line names, or the whole collection.
 * @param {Line} line
 * @param {Io} io
 * @param {{resource: Resource, names: string[], namespace: string, accept?: string}} what
 */
export async function readAll(line, io, { resource, names, namespace, accept }) {
  const { flags } = line;
  if (names.length === 0) {
    return { ...(await list(io, { resource, namespace, query: selectorQuery(line), accept })), end: () => {} };
  }
  const { done, end } = await each(
    names,
    (name) => read(io, pathOf(resource, { namespace, name }), accept),
    flags['ignore-not-found'] === true,
  );
  return { answers: done, items: done, end };
}

/** Without managedFields, as kubectl prints objects. @param {ApiObject} object @returns {ApiObject} */
export function withoutManagedFields(object) {
  const strip = (/** @type {ApiObject} */ one) => {
    if (!one.metadata) return one;
    const { managedFields: _, ...metadata } = one.metadata;
    return { ...one, metadata };
  };
  return object.items ? { ...object, items: object.items.map(strip) } : strip(object);
}

/** @param {ApiObject} object @param {Line} line @param {Io} io */
export async function printObject(object, { flags }, io) {
  const shown =
    flags['show-managed-fields'] || String(flags.output).includes('=') ? object : withoutManagedFields(object);
  const output = String(flags.output);
  if (output === 'name') io.print((object.items ?? [object]).map(nameOf).join('\n'));
  else if (output === 'json') io.print(jsonText(shown, 4));
  else if (output.startsWith('jsonpath=')) io.print(printPath(output.slice(9), shown));
  else io.print((await io.yaml(shown)).trimEnd());
}

/**
 * After a write, prints the requested output or one line.
 * @param {ApiObject} object
 * @param {string} verb
 * @param {Line} line
 * @param {Io} io
 */
export async function printResult(object, verb, line, io) {
  if (line.flags.output) await printObject(object, line, io);
  else io.print(`${nameOf(object)} ${verb}${dryRunNote(line)}`);
}
