/** The help, which lists the key table, and the settings for keys and theme. */

import { html, nothing } from 'lit-html';
import { withChecked, withValue } from '../../../../lib/control.js';
import { dialogHead } from '../../../../lib/modal.js';
import { optionsTemplate, pair } from '../../../../lib/parts.js';
import { KEYS, printKey } from '../../../../page/keys.js';
import { MARKS, marksTemplate } from '../../panels/legend.js';

/** @import { KeyEntry, KeyMode } from '../../../../page/keys.js' */

const MODES = { on: 'on', focus: 'only in stage and timeline', off: 'off' };

/**
 * @param {{mode: KeyMode, theme: string, playOn: boolean, engine: {version: number, sha256: string}}} shown
 * @param {{mode: (mode: KeyMode) => void, theme: (theme: "system" | "light" | "dark") => void, playOn: (on: boolean) =>
 *   void, close: () => void}} on
 */
export function helpTemplate(shown, on) {
  const groups = [...new Set(KEYS.map((entry) => entry.group))];
  return html`
    ${dialogHead('Keys and help', on.close)}
    <p>
      Three copies of a program compete for a Lease. The ramp under each lane shows the time that the node
      believes is left. When the ramp reaches zero, a follower may acquire the Lease, and a leader must stop. The
      seconds between the two are the safety margin. Crash, pause or cut off a node, drag the ruler to any instant, and
      act there: the original run is kept.
    </p>
    ${marksTemplate(MARKS)}
    <div class="settings">
      <label>Keys
        <select id="key-mode" @change=${withValue((mode) => on.mode(/** @type {KeyMode} */ (mode)))}>
          ${optionsTemplate(Object.entries(MODES), shown.mode)}
        </select>
      </label>
      <label>Theme
        <select id="theme"
          @change=${withValue((theme) => on.theme(/** @type {"system" | "light" | "dark"} */ (theme)))}>
          ${optionsTemplate(['system', 'light', 'dark'].map(pair), shown.theme)}
        </select>
      </label>
      <label><input type="checkbox" id="play-on" .checked=${shown.playOn}
        @change=${withChecked(on.playOn)} /> An act plays the run on</label>
    </div>
    <div class="keys">
      ${groups.map(
        (group) => html`<section><h3>${group}</h3>
          <table><tbody>${KEYS.filter((entry) => entry.group === group).map(row)}</tbody></table>
        </section>`,
      )}
    </div>
    ${aboutTemplate(shown.engine)}
  `;
}

/** @param {{version: number, sha256: string}} engine */
function aboutTemplate({ version, sha256 }) {
  const file = (/** @type {string} */ name, /** @type {string} */ label) =>
    html`<a href=${`./${name}`} target="_blank" rel="noreferrer noopener">${label}</a>`;
  return html`<section class="about" aria-labelledby="about">
    <h3 id="about">About</h3>
    <p>
      The simulator is engine ${version}.
      ${sha256 ? html`The SHA-256 of its module is <code id="engine-hash">${sha256}</code>.` : nothing}
      The ${file('docs/index.html', 'documentation')} explains concepts, settings, checkers and the API, and shows
      how all of it is proved. leaselab is under Apache-2.0; here are the
      ${file('licenses.txt', 'licenses of all components')} and the
      ${file('leaselab.spdx.json', 'bill of materials (SPDX)')}.
    </p>
  </section>`;
}

/** @param {KeyEntry} entry */
const row = ({ label, keys }) => html`<tr>
    <td>${label}</td>
    <td>${keys.map((key) => html`<kbd>${printKey(key)}</kbd> `)}</td>
  </tr>`;
