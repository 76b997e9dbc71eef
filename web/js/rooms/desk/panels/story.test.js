import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, nameOf, text, the } from '#dom';
import { LESSONS } from '../../lesson/lesson.testsupport.js';
import { storyTemplate } from './story.js';

const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
const node = (/** @type {string} */ name, role = 'following', more = {}) => ({
  ...{ name, role, paused: false, believes: role === 'leading' ? 'I lead' : 'a leads' },
  ...more,
});
const paused = (/** @type {string} */ name) => node(name, 'paused', { paused: true, believes: 'I lead' });
const VIEW = {
  playing: false,
  headline: { kind: 'leads', title: 'a leads.', addends: [] },
  nodes: [node('a', 'leading'), node('b')],
  totals: { doubleNs: 0 },
};
const GAP = {
  ...{ kind: 'gap', question: 'Why so long?', gapFrom: 20e9, gapTo: 34e9 },
  addends: [
    { shown: '0.9', ns: 0.9e9, text: 'until b tried again' },
    { shown: '13.1', ns: 13.1e9, text: "left on b's countdown" },
  ],
};
const TOOK = { headline: GAP, nodes: [node('a', 'down'), node('b', 'leading')] };

/** The story of a view, and what its buttons did. @param {object} [view] @param {object} [shown] */
function story(view = {}, shown = {}) {
  /** @type {unknown[][]} */
  const done = [];
  const log =
    (/** @type {string} */ name) =>
    (/** @type {unknown[]} */ ...given) =>
      done.push([name, ...given]);
  const template = storyTemplate(
    any({ ...VIEW, ...view }),
    { victim: 'a', key: '', watch: '', own: false, first: false, ...shown },
    any({ run: log('run'), act: log('act'), forgetWatch: log('forgetWatch') }),
  );
  const title = the(template, 'h2').textContent;
  const words = text(template);
  const primary = all(template, 'button.primary');
  return { template, done, title, words, primary, more: all(template, 'button.tint').map(nameOf) };
}

test('each state of the run has its chapter', () => {
  const two = { ...VIEW.headline, kind: 'two' };
  const overlap = { totals: { doubleNs: 24e9 } };
  /** @type {[string, object, object?][]} */
  const chapters = [
    ['Your turn: crash b.', TOOK, { victim: 'b', first: true }],
    ['Two lead at once.', { headline: two, nodes: [node('a', 'lost'), node('b', 'leading')], ...overlap }],
    ['Nobody leads now.', { headline: { ...VIEW.headline, kind: 'nobody' }, nodes: [node('b')], ...overlap }],
    ['a is paused.', { nodes: [paused('a'), node('b')], ...overlap }],
    ['Two led for 24.000 s.', { ...TOOK, ...overlap }],
    ['b took over.', TOOK],
    ['a leads.', {}],
    ['Only one may work.', { headline: { ...VIEW.headline, kind: 'start' }, nodes: [node('a', 'starting')] }],
  ];
  for (const [title, view, shown] of chapters) assert.equal(story(view, shown).title, title);
});

test('on a first visit the reader acts: guess and crash, and further questions below', () => {
  const first = story(TOOK, { victim: 'b', key: 'K', first: true });
  assert.match(first.words, /You saw a die\. .* lead\. Crash b and predict Crash b Or start from a question/);
  for (const one of [...first.primary, button(first.template, /^Crash b$/)]) one.click();
  assert.deepEqual(first.done, [
    ['run', 'predictCrash'],
    ['act', 'crash', 'b'],
  ]);
  assert.match(story({}, { first: true }).words, /You saw the leader die\./);
  assert.equal(story(TOOK, { victim: '', first: true }).title, 'b took over.', 'nobody can crash');
});

test('two active leaders are told from one who is paused', () => {
  const two = { ...VIEW.headline, kind: 'two' };
  const both = story({ headline: two, nodes: [node('a', 'lost'), node('b', 'leading')] });
  assert.match(both.words, /Each of them works, and each may write\./);
  assert.deepEqual(both.more, ['Real incidents with two leaders']);
  const still = story({ headline: two, nodes: [paused('a'), node('b', 'leading')] });
  assert.match(still.words, /a is paused: it does no work/);
  assert.doesNotMatch(still.words, /Each of them works/);
  assert.deepEqual(still.more, ['Resume a', 'Real incidents with two leaders']);
  still.primary[0].click();
  button(still.template, 'Resume a').click();
  assert.deepEqual(still.done, [
    ['run', 'why'],
    ['act', 'resume', 'a'],
  ]);
});

