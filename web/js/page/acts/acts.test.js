import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, text, the } from '#dom';
import { actsTemplate } from './acts.js';

/**
 * The buttons of a node, and what they did.
 * @param {object} [node]
 * @param {{act: string, refusal: string}[]} [refused]
 * @param {object[]} [flights]
 */
function buttons(node = {}, refused = [], flights = []) {
  /** @type {unknown[]} */
  const done = [];
  const view = {
    nodes: [{ name: 'a', index: 0, role: 'leading', roleWord: 'leading', cut: '', paused: false, ...node }],
    flights,
    acts: refused.map((one) => ({ node: 'a', ...one })),
  };
  const on = {
    act: (/** @type {string} */ act, /** @type {object} */ options) => done.push(options ? [act, options] : act),
    clock: () => done.push('the dialog'),
    message: (/** @type {object} */ one) => done.push(one),
    key: (/** @type {string} */ command) => (command === 'pauseNode' ? 'P' : ''),
    shortcut: (/** @type {string} */ command) => command,
    acts: ['crash', 'pause', 'resume', 'cut', 'heal'].map((act) => ({ act, label: act, help: `help of ${act}` })),
  };
  return { template: actsTemplate(/** @type {any} */ (view), 'a', /** @type {any} */ (on)), done };
}

test('a node that runs can be paused and cut; one that is paused and cut off, resumed and healed', () => {
  const running = buttons();
  assert.match(text(running.template), /crash a .* pause a P .* cut a ↑ ↓ Clock of a… .* Add a node/);
  for (const one of all(running.template, 'button')) one.click();
  assert.deepEqual(running.done, [
    'crash',
    'restart',
    'pause',
    'stop',
    'cut',
    ['cut', { direction: 'up' }],
    ['cut', { direction: 'down' }],
    'the dialog',
    'remove',
    'add',
  ]);
  const other = buttons({ paused: true, cut: 'both' });
  assert.match(text(other.template), /resume a P .* heal a Clock/);
});

test('a refused act says why, and keeps its button', () => {
  const { template } = buttons({}, [{ act: 'crash', refusal: 'a is down already.' }]);
  const refusalText = (/** @type {string} */ act) => {
    const one = the(template, `[data-act="${act}"]`);
    return [one.getAttribute('aria-disabled'), one.title];
  };
  assert.deepEqual(refusalText('crash'), ['true', 'a is down already.']);
  assert.deepEqual(refusalText('pause'), ['false', 'help of pause']);
});

test('a held message has a button, whatever node is selected', () => {
  const held = { node: 0, seq: 7, verb: 'update', message: 'heartbeat', held: true };
  const { template, done } = buttons({}, [], [held, { node: 0, seq: 8, verb: 'get' }]);
  assert.match(text(template), /Held: a’s heartbeat…/);
  assert.equal(text(template).match(/Held:/g)?.length, 1);
  all(template, 'button')[0].click();
  assert.deepEqual(done, [{ node: 'a', seq: 7, message: 'heartbeat' }]);
});

test('without a node there is a sentence', () => {
  assert.match(text(actsTemplate(/** @type {any} */ ({ nodes: [] }), '', /** @type {any} */ ({}))), /No node/);
});
