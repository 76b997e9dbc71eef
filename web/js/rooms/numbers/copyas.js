/** A setting in the forms that people copy. */
import { text } from './formulas.js';

/** @import { Setting } from './formulas.js' */

/** @type {Record<number, string>} */
const UNITS = { 1e9: 'time.Second', 1e6: 'time.Millisecond', 1: 'time.Nanosecond' };

/** @param {number} ns */
function goText(ns) {
  const unit = [1e9, 1e6].find((one) => ns % one === 0) ?? 1;
  return [ns / unit, '*', UNITS[unit]].join(' ');
}

/** A struct as gofmt writes it. @param {string} name @param {[string, string][]} fields */
function goStruct(name, fields) {
  const width = Math.max(...fields.map(([field]) => field.length)) + 2;
  return [`${name}{`, ...fields.map(([field, value]) => `\t${`${field}:`.padEnd(width)}${value},`), '}'].join('\n');
}

/**
 * The forms of a setting: the name of the tab, and the text.
 * @param {Setting} setting @param {string} badge SVG @returns {[label: string, text: string][]}
 */
export function formsOf({ lease, renew, retry, noDeadline }, badge) {
  if (noDeadline)
    return [
      ['KubeletConfiguration', `nodeLeaseDurationSeconds: ${lease / 1e9}`],
      ['Badge', badge],
    ];
  const fields = Object.entries({ LeaseDuration: lease, RenewDeadline: renew, RetryPeriod: retry });
  const as = (/** @type {(ns: number) => string} */ write) =>
    fields.map(([name, ns]) => /** @type {[string, string]} */ ([name, write(ns)]));
  const flagOf = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [
    [
      'Flags',
      as(text)
        .map(([name, value]) => `--leader-elect${flagOf(name)}=${value}`)
        .join('\n'),
    ],
    ['Go', goStruct('leaderelection.LeaderElectionConfig', as(goText))],
    [
      'controller-runtime',
      goStruct('ctrl.Options', [['LeaderElection', 'true'], ...as((ns) => `ptr.To(${goText(ns)})`)]),
    ],
    ['Badge', badge],
  ];
}
