/**
 * Records the README's clip of the built page: clip.webp, *A leader dies* as it plays on the first visit. An animated
 * WebP plays in an <img>, and so in a README; img2webp makes it (Debian's package webp).
 * CHROMIUM=… node e2e/pictures/clip.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { story, visit, withSite } from './site.mjs';

const VIEWPORT = { width: 1180, height: 820 };
const QUALITY = '40';
/** Frames a second, at most. */
const FRAME_MS = 300;
const HOLD_MS = 4000;
const WITHIN_MS = 60_000;

const path = fileURLToPath(new URL('../../clip.webp', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'leaselab-clip-'));
await withSite(async (browser, address) => {
  const tab = await visit(browser, address, VIEWPORT);
  const pause = tab.getByRole('button', { name: 'Pause', exact: true }).and(tab.locator('.play'));
  await pause.waitFor();
  const { x, y, width, height } = await story(tab);
  const clip = { x: Math.ceil(x), y: Math.ceil(y), width: Math.floor(width), height: Math.floor(height) };
  /** @type {{file: string, at: number}[]} */
  const pictures = [];
  const startedAt = Date.now();
  for (;;) {
    const at = Date.now();
    const png = await tab.screenshot({ clip });
    // The hint after the story would take the timeline's place.
    if (!(await pause.isVisible()) || at - startedAt > WITHIN_MS) break;
    const file = join(home, `${pictures.length}.png`);
    writeFileSync(file, png);
    pictures.push({ file, at });
    await tab.waitForTimeout(Math.max(0, FRAME_MS - (Date.now() - at)));
  }
  const shownFor = (/** @type {number} */ i) => (pictures[i + 1] ? pictures[i + 1].at - pictures[i].at : HOLD_MS);
  const frames = pictures.flatMap(({ file }, i) => ['-d', `${shownFor(i)}`, file]);
  execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', QUALITY, ...frames, '-o', path], { stdio: 'inherit' });
  console.log(`${path}: ${pictures.length} frames, ${(statSync(path).size / 1024).toFixed(0)} KiB`);
});
rmSync(home, { recursive: true });
