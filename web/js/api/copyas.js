/** A request in the words of other programs: curl, kubectl. */
import { readPath } from './resources.js';

/** @import { Ask } from './client.js' */

/** Where `kubectl proxy` and `leaselab serve` listen. */
const SERVER = 'http://127.0.0.1:8001';

/** One word of a shell. @param {string} text */
export function quote(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string[]} headers @param {string} name */
export function headerOf(headers, name) {
  const found = headers.find((header) => header.toLowerCase().startsWith(`${name}:`));
  return found ? found.slice(name.length + 1).trim() : '';
}

/** @param {Ask} ask */
export function asCurl({ method, target, headers, body }) {
  const how = method === 'GET' ? '' : ` -X ${method}`;
  const lines = [`curl${/[?&]watch=(true|1)/.test(target) ? ' -N' : ''}${how} ${quote(SERVER + target)}`];
  for (const header of headers) lines.push(`-H ${quote(header)}`);
  if (body) lines.push(`--data-binary ${quote(body.trimEnd())}`);
  return lines.join(' \\\n  ');
}

const PATCH_TYPES = /** @type {Record<string, string>} */ ({
  'application/strategic-merge-patch+json': 'strategic',
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
});

/** What -f reads: the body, as it is. @param {string} command @param {string} body */
const fromInput = (command, body) => `${command} -f - <<'EOF'\n${body.trimEnd()}\nEOF`;

/**
 * The kubectl command that sends such a request. What kubectl has no verb for is sent raw. The server stands in it, so that
 * a pasted command never writes into the cluster of the reader's own context.
 * @param {Ask} ask
 */
export const asKubectl = (ask) => commandOf(ask).replace(/^kubectl /, `kubectl --server ${SERVER} `);

/** @param {Ask} ask */
function commandOf(ask) {
  const { method, target, headers, body } = ask;
  const at = readPath(target);
  if (!at) return raw(ask);
  const { resource, namespace, name, query } = at;
  const value = (/** @type {string} */ key) => query.find(([one]) => one === key)?.[1] ?? '';
  const version = resource.name === 'leasecandidates' ? `.${resource.version}.${resource.group}` : '';
  const kind = `${name ? resource.names[1] : resource.names[0]}${version}`;
  const what = [name ? `${kind} ${quote(name)}` : kind];
  const inside = namespace ? [`-n ${quote(namespace)}`] : resource.namespaced ? ['-A'] : [];
  const selectors = [
    ...(value('labelSelector') ? [`-l ${quote(value('labelSelector'))}`] : []),
    ...(value('fieldSelector') ? [`--field-selector ${quote(value('fieldSelector'))}`] : []),
  ];
  const how = [
    ...(value('fieldManager') ? [`--field-manager=${quote(value('fieldManager'))}`] : []),
    ...(value('dryRun') ? ['--dry-run=server'] : []),
  ];
  const line = (/** @type {string[]} */ ...parts) => parts.filter(Boolean).join(' ');
  switch (method) {
    case 'GET': {
      const watches = ['true', '1'].includes(value('watch')) ? ['-w'] : [];
      return line('kubectl get', ...what, ...inside, ...selectors, ...watches, '-o yaml');
    }
    case 'POST':
      return fromInput(line('kubectl create', ...inside, ...how), body);
    case 'PUT':
      return fromInput(line('kubectl replace', ...inside, ...how), body);
    case 'DELETE':
      return line(
        'kubectl delete',
        ...what,
        ...inside,
        ...selectors,
        ...(name || selectors.length ? [] : ['--all']),
        ...how,
      );
    case 'PATCH': {
      const type = headerOf(headers, 'content-type').split(';')[0];
      if (type.startsWith('application/apply-patch')) {
        const force = ['true', '1'].includes(value('force')) ? ['--force-conflicts'] : [];
        return fromInput(line('kubectl apply --server-side', ...inside, ...how, ...force), body);
      }
      if (!PATCH_TYPES[type]) break;
      return line(
        'kubectl patch',
        ...what,
        ...inside,
        `--type=${PATCH_TYPES[type]}`,
        ...how,
        `-p ${quote(body.trimEnd())}`,
      );
    }
  }
  return raw(ask);
}

/** @param {Ask} ask */
function raw({ method, target, body }) {
  const verbs = /** @type {Record<string, string>} */ ({
    GET: 'get',
    POST: 'create',
    PUT: 'replace',
    DELETE: 'delete',
  });
  if (!verbs[method]) return `# kubectl has no command for ${method} ${target}; use curl.`;
  const command = `kubectl ${verbs[method]} --raw ${quote(target)}`;
  return body ? fromInput(command, body) : command;
}
