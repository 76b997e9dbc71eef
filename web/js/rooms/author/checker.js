/** The engine that checks lessons and renames nodes: a worker of its own, which starts with the first question. It has no run of the page. */
import { linesOf, parseYaml, YamlError } from '../../lib/yamltext.js';
import { Engine } from '../engine/engine.js';

/** @import { NewName, Renamed } from '../../protocol.js' */
/** @import { Draft, Offer } from './draft.js' */

/** An error of a file, line 0 for the whole file. @typedef {{line: number, message: string}} Problem */
/** The result of a check: the document of the file unless it is not YAML, its errors, and the lesson as the player takes it if there are none. @typedef {{document?: Draft, problems: Problem[], lesson?: object}} Checked */

/** @param {typeof __ASSETS__} assets */
export function openChecker(assets) {
  /** @type {Promise<Engine> | undefined} */
  let starting;
  const start = async () => {
    const { wasm, module } = assets.checker;
    const engine = new Engine({ ...assets, wasm: new URL(wasm, document.baseURI).href, module, passing: true });
    await engine.start();
    return engine;
  };
  const engine = () => {
    starting ??= start().catch((error) => {
      starting = undefined;
      throw error;
    });
    return starting;
  };

  return {
    /** Checks a lesson, and runs it. @param {string} text YAML @returns {Promise<Checked>} */
    async check(text) {
      const read = readLesson(text);
      if (!read.document) return read;
      const { problems, lesson } = await (await engine()).request('lesson', { lesson: read.document });
      const lines = linesOf(
        text,
        problems.map(({ path }) => path),
      );
      const placed = problems.map(({ message }, i) => ({ line: lines[i], message }));
      return { document: read.document, problems: placed, lesson };
    },
    /** What the run of a scenario can answer after an instant. @param {object} scenario @param {number} after @returns {Promise<Offer[]>} */
    async offers(scenario, after) {
      const { offers } = await (await engine()).request('offers', { scenario, after });
      return /** @type {Offer[]} */ (offers);
    },
    /** A scenario as a test in Go. @param {object} scenario */
    async goTest(scenario) {
      return (await engine()).request('goTest', { scenario });
    },
    /** The changes that give nodes other names. @param {object} scenario @param {NewName[]} names @param {number} until @returns {Promise<Renamed>} */
    rename: async (scenario, names, until) => (await engine()).request('rename', { scenario, names, until }),
  };
}

/** The document of a lesson, or why there is none. @param {string} text @returns {Checked} */
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
