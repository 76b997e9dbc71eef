/** For tests: a bet that a run offers. */

/** @import { Offer } from './draft.js' */

/** @type {Offer} */
export const OFFER = {
  name: 'When does the next leader take over?',
  answer: 'b, at 34.039 s',
  until: 37e9,
  explain: 1,
  numbers: null,
  bet: { kind: 'marker', answer: 'tookAt', most: 0, options: null, right: '' },
  asks: { title: 'Your prediction.', text: ['When?'] },
  tells: { title: 'See.', outcome: '{winner}.' },
};
