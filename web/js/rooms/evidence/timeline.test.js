import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, fire, nameOf, text, the } from '#dom';
import { clockAt, ribbonsOf, stepTo, timelineTemplate, zoomSpan } from './timeline.js';

test('a zoom stays inside the timeline, and about its instant', () => {
  const whole = { from: 0, to: 90e9 };
  assert.deepEqual(zoomSpan(whole, 1 / 3, 45e9, 90e9), { from: 30e9, to: 60e9 });
  assert.deepEqual(zoomSpan(whole, 1 / 3, 1e9, 90e9), { from: 0, to: 30e9 });
  assert.deepEqual(zoomSpan({ from: 60e9, to: 90e9 }, 3, 85e9, 90e9), whole);
});

test('the time of day has milliseconds where they can be seen', () => {
  assert.equal(clockAt('', 0, 1), '');
  assert.equal(clockAt('2026-11-20T19:16:38.466Z', 1.5e9, 60e9), '19:16:39');
  assert.equal(clockAt('2026-11-20T19:16:38.466Z', 1.5e9, 5e9), '19:16:39.966');
});

test('rows say what they show, and what is pressed gives its lines', () => {
  /** @type {unknown[]} */
  const done = [];
  const moment = {
    kind: /** @type {const} */ ('overlap'),
    from: 10,
    to: 40,
    time: '19:17:13.564',
    says: 'Two.',
    lines: ['f:2'],
  };
  const lease = /** @type {any} */ ({
    from: '2026-11-20T19:16:38Z',
    moments: [moment, { ...moment, from: 200, to: 200 }],
  });
  const chart = {
    from: 0,
    to: 100,
    rows: [
      {
        name: 'node-a',
        kind: /** @type {const} */ ('candidate'),
        bars: [{ kind: /** @type {const} */ ('renews'), from: 0, to: 50, lines: ['f:1', 'g:7'] }],
        marks: [{ kind: /** @type {const} */ ('renewal'), at: 5, count: 12, lines: ['f:1'] }],
      },
    ],
  };
  const drawn = timelineTemplate(lease, chart, {
    chosen: undefined,
    pick: (one) => done.push(one),
    lines: (lines) => done.push(lines),
    enter: () => done.push('enter'),
  });
  assert.match(text(drawn), /Who works.*node-a.*Lease names.*Events/s);
  const [slider, row] = all(drawn, 'svg');
  assert.equal(nameOf(row), 'node-a: holds the Lease, 12 renewals');
  fire(the(row, '[data-lines="f:1\ng:7"]'), 'click');
  assert.deepEqual(done, [['f:1', 'g:7']]);

  const press = (/** @type {string} */ key) => fire(slider, 'keydown', { key });
  for (const key of ['ArrowRight', 'End', 'Enter', 'x']) press(key);
  assert.deepEqual(done.slice(1), [moment, lease.moments[1], 'enter']);
});

test('arrow keys move between the moments, and stop at the ends', () => {
  assert.deepEqual(
    [
      ['ArrowRight', -1],
      ['ArrowDown', 1],
      ['ArrowRight', 2],
      ['ArrowLeft', 0],
      ['ArrowUp', 2],
      ['Home', 2],
      ['End', 0],
      ['Tab', 1],
    ].map(([key, at]) => stepTo(String(key), Number(at), 3)),
    [0, 2, 2, 0, 1, 0, 2, undefined],
  );
});

test('the ribbons: who works, and whom the Lease names; a split where two lead, hatched where nobody does', () => {
  const bar = (/** @type {any} */ kind, /** @type {number} */ from, /** @type {number} */ to) => ({
    ...{ kind, from: from * 1e9, to: to * 1e9, lines: ['f:1'] },
  });
  const row = (/** @type {string} */ name, /** @type {any[]} */ bars) => ({
    ...{ name, kind: /** @type {const} */ ('candidate'), bars, marks: [] },
  });
  const chart = (/** @type {any[]} */ rows) => ({ from: 0, to: 90e9, rows });
  const gap = (/** @type {number} */ from, /** @type {number} */ to) =>
    /** @type {any} */ ([{ kind: 'gap', from: from * 1e9, to: to * 1e9 }]);
  const brief = (/** @type {any[]} */ parts) =>
    parts.map(({ kind, name, from, to }) => `${name} ${kind} ${from / 1e9}-${to / 1e9}`);
  const paused = ribbonsOf(
    chart([
      row('a', [bar('renews', 0, 16), bar('silent', 16, 35), bar('believes', 35, 51)]),
      row('b', [bar('renews', 35, 76)]),
    ]),
    gap(16, 35),
  );
  assert.deepEqual(brief(paused.who), ['a leads 0-35', 'b leads 51-76', 'a two 35-51']);
  assert.deepEqual(brief(paused.lease), ['a renews 0-16', 'a silent 16-35', 'b renews 35-76']);
  assert.equal(paused.who[2].other, 1);
  const silent = chart([row('a', [bar('renews', 0, 16), bar('silent', 16, 35)])]);
  assert.deepEqual(brief(ribbonsOf(silent, gap(16, 35)).who), ['a leads 0-16', 'a none 16-35'], 'a crash');
  assert.deepEqual(brief(ribbonsOf(silent, gap(29, 35)).who), ['a leads 0-29', 'a none 29-35'], 'it gave up at 29 s');
});
