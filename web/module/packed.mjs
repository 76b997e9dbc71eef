/**
 * Prints how many bytes a module takes as the page loads it: node module/packed.mjs MODULE [PASS TO LEAVE OUT…]. A process of
 * its own for each, because the packer gives no memory back.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { pack } from './pack.mjs';
import { forThePage } from './page.mjs';

const [module, ...without] = process.argv.slice(2);
const made = forThePage(readFileSync(module), /** @type {import('./page.mjs').Pass[]} */ (without));
console.log((await pack(made)).length);
