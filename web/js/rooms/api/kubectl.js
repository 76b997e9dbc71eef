/**
 * Runs a line: sends the requests that kubectl would send, one after another, and prints what kubectl would print. The
 * functions of the page are an argument, so that tests can replace them.
 */

import {
  ask,
  dryRunNote,
  each,
  list,
  objects,
  oneObject,
  PATCHES,
  printResult,
  Refused,
  read,
  readAll,
  selectorQuery,
  withoutManagedFields,
  writeQuery,
} from './calls.js';
import { get, printNothing } from './get.js';
import { PathError } from './jsonpath.js';
import { LineError, parseLine, VERBS, verbNamed } from './line.js';
import { equal } from './merge.js';
import { apiVersionOf, findResource, pathOf, RESOURCES, sample } from './resources.js';
import { describe, nameOf, readObject } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Resource } from './resources.js' */
/** @import { Io } from './calls.js' */
/** @import { ApiObject, Meta } from './objects.js' */

/**
 * @param {string} text
 * @param {Io} io
 * @returns {Promise<boolean>} false if the line was wrong or the server refused
 */
export async function runLine(text, io) {
  try {
    const line = parseLine(text);
    await RUN[line.verb](line, io);
    return true;
  } catch (error) {
    if (!(error instanceof LineError) && !(error instanceof Refused) && !(error instanceof PathError)) throw error;
    io.say(error.message);
    return false;
  }
}

/** @type {Record<string, (line: Line, io: Io) => Promise<unknown>>} */
const RUN = {
  get,
  describe: describeLine,
  create,
  apply,
  edit,
  patch,
  delete: remove,
  version: async (_, io) => io.print(`Server Version: ${(await read(io, '/version')).gitVersion}`),
  help,
};

/* ---- the verbs ---- */

/** @param {Line} line @param {Io} io */
async function describeLine(line, io) {
  const at = objects(line, io);
  const { items, end } = await readAll(line, io, at);
  if (items.length > 0) io.print(items.map(describe).join('\n\n\n'));
  else if (at.names.length === 0) printNothing(io, at.namespace);
  end();
}

/** Refuses a file name in place of a kind, because the page has no files. @param {string[]} args */
const kindOf = (args) => findResource(args[0] ?? 'leases') ?? RESOURCES[0];

/** @param {Line} line @param {Io} io */
async function create(line, io) {
  const { args, flags } = line;
  const resource = kindOf(args);
  const [, name] = args;
  const namespace = String(flags.namespace ?? io.namespace);
  const target = pathOf(resource, { namespace, query: writeQuery(line, 'kubectl-create') });
  if (!flags.filename && resource.kind === 'Namespace' && name) {
    const object = sample(resource, '', name);
    const created = readObject((await ask(io, 'POST', target, { body: object })).answer);
    await printResult(created, 'created', line, io);
    return;
  }
  if (!flags.filename && args.length === 0) throw new LineError(`create needs -f: ${VERBS.create.usage}`);
  io.edit({ verb: 'create', target, object: sample(resource, namespace, name ?? 'example') });
  io.say('The editor has a new object. Edit it, then Send.');
}

/** @param {Line} line @param {Io} io */
async function apply(line, io) {
  const { args, flags } = line;
  if (!flags.filename && args.length === 0) throw new LineError(`apply needs -f: ${VERBS.apply.usage}`);
  const resource = kindOf(args);
  const name = args[1] ?? (resource.kind === 'Lease' ? io.lease : 'example');
  const namespace = String(flags.namespace ?? io.namespace);
  const query = writeQuery(line, 'kubectl');
  if (flags['force-conflicts']) query.push(['force', 'true']);
  const target = pathOf(resource, { namespace, name, query });
  const whole = sample(resource, namespace, name);
  const object = resource.kind === 'Lease' ? { ...whole, spec: { leaseDurationSeconds: 30 } } : whole;
  io.edit({ verb: 'apply', target, object });
  io.say('Edit the object, then Send. The server applies it, as with --server-side.');
}

