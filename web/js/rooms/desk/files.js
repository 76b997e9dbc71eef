/** Reads and saves scenario files. Errors name the limits. */

import { isTooDeep, MAX_DEPTH } from '../../lib/shape.js';
import { yamlTools } from '../../lib/yaml.js';

/** @import { ScenarioErrors } from '../../protocol.js' */

/** The engine's own limit (sim/scenario MaxBytes). */
export const MAX_FILE = 4 << 20;

/** @param {File} file @returns {Promise<object>} the document; the engine interprets it */
export async function readScenario(file) {
  if (file.size > MAX_FILE) {
    const size = (file.size / (1 << 20)).toFixed(1);
    throw new Error(`${file.name} is ${size} MiB; a scenario file may have 4 MiB at most. Nothing was opened.`);
  }
  const text = await file.text();
  const isYaml = /\.ya?ml$/i.test(file.name);
  if (!isYaml) refuseDeep(file.name, text);
  const document = isYaml ? await fromYaml(file.name, text) : fromJson(file.name, text);
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    throw new Error(`${file.name} contains no scenario: the document must be an object with apiVersion and kind.`);
  }
  return document;
}

/** @param {string} name @param {string} json */
function refuseDeep(name, json) {
  if (!isTooDeep(json)) return;
  throw new Error(
    `${name} is nested more than ${MAX_DEPTH} levels deep, more than any scenario needs. Nothing was opened.`,
  );
}

/** @param {string} name @param {string} text */
async function fromYaml(name, text) {
  const { parseYaml } = await yamlTools();
  try {
    return parseYaml(text);
  } catch (error) {
    const { message, all = [] } = /** @type {Error & {all?: Mistake[]}} */ (error);
    if (all.length > 1) throw new Mistakes(all);
    throw new Error(`${name}: ${message} Nothing was opened.`);
  }
}

/** An error of a file. line: 0 means the whole file. @typedef {{line: number, message: string}} Mistake */

/** All errors of a file, in the order of the file's lines. The page does not open such a file. */
export class Mistakes extends Error {
  /** @param {Mistake[]} all @param {boolean} [whole] there are no more */
  constructor(all, whole = true) {
    super(all[0].message);
    this.all = [...all].sort((a, b) => a.line - b.line);
    this.whole = whole;
  }
}

/**
 * Throws the errors of a file that has more than one error. If it has only one, the page reports that error when it
 * opens the file.
 * @param {File} file @param {ScenarioErrors} found by the engine
 */
export async function refuseMistakes(file, { errors, whole }) {
  if (errors.length < 2) return;
  const { linesOf } = await yamlTools();
  const paths = errors.map(({ path }) => path);
  const lines = linesOf(await file.text(), paths);
  const mistakes = errors.map(({ message }, i) => ({ line: lines[i], message }));
  throw new Mistakes(mistakes, whole);
}

/** @param {string} name @param {string} text */
function fromJson(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(/** @type {Error} */ (error).message);
    const line = at ? text.slice(0, Number(at[1])).split('\n').length : text.split('\n').length;
    throw new Error(`${name}, line ${line}: this is not JSON. Nothing was opened.`);
  }
}

/** @param {{name: string, scenario: object}} saved @param {"json" | "yaml"} format */
export async function saveScenario({ name, scenario }, format) {
  const base = name.replace(/\.(json|ya?ml)$/i, '');
  const text = format === 'yaml' ? (await yamlTools()).printYaml(scenario) : `${JSON.stringify(scenario, null, 2)}\n`;
  download(`${base}.${format}`, text, format === 'yaml' ? 'application/yaml' : 'application/json');
}

/** @param {string} name @param {string | Blob} content @param {string} type */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
