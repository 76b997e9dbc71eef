/** Fails if a line of code is wider than 120 columns; a tab counts as four. Go tests are not measured. */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const LIMIT = 120;
const SKIPPED = /node_modules|_test\.go$|\/testsupport\/.*\.go$|^sim\/conformance\/|\/(dist|test-results)\//;

const wide = ['core', 'sim', 'wasm', 'web']
  .flatMap((room) => readdirSync(room, { recursive: true }).map((name) => `${room}/${name}`))
  .filter((file) => /\.(go|m?js)$/.test(file) && !SKIPPED.test(file))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => ([...line.replaceAll('\t', '    ')].length > LIMIT ? [`${file}:${i + 1}`] : [])),
  );
if (wide.length > 0) {
  console.error(`${wide.length} lines are wider than ${LIMIT} columns:\n${wide.join('\n')}`);
  process.exit(1);
}
