/** The start of the page: the place to drop files, three recorded incidents to try, and what to collect. */

import { html, nothing } from 'lit-html';
import { plural } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { when } from '../../lib/parts.js';
import { lengthOf, stripTemplate, totalsOf } from '../../lib/strip.js';
import words from './words.json' with { type: 'json' };

/** @import { Icon } from '../../lib/icons.js' */

/**
 * The strip of a recorded incident, with the numbers of its files and lines.
 * @typedef {import('../../lib/strip.js').Strip & {files: number, lines: number}} Sample
 */

/** Recorded incidents of real programs. @type {[name: string, title: string, icon: Icon][]} */
const SAMPLES = [
  ['pause-1', 'A leader paused', 'pause'],
  ['partition-1', 'A leader lost its network', 'cut'],
  ['crash-1', 'A leader crashed', 'crash'],
];
/** The Lease that they are about; the audit logs have others, too. */
export const SAMPLE_LEASE = 'ns-a/demo';
const SAMPLE_FILES = ['audit.jsonl.gz', 'watch.jsonl.gz', 'node-a.klog', 'node-b.klog', 'node-c.klog'];

/** @param {Sample | undefined} strip */
const stripOf = (strip) => (strip ? stripTemplate(strip, { label: '' }) : nothing);

/** @param {Sample | undefined} strip */
function sampleWords(strip) {
  if (!strip) return 'audit log, watch and three logs';
  const { two, nobody } = totalsOf(strip);
  const told = two > 0 ? `Two led for up to ${lengthOf(two)}.` : `Nobody renewed for ${lengthOf(nobody)}.`;
  return `${plural(strip.files, 'file')}, ${plural(strip.lines, 'line')}. ${told}`;
}

const COMMANDS = `kubectl get lease NAME -n NS -w -o json --output-watch-events
kubectl logs POD --previous
kubectl logs POD`;

/** The files of a recorded incident. @param {string} name */
export const sampleFiles = (name) =>
  Promise.all(
    SAMPLE_FILES.map(async (file) => {
      const answer = await fetch(`samples/${name}/${file}`);
      if (!answer.ok) throw new Error(`The sample ${name} did not load: HTTP ${answer.status}.`);
      return new File([await answer.blob()], file);
    }),
  );

/**
 * @param {{pasting: boolean, alert: unknown, strips: Record<string, Sample>}} shown
 * @param {{choose: () => void, paste: () => void, sample: (name: string) => void, copy: (text: string) => void}} on
 */
export const startTemplate = (
  { pasting, alert, strips },
  { choose, paste, sample, copy },
) => html`<div class="logs-start">
    <div>
      <h1 tabindex="-1">What happened in your cluster?</h1>
      <p class="logs-sub">Drop what it left behind. You get who led when, the likely cause, and what would have
        prevented it.</p>
      ${alert}
      <div class="logs-drop">
        ${icon('file')}
        <h2>Drop files here, all together</h2>
        <p class="mute">Or folders, tar, zip and gzip, as your tools made them.</p>
        <p class="buttons"><button type="button" class="btn primary" @click=${choose}>Choose files</button>
          <button type="button" class="btn tint" aria-expanded=${pasting ? 'true' : 'false'}
            @click=${paste}>Paste lines</button></p>
        ${when(
          pasting,
          () => html`<label class="logs-paste">Paste lines here
                <textarea rows="3" spellcheck="false"></textarea></label>`,
        )}
        <p class="mute logs-private">${icon('lock')}Nothing leaves this page: a worker without network
          reads the files.</p>
      </div>
      <h2 class="label">No files at hand? Try a real incident</h2>
      <div class="logs-samples">${SAMPLES.map(
        ([
          name,
          title,
          sign,
        ]) => html`<button type="button" @click=${() => sample(name)}>${stripOf(strips[`sample ${name}`])}
          ${icon(sign)}<b>${title}</b> <small>${sampleWords(strips[`sample ${name}`])}</small></button>`,
      )}</div>
    </div>
    <aside class="logs-help" aria-labelledby="logs-helps">
      <h2 id="logs-helps">What helps, best first</h2>
      <table><thead><tr><th>File</th><th>What it shows</th></tr></thead><tbody>${words.helps.map(
        ([file, how, shows]) => html`<tr><th scope="row">${file}<small>${how}</small></th><td>${shows}</td></tr>`,
      )}</tbody></table>
      <h3>Collect them</h3>
      <pre tabindex="0" aria-label="Commands">${COMMANDS}</pre>
      <p class="buttons"><button type="button" class="btn tint" @click=${() => copy(COMMANDS)}>${icon(
        'copy',
      )}Copy the commands</button>
        <a href="docs/evidence.html">The audit policy that you need</a></p>
    </aside>
  </div>`;
