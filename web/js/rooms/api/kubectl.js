/**
 * Carries out a line: the same requests kubectl would send, one after the other, and the words it would print. What a
 * line needs of the page comes as an argument, so that the tests can stand in for it.
 */

import { PathError, printPath } from './jsonpath.js';
import { LineError, listed, parseLine, VERBS, verbNamed } from './line.js';
import { equal } from './merge.js';
import { apiVersionOf, findResource, pathOf, RESOURCES, sample, withQuery } from './resources.js';
import { columns, describe, errorText, jsonText, nameOf, readObject, tablePrinter, warningsOf } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Resource } from './resources.js' */
/** @import { Ask } from '../desk/client.js' */
/** @import { ApiObject } from './table.js' */
/** @typedef {{status: number, headers: string[], answer: string, watch: number}} Answer */
/**
 * A request to be finished by hand.
 * @typedef {object} Draft
 * @property {"create" | "replace" | "apply" | "applyClient" | "edit"} verb
 * @property {string} target
 * @property {ApiObject} object
 * @property {ApiObject} [before] the object as it was read, for what is sent as a difference
 */
/**
 * What a line needs of the page.
 * @typedef {object} Io
 * @property {(ask: Ask) => Promise<Answer>} send
 * @property {(text: string) => void} print adds lines to what is shown
 * @property {(sentence: string) => void} say adds a sentence, which may be broken anywhere
 * @property {(sent: Answer, tell: (frames: string[]) => void) => Promise<void>} watch follows a watch to its end
 * @property {(draft: Draft) => void} edit opens the editor
 * @property {(value: unknown) => Promise<string>} yaml
 * @property {(text: string) => Promise<unknown>} parse JSON or YAML
 * @property {string} namespace that is meant when none is named
 * @property {string} lease the run's own
 * @property {{kind: string, field: string, help: string}[]} fieldHelp
 */

const JSON_TYPE = 'Accept: application/json';
const TABLE_TYPE =
  'Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
/** How many objects kubectl lists at once. */
const CHUNK = '500';
const PATCHES = /** @type {Record<string, string>} */ ({
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
});

/** An answer that ends the line. */
class Refused extends Error {}

/**
 * @param {string} text
 * @param {Io} io
 * @returns {Promise<boolean>} false when something was wrong with the line, or the server refused
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
  replace,
  edit,
  patch,
  delete: remove,
  annotate: (line, io) => mark(line, io, 'annotations', 'annotated'),
  label: (line, io) => mark(line, io, 'labels', 'labeled'),
  'api-resources': apiResources,
  'api-versions': apiVersions,
  explain,
  version,
  help,
};

/* ---- what is meant ---- */

const KINDS = RESOURCES.map((resource) => resource.name);

/** @param {string} word */
function known(word) {
  const resource = findResource(word);
  if (resource) return resource;
  throw new LineError(`There is no kind “${word}” here. There are ${listed(KINDS)}.`);
}

/**
 * The kind and the names of a line: "lease a b", "lease/a lease/b".
 * @param {Line} line
 * @param {Io} io
 * @returns {{resource: Resource, names: string[], namespace: string}}
 */
function objects({ verb, args, flags }, io) {
  if (args.length === 0) throw new LineError(`${verb} what? There are ${listed(KINDS)}: ${VERBS[verb].usage}`);
  const slashed = args[0].includes('/');
  const kinds = slashed ? args.map((arg) => arg.split('/')[0]) : [args[0]];
  const names = slashed ? args.map((arg) => arg.slice(arg.indexOf('/') + 1)) : args.slice(1);
  if (new Set(kinds).size > 1 || kinds[0].includes(',')) throw new LineError('One kind at a time.');
  const resource = known(kinds[0]);
  const everywhere = flags['all-namespaces'] === true;
  if (everywhere && names.length > 0) throw new LineError('A name belongs to one namespace: leave out -A or the name.');
  const namespace = everywhere ? '' : String(flags.namespace ?? io.namespace);
  return { resource, names, namespace: resource.namespaced ? namespace : '' };
}

/** The one object a line is about. @param {Line} line @param {Io} io */
function one(line, io) {
  const { names, ...rest } = objects(line, io);
  if (names.length !== 1) throw new LineError(`${line.verb} takes one name: ${VERBS[line.verb].usage}`);
  return { ...rest, name: names[0] };
}

