import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { all, browser, button, each, enter, fire, nameOf, recorder, settle, text, the } from '#dom';
import { Hatches, idColor, readPalette } from './palette.js';
import { TimelineView } from './timeline.js';
import { toX } from './viewport.js';

const recorded = JSON.parse(readFileSync(new URL('./testdata/leader-dies.json', import.meta.url), 'utf8'));
const VIEW = recorded.views.at34;

/** The timeline, drawn once with everything loaded. @param {object} [more] of the props */
async function timeline(more = {}) {
  const page = browser();
  const root = page.at('timeline');
  root.clientHeight = 600;
  /** @type {unknown[][]} */
  const done = [];
  const view = new TimelineView(/** @type {any} */ (root), recorder(done));
  /** @type {any} */
  let props = {
    view: VIEW,
    timeline: recorded.timeline,
    viewport: { from: 0, to: 40e9 },
    selection: null,
    now: VIEW.cursor.t,
    ...more,
  };
  const show = (/** @type {object} */ next = {}) => {
    props = { ...props, ...next };
    view.update(props);
    page.frame();
  };
  show();
  while (!view.summary) await settle();
  page.frame();
  const part = (/** @type {string} */ selector) => /** @type {any} */ (root.querySelector(selector));
  const pen = part('.tl-base').pen;
  const layout = () => /** @type {NonNullable<typeof view.layout>} */ (view.layout);
  /** A pointer event at an instant, or x, and a height. */
  const point = (
    /** @type {string} */ type,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {object} */ more = {},
  ) => fire(root, type, { clientX: x, clientY: y, pointerId: 1, pointerType: 'mouse', button: 0, buttons: 1, ...more });
  const x = (/** @type {number} */ t) => toX(layout().scale, t);
  return { ...page, root, view, done, show, part, pen, layout, point, x };
}

test('it draws the picture, the labels, the buttons, the slider and the table', async () => {
  const { part, pen } = await timeline();
  assert.ok(pen.words().includes('nobody, 14.039 s'));
  const lanes = all(part('.tl-labels'), 'button').map((one) => nameOf(one).replace(/, .*/, ''));
  assert.deepEqual(lanes, ['Lane a', 'Lane b', 'Lane c']);
  assert.match(nameOf(all(part('.tl-marks'), 'button')[0]), /^Nobody led from/);
  assert.match(part('.tl-slider').getAttribute('aria-valuetext'), /b leads/);
  assert.match(text(part('.visually-hidden')), /The run so far/);
});

test('each row has a name, unless it is without height', async () => {
  const names = async (/** @type {object} */ more) => {
    const { part } = await timeline(more);
    return each(
      all(part('.tl-labels'), '.tl-word').filter((one) => !one.hidden),
      'textContent',
    );
  };
  assert.deepEqual(await names({}), ['Who works', 'Lease names', 'Whole run']);
  const fault = { from: 5e9, to: 9e9, open: false, node: '', kind: 'errors', text: 'the API answers with 500' };
  const timelineWithFault = { ...recorded.timeline, faults: [fault] };
  assert.deepEqual(await names({ timeline: timelineWithFault }), [
    'Who works',
    'Lease names',
    'API server',
    'Whole run',
  ]);
});

test('a narrow page has the names of the lanes, with room for longer ones, and its rows have their names', async () => {
  const { view, show, part, layout } = await timeline();
  Object.assign(view.narrow, { matches: true });
  show({ viewport: { from: 0, to: 30e9 } });
  assert.ok(all(part('.tl-labels'), '.tl-word').some((one) => !one.hidden));
  assert.equal(all(part('.tl-labels'), '.tl-lane').length, 3);
  assert.equal(layout().g.gutter, 44);
  const lanes = recorded.timeline.lanes.map((/** @type {any} */ lane) => ({ ...lane, node: `node-${lane.node}` }));
  show({ timeline: { ...recorded.timeline, lanes } });
  assert.deepEqual([layout().g.gutter, layout().scale.x], [64, 64]);
});

