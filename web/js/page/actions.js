/** The commands that keys, buttons and the palette run, by name, and the actions of a selection. */
import { formatInstant } from '../lib/format.js';
import { actOf } from './commands.js';
import { speedBeside, speedText } from './state.js';
import { showInstant, showSpan } from './timeline/shown.js';

/** @import { Notifier } from '../lib/notify.js' */
/** @import { Cursor, Events } from '../protocol.js' */
/** @import { Lab } from './lab.js' */
/** @import { Selection, State } from './state.js' */
/** @import { TimelineView } from './timeline/timeline.js' */

/**
 * The argument of each command. A command without an entry takes none.
 * @typedef {{speed: number, scenario: string, seed: {value: string}, museum: string, numbers: string, qrCode: string,
 * export: 'go', faults: string, lesson: number, search: import('../protocol.js').StudyKind | 'heat', message: {node:
 * string, seq: number, message?: string}}} Takes
 */
/**
 * Runs a command.
 * @typedef {<Id extends string>(id: Id, ...given: Id extends keyof Takes ? [argument?: Takes[Id]] : []) => unknown} Run
 */
/**
 * Commands by name.
 * @typedef {{[Id in keyof Takes]?: (argument?: Takes[Id]) => unknown} & {[id: string]: (argument?: never) => unknown}}
 *   Commands
 */
/**
 * A command with its argument, on its way to where it runs.
 * @typedef {(id: string, ...given: unknown[]) => unknown} Pass
 */

/**
 * The parts of the page that the actions use.
 * @typedef {object} Ports
 * @property {State} state
 * @property {Lab} lab
 * @property {Pick<Notifier, 'say' | 'withdraw'>} notifier
 * @property {() => Pick<TimelineView, 'zoomBy' | 'panBy' | 'lane'>} timeline
 * @property {(tab: string) => void} showTab
 * @property {() => void} focusFilter
 * @property {() => boolean} closeMenu false if no menu was open
 * @property {() => boolean} closeRoom closes a panel of the desk; false when none is open
 * @property {() => unknown} closePage leads back to the lab
 * @property {Pass} runLater runs a command of the desk once the desk has loaded
 */

/** @param {Ports} ports */
export function openActions(ports) {
  const { state, lab, notifier, timeline, showTab, focusFilter, closeMenu, closeRoom, closePage, runLater } = ports;
  /** @param {Selection} selection */
  function select(selection) {
    state.selection.value = selection;
    if (selection?.kind === 'node' && selection.node) notifier.say(`${selection.node} is selected.`);
    if (selection?.kind === 'version' && selection.version) state.pinnedVersion.value = selection.version;
    if (selection?.cursor && selection.kind !== 'node') jump(selection.cursor);
  }

  /** @param {string} node */
  function selectNode(node) {
    const index = state.view.value.nodes.find((candidate) => candidate.name === node)?.index;
    select({ kind: 'node', node, index });
  }

  function selectLease() {
    showTab('objects');
    select({ kind: 'version', version: state.view.value.lease.version });
    notifier.say('The Lease is selected.');
  }

  /** @param {number} i */
  function selectNth(i) {
    const node = state.view.value.nodes[i];
    if (node) selectNode(node.name);
    else notifier.say(`The run has no node ${i + 1}.`);
  }

  let sayEvent = false;
  /** @param {number} direction @param {"event" | "landmark"} unit */
  async function step(direction, unit) {
    if (!(await lab.step(direction, unit))) return;
    showInstant(state, state.view.value.cursor.t);
    sayEvent = true;
    state.eventsFrom.value = -1;
  }

  /** Announces the event that a step leads to. @param {Events | null} events */
  function announceEvent(events) {
    const row = events?.rows[events.at - events.from];
    if (sayEvent && row) notifier.say(`${formatInstant(row.t)}: ${row.node} ${row.text}`);
    sayEvent = false;
  }

  /** @param {number} direction */
  function seekFinely(direction) {
    const { from, to } = state.viewport.value;
    const by = Math.max(1, Math.round((to - from) / 1000));
    return lab.seek({ t: Math.max(0, state.view.value.cursor.t + direction * by), n: -1 });
  }

  /** @param {Cursor} cursor */
  async function jump(cursor) {
    await lab.seek(cursor);
    showInstant(state, state.view.value.cursor.t);
  }

  /** @param {number} [speed] default: story speed */
  function setSpeed(speed = 0) {
    lab.setSpeed(speed);
    notifier.say(speedText(speed));
  }
  const speedBy = (/** @type {number} */ by) => setSpeed(speedBeside(state.speed.value, by));

  function fit() {
    const chosen = state.selection.value;
    if (chosen && ['span', 'band', 'fault', 'violation'].includes(chosen.kind) && chosen.to !== undefined) {
      showSpan(state, { from: chosen.from ?? 0, to: chosen.to });
    } else lab.fit();
  }

  function deselect() {
    if (closeRoom()) return;
    if (state.spanStart.value !== null) state.spanStart.value = null;
    else if (state.toasts.value.length > 0) notifier.withdraw();
    else select(null);
  }

  /** @param {string} id */
  const act = (id) => lab.act(actOf(id, state.view.value, state.target.value), state.target.value);

  /** @type {Commands} */
  const commands = {
    playPause: () => lab.playPause(),
    eventBack: () => step(-1, 'event'),
    eventForth: () => step(1, 'event'),
    landmarkBack: () => step(-1, 'landmark'),
    landmarkForth: () => step(1, 'landmark'),
    toStart: () => jump({ t: 0, n: 0 }),
    toLive: () => jump(state.view.value.live),
    fineBack: () => seekFinely(-1),
    fineForth: () => seekFinely(1),
    slower: () => speedBy(-1),
    faster: () => speedBy(1),
    speed: setSpeed,
    zoomIn: () => timeline().zoomBy(1.5, lab.now()),
    zoomOut: () => timeline().zoomBy(1 / 1.5, lab.now()),
    panLeft: () => timeline().panBy(-0.2),
    panRight: () => timeline().panBy(0.2),
    fit,
    laneUp: () => timeline().lane(-1),
    laneDown: () => timeline().lane(1),
    undo: () => lab.undo(),
    redo: () => lab.redo(),
    selectLease,
    lab: () => closePage(),
    projector: () => {
      state.projector.value = !state.projector.value;
    },
    filter: () => {
      showTab('events');
      state.filtering.value = true;
      focusFilter();
    },
    escape: deselect,
  };
  for (const id of ['crash', 'pauseNode', 'cut', 'stop', 'restart', 'add']) commands[id] = () => act(id);
  for (let i = 0; i < 9; i++) commands[`node${i + 1}`] = () => selectNth(i);

  /** @type {Run} */
  function run(id, ...given) {
    if (closeMenu() && id === 'escape') return;
    if (!runFrom(commands, id, given)) runLater(id, ...given);
  }

  return { run, select, selectNode, step, announceEvent };
}

/** Runs a command if it is one of these. @param {Commands} commands @param {string} id @param {unknown[]} given */
export function runFrom(commands, id, given) {
  const command = /** @type {((...given: unknown[]) => unknown) | undefined} */ (commands[id]);
  command?.(...given);
  return command !== undefined;
}
