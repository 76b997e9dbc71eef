/**
 * A day of a hundred candidates and more than 100,000 requests, with two leaders at work for 20 ms: the leader pauses
 * at noon, another takes over, and the first one crashes 20 ms later. The seed determines the instant of the takeover,
 * which is in the trace.
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
