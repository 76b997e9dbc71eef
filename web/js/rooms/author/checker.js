/** Asks the second engine about lessons. */
import { linesOf, parseYaml, YamlError } from '../../lib/yamltext.js';
import { openTools } from '../engine/tools.js';

/** @import { Draft, Offer } from './draft.js' */

/** An error of a file; line 0 means the whole file. @typedef {{line: number, message: string}} Problem */
/**
 * The result of a check: the document if the file is YAML, the errors, and the lesson for the player if there are no
 * errors.
 * @typedef {{document?: Draft, problems: Problem[], lesson?: object}} CheckResult
 */

/** @param {typeof __ASSETS__} assets @param {ReturnType<typeof openTools>} [tools] */
export const openChecker = (assets, tools = openTools(assets)) => ({
  /** Checks a lesson and runs it. @param {string} text YAML @returns {Promise<CheckResult>} */
  async check(text) {
    const read = readLesson(text);
    if (!read.document) return read;
    const { problems, lesson } = await tools.ask('lesson', { lesson: read.document });
    const lines = linesOf(
      text,
      problems.map(({ path }) => path),
    );
    const mistakes = problems.map(({ message }, i) => ({ line: lines[i], message }));
    return { document: read.document, problems: mistakes, lesson };
  },
  /**
   * The bets that the run of a scenario can answer after an instant.
   * @param {object} scenario
   * @param {number} after
   * @returns {Promise<Offer[]>}
   */
  async offers(scenario, after) {
    const { offers } = await tools.ask('offers', { scenario, after });
    return /** @type {Offer[]} */ (offers);
  },
});

/** The document of a lesson, or its errors. @param {string} text @returns {CheckResult} */
export function readLesson(text) {
  try {
    const document = /** @type {Draft} */ (parseYaml(text));
    if (document !== null && typeof document === 'object' && !Array.isArray(document))
      return { document, problems: [] };
    return {
      problems: [
        { line: 1, message: 'this is not a lesson: write a field on each line, such as “title: A leader dies”.' },
      ],
    };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problems: error.all };
  }
}
