import assert from 'node:assert/strict';
import { test } from 'node:test';
import { svg } from 'lit-html';
import { each } from '../../lib/testsupport/calls.js';
import { isLit, placeOf } from './flight.js';
import { arcPath, fitsRing, link, stageGeometry } from './geometry.js';
import { hasLetterInside, registerRole } from './glyph.js';
import { byRole, ROLES, sentence, shortStatus, statusLine } from './words.js';

/** @typedef {import('../../protocol.js').Flight} Flight */
/** @typedef {import('../../protocol.js').NodeView} NodeView */

/** @param {Partial<Flight>} more @returns {Flight} */
const flight = (more) => ({ node: 0, seq: 1, verb: 'get', sent: 0, reaches: 10, outcome: '', ...more });

/** @param {Partial<NodeView>} more @returns {NodeView} */
const node = (more) => ({
  name: 'b',
  index: 1,
  role: 'following',
  roleWord: 'following',
  since: 0,
  believes: 'a leads',
  cut: '',
  paused: false,
  clockOffsetNs: 0,
  clockRatePpm: 1e6,
  wall: '00:00.000',
  ...more,
});

test('a message is where its instants put it', () => {
  assert.equal(placeOf(flight({}), -1), null);
  assert.deepEqual(placeOf(flight({}), 5), { at: 0.5, leg: 'up' });
  assert.deepEqual(placeOf(flight({}), 12), { at: 1, leg: 'server' });
  const answered = flight({ served: 10, returns: 30 });
  assert.deepEqual(placeOf(answered, 15), { at: 0.75, leg: 'down' });
  assert.deepEqual(placeOf(answered, 30), { at: 0, leg: 'done' });
});

test('a lost message stops at the cut, a hung one waits at the server', () => {
  assert.deepEqual(placeOf(flight({ lost: 'up' }), 9), { at: 0.5, leg: 'stopped' });
  assert.deepEqual(placeOf(flight({ served: 10, returns: 20, lost: 'down' }), 19), { at: 0.5, leg: 'stopped' });
  assert.deepEqual(placeOf(flight({ hangs: true }), 1e9), { at: 1, leg: 'server' });
});

test('a link stays lit for three tenths of the visitor’s second', () => {
  const f = flight({ ended: 1e9 });
  assert.equal(isLit(f, 1.29e9, 1), true);
  assert.equal(isLit(f, 1.31e9, 1), false);
  assert.equal(isLit(f, 2.19e9, 4), true);
  assert.equal(isLit(f, 1.007e9, 0.02), false);
});

test('every node has its own place, and links end outside the box', () => {
  for (const n of [1, 2, 3, 4, 6, 8]) {
    const g = stageGeometry(n, 260, 340);
    assert.equal(g.nodes.length, n);
    assert.equal(new Set(g.nodes.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`)).size, n);
    for (let i = 0; i < n; i++) {
      assert.ok(g.nodes[i].x - g.r >= 0 && g.nodes[i].x + g.r <= 260);
      const { to } = link(g, i);
      assert.ok(Math.abs(to.x - g.server.x) >= g.boxW / 2 - 0.1 || Math.abs(to.y - g.server.y) >= g.boxH / 2 - 0.1);
    }
  }
  assert.equal(fitsRing(3, 100), true);
  assert.equal(fitsRing(8, 260), true);
  assert.equal(fitsRing(8, 200), false);
  assert.equal(fitsRing(9, 2000), false);
});

test('an arc is empty, a part, or the whole ring', () => {
  assert.equal(arcPath(0, 0, 10, 0), '');
  assert.match(arcPath(0, 0, 10, 0.25), /A10 10 0 0 1 10\.00 -?0\.00$/);
  assert.ok(arcPath(0, 0, 10, 1).endsWith('Z'));
});

test('a node in words', () => {
  const leading = node({
    role: 'leading',
    roleWord: 'leading',
    countdown: { kind: 'mustStop', zeroAt: 12e9, fromNs: 12e9 },
  });
  assert.equal(sentence(leading, 0), 'b, leading, must stop in 12.0 s');
  const following = node({ countdown: { kind: 'mayTake', zeroAt: 1.29e9, fromNs: 15e9 } });
  assert.equal(statusLine(following, 0), 'may acquire in 1.2 s');
  assert.equal(statusLine(following, 2e9), 'may acquire now');
  assert.deepEqual([shortStatus(following, 0), shortStatus(following, 2e9)], ['1.2 s', 'now']);
  assert.equal(sentence(node({ role: 'down', roleWord: 'down', since: 1e9 }), 15.039e9), 'b, down, for 14.039 s');
  assert.equal(
    sentence(node({ cut: 'up', clockOffsetNs: 3600e9, wall: '01:00:00.000' }), 0),
    'b, following, requests cut, clock 01:00:00 (+1 h)',
  );
});

test('a role that only some runs have sorts after the others, once', () => {
  registerRole('serving', svg``, true);
  registerRole('serving', svg``, true);
  assert.equal(ROLES.filter((role) => role === 'serving').length, 1);
  assert.equal(hasLetterInside('serving'), true);
  const order = byRole([node({ name: 'api', role: 'serving' }), node({ name: 'c' }), node({ role: 'leading' })]);
  assert.deepEqual(each(order, 'role'), ['leading', 'following', 'serving']);
});
