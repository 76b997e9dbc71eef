/**
 * Turns a prediction about any run into a lesson of two or three steps: the bet, what happened, and why it took so
 * long.
 */
import { secondsText } from '../../lib/format.js';
import { betText } from './facts.js';
import { fill, sentence } from './words.js';

/** @import { Predict } from '../../lib/share.js' */
/** @import { Nanos, View } from '../../protocol.js' */
/** @import { Question, Lesson, Measured, Step } from './lessons.js' */

/** A sentence that keeps its braces, for values that arrive later. @param {string} name */
const unfilledSentence = (name) =>
  sentence(name, new Proxy({}, { has: () => true, get: (_, value) => `{${String(value)}}` }));

/**
 * @param {Predict} predict
 * @param {Pick<View, "live" | "end" | "nodes" | "scenario">} view the state of the run
 * @param {object} whole the scenario with its acts
 * @returns {Lesson}
 */
export function predictionLesson(predict, { live, end, nodes, scenario }, whole) {
  const from = live.t;
  const until = Math.min(end, Math.max(predict.until, from));
  const candidates = nodes.filter(({ server }) => !server).map(({ name }) => name);
  const { bet, options, numbers } = betOf(predict, { from, until, candidates });
  const places = { from: betText(from), until: betText(until) };
  const [asks, outcome, missed] = SAYS[predict.ask];
  const question = predict.text ?? sentence(asks, places);
  const hasWhy = predict.ask === 'when' || predict.ask === 'gap';
  const base = { text: [], until };
  /** @type {Step[]} */
  const steps = [
    {
      ...{ name: 'bet', kind: 'bet', title: sentence('predictBet'), until: from, bet, options },
      text: [question, sentence('predictHidden', places)],
    },
    {
      ...{ ...base, name: 'see', kind: 'see', title: sentence('predictSee'), rules: [], sides: sidesOf(predict.ask) },
      outcome: predict.ask === 'leader' ? fillUntil('leaderOutcome', places) : unfilledSentence(outcome),
      missed: predict.ask === 'leader' ? '' : unfilledSentence(missed),
      exact: predict.ask === 'leader' ? '' : unfilledSentence(outcome),
      thoughts: Object.fromEntries(
        Object.entries(options).map(([name, option]) => [name, sentence('leaderSaid', { option })]),
      ),
    },
  ];
  if (hasWhy) {
    const sum = unfilledSentence('predictSum');
    steps.push({ ...base, name: 'why', kind: 'why', title: sentence('predictWhy'), sum, parts: [], other: '' });
  }
  const margin = Math.max(5e9, (until - from) / 10);
  return {
    ...{ number: 0, name: 'prediction', title: sentence('predictTitle'), question: '', teaser: '', takeaway: '' },
    run: {
      ...{ scenario, whole, from, acts: [], actAt: -1 },
      viewport: { from: Math.max(0, from - (until - from)), to: Math.min(end, until + margin) },
    },
    ...{ explain: hasWhy ? (predict.change ?? 0) : 0, numbers, steps, exhibits: [], curtained: true },
    goal: { text: '', expect: [] },
  };
}

/**
 * The question, and the sentences after the prediction: one for everyone, and one that says how far off the prediction
 * was.
 * @type {Record<Predict["ask"], [string, string, string]>}
 */
const SAYS = {
  when: ['predictWhen', 'whenOutcome', 'whenMissed'],
  gap: ['predictGap', 'gapOutcome', 'gapMissed'],
  leader: ['predictLeader', 'leaderOutcome', ''],
  two: ['predictTwo', 'twoOutcome', 'twoMissed'],
};

/** @param {Predict["ask"]} ask */
const sidesOf = (ask) =>
  ask === 'when' ? [sentence('early'), sentence('late')] : [sentence('short'), sentence('long')];

/** @param {string} name @param {{until: string}} places */
const fillUntil = (name, { until }) => fill(unfilledSentence(name).replace('{until}', until), { answer: '{answer}' });

/**
 * The question, and the figure that answers it.
 * @param {Predict} predict @param {{from: Nanos, until: Nanos, candidates: string[]}} run
 * @returns {{bet: Question, options: Record<string, string>, numbers: Measured[]}}
 */
function betOf({ ask }, { from, until, candidates }) {
  const most = Math.ceil(Number(secondsText(until - from)));
  const answer = (/** @type {object} */ expect) => [{ name: 'answer', expect }];
  switch (ask) {
    case 'when':
      return { bet: { kind: 'marker', answer: 'tookAt' }, options: {}, numbers: [] };
    case 'gap':
      return { bet: { kind: 'seconds', answer: 'gap', most }, options: {}, numbers: [] };
    case 'two': {
      const expect = { violation: 'moreThanOneActive', measure: 'total', from: `${from}ns`, until: `${until}ns` };
      return { bet: { kind: 'seconds', answer: 'answer', most }, options: {}, numbers: answer(expect) };
    }
    default: {
      const names = [...candidates, NOBODY];
      const options = Object.fromEntries(names.map((name) => [name, name === NOBODY ? sentence('nobody') : name]));
      const bet = /** @type {Question} */ ({
        ...{ kind: 'choice', answer: 'answer' },
        options: names.map((name) => ({ name, is: name })),
      });
      return { bet, options, numbers: answer({ leader: candidates[0], at: `${until}ns` }) };
    }
  }
}

/** The engine's word for "no leader". */
const NOBODY = 'nobody';
