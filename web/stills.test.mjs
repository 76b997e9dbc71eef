/** The figures of the documentation, measured by the page's engine in node. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { QUESTIONS } from './e2e/questions.mjs';
import { marginWords, measure, scenariosOf } from './js/docs/figures.js';
import { firstValues, openEngine, readFigures } from './stills.mjs';

/** @import { Figure, Values } from './js/docs/figures.js' */

const SECOND = 1e9;
const folder = new URL('docs/', import.meta.url);
const figures = readFigures(new URL('figures.yaml', folder));
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const longRead = readFileSync(new URL('how-leader-election-works.md', folder), 'utf8');
/** @type {import('./js/protocol.js').Ask} */
let ask;
before(async () => {
  ask = await openEngine();
});

/** The first values of a figure, with another one for its first field. @param {Figure} figure @param {unknown} value */
const moved = (figure, value) => ({ ...firstValues(figure), [figure.fields[0].name]: value });

test('the long read has nine figures, each with one slider or switch, and every number in it comes from them', () => {
  const live = [...longRead.matchAll(/<!-- live (\S+) -->/g)].map(([, name]) => name);
  assert.equal(live.length, 9);
  for (const name of live) {
    assert.equal(figures[name].fields.length, 1, name);
    assert.ok(
      longRead.includes(`<!-- n ${name} ${figures[name].fields[0].name} -->`),
      `${name}: the text names its value`,
    );
  }
  const prose = longRead.replaceAll(/<!--.*?-->|\]\(.*?\)/g, '');
  assert.deepEqual(prose.match(/\S*\d\S*/g), null);
  const words = prose.split(/\s+/).length;
  assert.ok(words > 2200 && words < 2700, `${words} words`);
});

