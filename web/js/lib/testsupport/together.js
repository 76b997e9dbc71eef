/**
 * Runs every test that needs the document in one process, one file after the other: happy-dom loads once, not once for
 * each file. What a file has put in place of a global or a clock is taken back before the next one.
 */
import './dom.js';
import { readdirSync, readFileSync } from 'node:fs';
import { mock, test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'));
const before = Object.getOwnPropertyDescriptors(globalThis);

for (const file of files.sort()) {
  const url = new URL(file, ROOT);
  if (!readFileSync(url, 'utf8').includes("from '#dom'")) continue;
  await import(url.href);
  await test(`${file} is over`, () => {
    mock.reset();
    mock.timers.reset();
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!(name in before)) Reflect.deleteProperty(globalThis, name);
    Object.defineProperties(globalThis, before);
  });
}
