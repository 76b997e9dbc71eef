import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { all, button, each, nameOf, nothing, placeAt, press, settle, text } from '#dom';
import { brush } from '../../../../lib/testsupport/canvas.js';
import { pageAt } from '../../../../page/page.testsupport.js';
import { geometry } from '../../../../page/timeline/geometry.js';
import { makeScale } from '../../../../page/timeline/viewport.js';
import { markObservations } from '../observations.js';
import { markReadiness } from '../readiness.js';
import { openElection } from './election.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

const candidate = {
  exists: true,
  name: 'lc-b',
  mark: 'counts',
  standing: 'counts',
  emulationVersion: '1.33',
  binaryVersion: '1.33',
  place: 1,
};
const VIEW = /** @type {any} */ ({
  ...{ run: 1, branch: 0, ...placeAt(5e9, 9e9) },
  lease: { name: 'demo', exists: true, holderIndex: 1 },
  nodes: [
    { name: 'api', index: 0, server: { up: true, version: '1.33', runsController: true } },
    { name: 'a', index: 1, roleWord: 'leading', candidate: { ...candidate, name: 'lc-a', place: 2 } },
    { name: 'b', index: 2, roleWord: 'following', candidate },
  ],
});
const DECISION = {
  ...{
    number: 2,
    numbers: 3,
    title: 'b is preferred.',
    reason: 'older emulation',
    by: 'api',
    index: 2,
    cursor: { t: 4e9, n: 1 },
  },
  steps: [{ title: 'Candidates', mark: 'yes', text: 'two count' }],
  considered: [
    { name: 'b', index: 2, mark: 'counts', standing: 'counts', emulationVersion: '1.33', binaryVersion: '1.33' },
  ],
};

/** The panel of a coordinated election. @param {object} [view] */
function election(view = {}) {
  /** @type {Record<string, any>} */
  const answers = { decision: DECISION, object: { kind: 'LeaseCandidate', name: 'lc-b' } };
  const timeline = /** @type {any} */ ({ overlays: new Set() });
  const ask = async (/** @type {string} */ op) => answers[op] ?? Promise.reject(new Error('none'));
  const page = pageAt({ ...VIEW, ...view }, { ask }, { timeline });
  timeline.root = page.at('timeline');
  page.state.tab.value = 'beliefs';
  return { ...page, ...openElection(page.ports), answers, timeline };
}

test('a run without API servers asks nothing and shows nothing', () => {
  const { template, done } = election({ nodes: [{ name: 'a', index: 0 }] });
  assert.deepEqual([template(), done], [nothing, []]);
});

test('the last decision, the candidates and the servers are shown, each with its standing', async () => {
  const { template, done } = election();
  await settle();
  assert.deepEqual(done, [['ask', 'decision', {}]]);
  const words = text(template());
  assert.match(words, /b is preferred\. Why: older emulation\. Decided by api\./);
  assert.match(words, /a holds the Lease/);
  assert.match(words, /b first in the ranking/);
  assert.match(words, /1\.33 · runs the controller/);
});

test('the controls lead to a decision, a candidate, a node', async () => {
  const { template, done, answers } = election();
  await settle();
  done.splice(0);
  button(template(), 'Go to this decision').click();
  button(template(), 'Select b').click();
  answers.decision = { ...DECISION, cursor: { t: 8e9, n: 2 } };
  await press(button(template(), 'Later decision'));
  button(template(), 'LeaseCandidate lc-b as YAML').click();
  assert.deepEqual(
    done.filter(([name]) => name !== 'ask'),
    [
      ['select', { kind: 'event', cursor: { t: 4e9, n: 1 } }],
      ['selectNode', 'b'],
      ['select', { kind: 'event', cursor: { t: 8e9, n: 2 } }],
      ['showTab', 'objects'],
    ],
  );
});

test('a picked object is shown instead of the Lease, until the Lease is picked or the object is gone', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  /** Waits for the answers, and until the next question may go out. */
  const passAnswers = async () => {
    await turn();
    mock.timers.tick(100);
    await turn();
  };
  const { pick, other, pinned, answers, state, done } = election();
  pinned.value = 4;
  pick(/** @type {any} */ ({ kind: 'LeaseCandidate', name: 'lc-b' }));
  assert.equal(pinned.value, 0);
  await passAnswers();
  assert.equal(other.value?.name, 'lc-b');
  pick(/** @type {any} */ ({ kind: 'Lease', name: 'demo' }));
  assert.equal(other.value, null);
  pick(/** @type {any} */ ({ kind: 'LeaseCandidate', name: 'lc-b' }));
  await passAnswers();
  Reflect.deleteProperty(answers, 'object');
  state.view.value = { ...state.view.value, cursor: { t: 1, n: -1 } };
  await passAnswers();
  assert.equal(other.value, null);
  const countAsks = () => done.filter(([, op]) => op === 'object').length;
  const before = countAsks();
  state.view.value = { ...state.view.value, cursor: { t: 2, n: -1 } };
  await passAnswers();
  assert.equal(countAsks(), before, 'it is not asked for again');
  mock.timers.reset();
});

/** A layout of three lanes over 40 s. @param {object} [more] */
const lay = (more = {}) =>
  /** @type {any} */ ({
    scale: makeScale({ from: 0, to: 40e9 }, 100, 800),
    g: geometry({ width: 900, height: 600, lanes: 3, narrow: false }),
    lanes: [0, 1, 2].map((index) => ({ index, y: 60 + index * 88, h: 88, bars: [] })),
    ...more,
  });

