/** A recorded opening for tests. */
const S = 1e9;

/** What a node is at an instant. @param {string} a @param {string} b */
const nodes = (a, b) => ({
  nodes: [
    { name: 'a', role: a },
    { name: 'b', role: b },
  ],
});

/** A run of four instants: nobody, a leads at 1 s, a crashes at 5 s, b leads at 9 s. */
export function opening() {
  const first = {
    run: 1,
    scenario: 's',
    title: 'S',
    seed: 1,
    hash: 'h0',
    cursor: { t: 0, n: -1 },
    live: { t: 0, n: -1 },
    nextT: 0,
    end: 12 * S,
    inInstant: 0,
    playing: false,
    speed: 0,
    storySpeed: 1,
    ...nodes('following', 'following'),
    lease: { version: 0, holder: '' },
    flights: [],
    headline: { kind: 'start', title: 'Nobody leads yet.', addends: [] },
    branches: [{ id: 0, name: 'S', parent: -1, forkAt: 0, live: 0, hidden: false }],
    undo: 'nothing',
  };
  const frames = [
    first,
    { cursor: { t: 1 * S }, ...nodes('leading', 'following'), lease: { version: 1, holder: 'a' } },
    { cursor: { t: 5 * S }, ...nodes('down', 'following'), undo: null },
    { cursor: { t: 9 * S }, ...nodes('down', 'leading'), lease: { version: 2, holder: 'b' } },
  ];
  const band = { from: 5 * S, to: 9 * S, kind: 'nobody', open: false, change: 1, addends: [{ ns: 4 * S }] };
  return /** @type {any} */ ({
    engine: 1,
    hello: { scenarios: [], fieldHelp: [{ kind: 'Lease', field: 'spec', help: 'What it says.' }] },
    frames,
    timeline: {
      run: 1,
      from: 0,
      to: 12 * S,
      detail: true,
      violations: [],
      faults: [{ from: 5 * S, to: 12 * S, open: true, node: 'a', kind: 'down', text: 'a is down' }],
      lanes: [
        {
          node: 'a',
          index: 0,
          spans: [{ from: 1 * S, to: 5 * S, role: 'leading' }],
          ticks: [{ t: 4 * S, end: 6 * S, outcome: 'ok', write: true }],
          ramp: [{ t: 1 * S }, { t: 8 * S }],
        },
      ],
      holder: [
        { from: 1 * S, to: 9 * S, holder: 'a', index: 0, renewedUntil: 5 * S },
        { from: 9 * S, to: 12 * S, holder: 'b', index: 1, renewedUntil: 12 * S },
      ],
      bands: [band],
      changes: [
        { index: 0, at: 1 * S },
        { index: 1, at: 9 * S },
      ],
      landmarks: [
        { t: 1 * S, n: 1, text: 'a leads' },
        { t: 5 * S, n: 1, text: 'a crashes' },
        { t: 9 * S, n: 2, text: 'b leads' },
      ],
    },
    events: {
      run: 1,
      total: 4,
      from: 0,
      at: -1,
      rows: [
        { t: 1 * S, n: 1, node: 'a', text: 'starts leading.', detail: '' },
        { t: 5 * S, n: 1, node: 'a', text: 'crashes.', detail: '' },
        { t: 9 * S, n: 1, node: 'b', text: 'takes the Lease.', detail: 'PUT' },
        { t: 9 * S, n: 2, node: 'b', text: 'starts leading.', detail: '' },
      ],
    },
    objects: [
      { version: 1, t: 1 * S },
      { version: 2, t: 9 * S },
    ],
    why: { change: { index: 1, at: 9 * S } },
    pace: [
      { t: 0, factor: 4 },
      { t: 8 * S, factor: 1 },
    ],
  });
}
