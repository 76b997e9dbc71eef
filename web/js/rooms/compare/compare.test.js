import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, enter, text, the } from '#dom';
import { nearest, sideTemplate } from './choice.js';
import { differencesTemplate, settingsTemplate, summary, totalsTemplate } from './figures.js';
import { nodesAt, viewportWith } from './pictures.js';

/** @param {object} more @returns {any} */
const comparison = (more) => ({
  same: false,
  differences: [
    { kind: 'first', t: 12e9, text: 'a crashes', textA: 'nothing', textB: 'a crashes' },
    { kind: 'violation', t: 20e9, text: 'two leaders' },
  ],
  settings: [],
  totals: [{ label: 'leader changes', a: '2', b: '1', delta: '−1', better: 'b' }],
  a: { title: 'one', until: 40e9 },
  b: { title: 'two', until: 30e9 },
  ...more,
});

test('the summary names the first difference, or how far both are the same', () => {
  assert.equal(summary(comparison({})), '2 differences, the first at 00:12.000.');
  assert.equal(summary(comparison({ differences: [{ kind: 'violation', t: 1 }] })), '1 difference.');
  assert.equal(summary(comparison({ same: true })), 'The same, event by event, up to 00:30.000.');
});

test('totals say which run is better; each difference can be chosen', () => {
  assert.match(text(totalsTemplate(comparison({}))), /leader changes 2 1 ✓ better −1/);
  /** @type {number[]} */
  const chosen = [];
  const list = differencesTemplate(comparison({}), 0, (k) => chosen.push(k));
  assert.match(text(list), /00:12\.000 a crashes A: nothing B: a crashes/);
  for (const one of all(list, 'button')) one.click();
  assert.deepEqual(chosen, [0, 1]);
});

test('the settings that differ stand beside each other; a value that is not given is a dash', () => {
  const settings = [{ path: 'resource.fence', label: 'resource.fence', a: '', b: 'leaseTransitions' }];
  assert.match(text(settingsTemplate(comparison({ settings }))), /resource\.fence – leaseTransitions/);
  assert.doesNotMatch(text(settingsTemplate(comparison({}))), /differ/);
});

test('compared at first: the branch before this one, else any other, else another seed', () => {
  const branch = (/** @type {number} */ id, /** @type {number} */ parent, hidden = false) => ({ id, parent, hidden });
  const view = (/** @type {object[]} */ branches, /** @type {number} */ at) =>
    /** @type {any} */ ({ branches, branch: at, seed: 7 });
  assert.deepEqual(nearest(view([branch(0, -1), branch(1, 0)], 1)), { a: { branch: 0 }, b: { branch: 1 } });
  assert.deepEqual(nearest(view([branch(0, -1), branch(1, 0)], 0)), { a: { branch: 1 }, b: { branch: 0 } });
  assert.deepEqual(nearest(view([branch(0, -1), branch(1, 0, true)], 0)), {
    a: { branch: 0 },
    b: { branch: 0, seed: 8 },
  });
});

test('a seed that is no whole number is refused, and changes nothing', () => {
  /** @type {unknown[]} */
  const told = [];
  const given = { view: { branches: [{ id: 0, name: 'x' }], branch: 0, seed: 1 }, hello: { scenarios: [] } };
  const side = sideTemplate(/** @type {any} */ ({ name: 'b', label: 'B', side: { branch: 0, seed: 2 }, ...given }), {
    change: (one) => told.push(one),
    refuse: (sentence) => told.push(sentence),
  });
  for (const value of ['x', ' 5 ', '9999999999999999']) enter(the(side, 'input'), value);
  assert.deepEqual(told, [
    'The seed “x” must be a whole number from 0 to 9,007,199,254,740,991.',
    { branch: 0, seed: 5 },
    'The seed “9999999999999999” must be a whole number from 0 to 9,007,199,254,740,991.',
  ]);
});

test('a view moves only to show an instant, and never before the start', () => {
  assert.deepEqual(viewportWith({ from: 10, to: 20 }, 20), { from: 10, to: 20 });
  assert.deepEqual(viewportWith({ from: 10, to: 20 }, 40), { from: 35, to: 45 });
  assert.deepEqual(viewportWith({ from: 10, to: 20 }, 2), { from: 0, to: 10 });
});

test('the nodes of an instant have the roles that their lanes show', () => {
  const run = {
    view: { nodes: [{ index: 0 }, { index: 1 }] },
    timeline: {
      lanes: [
        {
          index: 0,
          spans: [
            { from: 0, to: 5, role: 'following' },
            { from: 5, to: 9, role: 'leading' },
          ],
        },
      ],
    },
  };
  const roles = (/** @type {number} */ t) => nodesAt(/** @type {any} */ (run), t).map(({ role }) => role);
  assert.deepEqual(roles(3), ['following', 'waiting']);
  assert.deepEqual(roles(5), ['leading', 'waiting']);
});