test('the picture is drawn again for what it shows, not for the cursor', async () => {
  const { show, pen } = await timeline();
  const redraw = (/** @type {object} */ next) => {
    pen.clear();
    show(next);
    return pen.calls.length > 0;
  };
  assert.equal(redraw({ now: VIEW.cursor.t + 1e6 }), false);
  assert.equal(redraw({ selection: { kind: 'node', node: 'b', index: 1 } }), true);
  assert.equal(redraw({ viewport: { from: 0, to: 30e9 } }), true);
  assert.equal(redraw({ view: { ...VIEW, cursor: { t: 1, n: 0 } } }), false);
  assert.equal(redraw({ view: { ...VIEW, live: { t: 35e9, n: 0 } } }), true);
  assert.equal(redraw({ theme: 'dark' }), true);
});

test('an overlay is drawn over every picture', async () => {
  const { view, show } = await timeline();
  /** @type {unknown[]} */
  const seen = [];
  view.overlays.add((_, l, { now }) => seen.push(now, l.g.width));
  show({ viewport: { from: 0, to: 30e9 }, now: 7 });
  assert.deepEqual(seen, [7, 800]);
});

test('a zoom keeps the cursor if it is on screen, else the middle; steps of a gesture add up', async () => {
  const { view, done } = await timeline({ now: 10e9 });
  view.zoomBy(2);
  view.zoomBy(2);
  view.panBy(0.5);
  assert.deepEqual(done, [
    ['onViewport', { from: 5e9, to: 25e9 }],
    ['onViewport', { from: 7.5e9, to: 17.5e9 }],
    ['onViewport', { from: 12.5e9, to: 22.5e9 }],
  ]);
  const away = await timeline({ now: 39e9, viewport: { from: 0, to: 20e9 } });
  away.view.zoomBy(2);
  assert.deepEqual(away.done, [['onViewport', { from: 5e9, to: 15e9 }]]);
});

test('the keys of the slider step, and go to both ends', async () => {
  const { part, done } = await timeline();
  const press = (/** @type {string} */ key, more = {}) =>
    fire(part('.tl-slider'), 'keydown', { key, ...more }).defaultPrevented;
  press('ArrowRight');
  press('ArrowLeft', { shiftKey: true });
  press('Home');
  press('End');
  assert.equal(press('x'), false);
  assert.equal(press('Home', { ctrlKey: true }), false);
  assert.deepEqual(done, [
    ['onStep', 1, 'event'],
    ['onStep', -1, 'landmark'],
    ['onScrub', 0],
    ['onScrub', VIEW.live.t],
  ]);
});

test('lanes are selected by their name, and by the keys around both ends', async () => {
  const { part, done, view, show } = await timeline();
  button(part('.tl-labels'), /^Lane b/).click();
  assert.deepEqual(done.splice(0), [['onSelect', { kind: 'node', node: 'b', index: 1 }]]);
  view.lane(1);
  show({ selection: { kind: 'node', node: 'c', index: 2 } });
  view.lane(1);
  view.lane(-1);
  const nodes = done.map(([, one]) => /** @type {any} */ (one).node);
  assert.deepEqual(nodes, ['a', 'c', 'b']);
  assert.equal(nameOf(the(part('.tl-labels'), 'button[aria-pressed="true"]')).replace(/, .*/, ''), 'Lane c');
});

test('a button over a mark selects it, and is pressed from then on', async () => {
  const { part, done, show } = await timeline();
  const buttons = () => all(part('.tl-marks'), 'button');
  const crash = buttons().findIndex((one) => nameOf(one).startsWith('a is down'));
  buttons()[0].click();
  buttons()[crash].click();
  const meanings = done.map(([name, one]) => [name, /** @type {any} */ (one).kind]);
  assert.deepEqual(meanings, [
    ['onSelect', 'band'],
    ['onSelect', 'fault'],
  ]);
  show({ selection: done[1][1] });
  const pressed = buttons().map((one) => one.getAttribute('aria-pressed') === 'true');
  assert.deepEqual(pressed.indexOf(true), crash);
  assert.equal(pressed.filter(Boolean).length, 1);
});