test('at every end of every slider the text has its numbers, and the picture and the answer agree', async () => {
  for (const [name, figure] of Object.entries(figures)) {
    const [{ value, min, max, code }] = figure.fields;
    const values = typeof value === 'boolean' ? [false, true] : code ? [value] : [min, value, max];
    const wanted = texts.flatMap((text) => [...text.matchAll(new RegExp(`<!-- (n|same) ${name} (\\S+) -->`, 'g'))]);
    /** @type {Record<string, Set<string>>} */
    const told = {};
    for (const one of values) {
      const { numbers, says, html } = await measure(figure, moved(figure, one), ask);
      for (const [, , number] of wanted) {
        assert.match(numbers[number] ?? '', /^(?!.*(NaN|undefined|Infinity)).+$/, `${name} ${one}: ${number}`);
        (told[number] ??= new Set()).add(numbers[number]);
      }
      assert.doesNotMatch(`${says}${html}`, /NaN|undefined|Infinity|\{/, `${name} ${one}`);
      assert.ok(html.includes(`aria-label="${says}"`), name);
      if (/^Nobody leads/.test(says))
        assert.ok(html.includes(`>${says.replace(' leads for', ':').replace(/\.$/, '').replace('N', 'n')}<`), html);
    }
    for (const [, slot, number] of values.length > 1 ? wanted : [])
      assert.equal(told[number].size === 1, slot === 'same', `${name} ${number}: underlined if it moves`);
  }
});

test('ten questions have their answers in the moved figures alone', async () => {
  assert.equal(QUESTIONS.length, 10);
  for (const { asks, figure: name, field, value, number, key } of QUESTIONS) {
    const figure = figures[name];
    const first = await measure(figure, firstValues(figure), ask);
    const { numbers } = await measure(figure, { ...firstValues(figure), [field]: value }, ask);
    assert.equal(numbers[number], key, asks);
    assert.notEqual(first.numbers[number], key, `${asks} The page says so before anybody moves it.`);
  }
});

test('parts add up, red letters are the ones too many, and a crash that ends has its mark', async () => {
  const tenths = (/** @type {string} */ text) => Math.round(10 * Number.parseFloat(text));
  for (let rate = 50; rate <= 150; rate += 5) {
    const { start, stop, gap, two } = (await measure(figures.clocks, { rate }, ask)).numbers;
    assert.equal(tenths(start) - tenths(stop), tenths(gap) - tenths(two), `${rate} %`);
  }
  for (const patience of [6, 15, 16, 30, 60]) {
    const { gap, waited, rest, share } = (await measure(figures.wait, { patience }, ask)).numbers;
    assert.equal(tenths(waited) + tenths(rest), tenths(gap), `${patience} s`);
    assert.equal(share, `${Math.round((100 * tenths(waited)) / tenths(gap))} %`);
  }
  for (const copies of [1, 2, 4, 5]) {
    const { numbers, html } = await measure(figures.copies, { copies }, ask);
    assert.equal(numbers.late, numbers.extra);
    assert.ok(html.includes('>back<'));
  }
  assert.ok(!(await measure(figures.wait, { patience: 15 }, ask)).html.includes('>back<'));
});

test('the text is right about its runs: who looks first, and a short gap; each copy has its color', async () => {
  const { numbers } = await measure(figures.lease, { time: 30 }, ask);
  assert.ok(Number.parseFloat(numbers.b.slice(6)) < Number.parseFloat(numbers.c.slice(6)), 'the countdown of b');
  assert.equal((await measure(figures.lease, { time: 45 }, ask)).numbers.named, 'c');
  assert.ok(Number.parseFloat((await measure(figures.wait, { patience: 30 }, ask)).numbers.gap) < 30);
  assert.equal((await measure(figures.candidates, { version: 1.35 }, ask)).numbers.holder, 'a', 'the first of two');
  const joined = (await measure(figures.candidates, { version: 1.34 }, ask)).html;
  const rows = (await measure(figures.release, { released: true }, ask)).html;
  const names = [...`${joined}${rows}`.matchAll(/<g data-index="(\d)">(?:(?!<\/g).)*class="name".*?>(\w)</g)];
  assert.equal(names.length, 3 + 20);
  for (const [, index, name] of names) assert.equal(name, 'abc'[Number(index)]);
});

test('a fence changes what gets in, and not how long two lead; a release changes the gaps', async () => {
  const open = await measure(figures.fence, { checked: false }, ask);
  const fenced = await measure(figures.fence, { checked: true }, ask);
  assert.equal(open.numbers.two, fenced.numbers.two);
  assert.ok(Number(open.numbers.late) > 0);
  assert.deepEqual([fenced.numbers.late, fenced.numbers.refused], ['0', open.numbers.late]);
  assert.ok(open.html.includes('class="stale"') && !open.html.includes('class="refused"'));
  assert.ok(fenced.html.includes('class="refused"') && !fenced.html.includes('class="stale"'));
  const kept = await measure(figures.release, { released: false }, ask);
  const released = await measure(figures.release, { released: true }, ask);
  assert.ok(Number.parseFloat(released.numbers.most) < Number.parseFloat(kept.numbers.least));
});

test('the margin: the run has the lengths of the reader, slow answers, and time for a takeover', () => {
  const [scenario] = scenariosOf(figures.margin, { leaseDuration: 15, renewDeadline: 10, retryPeriod: 2, delay: 3 });
  assert.deepEqual(scenario.elector, {
    leaseDuration: '15s',
    renewDeadline: '10s',
    retryPeriod: '2s',
    requestTimeout: '5s',
  });
  const [slow, cut] = scenario.actions;
  assert.deepEqual([slow.act, slow.response], ['latency', '3s']);
  assert.equal(cut.act, 'cut');
  const seconds = (/** @type {string} */ text) => Number.parseFloat(text);
  assert.ok(seconds(cut.at) > seconds(slow.at) + 2 * 3, 'the server answers a renewal slowly before the cut');
  assert.ok(seconds(scenario.duration) > seconds(cut.at) + 15 + 2 * 2.2, 'the slowest follower has taken over');
});

test('the margin in words: a takeover with and without an overlap, luck, and none', () => {
  const outcomeText = (/** @type {number} */ least, /** @type {number | undefined} */ nearest) =>
    marginWords(
      { lastNs: 0, leastNs: least * SECOND, nearestNs: nearest === undefined ? nearest : nearest * SECOND },
      { renewDeadline: 10, delay: 4 },
    );
  assert.equal(
    outcomeText(2.5, 4.25),
    'The least margin of this run is 2.500 s. A follower starts 4.250 s after a has stopped.',
  );
  assert.match(outcomeText(-1, -0.5), /−1\.000 s\. A follower starts 0\.500 s before a stops: two lead\.$/);
  assert.match(outcomeText(-1, 0.5), /after a has stopped\. The jitter/);
  assert.match(outcomeText(3, undefined), /Nobody has taken over/);
  const late = marginWords({ lastNs: 0, leastNs: 0 }, { renewDeadline: 8, delay: 4 });
  assert.match(late, /^a reads no answer: .* 4 s, and/);
  assert.equal(marginWords(undefined, { renewDeadline: 8, delay: 1 }), 'Nobody led in this run.');
});
