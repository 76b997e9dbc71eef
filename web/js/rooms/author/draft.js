/**
 * A lesson while a teacher writes it: the document of its file, and a function for each edit. Every function is pure
 * and returns a new document. Lengths are text with a unit, as in the file.
 */
import { parseInstant } from '../../lib/share.js';

/** @import { Nanos, Share } from '../../protocol.js' */

/** @typedef {{act: string, node: string, at: string}} Act */
/** @typedef {{[name: string]: any, title: string, text?: string[]}} Says */
/** @typedef {{[part: string]: any, name: string, kind: string, until: string, says: Says, act?: Act}} Step */
/**
 * @typedef {{[part: string]: any, name: string, title: string, scenario: string | Members, seed?: number,
 *   opens: string, steps: Step[]}} Draft
 */
/** @typedef {{[name: string]: any}} Members */
/** An action as a scenario has it. @typedef {Members & {at: string, act: string, target?: string}} Action */
/**
 * A prediction that the engine offers: sim/lesson Offer.
 * @typedef {{name: string, answer: string, until: Nanos, explain: number, numbers: Members[] | null, bet: Members,
 *   asks: Says, tells: Says}} Offer
 */

/** A length in the form of the file: "18.2s". @param {Nanos} ns */
export const lengthText = (ns) => `${ns / 1e9}s`;

/** @param {string} text @returns {Nanos} */
export const lengthOf = (text) => parseInstant(String(text)) ?? 0;

/** Turns a title into a name: "How a leader dies" → "how-a-leader-dies". @param {string} title */
export function nameOf(title) {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).join('-');
  return /^[a-z]/.test(name) ? name : `lesson${name && `-${name}`}`;
}

/**
 * A new lesson without steps.
 * @param {{title: string, scenario: string | Members, opens: Nanos, shows: {from: Nanos, to: Nanos}}} from the run on
 *   screen
 * @returns {Draft}
 */
export const newDraft = ({ title, scenario, opens, shows }) => ({
  apiVersion: 'leaselab.dev/v1alpha1',
  kind: 'Lesson',
  name: nameOf(title),
  title,
  scenario,
  opens: lengthText(opens),
  shows: spanText(shows),
  steps: [],
});

/** @param {{from: Nanos, to: Nanos}} span */
const spanText = ({ from, to }) => ({
  from: lengthText(Math.max(0, Math.round(from))),
  to: lengthText(Math.round(to)),
});

