import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { filesOf } from './dropped.js';

/** @param {string} fullPath @param {string} text */
const fileEntry = (fullPath, text) => ({
  isFile: true,
  fullPath,
  file: (/** @type {(file: File) => void} */ done) => done(new File([text], 'x')),
});

/** @param {any[][]} batches */
function folder(...batches) {
  let left = [...batches, []];
  return {
    isDirectory: true,
    createReader: () => ({
      readEntries: (/** @type {(some: any[]) => void} */ done) => {
        const [some, ...rest] = left;
        left = rest;
        done(some);
      },
    }),
  };
}

/** @param {any[]} entries @param {File[]} [files] */
const dropped = (entries, files = []) =>
  filesOf(/** @type {any} */ ({ files, items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }));

test('a folder is all files in it, under their paths', async () => {
  const inner = folder([fileEntry('/top/pods/a.log', 'a')]);
  const files = await dropped([
    fileEntry('/audit.log', 'x'),
    folder([fileEntry('/top/b.log', 'b'), inner], [fileEntry('/top/c.log', 'c')]),
  ]);
  assert.deepEqual(each(files, 'name'), ['audit.log', 'top/b.log', 'top/pods/a.log', 'top/c.log']);
  assert.equal(await files[2].text(), 'a');
});

test('without a folder, the files are as the browser has them', async () => {
  const file = new File(['x'], 'a.log');
  assert.deepEqual(await dropped([fileEntry('/a.log', 'x')], [file]), [file]);
  assert.deepEqual(await filesOf(null), []);
});
