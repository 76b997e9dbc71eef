import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, fire, recorder, text, the } from '#dom';
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
  const view = /** @type {any} */ ({ nodes: [{ name: 'a' }, { name: 'b' }] });
  const drawn = eventsTemplate(
    view,
    list,
    { filter: '', node: '', open: false, rowPx: 28, key: '/', shortcut: '/', ...more },
    recorder(done),
  );
  return { drawn, done };
}

test('a row stands where it is in the whole list, and says so', () => {
  const { drawn, done } = panel(events(100, 400, 101));
  assert.equal(all(drawn, 'li').length, WINDOW);
  const [first, second] = all(drawn, 'li');
  assert.match(first.getAttribute('style'), /^top: 2800px/);
  assert.deepEqual([first.getAttribute('aria-posinset'), first.getAttribute('aria-setsize')], ['101', '400']);
  assert.deepEqual([first.getAttribute('data-current'), second.getAttribute('data-current')], ['false', 'true']);
  assert.match(text(drawn), /400 so far/);
  button(drawn, /event 101\./).click();
  assert.deepEqual(done, [['select', row(101)]]);
});

test('scrolling beyond the window asks for one around what is in sight; within it for nothing', () => {
  const { drawn, done } = panel(events(100, 400));
  const list = the(drawn, '#events-scroll');
  list.clientHeight = 280;
  const scroll = (/** @type {number} */ at) => {
    list.scrollTop = at * 28;
    fire(list, 'scroll');
  };
  scroll(110);
  assert.deepEqual(done, []);
  scroll(200);
  const [[, from]] = /** @type {any} */ (done);
  assert.ok(from <= 199 && from + WINDOW >= 212, String(from));
  scroll(399);
  assert.deepEqual(done.at(-1), ['scrollTo', 400 - WINDOW], 'no further than the end');
});

test('a button opens the filter, and closes it', () => {
  const closed = panel(events(0, 3));
  assert.equal(all(closed.drawn, '#filter, select').length, 0);
  const opens = button(closed.drawn, 'Filter');
  assert.deepEqual([opens.getAttribute('aria-expanded'), opens.getAttribute('aria-keyshortcuts')], ['false', '/']);
  opens.click();
  const open = panel(events(0, 3), { open: true });
  assert.equal(all(open.drawn, '#filter, select').length, 2);
  const closes = button(open.drawn, 'Close the filter');
  assert.equal(closes.getAttribute('aria-expanded'), 'true');
  closes.click();
  assert.deepEqual([each(closed.done, 0), each(open.done, 0)], [['toggle'], ['toggle']]);
});

test('Escape closes the filter, and nothing else', () => {
  const { drawn, done } = panel(events(0, 3), { filter: 'renew', open: true });
  const filter = the(drawn, '#filter');
  assert.equal(filter.value, 'renew');
  let heard = 0;
  filter.parentElement.addEventListener('keydown', () => heard++);
  fire(filter, 'keydown', { key: 'x' });
  assert.deepEqual([done, heard], [[], 1]);
  fire(filter, 'keydown', { key: 'Escape' });
  assert.deepEqual([done, heard], [[['toggle']], 1]);
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
  assert.equal(the(drawn, 'ol').getAttribute('style'), 'height: 28px;');
});
