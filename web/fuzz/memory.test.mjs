/**
 * The engine's memory has a bound, 160 MiB: a run computed to its end with seeks, forks, acts and comparisons on the
 * way, and a random session. MEMORY_DAYS says how long the run is (at most 90), MEMORY_STEPS how many steps the session
 * has, SEED which.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios, startEngine } from './engine.mjs';
import { randomOf } from './mutate.mjs';

const LIMIT = 160;
const DAY = 86400e9;
const seed = Number(process.env.SEED ?? 20261122);
const days = Number(process.env.MEMORY_DAYS ?? 2);
const steps = Number(process.env.MEMORY_STEPS ?? 200);

/** @typedef {import('./engine.mjs').FuzzEngine} FuzzEngine */

/** @param {FuzzEngine} engine @param {string} op @param {any} [params] */
function done(engine, op, params) {
  const reply = engine.finish(engine.ask(op, params));
  assert.ok(reply.ok, `${op} ${JSON.stringify(params)}: ${reply.error?.message}`);
  return reply.result;
}

/** What the page asks wherever it looks. @param {FuzzEngine} engine @param {number} t */
function look(engine, t) {
  done(engine, 'seek', { cursor: { t, n: -1 } });
  const around = { from: Math.max(0, t - 30e9), to: t + 30e9, widthPx: 1000 };
  for (const params of [around, { from: 0, to: days * DAY, widthPx: 1000 }]) engine.ask('timeline', params);
  engine.ask('events', { count: 60 });
  engine.ask('object', {});
}

test(`a run of ${days} days, with seeks, forks and comparisons on the way, SEED=${seed}`, async (t) => {
  const engine = await startEngine();
  const random = randomOf(seed);
  const leader = { ...scenarios.find(({ name }) => name === 'a-leader-dies'), expect: undefined };
  /** @type {string[]} */
  const peaks = [];
  const say = (/** @type {string} */ what) => {
    peaks.push(`${what} ${engine.mebibytes().toFixed(0)}`);
    assert.ok(engine.mebibytes() <= LIMIT, `MiB: ${peaks.join(', ')}`);
  };
  const anywhere = (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) look(engine, Math.floor((random.integer(1e6) / 1e6) * days * DAY));
  };
  done(engine, 'open', { scenario: { ...leader, name: 'long', duration: `${days * 24}h` } });
  for (let part = 1; part <= 6; part++) {
    let reply = engine.ask('runTo', { what: 'end' });
    while (reply.result?.done === false && reply.result.at < (part / 6) * days * DAY) reply = engine.ask('goOn');
    done(engine, 'pause');
  }
  done(engine, 'runTo', { what: 'end' });
  say('at its end');
  anywhere(50);
  say('50 seeks');
  for (const [fork, share] of [0.9, 0.7, 0.5, 0.3].entries()) {
    look(engine, Math.floor(share * days * DAY));
    done(engine, 'branch', { branch: 0, do: 'fork', name: `fork ${fork}` });
    done(engine, 'act', { act: 'crash', node: 'b' });
    done(engine, 'runTo', { what: 'end' });
    anywhere(10);
    say(`fork ${fork}`);
  }
  const sides = [
    [{ branch: 0 }, { branch: 1 }],
    [{ branch: 3 }, { branch: 0, seed: 99 }],
    [
      { branch: 0, seed: 97 },
      { branch: 0, seed: 98 },
    ],
  ];
  for (const [a, b] of sides) {
    assert.ok(done(engine, 'compare', { a, b }).totals);
    say('compared');
  }
  done(engine, 'branch', { branch: 0 });
  done(engine, 'edit', { path: 'elector.retryPeriod', value: '1900ms', mode: 'rerun' });
  done(engine, 'runTo', { what: 'end' });
  anywhere(50);
  say('run again');
  done(engine, 'undo');
  done(engine, 'redo');
  say('undone, redone');
  t.diagnostic(`MiB of ${LIMIT}: ${peaks.join(', ')}`);
});

test(`a session of ${steps} steps at random, SEED=${seed}`, async (t) => {
  const engine = await startEngine();
  const random = randomOf(seed + 5);
  const names = scenarios.map(({ name }) => name);
  let view = done(engine, 'open', { scenario: 'a-leader-dies', cursor: { t: 30e9, n: -1 } });
  const node = () => random.pick(view.nodes).name;
  /** @type {[string, () => any][]} */
  const menu = [
    ['open', () => ({ scenario: random.pick(names) })],
    ['runTo', () => ({ what: random.pick(['end', 'leaderChange', 'violation']) })],
    ['seek', () => ({ cursor: { t: random.integer(view.live.t + 1), n: -1 } })],
    ['seek', () => ({ cursor: { t: random.integer(view.live.t + 1), n: -1 } })],
    ['step', () => ({ direction: random.pick([1, -1]), unit: random.pick(['event', 'landmark']) })],
    ['act', () => ({ act: random.pick(['crash', 'restart', 'cut', 'heal', 'stop', 'pauseNode']), node: node() })],
    ['act', () => ({ act: 'add' })],
    ['edit', () => ({ path: 'elector.retryPeriod', value: `${1 + random.integer(2000)}ms`, mode: 'rerun' })],
    ['branch', () => ({ branch: random.pick(view.branches).id, do: random.pick(['', 'fork', 'delete']), name: 'x' })],
    ['undo', () => undefined],
    ['redo', () => undefined],
    ['compare', () => ({ a: { branch: view.branch }, b: { scenario: random.pick(names) } })],
    ['whatIf', () => ({ kind: 'change', number: 1 })],
    ['reroll', () => ({ kind: 'change', number: 1, runs: 20, points: 3 })],
    ['sweep', () => ({ patch: [], after: 0, first: 1, count: 20 })],
    ['rest', () => ({ method: 'GET', target: '/apis/coordination.k8s.io/v1/leases' })],
  ];
  let most = 0;
  let taken = 0;
  for (let i = 0; i < steps; i++) {
    const [op, params] = random.pick(i % 40 === 0 ? menu : menu.slice(1));
    const reply = engine.finish(engine.ask(op, params()));
    assert.notEqual(
      reply.error?.code,
      'panic',
      `step ${i}, ${op}: ${reply.error?.message}\n${reply.error?.stack ?? ''}`,
    );
    if (reply.ok) taken++;
    if (reply.ok && reply.result && 'nodes' in reply.result) view = reply.result;
    look(engine, random.integer(view.live.t + 1));
    most = Math.max(most, engine.mebibytes());
    assert.ok(most <= LIMIT, `step ${i}, ${op}: ${most} MiB`);
  }
  t.diagnostic(`${steps} steps, ${taken} of them taken, ${most.toFixed(0)} MiB of ${LIMIT}, seed ${seed}`);
});
