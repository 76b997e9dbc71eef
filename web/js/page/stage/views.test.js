import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, browser, button, each, fire, nameOf, text, the } from '#dom';
import { HeadlineView } from '../headline/headline.js';
import { StageView } from './stage.js';

/** @param {number} index @param {object} [more] @returns {any} */
const node = (index, more = {}) => ({
  ...{ name: 'abcdefghijklmnop'[index], index, role: 'following', roleWord: 'following', since: 0, cut: '' },
  ...{ paused: false, clockOffsetNs: 0, clockRatePpm: 1e6, wall: '00:00:20.000' },
  ...more,
});
const LEASE = { exists: true, name: 'demo', holder: 'a', holderIndex: 0, version: 3 };
/** @param {any[]} nodes @param {object} [more] @returns {any} */
const view = (nodes, more = {}) => ({ nodes, nodesTotal: nodes.length, lease: LEASE, flights: [], ...more });

/** The stage with a picture of it. @param {any} shown @param {object} [more] of the props */
function stage(shown, more = {}) {
  const page = browser();
  const root = page.at('stage');
  /** @type {unknown[]} */
  const done = [];
  const it = new StageView(/** @type {any} */ (root), {
    onSelectNode: (name) => done.push(name),
    onSelectLease: () => done.push('the Lease'),
  });
  const show = (/** @type {any} */ next, /** @type {object} */ props = {}) =>
    it.update({ view: next, now: 20e9, speed: 1, ...more, ...props });
  show(shown);
  assert.equal(root.textContent, '', 'it has no size yet');
  page.resize();
  return { ...page, root, done, it, show };
}

test('nothing is drawn before the stage has a size, and everything when it gets one', () => {
  const { root } = stage(view([node(0)]));
  assert.equal(all(root, '.stage-node').length, 1);
});

test('each node says its role and its countdown; the Lease says who holds it', () => {
  const counting = node(1, { countdown: { kind: 'mayTake', zeroAt: 22e9, fromNs: 15e9 } });
  const { root } = stage(view([node(0, { role: 'leading', roleWord: 'leading' }), counting]));
  const names = all(root, '.stage-node').map(nameOf);
  assert.deepEqual(names, ['a, leading', 'b, following, may acquire in 2.0 s']);
  assert.equal(nameOf(the(root, '.stage-lease')), 'Lease demo, held by a, version 3');
  const none = stage(view([node(0)], { lease: { name: 'demo', exists: false, holderIndex: -1 } }));
  assert.match(nameOf(the(none.root, '.stage-lease')), /none yet/);
});

test('the selected node is pressed, and no other', () => {
  const { root, show } = stage(view([node(0), node(1)]));
  show(view([node(0), node(1)]), { selection: { kind: 'node', node: 'b' } });
  const pressed = all(root, '.stage-node[aria-pressed="true"]').map((one) => one.getAttribute('data-node'));
  assert.deepEqual(pressed, ['b']);
});

test('a low stage is a list: a line for each node that says and does the same', () => {
  const page = browser();
  const root = page.at('stage');
  Object.defineProperty(root, 'clientHeight', { value: 108 });
  /** @type {string[]} */
  const chosen = [];
  const it = new StageView(/** @type {any} */ (root), {
    onSelectNode: (name) => chosen.push(name),
    onSelectLease() {},
  });
  page.resize();
  const counting = node(1, { countdown: { kind: 'mayTake', zeroAt: 22e9, fromNs: 15e9 } });
  const selection = { kind: 'node', node: 'a' };
  it.update({
    view: view([node(0, { role: 'leading', roleWord: 'leading' }), counting]),
    now: 20e9,
    speed: 1,
    selection,
  });
  const lines = all(root, 'button.stage-line');
  assert.deepEqual(lines.map(nameOf), ['a, leading', 'b, following, may acquire in 2.0 s']);
  assert.deepEqual(lines.map(text), ['a leading', 'b following may acquire in 2.0 s']);
  assert.deepEqual(
    lines.map((line) => line.getAttribute('aria-pressed')),
    ['true', 'false'],
  );
  assert.equal(all(root, 'svg').length, 0);
  lines[1].click();
  assert.deepEqual(chosen, ['b']);
});

