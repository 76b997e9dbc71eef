/**
 * Carries out a line: the same requests kubectl would send, one after the other, and the words it would print. What a
 * line needs of the page comes as an argument, so that the tests can stand in for it.
 */

import {
  ask,
  bare,
  dry,
  each,
  known,
  list,
  managedBy,
  objects,
  one,
  PATCHES,
  Refused,
  read,
  readAll,
  selecting,
  writing,
  wrote,
} from './calls.js';
import { statusText } from './exchange.js';
import { get, nothing } from './get.js';
import { PathError } from './jsonpath.js';
import { LineError, listed, parseLine, VERBS, verbNamed } from './line.js';
import { equal, patched } from './merge.js';
import { apiVersionOf, findResource, pathOf, RESOURCES, sample, withQuery } from './resources.js';
import { columns, describe, nameOf, readObject } from './table.js';
import { lengthOf, wait } from './wait.js';

/** @import { Line } from './line.js' */
/** @import { Resource } from './resources.js' */
/** @import { Io } from './calls.js' */
/** @import { ApiObject, Meta } from './objects.js' */

/**
 * @param {string} text
 * @param {Io} io
 * @returns {Promise<boolean>} false when something was wrong with the line, or the server refused
 */
export async function runLine(text, io) {
  try {
    const line = parseLine(text);
    await RUN[line.verb](line, asked(line, io));
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
  replace,
  edit,
  patch,
  delete: remove,
  annotate: (line, io) => mark(line, io, 'annotations', 'annotated'),
  label: (line, io) => mark(line, io, 'labels', 'labeled'),
  'api-resources': apiResources,
  'api-versions': apiVersions,
  explain,
  wait,
  version,
  help,
};

/**
 * With --request-timeout every request has a timeout; with -v=6 and more the line tells its requests, from 7 on with
 * their headers, from 8 on with what is answered. kubectl tells how long each took, too.
 * Source: client-go transport/round_trippers.go debuggingRoundTripper.
 * @param {Line} line @param {Io} io @returns {Io}
 */
function asked({ flags }, io) {
  const level = Number(flags.v ?? 0);
  if (!(Number.isInteger(level) && level >= 0))
    throw new LineError(`-v is a whole number, as in -v 6, not “${flags.v}”.`);
  const timeout = goDuration(flags['request-timeout']);
  if (level < 6 && !timeout) return io;
  return {
    ...io,
    send: async (request) => {
      const target = timeout ? withQuery(request.target, [['timeout', timeout]]) : request.target;
      if (level >= 7) io.print(`${request.method} ${target}`);
      if (level >= 7) io.print(['Request Headers:', ...request.headers.map((header) => `    ${header}`)].join('\n'));
      if (level >= 8 && request.body) io.print(`Request Body: ${request.body}`);
      const answer = await io.send({ ...request, target });
      if (level === 6) io.print(`${request.method} ${target} ${statusText(answer.status)}`);
      if (level >= 7) io.print(`Response Status: ${statusText(answer.status)}`);
      if (level >= 8) io.print(`Response Body: ${answer.answer.trimEnd()}`);
      return answer;
    },
  };
}

/** A length as Go prints it, "" for none: "90s" is "1m30s". @param {string | boolean} [text] */
function goDuration(text) {
  if (text === undefined || text === '0') return '';
  const ms = /^\d+$/.test(String(text)) ? Number(text) * 1000 : lengthOf(String(text), '--request-timeout');
  const [h, m, s] = [Math.floor(ms / 36e5), Math.floor(ms / 6e4) % 60, (ms % 6e4) / 1000];
  if (ms < 1000) return `${ms}ms`;
  return `${h ? `${h}h` : ''}${h || m ? `${m}m` : ''}${s}s`;
}

/* ---- the verbs ---- */

/** @param {Line} line @param {Io} io */
async function describeLine(line, io) {
  const at = objects(line, io);
  const { items, end } = await readAll(line, io, at);
  if (items.length > 0) io.print(items.map(describe).join('\n\n\n'));
  else if (at.names.length === 0) nothing(io, at.namespace);
  end();
}

/** A file's name is no kind: there are no files here. @param {string[]} args */
const kindOf = (args) => findResource(args[0] ?? 'leases') ?? RESOURCES[0];

/** @param {Line} line @param {Io} io */
async function create(line, io) {
  const { args, flags } = line;
  const resource = kindOf(args);
  const [, name] = args;
  const namespace = String(flags.namespace ?? io.namespace);
  const target = pathOf(resource, { namespace, query: managedBy(writing(line), 'kubectl-create') });
  if (!flags.filename && resource.kind === 'Namespace' && name) {
    const object = sample(resource, '', name);
    const here = flags['dry-run'] === 'client';
    const made = here ? drafted(object) : readObject((await ask(io, 'POST', target, { body: object })).answer);
    await wrote(made, 'created', line, io);
    return;
  }
  if (!flags.filename && args.length === 0) throw new LineError(`create needs -f: ${VERBS.create.usage}`);
  io.edit({ verb: 'create', target, object: sample(resource, namespace, name ?? 'example') });
  io.say('The editor holds a new object. Edit it, then Send.');
}

/** A namespace as kubectl prints one that it has not sent. @param {ApiObject} object */
const drafted = ({ metadata, ...rest }) => ({
  ...rest,
  metadata: { creationTimestamp: null, ...metadata },
  spec: {},
  status: {},
});

/** @param {Line} line @param {Io} io */
async function apply(line, io) {
  const { args, flags } = line;
  if (!flags.filename && args.length === 0) throw new LineError(`apply needs -f: ${VERBS.apply.usage}`);
  const resource = kindOf(args);
  const name = args[1] ?? (resource.kind === 'Lease' ? io.lease : 'example');
  const namespace = String(flags.namespace ?? io.namespace);
  const serverSide = flags['server-side'] === true;
  if (flags['force-conflicts'] && !serverSide) throw new LineError('--force-conflicts goes with --server-side.');
  const query = managedBy(writing(line), serverSide ? 'kubectl' : 'kubectl-client-side-apply');
  if (flags['force-conflicts']) query.push(['force', 'true']);
  const target = pathOf(resource, { namespace, name, query });
  const whole = sample(resource, namespace, name);
  const object = resource.kind === 'Lease' ? { ...whole, spec: { leaseDurationSeconds: 30 } } : whole;
  io.edit({ verb: serverSide ? 'apply' : 'applyClient', target, object });
  io.say('Edit the object, then Send.');
}

/** @param {Line} line @param {Io} io */
async function replace(line, io) {
  const at = one(line, io);
  const object = bare(await read(io, pathOf(at.resource, at)));
  io.edit({
    verb: 'replace',
    target: pathOf(at.resource, { ...at, query: managedBy(writing(line), 'kubectl-replace') }),
    object,
  });
  io.say('The editor holds the object. Edit it, then Send.');
}

/** @param {Line} line @param {Io} io */
async function edit(line, io) {
  const at = one(line, io);
  const object = bare(await read(io, pathOf(at.resource, at)));
  const target = pathOf(at.resource, { ...at, query: managedBy(writing(line), 'kubectl-edit') });
  io.edit({ verb: 'edit', target, object, before: object });
  io.say('The editor holds the object. Edit it, then Send: only your changes are sent, as a patch.');
}

/** @param {Line} line @param {Io} io */
async function patch(line, io) {
  const at = one(line, io);
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
  const here = flags['dry-run'] === 'client';
  if (here && type === 'json')
    throw new LineError('--dry-run=client takes a merge or a strategic patch here. --dry-run=server takes every kind.');
  const before = await read(io, pathOf(at.resource, at));
  const target = pathOf(at.resource, { ...at, query: managedBy(writing(line), 'kubectl-patch') });
  // No list of a Lease or of a LeaseCandidate that a patch may change has keys, so a strategic patch is a merge patch.
  const after = here
    ? /** @type {ApiObject} */ (patched(before, body))
    : readObject((await ask(io, 'PATCH', target, { type: PATCHES[type], body })).answer);
  const done = equal(before, after) ? 'patched (no change)' : 'patched';
  // kubectl does not say that it was a dry run.
  await wrote(after, done, { ...line, flags: { ...flags, 'dry-run': 'none' } }, io);
}

/** @param {Line} line @param {Io} io */
async function remove(line, io) {
  const { resource, names, namespace } = objects(line, io);
  const { flags } = line;
  const options = deletion(flags);
  const chosen = flags.all || flags.selector || flags['field-selector'];
  if (names.length === 0 && !chosen) throw new LineError('delete which? Give a name, a selector with -l, or --all.');
  if (names.length > 0 && chosen) throw new LineError('delete by name, or by -l or --all, not both.');
  const found = chosen ? (await list(io, { resource, namespace, query: selecting(line) })).items : [];
  /** @type {{name: string, namespace: string}[]} */
  const all = chosen
    ? found.map(({ metadata }) => ({ name: '', namespace, ...metadata }))
    : names.map((name) => ({ name, namespace }));
  if (all.length === 0) io.print('No resources found');
  const done = flags.force ? 'force deleted' : 'deleted';
  const { end } = await each(
    all,
    async ({ name, namespace }) => {
      const target = pathOf(resource, { namespace, name });
      if (flags['dry-run'] !== 'client') await ask(io, 'DELETE', target, { body: options });
      const full = nameOf({ apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } });
      const from = resource.namespaced ? ` from ${namespace} namespace` : '';
      io.print(flags.output === 'name' ? full : `${full.split('/')[0]} "${name}" ${done}${from}${dry(line)}`);
    },
    flags['ignore-not-found'] === true,
  );
  end();
}

