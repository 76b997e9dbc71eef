/** A teacher's page: a link to a step, presenting with a clicker and a window of notes, a QR code, the next class. */
import jsqr from 'jsqr';
import { command, expect, nightly, open, readout, ready, status, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const heading = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.locator('#lesson').getByRole('heading', { name, exact: true });

/** The dialog that asks for a prediction about the run on screen. @param {Page} page */
async function ask(page) {
  await command(page, 'Ask for a prediction');
  return page.getByRole('dialog', { name: 'Ask for a prediction' });
}

/**
 * Opens what the dialog made, as a student does.
 * @param {Page} page
 * @param {import('@playwright/test').Locator} asking
 */
async function openQuestion(page, asking) {
  await asking.getByRole('button', { name: 'QR code' }).click();
  const address = await page.getByRole('dialog', { name: 'The link as a QR code' }).locator('code').innerText();
  await page.goto('about:blank');
  await page.goto(address);
  await ready(page);
}

test('a lesson is presented with a clicker, and its notes go along in a second window', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('./#lesson=1&step=3');
  await ready(page);
  await expect(heading(page, 'The others only read.')).toBeVisible();
  await page.locator('#lesson').getByRole('button', { name: 'Present', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-presenting', 'lesson');
  const opening = page.waitForEvent('popup');
  await page.getByRole('toolbar', { name: 'Presenting' }).getByRole('button', { name: 'Notes' }).click();
  const notes = await opening;
  await expect(notes.getByRole('heading', { level: 1 })).toHaveText('The others only read.');
  await expect(notes.getByRole('heading', { level: 2 })).toHaveText('After it: Your turn.');

  await page.keyboard.press('ArrowRight');
  await expect(heading(page, 'Your turn.')).toBeVisible();
  await expect(notes.getByRole('main')).toContainText('The next click: crash a.');
  // The one button of a clicker also does what the step asks for.
  await page.keyboard.press('PageDown');
  await expect(page.locator('#lesson')).toContainText('a is gone');
  await notes.keyboard.press('PageDown');
  await expect(heading(page, 'Your prediction.')).toBeVisible();
  await page.keyboard.press('.');
  await expect(page.locator('html')).toHaveAttribute('data-presenting', 'blank');
  await page.keyboard.press('PageUp');
  await expect(heading(page, 'Done.')).toBeVisible();
  await page.keyboard.press('PageDown');
  await notes.getByRole('button', { name: 'Next' }).click();
  await expect(page.locator('#lesson')).toContainText('No prediction, fine.');
  await expect(notes.getByRole('heading', { level: 1 })).toHaveText('See.');
  await expect(notes.locator('.notes-clock b')).toHaveText(/^0:\d\d$/);

  const closing = notes.waitForEvent('close');
  await page.keyboard.press('Escape');
  await closing;
  await expect(page.locator('html')).not.toHaveAttribute('data-presenting');
  await expect(page.locator('html')).not.toHaveAttribute('data-projector');
  await expect(page.locator('#lesson')).toContainText('No prediction, fine.');
});

test('from the plain chart a class predicts a crash, in four actions', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, '#s=a-leader-dies&t=14s');
  await page.getByRole('banner').getByRole('button', { name: 'Present' }).click();
  const predict = page.getByRole('button', { name: 'Predict a crash' });
  await expect(predict).toBeInViewport({ ratio: 1 });
  await predict.click();
  await expect(page.locator('html')).toHaveAttribute('data-presenting', 'lesson');
  await expect(page.locator('#lesson')).toContainText('When does the next leader take over?');
  await expect(readout(page)).toContainText('00:14.000');
  await page.getByRole('textbox', { name: 'Your prediction, in seconds' }).fill('29');
  await page.getByRole('button', { name: 'Lock it in' }).click();
  await expect(page.locator('#lesson')).toContainText('b leads at 31.075 s. You said 29 s: 2.075 s too early.');
});