test('a link shows what travels on it, and where it is cut', () => {
  const sent = { node: 0, seq: 1, verb: 'update', sent: 19.9e9, reaches: 20.1e9, outcome: 'ok' };
  const nodes = [node(0), node(1, { cut: 'up' }), node(2, { cut: 'both' })];
  const { root } = stage(view(nodes, { flights: [sent, { ...sent, node: 1, lost: 'up' }] }));
  const flights = all(root, '.stage-flight').map((one) => one.getAttribute('data-outcome'));
  assert.deepEqual(flights, ['ok', 'lost']);
  const cuts = all(root, '.stage-cut').map((one) => one.getAttribute('d'));
  assert.equal(cuts[0], null);
  assert.notEqual(cuts[1], cuts[2], 'one direction differs from both');
  assert.match(all(root, '.stage-node')[1].textContent, /requests cut/);
});

test('messages are not drawn where they would pass too fast to see', () => {
  const sent = { node: 0, seq: 1, verb: 'update', sent: 19.9e9, reaches: 20.1e9, outcome: 'ok' };
  const shown = view([node(0)], { flights: [sent] });
  const { root, show } = stage(shown);
  show(shown, { speed: 1000 });
  assert.equal(all(root, '.stage-flight').length, 0);
});

test('an outcome has its own shape; the styles draw a conflict hollow', () => {
  const shape = (/** @type {object} */ more) => {
    const sent = {
      node: 0,
      seq: 1,
      verb: 'update',
      sent: 19e9,
      reaches: 19.5e9,
      served: 19.5e9,
      returns: 21e9,
      ...more,
    };
    const { root } = stage(view([node(0)], { flights: [sent] }));
    const flight = the(root, '.stage-flight');
    const d = flight.getAttribute('d');
    return flight.dataset.outcome === 'conflict' ? `${d} hollow` : d;
  };
  const shapes = [
    shape({ outcome: 'ok' }),
    shape({ outcome: 'ok', verb: 'get' }),
    shape({ outcome: 'conflict' }),
    shape({ outcome: 'error' }),
    shape({ outcome: 'lost' }),
  ];
  assert.equal(new Set(shapes).size, shapes.length);
});

test('a press selects a node or the Lease, by pointer, by Enter and by Space', () => {
  const { root, done } = stage(view([node(0)]));
  const press = (/** @type {string} */ selector, /** @type {object} */ more) =>
    fire(the(root, selector), 'keydown', more).defaultPrevented;
  fire(the(root, '.stage-node'), 'click');
  assert.equal(press('.stage-lease', { key: 'Enter' }), true);
  assert.equal(press('.stage-node', { key: ' ' }), true);
  assert.equal(press('.stage-node', { key: 'x' }), false);
  assert.equal(press('.stage-node', { key: ' ', repeat: true }), false);
  assert.deepEqual(done, ['a', 'the Lease', 'a']);
});

test('a long name is its number or its first letter, and all of it in the accessible name', () => {
  const { root } = stage(view([node(0, { name: 'scheduler-12' }), node(1, { name: 'controller' })]));
  assert.deepEqual(each(all(root, '.stage-letter'), 'textContent'), ['12', 'c']);
  const pods = stage(
    view([node(0, { name: 'node-a' }), node(1, { name: 'node-b' })], {
      lease: { ...LEASE, holder: 'controller-7d9f-xk2lp' },
    }),
  );
  assert.deepEqual(each(all(pods.root, '.stage-letter'), 'textContent'), ['a', 'b'], 'what tells them apart');
  assert.equal(the(pods.root, '.stage-box-holder').textContent, '…r-7d9f-xk2lp');
  assert.match(nameOf(all(root, '.stage-node')[0]), /^scheduler-12,/);
});

test('many nodes are a grid, once that has loaded', () => {
  const many = view(Array.from({ length: 12 }, (_, i) => node(i)));
  const { root, it, show } = stage(many);
  assert.equal(all(root, '.stage-node').length, 0);
  /** @type {any[]} */
  const updates = [];
  it.useGrid(
    /** @type {any} */ (
      class {
        constructor(/** @type {any} */ place) {
          this.root = place;
        }
        update(/** @type {any} */ props) {
          updates.push(props.view);
        }
      }
    ),
  );
  assert.deepEqual(updates, [many]);
  show(view([node(0)]));
  assert.equal(the(root, '.stage-grid').hidden, true);
});

/** The headline. @param {object} headline @param {object} [props] */
function headline(headline, props = {}) {
  const { at } = browser();
  const root = at('headline');
  /** @type {unknown[][]} */
  const done = [];
  const it = new HeadlineView(/** @type {any} */ (root), {
    onWhy: () => done.push(['why']),
    onAddend: (i) => done.push(['mark', i]),
    onSelect: (one) => done.push(['select', one]),
  });
  const shown = { kind: 'gap', title: 'a leads', addends: [], ...headline };
  const nodes = [node(0, { role: 'down' }), node(1, { role: 'leading' })];
  it.update({ view: { ...view(nodes), headline: shown, cursor: { t: 23.24e9, n: -1 } }, line: '', ...props });
  return { root, done };
}

