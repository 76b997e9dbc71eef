/** For tests: a small format, and the ports of a form. */
import { readFormat } from './schema.js';

/** @param {string} act @param {import('./nodes.js').ActNode["then"]} takes @returns {import('./nodes.js').ActNode} */
const actIs = (act, takes) =>
  /** @type {any} */ (
    Object.fromEntries([
      ['if', { properties: { act: { const: act } } }],
      ['then', takes],
    ])
  );

/** As scenario.schema.json. @type {import('./nodes.js').Schema} */
export const schema = {
  'x-headings': ['Candidate', 'Client behavior', 'The run'],
  'x-sections': ['Process', 'Song'],
  properties: {
    kind: { const: 'Scenario' },
    seed: { type: 'integer', description: 'Seed.', 'x-heading': 'The run', minimum: 0, maximum: 5000 },
    elector: { $ref: '#/$defs/Elector', 'x-heading': 'Candidate', 'x-effect': 'start' },
    candidates: { type: 'array', items: { $ref: '#/$defs/Candidate' } },
    expect: { 'x-heading': 'The run', type: 'array', items: { $ref: '#/$defs/Expect' } },
  },
  required: ['kind', 'seed'],
  $defs: {
    Elector: {
      properties: {
        leaseDuration: { type: 'string', pattern: '^', 'x-name': 'Followers wait' },
        releaseOnCancel: { type: 'boolean' },
        dialect: {
          description: 'How it differs. current: not at all. forLife: never expires (x#1). Default: current.',
          type: 'array',
          items: { enum: ['current', 'forLife'] },
          'x-heading': 'Client behavior',
          'x-words': { current: 'not at all', forLife: 'never expires (x#1)' },
        },
        note: { type: 'string', 'x-lines': true },
      },
    },
    Candidate: {
      properties: {
        name: { type: 'string', 'x-heading': 'Candidate' },
        elector: { $ref: '#/$defs/Elector', 'x-heading': 'Candidate', 'x-effect': 'start' },
        clock: { $ref: '#/$defs/Clock', 'x-heading': 'Candidate', 'x-effect': 'now' },
        draws: { type: 'array', items: { type: 'number' } },
      },
    },
    Clock: { properties: { offset: { type: 'string', pattern: '^' } } },
    Expect: { properties: { changes: { type: 'integer' }, atLeast: { anyOf: [] } } },
    Action: {
      properties: {
        at: { type: 'string', pattern: '^' },
        act: { enum: ['crash', 'sing'] },
        target: { type: 'string' },
        for: { type: 'string', pattern: '^', 'x-name': 'For' },
      },
      allOf: [
        actIs('crash', {
          description: 'Gone.',
          'x-name': 'Crash',
          'x-short': 'ends at once',
          'x-sentence': '{target} crashes, and starts again after {for=20 s|never}',
          'x-section': 'Process',
          propertyNames: { enum: ['at', 'act', 'target', 'for'] },
          required: ['target'],
        }),
        actIs('sing', {
          'x-section': 'Song',
          propertyNames: { enum: ['at', 'act'] },
          anyOf: [{ required: ['target'] }],
        }),
      ],
    },
  },
};

export const format = readFormat(schema);

/**
 * Ports that record their calls.
 * @returns {{ports: import('./index.js').Ports, checks: any[], answers: any[], asked: any[]}} answers: to the checks,
 *   in turn
 */
export function ports() {
  /** @type {any[]} */
  const [checks, answers, asked] = [[], [], []];
  return {
    checks,
    answers,
    asked,
    ports: {
      check: async (params) => {
        checks.push(params);
        return answers.shift() ?? {};
      },
      ask: (op, params, _, words) => asked.push({ op, params, words }),
      redraw: () => {},
      controls: () => ['elector', 'elector.leaseDuration', 'elector.dialect', 'seed', 'at', 'target'],
      target: () => 'a',
      now: () => 12e9,
      stops: () => true,
      focusForm: () => {},
      reveal: (path) => asked.push(path),
    },
  };
}