/**
 * What a delete asks of the server, as kubectl sends it. It does not wait for the end of what it deletes.
 * Source: kubectl pkg/cmd/delete delete.go Complete, Validate.
 * @param {Line['flags']} flags
 */
function deletion({ cascade = 'background', 'grace-period': grace, now, force, 'dry-run': dryRun }) {
  if (grace !== undefined && !/^-?\d+$/.test(String(grace)))
    throw new LineError(`--grace-period is a number of seconds, not “${grace}”.`);
  if (now && grace !== undefined) throw new LineError('error: --now and --grace-period cannot be specified together');
  if (force && Number(grace ?? 0) > 0)
    throw new LineError('error: --force and --grace-period greater than 0 cannot be specified together');
  const least = force ? 0 : 1;
  const seconds = now
    ? 1
    : grace !== undefined
      ? Math.max(Number(grace), Number(grace) < 0 ? -1 : least)
      : force
        ? 0
        : -1;
  const word = String(cascade);
  // In the query the server would not see it: a body stands for all options.
  const tries = dryRun === 'server' ? { dryRun: ['All'] } : {};
  const policy = { ...tries, propagationPolicy: `${word[0].toUpperCase()}${word.slice(1)}` };
  return seconds < 0 ? policy : { gracePeriodSeconds: seconds, ...policy };
}

