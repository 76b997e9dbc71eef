import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { each } from './js/lib/testsupport/calls.js';
import { CARD, ICONS, metaTags, robots, siteAddress, siteMap } from './site.mjs';

const read = (/** @type {string} */ file) => readFileSync(new URL(file, import.meta.url));

test('the address of the site ends with a slash; anything else is refused with the way out', () => {
  assert.equal(siteAddress(undefined), '');
  assert.equal(siteAddress(''), '');
  assert.equal(siteAddress('https://example.com/lab'), 'https://example.com/lab/');
  assert.equal(siteAddress('https://example.com'), 'https://example.com/');
  for (const wrong of [
    'example.com',
    '/lab/',
    'ftp://example.com/',
    'https://example.com/?a',
    'https://example.com/#a',
  ])
    assert.throws(() => siteAddress(wrong), /SITE_URL is .*: write the address/, wrong);
});

test('a page names absolute addresses only when the site has one', () => {
  const page = { path: 'docs/a.html', title: 'A "b"', description: 'c & d', type: /** @type {const} */ ('article') };
  const bare = metaTags({ url: '', ...page });
  assert.match(bare, /<meta name="description" content="c &amp; d">/);
  assert.match(bare, /og:title" content="A &quot;b&quot;"/);
  assert.doesNotMatch(bare, /canonical|og:image|og:url/);
  const whole = metaTags({ url: 'https://example.com/lab/', ...page });
  assert.match(whole, /<link rel="canonical" href="https:\/\/example\.com\/lab\/docs\/a\.html">/);
  assert.match(whole, /og:image" content="https:\/\/example\.com\/lab\/card\.png"/);
});

test('the site map lists absolute addresses, and robots.txt names it', () => {
  const map = siteMap('https://example.com/', ['', 'docs/a.html']);
  assert.deepEqual(each([...map.matchAll(/<loc>(.*?)<\/loc>/g)], 1), [
    'https://example.com/',
    'https://example.com/docs/a.html',
  ]);
  assert.match(robots('https://example.com/'), /^Sitemap: https:\/\/example\.com\/sitemap\.xml$/m);
});

test('the pictures have the sizes that the manifest and the heads say', () => {
  for (const { file, width, height } of [CARD, ...ICONS]) {
    const png = read(file);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [width, height], file);
  }
  const { icons } = JSON.parse(read('manifest.webmanifest').toString());
  for (const { file, width } of ICONS)
    for (const purpose of ['any', 'maskable'])
      assert.ok(
        icons.some(
          (/** @type {any} */ icon) =>
            icon.src === `./${file}` && icon.sizes === `${width}x${width}` && (icon.purpose ?? 'any') === purpose,
        ),
        `${file} as ${purpose}`,
      );
});
