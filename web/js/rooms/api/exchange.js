/** One exchange for the panel. Its request came from a node of the run, the console or a fetch. */
import { readObject } from './table.js';

/** @import { Exchange, EventRow, Nanos } from '../../protocol.js' */
/** @import { SentRequest, Ask } from '../desk/client.js' */

/**
 * @typedef {object} ShownExchange
 * @property {string} id
 * @property {string} who "b", "you", "fetch"
 * @property {number} index its color, −1 for none
 * @property {Ask} ask
 * @property {number} status 0: no answer
 * @property {string[]} headers
 * @property {string} answer
 * @property {Nanos} at
 * @property {string} took
 * @property {boolean} streams a watch
 * @property {boolean} open whether the exchange continues
 * @property {number} watch
 * @property {number} frames
 * @property {string} outcome
 */

/** The status lines, as HTTP words them. */
const STATUSES = (
  '200 OK, 201 Created, 202 Accepted, 204 No Content, 304 Not Modified, 400 Bad Request, 401 Unauthorized, ' +
  '403 Forbidden, 404 Not Found, 405 Method Not Allowed, 406 Not Acceptable, 409 Conflict, 410 Gone, 413 Too Large, ' +
  '415 Unsupported Media Type, 422 Unprocessable Entity, 429 Too Many Requests, 500 Internal Server Error, ' +
  '502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout'
).split(', ');

/** "200 OK" @param {number} status */
export const statusText = (status) =>
  status === 0 ? 'no answer' : (STATUSES.find((line) => line.startsWith(`${status} `)) ?? String(status));

/** @param {SentRequest} sent @returns {ShownExchange} */
export function shownSent({ id, by, ms, changed: _, ...sent }) {
  const who = by === 'console' ? 'you' : 'fetch';
  const took = ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
  return { ...sent, id: `sent-${id}`, who, index: -1, took, streams: sent.watch > 0, outcome: '' };
}

/**
 * @param {Exchange} exchange
 * @param {string} id
 * @param {(ns: Nanos) => string} words for a length of virtual time
 * @returns {ShownExchange}
 */
export function shownExchange(exchange, id, words) {
  const { node, index, sent, served, ended, answer, method, target, headers, body } = exchange;
  const times = [
    served === undefined ? '' : `${words(served - sent)} there`,
    ended === undefined ? '' : `${words(ended - sent)} in all`,
  ];
  return {
    id,
    who: node,
    index,
    ask: { method, target, headers, body },
    status: exchange.status ?? 0,
    headers: exchange.answerHeaders ?? [],
    answer,
    at: sent,
    took: times.filter(Boolean).join(', '),
    streams: false,
    open: false,
    watch: 0,
    frames: 0,
    outcome: exchange.outcome ?? '',
  };
}

/** A shortened path that still shows the object: "…/leases/demo". @param {string} target */
export function shortTarget(target) {
  const [path, query] = target.split('?');
  const parts = path.split('/');
  const at = parts.findIndex((part) => ['leases', 'leasecandidates'].includes(part));
  const short = at > 0 ? `…/${parts.slice(at).join('/')}` : path;
  return query ? `${short}?${query}` : short;
}

/** A frame of a watch in one line: "MODIFIED  demo  rv=12  holder b". @param {string} frame */
export function frameText(frame) {
  const { type = '', object } = readObject(frame);
  if (!object) return frame.trimEnd();
  if (type === 'ERROR') return `ERROR     ${object.code} ${object.reason}: ${object.message}`;
  const version = object.metadata?.resourceVersion ?? '';
  if (type === 'BOOKMARK') return `BOOKMARK  rv=${version}`;
  if (object.kind === 'Table') return `${type.padEnd(9)} ${(object.rows?.[0]?.cells ?? []).join('  ')}`;
  const name = object.metadata?.name ?? '';
  const holder = object.kind === 'Lease' ? `  holder ${object.spec?.holderIdentity || '<none>'}` : '';
  return `${type.padEnd(9)} ${name}  rv=${version}${holder}`;
}

/** The event rows that are requests of candidates, newest first. @param {EventRow[]} rows */
export const requestRows = (rows) =>
  rows.filter((row) => row.node !== '' && ['request', 'write'].includes(row.kind)).reverse();

/** Body sizes for people. @param {number} bytes */
export const sizeText = (bytes) =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1048576
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1048576).toFixed(1)} MiB`;