/**
 * Sets and removes labels or annotations, of objects by name, by selector, or of all.
 * @param {Line} line
 * @param {Io} io
 * @param {"labels" | "annotations"} member
 * @param {string} done
 */
async function mark(line, io, member, done) {
  const isPair = (/** @type {string} */ arg) => /^[^=]+=|^[^=]+-$/.test(arg);
  const first = line.args.findIndex((arg, i) => i > 0 && isPair(arg));
  const pairs = first < 0 ? [] : line.args.slice(first);
  const at = objects({ ...line, args: first < 0 ? line.args : line.args.slice(0, first) }, io);
  const wrong = pairs.find((arg) => !isPair(arg));
  if (pairs.length === 0 || wrong)
    throw new LineError(
      `${wrong ? `“${wrong}” is neither key=value nor key-` : `${line.verb} what?`}: ${VERBS[line.verb].usage}`,
    );
  const { flags } = line;
  const chosen = flags.all || flags.selector || flags['field-selector'];
  if (!chosen && at.names.length === 0) throw new LineError(`${line.verb} which? Give a name, -l or --all.`);
  if (chosen && at.names.length > 0) throw new LineError(`${line.verb} by name, or by -l or --all, not both.`);
  const all = chosen
    ? (await list(io, { ...at, query: selecting(line), chunk: '0' })).items.map(({ metadata = {} }) => metadata)
    : at.names.map((name) => ({ name }));
  const { end } = await each(all, (object) => markOne(line, io, { at, object, member, pairs, done }));
  end();
}

/**
 * @param {Line} line
 * @param {Io} io
 * @param {{at: {resource: Resource, namespace: string}, object: Meta, member: "labels" | "annotations",
 *   pairs: string[], done: string}} what object: its metadata, or only its name
 */
async function markOne(line, io, { at, object, member, pairs, done }) {
  const target = pathOf(at.resource, { namespace: at.namespace, name: object.name });
  const here = line.flags['dry-run'] === 'client';
  const whole = object.uid && !here ? { metadata: object } : await read(io, target);
  const had = whole.metadata?.[member] ?? {};
  /** @type {Record<string, string | null>} */
  const change = {};
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    const key = cut < 0 ? pair.slice(0, -1) : pair.slice(0, cut);
    const value = cut < 0 ? null : pair.slice(cut + 1);
    if (value !== null && key in had && had[key] !== value && !line.flags.overwrite)
      throw new LineError(`“${key}” has the value “${had[key]}” already. Add --overwrite to change it.`);
    if (value === null && !(key in had) && member === 'labels') io.print(`label "${key}" not found.`);
    if (value !== (had[key] ?? null)) change[key] = value;
  }
  const query = managedBy(writing(line), `kubectl-${line.verb}`);
  const changes = Object.keys(change).length > 0;
  const body = changes ? { metadata: { [member]: change } } : {};
  const after = here
    ? { ...whole, metadata: { ...whole.metadata, [member]: withChange(had, change) } }
    : readObject((await ask(io, 'PATCH', withQuery(target, query), { type: PATCHES.merge, body })).answer);
  const removes = pairs.every((pair) => !pair.includes('='));
  const what = member === 'annotations' ? done : changes ? (removes ? 'unlabeled' : done) : `not ${done}`;
  await wrote(after, what, line, io);
}