test('at 1280×720 Back and Next stay where they are, nothing covers the headline, and the takeaway is in view', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('./#lesson=8');
  await ready(page);
  const panel = page.locator('#lesson');
  const boxOf = async (/** @type {import('@playwright/test').Locator} */ one) =>
    /** @type {{x: number, y: number, width: number}} */ (await one.boundingBox());
  const present = await boxOf(panel.getByRole('button', { name: 'Present', exact: true }));
  const leave = panel.getByRole('button', { name: 'Leave the lesson' });
  expect(present.x + present.width).toBeLessThanOrEqual((await boxOf(leave)).x);
  await panel.getByRole('button', { name: 'Present', exact: true }).click();
  const next = panel.getByRole('button', { name: /^Next/ });
  // In the head line of the sheet, once the presenter's styles are there; before that at the foot of the page.
  await expect.poll(async () => (await boxOf(next)).y).toBeLessThan(500);
  const first = await boxOf(next);
  for (const name of [
    'What the others see.',
    'What a will see.',
    'Your prediction.',
    'See.',
    'Knowing and stopping.',
  ]) {
    // A click during the outcome shows the rest of it; the next one goes on.
    if (name === 'Knowing and stopping.') await expect(next).toBeEnabled();
    await page.keyboard.press('PageDown');
    await expect(heading(page, name)).toBeVisible();
    expect(await boxOf(next)).toEqual(first);
    await expect(leave).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const result = panel.locator('.lesson-result');
  await expect(panel.getByText('Takeaway: ')).toBeInViewport({ ratio: 1 });
  await expect(result).toBeInViewport({ ratio: 1 });
  expect((await boxOf(result)).x).toBeLessThan(100);
  const answer = await boxOf(page.locator('#headline'));
  const bar = await boxOf(page.getByRole('toolbar', { name: 'Presenting' }));
  expect(bar.y).toBeGreaterThan(answer.y + 48);
});

test('the QR code of a step is read as its link', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('./#lesson=the-fence&step=2');
  await ready(page);
  await expect(heading(page, 'A number with every write.')).toBeVisible();
  await command(page, 'Show the link as a QR code');
  const dialog = page.getByRole('dialog', { name: 'The link as a QR code' });
  const code = dialog.getByRole('img', { name: 'QR code of the link' });
  await expect(code).toBeVisible();
  const picture = (await code.screenshot()).toString('base64');
  const { data, width, height } = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.drawImage(image, 0, 0);
    const { data, width, height } = pen.getImageData(0, 0, image.width, image.height);
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener('load', resolve));
    reader.readAsDataURL(new Blob([data]));
    await read;
    return { data: `${reader.result}`.split(',')[1], width, height };
  }, picture);
  const link = new URL('#lesson=the-fence&step=2', page.url()).href;
  expect(jsqr(Uint8ClampedArray.from(Buffer.from(data, 'base64')), width, height)?.data).toBe(link);
  await expect(dialog).toContainText(link);
  await expect(status(page)).toBeAttached();
});

test('a curtained link: a student has to predict before the run goes on', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // The teacher shows the outcome, and steps back to the instant of the question.
  await open(page, '#a-leader-dies&t=24s&e=36s');
  const asking = await ask(page);
  await expect(asking.getByRole('radio', { name: /^When does the next leader take over/ })).toBeChecked();
  await asking.getByLabel('The run goes on until').fill('20s');
  await asking.getByRole('button', { name: 'QR code' }).click();
  await expect(asking.getByRole('alert')).toContainText('“20s” must be an instant after 00:24.000');
  await asking.getByLabel('The run goes on until').fill('36s');
  await openQuestion(page, asking);
  const lesson = page.locator('#lesson');
  await expect(heading(page, 'Your prediction.')).toBeVisible();
  for (const key of ['Space', 'ArrowRight', 'End', 'PageDown', 'Escape']) {
    await page.keyboard.press(key);
    await expect(readout(page)).toHaveText('00:24.000 · live');
  }
  await expect(status(page)).toContainText('What follows stays hidden until you predict');
  await expect(lesson.getByRole('button', { name: "I don't know, show me" })).toHaveCount(0);
  expect(await page.locator('body').innerText()).not.toMatch(/34\.0|14\.03/);
  await page.reload();
  await ready(page);
  await expect(heading(page, 'Your prediction.')).toBeVisible();
  await lesson.getByRole('textbox').fill('30');
  await lesson.getByRole('button', { name: 'Lock it in' }).click();
  await expect(lesson).toContainText('b leads at 34.039 s. You said 30 s: 4.039 s too early.');
  await expect(page.locator('.lesson-truth span')).toHaveText('b leads 00:34.039');
  await page.keyboard.press('PageDown');
  await expect(lesson).toContainText(/14\.039 s = 13\.165/);
});

test('a curtained link with the teacher’s own words, about who leads', nightly(), async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '#paused-leader&t=10s');
  const asking = await ask(page);
  await expect(asking.getByRole('radio')).toHaveCount(2);
  await asking.getByLabel('Your own words').fill('Who wins?');
  await openQuestion(page, asking);
  const lesson = page.locator('#lesson');
  await expect(lesson).toContainText('Who wins?');
  await lesson.getByRole('radio', { name: 'nobody' }).check();
  await lesson.getByRole('button', { name: 'Lock it in' }).click();
  await expect(lesson).toContainText(/At 70 s the leader is [abc]\.\s+You said: nobody\./, { useInnerText: true });
});
