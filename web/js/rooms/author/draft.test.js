import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actionsOf,
  addBet,
  addStep,
  betOf,
  changeStep,
  lengthText,
  moveStep,
  nameOf,
  newDraft,
  paragraphs,
  removeStep,
  runOf,
  withPlayedActs,
} from './draft.js';
import { OFFER } from './offer.testsupport.js';

/** @import { Draft, Offer } from './draft.js' */

const EMPTY = newDraft({ title: 'Who is next?', scenario: 'crash', opens: 12e9, shows: { from: -3.4, to: 44e9 } });
/** @param {Draft} draft @param {number} at @param {string} title */
const look = (draft, at, title) => addStep(draft, { at, title, text: 'Words.' });
/** @param {Draft} draft */
const summaryOf = (draft) => draft.steps.map(({ kind, until, says }) => `${kind} ${until} ${says.title}`);

/** The page's data about the run. @param {object[]} actions @param {object} [more] */
const run = (actions, more = {}) => ({
  share: { scenario: 'crash', seed: 5, patch: [], actions },
  saved: { name: 'crash', actions, expect: [], museum: {} },
  before: [],
  nodes: ['a', 'b', 'c'],
  label: (/** @type {string} */ act, /** @type {string} */ node) => `${act} ${node}`,
  told: 'b is cut off',
  ...more,
});
const CRASH = { at: '20.000000001s', act: 'crash', target: 'a' };
const CUT = { at: '25.000000001s', act: 'cut', target: 'b', for: '5s' };

test('a lesson begins with the run on screen, and a name made of its title', () => {
  const { name, opens, shows, scenario } = EMPTY;
  assert.deepEqual(
    { name, opens, shows, scenario },
    { name: 'who-is-next', opens: '12s', shows: { from: '0s', to: '44s' }, scenario: 'crash' },
  );
  assert.equal(nameOf('Über uns: 2'), 'uber-uns-2');
  assert.equal(nameOf('3 a.m.'), 'lesson-3-a-m');
  assert.equal(nameOf('…'), 'lesson');
  assert.equal(lengthText(18_234_567_891), '18.234567891s');
});

test('steps stand in the order of time, each with its own name; the lesson opens no later than its first', () => {
  const draft = look(look(look(EMPTY, 20e9, 'Late'), 8e9, 'Early'), 20e9, 'Later');
  assert.deepEqual(summaryOf(draft), ['look 8s Early', 'look 20s Late', 'look 20s Later']);
  assert.deepEqual(draft.steps.map(({ name }) => name).sort(), ['look', 'look2', 'look3']);
  assert.equal(draft.opens, '8s');
  assert.deepEqual(paragraphs('One\nline.\n\n\n Two. \n\n'), ['One line.', 'Two.']);
});

test('a crash becomes a step that asks for it, and goes when the crash is undone', () => {
  const draft = withPlayedActs(look(EMPTY, 12e9, 'Look'), run([CRASH]));
  assert.deepEqual(summaryOf(draft), ['look 12s Look', 'act 20s Your turn.']);
  assert.deepEqual(draft.steps[1].act, { act: 'crash', node: 'a', at: '20s' });
  assert.deepEqual([draft.scenario, draft.seed], ['crash', 5], 'the visitor does it, so the scenario is as it was');
  assert.deepEqual(actionsOf(draft), [CRASH]);
  assert.equal(withPlayedActs(draft, run([CRASH])), draft, 'it is recorded once');
  assert.deepEqual(summaryOf(withPlayedActs(draft, run([]))), ['look 12s Look']);
});

test('what no button of a node does, the run of the lesson does by itself', () => {
  const draft = withPlayedActs(withPlayedActs(EMPTY, run([CRASH])), run([CRASH, CUT]));
  assert.deepEqual(summaryOf(draft), ['act 20s Your turn.', 'look 25.000000001s Watch.']);
  assert.deepEqual(draft.scenario, { name: 'crash', actions: [CUT] });
  assert.deepEqual(draft.steps[1].says.text, ['b is cut off.']);
  assert.equal(withPlayedActs(draft, run([CRASH, CUT])), draft);
});

