/**
 * The editor's request: what each verb sends and to which path. Also converts the typed text to the form that the API
 * reads.
 */
import { yamlTools } from '../../lib/yaml.js';
import { pathOf, RESOURCES, readPath, sample } from './resources.js';
import verbs from './verbs.json' with { type: 'json' };

/** @import { Resource } from './resources.js' */

/**
 * @typedef {object} Verb
 * @property {string} id
 * @property {string} label
 * @property {string} method
 * @property {boolean} named is about one object
 * @property {string} [type] of the body
 * @property {[string, string][]} [query]
 * @property {boolean} [later] only for a request that came from the line
 */

export const EDITOR_VERBS = /** @type {Verb[]} */ (/** @type {unknown} */ (verbs));

/** @param {string} id */
export const verbOf = (id) => EDITOR_VERBS.find((verb) => verb.id === id) ?? EDITOR_VERBS[0];

/** The editor's verb for a request. @param {{method: string, target: string, headers: string[]}} ask */
export function verbFor({ method, target, headers }) {
  const at = readPath(target);
  const type = headers.find((header) => /^content-type:/i.test(header)) ?? '';
  if (method === 'GET' && /[?&]watch=(true|1)(&|$)/.test(target)) return 'watch';
  if (method === 'PATCH') {
    const found = EDITOR_VERBS.find(
      (verb) => verb.method === 'PATCH' && !verb.later && verb.type && type.includes(verb.type),
    );
    return found?.id ?? 'strategic';
  }
  const hasName = Boolean(at?.name);
  return (
    EDITOR_VERBS.find(
      (verb) => verb.method === method && (method === 'POST' || method === 'PUT' || verb.named === hasName),
    )?.id ?? 'get'
  );
}

/** @param {Verb} verb @param {Resource} resource @param {{namespace: string, name: string}} where */
export function targetFor(verb, resource, { namespace, name }) {
  return pathOf(resource, { namespace, name: verb.named ? name : '', query: verb.query ?? [] });
}

/** @param {Verb} verb */
export const headersFor = ({ type }) => ['Accept: application/json', ...(type ? [`Content-Type: ${type}`] : [])];

/**
 * A body to start from; undefined for a verb without a body.
 * @param {Verb} verb
 * @param {Resource} resource
 * @param {{namespace: string, name: string}} where
 * @returns {unknown}
 */
export function bodyFor(verb, resource, { namespace, name }) {
  const change = { 'leaselab.dev/note': 'hello' };
  switch (verb.id) {
    case 'create':
      return sample(resource, namespace, 'example');
    case 'replace':
      return sample(resource, namespace, name);
    case 'strategic':
    case 'merge':
      return resource.kind === 'Lease' ? { spec: { holderIdentity: 'me' } } : { metadata: { annotations: change } };
    case 'json':
      return resource.kind === 'Lease'
        ? [{ op: 'replace', path: '/spec/holderIdentity', value: 'me' }]
        : [{ op: 'add', path: '/metadata/annotations', value: change }];
    case 'apply': {
      const whole = sample(resource, namespace, name);
      return resource.kind !== 'Lease' ? whole : { ...whole, spec: { leaseDurationSeconds: 30 } };
    }
  }
  return undefined;
}

/**
 * An error that says what is wrong with the draft. body: the mistake is in the body, so the page can send the draft
 * anyway.
 */
export class DraftError extends Error {
  /** @param {string} sentence @param {boolean} [body] */
  constructor(sentence, body = false) {
    super(sentence);
    this.body = body;
  }
}

/** @param {string} text */
export function readTarget(text) {
  const bare = text
    .trim()
    .replaceAll('\n', '')
    .replace(/^https?:\/\/[^/]+/, '');
  if (bare === '') throw new DraftError('The path is empty. Enter one, such as /apis/coordination.k8s.io/v1/leases.');
  if (/\s/.test(bare)) throw new DraftError(`“${bare}” contains a space: write it as %20.`);
  return bare.startsWith('/') ? bare : `/${bare}`;
}

/** @param {string} text one header per line */
export function readHeaders(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const wrong = lines.find((line) => !/^[\w!#$%&'*+.^`|~-]+:/.test(line));
  if (wrong)
    throw new DraftError(`“${wrong}” is not a header. Write one per line, such as “Accept: application/json”.`);
  return lines;
}

/**
 * The value of a body: JSON, or else YAML.
 * @param {string} text
 * @returns {Promise<unknown>} undefined for an empty one
 */
export async function readBody(text) {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*[{[]/.test(text))
      throw new DraftError(`The body is not JSON: ${/** @type {Error} */ (error).message}.`, true);
  }
  const { parseYaml } = await yamlTools();
  try {
    return parseYaml(text);
  } catch (error) {
    throw new DraftError(`The body is not YAML. ${/** @type {Error} */ (error).message}`, true);
  }
}

/** The kind that a path names, or else the first kind. @param {string} target */
export const resourceOf = (target) =>
  RESOURCES.find(({ name }) => name === readPath(target)?.resource.name) ?? RESOURCES[0];