/** Query parameters that several verbs share. @param {Line} line @returns {[string, string][]} */
function writing({ flags }) {
  /** @type {[string, string][]} */
  const query = [];
  if (flags['field-manager']) query.push(['fieldManager', String(flags['field-manager'])]);
  if (flags['dry-run'] === 'server') query.push(['dryRun', 'All']);
  const [validation] = ['Strict', 'Warn', 'Ignore'].filter((word) => word.toLowerCase() === flags.validate);
  if (validation) query.push(['fieldValidation', validation]);
  return query;
}

/** @param {Line} line @returns {[string, string][]} */
function selecting({ flags }) {
  /** @type {[string, string][]} */
  const query = [];
  if (flags.selector) query.push(['labelSelector', String(flags.selector)]);
  if (flags['field-selector']) query.push(['fieldSelector', String(flags['field-selector'])]);
  return query;
}

/** @param {[string, string][]} query @param {string} manager unless another one is named */
const managedBy = (query, manager) =>
  query.some(([key]) => key === 'fieldManager')
    ? query
    : [.../** @type {[string, string][]} */ ([['fieldManager', manager]]), ...query];

const dry = (/** @type {Line} */ { flags }) => (flags['dry-run'] === 'server' ? ' (server dry run)' : '');

/* ---- what is sent ---- */

/**
 * Sends a request; what is no success ends the line.
 * @param {Io} io
 * @param {string} method
 * @param {string} target
 * @param {{accept?: string, type?: string, body?: unknown}} [what]
 */
async function ask(io, method, target, { accept = JSON_TYPE, type = 'application/json', body } = {}) {
  const sends = body === undefined ? [] : [`Content-Type: ${type}`];
  const text = body === undefined ? '' : JSON.stringify(body);
  const answer = await io.send({ method, target, headers: [accept, ...sends], body: text });
  for (const warning of warningsOf(answer.headers)) io.say(`Warning: ${warning}`);
  if (answer.status >= 400) throw new Refused(errorText(answer));
  return answer;
}

/** @param {Io} io @param {string} target @param {string} [accept] */
const read = async (io, target, accept) => readObject((await ask(io, 'GET', target, { accept })).answer);

/**
 * Reads a collection in the chunks that kubectl asks for: the answers, and the objects in them with their kind.
 * @param {Io} io
 * @param {{resource: Resource, namespace: string, query: [string, string][], accept?: string}} what
 * @returns {Promise<{answers: ApiObject[], items: ApiObject[]}>}
 */
async function list(io, { resource, namespace, query, accept }) {
  /** @type {ApiObject[]} */
  const answers = [];
  let next = '';
  do {
    const from = /** @type {[string, string][]} */ (next ? [['continue', next]] : []);
    answers.push(await read(io, pathOf(resource, { namespace, query: [...query, ['limit', CHUNK], ...from] }), accept));
    next = answers[answers.length - 1].metadata?.continue ?? '';
  } while (next);
  const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return { answers, items: answers.flatMap(({ items }) => items ?? []).map((item) => ({ ...kind, ...item })) };
}

/**
 * Does something for every name. As kubectl does, it goes on after a refusal; end tells all of them.
 * @template T
 * @param {string[]} names
 * @param {(name: string) => Promise<T>} run
 */
