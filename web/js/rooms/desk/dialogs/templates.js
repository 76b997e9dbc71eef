/** The small dialogs: go to a time, a node's clock, a link that is too long. */
import { html, nothing } from 'lit-html';
import { onSubmit } from '../../../lib/control.js';
import { durationOf, formatDuration, formatInstant } from '../../../lib/format.js';
import { dialogHead } from '../../../lib/modal.js';
import { parseInstant } from '../../../lib/share.js';

/** @import { Nanos, NodeView } from '../../../protocol.js' */

/**
 * @param {{now: Nanos, live: Nanos, end: Nanos, error: string}} shown
 * @param {{go: (t: Nanos) => void, error: (sentence: string) => void, close: () => void}} on
 */
export function goToTemplate({ now, live, end, error }, on) {
  const submit = onSubmit((data) => {
    const text = String(data.get('t'));
    const t = parseInstant(text);
    if (t === undefined) on.error(`“${text}” is not a time. Write 34.039, 40s, 1m20s or 01:20.5.`);
    else on.go(t);
  });
  return html`${dialogHead('Go to a time', on.close)}
    <form @submit=${submit}>
      <label>Time
        <input name="t" id="goto-t" autocomplete="off" value=${formatInstant(now)}
          aria-invalid=${error ? 'true' : 'false'} aria-describedby=${error ? 'goto-error' : nothing} />
      </label>
      ${error ? html`<p class="field-error" id="goto-error" role="alert">${error}</p>` : nothing}
      <p class="mute">The run is live at ${formatInstant(live)} and ends at ${formatInstant(end)}. Going past live
        computes the run up to there.</p>
      <p><button type="submit" class="primary">Go</button></p>
    </form>`;
}

/**
 * @param {NodeView} node @param {string} error
 * @param {{set: (options: {offset: string, ratePpm: number}) => void, error: (sentence: string) => void, close: () =>
 *   void}} on
 */
export function clockTemplate(node, error, on) {
  const submit = onSubmit((data) => {
    const rate = Number(data.get('rate'));
    const offset = durationOf(String(data.get('offset'))) || '0s';
    if (!(rate >= 0.1 && rate <= 10))
      on.error(`The rate must be between 0.1 and 10, not ${data.get('rate')}; a correct clock runs at 1.`);
    else on.set({ offset, ratePpm: Math.round(rate * 1e6) });
  });
  const described = error ? 'clock-error' : 'clock-help';
  return html`${dialogHead(`Clock of ${node.name}`, on.close)}
    <form @submit=${submit}>
      <label>Rate <input name="rate" inputmode="decimal" autocomplete="off" value=${node.clockRatePpm / 1e6}
        aria-describedby=${described} /></label>
      <label>Offset <input name="offset" autocomplete="off"
        value=${node.clockOffsetNs === 0 ? '0s' : formatDuration(node.clockOffsetNs).replaceAll(' ', '')}
        aria-describedby=${described} /></label>
      ${error ? html`<p class="field-error" id="clock-error" role="alert">${error}</p>` : nothing}
      <p class="mute" id="clock-help">
        An offset does no harm: no node compares its clock with another's. A rate does: a leader whose clock runs at 0.5
        waits twice as long before it stops.
      </p>
      <p><button type="submit" class="primary">Set the clock of ${node.name}</button></p>
    </form>`;
}

/** @param {number} length @param {number} limit @param {{save: () => void, close: () => void}} on */
export function longLinkTemplate(length, limit, on) {
  return html`${dialogHead('This link would be too long', on.close)}
    <p>It would have ${length.toLocaleString('en')} characters; many programs cut links above
      ${limit.toLocaleString('en')}. Save the run as a file instead; the file holds the same run. The address keeps the
      last link that was short enough.</p>
    <p><button type="button" class="primary" @click=${on.save}>Save the file</button></p>`;
}
