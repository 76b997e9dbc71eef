/**
 * The verb wait. Objects have no conditions here, so the verb waits for a value, a creation or a deletion. Like
 * kubectl, it reads the object and then watches it. While the run is paused, no object changes. Source: kubectl
 * pkg/cmd/wait wait.go, json.go, delete.go.
 */
import { ask, objects, Refused } from './calls.js';
import { valuesAt } from './jsonpath.js';
import { LineError, VERBS } from './line.js';
import { apiVersionOf, pathOf } from './resources.js';
import { nameOf, plainText, readObject } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Io } from './calls.js' */
/** @import { Resource } from './resources.js' */
/** @import { ApiObject } from './objects.js' */

/** How long to wait after the end of a watch before the next watch. */
const EVERY_MS = 250;
const UNITS = /** @type {Record<string, number>} */ ({ ms: 1, s: 1e3, m: 6e4, h: 36e5 });

/** @param {Line} line @param {Io} io */
export async function wait(line, io) {
  const { flags } = line;
  if (flags.for === undefined) throw new LineError(`wait for what? ${VERBS.wait.usage}`);
  const met = conditionOf(String(flags.for));
  const { names, ...where } = objects(line, io);
  const all = names.map((name) => ({ ...where, name, path: pathOf(where.resource, { ...where, name }) }));
  if (all.length === 0) throw new LineError(`wait for which? Give a name: ${VERBS.wait.usage}`);
  const deadline = performance.now() + lengthOf(String(flags.timeout ?? '30s'));
  for (const at of all) {
    const { resource, name } = at;
    let object = await readIf(io, at.path);
    if (!object && flags.for === 'delete') continue;
    if (!object && flags.for !== 'create')
      throw new Refused(`Error from server (NotFound): ${resource.name}.${resource.group} "${name}" not found`);
    while (!met(object)) {
      const outcome = await changes(io, at, object, { met, ms: deadline - performance.now() });
      if (outcome === 'late') {
        const on = flags.for === 'create' ? '' : ` on ${resource.name}/${name}`;
        throw new LineError(`error: timed out waiting for the condition${on}`);
      }
      if (outcome === 'left') return;
      if (outcome !== 'over') {
        object = outcome.object;
        break;
      }
      object = (await readIf(io, at.path)) ?? (flags.for === 'delete' ? undefined : object);
    }
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    io.print(`${nameOf(object ?? { ...kind, metadata: { name } })} condition met`);
  }
}

/**
 * Watches an object until it meets a condition.
 * @param {Io} io
 * @param {{resource: Resource, namespace: string, name: string}} at
 * @param {ApiObject | undefined} object as stored
 * @param {{met: (object: ApiObject | undefined) => boolean, ms: number}} until ms: how long
 * @returns {Promise<{object: ApiObject | undefined} | "late" | "left" | "over">} "left": another line runs; "over": the
 *   watch has ended
 */
async function changes(io, { resource, namespace, name }, object, { met, ms }) {
  if (ms <= 0) return 'late';
  const from = object?.metadata?.resourceVersion;
  const query = /** @type {[string, string][]} */ ([
    ['fieldSelector', `metadata.name=${name}`],
    ...(from ? [['resourceVersion', from]] : []),
    ['watch', 'true'],
  ]);
  const reply = await ask(io, 'GET', pathOf(resource, { namespace, query }));
  let last = object;
  const found = new Promise((resolve) => {
    const takeFrames = (/** @type {string[]} */ frames) => {
      for (const frame of frames) {
        const { type, object: now } = readObject(frame);
        if (type === 'BOOKMARK' || type === 'ERROR') continue;
        if (type !== 'DELETED') last = now;
        if (met(type === 'DELETED' ? undefined : now)) resolve({ object: last });
      }
    };
    io.watch(reply, takeFrames).then(async () => resolve((await io.pause(EVERY_MS)) ? 'over' : 'left'));
  });
  const outcome = await Promise.race([found, io.pause(ms).then((here) => (here ? 'late' : 'left'))]);
  io.unwatch();
  return outcome;
}

/** The object; undefined if it does not exist. @param {Io} io @param {string} path */
async function readIf(io, path) {
  try {
    return readObject((await ask(io, 'GET', path)).answer);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

/** @param {string} text @returns {(object: ApiObject | undefined) => boolean} */
function conditionOf(text) {
  if (text === 'delete') return (object) => object === undefined;
  if (text === 'create') return (object) => object !== undefined;
  const [, path, wanted] = /^jsonpath=(\{[^}]*\}|[^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (path === undefined)
    throw new LineError(
      'Objects have no conditions here: --for is delete, create, or jsonpath={.spec.holderIdentity}=b.',
    );
  return (object) => {
    const values = object ? valuesAt(path, object) : [];
    return values.length > 0 && (wanted === undefined || values.some((value) => plainText(value) === wanted));
  };
}

/** Converts a length in Go's form to milliseconds. @param {string} text */
function lengthOf(text) {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.map(([whole]) => whole).join('') !== text)
    throw new LineError(`--timeout is a length with its unit, such as 30s, not “${text}”.`);
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0);
}
