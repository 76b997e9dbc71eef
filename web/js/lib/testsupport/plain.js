/** Runs every test of the page that needs no document in one process. */
import { runTogether } from './together.js';

await runTogether(false);