test('acts that are older than the lesson, and settings, belong to its scenario', () => {
  assert.deepEqual(withPlayedActs(EMPTY, run([CRASH], { before: [CRASH] })).scenario, {
    name: 'crash',
    actions: [CRASH],
  });
  const patched = run([], {
    share: { scenario: 'crash', seed: 5, patch: [{ path: 'duration', value: '3m' }], actions: [] },
  });
  assert.deepEqual(withPlayedActs(EMPTY, patched).scenario, { name: 'crash', actions: undefined });
});

test('a bet comes with the step that shows its answer; what is later waits for the answer', () => {
  const draft = addBet(look(EMPTY, 30e9, 'After'), 21e9, OFFER);
  assert.deepEqual(summaryOf(draft), ['bet 21s Your prediction.', 'see 37s See.', 'look 37s After']);
  assert.equal(draft.explain, 1);
  assert.deepEqual(betOf(draft)?.bet, { kind: 'marker', answer: 'tookAt' });
  assert.deepEqual(summaryOf(look(draft, 25e9, 'Between')).slice(0, 3), [
    'bet 21s Your prediction.',
    'see 37s See.',
    'look 37s Between',
  ]);
  assert.deepEqual(
    summaryOf(addBet(draft, 22e9, OFFER)),
    ['bet 22s Your prediction.', 'see 37s See.', 'look 37s After'],
    'there is one',
  );
  const acted = withPlayedActs(draft, run([{ ...CRASH, at: '40.000000001s' }]));
  assert.deepEqual(summaryOf(acted).at(-1), 'look 40.000000001s Watch.', 'an act after the bet is not asked for');
});

test('a bet right after an act stands at its instant', () => {
  const draft = addBet(withPlayedActs(EMPTY, run([CRASH])), 20e9 + 1, OFFER);
  assert.deepEqual(summaryOf(draft), ['act 20s Your turn.', 'bet 20s Your prediction.', 'see 37s See.']);
});

test('a bet and its answer go together', () => {
  const draft = addBet(look(EMPTY, 12e9, 'Look'), 21e9, OFFER);
  for (const i of [1, 2]) {
    const { explain, ...rest } = removeStep(draft, i);
    assert.equal(explain, undefined);
    assert.deepEqual(summaryOf(/** @type {Draft} */ (rest)), ['look 12s Look']);
  }
  assert.deepEqual(summaryOf(removeStep(draft, 0)), ['bet 21s Your prediction.', 'see 37s See.']);
});

test('two steps exchange their instants; what happens at its instant stays', () => {
  const draft = addBet(withPlayedActs(look(look(EMPTY, 12e9, 'One'), 15e9, 'Two'), run([CRASH])), 20e9, OFFER);
  assert.deepEqual(summaryOf(/** @type {Draft} */ (moveStep(draft, 1, -1))).slice(0, 2), [
    'look 12s Two',
    'look 15s One',
  ]);
  for (const [i, by] of /** @type {[number, 1 | -1][]} */ ([
    [0, -1],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
  ])) {
    assert.equal(moveStep(draft, i, by), undefined, `${i} ${by}`);
  }
});

test('a step is edited without touching the others', () => {
  const draft = look(look(EMPTY, 12e9, 'One'), 15e9, 'Two');
  const next = changeStep(draft, 1, (step) => ({ ...step, says: { ...step.says, title: 'New' } }));
  assert.deepEqual(summaryOf(next), ['look 12s One', 'look 15s New']);
  assert.equal(next.steps[0], draft.steps[0]);
});

test('the run of a lesson has its acts, and is shown up to the end of its last step', () => {
  const { scenario, actions, live } = runOf(withPlayedActs(look(EMPTY, 30e9, 'Last'), run([CRASH])));
  assert.deepEqual({ scenario, actions, live }, { scenario: 'crash', actions: [CRASH], live: { t: 30e9 + 1, n: -1 } });
  const opening = runOf(look(EMPTY, 30e9, 'Last'), false);
  assert.deepEqual([opening.actions, opening.live.t], [[], 12e9]);
});
