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

/**
 * Each chosen incident asks for the words of its assertions. The log does not contain these questions.
 * @param {unknown[][]} done
 * @param {any} answers
 */
const labOf = (done, answers) => {
  const { open, play, ask } = recorder(done, answers);
  const clauses = [{ clause: '2 leader changes' }, { clause: 'never two', name: 'two' }];
  return {
    assets: { scenarios: 'scenarios.json' },
    open,
    play,
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => (params.words ? { clauses } : ask(op, params)),
  };
};

/** Shows the museum. @param {any} [answers] of the lab */
async function museum(answers = {}) {
  const page = pageAt({});
  globalThis.fetch = async () => new Response(JSON.stringify(SHIPPED));
  const room = await open({ ...page.ports, lab: labOf(page.done, answers) });
  const [dialog] = page.added();
  room.show();
  const incidents = () => all(dialog, 'nav button').map(nameOf);
  return { ...page, ...room, dialog, incidents };
}

test('it opens with every incident and the search in focus', async () => {
  const { dialog, incidents, focusedId } = await museum();
  assert.equal(dialog.open, true);
  assert.deepEqual(incidents(), ['B01Title of two', 'B05Title of slowlesson 5']);
  assert.equal(focusedId(), 'museum-text');
  assert.match(text(dialog), /2 of 2 incidents/);
});

test('a search narrows the list, and the arrow down goes to its first incident', async () => {
  const { dialog, incidents, document } = await museum();
  enter(the(dialog, '#museum-text'), 'slow');
  assert.deepEqual(incidents(), ['B05Title of slowlesson 5']);
  assert.match(text(dialog), /1 of 2 incidents/);
  const event = fire(the(dialog, '#museum-text'), 'keydown', { key: 'ArrowDown' });
  assert.equal(event.defaultPrevented, true);
  assert.match(document.activeElement.textContent, /B05/);
});

test('an incident is chosen from the list, or by its number in the catalogue', async () => {
  const { dialog, show } = await museum();
  assert.equal(dialog.dataset.chosen, 'false');
  button(dialog, /Title of slow/).click();
  assert.equal(the(dialog, 'article h3').textContent, 'B05 Title of slow');
  assert.equal(dialog.dataset.chosen, 'true');
  show('B01');
  assert.equal(the(dialog, 'article h3').textContent, 'B01 Title of two');
  show('B99');
  assert.match(text(dialog), /Choose an incident/);
});

test('a run that opens plays, and the page says what to watch; one that does not says nothing', async () => {
  const { dialog, show, done } = await museum({ open: async () => true });
  show('B05');
  await press(button(dialog, 'Open the fixed run'));
  assert.equal(dialog.open, false);
  assert.deepEqual(done, [
    ['open', { scenario: 'slow-fixed' }, '“Title of slow-fixed” will open', 'Watch slow-fixed.'],
    ['play'],
  ]);
  const refused = await museum({ open: async () => false });
  refused.show('B05');
  await press(button(refused.dialog, 'Open the fixed run'));
  assert.deepEqual(each(refused.done, 0), ['open']);
});

test('the expectations of a run are checked, and said', async () => {
  const outcomes = [
    { met: true, clause: '2 leader changes', measured: '2' },
    { met: false, clause: 'never two', name: 'two', measured: '1' },
  ];
  const { dialog, show, done } = await museum({ ask: async () => ({ outcomes }) });
  show('B05');
  await settle();
  const listed = () => all(dialog, 'section[data-variant="failing"] li').map((one) => text(one));
  assert.deepEqual(listed(), ['2 leader changes', 'never two two']);
  await press(the(dialog, 'section[data-variant="failing"] button', 'Check expectations'));
  assert.deepEqual(done, [
    ['ask', 'expect', { scenario: 'slow' }],
    ['say', '1 of 2 expectations hold.'],
  ]);
  const met = all(dialog, 'section[data-variant="failing"] li').map((one) => one.getAttribute('data-met'));
  assert.deepEqual(met, ['true', 'false']);
});

test('an engine that refuses to check is told where the outcome would stand', async () => {
  const { dialog, show } = await museum({
    ask: async () => {
      throw new Error('The simulator is still loading.');
    },
  });
  show('B05');
  await press(the(dialog, 'section[data-variant="fixed"] button', 'Check expectations'));
  await settle();
  assert.equal(the(dialog, '[role="alert"]').textContent, 'The simulator is still loading.');
});

test('the two runs of an incident are compared', async () => {
  const { dialog, show, done } = await museum();
  show('B05');
  button(dialog, 'Compare the two runs').click();
  assert.equal(dialog.open, true, 'closing the comparison comes back to it');
  assert.deepEqual(done, [['compare', { failing: 'slow', fixed: 'slow-fixed' }]]);
});

test('an incident of a lesson leads to it', async () => {
  const { dialog, show, done } = await museum();
  show('B05');
  button(dialog, 'Begin lesson 5').click();
  assert.deepEqual([dialog.open, done], [false, [['run', 'lesson', 5]]]);
  show('B01');
  assert.doesNotMatch(text(dialog), /Begin lesson/);
});
