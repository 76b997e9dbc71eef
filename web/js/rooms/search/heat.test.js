import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../lib/engineerror.js';
import { answerOf } from './answer.js';
import { coverOf, pick, usualValues, valuesText } from './axis.js';
import { seedsOf } from './form.js';
import { Heat } from './heat.js';
import { HeatPanel } from './heatpanel.js';
import { cellLabel, cellText, entryOf, moveTo, roundDown, shades } from './map.js';
import { Stopped } from './pool.js';
import { csvOf } from './save.js';

/** @import { HeatPlan, HeatStudy, Measure } from '../../protocol.js' */

const measure = /** @type {Measure} */ ({ id: 'gap', label: 'Gap', unit: 's', alarm: false, least: false });
const plan = /** @type {HeatPlan} */ ({
  x: ['10s', '15s'],
  y: ['5s', '10s'],
  refused: [{ cell: 2, rule: 'elector.renewDeadline "10s" must be shorter' }],
  measures: [measure],
  presets: [{ name: 'client-go', cell: 3 }],
  command: 'leaselab sweep crash',
});
const study = /** @type {HeatStudy} */ ({
  scenario: 'crash',
  x: { path: 'elector.leaseDuration', values: '10s,15s' },
  y: { path: 'elector.renewDeadline', values: '5s,10s' },
  first: 1,
  seeds: 10,
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A pool that answers requests for cells at once, or later. */
class FakePool {
  size = 2;
  /** @type {{op: string, params: any}[]} */
  asked = [];
  /** @type {(() => void)[]} */
  waiting = [];
  holds = false;
  stops = 0;
  /** @type {Error | undefined} */
  refusal;

  /** @param {string} op @param {any} params @returns {Promise<any>} */
  async ask(op, params) {
    this.asked.push({ op, params });
    if (this.refusal) throw this.refusal;
    if (op === 'heatPlan') return plan;
    if (op === 'heatRuns')
      return { runs: params.seeds > 2 ? [{ seed: 9 }, { seed: 1 }] : [{ seed: 1 }], bins: [], figures: [] };
    if (op === 'heatOpen') return params.seed;
    if (op === 'heatFields') return { fields: [] };
    if (this.holds) await /** @type {Promise<void>} */ (new Promise((resolve) => this.waiting.push(resolve)));
    const row = { set: {}, runs: params.seeds };
    return {
      cells: params.cells.map((/** @type {number} */ cell) => ({
        cell,
        runs: params.seeds,
        values: [cell + params.seeds / 100],
        atLeast: [false],
        row,
      })),
    };
  }

  stop() {
    this.stops++;
  }
}

function begun() {
  const pool = new FakePool();
  let ms = 0;
  const now = () => {
    ms += 10;
    return ms;
  };
  const heat = new Heat(/** @type {any} */ (pool), () => 3, now);
  return { pool, heat };
}

test('every cell has a first picture of two runs, the own cell first, then all; refused cells have none', async () => {
  const { pool, heat } = begun();
  await heat.start(study);
  assert.equal(heat.status.value, 'done');
  const asked = pool.asked.filter(({ op }) => op === 'heatCells').map(({ params }) => [params.seeds, ...params.cells]);
  assert.deepEqual(asked[0], [2, 3, 0, 1]);
  const later = asked.slice(1).flatMap(([seeds, ...cells]) => (seeds === 10 ? cells : ['?']));
  assert.deepEqual(later, [3, 0, 1]);
  assert.deepEqual([heat.total, heat.runs], [30, 30]);
  assert.equal(heat.cells[2], undefined);
  assert.equal(heat.cells[3]?.runs, 10);
  assert.ok(heat.progress.rate > 0);
});

test('pause and resume: nothing is asked between them, and nothing is asked twice', async () => {
  const { pool, heat } = begun();
  pool.holds = true;
  const done = heat.start(study);
  await settle();
  heat.pause();
  for (const go of pool.waiting.splice(0)) go();
  await done;
  const before = pool.asked.length;
  assert.equal(heat.status.value, 'paused');
  pool.holds = false;
  await heat.resume();
  assert.equal(heat.status.value, 'done');
  assert.ok(pool.asked.length > before);
  assert.equal(heat.runs, 30);
});

test('resumed while answers of before the pause are still to come: it ends with the last of them, drawn', async () => {
  const { pool, heat } = begun();
  pool.holds = true;
  heat.start({ ...study, seeds: 4 });
  await settle();
  heat.pause();
  heat.resume();
  await settle();
  const [first, ...others] = pool.waiting.splice(0);
  for (const go of others) go();
  await settle();
  for (const go of pool.waiting.splice(0)) go();
  await settle();
  assert.equal(heat.status.value, 'running', 'an answer is still to come');
  first();
  await settle();
  assert.deepEqual([heat.status.value, heat.runs, heat.total], ['done', 12, 12]);
});

test('stop keeps what was found, and drops answers that come later', async () => {
  const { pool, heat } = begun();
  pool.holds = true;
  heat.start(study);
  await settle();
  pool.waiting.shift()?.();
  await settle();
  assert.equal(heat.cells[0]?.runs, 2);
  heat.stop();
  assert.deepEqual([heat.status.value, pool.stops], ['stopped', 1]);
  for (const go of pool.waiting.splice(0)) go();
  await settle();
  assert.deepEqual([heat.cells[0]?.runs, heat.runs], [2, 0]);
});

test('a cell chosen on the first picture shows its worst runs again once all are made', async () => {
  const pool = new FakePool();
  pool.holds = true;
  const subjects = { document: { name: 'crash' } };
  const panel = new HeatPanel(/** @type {any} */ ({ pool, subjects }));
  const done = panel.ask();
  await settle();
  for (const go of pool.waiting.splice(0)) go();
  await settle();
  const early = panel.heat.cells.findLastIndex((cell) => cell?.runs === 2);
  await panel.choose(early);
  assert.deepEqual(panel.drawn.value, { 1: 1 });
  pool.holds = false;
  for (const go of pool.waiting.splice(0)) go();
  await done;
  await settle();
  assert.deepEqual([panel.chosen.value, panel.heat.detail.value?.runs, panel.drawn.value], [early, 60, { 1: 1, 9: 9 }]);
  await panel.start();
  await settle();
  assert.equal(panel.chosen.value, 3, 'a new map begins with its worst cell');
});

test('a refused study says why; one that was stopped says nothing', async () => {
  const { pool, heat } = begun();
  pool.refusal = new EngineError({ code: 'input', message: 'needs values', path: 'y' });
  await heat.start(study);
  assert.deepEqual([heat.error.value, heat.status.value], [{ message: 'needs values', path: 'y' }, '']);
  pool.refusal = new Stopped('Stopped.');
  await heat.start(study);
  assert.equal(heat.error.value, null);
});

test('a cell shows as many runs as it has', async () => {
  const { pool, heat } = begun();
  await heat.start(study);
  await heat.show(3, 'gap');
  assert.deepEqual(pool.asked.at(-1)?.params, { study, cell: 3, seeds: 10, measure: 'gap' });
  assert.ok(heat.detail.value?.detail);
  await heat.show(2, 'gap');
  assert.equal(heat.detail.value?.detail, null);
});

test('colors go from the best to the worst; of violations, from none', () => {
  assert.deepEqual(shades([10, undefined, 20, 15], measure), [0, undefined, 1, 0.5]);
  assert.deepEqual(shades([5, 5], measure), [0, 0]);
  assert.deepEqual(shades([5, 10], { ...measure, alarm: true }), [0.5, 1]);
  assert.deepEqual(shades([0, 100], { ...measure, least: true }), [1, 0]);
});

const shown = {
  plan,
  cells: [undefined, undefined, undefined, { cell: 3, runs: 10, values: [14.04], atLeast: [false], row: {} }],
  seeds: 10,
  fields: {
    x: { path: 'elector.leaseDuration', label: 'Followers wait' },
    y: { path: 'elector.renewDeadline', label: 'Leader gives up after' },
  },
  measure,
  index: 0,
  own: 3,
  chosen: -1,
};

test('a cell says its values, its figure, its preset, or why it is refused', () => {
  assert.equal(
    cellLabel(shown, 3, undefined),
    'Lease 15 s, give up after 10 s, your settings, client-go: 14.0 s, 10 runs',
  );
  assert.match(cellLabel(shown, 2, plan.refused[0].rule), /^Lease 10 s, give up after 10 s: refused, elector/);
  assert.equal(cellLabel(shown, 0, undefined), 'Lease 10 s, give up after 5 s: not run yet');
  const bound = { ...shown, cells: [{ cell: 0, runs: 10, values: [59.98], atLeast: [true], row: {} }] };
  assert.equal(cellLabel(bound, 0, undefined), 'Lease 10 s, give up after 5 s: at least 59 s, 10 runs');
  assert.deepEqual([roundDown(9.79), roundDown(59.98)], ['9.7', '59']);
  assert.deepEqual([0, 0.256, 5.76, 14.04, 137.4].map(cellText), ['0', '0.26', '5.8', '14.0', '137']);
});

test('the answer of a map comes from its figures', () => {
  const two = /** @type {Measure} */ ({ id: 'doubleMax', label: 'Longest', unit: 's', alarm: true, least: false });
  const share = { ...two, id: 'two', unit: '%' };
  /** @param {(number | undefined)[]} values by cell: seconds with two leaders @param {number} own */
  const answer = (values, own, columns = ['10s', '15s']) => {
    const cells = values.map((value, cell) =>
      value === undefined
        ? undefined
        : { cell, runs: 10, values: [value, value > 0 ? 100 : 0], atLeast: [false, false], row: {} },
    );
    const both = { ...plan, x: columns, measures: [two, share] };
    return answerOf({ ...shown, plan: both, measure: two, cells, own }, 'Crash');
  };
  assert.equal(answer([], 0), undefined, 'before the first figure');
  assert.equal(answer([1, 2, undefined, 3], 3)?.title, 'No setting on this map avoids two leaders');
  assert.equal(answer([0, 0, undefined, 0], 3)?.title, 'No setting here has two leaders');
  assert.equal(answer([1, 0, undefined, 0], 3)?.title, 'Your settings avoid two leaders');
  assert.equal(answer([5, 0], 0)?.title, 'Lease 15 s, give up after 5 s: no two leaders');
  assert.deepEqual(answer([5, 4, 0], 0, ['10s', '15s', '45s']), {
    title: 'No setting near yours avoids two leaders',
    sub:
      'Crash. 3 settings, 10 runs each. With your settings two led in all 10 runs. ' +
      'Never at “Followers wait” 45 s or more.',
  });
  const gap = answerOf({ ...shown, measure: { ...measure, id: 'leaderlessMax' } }, 'Crash.');
  assert.deepEqual(gap, {
    title: 'Nobody leads for up to 14.0 s with your settings',
    sub: 'Crash. 1 setting, 10 runs each. The same everywhere: 14.0 s.',
  });
});

test('keys come into a map at the own cell, else at a cell with runs', () => {
  assert.equal(entryOf(shown), 3);
  const refused = [0, 1].map((cell) => ({ cell, rule: 'refused' }));
  assert.equal(entryOf({ plan: { ...plan, refused }, own: -1 }), 2);
});

test('the values of a first map are round, and the own value is one of them', () => {
  const values = ['5s', '6s', '8s', '10s', '12s', '15s', '20s', '25s', '30s', '40s', '50s', '1m0s'];
  const field = { path: 'elector.leaseDuration', label: '', now: '15s', values };
  assert.equal(usualValues(field, 2), '10s,15s,20s,30s,40s,1m0s');
  assert.deepEqual(pick(values, '8s', 3), ['8s', '20s', '1m0s'], 'it replaces the nearest');
  assert.deepEqual(
    [coverOf(field, '10s,20s,60s'), coverOf(field, '8s..30s/1s'), coverOf(field, '7s')],
    [
      [3, 11],
      [2, 8],
      [0, 11],
    ],
  );
  assert.deepEqual(
    [valuesText(['5s', '1m20s']), valuesText(['5ms', '2s']), valuesText(['true'])],
    ['5, 80 s', '5 ms, 2 s', 'true'],
  );
});

test('arrow keys move over the cells: up is a larger value, and the borders hold', () => {
  assert.deepEqual(
    ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'End', 'PageUp', 'a'].map((key) => moveTo(key, 0, 3, 2)),
    [3, 1, 0, 0, 2, 3, undefined],
  );
});

test('the map as CSV has refused cells with the reason, and leaves out what was not run', () => {
  const paths = { x: study.x.path, y: study.y.path };
  const cells = [undefined, { cell: 1, runs: 10, values: [14.04], atLeast: [true], row: { set: {}, runs: 10 } }];
  assert.equal(
    csvOf(plan, cells, paths),
    'elector.renewDeadline,elector.leaseDuration,runs,gap,atLeast,refused\n5s,15s,10,14.04,gap,\n10s,10s,' +
      '0,,,"elector.renewDeadline ""10s"" must be shorter"\n',
  );
});

test('seeds are a whole number above 0, commas allowed', () => {
  assert.deepEqual(['50', '100,000', '1e3'].map(seedsOf), [50, 100_000, 1000]);
  for (const wrong of ['', ',', 'abc', '0', '-3', '1.5', '1e30']) assert.equal(seedsOf(wrong), undefined, wrong);
});
