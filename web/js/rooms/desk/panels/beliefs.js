/** What each node believes at the cursor, next to the stored Lease. */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../../lib/format.js';
import { clockLine, countdownWords } from '../../../page/stage/words.js';

/** @import { Nanos, NodeView, View } from '../../../protocol.js' */

/**
 * @param {View} view @param {Nanos} now
 * @param {{betting: boolean, selected: string}} shown betting: hides countdowns, because they would give away the
 * answer
 * @param {(node: string) => void} select
 */
export function beliefsTemplate(view, now, { betting, selected }, select) {
  const widest = Math.max(...view.nodes.map((node) => node.name.length));
  return html`
    <h2 class="pane-title">What each node believes at ${formatInstant(view.cursor.t)}</h2>
    <table class="beliefs">
      <colgroup><col class="who" .style=${`inline-size:max(44px, ${widest + 2}ch)`} /><col /><col
        class="when" /></colgroup>
      <thead class="visually-hidden">
        <tr><th>Node</th><th>Believes</th><th class="number">Countdown</th></tr>
      </thead>
      <tbody>
        ${view.nodes.map(
          (node) => html`<tr data-index=${node.index} data-selected=${node.name === selected ? 'true' : 'false'}>
            <th scope="row"><button type="button" class="letter" aria-label=${`Select ${node.name}`}
              @click=${() => select(node.name)}>${node.name}</button></th>
            <td>${belief(node)}${aside(node.server ? `API server ${node.server.version}` : '')}${aside(
              clockLine(node),
            )}</td>
            <td class="number">${betting ? nothing : countdown(node, now)}</td>
          </tr>`,
        )}
        <tr>
          <th scope="row"><span aria-hidden="true">⌂</span><span class="visually-hidden">API server</span></th>
          <td>stored Lease: ${view.lease.exists ? view.lease.holder || 'nobody' : 'none yet'}</td>
          <td class="number">${view.lease.exists ? `v${view.lease.version}` : nothing}</td>
        </tr>
      </tbody>
    </table>
  `;
}

/** @param {NodeView} node */
function belief({ role, roleWord, believes }) {
  if (['down', 'stopped', 'waiting'].includes(role)) return roleWord;
  return role === 'paused' ? `${believes} (paused)` : believes;
}

/** @param {string} words */
const aside = (words) => (words ? html`<span class="mute"> · ${words}</span>` : nothing);

/** @param {NodeView} node @param {Nanos} now */
function countdown(node, now) {
  if (node.role === 'down' || node.role === 'stopped') return `since ${formatInstant(node.since)}`;
  // An API server's countdown is for the controllers' own Lease.
  return node.server ? nothing : countdownWords(node, now);
}
