/** Runs every test that needs the document in one process: happy-dom loads once. */
import './dom.js';
import { runTogether } from './together.js';

await runTogether(true);
