/** For tests: lesson 1 with a fake run, and with ports that record their calls. */
import { readFileSync } from 'node:fs';
import { signal } from '@preact/signals-core';
import { Guard } from './guard.js';
import { lessonFrom } from './lessons.js';
import { LessonRun } from './run.js';
import { LessonState } from './state.js';
import { Steps } from './steps.js';

/** @import { View } from '../../protocol.js' */
/** @import { Progress } from './progress.js' */

const shipped = new URL('../../../../bin/lessons.json', import.meta.url);
/** The lessons as `leaselab scenarios --lessons -o whole` prints them. */
/** @type {import('./lessons.js').Lesson[]} */
export const LESSONS = JSON.parse(readFileSync(shipped, 'utf8')).map(lessonFrom);
export const [aLeaderDies] = LESSONS;

const live = { t: 12e9, n: -1 };
const BEGUN = /** @type {View} */ (
  /** @type {unknown} */ ({
    scenario: aLeaderDies.run.scenario,
    run: 7,
    branch: 0,
    playing: false,
    cursor: live,
    live,
    end: 120e9,
  })
);

export function setUp() {
  /** @type {string[]} */
  const log = [];
  const view = signal(BEGUN);
  const phase = signal(/** @type {"opening" | "ready" | "failed"} */ ('ready'));
  const lesson = new LessonState();
  /** @param {Partial<View>} change */
  const show = (change) => {
    view.value = { ...view.value, ...change };
  };
  const run = new LessonRun({
    view,
    change: async (op, /** @type {any} */ params) => {
      const verdict = await guard.judge(op, params);
      log.push(`${op}${params ? ` ${JSON.stringify(params)}` : ''}${verdict.refusal ? ' refused' : ''}`);
      if (op === 'pause') show({ playing: false });
      if (op === 'seek') show({ cursor: params.cursor });
      if (op === 'play') show({ cursor: { t: params.until, n: -1 }, live: { t: params.until, n: -1 } });
    },
    reducedMotion: () => false,
  });
  const write =
    (/** @type {string} */ name) =>
    (/** @type {unknown[]} */ ...rest) =>
      log.push([name, ...rest.filter((one) => typeof one === 'string')].join(' '));
  const steps = new Steps(lesson, run, {
    phase,
    failure: () => 'The simulator could not start.',
    pause: write('pause'),
    open: async () => true,
    act: async () => show({ run: 8 }),
    visit: async ({ scenario }) => show({ scenario, run: 9 }),
    explain: write('explain'),
    onStart: write('started'),
    onEnd: write('ended'),
    frame: write('frame'),
    showPanel: write('panel'),
    unmark: write('unmark'),
    unselect: write('unselect'),
    focusHeading: write('heading'),
    showRun: write('run'),
    say: write('say'),
  });
  const events = { at: 4, total: 5 };
  const guard = new Guard(lesson, run, {
    timeline: () => null,
    place: async () => events,
    actLabel: (act, node) => `${act} ${node}…`,
    tell: (event, aloud) => steps.tell(event, aloud),
    close: () => steps.close(),
    focusHeading: write('heading'),
  });
  /** Puts the visitor at a step of the lesson. @param {Partial<Progress>} now @param {Partial<View>} [change] */
  const at = (now, change = {}) => {
    lesson.runs = [7, 8];
    lesson.start(aLeaderDies);
    lesson.progress.value = { ...lesson.progress.value, ...now };
    show(change);
  };
  return { log, view, phase, lesson, show, run, steps, guard, events, at };
}

/** Indices of the steps. */
export const ACT = aLeaderDies.steps.findIndex(({ kind }) => kind === 'act');
export const BET = ACT + 1;
export const SEE = ACT + 2;

export { settle } from '../../lib/testsupport/calls.js';
