import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studyOf } from './link.js';

const map = {
  kind: 'heat',
  x: { path: 'elector.leaseDuration', values: '15s' },
  y: { path: 'elector.renewDeadline', values: '10s' },
  first: 1,
  seeds: 50,
  measure: 'leaderlessP99',
};

test('a link says what it says, with what older links leave out', () => {
  assert.deepEqual(studyOf(map), { ...map, varyPhase: false, duration: '' });
  assert.deepEqual(studyOf({ kind: 'hunt', values: { runs: '200' } }), { kind: 'hunt', values: { runs: '200' } });
});

test('a link that no page has written has no study', () => {
  for (const wrong of [
    null,
    'text',
    [],
    {},
    { kind: 'heat' },
    { kind: 'nothing', values: {} },
    { kind: 'constructor', values: {} },
    { kind: 'hunt' },
    { kind: 'hunt', values: { runs: 5 } },
    { ...map, x: 5 },
    { ...map, y: null },
    { ...map, x: { path: 'seed' } },
    { ...map, seeds: '50' },
    { ...map, seeds: 0 },
    { ...map, first: 1.5 },
    { ...map, first: -1 },
    { ...map, varyPhase: 'yes' },
    { ...map, duration: 60 },
    { ...map, measure: 3 },
  ])
    assert.equal(studyOf(wrong), undefined, JSON.stringify(wrong));
});
