/**
 * Hostile files dropped on the page: lessons, logs, records and sessions with mistakes in them. Each gives a run, a
 * page or a sentence; nothing in them runs, and the page stays ready.
 *
 *     HOSTILE=500 SEED=7 NIGHTLY=1 npm run e2e -- hostile
 */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { changeText, mutate, NO_WORDS, randomOf } from '../fuzz/mutate.mjs';
import { drop, file } from './evidence.mjs';
import { expect, nightly, open, ready, test } from './lab.mjs';

/** @typedef {import('../fuzz/mutate.mjs').Random} Random */

const COUNT = Number(process.env.HOSTILE ?? 60);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url));

const teaching = `${read('web/docs/teaching.md')}`;
const lesson = /^```yaml\n(apiVersion: \S+\nkind: Lesson[\s\S]*?)^```$/m.exec(teaching)?.[1].replaceAll(/ +# .*/g, '');
const record = `${gunzipSync(read('sim/evidence/testdata/record.ndjson.gz'))}`;
const audit = `${gunzipSync(file('audit.jsonl.gz').bytes)}`.split('\n').slice(0, 60).join('\n');
const klog = `${file('node-a.klog').bytes}`;

/** One to three lines are other JSON. @param {Random} random @param {string} text */
function mutateLines(random, text) {
  const lines = text.trim().split('\n');
  for (let left = 1 + random.integer(3); left > 0; left--) {
    const at = random.integer(random.integer(3) === 0 ? 1 : lines.length);
    lines[at] = mutate(random, parse(lines[at]));
  }
  return random.integer(5) === 0 ? changeText(random, lines.join('\n')) : lines.join('\n');
}
/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

const damage = (/** @type {Random} */ random, /** @type {Buffer} */ bytes) => {
  const other = Buffer.from(bytes);
  for (let left = 1 + random.integer(20); left > 0; left--)
    other[random.integer(other.length)] ^= 1 << random.integer(8);
  return other.subarray(0, random.integer(3) === 0 ? random.integer(other.length) : other.length);
};

/**
 * The kinds of files, and how to write a wrong one.
 * @type {Record<string, (random: Random) => [string, string | Buffer]>}
 */
const KINDS = {
  lesson: (random) => [
    'lesson.yaml',
    random.integer(3) > 0 ? mutate(random, load(lesson ?? '')) : changeText(random, lesson ?? ''),
  ],
  session: (random) => [random.pick(['session.json', 'session.yaml']), mutate(random, session)],
  record: (random) => ['run.ndjson', mutateLines(random, record)],
  log: (random) =>
    random.pick([
      () => /** @type {[string, string]} */ (['audit.jsonl', mutateLines(random, audit)]),
      () => /** @type {[string, string]} */ (['node-a.klog', changeText(random, changeText(random, klog))]),
      () => /** @type {[string, Buffer]} */ (['audit.jsonl.gz', damage(random, gzipSync(audit))]),
    ])(),
};

/** A session as the page saves it. @type {any} */
let session;

/** In the page: the drop has a result, in words or as a page. */
function resultOf() {
  const dialog = document.querySelector('dialog:modal, dialog[open]');
  if (dialog?.querySelector('progress') || document.querySelector('.toast.computing')) return undefined;
  const toasts = [...document.querySelectorAll('#toasts .toast p')].map((one) => one.textContent ?? '');
  const { learning } = document.documentElement.dataset;
  const words = [...toasts, ...(dialog?.textContent?.trim() ? [dialog.textContent] : [])];
  return words.length > 0 || learning !== undefined ? { words, toasts, learning: learning !== undefined } : undefined;
}

for (const [kind, write] of Object.entries(KINDS))
  test(`${COUNT} hostile files, each a ${kind}`, nightly(), async ({ page }) => {
    test.setTimeout(60_000 + COUNT * 20_000);
    const random = randomOf(SEED);
    page.on('dialog', (dialog) => {
      throw new Error(`a file has run a script: ${dialog.message()}`);
    });
    await open(page, '#a-leader-dies&t=30s');
    await page.keyboard.press('k');
    if (kind === 'session') {
      const saving = page.waitForEvent('download');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill('Save the session');
      await page.keyboard.press('Enter');
      session = JSON.parse(readFileSync(await (await saving).path(), 'utf8'));
    }
    const counts = { toasts: 0, dialogs: 0, lessons: 0 };
    for (let i = 0; i < COUNT; i++) {
      const [name, content] = write(random);
      const of = `${kind} ${i} of SEED=${SEED}: ${content.toString().slice(0, 3000)}`;
      await page.locator('#toasts').evaluate((one) => {
        for (const close of /** @type {NodeListOf<HTMLElement>} */ (one.querySelectorAll('[aria-label="Dismiss"]')))
          close.click();
      });
      await drop(page, [{ name, bytes: Buffer.from(content) }]);
      const result = await page
        .waitForFunction(resultOf, undefined, { timeout: 60_000 })
        .then((one) => one.jsonValue())
        .catch((error) => {
          throw new Error(`${error} for ${of}`);
        });
      for (const text of result?.words ?? []) expect(text, of).not.toMatch(NO_WORDS);
      for (const text of result?.toasts ?? []) expect(text, of).not.toMatch(/bug in leaselab|crashed|restarts/);
      if (result?.learning) counts.lessons++;
      else if (result?.toasts.length) counts.toasts++;
      else counts.dialogs++;
      if (result?.learning || kind === 'record') {
        await page.reload();
        await ready(page);
      } else for (let n = 0; n < 2; n++) await page.keyboard.press('Escape');
      await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
    }
    console.log(`${kind}: SEED=${SEED}`, counts);
  });
