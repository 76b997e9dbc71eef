import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { browser, each, fire as fireAt, recorder, settle, text } from '#dom';
import { Missing } from '../../lib/later.js';
import { openFiling } from './filing.js';

const SCENARIO = { apiVersion: 'leaselab/v1', kind: 'Scenario', name: 'mine', summary: 'What it shows.' };

/** The files of a page, and the saved files. @param {Record<string, unknown>} [answers] of the lab */
function page(answers = {}) {
  const { at, fire, window, added } = browser();
  /** @type {unknown[][]} */
  const done = [];
  /** @type {any[]} */
  const saved = [];
  URL.createObjectURL = /** @type {any} */ ((/** @type {Blob} */ blob) => `blob:${saved.push({ blob })}`);
  URL.revokeObjectURL = () => {};
  mock.method(
    window.HTMLAnchorElement.prototype,
    'click',
    /** @this {any} */ function () {
      saved[saved.length - 1].name = this.download;
    },
  );
  const lab = recorder(done, {
    state: { watch: { value: '' } },
    open: async () => true,
    ask: async (/** @type {string} */ op) =>
      op === 'errors' ? { errors: answers.errors ?? [], whole: true } : { name: 'mine.json', scenario: SCENARIO },
    ...answers,
  });
  const filing = openFiling({
    lab,
    notifier: recorder(done),
    playLesson: async () => [],
    readRecord: async (files) => {
      if (files[0].name === 'offline.ndjson') throw new Error('This needs the network once.');
      return files.length === 1 && files[0].name === 'run.ndjson' && done.push(['record']) > 0;
    },
    readEvidence: async (files) =>
      files.some(({ name }) => name.endsWith('.log')) && done.push(['evidence', files.length]) > 0,
  });
  return { ...filing, at, fire, done, saved, lab, dialogs: added };
}
const file = (/** @type {unknown} */ document, name = 'mine.json') => new File([JSON.stringify(document)], name);

test('a run is saved in the format that is asked for, under its name', async () => {
  const { save, saveSession, saved, done } = page();
  await save('json');
  await save('yaml');
  await saveSession();
  assert.deepEqual(each(saved, 'name'), ['mine.json', 'mine.yaml', 'mine.json']);
  assert.deepEqual(JSON.parse(await saved[0].blob.text()), SCENARIO);
  assert.match(await saved[1].blob.text(), /^kind: Scenario$/m);
  assert.deepEqual(each(done, 1), ['save', 'save', 'saveSession']);
});

test('what cannot be saved is told', async () => {
  const { save, done } = page({
    ask: async () => {
      throw new Error('The simulator is still loading.');
    },
  });
  await save('json');
  assert.deepEqual(done.at(-1), ['notify', 'The simulator is still loading.', { tone: 'error' }]);
});

test('a chosen file opens with its summary, and can be chosen again', async () => {
  const { at, done, lab } = page();
  const input = /** @type {any} */ (at('file'));
  Object.defineProperties(input, {
    value: { value: 'C:\\mine.json', writable: true },
    files: { value: [file(SCENARIO)] },
  });
  fireAt(input, 'change');
  while (input.value !== '') await settle();
  assert.deepEqual(done, [
    ['ask', 'errors', { scenario: SCENARIO }],
    ['open', { scenario: SCENARIO }, 'mine.json will open'],
    ['notify', 'mine.json is open.'],
    ['ask', 'save'],
  ]);
  await settle();
  assert.equal(lab.state.watch.value, 'What it shows.');
});

test('a file dropped on the page opens, and the browser does not open it itself', async () => {
  const { fire, done } = page();
  assert.equal(fire('dragover').defaultPrevented, true);
  assert.equal(fire('drop', { dataTransfer: { files: [file(SCENARIO)] } }).defaultPrevented, true);
  while (done.length < 3) await settle();
  assert.deepEqual(done[1], ['open', { scenario: SCENARIO }, 'mine.json will open']);
});

test('what is no file opens nothing; a file that is no scenario is told', async () => {
  const { fire, done } = page();
  fire('drop', { dataTransfer: { files: [] } });
  await settle();
  assert.deepEqual(done, []);
  fire('drop', { dataTransfer: { files: [file([1, 2])] } });
  while (done.length === 0) await settle();
  assert.match(String(done[0][1]), /mine\.json contains no scenario/);
});

test('a record that cannot be read is told', async () => {
  const { fire, done } = page();
  fire('drop', { dataTransfer: { files: [file({}, 'offline.ndjson')] } });
  while (done.length === 0) await settle();
  assert.deepEqual(done, [['notify', 'This needs the network once.', { tone: 'error' }]]);
});

test('a part that did not load has said so itself', async () => {
  const missing = async () => {
    throw new Missing('A part.');
  };
  const { save, done } = page({ ask: missing });
  await save('yaml');
  assert.deepEqual(done, [['ask', 'save']]);
});

test('a file that the run refuses is not said to be open', async () => {
  const { fire, done } = page({ open: async () => false });
  fire('drop', { dataTransfer: { files: [file(SCENARIO)] } });
  while (done.length < 2) await settle();
  await settle();
  assert.deepEqual(each(done, 0), ['ask', 'open']);
});

test('a file with several errors shows all of them, and opens nothing', async () => {
  const errors = [
    { path: 'kind', message: 'kind "Scenari" must be "Scenario"' },
    { path: 'seed', message: 'seed: missing' },
  ];
  const { fire, done, dialogs } = page({ errors });
  const typed = '{\n"apiVersion": "leaselab/v1",\n"kind": "Scenari"}';
  fire('drop', { dataTransfer: { files: [new File([typed], 'mine.json')] } });
  while (dialogs().length === 0) await settle();
  const [dialog] = dialogs();
  assert.match(text(dialog), /mine\.json has 2 errors/);
  assert.match(text(dialog), /Line 3: kind "Scenari" must be "Scenario"/);
  assert.deepEqual(each(done, 0), ['ask']);
});
