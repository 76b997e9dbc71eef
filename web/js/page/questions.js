/** Asks the engine for the contents of the panels whenever they may have changed. Only the last answer counts. */
import { signal } from '@preact/signals-core';
import { element } from '../lib/element.js';
import { Latest } from '../lib/latest.js';
import { WINDOW } from './events/events.js';
import { askedWindow } from './timeline/viewport.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Events, Timeline } from '../protocol.js' */
/** @import { Lab } from './lab.js' */
/** @import { State } from './state.js' */

/** @param {State} state @param {Lab} lab @param {(events: Events | null) => void} onEvents */
export function openQuestions(state, lab, onEvents) {
  const fetchTimeline = new Latest((params) => lab.ask('timeline', params), state.timeline, 50);
  const overview = /** @type {Signal<Timeline | null>} */ (signal(null));
  const fetchOverview = new Latest((params) => lab.ask('timeline', params), overview, 250);
  const fetchEvents = new Latest(
    (params) => lab.ask('events', params),
    (answer) => {
      state.events.value = answer;
      onEvents(answer);
    },
    60,
  );
  const fetchObject = new Latest((params) => lab.ask('object', params), state.object, 60);

  let source = lab.source;
  function ask() {
    const view = state.view.value;
    if (source !== lab.source) {
      source = lab.source;
      for (const question of [fetchTimeline, fetchOverview, fetchEvents, fetchObject]) question.reset();
    }
    const place = `${view.run} ${view.branch} ${view.live.t} ${view.live.n}`;
    const { from, to } = state.viewport.value;
    const width = Math.max(320, element('timeline').clientWidth);
    const wide = askedWindow({ from, to }, width);
    fetchTimeline.want(`${place} ${Object.values(wide)}`, wide);
    // The overview shows leaders and rare events, not requests.
    fetchOverview.want(place, { from: 0, to: Math.max(1, view.live.t), widthPx: 0 });
    const { filter, filterNode, eventsFrom } = state;
    const events = {
      around: view.cursor,
      count: WINDOW,
      ...(eventsFrom.value >= 0 ? { from: eventsFrom.value } : {}),
      ...(filter.value ? { filter: filter.value } : {}),
      ...(filterNode.value ? { node: filterNode.value } : {}),
    };
    fetchEvents.want(`${place} ${JSON.stringify(events)}`, events);
    if (view.lease.versions > 0 || view.lease.others) {
      const version = Math.min(state.pinnedVersion.value || view.lease.version, view.lease.versions);
      fetchObject.want(`${view.run} ${version} ${view.lease.versions}`, { version });
    } else if (state.object.value) state.object.value = null;
  }

  return { ask, overview };
}