async function each(names, run) {
  /** @type {T[]} */
  const done = [];
  /** @type {string[]} */
  const refused = [];
  for (const name of names) {
    try {
      done.push(await run(name));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(error.message);
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
async function readAll(line, io, { resource, names, namespace, accept }) {
  if (names.length === 0) {
    return { ...(await list(io, { resource, namespace, query: selecting(line), accept })), end: () => {} };
  }
  const { done, end } = await each(names, (name) => read(io, pathOf(resource, { namespace, name }), accept));
  return { answers: done, items: done, end };
}

/** Without managedFields, as kubectl prints objects. @param {ApiObject} object @returns {ApiObject} */
function bare(object) {
  const strip = (/** @type {ApiObject} */ one) => {
    if (!one.metadata) return one;
    const { managedFields: _, ...metadata } = one.metadata;
    return { ...one, metadata };
  };
  return object.items ? { ...object, items: object.items.map(strip) } : strip(object);
}

/** @param {ApiObject} object @param {Line} line @param {Io} io */
async function printObject(object, { flags }, io) {
  const shown = flags['show-managed-fields'] ? object : bare(object);
  const output = String(flags.output);
  if (output === 'name') io.print((object.items ?? [object]).map(nameOf).join('\n'));
  else if (output === 'json') io.print(jsonText(shown, 4));
  else if (output.startsWith('jsonpath=')) io.print(printPath(output.slice(9), shown));
  else io.print((await io.yaml(shown)).trimEnd());
}

/** After a write: what was asked for, or one line. @param {ApiObject} object @param {string} verb @param {Line} line @param {Io} io */
async function wrote(object, verb, line, io) {
  if (line.flags.output) await printObject(object, line, io);
  else io.print(`${nameOf(object)} ${verb}${dry(line)}`);
}

/* ---- the verbs ---- */

/** @param {Line} line @param {Io} io */
async function get(line, io) {
  const { flags } = line;
  if (flags.raw !== undefined) {
    const { answer } = await ask(io, 'GET', String(flags.raw), { accept: 'Accept: */*' });
    io.print(answer.trimEnd());
    return;
  }
  const at = objects(line, io);
  const { resource, names, namespace } = at;
  const text = flags.output !== undefined && flags.output !== 'wide';
  const accept = text ? JSON_TYPE : TABLE_TYPE;
  const print = tablePrinter({
    wide: flags.output === 'wide',
    namespaces: namespace === '' && resource.namespaced,
    head: !flags['no-headers'],
  });
  if (flags.watch) {
    if (names.length > 1) throw new LineError('A watch follows one object or all of a kind, not several by name.');
    await watch(line, io, { ...at, text, accept, print });
    return;
  }
  const { answers, items, end } = await readAll(line, io, { ...at, accept });
  if (text && names.length === 1) for (const item of items) await printObject(item, line, io);
  else if (text) {
    if (names.length === 0 || items.length > 0) await printObject(listOf(items), line, io);
  } else if (answers.some(({ rows = [] }) => rows.length > 0)) io.print(print(...answers));
  else if (names.length === 0) nothing(io, namespace);
  end();
}

/** What kubectl makes of several objects. @param {ApiObject[]} items */
const listOf = (items) => ({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } });

/** @param {Io} io @param {string} namespace */
const nothing = (io, namespace) =>
  io.print(namespace ? `No resources found in ${namespace} namespace.` : 'No resources found');

/**
 * Prints what there is, and follows its changes. Of one object, the server tells the first again.
 * Source: kubectl pkg/cmd/get get.go watch.
 * @param {Line} line
 * @param {Io} io
 * @param {{resource: Resource, names: string[], namespace: string, text: boolean, accept: string, print: (table: ApiObject) => string}} what
 */
async function watch(line, io, { text, accept, print, ...at }) {
  const { resource, namespace, names } = at;
  const show = async (/** @type {ApiObject} */ object) =>
    text ? printObject(object, line, io) : (object.rows ?? []).length > 0 && io.print(print(object));
  const { answers, items, end } = await readAll(line, io, { ...at, accept });
  end();
  for (const object of text ? items : answers) await show(object);
  let skip = names.length;
  const from = skip ? '0' : (answers[answers.length - 1].metadata?.resourceVersion ?? '');
  const query = /** @type {[string, string][]} */ ([
    ...(skip ? [['fieldSelector', `metadata.name=${names[0]}`]] : selecting(line)),
    ['resourceVersion', from],
    ['watch', 'true'],
  ]);
  const sent = await ask(io, 'GET', pathOf(resource, { namespace, query }), { accept });
  let queue = Promise.resolve();
  await io.watch(sent, (frames) => {
    queue = queue.then(() => told(frames));
  });
  await queue;

  /** @param {string[]} frames */
  async function told(frames) {
    for (const frame of frames) {
      const { type, object = {} } = readObject(frame);
      if (type === 'ERROR') io.say(`error: ${object.message} (${object.reason ?? object.code})`);
      else if (type !== 'BOOKMARK' && skip-- <= 0) await show(object);
    }
  }
}

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
    const { answer } = await ask(io, 'POST', target, { body: sample(resource, '', name) });
    io.print(`${nameOf(readObject(answer))} created${dry(line)}`);
    return;
  }
  if (!flags.filename && args.length === 0) throw new LineError(`create needs -f: ${VERBS.create.usage}`);
  io.edit({ verb: 'create', target, object: sample(resource, namespace, name ?? 'example') });
  io.say('The editor holds a new object. Edit it, then Send.');
}

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
  const before = await read(io, pathOf(at.resource, at));
  const target = pathOf(at.resource, { ...at, query: managedBy(writing(line), 'kubectl-patch') });
  const after = readObject((await ask(io, 'PATCH', target, { type: PATCHES[type], body })).answer);
  await wrote(after, equal(before, after) ? 'patched (no change)' : 'patched', line, io);
}

