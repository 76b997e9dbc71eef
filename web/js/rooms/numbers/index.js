/**
 * Three numbers: what leaseDuration, renewDeadline and retryPeriod lead to. Formulas answer at once. An engine then
 * makes the runs of each setting in pieces, and stops at the next edit.
 */
import { computed, signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { set, withValue } from '../../lib/control.js';
import { icon } from '../../lib/icons.js';
import { modal, newDialog } from '../../lib/modal.js';
import { button, tabsTemplate, when } from '../../lib/parts.js';
import { openTools } from '../engine/tools.js';
import { formsOf } from './copyas.js';
import { closed, parse, refusal, settingText } from './formulas.js';
import { cardsTemplate, fieldsTemplate, sentenceOf, sourceTemplate, tableTemplate } from './templates.js';

/** @import { NumbersAnswer } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Setting } from './formulas.js' */

/** The numbers of components, and the tab with the form in which people copy them. */
const PRESETS = /** @type {const} */ ([
  ['client-go', '15s/10s/2s', 'Flags'],
  ['OpenShift', '137s/107s/26s', 'Flags'],
  ['kubelet', '40s/-/10s', 'KubeletConfiguration'],
  ['controller-runtime', '15s/10s/2s', 'controller-runtime'],
]);
const PIECE_MS = 50;

/** "15 / 10 / 2". @param {string} text */
const shortOf = (text) => text.replaceAll('s', '').replaceAll('/', ' / ').replace('-', '–');
/** The number of candidates in a text. @param {string} text */
const countOf = (text = '') => Math.min(100, Math.max(2, Math.round(Number(text)) || 3));

/**
 * @param {Pick<Page, "lab" | "notifier" | "run" | "pages">} ports
 * @param {Pick<ReturnType<typeof openTools>, "ask">} [tools]
 */
export function open({ lab, notifier, run, pages }, tools = openTools(lab.assets)) {
  const typed = signal([PRESETS[0][1].split('/')]);
  const candidates = signal(countOf());
  const form = signal('Flags');
  const answers = signal(/** @type {{[key: string]: NumbersAnswer}} */ ({}));
  /** The settings whose runs are complete. */
  const complete = new Set();
  let generation = 0;
  const keyOf = (/** @type {string} */ setting) => `${setting} ${candidates.value}`;

  /** @param {Setting} setting */
  const answerOf = (setting) => answers.value[keyOf(settingText(setting))]?.answer ?? closed(setting, candidates.value);
  const settingOf = (/** @type {string} */ text) => /** @type {Setting} */ (parse(text));
  const shown = computed(() =>
    typed.value.map((parts) => {
      const read = parse(parts.join('/'));
      const error = typeof read === 'string' ? read : refusal(read);
      const setting = error ? settingOf(PRESETS[0][1]) : settingOf(parts.join('/'));
      return { parts, error, setting, answer: answerOf(setting) };
    }),
  );
  const { dialog, show, close } = modal(newDialog('numbers', 'Three numbers'), template, { pages });

  /** The address holds the settings, and the candidates if they are not three. */
  function enter() {
    const texts = shown.value.map(({ error, parts, answer }) => (error ? parts.join('/') : answer.setting));
    if (candidates.value !== countOf()) texts[0] += `/${candidates.value}`;
    pages.enter(dialog, /^[\w./,-]+$/.test(texts.join()) ? texts.join() : '');
  }

  /** Makes the runs of what is on the page; a later call ends an earlier one. */
  async function measure() {
    const mine = ++generation;
    const own = shown.peek().flatMap(({ error, answer }) => (error ? [] : [answer.setting]));
    try {
      for (const setting of new Set([...own, ...PRESETS.map(([, text]) => text)])) {
        const key = keyOf(setting);
        while (!complete.has(key)) {
          const asked = await tools.ask('numbersGo', { setting, candidates: candidates.peek(), ms: PIECE_MS });
          if (mine !== generation || !dialog.open) return;
          if (asked.over) complete.add(key);
          answers.value = { ...answers.peek(), [key]: asked };
        }
      }
    } catch (error) {
      if (mine === generation) lab.tellFailure(error);
    }
  }

  /** @param {string[][]} to @param {boolean} [done] the address follows when an edit is done */
  function change(to, done = true) {
    typed.value = to;
    if (done) enter();
    measure();
  }

  /** @param {number} seed */
  async function openRun(seed) {
    const { setting } = shown.value[0].answer;
    try {
      const params = { setting, candidates: candidates.value, seed };
      const { scenario, at, end } = await tools.ask('numbersOpen', params);
      const live = { t: end, n: -1 };
      if (!(await lab.open({ scenario, cursor: { t: at, n: -1 }, live }, 'The run will open'))) return;
      close();
      const action = { label: 'Back to the numbers', run: () => run('numbers') };
      notifier.notify(`The leader with ${setting} has crashed, and another one leads.`, { action });
    } catch (error) {
      lab.tellFailure(error);
    }
  }

  function choicesTemplate() {
    const [first, ...rest] = typed.value;
    // One tab tells the two presets with the same numbers apart.
    const chosen = PRESETS.findLast(
      ([name, text]) => text === first.join('/') && (name !== 'controller-runtime' || name === form.value),
    );
    const choose = (/** @type {typeof PRESETS[number]} */ [, text, tab]) => {
      form.value = tab;
      change([text.split('/'), ...rest]);
    };
    return html`<div class="numbers-choices"><div class="chips" role="group" aria-label="Presets">${PRESETS.map(
      (one) => html`<button type="button" class="chip" aria-pressed=${one === chosen ? 'true' : 'false'}
        @click=${() => choose(one)}>${one[0]} <small>${shortOf(one[1])}</small></button>`,
    )}</div>
      <label>Candidates <input type="number" min="2" max="100" .value=${String(candidates.value)}
        @change=${withValue((to) => {
          candidates.value = countOf(to);
          change(typed.value);
        })} /></label>
      ${
        rest.length > 0
          ? button('Remove the second', () => change([first]))
          : button('Set another beside it', () => change([first, PRESETS[1][1].split('/')]))
      }</div>`;
  }

  function copyTemplate() {
    const { setting, answer } = shown.value[0];
    const forms = formsOf(setting, answers.value[keyOf(answer.setting)]?.badge ?? '');
    const [label, text] = forms.find(([one]) => one === form.value) ?? forms[0];
    const tabs = forms.map(([one]) => /** @type {const} */ ([one, one]));
    return html`<section class="numbers-card"><div class="numbers-tabs"><div class="seg" role="tablist"
      aria-label="Copy as">${tabsTemplate(
        tabs,
        { chosen: label, prefix: 'numbers-', panelOf: () => 'numbers-form' },
        (to) => set(form, to),
      )}</div>${button(html`${icon('copy')} Copy`, () => lab.copy(text, label), 'primary')}</div>
      <div id="numbers-form" role="tabpanel" aria-labelledby=${`numbers-${label}`}>${when(
        label === 'Badge',
        () => html`<img alt="The badge" src=${`data:image/svg+xml,${encodeURIComponent(text)}`} />`,
      )}<pre tabindex="0">${text}</pre></div></section>`;
  }

  function template() {
    const all = shown.value;
    const fine = all.filter(({ error }) => !error);
    const presets = PRESETS.slice(0, 3).map(([name, text]) => ({ name, answer: answerOf(settingOf(text)) }));
    const others = fine.filter(({ answer }) => presets.every((one) => one.answer.setting !== answer.setting));
    const isMeasuring = fine.some(({ answer }) => !complete.has(keyOf(answer.setting)));
    return html`<h1 class="visually-hidden" tabindex="-1">Three numbers</h1>
      ${all.map((one, at) =>
        fieldsTemplate(one, at ? 'The setting beside it' : 'Three numbers', (to, done) =>
          change(at ? [all[0].parts, to] : [to, ...typed.value.slice(1)], done),
        ),
      )}
      ${choicesTemplate()}
      <div class="numbers-sentences" aria-live=${isMeasuring ? 'off' : 'polite'}>${all.map(
        (one) => html`<h2 data-tone=${one.error ? 'bad' : ''}>${sentenceOf(one, all.length > 1)}</h2>`,
      )}</div>
      ${when(fine.length, () => cardsTemplate(fine))}
      <div class="numbers-more">${when(!all[0].error, copyTemplate)} ${tableTemplate(
        [...others.map(({ answer }) => ({ name: 'Yours', answer })), ...presets],
        all[0].error ? '' : all[0].answer.setting,
      )}</div>
      ${when(!all[0].error, () => sourceTemplate(all[0].answer, openRun))}`;
  }

  return {
    /** @param {string} [numbers] "15s/10s/2s", a second setting after a comma, the candidates as a fourth part */
    show(numbers) {
      const all = numbers?.split(',').map((one) => one.split('/'));
      if (all) {
        candidates.value = countOf(all[0][3]);
        typed.value = all.slice(0, 2).map((parts) => [0, 1, 2].map((i) => parts[i] ?? ''));
      }
      show();
      enter();
      dialog.querySelector('h1')?.focus();
      measure();
    },
  };
}
