/**
 * Ten questions about how leader election works, and the key. Each answer is a number that a figure of the long read
 * shows only after a reader has moved it: the field's value, and the number in the text or in the figure's answer.
 */
export const QUESTIONS = [
  {
    asks: 'Four copies work for a minute, one of them only for half of it. How many letters are too many?',
    ...{ figure: 'copies', field: 'copies', value: 4, number: 'extra', key: '150' },
  },
  {
    asks: 'The leader of three copies crashes after 20 s. How long must copy b still wait at 30 s?',
    ...{ figure: 'lease', field: 'time', value: 30, number: 'b', key: 'waits 3.1 s more' },
  },
  {
    asks: 'With a leaseDuration of 30 s, how long does nobody lead after the crash?',
    ...{ figure: 'wait', field: 'patience', value: 30, number: 'gap', key: '29.0 s' },
  },
  {
    asks: 'With a leaseDuration of 6 s, what share of the gap does the next leader only count down?',
    ...{ figure: 'wait', field: 'patience', value: 6, number: 'share', key: '73 %' },
  },
  {
    asks: "The leader's clock runs at half the true rate, and its network fails. How long do two lead?",
    ...{ figure: 'clocks', field: 'rate', value: 50, number: 'outcome', key: 'two lead for 6.2 s' },
  },
  {
    asks: 'Twenty leaders stop and release the Lease. How long is the longest gap?',
    ...{ figure: 'release', field: 'released', value: true, number: 'most', key: '3.0 s' },
  },
  {
    asks: 'The leader sleeps for 30 s. How long do two lead?',
    ...{ figure: 'pause', field: 'sleep', value: 30, number: 'outcome', key: 'two lead for 23.9 s' },
  },
  {
    asks: 'With a leaseDuration of 60 s, the leader sleeps ten seconds longer than that. How long do two lead?',
    ...{ figure: 'settings', field: 'patience', value: 60, number: 'two', key: '49.1 s' },
  },
  {
    asks: 'The leader sleeps for 30 s, and the resource checks the token. How many late writes bounce?',
    ...{ figure: 'fence', field: 'checked', value: true, number: 'refused', key: '10' },
  },
  {
    asks: 'A candidate joins that speaks 1.34, an older version than the leader. How long does nobody lead?',
    ...{ figure: 'candidates', field: 'version', value: 1.34, number: 'outcome', key: 'nobody leads for 5.8 s' },
  },
];
