/**
 * The verb wait. Objects have no conditions here, so it waits for a value, for a creation or for a deletion. It asks again and again
 * where kubectl watches; the run must play for anything to change.
 * Source: kubectl pkg/cmd/wait wait.go, json.go, delete.go.
 */
import { allObjects, ask, Refused } from './calls.js';
import { valuesAt } from './jsonpath.js';
import { LineError, VERBS } from './line.js';
import { pathOf } from './resources.js';
import { nameOf, plain, readObject } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Io } from './calls.js' */
/** @import { ApiObject } from './objects.js' */

const EVERY_MS = 250;
const UNITS = /** @type {Record<string, number>} */ ({ ms: 1, s: 1e3, m: 6e4, h: 36e5 });

/** @param {Line} line @param {Io} io */
export async function wait(line, io) {
  const { flags } = line;
  if (flags.for === undefined) throw new LineError(`wait for what? ${VERBS.wait.usage}`);
  const met = conditionOf(String(flags.for));
  const all = allObjects(line, io).flatMap(({ resource, namespace, names }) =>
    names.map((name) => ({ resource, name, path: pathOf(resource, { namespace, name }) })),
  );
  if (all.length === 0) throw new LineError(`wait for which? Give a name: ${VERBS.wait.usage}`);
  let left = lengthOf(String(flags.timeout ?? '30s'), '--timeout');
  for (const { resource, name, path } of all) {
    let object = await readIf(io, path);
    if (!object && flags.for === 'delete') continue;
    while (!met(object)) {
      if (!object && flags.for !== 'create')
        throw new Refused(`Error from server (NotFound): ${resource.name}.${resource.group} "${name}" not found`);
      if (left <= 0) throw new LineError(`error: timed out waiting for the condition on ${resource.name}/${name}`);
      if (!(await io.pause(Math.min(EVERY_MS, left)))) return;
      left -= EVERY_MS;
      object = (await readIf(io, path)) ?? (flags.for === 'delete' ? undefined : object);
    }
    const kind = {
      apiVersion: resource.group ? `${resource.group}/${resource.version}` : resource.version,
      kind: resource.kind,
    };
    io.print(`${nameOf(object ?? { ...kind, metadata: { name } })} condition met`);
  }
}

/** The object, undefined if there is none. @param {Io} io @param {string} path */
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
    return values.length > 0 && (wanted === undefined || values.some((value) => plain(value) === wanted));
  };
}

/** A length as Go writes it, in milliseconds. @param {string} text @param {string} flag that has it */
export function lengthOf(text, flag) {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.map(([whole]) => whole).join('') !== text)
    throw new LineError(`${flag} is a length with its unit, such as 30s, not “${text}”.`);
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0);
}