/** @param {Line} line @param {Io} io */
async function remove(line, io) {
  const { resource, names, namespace } = objects(line, io);
  const { flags } = line;
  const chosen = flags.all || flags.selector || flags['field-selector'];
  if (names.length === 0 && !chosen) throw new LineError('delete which? Give a name, a selector with -l, or --all.');
  if (names.length > 0 && chosen) throw new LineError('delete by name, or by -l or --all, not both.');
  const found = chosen ? (await list(io, { resource, namespace, query: selecting(line) })).items : [];
  const all = chosen ? found.map(({ metadata }) => metadata?.name ?? '') : names;
  if (all.length === 0) io.print('No resources found');
  const from = resource.namespaced ? ` from ${namespace} namespace` : '';
  const { end } = await each(all, async (name) => {
    await ask(io, 'DELETE', pathOf(resource, { namespace, name, query: writing(line) }));
    const full = nameOf({ apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } });
    io.print(flags.output === 'name' ? full : `${full.split('/')[0]} "${name}" deleted${from}${dry(line)}`);
  });
  end();
}

/**
 * Sets and removes labels or annotations.
 * @param {Line} line
 * @param {Io} io
 * @param {"labels" | "annotations"} member
 * @param {string} done
 */
async function mark(line, io, member, done) {
  const isPair = (/** @type {string} */ arg) => /^[^=]+=|^[^=]+-$/.test(arg);
  const first = line.args.findIndex((arg, i) => i > 0 && isPair(arg));
  const given = first < 0 ? [] : line.args.slice(first);
  const at = one({ ...line, args: first < 0 ? line.args : line.args.slice(0, first) }, io);
  const wrong = given.find((arg) => !isPair(arg));
  if (given.length === 0 || wrong)
    throw new LineError(
      `${wrong ? `“${wrong}” is neither key=value nor key-` : `${line.verb} what?`}: ${VERBS[line.verb].usage}`,
    );
  const target = pathOf(at.resource, at);
  const had = (await read(io, target)).metadata?.[member] ?? {};
  /** @type {Record<string, string | null>} */
  const change = {};
  for (const pair of given) {
    const cut = pair.indexOf('=');
    const key = cut < 0 ? pair.slice(0, -1) : pair.slice(0, cut);
    const value = cut < 0 ? null : pair.slice(cut + 1);
    if (value !== null && key in had && had[key] !== value && !line.flags.overwrite)
      throw new LineError(`“${key}” has the value “${had[key]}” already. Add --overwrite to change it.`);
    if (value !== (had[key] ?? null)) change[key] = value;
  }
  const query = managedBy(writing(line), `kubectl-${line.verb}`);
  const changes = Object.keys(change).length > 0;
  const body = changes ? { metadata: { [member]: change } } : {};
  const { answer } = await ask(io, 'PATCH', withQuery(target, query), { type: PATCHES.merge, body });
  const removes = given.every((pair) => !pair.includes('='));
  const what = member === 'annotations' ? done : changes ? (removes ? 'unlabeled' : done) : `not ${done}`;
  await wrote(readObject(answer), what, line, io);
}

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
async function explain({ args }, io) {
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
  const text = found.map(
    (one) =>
      `${one.field}\n${one.help
        .split('\n')
        .map((row) => `    ${row}`)
        .join('\n')}`,
  );
  io.say([`KIND:     ${resource.kind}\nVERSION:  ${apiVersionOf(resource)}`, ...text].join('\n\n'));
}

/** @param {Line} _ @param {Io} io */
async function version(_, io) {
  io.print(`Server Version: ${(await read(io, '/version')).gitVersion}`);
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
