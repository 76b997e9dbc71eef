/** One engine, two places: the run in Chromium has the trace hash of the command on this machine. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { command, expect, link, nightly, open, plain, readout, test, traceHash } from './lab.mjs';

const leaselab = fileURLToPath(new URL('../../bin/leaselab', import.meta.url));

for (const [name, seed] of /** @type {[string, number?][]} */ ([
  ['a-leader-dies'],
  ['crash', 7],
  ['paused-leader'],
  ['clock-rate'],
  ['same-name'],
  ['many'],
])) {
  test(
    `${name}${seed ? ` with seed ${seed}` : ''} has the hash of the command line`,
    name === 'crash' ? plain : nightly(),
    async ({ page }) => {
      const args = ['run', name, '-o', 'json', ...(seed ? ['--seed', String(seed)] : [])];
      const native = JSON.parse(run(args));
      await open(page, `#${name}&t=0s${seed ? `&seed=${seed}` : ''}`);
      await command(page, 'Show the whole run');
      await expect(readout(page)).toHaveText(/live$/);
      await expect(readout(page)).not.toHaveText(/^00:00/);
      await traceHash(page, native.hash);
      const { share } = await link(page);
      expect([share.hash, share.seed, share.engine]).toEqual([native.hash, native.seed, native.engine]);
    },
  );
}

/** The summary; a run that breaks a rule on purpose ends with an exit code that says so. @param {string[]} args */
function run(args) {
  try {
    return execFileSync(leaselab, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return String(/** @type {any} */ (error).stdout);
  }
}
