/**
 * Every lesson, from its first step to its last line, by keyboard alone. The lessons and their answers are read from
 * the site.
 */
import { readFileSync } from 'node:fs';
import { axe, expect, lessonCard, lessonsPage, nightly, ready, shelf, status, tapPage, test } from './lab.mjs';

const LESSONS = JSON.parse(readFileSync(new URL('../../bin/lessons.json', import.meta.url), 'utf8'));
const button = (/** @type {import('@playwright/test').Page} */ page, /** @type {string | RegExp} */ name) =>
  page.locator('#lesson').getByRole('button', { name });

/**
 * Walks there with Tab, as one does without a pointer.
 * @param {import('@playwright/test').Page} page
 * @param {import('@playwright/test').Locator} to
 */
async function tabTo(page, to) {
  for (let i = 0; i < 150; i++) {
    if (await to.evaluate((el) => el === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(to).toBeFocused();
}

/**
 * How a visitor presses things.
 * @typedef {{choose: (what: import('@playwright/test').Locator) => Promise<void>, next: () => Promise<void>, act: (key:
 *   string) => Promise<void>}} Hand
 */

/** @param {import('@playwright/test').Page} page @returns {Hand} */
const keyboard = (page) => ({
  async choose(what) {
    await tabTo(page, what);
    await page.keyboard.press((await what.getAttribute('type')) === 'radio' ? 'Space' : 'Enter');
  },
  next: () => page.keyboard.press('PageDown'),
  act: (key) => page.keyboard.press(key),
});

/** @param {import('@playwright/test').Page} page @returns {Hand} */
const finger = (page) => ({
  choose: (what) => what.tap(),
  next: () => button(page, /^Next/).tap(),
  act: (key) =>
    page
      .locator('#acts')
      .getByRole('button', { name: key === 'k' ? /^Crash/ : /^Pause/ })
      .tap(),
});

for (const lesson of LESSONS) {
  test(`lesson ${lesson.number} to its end by keyboard: ${lesson.title}`, nightly(), async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('./');
    await ready(page);
    await keyboard(page).choose(lessonsPage(page));
    await keyboard(page).choose(lessonCard(page, lesson.number));
    await walk(page, lesson, keyboard(page));
  });
}

test('the page of lessons: questions, progress and teachers; a lesson leads to the next', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./#lessons');
  await ready(page);
  const lessons = shelf(page);
  await expect(lessons.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(lessons.getByRole('heading', { level: 2 })).toHaveCount(4);
  await expect(lessons.getByRole('link', { name: /Lesson \d/ })).toHaveCount(LESSONS.length);
  await axe(page, '#lessons');
  await lessons.getByText('For teachers').click();
  await expect(lessons.getByRole('button', { name: 'Write your own lesson' })).toBeVisible();
  // The first Escape closes the list, the second the page.
  await page.keyboard.press('Escape');
  await expect(lessons).toBeVisible();

  await lessonCard(page, 16).click();
  await expect(lessons).toBeHidden();
  await expect(page.locator('#lesson-place')).toContainText('1 of 7');
  await page.keyboard.press('PageDown');
  await expect(page.locator('#lesson-place')).toContainText('2 of 7');
  await lessonsPage(page).click();
  await expect(lessonCard(page, 16)).toContainText('Lesson 16, step 2 of 7');
  await lessons.getByText('Progress', { exact: true }).click();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await axe(page, '#lessons');
  await lessons.getByRole('button', { name: 'Clear the progress of lesson 16' }).click();
  await expect(lessons.getByRole('button', { name: 'Begin lesson 1' })).toBeVisible();
});

// Three kinds of predictions: an instant, a count of two leaders with an act before it, a count over seeds.
test.describe('by taps on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const lesson of LESSONS.filter((/** @type {any} */ { number }) => [2, 8, 14].includes(number))) {
    test(`lesson ${lesson.number} to its end by taps: ${lesson.title}`, nightly(), async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto('./');
      await ready(page);
      await tapPage(page, 'Lessons');
      await lessonCard(page, lesson.number).tap();
      await walk(page, lesson, finger(page));
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0);
    });
  }
});

/**
 * From the first step of a lesson to its last line.
 * @param {import('@playwright/test').Page} page
 * @param {any} lesson
 * @param {Hand} hand
 */
async function walk(page, lesson, hand) {
  const panel = page.locator('#lesson');
  for (const step of lesson.steps) {
    const said = step.says;
    await expect(page.getByRole('heading', { name: said.title, exact: true })).toBeFocused();
    if (step.kind === 'act') {
      await hand.act(lesson.act.act === 'crash' ? 'k' : 'p');
      await expect(panel).toContainText(said.done);
    }
    if (step.kind === 'bet') {
      await hand.choose(step.bet.kind === 'choice' ? panel.getByRole('radio').first() : button(page, /^\+ /));
      await hand.choose(button(page, 'Lock it in'));
      continue; // it goes on by itself
    }
    if (step.kind === 'see') {
      await expect(panel.locator('.lesson-words p')).toHaveCount(2);
      // A value that is not measured stands as "…", and one that is missing as its name in braces.
      await expect(panel.locator('.lesson-words')).not.toContainText(/[{}…]/);
      await expect(status(page)).toContainText(
        (await panel.locator('.lesson-words p b').first().innerText()).slice(0, 20),
      );
    }
    if (step.look?.region === 'resource') await expect(page.locator('.lesson-look')).toBeVisible();
    if (step.candidates) await expect(panel.locator('.lesson-candidates tbody tr')).not.toHaveCount(0);
    if (step.kind !== 'transfer') await hand.next();
  }
  await axe(page, '#lesson');
  await hand.choose(button(page, "I don't know, show me"));
  await expect(panel.locator('.lesson-result')).toBeVisible();
  await expect(panel.locator('.lesson-result')).not.toContainText(/[{}…]/);
  await expect(panel).toContainText('Takeaway: ');
  await hand.choose(button(page, 'Does this run reach the goal?'));
  await expect(panel.locator('.lesson-goal')).toContainText('Not yet:');
}
