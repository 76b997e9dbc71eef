import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, enter, fire, nameOf, placeAt, press, recorder, settle, submit, text, the } from '#dom';
import { Frames } from '../../lib/frames.js';
import { pageAt } from '../../page/page.testsupport.js';
import { room as openRoom } from './index.js';
import { ACT, aLeaderDies, BET, LESSONS, SEE } from './lesson.testsupport.js';
import { lengthText, stepTemplate } from './panel.js';
import { newProgress } from './progress.js';
import { shelfTemplate } from './shelf.js';

const S = 1e9;
const VIEW = /** @type {any} */ ({
  ...{ scenario: 'something-else', run: 1, branch: 0, playing: false, nodes: [], end: 120 * S },
  ...{ ...placeAt(0) },
  lease: { version: 3, holder: 'a', holderIndex: 0 },
  knobs: [
    { path: 'elector.leaseDuration', value: '15s' },
    { path: 'elector.renewDeadline', value: '10s' },
    { path: 'elector.retryPeriod', value: '2s' },
    { path: 'elector.requestTimeout', value: '5s' },
  ],
});
const WHY = /** @type {any} */ ({
  change: { index: 1, at: 34.039 * S, from: 'a', to: 'b', leaderlessNs: 14.039 * S },
  counts: [
    { node: 'b', seen: 18.165 * S, until: 33.165 * S },
    { node: 'c', seen: 20.1 * S, until: 35.1 * S },
  ],
  lookedAt: 34.029 * S,
  addends: ['13.165', '0.864', '0.010'].map((shown, i) => ({
    ns: Number(shown) * S,
    shown,
    text: `part ${i}`,
    cursor: { t: i, n: 0 },
  })),
});

/** The lesson room with a fake run. @param {{phase?: any}} [how] */
function room({ phase = 'ready' } = {}) {
  const show = (/** @type {object} */ change) => {
    state.view.value = { ...state.view.value, ...change };
  };
  const page = pageAt(VIEW, {
    guard: undefined,
    ask: async (/** @type {string} */ op) => (op === 'why' ? WHY : { at: 1, total: 2 }),
    open: async (/** @type {any} */ { scenario, cursor, live }) => {
      show({ scenario, run: 7, cursor, live });
      return true;
    },
    act: async (/** @type {string} */ act) => {
      if ((await lab.guard?.('act', { act, node: 'a' }))?.refusal) return;
      show({ run: 8 });
    },
    undo: async () => show({ run: 7, branch: 0 }),
    change: async (/** @type {string} */ op, /** @type {any} */ params) => {
      if (op === 'seek') show({ cursor: params.cursor });
      if (op === 'branch') show({ branch: params.branch, run: 7 });
      if (op === 'play') show({ ...placeAt(params.until) });
      return state.view.value;
    },
  });
  const { state, done, lab } = page;
  state.phase.value = phase;
  // The room sets the guard on the lab.
  const guarded = /** @type {any} */ (new Proxy(lab, { set: (_, name, value) => Reflect.set(lab, name, value) }));
  const given = {
    ...{ ...page.ports, lab: guarded, timeline: { layout: null, frames: new Frames(), flag() {} } },
    key: (/** @type {string} */ id) => (id === 'crash' ? 'K' : ''),
  };
  const unit = openRoom(given, LESSONS, async (name) => ({ name }));
  const root = page.at('lesson');
  page.at('tab-story').tabIndex = 0;
  const sentences = () => done.filter(([name]) => name === 'say').map(([, sentence]) => sentence);
  /** Goes forward as long as the steps allow it. */
  const walk = async (/** @type {number} */ to) => {
    for (let step = 0; step < to; step++) {
      unit.forth();
      await settle();
    }
  };
  return { ...page, ...unit, show, root, sentences, walk };
}
/** @param {any[]} added */
const shelfOf = (added) => added.find(({ id }) => id === 'lessons');
const titleOf = (/** @type {any} */ root) => the(root, '#lesson-heading').textContent;

test('the page shows the lessons; one that begins opens its run and shows its first step', async () => {
  const { root, shelf, added, isOn, state, done, frame, focusedId } = room();
  shelf();
  await press(button(shelfOf(added()), 'Begin lesson 1'));
  await settle();
  assert.equal(isOn(), true);
  assert.equal(state.view.value.scenario, aLeaderDies.run.scenario);
  assert.equal(titleOf(root), aLeaderDies.steps[0].title);
  frame();
  assert.equal(focusedId(), 'lesson-heading');
  assert.ok(done.some(([name, tab]) => name === 'showTab' && tab === 'story'));
  assert.deepEqual(state.viewport.value, aLeaderDies.steps[0].shows);
});

