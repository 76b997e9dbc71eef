import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, fire, text, the } from '#dom';
import { fenceNote, figuresOf } from './figures.js';
import { clausesTemplate, exhibitTemplate, headTemplate, listTemplate } from './templates.js';

const scenario = (/** @type {string} */ name) => ({
  name,
  title: name,
  museum: { catalogue: 'B02', variant: '', story: `Story of ${name}.`, watch: 'b.' },
});
const exhibit = {
  id: 'B02',
  title: 'The margin',
  kind: 'gap',
  lesson: 3,
  source: ['x/y#1'],
  failing: scenario('z'),
  fixed: scenario('z-fixed'),
};
/** @param {number} led how many, from 30 s @param {number} to @param {Record<string, number>} [counts] */
const strip = (led, to, counts) => ({ end: 60e3, led: [[0, 10, 30e3, 0]], bands: [[30e3, to, led]], counts });
const strips = { z: strip(2, 44e3), 'z-fixed': strip(0, 34.9e3) };
/** Callbacks, with a log of their calls in order. @returns {[string[], any]} */
function callbacks() {
  /** @type {string[]} */
  const called = [];
  const on = Object.fromEntries(
    ['choose', 'ofKind', 'search', 'open', 'ask', 'check', 'compare', 'learn'].map((name) => [
      name,
      (/** @type {any} */ given) => called.push(`${name} ${given.name ?? given.id ?? given}`),
    ]),
  );
  return [called, on];
}

test('the chips are the kinds that have an incident, with their counts', () => {
  const [called, on] = callbacks();
  const head = headTemplate([exhibit, exhibit], { text: '', kind: '' }, on);
  assert.match(text(head), /2 incidents that really happened.*All 2 No leader for too long 2$/);
  all(head, '.chip')[1].click();
  assert.deepEqual(called, ['ofKind gap']);
});

test('a card has both strips with their figures, and one tab stop for all cards', () => {
  const [called, on] = callbacks();
  const list = listTemplate([exhibit], { chosen: 'z', strips, text: '' }, on);
  assert.equal(text(list), 'B02 lesson 3 The margin two 14.0 s fixed: nobody 4.9 s');
  assert.equal(all(list, 'a[tabindex="-1"]').length, 1);
  assert.equal(the(list, 'a').getAttribute('href'), '#museum=B02');
  fire(the(list, 'a'), 'click');
  assert.deepEqual(called, ['choose z']);
});

test('where one run has bars, the other has none of its leaders either', () => {
  const bars = { z: { ...strip(0, 30e3), bars: [3, 0] }, 'z-fixed': strip(0, 30e3) };
  const list = listTemplate([exhibit], { chosen: '', strips: bars, text: '' }, callbacks()[1]);
  assert.deepEqual([all(list, '.base').length, all(list, '.bar').length, all(list, '.led').length], [2, 1, 0]);
});

test('a search without a hit says why, and what to try', () => {
  const [called, on] = callbacks();
  const none = (/** @type {string} */ typed) => listTemplate([], { chosen: '', strips, text: typed }, on);
  assert.match(text(none('zzz')), /No incident contains “zzz”\./);
  assert.match(text(none('B17')), /leaselab has no sessions/);
  all(none('zzz'), 'button')[0].click();
  assert.deepEqual(called, ['search pause']);
});

test('the figures are lengths, or what the engine counts where the fix changes only that', () => {
  const words = (/** @type {any} */ a, /** @type {any} */ b) =>
    Object.values(figuresOf(a, b)).map((one) => [one.words, one.tone]);
  assert.deepEqual(words(strip(2, 44e3), { ...strip(0, 30e3), bands: [] }), [
    ['two 14.0 s', 'bad'],
    ['no gap', 'good'],
  ]);
  assert.deepEqual(words(strip(2, 30030), strip(2, 30020))[0], ['two 0.03 s', 'bad']);
  const stale = { staleWritesAccepted: 7 };
  assert.deepEqual(words(strip(2, 44e3, stale), strip(2, 44e3, { staleWritesAccepted: 0 })), [
    ['7 stale writes', ''],
    ['no stale write', 'good'],
  ]);
  assert.deepEqual(words(strip(2, 44e3, stale), strip(0, 31e3))[1], ['nobody 1.0 s', '']);
});

test('a fix after which two still lead has a note about the fence', () => {
  assert.equal(fenceNote(strips.z, strips['z-fixed']), '');
  assert.match(fenceNote(strips.z, strip(2, 40e3)), /only a fence at the data can/);
  assert.match(fenceNote(strips.z, strips.z), /refuses the writes of the old leader/);
});

test('an incident shows both runs; each opens, and both are compared and checked', () => {
  const [called, on] = callbacks();
  const other = { ...exhibit, id: 'B36', failing: scenario('y') };
  const shown = exhibitTemplate(exhibit, { asserted: {}, checked: {}, strips, like: [other] }, on);
  assert.match(text(shown), /As it failed two led for 14\.0 s With the fix nobody led for 4\.9 s/);
  assert.match(text(shown), /What happened Story of z\. What to watch b\. What the fix changes Story of z-fixed\./);
  for (const one of all(shown, 'button')) one.click();
  assert.deepEqual(called, ['choose ', 'learn 3', 'open z', 'open z-fixed', 'compare B02', 'check B02', 'choose y']);
});

test('expectations before a check, after it, and when the check failed', () => {
  const asserted = [{ clause: '2 leader changes' }, { clause: 'requests, at most 9', name: 'requests' }];
  assert.equal(text(clausesTemplate(asserted, undefined)), '2 leader changes requests, at most 9 requests');
  assert.equal(the(clausesTemplate(asserted, undefined), 'code.mute').textContent, 'requests');
  const outcomes = [{ met: false, clause: '2 leader changes', measured: '1' }];
  assert.equal(text(clausesTemplate(asserted, outcomes)), '✗ 2 leader changes: 1 , not as expected');
  assert.equal(text(clausesTemplate(asserted, 'The engine is gone.')), 'The engine is gone.');
});
