/** For tests: a small format, and the ports of a form. */
import { readFormat } from './schema.js';

/** @param {string} act @param {object} takes */
const actIs = (act, takes) =>
  Object.fromEntries([
    ['if', { properties: { act: { const: act } } }],
    ['then', takes],
  ]);

export const format = readFormat({
  properties: {
    kind: { const: 'Scenario' },
    seed: { type: 'integer', description: 'Seed.', minimum: 0, maximum: 5000 },
    elector: { $ref: '#/$defs/Elector' },
    candidates: { type: 'array', items: { $ref: '#/$defs/Candidate' } },
    expect: { type: 'array', items: { $ref: '#/$defs/Expect' } },
  },
  required: ['kind', 'seed'],
  $defs: {
    Elector: {
      properties: {
        leaseDuration: { type: 'string', pattern: '^' },
        releaseOnCancel: { type: 'boolean' },
        dialect: { type: 'array', items: { enum: ['current', 'forLife'] } },
      },
    },
    Candidate: {
      properties: {
        name: { type: 'string' },
        elector: { $ref: '#/$defs/Elector' },
        draws: { type: 'array', items: { type: 'number' } },
      },
    },
    Expect: { properties: { changes: { type: 'integer' }, atLeast: { anyOf: [] } } },
    Action: {
      properties: {
        at: { type: 'string', pattern: '^' },
        act: { enum: ['crash', 'sing'] },
        target: { type: 'string' },
      },
      allOf: [
        actIs('crash', {
          description: 'Gone.',
          propertyNames: { enum: ['at', 'act', 'target'] },
          required: ['target'],
        }),
        actIs('sing', { propertyNames: { enum: ['at', 'act'] }, anyOf: [{ required: ['target'] }] }),
      ],
    },
  },
});

/**
 * Ports that write down what goes through them.
 * @returns {{ports: import('./index.js').Ports, checks: any[], answers: any[], asked: any[]}} answers: to the checks, in turn
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
      goTo: () => {},
      focusForm: () => {},
    },
  };
}
