import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, enter, settle, submit, text, the, waitUntil } from '#dom';
import { decodeLink } from '../../lib/share.js';
import { pageAt } from '../../page/page.testsupport.js';
import { addStep, newDraft } from './draft.js';
import { OFFER } from './offer.testsupport.js';

const live = { t: 20e9, n: -1 };
const node = (/** @type {string} */ name, /** @type {string} */ role) => ({ name, role });

/** The room of a page on which a scenario is open at 20 s. */
async function room() {
  const kept = new Map();
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text),
      removeItem: (/** @type {string} */ key) => kept.delete(key),
    },
  });
  const { open } = await import('./index.js');
  /** The run in the fake engine. */
  const run = { actions: /** @type {object[]} */ ([]), problems: /** @type {object[]} */ ([]), offers: [OFFER] };
  const view = {
    ...{ run: 1, branch: 0, undo: '', playing: false, cursor: live, live, end: 120e9, seed: 1004 },
    ...{ scenario: 'a-leader-at-work', title: 'A leader at work' },
    nodes: [node('a', 'leading'), node('b', 'following')],
  };
  const page = pageAt(view, {
    share: async () => ({ scenario: 'a-leader-at-work', patch: [], actions: run.actions, cursor: live, live }),
    ask: async () => ({ scenario: { name: 'a-leader-at-work', actions: run.actions, expect: [] } }),
    openLink: async () => {},
    copy: async () => true,
  });
  const { state, done } = page;
  state.hello.value = /** @type {any} */ ({ acts: [{ name: 'crash', label: 'Crash {node}…' }] });
  const checker = {
    check: async (/** @type {string} */ text) => {
      done.push(['check', text]);
      return { problems: run.problems, lesson: run.problems.length > 0 ? undefined : { name: 'mine' } };
    },
    offers: async (/** @type {unknown} */ _, /** @type {number} */ after) => {
      done.push(['offers', after]);
      return run.offers;
    },
  };
  const playing = { on: false };
  const player = {
    isOn: () => playing.on,
    leave: () => {
      playing.on = false;
    },
    play: async (/** @type {object} */ lesson, /** @type {number} */ step) => {
      done.push(['play', lesson, step]);
      playing.on = true;
    },
  };
  const unit = open({ ...page.ports, player: async () => player }, /** @type {any} */ (checker));
  const panel = page.at('lesson').children[0] ?? page.at('author');
  /** Waits for all pending work, and draws. */
  const settleAll = async () => {
    for (let i = 0; i < 3; i++) {
      await settle();
      page.frame();
    }
  };
  const show = async () => {
    await unit.show();
    await settleAll();
  };
  return { ...unit, show, settleAll, state, run, done, kept, panel };
}

/** The last message to the visitor. @param {unknown[][]} done */
const lastSentence = (done) => String(done.findLast(([name]) => name === 'notify' || name === 'say')?.[1]);

test('it begins with the run on screen; each act becomes a step, and a step is added at the cursor', async () => {
  const { settleAll, show, panel, state, run, kept } = await room();
  await show();
  await settleAll();
  assert.match(text(panel), /Play the run\. Crash, pause or cut off a node/);
  assert.equal(the(panel, '.author-title input').value, 'My lesson: A leader at work');

  run.actions = [{ at: '20.000000001s', act: 'crash', target: 'a' }];
  state.view.value = { ...state.view.value, undo: 'a crashes' };
  await settleAll();
  assert.match(text(panel), /Act, 00:20\.000/);

  state.selection.value = /** @type {any} */ ({ kind: 'node', node: 'b' });
  await submit(the(panel, 'form.author-add'), { title: 'Look here.', words: 'One.\n\nTwo.' });
  await settleAll();
  assert.match(text(panel), /Look here\.\s*Look, 00:20\.000/);
  assert.match([...kept.values()][0], /node: b/);
});

test('in one column the panel scrolls to its place under the chart', async () => {
  const { show, panel, state } = await room();
  let scrolled = 0;
  panel.scrollIntoView = () => scrolled++;
  state.layout.value = 'narrow';
  await show();
  assert.equal(scrolled, 1);
  state.layout.value = 'wide';
  await show();
  assert.equal(scrolled, 1, 'beside the chart it does not move');
});

test('a bet is chosen from what the run answers after the cursor', async () => {
  const { settleAll, show, panel, done } = await room();
  await show();
  button(panel, 'Place a bet here…').click();
  await settleAll();
  const offers = done.find(([name]) => name === 'offers');
  assert.deepEqual(offers, ['offers', 20e9]);
  button(panel, /^When does the next leader take over/).click();
  await settleAll();
  assert.match(text(panel), /Your prediction\.\s*Bet, 00:20\.000/);
  assert.equal(lastSentence(done), 'The bet is placed.');

  const until = () => the(panel, '.author-edit input[inputmode="decimal"]');
  assert.equal(until().value, '00:20.000', 'the step that is open');
  enter(until(), '26s');
  await settleAll();
  assert.match(text(panel), /Your prediction\.\s*Bet, 00:26\.000/);
  enter(until(), 'soon');
  await settleAll();
  assert.match(lastSentence(done), /“soon” must be an instant/);
  assert.match(text(panel), /Bet, 00:26\.000/);
});