test('while nobody leads the run can play on, unless it plays', () => {
  const nobody = { headline: { ...VIEW.headline, kind: 'nobody' }, nodes: [node('b')] };
  const waits = story(nobody);
  assert.deepEqual([waits.primary.map(nameOf), waits.more], [['Play on'], []]);
  waits.primary[0].click();
  assert.deepEqual(waits.done, [['run', 'playPause']]);
  assert.deepEqual(story({ ...nobody, playing: true }).primary, []);
});

test('a paused leader is resumed, whatever is selected; a paused follower changes nothing', () => {
  const stands = story({ nodes: [paused('a'), node('b')] });
  assert.deepEqual([stands.primary.map(nameOf), stands.more], [['Resume a'], ['Lesson 8: it was paused']]);
  stands.primary[0].click();
  assert.deepEqual(stands.done, [['act', 'resume', 'a']]);
  const before = story({ nodes: [paused('a'), node('b')], totals: { doubleNs: 3e9 } });
  assert.deepEqual(before.more, ['Why did two lead?', 'Lesson 8: it was paused']);
  assert.equal(story({ nodes: [node('a', 'leading'), node('b', 'paused', { paused: true })] }).title, 'a leads.');
});

test('after an overlap and after a gap the story leads to why, and to a comparison', () => {
  for (const [view, question] of /** @type {[object, string][]} */ ([
    [{ ...TOOK, totals: { doubleNs: 24e9 } }, 'Why did two lead?'],
    [TOOK, 'Why so long?'],
    [{ ...TOOK, headline: { ...GAP, question: 'Why?' } }, 'Why?'],
  ])) {
    const { template, primary, more, done } = story(view);
    assert.deepEqual([primary.map(nameOf), more[0]], [[question], 'Compare it with another run']);
    const incident = question.includes('two') ? ['Real incidents with two leaders'] : [];
    assert.deepEqual(more.slice(1), incident);
    for (const one of [...primary, button(template, 'Compare it with another run')]) one.click();
    assert.deepEqual(done, [
      ['run', 'why'],
      ['run', 'compare'],
    ]);
  }
});

test('after a gap the story names its length and its longest part', () => {
  assert.match(story(TOOK).words, /Nobody led for 14\.000 s\. The longest part: 13\.1 s left on b's countdown\./);
  assert.doesNotMatch(story({ ...TOOK, headline: { ...GAP, addends: [] } }).words, /longest/);
});

test('a leader that leads can crash, unless that is refused', () => {
  const leads = story({}, { key: 'K' });
  assert.deepEqual(leads.primary.map(nameOf), ['Crash a']);
  assert.match(leads.words, /It renews the Lease again and again\. .* Crash a K Crash a and predict Questions/);
  leads.primary[0].click();
  assert.deepEqual(leads.done, [['act', 'crash', 'a']]);
  assert.deepEqual(story({}, { victim: '' }).primary, []);
});

test('in a record of real programs the story explains, and acts on nothing', () => {
  const record = true;
  const still = story({ nodes: [paused('a'), node('b')], totals: { doubleNs: 3e9 }, record }, { victim: '' });
  assert.deepEqual([still.title, still.primary, still.more], ['a is paused.', [], ['Why did two lead?']]);
  const took = story({ ...TOOK, record }, { victim: '' });
  assert.deepEqual([took.primary.map(nameOf), took.more], [['Why so long?'], []]);
});

test('the questions open their lessons, the incidents and the logs', () => {
  const { template, done } = story();
  for (const one of all(template, '.question-card')) one.click();
  assert.deepEqual(done, [
    ['run', 'lesson', 10],
    ['run', 'lesson', 8],
    ['run', 'lesson', 3],
    ['run', 'museum'],
    ['run', 'evidence'],
  ]);
  for (const number of [10, 8, 3]) {
    const { question } = /** @type {any} */ (LESSONS.find((one) => one.number === number));
    assert.ok(text(template).includes(`${question} Lesson ${number}, 3 min`), `lesson ${number} asks its own question`);
  }
  assert.match(text(template), /Lesson 10, 3 min .* 57 real incidents .* open your own logs/);
});

test('the summary of an own file stands above the story, too', () => {
  assert.match(story({}, { watch: 'Not read: spec.', own: true }).words, /^About this run\. Not read: spec\. /);
});

test('what to watch stands above the story until it is dismissed', () => {
  assert.doesNotMatch(story().words, /What to watch/);
  const { template, done, words } = story({}, { watch: 'Watch b.' });
  assert.match(words, /^What to watch\. Watch b\. .*a leads\./);
  button(template, 'Dismiss what to watch').click();
  assert.equal(done[0][0], 'forgetWatch');
});
