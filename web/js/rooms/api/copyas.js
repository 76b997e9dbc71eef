/** A request in the words of other programs: curl, kubectl. */
import { readPath } from './resources.js';

/** @import { Ask } from '../desk/client.js' */

/** Where `kubectl proxy` and `leaselab serve` listen. */
const SERVER = 'http://127.0.0.1:8765';

/**
 * What a terminal may take for a key when it is pasted, and what no shell can hold: every control character but tab and
 * newline.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** A name that an object can have. Any other might be a flag of kubectl: --all. */
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** One word of a shell. @param {string} text */
export function quote(text) {
  return /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string[]} headers @param {string} name */
export function headerOf(headers, name) {
  const found = headers.find((header) => header.toLowerCase().startsWith(`${name}:`));
  return found ? found.slice(name.length + 1).trim() : '';
}

/** @param {string} text */
const oneLine = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, encodeURIComponent);

/** A target that stays on one line, and behind the server's port. @param {string} target */
const address = (target) => oneLine(target.startsWith('/') ? target : `/${target}`);

/** A command that gets the text as its input, byte for byte. @param {string} text @param {string} command */
function piped(text, command) {
  const octal = (/** @type {string} */ one) =>
    [...new TextEncoder().encode(one)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
  const escaped = text.replaceAll('\\', '\\\\').replace(new RegExp(CONTROLS, 'g'), octal);
  return `printf %b ${quote(escaped)} | ${command}`;
}

/**
 * A command that reads the body from its input. The word that ends a body is in none of its lines.
 * @param {string} command
 * @param {string} body
 */
function fromInput(command, body) {
  if (CONTROLS.test(body)) return piped(body, `${command} -f -`);
  const taken = new Set(body.match(/EOF\d*/g));
  let word = 'EOF';
  for (let n = 2; taken.has(word); n++) word = `EOF${n}`;
  return `${command} -f - <<'${word}'\n${body.replace(/\n$/, '')}\n${word}`;
}

/** @param {Ask} ask */
export function asCurl({ method, target, headers, body }) {
  const path = address(target);
  const flags = [
    ...(/[?&]watch=(true|1)/.test(path) ? ['-N'] : []),
    // What stands in brackets is no list of addresses, and no part of the path is left out.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ...(/\/\.\.?(\/|$)/.test(path.split('?')[0]) ? ['--path-as-is'] : []),
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' && !body ? [] : [`-X ${quote(oneLine(method))}`]),
  ];
  const lines = [['curl', ...flags, quote(SERVER + path)].join(' ')];
  // What is no header might name a file: @secrets.
  const isHeader = (/** @type {string} */ header) => /^[\w!#$%&'*+.^`|~-]+:/.test(header) && !CONTROLS.test(header);
  for (const header of headers.filter(isHeader)) lines.push(`-H ${quote(header)}`);
  const given = CONTROLS.test(body);
  if (given) lines.push('--data-binary @-');
  else if (body) lines.push(`${body.startsWith('@') ? '--data-raw' : '--data-binary'} ${quote(body.trimEnd())}`);
  const command = lines.join(' \\\n  ');
  return given ? piped(body, command) : command;
}

const PATCH_TYPES = /** @type {Record<string, string>} */ ({
  'application/strategic-merge-patch+json': 'strategic',
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
});

/** The server stands in it, so that a pasted command never writes into the cluster of the reader's own context. */
const KUBECTL = `kubectl --server ${SERVER}`;

/**
 * The kubectl command that sends such a request. What kubectl has no verb for is sent raw.
 * @param {Ask} ask
 */
export function asKubectl(ask) {
  const { method, target, headers, body } = ask;
  const at = readPath(target);
  if (!at) return raw(ask);
  const { resource, namespace, name, query } = at;
  const named = [name, namespace, resource.version].every((one) => one === '' || NAME.test(one));
  if (!named || target.includes('/namespaces//') || query.some(([, given]) => CONTROLS.test(given))) return raw(ask);
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
      return line(`${KUBECTL} get`, ...what, ...inside, ...selectors, ...watches, '-o yaml');
    }
    case 'POST':
      return fromInput(line(`${KUBECTL} create`, ...inside, ...how), body);
    case 'PUT':
      return fromInput(line(`${KUBECTL} replace`, ...inside, ...how), body);
    case 'DELETE':
      return line(
        `${KUBECTL} delete`,
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
        return fromInput(line(`${KUBECTL} apply --server-side`, ...inside, ...how, ...force), body);
      }
      if (!PATCH_TYPES[type]) break;
      const patch = line(`${KUBECTL} patch`, ...what, ...inside, `--type=${PATCH_TYPES[type]}`, ...how);
      return CONTROLS.test(body)
        ? piped(body, `${patch} --patch-file /dev/stdin`)
        : `${patch} -p ${quote(body.trimEnd())}`;
    }
  }
  return raw(ask);
}

/** @param {Ask} ask */
function raw({ method, target, body }) {
  const verbs = new Map([
    ['GET', 'get'],
    ['POST', 'create'],
    ['PUT', 'replace'],
    ['DELETE', 'delete'],
  ]);
  const path = quote(address(target));
  // In quotes, because a shell may take a comment for a command, as zsh does at its prompt.
  if (!verbs.has(method)) return `# kubectl has no command for ${quote(oneLine(method))} ${path}, use curl.`;
  const command = `${KUBECTL} ${verbs.get(method)} --raw ${path}`;
  return body ? fromInput(command, body) : command;
}
