import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressText, seedsOf } from './form.js';
import { Heat } from './heat.js';
import { cellLabel, cellText, entryOf, hiddenOverlaps, moveTo, roundDown, shades } from './map.js';
import { Refusal, Stopped } from './pool.js';
import { csvOf } from './save.js';

/** @import { HeatPlan, HeatStudy, Measure } from '../../protocol.js' */

const measure = /** @type {Measure} */ ({ id: 'gap', label: 'Gap', unit: 's', alarm: false, least: false });
const plan = /** @type {HeatPlan} */ ({
  x: ['10s', '15s'],
  y: ['5s', '10s'],
  refused: [{ cell: 2, rule: 'elector.renewDeadline "10s" must be shorter' }],
  measures: [measure],
  presets: [{ name: 'client-go', says: '15/10/2', cell: 3 }],
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
    if (op === 'heatRuns') return { runs: [], bins: [], figures: [] };
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
  const heat = new Heat(/** @type {any} */ (pool), () => {
    ms += 10;
    return ms;
  });
  return { pool, heat };
}

test('every cell has a first picture of two runs, then its whole seeds; refused cells have none', async () => {
  const { pool, heat } = begun();
  await heat.start(study);
  assert.equal(heat.status.value, 'done');
  const asked = pool.asked.filter(({ op }) => op === 'heatCells').map(({ params }) => [params.seeds, ...params.cells]);
  assert.deepEqual(asked[0], [2, 0, 1, 3]);
  const later = asked.slice(1).flatMap(([seeds, ...cells]) => (seeds === 10 ? cells : ['?']));
  assert.deepEqual(later, [0, 1, 3]);
  assert.deepEqual([heat.total, heat.runs], [30, 30]);
  assert.equal(heat.cells[2], undefined);
  assert.equal(heat.cells[3]?.runs, 10);
  assert.ok(heat.pace.rate > 0);
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

test('a refused study says why; one that was stopped says nothing', async () => {
  const { pool, heat } = begun();
  pool.refusal = new Refusal({ code: 'input', message: 'needs values', path: 'y' });
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

test('shades go from the best to the worst; a broken promise has one as soon as it is not 0', () => {
  assert.deepEqual(shades([10, undefined, 20, 15], measure), [0, undefined, 8, 4]);
  assert.deepEqual(shades([5, 5], measure), [0, 0]);
  assert.deepEqual(shades([0, 0.1, 100], { ...measure, alarm: true }), [0, 1, 8]);
  assert.deepEqual(shades([0, 100], { ...measure, least: true }), [8, 0]);
});

test('a cell says its values, its figure, its preset, or why it is refused', () => {
  const paths = { x: study.x.path, y: study.y.path };
  const cells = [undefined, undefined, undefined, { cell: 3, runs: 10, values: [14.04], atLeast: [false], row: {} }];
  const shown = { plan, cells, seeds: 10, paths, measure, index: 0, chosen: -1 };
  assert.equal(cellLabel(shown, 3, undefined), 'leaseDuration 15s, renewDeadline 10s, client-go: 14.0 s, 10 runs');
  assert.match(cellLabel(shown, 2, plan.refused[0].rule), /^leaseDuration 10s, renewDeadline 10s: refused, elector/);
  assert.equal(cellLabel(shown, 0, undefined), 'leaseDuration 10s, renewDeadline 5s: not run yet');
  const bound = { ...shown, cells: [{ cell: 0, runs: 10, values: [59.98], atLeast: [true], row: {} }] };
  assert.equal(cellLabel(bound, 0, undefined), 'leaseDuration 10s, renewDeadline 5s: at least 59 s, 10 runs');
  assert.deepEqual([roundDown(9.79), roundDown(59.98)], ['9.7', '59']);
  assert.deepEqual([cellText(0), cellText(0.256), cellText(14.04), cellText(137.4)], ['0', '0.26', '14.0', '137']);
});

test('a map of gaps says in how many cells two lead', () => {
  const two = /** @type {Measure} */ ({ ...measure, id: 'two', alarm: true });
  const both = { ...plan, measures: [measure, two] };
  const cells = [0, 4, undefined, 100].map((share, cell) =>
    share === undefined ? undefined : { cell, runs: 10, values: [0, share], atLeast: [false, false], row: {} },
  );
  assert.equal(hiddenOverlaps({ plan: both, cells, measure }), 2);
  assert.equal(hiddenOverlaps({ plan: both, cells, measure: two }), 0, 'this map shows them');
  assert.equal(hiddenOverlaps({ plan, cells, measure }), 0);
});

test('keys come into a map at a preset, else at a cell with runs', () => {
  assert.equal(entryOf(plan), 3);
  const refused = [0, 1].map((cell) => ({ cell, rule: 'refused' }));
  assert.equal(entryOf({ ...plan, refused, presets: [{ ...plan.presets[0], cell: -1 }] }), 2);
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

test('progress says the rate and the time left', () => {
  const pace = { rate: 3100, left: 2.45 };
  assert.equal(progressText(0, 20_000, { rate: 0, left: Number.NaN }, 'running'), '0 of 20,000 runs: a first picture…');
  assert.equal(progressText(12_400, 20_000, pace, 'running'), '12,400 of 20,000 runs, 3,100 a second, 2.5 s left');
  assert.equal(
    progressText(12_400, 20_000, { rate: 3100, left: 200 }, 'running'),
    '12,400 of 20,000 runs, 3,100 a second, 3 min left',
  );
  assert.equal(progressText(20_000, 20_000, pace, 'done'), '20,000 of 20,000 runs, 3,100 a second');
  assert.equal(progressText(400, 20_000, pace, 'stopped'), 'Stopped: 400 of 20,000 runs. The results so far stay.');
  assert.equal(progressText(400, 20_000, pace, 'paused'), 'Paused: 400 of 20,000 runs');
  assert.equal(progressText(0, 0, pace, 'planning'), 'Reading the study…');
});
