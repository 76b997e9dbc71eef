/**
 * Coordinated election in words: each candidate as a card, the API servers, and the controller's decision step by step.
 */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../../../lib/format.js';
import { stepperTemplate } from '../../../../lib/parts.js';

/**
 * @import { CandidateView, ConsideredView, Cursor, DecisionView, Nanos, NodeView, View } from '../../../../protocol.js'
 */

/**
 * @typedef {object} ElectionCallbacks
 * @property {(node: string) => void} select
 * @property {(cursor: Cursor) => void} go
 * @property {(number: number) => void} step shows the decision with that number
 * @property {(name: string) => void} show a LeaseCandidate in the inspector
 */

/**
 * The shape and the word for each mark, because color must never be the only sign.
 * @type {Record<string, [sign: string, word: string]>}
 */
const MARKS = {
  counts: ['✓', 'counts'],
  waits: ['…', 'pending'],
  out: ['×', 'does not count'],
  none: ['–', 'unknown'],
  yes: ['✓', ''],
  no: ['×', ''],
};

/** @param {View} view */
export function isCoordinated(view) {
  return view.nodes.some((node) => node.server);
}

/** @param {View} view @param {DecisionView | null} decision @param {string} selected @param {ElectionCallbacks} on */
export function electionTemplate(view, decision, selected, on) {
  const servers = view.nodes.filter((node) => node.server);
  const candidates = view.nodes.filter((node) => node.candidate);
  return html`
    ${decisionTemplate(decision, on)}
    <section class="candidates" aria-label="Candidates">
      <h2 class="pane-title">LeaseCandidates at ${formatInstant(view.cursor.t)}</h2>
      <ul>
        ${candidates.map((node) => card(node, view, selected, on))}
      </ul>
    </section>
    <section class="servers" aria-label="API servers">
      <h2 class="pane-title">API servers</h2>
      <ul>
        ${servers.map((node) => server(node, selected, on))}
      </ul>
    </section>
  `;
}

/** @param {NodeView} node @param {View} view @param {string} selected @param {ElectionCallbacks} on */
function card(node, view, selected, on) {
  const c = /** @type {CandidateView} */ (node.candidate);
  const holds = view.lease.exists && view.lease.holderIndex === node.index;
  const roles = [holds ? 'holds the Lease' : '', c.place === 1 && !holds ? 'first in the ranking' : ''].filter(Boolean);
  return html`<li class="candidate" data-index=${node.index} data-mark=${c.mark}
    data-selected=${node.name === selected ? 'true' : 'false'}>
    <h3>
      <button type="button" class="letter" aria-label=${`Select ${node.name}`}
        @click=${() => on.select(node.name)}>${node.name}</button>
      <span>${roles.join(', ') || node.roleWord}</span>
      <span class="spacer"></span>
      ${
        c.exists
          ? html`<button type="button" class="quiet" aria-label=${`LeaseCandidate ${c.name} as YAML`}
            @click=${() => on.show(c.name)}>YAML</button>`
          : nothing
      }
    </h3>
    <dl>
      <div><dt>emulation</dt><dd>${c.emulationVersion}</dd></div>
      <div><dt>binary</dt><dd>${c.binaryVersion}</dd></div>
      <div><dt>ping</dt><dd>${c.pingTime === undefined ? '–' : formatInstant(c.pingTime)}</dd></div>
      <div><dt>${c.unacked ? 'no ack; renewed' : c.pingTime === undefined ? 'renewed' : 'ack'}</dt>
        <dd>${c.renewTime === undefined ? '–' : formatInstant(c.renewTime)}</dd></div>
    </dl>
    <p>${sign(c.mark)} ${c.standing}${
      c.judgedBy ? html`<span class="mute"> · ${c.judgedBy} at ${formatInstant(c.judgedAt ?? 0)}</span>` : nothing
    }</p>
    ${c.behind ? html`<p class="mute">${c.behind}</p>` : nothing}
  </li>`;
}

/** @param {NodeView} node @param {string} selected @param {ElectionCallbacks} on */
function server(node, selected, on) {
  const s = node.server;
  const does = !s?.up ? 'down' : s.runsController ? 'runs the controller' : 'serves; its controller stands by';
  return html`<li data-index=${node.index} data-selected=${node.name === selected ? 'true' : 'false'}>
    <button type="button" class="letter" aria-label=${`Select ${node.name}`}
      @click=${() => on.select(node.name)}>${node.name}</button>
    <span>${s?.version ?? ''} · ${does}</span>
  </li>`;
}

/** @param {string} mark */
function sign(mark) {
  const [shape, word] = MARKS[mark] ?? ['', ''];
  return html`<span class="sign" data-mark=${mark}
    aria-hidden="true">${shape}</span>${word ? html`<span class="visually-hidden">${word}: </span>` : nothing}`;
}

/** @param {DecisionView | null} d @param {ElectionCallbacks} on */
function decisionTemplate(d, on) {
  if (!d || d.number === 0) {
    return html`<section class="decision" aria-label="Decision">
      <h2 class="pane-title">Decision</h2>
      <p class="empty">No controller has decided anything yet.</p>
    </section>`;
  }
  return html`<section class="decision" aria-label="Decision">
    <div class="object-head">
      <h2 class="pane-title">Decision</h2>
      ${stepperTemplate('Decision', { at: d.number, of: d.numbers }, ['Earlier decision', 'Later decision'], on.step)}
      <span class="spacer"></span>
      <button type="button" @click=${() => on.go(d.cursor)}
        aria-label="Go to this decision">${formatInstant(d.cursor.t)}</button>
    </div>
    <p class="verdict" data-index=${d.index}>
      <b>${d.title}</b> ${d.reason ? html`<span>Why: ${d.reason}.</span>` : nothing}
      <span class="mute">Decided by ${d.by}.</span>
    </p>
    <ol>
      ${d.steps.map(
        (step) => html`<li data-mark=${step.mark}>
          <b>${step.title}</b>
          <span>${step.mark ? sign(step.mark) : nothing} ${step.text}</span>
          ${step.title === 'Candidates' ? consideredTemplate(d.considered) : nothing}
        </li>`,
      )}
    </ol>
    ${d.latest ? html`<p class="mute latest">${d.latest}</p>` : nothing}
  </section>`;
}

/** @param {ConsideredView[]} list */
function consideredTemplate(list) {
  return html`<table>
    <thead class="visually-hidden"><tr><th>Candidate</th><th>emulation / binary
      version</th><th>Standing</th></tr></thead>
    <tbody>
      ${list.map(
        (c) => html`<tr data-index=${c.index}>
          <th scope="row" class="letter">${c.name}</th>
          <td>${c.emulationVersion}<br /><span class="mute">${c.binaryVersion}</span></td>
          <td>${sign(c.mark)} ${c.standing}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