test('the headline is the title of the page, with what the run is about below it', () => {
  const { root } = headline({ title: 'Nobody led for 14.039 s.' }, { line: 'The leader dies.' });
  assert.match(text(the(root, 'h1')), /^Nobody led for 14\.039 s \.$/);
  assert.equal(the(root, '.headline-line').textContent, 'The leader dies.');
  assert.equal('long' in root.dataset, false);
  assert.equal('long' in headline({ title: 'a leads, but is paused and does no work: 3 s.' }).root.dataset, true);
});

test('a bar draws the sum to scale, and marks the part that is marked', () => {
  const addends = [1, 3].map((s) => ({
    counting: s > 1,
    shown: `${s}`,
    ns: s * 1e9,
    text: 'part',
    cursor: { t: s, n: 1 },
  }));
  const { root } = headline({ addends }, { markedAddend: 1 });
  const parts = all(root, '.headline-scale i');
  assert.equal(root.dataset.index, '1', 'the countdown has the color of the leader');
  assert.deepEqual(
    parts.map((one) => [
      Number(one.style.flexGrow),
      one.dataset.addend,
      'marked' in one.dataset,
      'counting' in one.dataset,
    ]),
    [
      [1e9, '0', false, false],
      [3e9, '1', true, true],
    ],
  );
  assert.equal(the(root, '.headline-scale').getAttribute('aria-hidden'), 'true', 'the words say the same');
  assert.equal(all(headline({}).root, '.headline-scale i').length, 0);
});

test('the length in a headline stands out, and grows with the clock while a gap is open', () => {
  const number = (/** @type {object} */ one) =>
    all(headline(one).root, '.headline-number').map(({ textContent }) => textContent);
  assert.deepEqual(number({ title: 'Nobody led for 14.039 s.' }), ['14.039 s']);
  assert.deepEqual(number({ title: 'Nobody leads, for {elapsed} so far.', sinceT: 20e9 }), ['3.2 s']);
  assert.deepEqual(number({ title: 'a leads.' }), []);
});

test('while a length grows, its last part grows with it, and they add up', () => {
  const addends = [
    { shown: '1.9', ns: 1.95e9, text: 'paused', cursor: { t: 20e9, n: 1 } },
    { shown: '1.0', ns: 1e9, text: 'tried', cursor: { t: 22e9, n: 1 } },
  ];
  const parts = (/** @type {object} */ one) => all(headline({ addends, ...one }).root, '.headline-addend').map(nameOf);
  assert.deepEqual(parts({ title: 'a and b lead: {elapsed}', sinceT: 20e9 }), ['2.0 s paused', '1.2 s tried']);
  assert.deepEqual(parts({ title: 'Two led for 2.9 s.' }), ['1.9 s paused', '1.0 s tried']);
});

test('the length opens the answer where there is a question, and looks like it only there', () => {
  const title = 'Nobody led for 14.039 s.';
  const asked = headline({ title, question: 'Why so long?' });
  const number = the(asked.root, '.headline-number');
  number.click();
  assert.deepEqual(['asks' in number.dataset, asked.done], [true, [['why']]]);
  const told = headline({ title });
  const plain = the(told.root, '.headline-number');
  plain.click();
  assert.deepEqual(['asks' in plain.dataset, told.done], [false, []]);
});

test('a headline with a question leads to its answer, and each part of the sum to its event', () => {
  const addends = [
    { shown: '13.165', ns: 13_165e6, text: 'left', cursor: { t: 20e9, n: 1 } },
    { shown: '0.864', ns: 864e6, text: 'until b looked', cursor: { t: 33e9, n: 1 } },
  ];
  const { root, done } = headline({ question: 'Why?', addends }, { markedAddend: 1 });
  button(root, 'Why?').click();
  const parts = all(root, '.headline-addend');
  assert.deepEqual(
    parts.map((one) => [nameOf(one), 'marked' in one.dataset]),
    [
      ['13.165 s left', false],
      ['0.864 s until b looked', true],
    ],
  );
  fire(parts[0], 'focus');
  fire(parts[0], 'blur');
  parts[1].click();
  assert.deepEqual(done, [
    ['why'],
    ['mark', 0],
    ['mark', null],
    ['select', { kind: 'event', cursor: { t: 33e9, n: 1 } }],
  ]);
  assert.equal(the(headline({}).root, '.headline-why').hidden, true);
});