/** The recorded run with this many lanes. @param {number} count */
const crowd = (count) => ({
  ...recorded.timeline,
  lanes: Array.from({ length: count }, (_, i) => ({ ...recorded.timeline.lanes[2], node: `n${i}`, index: i })),
});

test('many lanes are sorted by role and can be filtered', async () => {
  const lanes = crowd(40);
  const nodes = lanes.lanes.map((/** @type {any} */ { node, index }) => ({
    ...VIEW.nodes[2],
    name: node,
    index,
    role: index === 33 ? 'leading' : 'following',
  }));
  const { part, root, frame } = await timeline({ timeline: lanes, view: { ...VIEW, nodes } });
  const names = () => all(part('.tl-labels'), 'button b').map(({ textContent }) => textContent);
  assert.equal(names()[0], 'n33');
  assert.equal(part('.tl-filter').hidden, false);
  enter(the(root, '.tl-filter'), 'n3');
  frame();
  assert.ok(names().every((name) => name.includes('n3')));
  enter(the(root, '.tl-filter'), 'leading');
  frame();
  assert.deepEqual(names(), ['n33']);
});

test('the wheel scrolls lanes that do not fit, and lets the page scroll at their end', async () => {
  const { point, root, part, frame } = await timeline({ timeline: crowd(60) });
  assert.equal(root.getAttribute('data-scrolls'), '');
  const first = () => all(part('.tl-labels'), 'button b')[0].textContent;
  const before = first();
  assert.equal(point('wheel', 400, 150, { deltaY: 200, deltaX: 0, deltaMode: 0 }).defaultPrevented, true);
  frame();
  assert.notEqual(first(), before);
  point('wheel', 400, 150, { deltaY: 1e6, deltaX: 0, deltaMode: 0 });
  assert.equal(point('wheel', 400, 150, { deltaY: 10, deltaX: 0, deltaMode: 0 }).defaultPrevented, false);
});

test('the wheel zooms over the ruler and with Ctrl, and pans sideways with Shift', async () => {
  const { point, done, x } = await timeline();
  const widths = () => /** @type {any[][]} */ (done.splice(0)).map(([, { from, to }]) => Math.round((to - from) / 1e9));
  point('wheel', x(20e9), 5, { deltaY: -100, deltaX: 0, deltaMode: 0 });
  const [zoomed] = widths();
  assert.ok(zoomed < 40, `${zoomed} s`);
  point('wheel', x(20e9), 200, { deltaY: 30, deltaX: 0, deltaMode: 0, ctrlKey: true });
  assert.ok(widths()[0] > zoomed);
  point('wheel', 400, 200, { deltaY: 50, deltaX: 0, deltaMode: 0, shiftKey: true });
  assert.equal(done.length, 1);
});

test('a drag on the ruler scrubs, on the lanes pans, with Shift marks a span', async () => {
  const { point, done, x, layout } = await timeline();
  const y = layout().g.lanes.y + 20;
  point('pointerdown', x(5.5e9), 5);
  point('pointermove', x(9.5e9), 5, { altKey: true });
  point('pointerup', x(9.5e9), 5);
  assert.deepEqual(each(done, 0), ['onScrub', 'onScrub']);
  assert.ok(Math.abs(Number(done[1][1]) - 9.5e9) < 1e8);
  done.splice(0);
  point('pointerdown', x(20e9), y);
  point('pointermove', x(10e9), y);
  point('pointerup', x(10e9), y);
  assert.deepEqual(each(done, 0), ['onViewport']);
  assert.ok(Math.abs(/** @type {any} */ (done[0][1]).from - 10e9) < 1e8);
  done.splice(0);
  point('pointerdown', x(10e9), y, { shiftKey: true, altKey: true });
  point('pointermove', x(4e9), y, { shiftKey: true, altKey: true });
  point('pointerup', x(4e9), y);
  const [[name, span]] = /** @type {any} */ (done);
  assert.equal(name, 'onSpan');
  assert.ok(span.from < span.to);
});

