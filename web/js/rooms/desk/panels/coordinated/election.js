/** Coordinated election in the page: what is asked of the engine for it, and what it looks at besides the Lease. */
import { nothing } from 'lit-html';
import { Latest } from '../../../../lib/latest.js';
import { electionTemplate, isCoordinated } from './cards.js';
import { addServerShapes, markTimeline } from './marks.js';

/** @import { DecisionView, ObjectRef, ObjectView, Cursor } from '../../../../protocol.js' */

/** @param {import('../../index.js').Page} page */
export function openElection({ state, lab, select, selectNode, showTab, timeline, currentTab, schedule }) {
  addServerShapes();
  const go = (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor });
  markTimeline(timeline, go);

  /** @type {DecisionView | null} */
  let decision = null;
  const fetchDecision = new Latest(
    (params) => lab.ask('decision', params),
    (answer) => {
      decision = answer;
      schedule();
    },
    60,
  );

  /** The object that is looked at instead of the Lease. @type {ObjectRef | null} */
  let picked = null;
  let pinned = 0;
  /** @type {ObjectView | null} */
  let other = null;
  const fetchOther = new Latest(
    (params) => lab.ask('object', params),
    (answer) => {
      // Of another run, or of a time before it was there.
      if (answer === null) picked = null;
      other = picked && answer;
      schedule();
    },
    60,
    { refusals: true },
  );

  const on = {
    select: selectNode,
    go,
    step: async (/** @type {number} */ number) => go((await lab.ask('decision', { number })).cursor),
    show: (/** @type {string} */ name) => {
      pick({ kind: 'LeaseCandidate', name });
      state.cardOpen.value = false;
      showTab('objects');
    },
  };

  /** @param {ObjectRef} object */
  function pick(object) {
    const { name } = state.view.value.lease;
    picked = object.kind === 'Lease' && object.name === name ? null : object;
    pinned = 0;
    if (!picked) other = null;
    fetchOther.reset();
    ask();
    schedule();
  }

  /** Asks what may have changed. */
  function ask() {
    const { run, branch, cursor, edge } = state.view.value;
    const coordinated = isCoordinated(state.view.value);
    if (!coordinated) decision = null;
    const place = `${run} ${branch} ${cursor.t} ${cursor.n} ${edge.t} ${edge.n}`;
    if (coordinated && currentTab() === 'beliefs') fetchDecision.want(place, {});
    if (picked) fetchOther.want(`${place} ${picked.name} ${pinned}`, { ...picked, version: pinned });
  }

  return {
    ask,
    pick,
    other: () => other,
    pinned: () => pinned,
    decision: () => decision,
    /** @param {number} version of the object that is looked at; 0: at the cursor */
    version: (version) => {
      pinned = version;
      ask();
      schedule();
    },
    template: () =>
      isCoordinated(state.view.value)
        ? electionTemplate(state.view.value, decision, state.selection.value?.node ?? '', on)
        : nothing,
  };
}
