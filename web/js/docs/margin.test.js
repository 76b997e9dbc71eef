import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcome, scenarioOf } from './margin.js';

const SECOND = 1e9;

test('the run has the lengths of the reader, slow answers, and time for a takeover', () => {
  const scenario = scenarioOf({ leaseDuration: 15, renewDeadline: 10, retryPeriod: 2, delay: 3 });
  assert.deepEqual(scenario.elector, {
    leaseDuration: '15s',
    renewDeadline: '10s',
    retryPeriod: '2s',
    requestTimeout: '5s',
  });
  const [slow, cut] = scenario.actions;
  assert.deepEqual([slow.act, slow.response], ['latency', '3s']);
  assert.equal(cut.act, 'cut');
  const seconds = (/** @type {string} */ text) => Number.parseFloat(text);
  assert.ok(seconds(cut.at) > seconds(slow.at) + 2 * 3, 'a renewal has been answered slowly before the cut');
  assert.ok(seconds(scenario.duration) > seconds(cut.at) + 15 + 2 * 2.2, 'the slowest follower has taken over');
});

test('the outcome tells a takeover with and without an overlap, luck, and none', () => {
  const outcomeText = (/** @type {number} */ least, /** @type {number | undefined} */ nearest) =>
    outcome(
      { lastNs: 0, leastNs: least * SECOND, nearestNs: nearest === undefined ? nearest : nearest * SECOND },
      { renewDeadline: 10, delay: 4 },
    );
  assert.equal(
    outcomeText(2.5, 4.25),
    'The least margin of this run is 2.500 s. A follower starts 4.250 s after a has stopped.',
  );
  assert.match(outcomeText(-1, -0.5), /-1\.000 s\. A follower starts 0\.500 s before a stops: two lead\.$/);
  assert.match(outcomeText(-1, 0.5), /after a has stopped\. The jitter/);
  assert.match(outcomeText(3, undefined), /Nobody has taken over/);
  const late = outcome({ lastNs: 0, leastNs: 0 }, { renewDeadline: 8, delay: 4 });
  assert.match(late, /^No answer is read: .* 4 s\./);
});