test('a link to a lesson that is missing opens the list', () => {
  const { follow, isOn, done } = room();
  follow(/** @type {any} */ ({ number: 99 }));
  assert.equal(isOn(), false);
  assert.deepEqual(done.at(-1), ['run', 'lessons']);
});

test('a lesson waits for the engine, and says why there is none', async () => {
  const { root, begin, isOn, state } = room({ phase: 'opening' });
  const beginning = begin();
  assert.match(text(root), /The lesson begins when the simulator has loaded\./);
  state.failure.value = 'The simulator could not start.';
  state.phase.value = 'failed';
  await beginning;
  assert.equal(isOn(), false);
  assert.match(text(root), /The simulator could not start\./);
});

test('the steps go forth and back; a step that waits says what for', async () => {
  const { root, begin, walk, back, sentences, forth } = room();
  await begin();
  await walk(ACT);
  assert.equal(titleOf(root), aLeaderDies.steps[ACT].title);
  forth();
  assert.equal(sentences().at(-1), 'First crash a.');
  back();
  assert.equal(titleOf(root), aLeaderDies.steps[ACT - 1].title);
});

test('the act is done for a visitor who strays, and then the bet is asked for', async () => {
  const { root, begin, walk, show, state, forth } = room();
  await begin();
  await walk(ACT);
  show({ branch: 1, run: 9 });
  assert.match(text(root), /That was another run\./);
  await press(button(root, 'Do it for me'));
  await settle();
  assert.equal(state.view.value.branch, 0);
  assert.match(text(root), /a is gone\. It had no time to say so/);
  forth();
  assert.equal(titleOf(root), aLeaderDies.steps[BET].title);
});

/** A lesson in which the visitor stands at the bet. */
async function roomAtBet() {
  const it = room();
  await it.begin();
  await it.walk(ACT);
  await it.lab.act('crash', 'a');
  await it.walk(1);
  return it;
}

test('a bet is typed or nudged, refused where it is none, and placed; then the run is explained', async () => {
  const { root, sentences } = await roomAtBet();
  const locks = () => button(root, 'Lock it in').getAttribute('aria-disabled');
  assert.equal(locks(), 'true', 'nothing is predicted');
  enter(the(root, '#lesson-bet'), 'soon');
  submit(the(root, '.lesson-bet'));
  assert.match(the(root, '[role="alert"]').textContent, /“soon” must be a time from 20 to 120 s/);
  enter(the(root, '#lesson-bet'), '30');
  button(root, '+ 0.5 s').click();
  assert.deepEqual([the(root, '#lesson-bet').value, locks()], ['30.5', 'false']);
  submit(the(root, '.lesson-bet'));
  for (let i = 0; i < 5; i++) await settle();
  assert.equal(titleOf(root), aLeaderDies.steps[SEE].title);
  assert.match(text(root), /b leads at 34\.039 s, 14\.039 s after the crash\. You said 30\.5 s: 3\.539 s too early\./);
  assert.match(String(sentences().at(-1)), /^b leads at 34\.039 s/);
});

