/** The verb get: tables, objects in every format, and watches. */

import { allObjects, ask, JSON_TYPE, printObject, readAll, selecting, TABLE_TYPE } from './calls.js';
import { LineError } from './line.js';
import { pathOf } from './resources.js';
import { readObject, tablePrinter } from './table.js';

/** @import { Line } from './line.js' */
/** @import { Io } from './calls.js' */
/** @import { Resource } from './resources.js' */
/** @import { ApiObject } from './objects.js' */
/** @typedef {{resource: Resource, names: string[], namespace: string}} At */

/** @param {Line} line @param {Io} io */
export async function get(line, io) {
  const { flags } = line;
  if (flags.raw !== undefined) {
    const { answer } = await ask(io, 'GET', String(flags.raw), { accept: 'Accept: */*' });
    io.print(answer.trimEnd());
    return;
  }
  const all = allObjects(line, io);
  const text = flags.output !== undefined && flags.output !== 'wide';
  if (flags.watch) {
    if (all.length > 1) throw new LineError('A watch follows one kind.');
    await watch(line, io, all[0], text);
  } else if (text) await objectsAsText(line, io, all);
  else await tables(line, io, all);
}

/** @param {Line} line @param {Io} io @param {At[]} all */
async function objectsAsText(line, io, all) {
  const read = [];
  for (const at of all) read.push(await readAll(line, io, { ...at, accept: JSON_TYPE }));
  const items = read.flatMap(({ items }) => items);
  const single = all.length === 1 && all[0].names.length === 1;
  if (single) for (const item of items) await printObject(item, line, io);
  else if (all.some(({ names }) => names.length === 0) || items.length > 0) await printObject(listOf(items), line, io);
  for (const { end } of read) end();
}

/** What kubectl makes of several objects. @param {ApiObject[]} items */
const listOf = (items) => ({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } });

/**
 * The printer of the tables of a kind. As in kubectl, namespaces stay a column once a kind had them.
 * @param {Line} line @param {At[]} all what the line names @param {number} i which of them
 */
function printerFor({ flags }, all, i) {
  const { resource } = all[i];
  const everywhere = all.slice(0, i + 1).some((at) => at.namespace === '' && at.resource.namespaced);
  const kind = resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
  return tablePrinter({
    wide: flags.output === 'wide',
    namespaces: everywhere,
    head: !flags['no-headers'],
    kind: all.length > 1 ? kind.toLowerCase() : '',
  });
}

/** @param {Line} line @param {Io} io @param {At[]} all */
async function tables(line, io, all) {
  const { flags } = line;
  const read = [];
  for (const at of all) read.push({ at, ...(await readAll(line, io, { ...at, accept: TABLE_TYPE })) });
  let printed = false;
  for (const { at, answers } of read) {
    if (!answers.some(({ rows = [] }) => rows.length > 0)) continue;
    if (printed && !flags['no-headers']) io.print('');
    io.print(printerFor(line, all, all.indexOf(at))(...answers));
    printed = true;
  }
  const listed = all.some(({ names }) => names.length === 0);
  if (!printed && listed && !flags['ignore-not-found'])
    nothing(io, all.map(({ namespace }) => namespace).find(Boolean));
  for (const { end } of read) end();
}

/** @param {Io} io @param {string} [namespace] */
export const nothing = (io, namespace) =>
  io.print(namespace ? `No resources found in ${namespace} namespace.` : 'No resources found');

/**
 * Prints what there is, and follows its changes. Of one object, the server tells the first again.
 * Source: kubectl pkg/cmd/get get.go watch.
 * @param {Line} line
 * @param {Io} io
 * @param {At} at
 * @param {boolean} text
 */
async function watch(line, io, at, text) {
  const { resource, namespace, names } = at;
  if (names.length > 1) throw new LineError('A watch follows one object or all of a kind, not several by name.');
  const { flags } = line;
  const accept = text ? JSON_TYPE : TABLE_TYPE;
  const print = printerFor(line, [at], 0);
  let shown = 0;
  const show = async (/** @type {ApiObject} */ object) => {
    if (!text) {
      if (!object.rows?.length) return;
      io.print(print(object));
      return;
    }
    if (shown++ > 0 && flags.output === 'yaml') io.print('---');
    await printObject(object, line, io);
  };
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
