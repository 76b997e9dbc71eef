/** The hint after the first pause, and three suggestions for what to try next. */
import { html, nothing } from 'lit-html';

/** @import { Hello, ScenarioInfo, View } from '../../../protocol.js' */

/** What each suggestion opens: the first shipped scenario whose name matches. @type {{words: string, names: RegExp[]}[]} */
const PROMISES = [
  { words: 'Let it release the Lease instead: how short is the gap?', names: [/^graceful-stop-release$/, /release/] },
  { words: 'Pause the leader instead', names: [/^paused-leader$/, /pause/] },
  { words: 'Get two leaders with correct clocks', names: [/^two-leaders/, /^same-name$/] },
];

/** @param {Hello} hello @param {RegExp[]} names @returns {ScenarioInfo | undefined} */
function find(hello, names) {
  for (const name of names) {
    const found = hello.scenarios.find((scenario) => name.test(scenario.name));
    if (found) return found;
  }
  return undefined;
}

/**
 * @param {View} view @param {Hello} hello @param {{target: string, key: string}} shown
 * @param {{open: (name: string) => void, lesson: () => void, close: () => void}} on
 */
export function hintTemplate(view, hello, { target, key }, on) {
  if (view.nodes.length === 0) return nothing;
  return html`<div class="hint">
    <p><b>Your turn: crash ${target}.</b> ${key ? `Press ${key}, or use` : 'Use'} the Crash ${target} button.</p>
    <ul>
      ${PROMISES.map(({ words, names }) => {
        const scenario = find(hello, names);
        return scenario
          ? html`<li><button type="button" class="quiet" title=${scenario.title} @click=${() => on.open(scenario.name)}>${words}</button></li>`
          : nothing;
      })}
      <li><button type="button" class="quiet" @click=${on.lesson}>Learn it properly: lesson 1, 3 min</button></li>
    </ul>
    <button type="button" class="icon close" aria-label="Dismiss the hint" @click=${on.close}>×</button>
  </div>`;
}
