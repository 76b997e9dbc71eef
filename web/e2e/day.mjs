/**
 * A day of a hundred candidates, more than 100,000 requests, with two workers for 20 ms in the middle of it: the leader
 * is paused at noon, another takes over, and the first is killed 20 ms later. When the other takes over follows
 * from the seed; the instant is in the trace.
 */
export const TAKEOVER_NS = 43_469_614_303_177;
export const OVERLAP_NS = 20_000_000;

export const DAY = {
  apiVersion: 'leaselab.dev/v1alpha1',
  kind: 'Scenario',
  title: 'A day with a hundred candidates',
  seed: 1,
  duration: '24h',
  elector: { leaseDuration: '5m', renewDeadline: '4m', retryPeriod: '50s' },
  candidates: Array.from({ length: 100 }, (_, i) => ({ name: `n${i}` })),
  actions: [
    { at: '12h', act: 'pause', target: 'n0' },
    { at: `${TAKEOVER_NS + OVERLAP_NS}ns`, act: 'crash', target: 'n0' },
  ],
};
