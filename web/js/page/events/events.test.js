import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, text, the } from '../../lib/testsupport/template.js';
import { eventsTemplate, WINDOW } from './events.js';

const row = (/** @type {number} */ i) => ({
  t: i * 1e9,
  n: 1,
  index: 0,
  node: i % 2 ? 'a' : '',
  kind: 'leads',
  text: `event ${i}.`,
  detail: '',
});
/** A window of the list. @param {number} from @param {number} total @param {number} [at] */
const events = (from, total, at = -1) =>
  /** @type {any} */ ({
    run: 1,
    total,
    from,
    at,
    rows: Array.from({ length: Math.min(WINDOW, total - from) }, (_, i) => row(from + i)),
  });

/** The panel, and what its controls did. @param {any} list @param {object} [more] */
function panel(list, more = {}) {
  /** @type {unknown[][]} */
  const done = [];
  const write = (/** @type {string} */ name) => (/** @type {unknown} */ one) => done.push([name, one]);
  const on = { select: write('select'), filter: write('filter'), node: write('node'), scrollTo: write('scrollTo') };
  const view = /** @type {any} */ ({ nodes: [{ name: 'a' }, { name: 'b' }] });
  const drawn = eventsTemplate(view, list, { filter: '', node: '', rowPx: 28, key: '/', shortcut: '/', ...more }, on);
  return { drawn, done };
}

test('a row stands where it is in the whole list, and says so', () => {
  const { drawn, done } = panel(events(100, 400, 101));
  assert.equal(all(drawn, 'li').length, WINDOW);
  const [first, second] = all(drawn, 'li');
  assert.match(first.attributes.style, /^top:2800px/);
  assert.deepEqual([first.attributes['aria-posinset'], first.attributes['aria-setsize']], [101, 400]);
  assert.deepEqual([first.attributes['data-current'], second.attributes['data-current']], ['false', 'true']);
  assert.match(text(drawn), /400 so far/);
  button(drawn, /event 101\./).click();
  assert.deepEqual(done, [['select', row(101)]]);
});

test('scrolling beyond the window asks for one around what is in sight; within it for nothing', () => {
  const { drawn, done } = panel(events(100, 400));
  const scroll = (/** @type {number} */ at) =>
    the(drawn, '#events-scroll').fire('scroll', { target: { scrollTop: at * 28, clientHeight: 280 } });
  scroll(110);
  assert.deepEqual(done, []);
  scroll(200);
  const [[, from]] = /** @type {any} */ (done);
  assert.ok(from <= 199 && from + WINDOW >= 212, String(from));
  scroll(399);
  assert.deepEqual(done.at(-1), ['scrollTo', 400 - WINDOW], 'no further than the end');
});

test('Escape empties the filter and leaves it', () => {
  const { drawn, done } = panel(events(0, 3), { filter: 'renew' });
  let left = false;
  const blur = () => {
    left = true;
  };
  the(drawn, '#filter').fire('keydown', { key: 'x', target: { blur } });
  assert.deepEqual([done, left], [[], false]);
  the(drawn, '#filter').fire('keydown', { key: 'Escape', target: { blur } });
  assert.deepEqual([done, left], [[['filter', '']], true]);
});

test('a list with nothing in it says why, and offers the way back', () => {
  assert.match(text(panel(events(0, 0)).drawn), /Nothing has happened yet\./);
  const { drawn, done } = panel(events(0, 0), { filter: 'zzz' });
  assert.match(text(drawn), /No event contains “zzz”\./);
  button(drawn, 'Clear the filter.').click();
  assert.deepEqual(done, [
    ['filter', ''],
    ['node', ''],
  ]);
  assert.match(text(panel(events(0, 0), { node: 'b' }).drawn), /b has no events\./);
});

test('before the first answer there is an empty list', () => {
  const { drawn } = panel(null);
  assert.equal(all(drawn, 'li').length, 0);
  assert.equal(the(drawn, 'ol').attributes.style, 'height:0px');
});
