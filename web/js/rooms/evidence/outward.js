/** Writes what happened to a Lease for other tools. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { optionsTemplate } from '../../lib/parts.js';
import { download } from '../desk/files.js';
import { FORMATS, kindWords } from '../export/formats.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Format } from '../export/formats.js' */
/** @import { Inquiry } from './inquiry.js' */

export class Outward {
  format = signal(/** @type {Format} */ ('ndjson'));
  /** Says why the output is missing. */
  problem = signal('');

  /** @param {Inquiry} inquiry @param {Pick<Page["lab"], "copy">} lab */
  constructor(inquiry, lab) {
    this.inquiry = inquiry;
    this.lab = lab;
  }

  /** @param {(text: string, format: Format, lease: string) => unknown} give */
  async #write(give) {
    const [lease, format] = [this.inquiry.chosen.value, this.format.value];
    this.problem.value = '';
    try {
      const { text } = await this.inquiry.reading.ask('evidenceHistory', { lease, format });
      await give(text, format, lease);
    } catch (failure) {
      this.problem.value = /** @type {Error} */ (failure).message;
    }
  }

  copy = () => this.#write((text, format) => this.lab.copy(text, kindWords(FORMATS[format][0])));

  save = () =>
    this.#write((text, format, lease) => {
      const [, ending, type] = FORMATS[format];
      download(`${lease.replaceAll(/[^\w.-]+/g, '-')}.${ending}`, text, type);
    });

  template() {
    const choose = (/** @type {string} */ format) => {
      this.format.value = /** @type {Format} */ (format);
      this.problem.value = '';
    };
    return html`<details>
      <summary>Take it to other tools: NDJSON, CSV</summary>
      <p class="evidence-buttons">
        <label>Format <select @change=${withValue(choose)}>${optionsTemplate(
          Object.entries(FORMATS).map(([value, [label]]) => [value, label]),
          this.format.value,
        )}</select></label>
        <button type="button" @click=${this.copy}>Copy</button>
        <button type="button" @click=${this.save}>Save as a file</button>
      </p>
      ${this.problem.value ? html`<p class="field-error" role="alert">${this.problem.value}</p>` : nothing}
    </details>`;
  }
}
