/** Everything that the palette offers: the commands of the key table, and commands without a key. */
import { actLabel, actOf, refusalOf } from '../../../../page/commands.js';
import { KEYS, printKey } from '../../../../page/keys.js';

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
    commandOf('toLeaderChange', 'Run to the next leader change'),
    commandOf('toViolation', 'Run to the next violation'),
    commandOf('toBreakpoint', 'Run to the next breakpoint'),
    commandOf('toEnd', 'Show the whole run'),
    commandOf('faults', 'All settings and faults…'),
    commandOf('faults-acts', 'Inject a fault…', () => run('faults', 'acts')),
    commandOf('search-heat', 'Studies: a map of two settings…', () => run('search', 'heat')),
    commandOf('search-advise', 'Studies: find settings…', () => run('search', 'advise')),
    commandOf('search-hunt', 'Studies: find failures…', () => run('search', 'hunt')),
    commandOf('search-shrink', 'Studies: simplify this failure…', () => run('search', 'shrink')),
    commandOf('search-explore', 'Studies: prove within bounds…', () => run('search', 'explore')),
    commandOf('lessons', 'Lessons: the page with all questions'),
    commandOf('museum', 'Museum: real incidents, failing and fixed'),
    commandOf('numbers', 'Numbers: what three durations lead to…'),
    commandOf('evidence', 'Your logs: evidence of what happened, from audit logs, watches and logs…'),
    commandOf('breakpoints', 'Breakpoints…'),
    commandOf('branches', 'Branches: the tree…'),
    ...lessons.map(({ number, title }) =>
      commandOf(`lesson-${number}`, `Lesson ${number}: ${title}`, () => run('lesson', number)),
    ),
    ...state.hello.value.scenarios.map(({ name, title }) =>
      commandOf(`scenario-${name}`, `Scenario: ${title}`, () => run('scenario', name)),
    ),
    commandOf('present', 'Present the lesson: large type, a clicker, notes in a second window'),
    commandOf('copyStep', 'Copy a link to this step of the lesson'),
    commandOf('predict', 'Ask for a prediction: a link that hides what follows…'),
    commandOf('qrCode', 'Show the link as a QR code'),
    commandOf('nextClass', 'Start again for the next class…'),
    commandOf('embed', 'Embed it in a page: copy an iframe…'),
    commandOf('author', 'Write a lesson by playing'),
    commandOf('clock', `Clock of ${target}…`),
    commandOf('remove', `Remove ${target}`, () => lab.act('remove', target)),
    commandOf('reroll', 'Another seed'),
    commandOf('saveJson', 'Save the run as JSON'),
    commandOf('saveYaml', 'Save the run as YAML'),
    commandOf('saveSession', 'Save the session: every branch, and the breakpoints'),
    commandOf('openFile', 'Open a scenario file…'),
    commandOf('themeSystem', 'Theme: same as the system'),
    commandOf('themeLight', 'Theme: light'),
    commandOf('themeDark', 'Theme: dark'),
    ...state.hello.value.scenarios.map(({ name, title }) =>
      commandOf(`scenario-${name}`, `Open: ${title}`, () => run('scenario', name)),
    ),
  ];
}
