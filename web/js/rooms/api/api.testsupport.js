/** For tests: a client with prepared answers, and one of its requests. */

/** @import { Ask, SentRequest } from '../desk/client.js' */

/** @param {Partial<SentRequest>} [sent] @returns {SentRequest} */
export const sentIs = (sent = {}) => ({
  id: 1,
  by: 'console',
  ask: { method: 'GET', target: '/version', headers: [], body: '' },
  at: 12e9,
  ms: 1,
  status: 200,
  headers: [],
  answer: '{"major":"1"}',
  changed: false,
  watch: 0,
  open: false,
  frames: 0,
  ...sent,
});

/** @param {(ask: Ask) => Partial<SentRequest>} [answers] */
export function clientOf(answers = () => ({})) {
  /** @type {Ask[]} */
  const asked = [];
  /** @type {Map<number, {tell: (frames: string[]) => void, end: () => void}>} */
  const watches = new Map();
  return {
    asked,
    watches,
    client: {
      send: async (/** @type {Ask} */ ask) => {
        asked.push(ask);
        return sentIs({ id: asked.length, ask, ...answers(ask) });
      },
      follow: (/** @type {SentRequest} */ sent, /** @type {any} */ on) => {
        watches.set(sent.watch, on);
      },
      close: (/** @type {number} */ watch) => {
        const on = watches.get(watch);
        watches.delete(watch);
        on?.end();
      },
    },
  };
}

/** @param {string} method @param {string} target @param {string} [body] @param {string} [type] @returns {Ask} */
export const askIs = (method, target, body = '', type = '') => ({
  method,
  target,
  headers: type ? [`Content-Type: ${type}`] : [],
  body,
});
