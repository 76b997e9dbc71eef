/** Every lesson, from its first step to its last line, by keyboard alone. The lessons and their answers are read from the site. */
import { readFileSync } from 'node:fs';
import { axe, expect, nightly, ready, status, test } from './lab.mjs';

const LESSONS = JSON.parse(readFileSync(new URL('../../bin/lessons.json', import.meta.url), 'utf8'));
const button = (/** @type {import('@playwright/test').Page} */ page, /** @type {string | RegExp} */ name) =>
  page.locator('#lesson').getByRole('button', { name });

/** Walks there with Tab, as one does without a pointer. @param {import('@playwright/test').Page} page @param {import('@playwright/test').Locator} to */
async function tabTo(page, to) {
  for (let i = 0; i < 150; i++) {
    if (await to.evaluate((el) => el === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(to).toBeFocused();
}

for (const lesson of LESSONS) {
  const text = lesson.texts.en;
  test(`lesson ${lesson.number} to its end by keyboard: ${text.title}`, nightly(), async ({ page }) => {
    test.setTimeout(90_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('./');
    await ready(page);
    await tabTo(page, page.getByRole('button', { name: 'Lesson 1, 3 min' }));
    await page.keyboard.press('Enter');
    if (lesson.number > 1) {
      await expect(
        page.getByRole('heading', { name: LESSONS[0].texts.en.steps[LESSONS[0].steps[0].name].title }),
      ).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(status(page)).toContainText('You left the lesson.');
      await page.getByRole('tab', { name: 'Lesson' }).focus();
      await page.keyboard.press('Enter');
      await tabTo(page, button(page, new RegExp(`^Begin lesson ${lesson.number}$`)));
      await page.keyboard.press('Enter');
    }
    const panel = page.locator('#lesson');
    for (const step of lesson.steps) {
      const said = text.steps[step.name];
      const heading = page.getByRole('heading', { name: said.title, exact: true });
      await expect(heading).toBeFocused({ timeout: 20_000 });
      if (step.kind === 'act') {
        await page.keyboard.press(lesson.act.act === 'crash' ? 'k' : 'p');
        await expect(panel).toContainText(said.done);
      }
      if (step.kind === 'bet') {
        await bet(page, step);
        continue; // it goes on by itself
      }
      if (step.kind === 'see') {
        await expect(panel.locator('.lesson-words p')).toHaveCount(2, { timeout: 30_000 });
        // A value that is not measured stands as "…", and one that is missing as its name in braces.
        await expect(panel.locator('.lesson-words')).not.toContainText(/[{}…]/);
        await expect(status(page)).toContainText(
          (await panel.locator('.lesson-words p b').first().innerText()).slice(0, 20),
        );
      }
      if (step.kind !== 'transfer') await page.keyboard.press('PageDown');
    }
    await axe(page, '#lesson');
    await tabTo(page, button(page, "I don't know, show me"));
    await page.keyboard.press('Enter');
    await expect(panel.locator('.lesson-result')).toBeVisible({ timeout: 60_000 });
    await expect(panel.locator('.lesson-result')).not.toContainText(/[{}…]/);
    await expect(panel).toContainText('Takeaway: ');
    await tabTo(page, button(page, 'Does this run reach the goal?'));
    await page.keyboard.press('Enter');
    await expect(panel.locator('.lesson-goal')).toContainText('Not yet.');
  });
}

/** A prediction at the low end: wrong, if the answer is not there. @param {import('@playwright/test').Page} page @param {any} step */
async function bet(page, { bet: { kind } }) {
  if (kind === 'choice') {
    await tabTo(page, page.locator('#lesson').getByRole('radio').first());
    await page.keyboard.press('Space');
  } else {
    await tabTo(page, button(page, /^\+ /));
    await page.keyboard.press('Space');
  }
  await tabTo(page, button(page, 'Lock it in'));
  await page.keyboard.press('Enter');
}
