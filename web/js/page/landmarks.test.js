import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLandmarks } from './landmarks.js';
import { createState } from './state.js';

const HEADLINE = {
  kind: 'gap',
  title: 'Nobody led for 14 s',
  addends: [
    { shown: '10.0', text: 'waiting' },
    { shown: '4.0', text: 'trying' },
  ],
};

/** A run that plays, with landmarks at 10, 20 and 34 s, and what is said of them. */
function playing() {
  const state = createState();
  /** @type {unknown[]} */
  const said = [];
  const say = openLandmarks(state, { landmark: (text, factor) => said.push([text, factor]) });
  const timeline = {
    run: 1,
    landmarks: [
      { t: 10e9, kind: 'fault', text: 'b pauses.' },
      { t: 20e9, kind: 'fault', text: 'a crashes.' },
      { t: 34e9, kind: 'leader', text: 'b leads' },
    ],
  };
  state.timeline.value = /** @type {any} */ (timeline);
  return {
    state,
    /** What is said when a frame shows the run at an instant. @param {number} s @param {object} [more] */
    at(s, more = {}) {
      const view = { run: 1, playing: true, speed: 0, storySpeed: 2, headline: HEADLINE, ...more };
      state.view.value = /** @type {any} */ ({ ...view, cursor: { t: s * 1e9, n: -1 } });
      say();
      return said.splice(0);
    },
  };
}

test('a landmark is said once, when the cursor reaches it, and not where the run begins', () => {
  const { at } = playing();
  assert.deepEqual(at(12), []);
  assert.deepEqual(at(19.9), []);
  assert.deepEqual(at(20), [['a crashes.', 2]], 'at its instant');
  assert.deepEqual(at(20.5), []);
});

test('of several only the last is said, a change of leader with its reason, at the speed of the run', () => {
  const { at } = playing();
  at(12);
  assert.deepEqual(at(40, { speed: 50 }), [['b leads. Nobody led for 14 s 10.0 s waiting + 4.0 s trying.', 50]]);
  at(12);
  assert.deepEqual(at(40, { headline: { ...HEADLINE, kind: 'leads' } }), [['b leads', 2]]);
  at(12);
  assert.deepEqual(at(40, { headline: { ...HEADLINE, addends: [] } }), [['b leads', 2]]);
});

test('after a way back landmarks are said again; nothing of a run that rests or is not the timeline’s', () => {
  const { at, state } = playing();
  at(12);
  at(21);
  at(15);
  assert.deepEqual(at(22), [['a crashes.', 2]]);
  assert.deepEqual(at(35, { playing: false }), []);
  assert.deepEqual(at(35, { run: 2 }), []);
  assert.deepEqual(at(36, { run: 2 }), [], 'its timeline has not come yet');
  state.timeline.value = null;
  assert.deepEqual(at(37), []);
});
