/** The verb get: tables, objects in every format, and watches. */

import { ask, JSON_TYPE, objects, printObject, readAll, selectorQuery, TABLE_TYPE } from './calls.js';
import { LineError } from './line.js';
import { pathOf } from './resources.js';
import { readObject, tablePrinter } from './table.js';

/** @import { Line } from './line.js' */
/** @import { At, Io } from './calls.js' */
/** @import { ApiObject } from './objects.js' */

/** @param {Line} line @param {Io} io */
export async function get(line, io) {
  const { flags } = line;
  if (flags.raw !== undefined) {
    const { answer } = await ask(io, 'GET', String(flags.raw), { accept: 'Accept: */*' });
    io.print(answer.trimEnd());
    return;
  }
  const at = objects(line, io);
  const text = flags.output !== undefined && flags.output !== 'wide';
  if (flags.watch) await watch(line, io, at, text);
  else if (text) await objectsAsText(line, io, at);
  else await table(line, io, at);
}

/** @param {Line} line @param {Io} io @param {At} at */
async function objectsAsText(line, io, at) {
  const { items, end } = await readAll(line, io, { ...at, accept: JSON_TYPE });
  if (at.names.length === 1) for (const item of items) await printObject(item, line, io);
  else if (at.names.length === 0 || items.length > 0) await printObject(listOf(items), line, io);
  end();
}

/** How kubectl combines several objects. @param {ApiObject[]} items */
const listOf = (items) => ({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } });

/** @param {Line} line @param {At} at */
const printerFor = ({ flags }, { resource, namespace }) =>
  tablePrinter({
    wide: flags.output === 'wide',
    namespaces: namespace === '' && resource.namespaced,
    head: !flags['no-headers'],
  });

/** @param {Line} line @param {Io} io @param {At} at */
async function table(line, io, at) {
  const { answers, end } = await readAll(line, io, { ...at, accept: TABLE_TYPE });
  if (answers.some(({ rows = [] }) => rows.length > 0)) io.print(printerFor(line, at)(...answers));
  else if (at.names.length === 0 && !line.flags['ignore-not-found']) printNothing(io, at.namespace);
  end();
}

/** @param {Io} io @param {string} [namespace] */
export const printNothing = (io, namespace) =>
  io.print(namespace ? `No resources found in ${namespace} namespace.` : 'No resources found');

/**
 * Prints the current objects and follows their changes. For a single object, the server sends the initial state again.
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
  const print = printerFor(line, at);
  let printedCount = 0;
  const show = async (/** @type {ApiObject} */ object) => {
    if (!text) {
      if (!object.rows?.length) return;
      io.print(print(object));
      return;
    }
    if (printedCount++ > 0 && flags.output === 'yaml') io.print('---');
    await printObject(object, line, io);
  };
  const { answers, items, end } = await readAll(line, io, { ...at, accept });
  end();
  for (const object of text ? items : answers) await show(object);
  let skip = names.length;
  const from = skip ? '0' : (answers[answers.length - 1].metadata?.resourceVersion ?? '');
  const query = /** @type {[string, string][]} */ ([
    ...(skip ? [['fieldSelector', `metadata.name=${names[0]}`]] : selectorQuery(line)),
    ['resourceVersion', from],
    ['watch', 'true'],
  ]);
  const reply = await ask(io, 'GET', pathOf(resource, { namespace, query }), { accept });
  let queue = Promise.resolve();
  await io.watch(reply, (frames) => {
    queue = queue.then(() => takeFrames(frames));
  });
  await queue;

  /** @param {string[]} frames */
  async function takeFrames(frames) {
    for (const frame of frames) {
      const { type, object = {} } = readObject(frame);
      if (type === 'ERROR') io.say(`error: ${object.message} (${object.reason ?? object.code})`);
      else if (type !== 'BOOKMARK' && skip-- <= 0) await show(object);
    }
  }
}
