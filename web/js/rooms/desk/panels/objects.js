/** The Lease as the API sends it: YAML or JSON, one version at a time, changed fields as two lines. */

import { html, nothing } from 'lit-html';
import { formatInstant } from '../../../lib/format.js';
import { segmentsTemplate, stepperTemplate } from '../../../lib/parts.js';

/** @import { Hello, ObjectRef, ObjectView, View, YamlLine } from '../../../protocol.js' */

/**
 * @typedef {{version: (version: number) => void, format: (format: "yaml" | "json") => void, copy: () => void,
 *   field: (field: string) => void, pick: (object: ObjectRef) => void}} ObjectCallbacks
 */

/** @type {["yaml" | "json", string][]} */
const FORMATS = [
  ['yaml', 'YAML'],
  ['json', 'JSON'],
];

/**
 * @param {View} view @param {ObjectView | null} object
 * @param {{hello: Hello, format: "yaml" | "json", pinned: number, field: string}} shown @param {ObjectCallbacks} on
 */
export function objectsTemplate(view, object, { hello, ...shown }, on) {
  if (!view.lease.exists && !object) return html`<p class="empty">No Lease yet. The first node to ask creates it.</p>`;
  if (!object) return nothing;
  const { version, versions } = object;
  const steps = { at: version, of: versions, sign: 'v' };
  const help = hello.fieldHelp.find(({ kind, field }) => kind === object.kind && field === shown.field);
  return html`
    <div class="object-head">
      ${picker(object, on)}
      ${stepperTemplate('Version', steps, ['Older version', 'Newer version'], on.version)}
      <span class="spacer"></span>
      ${segmentsTemplate(FORMATS, { label: 'Format', chosen: shown.format }, on.format)}
      <button type="button" @click=${on.copy} aria-label=${`Copy the ${shown.format.toUpperCase()}`}>Copy</button>
    </div>
    <p class="mute object-by">
      ${
        version === 0
          ? 'does not exist yet at the cursor'
          : html`written by ${object.by || 'the administrator'} at ${formatInstant(object.t)}`
      }
      ${
        shown.pinned
          ? html`<button type="button" class="quiet" @click=${() => on.version(0)}>Back to the cursor</button>`
          : nothing
      }
    </p>
    ${
      shown.format === 'yaml'
        ? yaml(object.yaml, shown.field, on)
        : html`<pre class="code" tabindex="0" aria-label="JSON">${object.json}</pre>`
    }
    <div class="field-help" aria-live="polite">
      ${
        help
          ? html`<h3>${help.field}</h3>${help.help.split('\n').map((line) => html`<p>${line}</p>`)}`
          : html`<p class="mute">Hover over or focus a field to read what it means.</p>`
      }
    </div>
  `;
}

/**
 * The name of the object on screen, or a choice of objects if the run has more than the Lease.
 * @param {ObjectView} object
 * @param {ObjectCallbacks} on
 */
function picker(object, on) {
  const { objects } = object;
  if (!objects) return html`<span class="object-name">${object.kind} ${object.name}</span>`;
  const pick = (/** @type {Event} */ event) =>
    on.pick(objects[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
  return html`<select aria-label="Object" @change=${pick}>
    ${objects.map(
      ({ kind, name }) =>
        html`<option ?selected=${kind === object.kind && name === object.name}>${kind} ${name}</option>`,
    )}
  </select>`;
}

/** @param {YamlLine[]} lines @param {string} field @param {ObjectCallbacks} on */
function yaml(lines, field, on) {
  return html`<div class="code yaml" role="list" aria-label="YAML">
    ${lines.map((line) => {
      const mark =
        line.mark === 'old'
          ? html`<span class="visually-hidden">before: </span>`
          : line.mark === 'new'
            ? html`<span class="visually-hidden">now: </span>`
            : nothing;
      const words = line.mark === 'old' ? html`<del>${parts(line.text)}</del>` : parts(line.text);
      const text = html`<span class="source">${mark}${words}</span>`;
      if (!line.field) return html`<div role="listitem" class="line" data-mark=${line.mark}>${text}</div>`;
      return html`<div role="listitem" class="line" data-mark=${line.mark}
        data-current=${line.field === field ? 'true' : 'false'} @pointerenter=${() => on.field(line.field)}>
        <button type="button" class="field" @focus=${() => on.field(line.field)}
          @click=${() => on.field(line.field)}>${text}</button>
      </div>`;
    })}
  </div>`;
}

/** Splits a line into indent, name and value, so that the value stands out. @param {string} text */
function parts(text) {
  const match = /^(\s*(?:- )?[\w.]+:)( .*)?$/.exec(text);
  return match ? html`<span class="name">${match[1]}</span>${match[2] ?? ''}` : text;
}
