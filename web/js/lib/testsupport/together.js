/**
 * Runs many test files in one process, one after another, so that shared modules load only once. If a file replaces a
 * global or a clock, runTogether restores the original before the next file. A file that mentions globalThis but does
 * not use the document has its own process, because modules keep values that they read from globals.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mock, test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'));

/** @param {boolean} dom the files that need the document of the page, or the others */
export async function runTogether(dom) {
  const before = Object.getOwnPropertyDescriptors(globalThis);
  for (const file of files.sort()) {
    const url = new URL(file, ROOT);
    const source = readFileSync(url, 'utf8');
    const withDOM = source.includes("from '#dom'");
    if (withDOM !== dom || (!withDOM && source.includes('globalThis'))) continue;
    await import(url.href);
    await test(`${file} is over`, () => {
      mock.reset();
      mock.timers.reset();
      for (const name of Object.getOwnPropertyNames(globalThis))
        if (!(name in before)) Reflect.deleteProperty(globalThis, name);
      Object.defineProperties(globalThis, before);
    });
  }
}
