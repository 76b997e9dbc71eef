/** The branches of this run: three beside the headline, the others in a list. With a single branch, nothing appears. */
import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { withValue } from '../../../lib/control.js';
import { formatInstant } from '../../../lib/format.js';

/** @import { BranchView, View } from '../../../protocol.js' */

/** @param {View} view @param {(branch: number) => void} go @param {() => void} tree */
export function branchesTemplate(view, go, tree) {
  const visible = view.branches.filter((branch) => !branch.hidden);
  if (visible.length < 2) return nothing;
  const first = visible.slice(-3);
  if (!first.some((branch) => branch.id === view.branch)) {
    const current = visible.find((branch) => branch.id === view.branch);
    if (current) first[0] = current;
  }
  const rest = visible.filter((branch) => !first.includes(branch));
  return html`<span class="mute">Branches</span>
    ${first.map((branch) => chip(branch, view, go))}
    ${
      rest.length > 0
        ? html`<label><span class="visually-hidden">Other branches</span><select .value=${live('')}
            @change=${withValue((id) => go(Number(id)))}>
      <option value="">${rest.length} more</option>
      ${rest.map((branch) => html`<option value=${branch.id}>${branch.name}</option>`)}
    </select></label>`
        : nothing
    }
    <button type="button" class="quiet" title="Name, delete, fork and compare branches" @click=${tree}>Tree…</button>`;
}

/** @param {BranchView} branch @param {View} view @param {(branch: number) => void} go */
function chip(branch, view, go) {
  const title =
    branch.parent < 0
      ? 'The first run'
      : `Forks at ${formatInstant(branch.forkAt)}, shown up to ${formatInstant(branch.live)}`;
  return html`<button type="button" class="chip" title=${title}
    aria-pressed=${branch.id === view.branch ? 'true' : 'false'} @click=${() => go(branch.id)}>${branch.name}</button>`;
}
