/** Shows a link as a QR code, so that a phone can read it from a screen or a projector. */
import { signal } from '@preact/signals-core';
import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { html, svg } from 'lit-html';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { sentence } from '../lesson/words.js';

/** @import { Page } from '../desk/index.js' */

/** The light border that a reader needs around a code, in modules. */
const BORDER = 4;
/** Above this length of a link, phones have trouble reading its code from a projector. */
export const EASY = 1200;

/**
 * Encodes a text: the path of the dark modules, and the number of modules along a side; undefined if the text is too
 * long for any code.
 * @param {string} text @returns {{path: string, size: number} | undefined}
 */
export function codeOf(text) {
  try {
    const code = generate(text, { minCorrectionLevel: text.length > EASY ? correction.L : correction.M });
    return { path: toSvgPath(code), size: code.size };
  } catch {
    return undefined;
  }
}

/** @param {Pick<Page, "lab">} page */
export async function open({ lab }) {
  const link = signal('');
  const title = sentence('codeTitle');
  const room = modal(newDialog('qrcode', title), template);

  function template() {
    const text = link.value;
    return html`${dialogHead(title, room.close)}
      <div class="qrcode">
        ${codeTemplate(text)}
        <p><code>${text}</code></p>
        <p><button type="button" class="primary"
          @click=${() => lab.copy(text, sentence('theLink'))}>${sentence('copyStep')}</button></p>
      </div>`;
  }

  return {
    /** @param {string} address */
    show(address) {
      link.value = address;
      room.show();
    },
  };
}

/** @param {string} text */
function codeTemplate(text) {
  const code = codeOf(text);
  const length = text.length.toLocaleString('en');
  if (!code) {
    return html`<p role="alert">${sentence('codeTooLong', { length })}</p>`;
  }
  const side = code.size + 2 * BORDER;
  return html`<svg viewBox=${`${-BORDER} ${-BORDER} ${side} ${side}`} role="img" aria-label=${sentence('codeLabel')}
    shape-rendering="crispEdges">
      ${svg`<rect x=${-BORDER} y=${-BORDER} width=${side} height=${side} /><path d=${code.path} />`}
    </svg>
    ${text.length > EASY ? html`<p>${sentence('codeDense', { length })}</p>` : ''}`;
}
