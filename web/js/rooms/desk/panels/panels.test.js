import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, fire, text, the } from '#dom';
import { beliefsTemplate } from './beliefs.js';
import { branchesTemplate } from './branches.js';
import { checksTemplate } from './checks.js';
import { MARKS, marksTemplate } from './legend.js';
import { legendTemplate } from './promises.js';
import { sumTemplate, whyTemplate } from './why.js';

const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
const at = (/** @type {number} */ t) => ({ t, n: -1 });

test('beliefs: what each node believes, how long that lasts, and its clock if it is wrong', () => {
  const node = { index: 0, clockOffsetNs: 0, clockRatePpm: 1e6, since: 5e9, believes: '', roleWord: '' };
  const view = {
    cursor: at(20e9),
    lease: { exists: true, holder: '', version: 4 },
    nodes: [
      { ...node, name: 'a', role: 'leading', believes: 'I lead', countdown: { kind: 'mustStop', zeroAt: 22e9 } },
      { ...node, name: 'b', role: 'following', believes: 'a leads', countdown: { kind: 'mayTake', zeroAt: 19e9 } },
      { ...node, name: 'c', role: 'down', roleWord: 'down' },
      { ...node, name: 'd', role: 'paused', believes: 'I lead', clockOffsetNs: 3600e9, wall: '01:00:20' },
      {
        ...node,
        name: 'api',
        role: 'serving',
        server: { version: '1.34' },
        countdown: { kind: 'mustStop', zeroAt: 1 },
      },
    ],
  };
  /** @type {string[]} */
  const chosen = [];
  const template = beliefsTemplate(any(view), 20e9, { betting: false, selected: 'b' }, (/** @type {string} */ name) =>
    chosen.push(name),
  );
  const shown = text(template);
  assert.match(shown, /a I lead must stop in 2\.0 s b a leads may acquire now c down since 00:05\.000/);
  assert.match(shown, /d I lead \(paused\) · clock 01:00:20 \(\+1 h\)/);
  assert.match(shown, /API server 1\.34 ⌂ API server stored Lease: nobody v4/);
  all(template, 'button')[1].click();
  assert.deepEqual(chosen, ['b']);
  const betting = text(beliefsTemplate(any(view), 20e9, { betting: true, selected: 'b' }, () => {}));
  assert.doesNotMatch(betting, /must stop|may acquire/);
});

test('branches: none for one, the newest three and the current one, the rest in a list', () => {
  const branch = (/** @type {number} */ id) => ({ id, name: `run ${id}`, parent: id - 1, forkAt: 9e9, live: 20e9 });
  const view = (/** @type {number} */ n, current = 0) =>
    any({ branch: current, branches: Array.from({ length: n }, (_, id) => branch(id)) });
  const doNothing = () => {};
  assert.equal(text(branchesTemplate(view(1), doNothing, doNothing)), '');
  const five = branchesTemplate(view(5), doNothing, doNothing);
  assert.match(text(five), /Branches run 0 run 3 run 4 Other branches 2 more run 1 run 2 Tree…/);
  assert.equal(the(five, 'button[aria-pressed="false"]', 'run 3').title, 'Forks at 00:09.000, shown up to 00:20.000');
  /** @type {number[]} */
  const gone = [];
  all(
    branchesTemplate(view(2, 1), (id) => gone.push(id), doNothing),
    'button',
  )[0].click();
  assert.deepEqual(gone, [0]);
});

test('checks: the count of what is violated, and a way to the first breach', () => {
  const check = { number: 1, count: 0, severity: 'safety', figure: 'f' };
  const view = {
    cursor: at(20e9),
    checks: [
      { ...check, rule: 'one', state: 'violated', count: 2, first: at(9e9) },
      { ...check, rule: 'two', state: 'ok' },
    ],
    margin: { lastNs: -1e9, leastNs: 3e9 },
    failovers: { counts: [0, 2, 1], bestNs: 0, worstNs: 0 },
  };
  /** @type {unknown[]} */
  const gone = [];
  const template = checksTemplate(any(view), (cursor) => gone.push(cursor));
  assert.match(text(template), /1 rule is violated, no observations\./);
  assert.match(text(template), /safety margin now −1\.000 s – they may overlap/);
  assert.match(text(template), /✕ one violated, 2 times/);
  assert.match(text(template), /1 s 2 2 s 1/, 'seconds that no failover took are left out at the start');
  all(template, 'button')[0].click();
  assert.deepEqual(gone, [at(9e9)]);
  assert.equal(text(checksTemplate(null, () => {})), '');
});

test('why: the sum, the story, each a way to its instant; without a change a sentence', () => {
  /** @type {unknown[]} */
  const done = [];
  const on = {
    go: (/** @type {unknown} */ cursor) => done.push(cursor),
    close: () => done.push('close'),
    mark: (/** @type {unknown} */ i) => done.push(i),
  };
  const addends = [
    { shown: '13.000', ns: 13e9, text: 'one', cursor: at(33e9) },
    { shown: '1.000', ns: 1e9, text: 'two', cursor: at(34e9) },
  ];
  const why = {
    title: 'b led after 14 s',
    addends,
    story: [{ text: 'a crashes', cursor: at(20e9) }],
    surprise: 'Not 15 s.',
  };
  const template = whyTemplate(any(why), on);
  assert.match(
    text(template),
    /b led after 14 s × 13\.000 s 00:33\.000 one \+ 1\.000 s 00:34\.000 two What .* 00:20\.000 a crashes Not 15 s\./,
  );
  fire(all(template, 'tr')[1], 'pointerenter');
  for (const one of all(template, 'button')) one.click();
  assert.deepEqual(done, [1, 'close', at(33e9), at(34e9), at(20e9)]);
  assert.match(text(whyTemplate(null, on)), /Nothing to explain at this instant/);
});

test('the legend has three marks and leads to all of them, each drawn and said', () => {
  const called = /** @type {string[]} */ ([]);
  const legend = legendTemplate(
    () => called.push('close'),
    () => called.push('more'),
  );
  assert.equal(text(legend).match(/nobody leads|the time left|a request/g)?.length, 3);
  for (const one of all(legend, 'button')) one.click();
  assert.deepEqual(called, ['more', 'close']);
  const every = text(marksTemplate(MARKS));
  for (const mark of ['conflict', 'error', 'without an answer', 'paused', 'a fault begins', 'still works', 'two lead'])
    assert.match(every, new RegExp(mark));
  for (const { line, area, text: sign, means } of MARKS) assert.ok(line ?? area ?? sign, means);
});

test('each part of a sum says when it begins, and opens the event that explains it', () => {
  /** @type {unknown[]} */
  const gone = [];
  const parts = [
    { ns: 13e9, shown: '13.000', text: 'left on the countdown', from: 20e9, to: 33e9, cursor: at(18e9) },
    { ns: 1e9, shown: '1.000', text: 'until b tried again', from: 33e9, to: 34e9, cursor: at(34e9) },
  ];
  const template = sumTemplate(parts, '', { go: (cursor) => gone.push(cursor.t) });
  const buttons = all(template, 'button');
  assert.deepEqual(
    buttons.map((one) => the(one, '.time').textContent),
    ['00:20.000', '00:33.000'],
  );
  buttons[0].click();
  assert.deepEqual(gone, [18e9]);
});