test('handovers that are near share a button; it tells all of them and leads to the first', () => {
  const { timeline, done } = election();
  const [overlay] = timeline.overlays;
  const note = (/** @type {number} */ t, /** @type {string} */ words) => ({
    kind: 'handOver',
    t,
    n: 1,
    index: 1,
    other: 2,
    text: words,
  });
  const notes = [
    note(5e9, 'a is asked to hand over to b'),
    note(6e9, 'b to a'),
    note(30e9, 'a to b'),
    note(90e9, 'beyond the screen'),
  ];
  overlay(brush().b, lay(), { view: VIEW, timeline: { notes } });
  const root = timeline.root.firstElementChild;
  assert.deepEqual(all(root, 'button').map(nameOf), [
    '00:05.000: a is asked to hand over to b; 00:06.000: b to a',
    '00:30.000: a to b',
  ]);
  all(root, 'button')[0].click();
  assert.deepEqual(done.at(-1), ['select', { kind: 'event', cursor: { t: 5e9, n: 1 } }]);
  assert.equal(root.hidden, false);
  overlay(brush().b, lay(), { view: VIEW, timeline: { notes: [] } });
  assert.equal(root.hidden, true);
});

test('pings and acks are filled differently, and the server that runs the controller has a hollow bar', () => {
  const { timeline } = election();
  const [overlay] = timeline.overlays;
  const note = (/** @type {string} */ kind) => ({ kind, t: 5e9, n: 1, index: 1, other: 0, text: '' });
  const pen = brush();
  const lanes = lay().lanes.map((/** @type {any} */ lane) =>
    lane.index === 0
      ? {
          ...lane,
          bars: [
            { x: 120, w: 60, role: 'controller' },
            { x: 180, w: 60, role: 'serving' },
          ],
        }
      : lane,
  );
  overlay(pen.b, lay({ lanes }), { view: VIEW, timeline: { notes: [note('ping'), note('ack'), note('gone')] } });
  assert.equal(pen.callsOf('stroke').length, 3, 'a cross for the third');
  assert.equal(pen.callsOf('moveTo').length, 2);
  assert.deepEqual(each(pen.callsOf('fill'), 'fill'), ['card', 'b']);
  const { base } = lay().g.lane;
  const boxes = pen.callsOf('strokeRect').map(({ args, stroke }) => [args[0], args[1] + args[3] - lanes[0].y, stroke]);
  assert.deepEqual(boxes, [[120.75, base - 1, 'a']], 'on the base of the lane');
});

/** The page has shown the whole run. */
const view = { live: { t: 120e9, n: -1 } };

test('observations are diamonds at the foot of the lanes, no closer than they are wide', () => {
  const timeline = /** @type {any} */ ({ overlays: new Set() });
  markObservations(timeline);
  const [overlay] = timeline.overlays;
  const pen = brush();
  const observations = [1e9, 1.1e9, 20e9, 50e9].map((from) => ({ from }));
  overlay(pen.b, lay(), { timeline: { observations }, view });
  const corners = pen.callsOf('lineTo').map(({ args }) => args[0]);
  assert.deepEqual(corners, [120, 124, 120, 116, 500, 504, 500, 496]);
  const { bottom } = lay().g;
  const heights = pen.callsOf('lineTo').map(({ args }) => bottom - args[1]);
  assert.deepEqual([Math.min(...heights), Math.max(...heights)], [1, 9]);
  overlay(pen.b, lay(), { timeline: null, view });
});

test('a node that is ready has a line, one that is not a hatched box, one that is disputed half of it', () => {
  const timeline = /** @type {any} */ ({ overlays: new Set() });
  markReadiness(timeline);
  const [overlay] = timeline.overlays;
  const span = (/** @type {string} */ role) => ({ from: 10e9, to: 30e9, role });
  const drawRole = (/** @type {string} */ role, /** @type {object} */ more = {}) => {
    const pen = brush();
    overlay(pen.b, lay(more), { timeline: { lanes: [{ index: 0, ready: [span(role)] }] }, view });
    const [{ args, fill }] = pen.callsOf('fillRect');
    for (const word of pen.callsOf('fillText')) {
      const inLane = word.args[2] - lay().lanes[0].y;
      assert.ok(inLane > 6 && inLane < lay().g.lane.ramp, 'over the ramp of its lane');
    }
    return [args[3], fill, ...pen.words()];
  };
  const [, , words] = drawRole('ready');
  assert.equal(words, 'ready');
  const { tall } = lay().g.lane;
  assert.deepEqual(drawRole('ready'), [2, 'mute', 'ready']);
  assert.deepEqual(drawRole('notReady'), [tall, 'hatch bad', 'considered dead']);
  assert.deepEqual(drawRole('disputed'), [tall / 2, 'hatch bad', 'the monitors disagree']);
  const low = { g: geometry({ width: 900, height: 240, lanes: 3, narrow: false }) };
  assert.deepEqual(drawRole('ready', low), [2, 'mute'], 'a low lane has no room for words');
});

test('without a decision that is said', () => {
  const { template } = election();
  assert.match(text(template()), /No controller has decided anything yet\./);
});
