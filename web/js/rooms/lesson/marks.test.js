import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, fire, the } from '#dom';
import { Frames } from '../../lib/frames.js';
import { geometry } from '../../page/timeline/geometry.js';
import { makeScale, toX } from '../../page/timeline/viewport.js';
import { aLeaderDies } from './lesson.testsupport.js';
import { LessonMarks, lookAt, marksOf } from './marks.js';
import { newProgress } from './progress.js';

const view = { live: { t: 20e9, n: -1 }, end: 300e9 };
const why = /** @type {any} */ ({
  change: { at: 34e9, leaderlessNs: 14e9, to: 'b' },
  counts: [],
  rules: {},
  lookedAt: 33e9,
});
const step = (/** @type {string} */ kind) => aLeaderDies.steps.findIndex((one) => one.kind === kind);
/** @param {object} now @param {any} [cause] */
const marks = (now, cause = null) => marksOf(aLeaderDies, { ...newProgress(), ...now }, cause, view);

test('the bet can be placed from the live instant on, once, and only in the lesson’s own run', () => {
  assert.deepEqual(marks({ step: step('bet'), acted: 1 }), {
    look: aLeaderDies.steps[step('bet')].look,
    betting: true,
    bet: null,
    truth: null,
    live: 20e9,
    end: 300e9,
  });
  assert.equal(marks({ step: step('bet'), placed: 'bet', bet: 30e9 }).betting, false);
  assert.equal(marks({ step: step('bet'), strayed: 'Pause b' }).betting, false);
});

test('what really happened is marked once it has been shown, beside the bet', () => {
  const now = { step: step('see'), acted: 1, placed: 'bet', bet: 30e9 };
  assert.equal(marks(now, why).truth, null);
  const seen = marks({ ...now, seen: true }, why);
  assert.deepEqual([seen.bet, seen.truth], [30e9, { at: 34e9, who: 'b' }]);
  assert.equal(marks({ ...now, placed: 'none', seen: true }, why).bet, null, 'no bet was placed');
});

test('the question at the end shows neither, and an act that is done needs no look', () => {
  const now = { acted: 1, placed: 'bet', bet: 30e9, seen: true };
  const asked = marks({ ...now, step: step('transfer') }, why);
  assert.deepEqual([asked.bet, asked.truth], [null, null]);
  assert.equal(marks({ step: step('act'), acted: 1 }).look, undefined);
});

/** The marks over a timeline of 40 s, and the bets that the pointer has placed. */
function layer() {
  const page = browser();
  const timeline = page.at('timeline');
  const g = geometry({ width: 900, height: 600, lanes: 3, narrow: false });
  const layout = {
    scale: makeScale({ from: 10e9, to: 50e9 }, 100, 780),
    g,
    lanes: [
      { node: 'a', y: 60 },
      { node: 'b', y: 148 },
    ],
  };
  /** @type {number[]} */
  const bets = [];
  /** @type {unknown[][]} */
  const flags = [];
  const it = new LessonMarks(
    /** @type {any} */ (timeline),
    /** @type {any} */ ({
      layout,
      frames: new Frames(),
      flag: (/** @type {number[]} */ at, /** @type {{w: number}[]} */ words) =>
        flags.push([at, words.map(({ w }) => w > 0)]),
    }),
    (t) => bets.push(t),
  );
  const root = timeline.firstElementChild;
  const part = (/** @type {string} */ name) => the(root, `.lesson-${name}`);
  part('area').hasPointerCapture = () => true;
  const show = (/** @type {object} */ more) => {
    it.update({ look: undefined, betting: false, bet: null, truth: null, live: 20e9, end: 120e9, ...more });
    page.frame();
  };
  const x = (/** @type {number} */ t) => toX(layout.scale, t);
  const press = (/** @type {string} */ type, /** @type {number} */ clientX, more = {}) =>
    fire(part('area'), type, { clientX, pointerId: 1, pointerType: 'mouse', button: 0, ...more });
  return { ...page, it, lane: g.lane, root, part, show, x, press, bets, flags, timeline };
}

