/**
 * What the page shows, as signals. Values only: nothing here asks the engine, touches the document or knows a rule of
 * elections. state.test.js lists who may write each signal.
 */
import { computed, signal } from '@preact/signals-core';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Events, Hello, Nanos, ObjectView, Timeline, View, Why } from '../protocol.js' */
/** @import { KeyMode } from './keys.js' */

/** @typedef {import('../lib/share.js').Marked} Marked */
/** The selection, one thing at a time. Every panel marks it. @typedef {Marked | null} Selection */
/** @typedef {{from: Nanos, to: Nanos}} Viewport */
/** @typedef {import('../lib/notify.js').Toast} Toast */
/** @typedef {{sentence: string, retry: () => unknown}} Queued an act that waits for the engine */
/** @typedef {"opening" | "ready" | "failed"} Phase */
/** @typedef {"wide" | "middle" | "narrow"} Layout */

export function createState() {
  const state = {
    phase: /** @type {Signal<Phase>} */ (signal('opening')),
    /** the loaded share of the engine, 0…1 */
    progress: signal(0),
    failure: signal(''),
    /** the open run is a shipped one without changes */
    shipped: signal(true),
    arrival: /** @type {Signal<import('./arrival.js').Arrival | null>} */ (signal(null)),
    /** the progress of a long computation */
    computing: /** @type {Signal<{at: Nanos, of: Nanos, stop: () => void} | null>} */ (signal(null)),
    queued: /** @type {Signal<Queued[]>} */ (signal([])),

    hello: /** @type {Signal<Hello>} */ (
      signal({ engine: 0, protocol: 0, scenarios: [], knobs: [], acts: [], fieldHelp: [] })
    ),
    view: /** @type {Signal<View>} */ (/** @type {unknown} */ (signal(null))),
    timeline: /** @type {Signal<Timeline | null>} */ (signal(null)),
    events: /** @type {Signal<Events | null>} */ (signal(null)),
    object: /** @type {Signal<ObjectView | null>} */ (signal(null)),
    why: /** @type {Signal<Why | null>} */ (signal(null)),

    selection: /** @type {Signal<Selection>} */ (signal(null)),
    viewport: /** @type {Signal<Viewport>} */ (signal({ from: 0, to: 40e9 })),
    markedAddend: /** @type {Signal<number | null>} */ (signal(null)),
    /** first end of a span that the visitor marks with the keyboard */
    spanStart: /** @type {Signal<Nanos | null>} */ (signal(null)),
    /** 0 is story speed */
    speed: signal(0),
    /** version of the Lease the visitor is reading; 0 follows the cursor */
    pinnedVersion: signal(0),
    format: /** @type {Signal<"yaml" | "json">} */ (signal('yaml')),
    field: signal(''),
    filter: signal(''),
    filterNode: signal(''),
    /** the fields of the filter show */
    filtering: signal(false),
    /** first row of the event window; −1 follows the cursor */
    eventsFrom: signal(-1),

    layout: /** @type {Signal<Layout>} */ (signal('wide')),
    tab: signal('story'),
    /** the page on screen: the lab, or a room that is a page */
    page: signal('lab'),
    /** the address of the page on screen; "" in the lab */
    place: signal(''),
    /** the address of the lesson's step on screen; "" without a lesson of the course */
    step: signal(''),
    /** A lesson or a prediction is open. */
    learning: signal(false),
    toasts: /** @type {Signal<Toast[]>} */ (signal([])),
    status: signal(''),
    /** tried: the visitor has acted, and the other suggestions stay */
    hint: /** @type {Signal<"" | "shown" | "tried" | "done">} */ (signal('')),
    /** what to watch in the chosen run; "" for nothing */
    watch: signal(''),
    /** whether an act at the live end makes the run play on */
    playOn: signal(true),
    /** the page has yet to explain the three marks of the timeline */
    legend: signal(false),
    /** large type, and only the headline and the timeline */
    projector: signal(false),
    /** a lesson asks for a bet, so no countdown may give away the answer */
    betting: signal(false),
    theme: /** @type {Signal<"system" | "light" | "dark">} */ (signal('system')),
    keyMode: /** @type {Signal<KeyMode>} */ (signal('on')),
  };
  return {
    ...state,
    target: computed(() => targetNode(state.view.value, state.selection.value)),
    /** whether the run is the shipped one: what its texts say holds */
    isShipped: computed(() => state.shipped.value && !state.view.value?.undo && (state.view.value?.branch ?? 0) === 0),
  };
}

/** @typedef {ReturnType<typeof createState>} State */

/**
 * The target of the acts: the selected node, else the leader, else the holder, else the first node.
 * @param {View | null} view @param {Selection} selection
 */
export function targetNode(view, selection) {
  if (!view || view.nodes.length === 0) return '';
  const findName = (/** @type {string | undefined} */ name) => view.nodes.find((node) => node.name === name)?.name;
  const chosen = selection?.kind === 'node' ? findName(selection.node) : undefined;
  return chosen ?? leaderNode(view) ?? view.nodes[0].name;
}

/** The leader, else the holder of the Lease if it is a node. @param {Pick<View, 'nodes' | 'lease'>} view */
export function leaderNode({ nodes, lease }) {
  return (nodes.find((node) => node.role === 'leading') ?? nodes.find((node) => node.name === lease.holder))?.name;
}

/**
 * The instant to draw: wall time advances the cursor between two views, but never past the time for which the view is
 * valid.
 * @param {View} view
 * @param {number} wallMs since the view arrived
 * @returns {Nanos}
 */
export function instantNow(view, wallMs) {
  if (!view.playing || view.nextT <= view.cursor.t) return view.cursor.t;
  const factor = view.speed || view.storySpeed;
  return Math.min(view.nextT, view.cursor.t + Math.max(0, Math.floor(wallMs * 1e6 * factor)));
}

/** The speeds, story speed first. */
const SPEEDS = [0, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 50, 100, 200, 500, 1000];

/** @param {number} speed */
export function speedText(speed) {
  return speed === 0 ? 'story speed' : `${speed}×`;
}

/** A faster speed, or a slower one. @param {number} speed @param {number} by in steps */
export function speedBeside(speed, by) {
  return SPEEDS[Math.max(0, Math.min(SPEEDS.indexOf(speed) + by, SPEEDS.length - 1))];
}

/** The active leaders at the cursor, and the paused leader. @param {Pick<View, 'nodes'>} view */
export function leadersOf({ nodes }) {
  return nodes
    .filter((node) => node.role === 'leading' || node.role === 'lost' || (node.paused && node.believes === 'I lead'))
    .map((node) => node.name);
}

/** The document's title: the state at the cursor, and never anything after it. @param {View | null} view */
export function documentTitle(view) {
  if (!view) return 'leaselab';
  const leaders = leadersOf(view);
  const verb = leaders.length > 1 ? 'lead' : 'leads';
  const who = `${leaders.join(' and ') || 'Nobody'} ${verb}`;
  return `${who} · ${view.title} · leaselab`;
}
