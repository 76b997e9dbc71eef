import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, enter, fire, nameOf, press, recorder, settle, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';

const scenario = (/** @type {string} */ name, /** @type {object} */ museum) => ({
  name,
  title: `Title of ${name}`,
  museum: { watch: `Watch ${name}.`, ...museum },
});
const SHIPPED = [
  scenario('slow', { catalogue: 'B05', variant: 'failing', partner: 'slow-fixed', class: 'gap', lesson: 5 }),
  scenario('slow-fixed', { catalogue: 'B05', variant: 'fixed', partner: 'slow' }),
  scenario('two', { catalogue: 'B01', variant: 'failing', partner: 'two-fixed', class: 'twoLeaders' }),
  scenario('two-fixed', { catalogue: 'B01', variant: 'fixed', partner: 'two' }),
];

/** @param {unknown[][]} done @param {any} answers */
const labOf = (done, answers) => ({
  assets: { scenarios: 'scenarios.json', strips: 'strips.json' },
  ...Object.fromEntries(['open', 'play', 'ask'].map((name) => [name, recorder(done, answers)[name]])),
});

/** Shows the museum. @param {any} [answers] of the lab @param {boolean} [wide] the list stands beside the incident */
async function museum(answers = {}, wide = true) {
  const page = pageAt({});
  const answer = (/** @type {any} */ url) => (url === 'strips.json' ? {} : SHIPPED);
  globalThis.fetch = async (url) => new Response(JSON.stringify(answer(url)));
  globalThis.matchMedia = /** @type {any} */ (() => ({ matches: wide }));
  const room = await open({ ...page.ports, lab: labOf(page.done, answers) });
  const dialog = page.added().find(({ id }) => id === 'museum');
  room.show();
  const incidents = () => all(dialog, 'nav a').map((one) => text(one));
  return { ...page, ...room, dialog, incidents };
}

test('it opens with every incident, the first beside the list, and the search in focus', async () => {
  const { dialog, incidents, focusedId } = await museum();
  assert.equal(dialog.open, true);
  assert.deepEqual(incidents(), ['B01 Title of two', 'B05 lesson 5 Title of slow']);
  assert.equal(the(dialog, 'article h2').textContent, 'Title of two');
  assert.equal(focusedId(), 'museum-text');
  assert.match(text(dialog), /2 of 2 incidents/);
});

test('on a phone no incident is open, and the search waits for a tap', async () => {
  const { dialog, document } = await museum({}, false);
  assert.equal(dialog.dataset.chosen, 'false');
  assert.equal(document.activeElement.tagName, 'H1');
});

test('a search or a kind narrows the list, and the arrow down goes to its first incident', async () => {
  const { dialog, incidents, document } = await museum();
  enter(the(dialog, '#museum-text'), 'slow');
  assert.deepEqual(incidents(), ['B05 lesson 5 Title of slow']);
  assert.match(text(dialog), /1 of 2 incidents/);
  const event = fire(the(dialog, '#museum-text'), 'keydown', { key: 'ArrowDown' });
  assert.equal(event.defaultPrevented, true);
  assert.match(document.activeElement.textContent, /B05/);
  enter(the(dialog, '#museum-text'), '');
  button(dialog, /^Two leaders/).click();
  assert.deepEqual(incidents(), ['B01 Title of two']);
  button(dialog, /^No leader for too long/).click();
  assert.equal(the(dialog, 'article h2').textContent, 'Title of slow', 'the incident beside the list is one of it');
  button(dialog, /^Two leaders/).click();
  enter(the(dialog, '#museum-text'), 'slow');
  assert.deepEqual(
    incidents(),
    ['B05 lesson 5 Title of slow'],
    'what is in no incident of the kind is searched in all',
  );
});

test('an incident is chosen from the list, or by its number in the catalogue', async () => {
  const { dialog, show } = await museum();
  fire(the(dialog, 'a[href="#museum=B05"]'), 'click');
  assert.equal(the(dialog, 'article h2').textContent, 'Title of slow');
  assert.equal(dialog.dataset.chosen, 'true');
  show('B01');
  assert.equal(the(dialog, 'article h2').textContent, 'Title of two');
  show('slow');
  assert.equal(the(dialog, 'article h2').textContent, 'Title of slow');
  show('B17');
  assert.match(text(dialog), /B17 is not in the museum/);
});

test('a run that opens plays, and the page says what to watch; one that does not says nothing', async () => {
  const { dialog, show, done } = await museum({ open: async () => true });
  show('B05');
  await press(button(dialog, 'Fixed run'));
  assert.equal(dialog.open, false);
  assert.deepEqual(done, [
    ['open', { scenario: 'slow-fixed' }, '“Title of slow-fixed” will open', 'Watch slow-fixed.'],
    ['play'],
  ]);
  const refused = await museum({ open: async () => false });
  refused.show('B05');
  await press(button(refused.dialog, 'Fixed run'));
  assert.deepEqual(each(refused.done, 0), ['open']);
});

test('what the runs must show is asked for on demand, checked, and said', async () => {
  const clauses = [{ clause: '2 leader changes' }];
  const outcomes = [
    { met: true, clause: '2 leader changes', measured: '2' },
    { met: false, clause: 'never two', name: 'two', measured: '1' },
  ];
  const { dialog, show, done } = await museum({
    ask: async (/** @type {string} */ _, /** @type {any} */ { words, scenario }) => {
      if (scenario === 'slow') return words ? { clauses } : { outcomes };
      throw new Error('The simulator is still loading.');
    },
  });
  show('B05');
  const details = the(dialog, 'article details');
  details.open = true;
  fire(details, 'toggle');
  await settle();
  assert.deepEqual(
    all(dialog, '.clauses li').map((one) => text(one)),
    ['2 leader changes'],
  );
  await press(button(dialog, 'Check both runs'));
  for (let i = 0; i < 3; i++) await settle();
  assert.deepEqual(done.at(-1), ['say', '1 of 2 expectations hold.']);
  const met = all(dialog, '.clauses li').map((one) => one.getAttribute('data-met'));
  assert.deepEqual(met, ['true', 'false']);
  assert.equal(the(dialog, '[role="alert"]').textContent, 'The simulator is still loading.');
});

test('the two runs of an incident are compared', async () => {
  const { dialog, show, done } = await museum();
  show('B05');
  button(dialog, 'Compare').click();
  assert.equal(dialog.open, true, 'closing the comparison comes back to it');
  assert.deepEqual(done, [['compare', { failing: 'slow', fixed: 'slow-fixed' }]]);
});

test('an incident of a lesson leads to it', async () => {
  const { dialog, show, done } = await museum();
  show('B05');
  button(dialog, 'Lesson 5').click();
  assert.deepEqual([dialog.open, done], [false, [['run', 'lesson', 5]]]);
  show('B01');
  assert.equal(all(dialog, 'article button').filter((one) => /^Lesson/.test(nameOf(one))).length, 0);
});
