/** The recorded incidents of Your logs: their files for the site, and a strip of each from `leaselab import`. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SAMPLES = ['pause-1', 'partition-1', 'crash-1'];

/**
 * @typedef {object} Imported of `leaselab import`
 * @property {{from: string, to: string, leaderChanges: {at: string, to: string}[], gaps?: Span[],
 *   overlaps?: (Span & {who: string[]})[]}[]} leases
 * @property {{lines: number}[]} files
 * @typedef {{from: string, seconds: number}} Span
 */

/** The strip of an incident, with what its card says. @param {Imported} imported */
export function sampleStrip({ leases: [lease], files }) {
  const at = (/** @type {string} */ time) => Date.parse(time) - Date.parse(lease.from);
  const spanOf = (/** @type {Span} */ { from, seconds }) => [at(from), at(from) + Math.round(seconds * 1000)];
  const end = at(lease.to);
  const overlaps = lease.overlaps ?? [];
  // A leader that works on afterwards has worked through its gap.
  const gaps = (lease.gaps ?? []).map(spanOf).filter(([, to]) => !overlaps.some((one) => at(one.from) === to));
  const led = lease.leaderChanges.map(({ at: start, to: name }, i) => {
    const from = at(start);
    const next = lease.leaderChanges[i + 1];
    const until = next ? at(next.at) : end;
    const gap = gaps.find(([begins]) => begins >= from && begins < until);
    const beyond = overlaps.find((one) => one.who[0] === name && at(one.from) === until);
    return [i, from, beyond ? spanOf(beyond)[1] : gap ? gap[0] : until, 0];
  });
  const bands = [...gaps.map((gap) => [...gap, 0]), ...overlaps.map((one) => [...spanOf(one), 2])];
  return { end, led, bands, files: files.length, lines: files.reduce((sum, one) => sum + one.lines, 0) };
}

/** Copies the files into the site. @param {string} root @param {string} out @param {string} command */
export function shipSamples(root, out, command) {
  /** @type {Record<string, ReturnType<typeof sampleStrip>>} */
  const strips = {};
  for (const name of SAMPLES) {
    const from = join(root, 'sim/evidence/testdata', name);
    const files = readdirSync(from).filter((file) => file !== 'truth.json');
    for (const file of files) cpSync(join(from, file), join(out, 'samples', name, file));
    const paths = files.map((file) => join(from, file));
    const told = execFileSync(command, ['import', ...paths, '--lease', 'ns-a/demo', '-o', 'json'], {
      encoding: 'utf8',
    });
    strips[`sample ${name}`] = sampleStrip(JSON.parse(told));
  }
  return strips;
}
