import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLeaderDies as lesson } from './lesson.testsupport.js';
import { advance, curtainOf, newProgress, stepOf, waitReason } from './progress.js';

/** @import { LessonEvent } from './progress.js' */

const go = (/** @type {LessonEvent[]} */ ...events) =>
  events.reduce((now, event) => advance(lesson, now, event), newProgress());
const next = /** @type {LessonEvent} */ ({ type: 'next' });
const back = /** @type {LessonEvent} */ ({ type: 'back' });
const acted = /** @type {LessonEvent} */ ({ type: 'acted', acts: 1 });
const kind = (/** @type {import('./progress.js').Progress} */ now) => stepOf(lesson, now).kind;
const toBet = [next, next, next, acted, next];

test('from the first step to the last', () => {
  const now = go(...toBet, { type: 'bet', at: 30e9 }, { type: 'place' }, { type: 'seen' }, next, next);
  assert.equal(now.step, lesson.steps.length - 1);
  assert.equal(now.bet, 30e9);
  assert.equal(waitReason(lesson, now), 'This is the last step.');
  assert.equal(advance(lesson, now, next).step, now.step);
});

test('back goes back and never out', () => {
  assert.equal(go(back).step, 0);
  assert.equal(go(next, next, back).step, 1);
});

test('the act, the bet and the outcome have to be there before the way goes on', () => {
  assert.equal(kind(go(next, next, next, next)), 'act');
  assert.equal(waitReason(lesson, go(next, next, next)), 'First crash a.');
  assert.equal(kind(go(...toBet, next)), 'bet');
  assert.equal(kind(go(...toBet, { type: 'bet', at: 30e9 }, next)), 'bet');
  const seeing = go(...toBet, { type: 'show' });
  assert.equal(kind(seeing), 'see');
  assert.equal(kind(advance(lesson, seeing, next)), 'see');
  assert.equal(kind(advance(lesson, advance(lesson, seeing, { type: 'seen' }), next)), 'why');
});

test('nothing has to be known: no bet is a way on, and nothing placed cannot be placed', () => {
  const shown = go(...toBet, { type: 'bet', at: 50e9 }, { type: 'show' });
  assert.deepEqual([shown.placed, shown.bet], ['none', null]);
  assert.equal(kind(go(...toBet, { type: 'place' })), 'bet');
});

test('a bet that counts stays as it is', () => {
  const placed = go(
    ...toBet,
    { type: 'bet', at: 30e9 },
    { type: 'place' },
    { type: 'bet', at: 34e9 },
    { type: 'show' },
  );
  assert.deepEqual([placed.bet, placed.placed, kind(placed)], [30e9, 'bet', 'see']);
});

test('the curtain: nothing beyond a step before the bet, everything after it', () => {
  assert.equal(curtainOf(lesson, go()), 12e9);
  assert.equal(curtainOf(lesson, go(next)), 18.2e9);
  assert.equal(curtainOf(lesson, go(next, next, next)), 20e9);
  assert.equal(curtainOf(lesson, go(...toBet)), 20e9);
  assert.equal(
    curtainOf(lesson, go(next, next, next, back, back, back)),
    12e9,
    'what was shown stays shown: the run knows',
  );
  assert.equal(curtainOf(lesson, go(...toBet, { type: 'show' })), Number.POSITIVE_INFINITY);
  assert.equal(curtainOf(lesson, go(...toBet, { type: 'show' }, back, back)), Number.POSITIVE_INFINITY);
});

test('another act strays, and coming back goes on', () => {
  const strayed = go(next, next, next, { type: 'strayed', verb: 'Pause a' });
  assert.equal(strayed.strayed, 'Pause a');
  assert.equal(waitReason(lesson, strayed), "Go back to the lesson's run first.");
  assert.equal(kind(advance(lesson, strayed, back)), 'look', 'back is always free');
  const returned = advance(lesson, advance(lesson, strayed, { type: 'returned' }), acted);
  assert.deepEqual([returned.strayed, returned.acted], ['', 1]);
});

test('an undone act must be repeated, unless its end has been seen', () => {
  const undone = go(...toBet, { type: 'bet', at: 30e9 }, { type: 'undone', acts: 0 });
  assert.deepEqual([kind(undone), undone.acted, undone.bet, undone.placed], ['act', 0, null, '']);
  const seen = go(...toBet, { type: 'show' }, { type: 'seen' });
  assert.deepEqual(advance(lesson, seen, { type: 'undone', acts: 0 }), seen);
  assert.equal(
    advance(lesson, seen, { type: 'strayed', verb: 'Cut b' }).strayed,
    '',
    'after it the run is the visitor’s',
  );
});

test('a choice is remembered once, in the order tried', () => {
  const now = go(
    { type: 'answered', choice: 'looks' },
    { type: 'answered', choice: 'releases' },
    { type: 'answered', choice: 'looks' },
  );
  assert.deepEqual(now.answered, ['looks', 'releases']);
});

test('every step that holds the future holds it at a place of its own run, in order', () => {
  const places = lesson.steps.map((step) => step.until);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  for (const step of lesson.steps) if (['act', 'bet'].includes(step.kind)) assert.equal(step.until, lesson.run.actAt);
});
