/**
 * Takes the README's picture of the built page: the takeover of *A leader dies*, as a visitor who has dismissed the legend
 * sees it. CHROMIUM=… node picture.mjs [port]
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const port = process.argv[2] ?? '8129';
const path = fileURLToPath(new URL('picture.png', import.meta.url));
const page = `http://127.0.0.1:${port}/leaselab/`;
const WITHIN_MS = 30_000;

/** Resolves when the site answers. */
async function served() {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; ) {
    const answer = await fetch(page).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing answers at ${page}: has make site built the page?`);
}

const server = spawn(process.execPath, [fileURLToPath(new URL('e2e/serve.mjs', import.meta.url)), port], {
  stdio: 'inherit',
});
try {
  await served();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const tab = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      colorScheme: 'light',
      serviceWorkers: 'block',
    });
    await tab.addInitScript(() => {
      const store = `leaselab ${new URL('.', location.href).pathname}`;
      localStorage.setItem(store, JSON.stringify({ legend: true }));
    });
    await tab.goto(`${page}#a-leader-dies&t=34.039s&e=36s`);
    await tab.locator('html[data-state=ready]').waitFor({ timeout: WITHIN_MS });
    await tab.getByRole('button', { name: /^Nobody led from .* 14\.039 s$/ }).waitFor();
    await tab.locator('#events .event[data-current=true]').waitFor();
    await tab.screenshot({ path, animations: 'disabled' });
    console.log(path);
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
}
