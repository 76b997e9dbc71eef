import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, nameOf, text, the } from '#dom';
import { actsTemplate } from './acts.js';

/**
 * The tiles of a node, and what they did.
 * @param {object} [node]
 * @param {{act: string, refusal: string}[]} [refused]
 * @param {object[]} [flights]
 */
function tiles(node = {}, refused = [{ act: 'restart', refusal: 'a runs.' }], flights = []) {
  /** @type {unknown[]} */
  const done = [];
  const view = {
    nodes: [{ name: 'a', index: 0, role: 'leading', roleWord: 'leading', cut: '', paused: false, ...node }],
    flights,
    acts: refused.map((one) => ({ node: 'a', ...one })),
  };
  const on = callbacks(done);
  const template = actsTemplate(/** @type {any} */ (view), 'a', on);
  return { template, done, names: () => all(template, '.tile').map(nameOf) };
}

/** @param {unknown[]} done @returns {any} */
function callbacks(done) {
  const labels = { crash: 'Crash', restart: 'Restart', pause: 'Pause', resume: 'Resume', cut: 'Cut', heal: 'Heal' };
  return {
    act: (/** @type {string} */ act, /** @type {object} */ options) => done.push(options ? [act, options] : act),
    faults: () => done.push('all faults'),
    message: (/** @type {object} */ one) => done.push(one),
    key: (/** @type {string} */ command) => ({ pauseNode: 'P', restart: 'R' })[command] ?? '',
    shortcut: (/** @type {string} */ command) => command,
    acts: Object.entries({ ...labels, stop: 'Stop' }).map(([act, label]) => ({ act, label, help: `help of ${act}` })),
  };
}

test('a node that runs has four tiles, each named with the node, and the way to more', () => {
  const { template, done, names } = tiles();
  assert.match(text(template), /^Break something: a leading Crash Pause Cut off Stop Add a node More faults$/);
  assert.deepEqual(names(), ['Crash a', 'Pause a', 'Cut a', 'Stop a']);
  assert.equal(all(template, '.tile svg.icon').length, 4);
  for (const one of all(template, 'button')) one.click();
  assert.deepEqual(done, ['crash', 'pause', 'cut', 'stop', 'add', 'all faults']);
});

test('a tile offers what makes sense now: resume, heal, restart', () => {
  assert.deepEqual(tiles({ paused: true, cut: 'both' }).names(), ['Crash a', 'Resume a', 'Heal a', 'Stop a']);
  const down = tiles({ role: 'down' }, [{ act: 'crash', refusal: 'a is down already.' }]);
  assert.deepEqual(down.names(), ['Restart a', 'Pause a', 'Cut a', 'Stop a']);
  const restart = button(down.template, 'Restart a');
  assert.deepEqual(
    [restart.getAttribute('aria-disabled'), restart.getAttribute('aria-keyshortcuts'), restart.title],
    ['false', 'restart', 'help of restart (R)'],
  );
  restart.click();
  assert.deepEqual(down.done, ['restart']);
});

test('a refused act says why, and keeps its tile', () => {
  const { template } = tiles({}, [
    { act: 'restart', refusal: 'a runs.' },
    { act: 'crash', refusal: 'a holds a message.' },
  ]);
  const stateOf = (/** @type {string} */ act) => {
    const one = the(template, `[data-act="${act}"]`);
    return [one.getAttribute('aria-disabled'), one.title];
  };
  assert.deepEqual(stateOf('crash'), ['true', 'a holds a message.']);
  assert.deepEqual(stateOf('pause'), ['false', 'help of pause (P)']);
});

test('a held message has a button, whatever node is selected', () => {
  const held = { node: 0, seq: 7, verb: 'update', message: 'heartbeat', held: true };
  const { template, done } = tiles({}, [], [held, { node: 0, seq: 8, verb: 'get' }]);
  assert.match(text(template), /Held: a’s heartbeat…/);
  assert.equal(text(template).match(/Held:/g)?.length, 1);
  all(template, 'button')[0].click();
  assert.deepEqual(done, [{ node: 'a', seq: 7, message: 'heartbeat' }]);
});

test('without a node the panel says so, and a node can be added', () => {
  /** @type {unknown[]} */
  const done = [];
  const template = actsTemplate(/** @type {any} */ ({ nodes: [] }), '', callbacks(done));
  assert.equal(text(template), 'No node. Add a node');
  button(template, 'Add a node').click();
  assert.deepEqual(done, ['add']);
});
