/** Runs the verbs of the page around an embed. Each returns "" or the reason for its refusal. */
import { formatInstant } from '../../lib/format.js';
import { waitUntil } from '../../lib/until.js';
import { refusalOf } from '../../page/commands.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { Request } from './host.js' */

/** Names in a sentence: a, b and c. @param {string[]} names */
const list = (names) => names.join(', ').replace(/, ([^,]*)$/, ' and $1');

/**
 * Runs one request. The verbs of one page run one after another.
 * @param {{state: State, lab: Pick<Lab, 'pause' | 'goTo' | 'act'>, isOpen: () => boolean, play: () => unknown}} ports
 *   isOpen: whether the page shows the address's run
 * @param {Request} request @returns {Promise<string>}
 */
export async function obey({ state, lab, isOpen, play }, request) {
  await waitUntil(isOpen);
  const toasts = state.toasts.value;
  const refusal = refusalFor(state, request);
  if (refusal) return refusal;
  if (request.verb === 'play') await play();
  else if (request.verb === 'pause') await lab.pause();
  else if (request.verb === 'goTo') await lab.goTo(request.t);
  else await lab.act(request.act, request.node ?? state.target.value);
  return state.toasts.value.find((toast) => toast.tone === 'error' && !toasts.includes(toast))?.text ?? '';
}

/** Why a request is impossible, as far as the page can tell. @param {State} state @param {Request} request */
function refusalFor({ phase, failure, hello, view, target }, request) {
  const { nodes, cursor, end } = view.value;
  if (request.verb === 'goTo' && request.t > end) return `The run ends at ${formatInstant(end)}.`;
  if (request.verb !== 'act') return '';
  const { act, node = target.value } = request;
  const acts = hello.value.acts.map((info) => info.act);
  if (phase.value === 'failed') return failure.value;
  if (!acts.includes(act)) return `“${act}” is not an act. The acts are ${list(acts)}.`;
  if (act === 'add') return '';
  if (!nodes.some(({ name }) => name === node))
    return `“${node}” is not a node. The nodes are ${list(nodes.map(({ name }) => name))}.`;
  if (cursor.t >= end) return `The run ends at ${formatInstant(end)}.`;
  return refusalOf(view.value, node, act);
}