test('without a bet the outcome is shown too, and its parts lead to their events', async () => {
  const { root, walk, done } = await roomAtBet();
  button(root, "I don't know, show me").click();
  for (let i = 0; i < 5; i++) await settle();
  assert.match(text(root), /No prediction, fine\./);
  await walk(1);
  assert.match(text(root), /14\.039 s = 13\.165 left on b's countdown \+ 0\.864 until b tried again/);
  assert.match(text(root), /Choose a part to see it in the chart\./);
  const [first] = all(root, '.lesson-part');
  fire(first, 'pointerenter');
  assert.deepEqual(done.at(-1), ['mark', 0]);
  fire(first, 'pointerleave');
  assert.deepEqual(done.at(-1), ['mark', null]);
  first.click();
  assert.deepEqual(done.at(-1), ['select', { kind: 'event', cursor: { t: 0, n: 0 } }]);
});

test('the page’s requests go through the lesson while it is on', async () => {
  const { lab, leave } = await roomAtBet();
  assert.match((await lab.guard('runTo', { what: 'end' })).refusal, /The future stays hidden until you predict/);
  leave();
  assert.equal(lab.guard, undefined);
});

test('the place to look at is marked while the lesson is on', async () => {
  const { begin, update, leave, document } = room();
  update();
  assert.equal(document.documentElement.dataset.look, undefined);
  await begin();
  update();
  assert.equal(document.documentElement.dataset.look, 'stage');
  leave();
  assert.equal(document.documentElement.dataset.look, '');
});

test('a lesson that is left resumes where it was; another run ends it', async () => {
  const { root, shelf, added, begin, walk, leave, isOn, show, sentences, frame, focusedId } = room();
  await begin();
  await walk(1);
  assert.equal(leave(), true);
  assert.equal(leave(), false);
  assert.match(String(sentences().at(-1)), /You left the lesson\./);
  frame();
  assert.equal(focusedId(), 'tab-story');
  shelf();
  await press(button(shelfOf(added()), 'Go on: lesson 1, step 2'));
  assert.equal(titleOf(root), aLeaderDies.steps[1].title);
  show({ scenario: 'another' });
  assert.equal(isOn(), false);
});

/* ---- the templates ---- */

const KINDS = aLeaderDies.steps.map(({ kind }) => kind);
/** A step, as a visitor sees it. @param {string} kind @param {object} [more] */
function step(kind, more = {}) {
  const called = /** @type {unknown[][]} */ ([]);
  const shown = {
    ...{
      lesson: aLeaderDies,
      next: LESSONS[1],
      known: false,
      points: {},
      goal: '',
      act: 'Crash a',
      view: VIEW,
      waits: '',
      values: { press: '', leaseDuration: '15', retryPeriod: '2' },
      why: null,
      facts: null,
      marked: null,
    },
    ...{
      field: { text: '', error: '', read: '' },
      transfer: { chosen: '', running: null, result: '', right: false },
      key: () => '',
    },
    ...more,
    progress: {
      ...newProgress(),
      step: KINDS.indexOf(/** @type {any} */ (kind)),
      .../** @type {any} */ (more).progress,
    },
  };
  return { drawn: stepTemplate(shown, recorder(called)), called };
}

test('every step says where it stands, and has a way back and on', () => {
  const { drawn, called } = step('act', { waits: 'First crash a.' });
  assert.equal(the(drawn, '#lesson-place').textContent, `Lesson 1 · A leader dies · ${ACT + 1} of ${KINDS.length}`);
  const next = button(drawn, 'Next');
  assert.deepEqual([next.getAttribute('aria-disabled'), next.title], ['true', 'First crash a.']);
  next.click();
  button(drawn, 'Back').click();
  button(drawn, 'Crash a').click();
  button(drawn, 'Leave the lesson').click();
  assert.deepEqual(each(called, 0), ['next', 'back', 'doIt', 'close']);
  assert.equal(
    button(step('look').drawn, 'Back').getAttribute('aria-disabled'),
    'true',
    'before the first step there is none',
  );
  assert.equal(all(step('transfer').drawn, 'button').filter((one) => nameOf(one) === 'Next').length, 0);
});

test('the note shows the Lease as the others read it', () => {
  const noted = aLeaderDies.steps.findIndex(({ lease }) => lease);
  const { drawn } = step('look', { progress: { step: noted } });
  assert.equal(nameOf(the(drawn, '.lesson-note')), 'The note');
  assert.match(text(drawn), /leader a valid without renewal 15 s written 3 times/);
});

test('the question is answered by a choice, which runs over many seeds', () => {
  const { drawn, called } = step('transfer');
  assert.equal(button(drawn, /^Run 200 times/).getAttribute('aria-disabled'), 'true', 'nothing is chosen');
  fire(all(drawn, 'input')[1], 'change');
  submit(the(drawn, '.lesson-transfer'));
  button(drawn, "I don't know, show me").click();
  assert.deepEqual(each(called, 0), ['choose', 'answer', 'showAnswer']);
  assert.equal(called[0][1], 'looks');
  const running = step('transfer', {
    transfer: { chosen: 'lease', running: { done: 50, of: 200 }, result: '', right: false },
  });
  assert.match(text(running.drawn), /50 of 200/);
  button(running.drawn, 'Stop').click();
  assert.deepEqual(running.called[0][0], 'stop');
});

test('an act that is done is no longer the visitor’s turn', () => {
  assert.equal(the(step('act').drawn, '#lesson-heading').textContent, 'Your turn.');
  assert.equal(the(step('act', { progress: { acted: 1 } }).drawn, '#lesson-heading').textContent, 'Done.');
});

test('once answered, the lesson says what to keep, and leads to the goal, the museum and the next lesson', () => {
  const { drawn, called } = step('transfer', {
    progress: { answered: ['release'] },
    transfer: { chosen: 'release', running: null, result: 'Right.', right: true },
  });
  assert.match(text(drawn), /Right\. .*Takeaway: the gap/);
  button(drawn, 'Change the settings').click();
  button(drawn, 'Does this run reach the goal?').click();
  button(drawn, /^B49/).click();
  button(drawn, 'Next lesson').click();
  assert.deepEqual(each(called.slice(0, 2), 0), ['changeSettings', 'checkGoal']);
  assert.deepEqual(called.slice(2), [['exhibit', 'B49'], ['nextLesson']]);
});

/** The page of lessons, as a visitor sees it. @param {object} [shown] */
function shelf(shown) {
  const called = /** @type {unknown[][]} */ ([]);
  const strip = { end: 36e3, led: [[0, 10, 20e3, 0]], bands: [[20e3, 34e3, 0]] };
  const strips = Object.fromEntries(LESSONS.map(({ number, steps }) => [`lesson-${number}-${steps.length}`, strip]));
  const drawn = shelfTemplate(LESSONS, { left: null, kept: {}, strips, ...shown }, recorder(called));
  const cards = all(drawn, 'a.lesson-card');
  const card = (/** @type {number} */ number) =>
    cards.find((one) => the(one, 'small').textContent.startsWith(`Lesson ${number}`));
  return { drawn, called, cards, card };
}
const CAME = { step: 3, bet: null, answered: [], done: false, goal: false };

test('the page has a card for each lesson, with its question; what the lesson asks about is hidden', () => {
  const { drawn, cards, card, called } = shelf();
  assert.equal(cards.length, LESSONS.length);
  assert.equal(all(drawn, 'section h2').length, 4);
  assert.match(text(card(8)), /It was paused\. Does it know that it lost\?/);
  assert.equal(all(drawn, '[aria-label="Hidden until you have guessed."]').length, LESSONS.length);
  fire(card(8), 'click');
  assert.deepEqual(called, [['open', LESSONS[7]]]);
});

test('a card shows how far the visitor came, and the button goes on with the last of them', () => {
  const kept = { [LESSONS[2].name]: { ...CAME, done: true }, [LESSONS[1].name]: CAME };
  const { drawn, card, called } = shelf({ kept });
  assert.match(text(card(2)), /Lesson 2, step 4 of \d/);
  assert.match(text(card(3)), /Lesson 3, done/);
  assert.equal(all(card(3), '[aria-label="Nobody led for 14.0 s."]').length, 1, 'it has been seen');
  assert.match(text(drawn), /1 of 16 done/);
  button(drawn, 'Go on: lesson 2, step 4').click();
  button(drawn, 'Clear the progress of lesson 3').click();
  button(drawn, 'Begin lesson 3').click();
  assert.deepEqual(called, [
    ['open', LESSONS[1]],
    ['clear', LESSONS[2]],
    ['begin', LESSONS[2]],
  ]);
});

test('the lesson to begin is the one after the last that is done', () => {
  const done = (/** @type {number[]} */ ...numbers) => ({
    kept: Object.fromEntries(numbers.map((number) => [LESSONS[number - 1].name, { ...CAME, done: true }])),
  });
  assert.equal(button(shelf(done(1, 2)).drawn, 'Begin lesson 3').className, 'btn primary');
  assert.equal(button(shelf(done(16)).drawn, 'Begin lesson 1').className, 'btn primary');
  const prediction = shelf({
    left: { lesson: { ...aLeaderDies, number: 0 }, progress: { ...newProgress(), step: 3 } },
  });
  assert.match(text(prediction.drawn), /Begin lesson 1/, 'a prediction is not a lesson of the course');
  const left = shelf({ left: { lesson: aLeaderDies, progress: { ...newProgress(), step: 3 } } });
  assert.equal(button(left.drawn, 'Go on: lesson 1, step 4').className, 'btn primary');
});

test('a lesson of LeaseCandidates shows them as they are stored', () => {
  const coordinated = LESSONS.find(({ number }) => number === 14);
  const candidate = { exists: true, emulationVersion: '1.36.0', binaryVersion: '1.37.0' };
  const nodes = [
    { name: 'node-3', index: 0, candidate },
    { name: 'api-1', index: 1 },
  ];
  const { drawn } = step('look', {
    lesson: coordinated,
    progress: { step: coordinated?.steps.findIndex(({ candidates }) => candidates) },
    values: new Proxy({}, { has: () => true, get: () => '7' }),
    view: { ...VIEW, nodes },
  });
  assert.match(text(drawn), /node-3 holds the Lease\s+1\.36\.0\s+1\.37\.0/);
});

test('a length without an end is said to have none', () => {
  assert.deepEqual([lengthText(14.039 * S), lengthText(undefined)], ['14.039 s', 'no end in sight']);
});