/** A name that no other step uses. @param {Draft} draft @param {string} wanted */
function freeName({ steps }, wanted) {
  const isTaken = (/** @type {string} */ name) => steps.some((step) => step.name === name);
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}${n}`;
    if (!isTaken(name)) return name;
  }
}

/**
 * Inserts steps at their instant, after other steps of that instant. A bet and the step with its answer stay adjacent.
 * No step after an answer has an earlier instant.
 * @param {Draft} draft @param {...Step} more @returns {Draft}
 */
function insertSteps(draft, ...more) {
  const after = draft.steps.findLastIndex((step) => lengthOf(step.until) <= lengthOf(more[0].until)) + 1;
  const at = draft.steps[after - 1]?.kind === 'bet' ? after + 1 : after;
  const steps = [...draft.steps.slice(0, at), ...more, ...draft.steps.slice(at)];
  let latest = '0s';
  return withSteps(
    draft,
    steps.map((step) => {
      if (lengthOf(step.until) < lengthOf(latest) && step.kind === 'look') return { ...step, until: latest };
      latest = step.until;
      return step;
    }),
  );
}

/**
 * The lesson with other steps. It opens at the first of them or earlier.
 * @param {Draft} draft
 * @param {Step[]} steps
 * @returns {Draft}
 */
function withSteps(draft, steps) {
  const first = steps[0] && lengthOf(steps[0].until);
  const opens = first !== undefined && first < lengthOf(draft.opens) ? steps[0].until : draft.opens;
  return { ...draft, opens, steps };
}

/**
 * Adds a step with a text to read and a part of the run to watch.
 * @param {Draft} draft
 * @param {{at: Nanos, title: string, text: string, look?: {region: string, node?: string}, shows?: {from: Nanos,
 *   to: Nanos}, lease?: boolean}} step
 */
export const addStep = (draft, { at, title, text, look, shows, lease }) =>
  insertSteps(draft, {
    name: freeName(draft, 'look'),
    kind: 'look',
    until: lengthText(at),
    ...(look ? { look } : {}),
    ...(lease ? { lease } : {}),
    ...(shows ? { shows: spanText(shows) } : {}),
    says: { title, text: paragraphs(text) },
  });

/** Splits text into paragraphs at empty lines. @param {string} text */
export const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .map((one) => one.replaceAll('\n', ' ').trim())
    .filter(Boolean);

/** @param {Draft} draft @param {Act} act @param {string} label "Crash a" */
const addAct = (draft, act, label) =>
  insertSteps(draft, {
    name: freeName(draft, 'act'),
    kind: 'act',
    until: act.at,
    act,
    says: { title: 'Your turn.', text: [`Choose **${label}**.`], done: `Done: ${label}.` },
  });

/**
 * The lesson with a prediction at an instant, which replaces an earlier prediction. The page shows the answer after it.
 * @param {Draft} draft
 * @param {Nanos} cursor if the cursor is right after an act, the bet goes to the act's instant
 * @param {Offer} offer
 */
export function addBet(draft, cursor, { until, explain, numbers, bet, asks, tells }) {
  const cleared = withoutBet(draft);
  const bare = { ...cleared, ...(explain ? { explain } : {}), ...(numbers?.length ? { numbers } : {}) };
  const { steps, ...rest } = bare;
  const at = steps.some(({ act }) => act && lengthOf(act.at) + 1 === cursor) ? cursor - 1 : cursor;
  const empty = Object.fromEntries(Object.entries(bet).filter(([, value]) => value));
  return insertSteps(
    { ...rest, steps },
    { name: freeName(draft, 'prediction'), kind: 'bet', until: lengthText(at), bet: empty, says: asks },
    { name: freeName(draft, 'answer'), kind: 'see', until: lengthText(until), says: tells },
  );
}

/** @param {Draft} draft @returns {Draft} */
function withoutBet({ explain, numbers, ...draft }) {
  return { ...draft, steps: draft.steps.filter(({ kind }) => kind !== 'bet' && kind !== 'see') };
}

/** @param {Draft} draft */
export const betOf = (draft) => draft.steps.find(({ kind }) => kind === 'bet');

/**
 * Removes a step. With a bet, it also removes the step that shows the answer.
 * @param {Draft} draft
 * @param {number} i
 * @returns {Draft}
 */
export function removeStep(draft, i) {
  if (['bet', 'see'].includes(draft.steps[i].kind)) return withoutBet(draft);
  return withSteps(
    draft,
    draft.steps.filter((_, at) => at !== i),
  );
}

/**
 * Moves a step earlier or later. Steps are in order of time, so two steps at different instants exchange their
 * instants. A step with an act keeps its instant.
 * @param {Draft} draft @param {number} i @param {1 | -1} by @returns {Draft | undefined} undefined: it cannot go there
 */
export function moveStep(draft, i, by) {
  const [a, b] = [draft.steps[i], draft.steps[i + by]];
  if (!b) return undefined;
  const pair = (/** @type {Step} */ step) => step.kind === 'bet' || step.kind === 'see';
  if (pair(a) || pair(b)) return undefined;
  const isSameInstant = a.until === b.until;
  if (!isSameInstant && (a.kind !== 'look' || b.kind !== 'look')) return undefined;
  const steps = [...draft.steps];
  steps[i] = isSameInstant ? b : { ...b, until: a.until };
  steps[i + by] = isSameInstant ? a : { ...a, until: b.until };
  return withSteps(draft, steps);
}

/** @param {Draft} draft @param {number} i @param {(step: Step) => Step} change @returns {Draft} */
export function changeStep(draft, i, change) {
  return { ...draft, steps: draft.steps.map((step, at) => (at === i ? change(step) : step)) };
}

/* ---- playing ---- */

/**
 * The acts that a lesson asks for, each at its instant in the run: a nanosecond after the instant of its step.
 * @param {Draft} draft
 * @returns {Action[]}
 */
export const actionsOf = ({ steps }) =>
  steps.flatMap(({ act }) => (act ? [{ at: lengthText(lengthOf(act.at) + 1), act: act.act, target: act.node }] : []));

/**
 * Whether two actions are the same, even if they spell a length differently.
 * @param {Members} a
 * @param {Members} b
 * @returns {boolean}
 */
function isSameAct(a, b) {
  const normalize = (/** @type {Members} */ one) =>
    JSON.stringify({ ...one, at: lengthOf(one.at) }, Object.keys({ ...one, at: 0 }).sort());
  return normalize(a) === normalize(b);
}

/** @param {Action[]} all @param {Action[]} without */
const excludeActs = (all, without) => all.filter((one) => !without.some((other) => isSameAct(one, other)));

/**
 * Adds the acts that the teacher played. An act on a node becomes a step that asks for the act. All other acts,
 * including acts after the bet, become part of the run itself, and a step says so.
 * @param {Draft} draft
 * @param {{share: Pick<Share, 'scenario' | 'patch' | 'seed'> & {actions: Members[]}, saved: Members, before: Action[],
 *   nodes: string[], label: (act: string, node: string) => string, told: string}} run share: of the run; saved: its
 *   scenario with all acts; before: acts of the run that are older than the lesson; told: the last act, in words
 * @returns {Draft} the same draft if nothing changed
 */
export function withPlayedActs(draft, { share, saved, before, nodes, label, told }) {
  const actions = excludeActs(/** @type {Action[]} */ (share.actions), before);
  const bet = betOf(draft);
  const acts = actionsOf(draft);
  const isAsked = (/** @type {Action} */ one) =>
    Object.keys(one).sort().join() === 'act,at,target' &&
    nodes.includes(one.target ?? '') &&
    (!bet || lengthOf(one.at) <= lengthOf(bet.until) || acts.some((other) => isSameAct(one, other)));
  const mine = actions.filter(isAsked);
  const undone = excludeActs(acts, mine);
  let next = { ...draft, steps: draft.steps.filter(({ act }) => !act || !undone.some(matchesAct(act))) };
  for (const one of excludeActs(mine, acts)) {
    const act = { act: one.act, node: one.target ?? '', at: lengthText(lengthOf(one.at) - 1) };
    next = addAct(next, act, label(act.act, act.node));
  }
  const plain = typeof share.scenario === 'string' && share.patch.length === 0 && share.seed < 2 ** 31;
  if (plain && before.length === 0 && mine.length === actions.length)
    Object.assign(next, { scenario: share.scenario, seed: share.seed });
  else
    next = {
      ...next,
      seed: undefined,
      scenario: wholeOf({ ...saved, actions: excludeActs(saved.actions ?? [], mine) }),
    };
  const had = typeof draft.scenario === 'string' ? [] : (draft.scenario.actions ?? []);
  const scriptActs = excludeActs(excludeActs(actions, mine), had);
  for (const one of scriptActs) {
    const instant = lengthOf(one.at);
    next = addStep(next, { at: instant, title: 'Watch.', text: `${told || one.act}.` });
  }
  return JSON.stringify(next) === JSON.stringify(draft) ? draft : next;
}

/** @param {Act} act @returns {(one: Action) => boolean} */
const matchesAct =
  ({ act, node, at }) =>
  (one) =>
    one.act === act && one.target === node && lengthOf(one.at) === lengthOf(at) + 1;

/**
 * A scenario for a lesson: without the parts that only the museum and tests need.
 * @param {Members} saved
 * @returns {Members}
 */
export const wholeOf = ({ museum, expect, summary, ...scenario }) =>
  scenario.actions?.length === 0 ? { ...scenario, actions: undefined } : scenario;

/**
 * The run of a lesson for a link: either as it opens, or with all its acts and shown up to the end of its last step.
 * @param {Draft} draft @param {boolean} [whole]
 */
export function runOf(draft, whole = true) {
  const opens = lengthOf(draft.opens);
  const live = { t: whole ? Math.max(lengthOf(draft.steps.at(-1)?.until ?? ''), opens) + 1 : opens, n: -1 };
  return {
    scenario: /** @type {string} */ (draft.scenario),
    ...(draft.seed ? { seed: draft.seed } : {}),
    patch: [],
    actions: whole ? actionsOf(draft) : [],
    cursor: live,
    live,
    engine: 0,
    hash: '',
  };
}
