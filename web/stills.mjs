/** The figures of the documentation as a reader first sees them, measured once by the page's engine in node. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { measure, scenariosOf } from './js/docs/figures.js';
import { scenarioLink } from './js/docs/link.js';

/** @import { Figure } from './js/docs/figures.js' */

/** @param {URL | string} file docs/figures.yaml */
export const readFigures = (file) => /** @type {Record<string, Figure>} */ (load(readFileSync(file, 'utf8')));

/** The values with which a figure begins. @param {Figure} figure */
export const firstValues = ({ fields }) => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

/** A function that asks an engine in node. @returns {Promise<import('./js/protocol.js').Ask>} */
export async function openEngine() {
  const { startEngine } = await import('./fuzz/engine.mjs');
  const engine = await startEngine();
  return async (op, ...[params]) => {
    const { ok, result, error } = engine.finish(engine.ask(op, params));
    if (!ok) throw new Error(`${op}: ${error.message}`);
    return result;
  };
}

/** @param {Record<string, Figure>} figures */
export async function measureFigures(figures) {
  const ask = await openEngine();
  /** @type {Record<string, Awaited<ReturnType<typeof measure>> & {link: string}>} */
  const stills = {};
  for (const [name, figure] of Object.entries(figures)) {
    const values = firstValues(figure);
    const link = await scenarioLink(scenariosOf(figure, values)[0]);
    stills[name] = { ...(await measure(figure, values, ask)), link };
  }
  return stills;
}