test('a click takes what lies there; a right button, and a drag, take nothing', async () => {
  const { point, done, x, layout } = await timeline();
  const y = layout().lanes[1].y + 20;
  const at = x(32.6e9);
  point('pointerdown', at, y, { button: 2 });
  point('pointerup', at, y);
  assert.deepEqual(done, []);
  point('pointerdown', at, y);
  point('pointerup', at, y);
  assert.deepEqual(done, [['onSelect', { kind: 'node', node: 'b', index: 1 }]]);
  point('pointerdown', at, y);
  point('pointermove', at + 50, y);
  point('pointerup', at + 50, y);
  const click = point('click', at + 50, y);
  assert.equal(click.defaultPrevented, true, 'the click that ends a drag presses nothing');
});

test('two fingers zoom around their middle', async () => {
  const { point, done, x, layout } = await timeline();
  const y = layout().g.lanes.y + 20;
  point('pointerdown', x(10e9), y, { pointerType: 'touch' });
  point('pointerdown', x(20e9), y, { pointerType: 'touch', pointerId: 2 });
  point('pointermove', x(30e9), y, { pointerType: 'touch', pointerId: 2 });
  const [[, { from, to }]] = /** @type {any} */ (done);
  assert.ok(to - from < 25e9, `${(to - from) / 1e9} s`);
});

test('a double click on a gap shows all of it', async () => {
  const { point, done, x, layout } = await timeline();
  point('dblclick', x(27e9), layout().g.ribbon.y + 5);
  const [[name, { from, to }]] = /** @type {any} */ (done);
  assert.equal(name, 'onViewport');
  assert.ok(from <= 20e9 && to >= 34e9 && to - from < 40e9);
});

test('a drag on the overview moves the window', async () => {
  const { point, done, layout } = await timeline({ viewport: { from: 0, to: 10e9 } });
  const { strip } = layout().g;
  point('pointerdown', toX(layout().overview.scale, 30e9), strip.y + 5);
  const [[name, { from, to }]] = /** @type {any} */ (done);
  assert.equal(name, 'onViewport');
  assert.ok(from < 30e9 && to > 30e9);
});

test('colors are read from the page, and a node beyond the eighth has the last', () => {
  browser();
  const palette = readPalette(/** @type {any} */ ({}));
  const ids = ['--a', '--b', '--c', '--d', '--e', '--f', '--g', '--h'];
  assert.deepEqual([palette.ink, palette.faultbg, palette.ids, palette.font], ['--ink', '--faultbg', ids, 'sans']);
  assert.deepEqual([idColor(palette, 1), idColor(palette, 9), idColor(palette, -1)], ['--b', '--h', '--mute']);
});

test('a canvas gets the color of its scheme, or what the system forces', () => {
  const style = { fontFamily: 'sans', colorScheme: 'dark', getPropertyValue: () => ' light-dark(#fff,#1a1e22)' };
  Object.assign(globalThis, { getComputedStyle: () => style });
  const ink = () => readPalette(/** @type {any} */ ({})).ink;
  assert.equal(ink(), '#1a1e22');
  style.colorScheme = 'light';
  assert.equal(ink(), '#fff');
  style.getPropertyValue = () => '';
  assert.equal(ink(), 'CanvasText');
});

test('a hatch is made once for each color and density, until the colors change', () => {
  browser();
  Object.assign(globalThis, {
    DOMMatrix: class {
      scale() {
        return this;
      }
    },
  });
  let made = 0;
  const ctx = /** @type {any} */ ({ createPattern: () => ({ setTransform: () => {}, number: ++made }) });
  const hatches = new Hatches();
  const get = (/** @type {string} */ color) =>
    /** @type {any} */ (hatches.get(ctx, { color, gap: 5, line: 1, dpr: 2 })).number;
  assert.deepEqual([get('red'), get('red'), get('blue')], [1, 1, 2]);
  assert.equal(/** @type {any} */ (hatches.pairs(ctx, 'red', 2)).number, 3);
  hatches.clear();
  assert.equal(get('red'), 4);
  assert.equal(
    hatches.get(/** @type {any} */ ({ createPattern: () => null }), { color: 'green', gap: 5, line: 1, dpr: 2 }),
    'green',
  );
});
