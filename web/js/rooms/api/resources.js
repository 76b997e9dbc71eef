/** The kinds that the API serves, and their paths. */

import resources from './resources.json' with { type: 'json' };

/**
 * @typedef {object} Resource
 * @property {string} name "leases"
 * @property {string} kind
 * @property {string} group
 * @property {string} version
 * @property {boolean} namespaced
 * @property {string[]} names all its names, such as "lease" and "leases"
 */

/** @type {Resource[]} */
export const RESOURCES = resources;

/** @param {Resource} resource */
export const apiVersionOf = ({ group, version }) => (group ? `${group}/${version}` : version);

/**
 * A kind by any of its names: "lease", "Leases", "leases.coordination.k8s.io",
 * "leasecandidates.v1alpha2.coordination.k8s.io".
 * @param {string} word
 * @returns {Resource | undefined}
 */
export function findResource(word) {
  const [name, ...rest] = word.toLowerCase().split('.');
  const found = RESOURCES.find((resource) => resource.names.includes(name));
  if (!found || rest.length === 0) return found;
  if (/^v\d/.test(rest[0])) {
    const group = rest.slice(1).join('.');
    return group === found.group ? { ...found, version: rest[0] } : undefined;
  }
  return rest.join('.') === found.group ? found : undefined;
}

/**
 * The path of a collection or of one object.
 * @param {Resource} resource
 * @param {{namespace?: string, name?: string, query?: [string, string][]}} [where] without a namespace: of all
 *   namespaces
 */
export function pathOf(resource, { namespace = '', name = '', query = [] } = {}) {
  const root = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`;
  const inside = resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const nameSegment = name ? `/${encodeURIComponent(name)}` : '';
  return withQuery(`${root}${inside}/${resource.name}${nameSegment}`, query);
}

/**
 * A path with a query. Like kubectl's, the query is sorted by name. @param {string} path @param {[string, string][]}
 * query
 */
function withQuery(path, query) {
  if (query.length === 0) return path;
  const [bare, had = ''] = path.split('?');
  const all = new URLSearchParams([...new URLSearchParams(had), ...query]);
  all.sort();
  return `${bare}?${all}`;
}

/**
 * The kind and the object that a path names, if the API serves the kind.
 * @param {string} target path and query
 * @returns {{resource: Resource, namespace: string, name: string, query: [string, string][]} | undefined}
 */
export function readPath(target) {
  const at = target.indexOf('?');
  const parts = (at < 0 ? target : target.slice(0, at)).split('/').slice(1).map(decode);
  const query = /** @type {[string, string][]} */ ([...new URLSearchParams(at < 0 ? '' : target.slice(at + 1))]);
  const [group, version, ...inside] =
    parts[0] === 'apis' ? parts.slice(1) : parts[0] === 'api' ? ['', ...parts.slice(1)] : ['?'];
  const isNamespaced = inside[0] === 'namespaces' && inside.length > 2;
  const [name, object = '', ...more] = isNamespaced ? inside.slice(2) : inside;
  const found = RESOURCES.find((resource) => resource.name === name && resource.group === group);
  if (!found || more.length > 0) return undefined;
  return { resource: { ...found, version }, namespace: isNamespaced ? inside[1] : '', name: object, query };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * A sample object, for the visitor to edit. @param {Resource} resource @param {string} namespace @param {string} name
 */
export function sample(resource, namespace, name) {
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  if (resource.kind === 'Namespace') return { ...head, metadata: { name } };
  const metadata = { name, namespace };
  if (resource.kind === 'Lease')
    return { ...head, metadata, spec: { holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 0 } };
  return {
    ...head,
    metadata,
    spec: {
      leaseName: 'demo',
      binaryVersion: '1.36.0',
      emulationVersion: '1.36.0',
      strategy: 'OldestEmulationVersion',
    },
  };
}
