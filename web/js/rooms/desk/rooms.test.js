import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, placeAt, settle } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { rooms } from '../../page/rooms.js';
import { openRooms } from './rooms.js';

/** The rooms of a page, none of them open. */
function desk() {
  globalThis.fetch = async () => new Response('[]');
  const view = {
    ...{ run: 1, branch: 0, seed: 7, playing: false, scenario: 'x', end: 60e9, ...placeAt(5e9, 9e9) },
    branches: [{ id: 0, parent: -1, name: 'first', hidden: false, forkAt: 0, live: 9e9 }],
    ...{ lease: { version: 1 }, nodes: [] },
  };
  const lab = {
    assets: { scenarios: 'scenarios.json', schema: 'schema.json' },
    ask: async (/** @type {string} */ op) => (op === 'breakpoints' ? {} : null),
  };
  const page = pageAt(view, lab, { rooms, timeline: { overlays: new Set() } });
  page.state.tab.value = 'objects';
  const opened = openRooms(page.ports, /** @type {any} */ ({}), { titles: { value: [] }, load: () => {} });
  const shown = () => page.added().filter(({ open }) => open);
  return { ...page, ...opened, dialogs: () => each(shown(), 'id') };
}

test('a command loads its room and opens it', async () => {
  const { commands, dialogs, added } = desk();
  assert.deepEqual(added(), []);
  await commands.branches();
  assert.deepEqual(dialogs(), ['tree']);
  await commands.breakpoints();
  await commands.museum?.('B05');
  assert.deepEqual(dialogs(), ['tree', 'breakpoints', 'museum']);
  await commands.branches();
  assert.equal(added().filter(({ tagName }) => tagName === 'DIALOG').length, 3, 'a room is opened once');
});

test('the room for evidence opens with the files that are evidence, and for other files it does not load', async () => {
  const { readEvidence, dialogs } = desk();
  globalThis.Worker = /** @type {any} */ (
    class {
      postMessage() {}
    }
  );
  const others = [new File(['kind: Scenario'], 'mine.yaml'), new File(['hello'], 'x.txt')];
  assert.equal(await readEvidence(others), false);
  assert.deepEqual(dialogs(), []);
  assert.equal(await readEvidence([...others, new File(['hello'], 'a.log')]), true);
  assert.deepEqual(dialogs(), ['evidence']);
});

test('the lessons load for their page; if they cannot, the next command tries again', async () => {
  const { state, commands } = desk();
  let tried = 0;
  globalThis.fetch = async () => {
    tried++;
    throw new Error('offline');
  };
  state.tab.value = 'story';
  await settle();
  assert.equal(tried, 0, 'the story needs no lessons');
  await commands.lessons?.();
  const once = tried;
  await commands.lessons?.();
  assert.ok(once > 0 && tried > once);
});

test('a link opens what it holds besides the run', async () => {
  const { openBesides, done, dialogs } = desk();
  await openBesides(/** @type {any} */ ({ breakpoints: [] }));
  assert.deepEqual([done, dialogs()], [[], []]);
  await openBesides(
    /** @type {any} */ ({
      breakpoints: [{ text: 'violation' }],
      compare: { a: { branch: 0 }, b: { branch: 0, seed: 8 } },
    }),
  );
  const asked = done.filter(([name]) => name === 'ask').map(([, op, params]) => [op, params]);
  assert.deepEqual(asked, [
    ['breakpoints', { breakpoints: [{ text: 'violation' }] }],
    ['compare', { a: { branch: 0 }, b: { branch: 0, seed: 8 } }],
  ]);
  assert.deepEqual(dialogs(), ['compare']);
});

test('without a lesson there is none to leave or to walk through', () => {
  const { isLearning, leaveLesson, commands, update } = desk();
  update();
  commands.lessonForth();
  assert.deepEqual([isLearning(), leaveLesson()], [false, false]);
});