test('a lesson that fits into an address is copied as a link, a longer one saved as a file', async () => {
  const { settleAll, show, panel, done } = await room();
  await show();
  button(panel, 'Copy the link').click();
  await waitUntil(() => done.some(([name]) => name === 'copy'));
  const copied = done.find(([name]) => name === 'copy');
  const linked = await decodeLink(new URL(String(copied?.[1])).hash);
  assert.equal(/** @type {any} */ (linked).lesson.document.title, 'My lesson: A leader at work');

  const noise = Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1).toString(36)).join(' ');
  enter(the(panel, '.author-title input'), noise);
  await settleAll();
  button(panel, 'Copy the link').click();
  await waitUntil(() => done.some(([name]) => name === 'download'));
  const [, name, written, type] = done.find(([name]) => name === 'download') ?? [];
  assert.match(String(name), /\.yaml$/);
  assert.ok(String(written).includes(noise.slice(-40)), 'the file holds the whole lesson');
  assert.equal(type, 'application/yaml');
  assert.match(
    lastSentence(done),
    /^The link would have \d+ characters, and many .* more than 8000\. The lesson is saved as a file instead\.$/,
  );
  assert.equal(done.filter(([name]) => name === 'copy').length, 1);
});

test('errors are listed with their lines, and such a lesson is not played', async () => {
  const { settleAll, show, panel, run, done, play } = await room();
  await show();
  run.problems = [{ line: 3, message: 'no node is named “bb”.' }];
  button(panel, /^Preview$/).click();
  await settleAll();
  assert.match(text(panel), /1 error:.*Line 3.*bb/s);
  assert.match(lastSentence(done), /The lesson has errors\. Correct them, then preview it\./);
  assert.deepEqual(await play('title: x'), run.problems);
  assert.equal(done.filter(([name]) => name === 'play').length, 0);
});

test('a preview plays the lesson, and going back opens its run again', async () => {
  const { settleAll, show, panel, done, state } = await room();
  await show();
  button(panel, /^Preview$/).click();
  await settleAll();
  const played = done.find(([name]) => name === 'play');
  assert.deepEqual(played, ['play', { name: 'mine' }, 0]);
  assert.match(text(panel), /Preview of your lesson/);
  button(panel, 'Back to writing').click();
  await settleAll();
  assert.equal(done.filter(([name]) => name === 'openLink').length, 1);
  assert.equal(all(panel, '.author-bar').length, 0);
  state.view.value = { ...state.view.value, scenario: 'crash' };
  await settleAll();
  assert.match(text(panel), /The run on screen is not this lesson's run, so nothing is recorded/);
});

test('what a file or a link plays can be edited next; without an engine nothing opens', async () => {
  const { settleAll, show, play, panel, state, done } = await room();
  const file = JSON.stringify(
    addStep(newDraft({ title: 'Another', scenario: 'crash', opens: 1e9, shows: { from: 0, to: 2e9 } }), {
      ...{ at: 1e9, title: 'Look.', text: 'Words.' },
    }),
  );
  assert.deepEqual(await play(file), []);
  await show();
  await settleAll();
  assert.equal(the(panel, '.author-title input').value, 'Another');
  button(panel, 'Stop writing').click();
  await settleAll();
  assert.equal(text(panel), '');
  state.phase.value = 'failed';
  state.failure.value = 'The simulator could not start.';
  await show();
  assert.equal(lastSentence(done), 'The simulator could not start.');
});

test('a step is moved, deleted and brought back; the page names text that is not a lesson', async () => {
  const { settleAll, show, panel, done } = await room();
  await show();
  for (const title of ['First', 'Second']) {
    await submit(the(panel, 'form.author-add'), { title, words: 'Words.' });
    await settleAll();
  }
  const steps = () => all(panel, '.author-step b').map((one) => one.textContent);
  button(panel, /^Second/).click();
  await settleAll();
  button(panel, 'Earlier').click();
  await settleAll();
  assert.deepEqual(steps(), ['Second', 'First']);
  button(panel, 'Delete').click();
  await settleAll();
  assert.deepEqual(steps(), ['First']);
  assert.equal(lastSentence(done), 'The step is deleted.');
  button(panel, 'Undo the edit').click();
  await settleAll();
  assert.deepEqual(steps(), ['Second', 'First']);
  button(panel, 'File').click();
  await settleAll();
  enter(the(panel, '#author-file'), 'title: [');
  button(panel, 'Copy the link').click();
  assert.match(lastSentence(done), /The file cannot be read as a lesson/);
});
