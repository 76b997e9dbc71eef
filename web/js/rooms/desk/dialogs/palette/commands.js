/** Everything that the palette offers: the commands of the key table, and commands without a key. */
import { actLabel, actOf, refusalOf } from '../../../../page/commands.js';
import { KEYS, printKey } from '../../../../page/keys.js';
import others from './commands.json' with { type: 'json' };

/** @import { Page } from '../../index.js' */
/** @import { Title } from './lessons.js' */
/** @import { Command } from './palette.js' */

/**
 * @param {Pick<Page, "state" | "lab" | "run">} ports
 * @param {Title[]} lessons
 * @returns {Command[]}
 */
export function commandsOf({ state, lab, run }, lessons) {
  const view = state.view.value;
  const target = state.target.value;
  const fromKeys = KEYS.filter((entry) => !['palette', 'escape'].includes(entry.id)).map((entry) => {
    const act = entry.act && !['undo', 'redo'].includes(entry.id) ? actOf(entry.id, view, target) : '';
    const label = act ? actLabel(state.hello.value.acts, act, target) : entry.label;
    const refusal = act && act !== 'add' ? refusalOf(view, target, act) : '';
    const keys = entry.keys.map((name) => printKey(name)).join(' or ');
    return { id: entry.id, label, refusal, keys, run: () => run(entry.id) };
  });
  const commandOf = (/** @type {string} */ id, /** @type {string} */ label, act = () => run(id)) => ({
    id,
    label,
    keys: '',
    run: act,
  });
  return [
    ...fromKeys,
    ...Object.entries(others).map(([id, label]) =>
      commandOf(id, label, () =>
        run(.../** @type {Parameters<typeof run>} */ (/** @type {unknown} */ (id.split('-')))),
      ),
    ),
    commandOf('clock', `Clock of ${target}…`),
    commandOf('remove', `Remove ${target}`, () => lab.act('remove', target)),
    ...lessons.map(({ number, title }) =>
      commandOf(`lesson-${number}`, `Lesson ${number}: ${title}`, () => run('lesson', number)),
    ),
    ...['Scenario', 'Open'].flatMap((word) =>
      state.hello.value.scenarios.map(({ name, title }) =>
        commandOf(`scenario-${name}`, `${word}: ${title}`, () => run('scenario', name)),
      ),
    ),
  ];
}
