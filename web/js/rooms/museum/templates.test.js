import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, text, the } from '#dom';
import { clausesTemplate, exhibitTemplate, listTemplate } from './templates.js';

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
/** Callbacks, with a log of their calls in order. @returns {[string[], any]} */
function callbacks() {
  /** @type {string[]} */
  const called = [];
  const on = Object.fromEntries(
    ['choose', 'open', 'check', 'compare', 'learn'].map((name) => [
      name,
      (/** @type {any} */ given) => called.push(`${name} ${given.name ?? given.id ?? given}`),
    ]),
  );
  return [called, on];
}

test('the list has a heading for each class that has an incident, and one tab stop for its buttons', () => {
  const [called, on] = callbacks();
  const list = listTemplate([exhibit], 'z', on);
  assert.equal(text(list), 'No leader for too long B02 The margin lesson 3');
  assert.equal(all(list, 'button[tabindex="-1"]').length, 1);
  all(list, 'button')[0].click();
  assert.deepEqual(called, ['choose z']);
});

test('an incident shows both runs; each can be opened and checked, and both compared', () => {
  const [called, on] = callbacks();
  const shown = exhibitTemplate(exhibit, { asserted: {}, checked: {} }, on);
  assert.match(
    text(shown),
    /x\/y#1 Compare the two runs Begin lesson 3 What the .* As it happened Story of z\. .*Fixed Story of z-fixed\./,
  );
  for (const one of all(shown, 'button')) one.click();
  assert.deepEqual(called, ['choose ', 'compare B02', 'learn 3', 'open z', 'check z', 'open z-fixed', 'check z-fixed']);
});

test('expectations before a check, after it, and when the check failed', () => {
  const asserted = [{ clause: '2 leader changes' }, { clause: 'requests, at most 9', name: 'requests' }];
  assert.equal(text(clausesTemplate(asserted, undefined)), '2 leader changes requests, at most 9 requests');
  assert.equal(the(clausesTemplate(asserted, undefined), 'code.mute').textContent, 'requests');
  const outcomes = [{ met: false, clause: '2 leader changes', measured: '1' }];
  assert.equal(text(clausesTemplate(asserted, outcomes)), '✗ 2 leader changes: 1 , not as expected');
  assert.equal(text(clausesTemplate(asserted, 'The engine is gone.')), 'The engine is gone.');
});
