import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, browser, button, text } from '#dom';
import { NodeGrid } from './grid.js';

/**
 * The grid of this many nodes.
 * @param {number} count
 * @param {{selected?: string, total?: number, name?: (i: number) => string}} [how]
 */
function grid(count, { selected, total = count, name = (i) => `node-${i}` } = {}) {
  const { at } = browser();
  const root = at('grid');
  /** @type {string[]} */
  const chosen = [];
  const nodes = Array.from({ length: count }, (_, i) => ({
    name: name(i),
    index: i,
    role: i === 7 ? 'leading' : 'following',
    roleWord: 'following',
    cut: '',
    clockOffsetNs: 0,
    clockRatePpm: 1e6,
  }));
  const view = { nodes, nodesTotal: total, lease: { name: 'demo', exists: true, holder: 'node-7', version: 3 } };
  const props = { view, now: 0, speed: 1, selection: selected ? { kind: 'node', node: selected } : null };
  new NodeGrid(/** @type {any} */ (root), (one) => chosen.push(one)).update(/** @type {any} */ (props));
  return { root, chosen, cells: () => all(root, 'button') };
}

test('the leader comes first, and every role is counted', () => {
  const { root, cells } = grid(20);
  assert.match(text(root), /Lease demo: node-7 · v3 1 leading · 19 following/);
  assert.equal(cells()[0].getAttribute('data-node'), 'node-7');
});

test('what all names begin with is left out of the cells', () => {
  assert.equal(text(grid(20).cells()[1]), '0');
  const { cells } = grid(20, { name: (i) => (i ? `node-${i}` : 'odd') });
  assert.equal(text(cells()[2]), 'node-1');
});

test('of very many nodes the first are shown, the selected one among them, and the rest is counted', () => {
  const { root, cells } = grid(200, { selected: 'node-199', total: 10_000 });
  assert.equal(cells().length, 120);
  assert.equal(cells().at(-1)?.getAttribute('data-node'), 'node-199');
  assert.equal(cells().filter((one) => one.getAttribute('aria-pressed') === 'true').length, 1);
  assert.match(text(root), /\(of 200 shown\)/);
  assert.match(text(root), /and 9,880 more/);
});

test('a cell selects its node', () => {
  const { root, chosen } = grid(20);
  button(root, /^node-3,/).click();
  assert.deepEqual(chosen, ['node-3']);
});