test('while a bet can be placed a curtain lies over what was not shown yet', () => {
  const { show, part, x } = layer();
  show({ betting: true });
  assert.deepEqual([part('curtain').hidden, part('area').hidden], [false, false]);
  assert.match(part('curtain').style.getPropertyValue('transform'), new RegExp(`^translate\\(${x(20e9)}px`));
  show({ bet: 30e9 });
  assert.deepEqual([part('curtain').hidden, part('area').hidden], [true, true]);
});

test('a press puts the bet to a tenth of a second, within what can be bet', () => {
  const { show, press, bets, x } = layer();
  show({ betting: true, bet: 40e9 });
  press('pointerdown', x(30.04e9));
  press('pointermove', x(31.46e9));
  press('pointermove', x(5e9));
  press('pointerdown', x(30e9), { button: 2 });
  assert.deepEqual(bets, [30e9, 31.5e9, 20e9]);
});

test('touching the flag does not move it; a drag moves it by what it is dragged', () => {
  const { show, press, bets, x } = layer();
  show({ betting: true, bet: 30e9 });
  press('pointerdown', x(30e9) + 10);
  assert.deepEqual(bets, []);
  press('pointermove', x(35e9) + 10);
  assert.deepEqual(bets, [35e9]);
});

test('the bet and the truth have a flag each, and the miss between them a bar', () => {
  const { show, part, x, flags } = layer();
  show({ bet: 30e9, truth: { at: 34.039e9, who: 'b' } });
  assert.deepEqual(
    flags,
    [
      [
        [30e9, 34.039e9],
        [true, true],
      ],
    ],
    'the ruler has no room for words where theirs are',
  );
  assert.equal(part('flag').firstElementChild.textContent, 'you: 00:30.000');
  assert.equal(part('truth').firstElementChild.textContent, 'b leads 00:34.039');
  assert.equal(part('miss').hidden, false);
  assert.equal(part('miss').style.getPropertyValue('inline-size'), `${x(34.039e9) - x(30e9)}px`);
  show({ bet: 34.039e9, truth: { at: 34.039e9, who: 'b' } });
  assert.equal(part('miss').hidden, true, 'there is none');
  show({ bet: 99e9 });
  assert.equal(part('flag').firstElementChild.textContent, 'you: 01:39.000 ›', 'beyond the screen');
  assert.deepEqual(flags.at(-1), [[99e9], [true, false]]);
});

test('the place to look at is framed: the requests or the ramp of a lane, up to where the run is live', () => {
  const { show, part, lane } = layer();
  const frame = (/** @type {string} */ region, /** @type {string} */ node) => {
    show({ look: { region, node } });
    if (part('look').hidden) return [];
    const { style } = part('look');
    const top = Number(/, ([\d.]+)px/.exec(style.getPropertyValue('transform'))?.[1]);
    return [top, top + Number.parseFloat(style.getPropertyValue('block-size'))];
  };
  const { ramp, base, tick, tall } = lane;
  const [top, foot] = frame('ticks', 'a');
  assert.ok(top > 60 + base - 5 && top <= 60 + tick && foot >= 60 + tick + tall, 'around the requests under the base');
  assert.deepEqual(frame('slope', 'a'), [60 + ramp - 4, 60 + base + 3], 'around the ramp');
  assert.deepEqual(frame('ticks', 'b'), [top + 88, foot + 88]);
  assert.deepEqual(frame('ticks', 'nobody'), []);
});

test('they go with the lesson, and the region of the page is marked for the styles', () => {
  const { it, timeline, root: marksRoot, document } = layer();
  it.remove();
  assert.equal(timeline.contains(marksRoot), false);
  lookAt('stage');
  assert.equal(document.documentElement.dataset.look, 'stage');
});
