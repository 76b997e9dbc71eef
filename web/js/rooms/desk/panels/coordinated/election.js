/**
 * Coordinated election on the page: its requests to the engine, and the objects that the page shows besides the Lease.
 */
import { effect, signal } from '@preact/signals-core';
import { nothing } from 'lit-html';
import { Latest } from '../../../../lib/latest.js';
import { electionTemplate, isCoordinated } from './cards.js';
import { addServerShapes, markTimeline } from './marks.js';

/** @import { Cursor, DecisionView, ObjectRef, ObjectView } from '../../../../protocol.js' */
/** @import { Page } from '../../index.js' */

/** @param {Pick<Page, "state" | "lab" | "select" | "selectNode" | "showTab" | "currentTab" | "timeline">} ports */
export function openElection({ state, lab, select, selectNode, showTab, currentTab, timeline }) {
  addServerShapes();
  const go = (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor });
  markTimeline(timeline, go);

  const decision = signal(/** @type {DecisionView | null} */ (null));
  const fetchDecision = new Latest((params) => lab.ask('decision', params), decision, 60);

  /** The object that the inspector shows instead of the Lease. */
  const picked = signal(/** @type {ObjectRef | null} */ (null));
  const pinned = signal(0);
  const other = signal(/** @type {ObjectView | null} */ (null));
  const fetchOther = new Latest(
    (params) => lab.ask('object', params),
    (answer) => {
      // The object belongs to another run, or does not exist yet at the cursor.
      if (answer === null) picked.value = null;
      other.value = picked.value && answer;
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
      showTab('objects');
    },
  };

  /** @param {ObjectRef} object */
  function pick(object) {
    const { name } = state.view.value.lease;
    fetchOther.reset();
    pinned.value = 0;
    picked.value = object.kind === 'Lease' && object.name === name ? null : { ...object };
    if (!picked.value) other.value = null;
  }

  // Asks for the parts that may have changed.
  effect(() => {
    const { run, branch, cursor, live } = state.view.value;
    const coordinated = isCoordinated(state.view.value);
    if (!coordinated) decision.value = null;
    const place = `${run} ${branch} ${cursor.t} ${cursor.n} ${live.t} ${live.n}`;
    if (coordinated && currentTab() === 'beliefs') fetchDecision.want(place, {});
    if (picked.value)
      fetchOther.want(`${place} ${picked.value.name} ${pinned.value}`, { ...picked.value, version: pinned.value });
  });

  return {
    pick,
    /** The object that the inspector shows instead of the Lease. */
    other,
    /** The object's version; 0 follows the cursor. */
    pinned,
    template: () =>
      isCoordinated(state.view.value)
        ? electionTemplate(state.view.value, decision.value, state.selection.value?.node ?? '', on)
        : nothing,
  };
}