/** @param {Record<string, string>} had @param {Record<string, string | null>} change */
const withChange = (had, change) =>
  Object.fromEntries(
    Object.entries({ ...had, ...change }).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );

/** The versions of the groups, the preferred ones first. @param {Io} io @returns {Promise<string[]>} */
async function groupVersions(io) {
  const { groups = [] } = await read(io, '/apis');
  return groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
}

/** @param {Line} line @param {Io} io */
async function apiResources({ flags }, io) {
  const lists = [await read(io, '/api/v1')];
  for (const version of await groupVersions(io)) lists.push(await read(io, `/apis/${version}`));
  /** @type {string[][]} */
  const rows = [];
  for (const { groupVersion = '', resources = [] } of lists) {
    for (const { name, shortNames = [], namespaced, kind, verbs } of resources) {
      const group = groupVersion.includes('/') ? groupVersion.split('/')[0] : '';
      const full = group ? `${name}.${group}` : name;
      if (flags.namespaced !== undefined && flags.namespaced !== namespaced) continue;
      if (flags['api-group'] !== undefined && flags['api-group'] !== group) continue;
      if (name.includes('/') || rows.some((row) => row[0] === (flags.output === 'name' ? full : name))) continue;
      const wide = flags.output === 'wide' ? [verbs.join(',')] : [];
      rows.push(
        flags.output === 'name'
          ? [full]
          : [name, shortNames.join(','), groupVersion, String(namespaced), kind, ...wide],
      );
    }
  }
  const head = [
    'NAME',
    'SHORTNAMES',
    'APIVERSION',
    'NAMESPACED',
    'KIND',
    ...(flags.output === 'wide' ? ['VERBS'] : []),
  ];
  io.print(columns(flags['no-headers'] || flags.output === 'name' ? rows : [head, ...rows]));
}

/** @param {Line} _ @param {Io} io */
async function apiVersions(_, io) {
  const { versions = [] } = await read(io, '/api');
  io.print([...(await groupVersions(io)), ...versions].join('\n'));
}

/** @param {Line} line @param {Io} io */
async function explain({ args, flags }, io) {
  if (args.length === 0) throw new LineError(`explain what? ${VERBS.explain.usage}.`);
  const [word, ...path] = args[0].split('.');
  const resource = known(word);
  const ofKind = io.fieldHelp.filter((one) => one.kind === resource.kind);
  if (ofKind.length === 0)
    throw new LineError('Only the fields of a Lease and of a LeaseCandidate are explained here.');
  const field = path.join('.');
  const found = ofKind.filter((one) => field === '' || one.field === field || one.field.startsWith(`${field}.`));
  const usage = `There are ${listed(ofKind.map((one) => one.field))}.`;
  if (found.length === 0) throw new LineError(`A ${resource.kind}'s “${field}” is not explained here. ${usage}`);
  const help = flags.recursive ? [`FIELDS:\n${found.map((one) => `  ${one.field}`).join('\n')}`] : found.map(fieldText);
  io.say([`KIND:     ${resource.kind}\nVERSION:  ${apiVersionOf(resource)}`, ...help].join('\n\n'));
}

/** @param {{field: string, help: string}} one */
const fieldText = (one) =>
  `${one.field}\n${one.help
    .split('\n')
    .map((row) => `    ${row}`)
    .join('\n')}`;

/** @param {Line} line @param {Io} io */
async function version({ flags }, io) {
  const serverVersion = await read(io, '/version');
  if (flags.output === 'json') io.print(JSON.stringify({ serverVersion }, null, 2));
  else if (flags.output === 'yaml') io.print((await io.yaml({ serverVersion })).trimEnd());
  else io.print(`Server Version: ${serverVersion.gitVersion}`);
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
  io.say('“help get” says what one of them takes. ↑ and ↓ bring back earlier lines.');
}