/** @param {Line} line @param {Io} io */
async function edit(line, io) {
  const at = oneObject(line, io);
  const object = withoutManagedFields(await read(io, pathOf(at.resource, at)));
  const target = pathOf(at.resource, { ...at, query: writeQuery(line, 'kubectl-edit') });
  io.edit({ verb: 'edit', target, object, before: object });
  io.say('The editor has the object. Edit it, then Send: only your changes are sent, as a patch.');
}

/** @param {Line} line @param {Io} io */
async function patch(line, io) {
  const at = oneObject(line, io);
  const { flags } = line;
  if (flags.patch === undefined) throw new LineError(`patch needs -p: ${VERBS.patch.usage}`);
  const body = await io.parse(String(flags.patch)).catch((error) => {
    throw new LineError(`The patch is neither JSON nor YAML: ${error.message}`);
  });
  const type = String(flags.type ?? 'strategic');
  if (Array.isArray(body) !== (type === 'json'))
    throw new LineError(
      type === 'json'
        ? `A JSON patch is a list of operations: -p '[{"op":"replace","path":"/spec/holderIdentity","value":"me"}]'`
        : `A ${type} patch is an object: -p '{"spec":{"holderIdentity":"me"}}'`,
    );
  const before = await read(io, pathOf(at.resource, at));
  const target = pathOf(at.resource, { ...at, query: writeQuery(line, 'kubectl-patch') });
  const after = readObject((await ask(io, 'PATCH', target, { type: PATCHES[type], body })).answer);
  const done = equal(before, after) ? 'patched (no change)' : 'patched';
  // Like kubectl, the output does not mention that the patch was a dry run.
  await printResult(after, done, { ...line, flags: { ...flags, 'dry-run': 'none' } }, io);
}

/** @param {Line} line @param {Io} io */
async function remove(line, io) {
  const { resource, names, namespace } = objects(line, io);
  const { flags } = line;
  // If the request has a body, the server reads options only from the body and would miss a dry run in the query.
  const tries = flags['dry-run'] === 'server' ? { dryRun: ['All'] } : {};
  const options = { ...tries, propagationPolicy: 'Background' };
  const chosen = flags.all || flags.selector || flags['field-selector'];
  if (names.length === 0 && !chosen) throw new LineError('delete which? Give a name, a selector with -l, or --all.');
  if (names.length > 0 && chosen) throw new LineError('delete by name, or by -l or --all, not both.');
  const found = chosen ? (await list(io, { resource, namespace, query: selectorQuery(line) })).items : [];
  /** @type {{name: string, namespace: string}[]} */
  const all = chosen
    ? found.map(({ metadata }) => ({ name: '', namespace, ...metadata }))
    : names.map((name) => ({ name, namespace }));
  if (all.length === 0) io.print('No resources found');
  const { end } = await each(
    all,
    async ({ name, namespace }) => {
      const target = pathOf(resource, { namespace, name });
      await ask(io, 'DELETE', target, { body: options });
      const full = nameOf({ apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } });
      const from = resource.namespaced ? ` from ${namespace} namespace` : '';
      io.print(flags.output === 'name' ? full : `${full.split('/')[0]} "${name}" deleted${from}${dryRunNote(line)}`);
    },
    flags['ignore-not-found'] === true,
  );
  end();
}

/** @param {Line} line @param {Io} io */
async function help({ args }, io) {
  const [verb] = args;
  if (verb) {
    const { usage, help: words, flags } = verbNamed(verb);
    const all = flags.map((flag) => `${flag.short ? `-${flag.short}, ` : ''}--${flag.name}`);
    io.say([`${verb}: ${words}`, `    ${usage}`, ...(all.length > 0 ? [`Flags: ${all.join('  ')}`] : [])].join('\n'));
    return;
  }
  io.say(
    Object.entries(VERBS)
      .map(([name, { help: words }]) => `${name}: ${words}`)
      .join('\n'),
  );
  io.say('“help get” shows what the verb get takes. ↑ and ↓ bring back earlier lines.');
}
