/** Changes the run without an act: scenario, seed, settings, running ahead. Also marks a span with keys. */
import { formatInstant } from '../../lib/format.js';
import { seedOf, seedRefusal } from '../../lib/seed.js';
import { LONGER, offerLonger } from '../../page/longer.js';
import { follow, showRelevant } from '../../page/timeline/shown.js';

/** @import { Commands } from '../../page/actions.js' */
/** @import { RunToParams } from '../../protocol.js' */
/** @import { Page } from './index.js' */

/** @param {Pick<Page, "state" | "lab" | "notifier" | "select" | "key">} ports */
export function openRunning({ state, lab, notifier, select, key }) {
  /** @param {RunToParams['what']} what @param {string} words */
  async function runTo(what, words) {
    lab.touch();
    const view = await lab.change('runTo', { what }, `The run will go to ${words}`);
    if (!view) return;
    follow(state, view.cursor.t);
    showRelevant(state);
    notifier.say(`${formatInstant(view.cursor.t)}.`);
    // This run ends before such an event. A longer run may still have one.
    if (view.toast && view.cursor.t >= view.end && what !== 'end')
      offerLonger(lab, view.toast, view.end + LONGER, () => runTo(what, words));
  }

  /** @param {{value: string}} [input] the field with the seed */
  function setSeed(input) {
    if (!input) return;
    const seed = seedOf(input.value);
    if (seed === undefined) {
      notifier.notify(seedRefusal(input.value), { tone: 'error' });
      input.value = String(state.view.value.seed);
      return;
    }
    reseed(String(seed));
  }

  /** @param {string} value */
  async function reseed(value) {
    lab.touch();
    const until = state.view.value.cursor.t;
    const view = await lab.change('edit', { path: 'seed', value, mode: 'rerun' }, `seed will be ${value}`);
    if (view) notifier.say(`seed is ${value}.`);
    // A run that starts again plays to the instant of the change; in a lesson, as far as its guard allows.
    if (view && state.playOn.value) await lab.change('play', { speed: state.speed.value, until });
  }

  function markSpan() {
    const now = lab.now();
    const start = state.spanStart.value;
    if (start === null) {
      state.spanStart.value = now;
      notifier.notify(`The span starts at ${formatInstant(now)}. Move the cursor and press ${key('markSpan')} again.`);
      return;
    }
    state.spanStart.value = null;
    const span = { kind: 'span', from: Math.min(start, now), to: Math.max(start, now) };
    select(span);
    notifier.say(`From ${formatInstant(span.from)} to ${formatInstant(span.to)}.`);
  }

  return {
    /** @type {Commands} */
    commands: {
      markSpan,
      toLeaderChange: () => runTo('leaderChange', 'the next leader change'),
      toViolation: () => runTo('violation', 'the next violation'),
      toBreakpoint: () => {
        if (state.phase.value === 'ready') return runTo('breakpoint', 'the next breakpoint');
        notifier.notify('The simulator is still loading.');
      },
      toEnd: async () => {
        await runTo('end', 'the end');
        lab.fit();
      },
      seed: setSeed,
      reroll: () => reseed(String(Math.floor(Math.random() * 1e6))),
    },
  };
}
