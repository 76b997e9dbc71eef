/**
 * Measures the numbers of a lesson with the engine's assertions, each in a separate run beside the open one.
 */
import { figureOf } from './facts.js';

/** @import { Outcome, PatchEntry, SweepParams, Swept } from '../../protocol.js' */
/** @import { Figure } from './facts.js' */
/** @import { Choice, Lesson, Measured } from './lessons.js' */
/** @import { LessonState } from './state.js' */

/**
 * @typedef {object} MeasurePorts
 * @property {(scenario: object) => Promise<Outcome[]>} expect runs a scenario to its end and checks its assertions
 * @property {(name: string) => Promise<object>} scenario a shipped scenario, whole
 */

/** Changes a setting of a document. @param {any} document @param {PatchEntry} entry */
function withChange(document, { path, value }) {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  const last = /** @type {string} */ (steps.pop());
  let inner = document;
  for (const step of steps) {
    inner[step] ??= {};
    inner = inner[step];
  }
  inner[last] = parseValue(value);
}

/** Converts the text of a value to its form in a document: a number, true, a list, or text. @param {string} value */
const parseValue = (value) => (/^(-?\d+(\.\d+)?|true|false|[[{].*)$/s.test(value) ? JSON.parse(value) : value);

/**
 * The scenario of the run that measures a number.
 * @param {Lesson} lesson @param {{scenario?: string, set?: PatchEntry[]}} where @param {MeasurePorts} ports
 */
export async function baseOf(lesson, { scenario, set = [] }, ports) {
  const { run } = lesson;
  const found = scenario || !run.whole ? await ports.scenario(scenario ?? run.scenario) : run.whole;
  const document = /** @type {any} */ (structuredClone(found));
  if (!scenario && run.seed) document.seed = run.seed;
  if (!scenario) {
    const acts = run.acts.map(({ act, node, at }) => ({ at: `${at + 1}ns`, act, target: node }));
    document.actions = [...(document.actions ?? []), ...acts];
  }
  for (const entry of set) withChange(document, entry);
  return document;
}

/**
 * @param {Lesson} lesson @param {Measured} number @param {MeasurePorts} ports
 * @param {{choice?: Choice, isStopped?: () => boolean, tell?: (done: number) => void}} [how]
 *   choice: a choice whose run replaces the number's own run
 * @returns {Promise<Figure | undefined>} undefined: the caller has stopped the measurement
 */
export async function measure(lesson, number, ports, { choice, isStopped = () => false, tell = () => {} } = {}) {
  const document = await baseOf(lesson, choice ?? number, ports);
  document.expect = [number.expect];
  if (!number.seeds) {
    const [{ measured }] = await ports.expect(document);
    return isStopped() ? undefined : figureOf(measured);
  }
  let met = 0;
  for (let seed = 1; seed <= number.seeds; seed++) {
    const [outcome] = await ports.expect({ ...document, seed });
    if (isStopped()) return undefined;
    if (outcome.met) met++;
    tell(seed);
  }
  return figureOf(String(met));
}

/**
 * Measures the missing numbers of a lesson, beginning with the numbers that need only one run.
 * @param {Lesson} on
 * @param {LessonState} lesson
 * @param {MeasurePorts} ports
 */
export async function measureAll(on, lesson, ports) {
  const isStopped = () => lesson.on.peek() !== on;
  const missing = on.numbers.filter(({ name }) => !Object.hasOwn(lesson.measured.peek(), name));
  for (const number of missing.sort((a, b) => (a.seeds ?? 1) - (b.seeds ?? 1))) {
    const figure = await measure(on, number, ports, { isStopped });
    if (!figure) return;
    lesson.measured.value = { ...lesson.measured.peek(), [number.name]: figure };
  }
}

/**
 * Re-runs with other seeds, one slice after another. Each slice is a separate message, so the page stays responsive.
 * Asks until all seeds are done, or until `isStopped` returns true.
 * @param {(params: SweepParams) => Promise<Swept>} ask @param {SweepParams} params
 * @param {{tell: (swept: Swept) => void, isStopped: () => boolean}} on
 * @returns {Promise<Swept | undefined>} undefined: the caller has stopped the measurement
 */
export async function sweep(ask, params, { tell, isStopped }) {
  while (!isStopped()) {
    const swept = await ask(params);
    if (isStopped()) break;
    tell(swept);
    if (swept.done >= swept.of) return swept;
  }
  return undefined;
}
