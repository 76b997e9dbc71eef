import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { all, button, nothing, recorder, text } from '#dom';
import { createState } from '../../page/state.js';
import { innerTemplate, open } from './index.js';

const margin = {
  node: 'a',
  leaseNs: 15e9,
  renewNs: 10e9,
  retryNs: 2e9,
  answerNs: 5e6,
  marginNs: 2.995e9,
  by: 'b',
  paused: false,
};
const BELIEFS = /** @type {any} */ ({
  server: '00:20.000',
  nodes: [
    { name: 'a', wall: '00:20.000', monoNs: 20e9, alive: true, leads: true },
    { name: 'b', wall: '00:20.000', monoNs: 20e9, alive: false, leads: false },
  ],
  bands: [],
  from: 0,
  to: 20e9,
  margins: [margin],
});
const sentence = (/** @type {object} */ change) => text(innerTemplate({ ...BELIEFS, ...change }, () => {}));

test('the engine is asked while the tab is open, and again when the cursor moves', async () => {
  const state = createState();
  const view = { run: 1, branch: 0, cursor: { t: 1, n: -1 } };
  state.view.value = /** @type {any} */ (view);
  state.tab.value = 'objects';
  /** @type {unknown[][]} */
  const done = [];
  const lab = recorder(done, { ask: async () => BELIEFS });
  mock.timers.enable({ apis: ['setTimeout'] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const { template } = open({ state, lab, select: () => {}, currentTab: () => state.tab.value });
  assert.deepEqual([done.length, template()], [0, nothing]);
  state.tab.value = 'beliefs';
  await turn();
  assert.deepEqual(done, [['ask', 'beliefs', {}]]);
  assert.match(text(template()), /Margin of a/);
  state.view.value = /** @type {any} */ ({ ...view, title: 'same place' });
  state.view.value = /** @type {any} */ ({ ...view, cursor: { t: 2, n: -1 } });
  mock.timers.tick(200);
  await turn();
  assert.equal(done.length, 2);
  mock.timers.reset();
});

test('who believes it is the leader is a sentence, for one, none and two', () => {
  assert.match(sentence({}), /Only a believes it is the leader\./);
  const nodes = BELIEFS.nodes.map((/** @type {object} */ node) => ({ ...node, leads: false }));
  assert.match(sentence({ nodes }), /No node believes it is the leader\./);
  const band = { kind: 'nobody', who: '', from: 15e9, to: 20e9 };
  assert.match(sentence({ bands: [band] }), /No node has believed it is the leader for 5\.000 s so far\./);
  const two = { kind: 'two', who: 'a and b', from: 18e9, to: 20e9 };
  assert.match(sentence({ bands: [two] }), /a and b believe they are the leader, for 2\.000 s so far\./);
  assert.match(sentence({ bands: [{ ...band, to: 19e9 }] }), /Only a believes/, 'a band that is over');
});

test('a margin says when the leader stops and when another may lead, before or after that', () => {
  const stops = { stops: 30e9, takes: 33e9 };
  assert.match(
    sentence({ margins: [{ ...margin, ...stops }] }),
    /a stops in 10\.000 s, and b may lead 3\.000 s after that/,
  );
  assert.match(sentence({ margins: [{ ...margin, stops: 30e9, takes: 29e9 }] }), /may lead 1\.000 s before that/);
  assert.match(
    sentence({ margins: [{ ...margin, ...stops, paused: true }] }),
    /a is paused, so it cannot stop leading\./,
  );
  const bad = (/** @type {object} */ change) =>
    all(
      innerTemplate({ ...BELIEFS, margins: [{ ...margin, ...change }] }, () => {}),
      '.margin',
    )[0].getAttribute('data-bad');
  assert.deepEqual(
    [bad({}), bad({ marginNs: -1 }), bad({ paused: true }), bad({ stops: 2, takes: 1 })],
    ['false', 'true', 'true', 'true'],
  );
});

test('the least margin so far is said, with the shortest change of leader or the longest overlap', () => {
  assert.doesNotMatch(sentence({}), /smallest margin/);
  assert.match(sentence({ least: 2e9 }), /The smallest margin so far is 2\.000 s\./);
  assert.match(sentence({ least: 2e9, nearest: 1e9 }), /from a stop to the next start is 1\.000 s\./);
  assert.match(sentence({ least: 2e9, nearest: -1e9 }), /two leaders overlapped by 1\.000 s\./);
});

test('a node says until when the Lease counts for it, and leads to where it saw that', () => {
  /** @type {unknown[]} */
  const gone = [];
  const seen = { t: 18e9, n: 2 };
  const nodes = [{ ...BELIEFS.nodes[1], holder: 'a', seen, until: 33e9 }];
  const shown = innerTemplate({ ...BELIEFS, nodes }, (cursor) => gone.push(cursor));
  assert.match(text(shown), /b 00:20\.000 not running 00:33\.000, for a; observed at 00:18\.000/);
  button(shown, 'observed at 00:18.000').click();
  assert.deepEqual(gone, [seen]);
});
