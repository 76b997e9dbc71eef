import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, enter, placeAt, settle, text, the } from '#dom';
import { decodeLink } from '../../lib/share.js';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';
import { addressOf, originMistake, pictureOf, readable, snippetOf } from './snippet.js';

const PAGE = 'https://example.org/lab/';
const chosen = { link: 'crash&t=3s', title: 'A "b" & c', act: 'crash', host: '', width: 640, height: 360 };

test('the address names what is not the default, and the run after "#"', () => {
  assert.equal(addressOf(PAGE, chosen), 'https://example.org/lab/?embed#crash&t=3s');
  assert.equal(
    addressOf(PAGE, { ...chosen, act: 'pause', host: 'https://docs.example.com' }),
    'https://example.org/lab/?embed&host=https://docs.example.com&act=pause#crash&t=3s',
  );
});

test('a run as it was shipped has a link that people can read, and it opens the same', async () => {
  const run = { scenario: 'crash', patch: [], actions: [], engine: 0, hash: '', seed: 7 };
  for (const [t, e, text] of /** @type {[number, number, string][]} */ ([
    [0, 0, 'crash&seed=7'],
    [30e9, 30e9, 'crash&t=30s&seed=7'],
    [34_038_760_571, 100e9, 'crash&t=34.038760571s&e=100s&seed=7'],
    [5, 5e8, 'crash&t=0.000000005s&e=0.5s&seed=7'],
  ])) {
    const share = { ...run, cursor: { t, n: -1 }, live: { t: e, n: -1 } };
    assert.equal(readable(share), text);
    const { plays: _, ...linked } = /** @type {any} */ (await decodeLink(text));
    assert.deepEqual(linked, share);
  }
  const share = { ...run, ...placeAt(0) };
  assert.equal(readable({ ...share, actions: /** @type {any} */ ([{}]) }), undefined);
  assert.equal(readable({ ...share, cursor: { t: 0, n: 3 } }), undefined);
});

test('the snippet is HTML: what would end an attribute is escaped', () => {
  const text = snippetOf(PAGE, chosen);
  assert.match(text, /src="https:\/\/example\.org\/lab\/\?embed#crash&amp;t=3s"/);
  assert.match(text, /title="leaselab: A &quot;b&quot; &amp; c"/);
  assert.match(text, /width="640" height="360"/);
});

test('a picture links to the run', () => {
  assert.equal(
    pictureOf(PAGE, 'crash', chosen),
    '<a href="https://example.org/lab/#crash&amp;t=3s"><img src="https://example.org/lab/stills/crash.svg" ' +
      'alt="leaselab: A &quot;b&quot; &amp; c"></a>',
  );
});

test('an origin is scheme, host and port', () => {
  assert.equal(originMistake(''), '');
  assert.equal(originMistake('http://localhost:3000'), '');
  assert.match(
    originMistake('docs.example.com'),
    /“docs\.example\.com” is not an origin.*https:\/\/docs\.example\.com/,
  );
});

/**
 * The dialog, opened on a run at 34 s.
 * @param {object} [share]
 * @param {ReturnType<Parameters<typeof open>[0]['step']>} [at]
 */
async function dialog(share = {}, at) {
  const page = pageAt(
    { title: 'Crash', ...placeAt(34e9) },
    { share: async () => ({ scenario: 'crash', patch: [], actions: [], ...placeAt(34e9), ...share }) },
    { lessons: { titles: { value: [{ number: 3, title: 'The fence' }] }, load: () => {} }, step: () => at },
  );
  await open(page.ports).show();
  await settle();
  return { drawn: page.added()[0], done: page.done };
}

test('a lesson is chosen, and what is copied opens it', async () => {
  const { drawn, done } = await dialog();
  assert.match(text(drawn), /This run at 00:34\.000/);
  enter(the(drawn, 'select[name="opens"]'), 'lesson 3');
  enter(the(drawn, 'select[name="act"]'), 'cut');
  enter(the(drawn, 'input[name="height"]'), '400');
  button(drawn, 'Copy the HTML').click();
  const [[name, copied]] = done.filter(([name]) => name === 'copy');
  assert.equal(name, 'copy');
  assert.match(String(copied), /\?embed&amp;act=cut#lesson=3"[\s\S]*The fence[\s\S]*width="720" height="400"/);
});

test('the step of a lesson on screen is what it opens first, with room for its words', async () => {
  const at = { title: 'The fence', number: 9, step: 4, link: 'lesson=the-fence&step=4' };
  const { drawn, done } = await dialog({}, at);
  assert.match(text(drawn), /This step: lesson 9, step 4: The fence/);
  button(drawn, 'Copy the HTML').click();
  const [[, copied]] = done.filter(([name]) => name === 'copy');
  assert.match(String(copied), /\?embed#lesson=the-fence&amp;step=4"[\s\S]*width="720" height="480"/);
});

test('a shipped run also has a picture with a link, another has none; the host is told what to allow', async () => {
  const shipped = await dialog();
  button(shipped.drawn, /Copy a picture/).click();
  assert.match(String(shipped.done.find(([name]) => name === 'copy')?.[1]), /#crash&amp;t=34s.*stills\/crash\.svg/);
  assert.match(text(shipped.drawn), /frame-ancestors/);
  const changed = await dialog({ actions: [{ act: 'crash' }] });
  assert.doesNotMatch(text(changed.drawn), /Copy a picture/);
});

test('a host that is not an origin is refused, and nothing is copied', async () => {
  const { drawn, done } = await dialog();
  enter(the(drawn, 'input[name="host"]'), 'docs.example.com');
  assert.match(the(drawn, '[role="alert"]').textContent, /is not an origin/);
  button(drawn, 'Copy the HTML').click();
  const copied = done.filter(([name]) => name === 'copy');
  assert.deepEqual(copied, []);
});

test('a run that no address can carry is told', async () => {
  const noise = Array.from({ length: 6000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1).toString(36)).join('');
  const { drawn } = await dialog({ scenario: { name: noise } });
  assert.match(the(drawn, '[role="alert"]').textContent, /too long for an address/);
});
