import { execFileSync } from 'node:child_process';
import { defineConfig } from '@playwright/test';

// A free port, which the workers inherit. A run that was killed may still hold a fixed one.
process.env.E2E_PORT ??= execFileSync(process.execPath, [
  '-e',
  'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })',
])
  .toString()
  .trim();
const port = Number(process.env.E2E_PORT);

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.mjs',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // `make e2e` has two minutes on two cores; `make test-long` runs these, too.
  grepInvert: process.env.NIGHTLY ? undefined : /@nightly/,
  forbidOnly: Boolean(process.env.CI),
  // These specs allow a slow machine. Specs with @nightly measure what must happen within seconds.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}/leaselab/`,
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'page', testIgnore: 'slow.spec.mjs' },
    // It measures the page's time, which a second browser on the same cores would distort.
    { name: 'alone', testMatch: 'slow.spec.mjs', dependencies: ['page'], workers: 1 },
  ],
  webServer: {
    command: `node e2e/serve.mjs ${port}`,
    cwd: new URL('..', import.meta.url).pathname,
    port,
    reuseExistingServer: false,
  },
});
