import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLeaderDies } from './a-leader-dies.js';
import { marksOf } from './marks.js';
import { begun } from './progress.js';

const view = { live: { t: 20e9, n: -1 }, end: 300e9 };
const why = /** @type {any} */ ({
  change: { at: 34e9, leaderlessNs: 14e9, to: 'b' },
  counts: [],
  rules: {},
  lookedAt: 33e9,
});
const step = (/** @type {string} */ kind) => aLeaderDies.steps.findIndex((one) => one.kind === kind);
/** @param {object} now @param {any} [cause] */
const marks = (now, cause = null) => marksOf(aLeaderDies, { ...begun(), ...now }, cause, view);

test('the bet can be placed from the live instant on, once, and only in the lesson’s own run', () => {
  assert.deepEqual(marks({ step: step('bet'), acted: true }), {
    look: aLeaderDies.steps[step('bet')].look,
    betting: true,
    bet: null,
    truth: null,
    live: 20e9,
    end: 300e9,
  });
  assert.equal(marks({ step: step('bet'), placed: 'bet', bet: 30e9 }).betting, false);
  assert.equal(marks({ step: step('bet'), strayed: 'Pause b' }).betting, false);
});

test('what really happened is marked once it has been shown, beside the bet', () => {
  const now = { step: step('see'), acted: true, placed: 'bet', bet: 30e9 };
  assert.equal(marks(now, why).truth, null);
  const seen = marks({ ...now, seen: true }, why);
  assert.deepEqual([seen.bet, seen.truth], [30e9, { at: 34e9, who: 'b' }]);
  assert.equal(marks({ ...now, placed: 'none', seen: true }, why).bet, null, 'no bet was placed');
});

test('the question at the end shows neither, and an act that is done needs no look', () => {
  const now = { acted: true, placed: 'bet', bet: 30e9, seen: true };
  const asked = marks({ ...now, step: step('transfer') }, why);
  assert.deepEqual([asked.bet, asked.truth], [null, null]);
  assert.equal(marks({ step: step('act'), acted: true }).look, undefined);
});
