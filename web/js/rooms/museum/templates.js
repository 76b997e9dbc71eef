/** The page of incidents: cards with two strips each, and beside them one incident with its two runs. */
import { html, nothing } from 'lit-html';
import { withOpen, withValue } from '../../lib/control.js';
import { icon } from '../../lib/icons.js';
import { button, when } from '../../lib/parts.js';
import { stripTemplate } from '../../lib/strip.js';
import { addressOf, CLASSES, missingText, SUGGESTED } from './exhibits.js';
import { fenceNote, figuresOf } from './figures.js';

/** @import { Strip, Strips } from '../../lib/strip.js' */
/** @import { Clause, Outcome } from '../../protocol.js' */
/** @import { Exhibit, Shipped } from './exhibits.js' */
/** @import { Figure } from './figures.js' */

/** The assertions of runs, by scenario. @typedef {Record<string, Clause[]>} Asserted */
/**
 * The result of a complete run, by scenario: outcomes, or the error.
 * @typedef {Record<string, Outcome[] | string>} Results
 */
/**
 * @typedef {object} Callbacks
 * @property {(name: string) => void} choose an incident by its failing scenario; "" for none
 * @property {(kind: string) => void} ofKind shows the incidents of a kind only; "": all
 * @property {(text: string) => void} search
 * @property {(event: KeyboardEvent) => void} intoList
 * @property {(scenario: Shipped) => void} open
 * @property {(exhibit: Exhibit) => void} ask what both runs must show
 * @property {(exhibit: Exhibit) => void} check
 * @property {(exhibit: Exhibit) => void} compare
 * @property {(lesson: number) => void} learn
 */

/** @param {Event} event @param {() => void} act in place of the link */
function follow(event, act) {
  event.preventDefault();
  act();
}

/** @param {Exhibit[]} exhibits all of them @param {{text: string, kind: string}} shown @param {Callbacks} on */
export function headTemplate(exhibits, { text, kind }, on) {
  /** @param {string} name @param {string} label @param {number} [count] */
  const chip = (name, label, count = exhibits.filter((one) => one.kind === name).length) =>
    when(
      count,
      () => html`<button type="button" class="chip" aria-pressed=${name === kind ? 'true' : 'false'}
        @click=${() => on.ofKind(name)}>${label} <small>${count}</small></button>`,
    );
  return html`<div class="page-head">
      <div>
        <h1 tabindex="-1" autofocus>${exhibits.length} incidents that really happened</h1>
        <p class="mute">Each has two runs that differ only in the fix. Red: two led. Hatched: nobody led. Outlined: a
          node led although the Lease named another.</p>
      </div>
      <label class="museum-find">${icon('find')}<input type="search" id="museum-text" aria-label="Search the museum"
        placeholder="project, symptom, B05 …" autocomplete="off" .value=${text} @input=${withValue(on.search)}
        @keydown=${on.intoList} /></label>
    </div>
    <div class="chips" role="group" aria-label="What went wrong">
      ${chip('', 'All', exhibits.length)} ${CLASSES.map(([name, label]) => chip(name, label))}
    </div>`;
}

/**
 * @param {Exhibit[]} found @param {{chosen: string, strips: Strips, text: string}} shown @param {Callbacks} on
 */
export function listTemplate(found, { chosen, strips, text }, on) {
  if (found.length === 0)
    return html`<div class="museum-none">
      <p>${missingText(text) || `No incident contains “${text}”. Try a symptom or a fault:`}</p>
      <p class="chips">${SUGGESTED.map(
        (word) => html`<button type="button" class="chip" @click=${() => on.search(word)}>${word}</button>`,
      )}</p>
    </div>`;
  return html`<ul>${found.map(({ id, title, lesson, failing, fixed }) => {
    const two = pairOf(strips, failing, fixed);
    return html`<li><a class="incident" href=${`#museum=${id}`} tabindex="-1"
      aria-current=${failing.name === chosen ? 'true' : nothing}
      @click=${(/** @type {Event} */ event) => follow(event, () => on.choose(failing.name))}>
      <span class="tag">${id}</span>${lesson > 0 ? html`<small>lesson ${lesson}</small>` : nothing}
      <b>${title}</b>${two ? pairTemplate(...two) : nothing}
    </a></li>`;
  })}</ul>`;
}

/**
 * The strips of both runs: both with bars, or none.
 * @param {Strips} strips @param {Shipped} failing @param {Shipped} fixed @returns {[Strip, Strip] | undefined}
 */
function pairOf(strips, failing, fixed) {
  const [before, after] = [strips[failing.name], strips[fixed.name]];
  return before && after && [before, before.bars ? { bars: [], ...after } : after];
}

/** @param {Strip} failing @param {Strip} fixed */
function pairTemplate(failing, fixed) {
  const figures = figuresOf(failing, fixed);
  const how = { bar: 6, most: mostOf(failing, fixed), label: '' };
  return html`<span class="incident-strips">${stripTemplate(failing, how)}<span>${figureTemplate(figures.failing)}</span
    >${stripTemplate(fixed, how)}<span>fixed: ${figureTemplate(figures.fixed)}</span></span>`;
}

/** The highest bar of two strips. @param {Strip[]} strips */
const mostOf = (...strips) => Math.max(...strips.flatMap(({ bars = [] }) => bars));

/** @param {Figure} figure */
const figureTemplate = ({ words, tone }) => html`<span class="figure" data-tone=${tone}>${words}</span>`;

/**
 * @param {Exhibit} exhibit
 * @param {{asserted: Asserted, checked: Results, strips: Strips, like: Exhibit[]}} known
 * @param {Callbacks} on
 */
export function exhibitTemplate(exhibit, known, on) {
  const { id, title, kind, source, lesson, failing, fixed } = exhibit;
  const strips = pairOf(known.strips, failing, fixed);
  const note = strips && fenceNote(...strips);
  const link = (/** @type {string} */ one) =>
    html`<li><a href=${addressOf(one)} target="_blank"
      rel="noreferrer noopener">${one.replace('https://', '')}</a></li>`;
  const isTwo = kind === 'twoLeaders';
  const clauses = (/** @type {Shipped} */ { name }) => clausesTemplate(known.asserted[name], known.checked[name]);
  return html`
    ${button(html`${icon('back')}All incidents`, () => on.choose(''), 'tint museum-back')}
    <p class="museum-tags"><span class="tag">${id}</span><span class="tag" data-tone=${isTwo ? 'bad' : nothing}
      >${isTwo ? icon('two') : nothing}${CLASSES.find(([name]) => name === kind)?.[1]}</span
      ><span class="spacer"></span>${when(
        lesson > 0,
        () => html`<button type="button" class="quiet" @click=${() => on.learn(lesson)}>Lesson ${lesson}</button>`,
      )}</p>
    <h2 tabindex="-1">${title}</h2>
    ${strips ? twoTemplate(...strips) : nothing}
    <p class="museum-acts">
      ${button('Open the failing run', () => on.open(failing), 'primary')}
      ${button('Fixed run', () => on.open(fixed))} ${button('Compare', () => on.compare(exhibit))}
    </p>
    <h3>What happened</h3>
    <p>${failing.museum?.story}</p>
    <h3>What to watch</h3>
    <p>${failing.museum?.watch}</p>
    <h3>What the fix changes</h3>
    <p>${fixed.museum?.story}</p>
    ${note ? html`<p class="fence">${icon('fence')}<span>${note}</span></p>` : nothing}
    <h3 class="label">Where it happened</h3>
    <ul>${source.map(link)}
      <li><a href="docs/guarantees.html">What the lock guarantees, and what it does not</a></li></ul>
    <details @toggle=${withOpen((open) => open && on.ask(exhibit))}>
      <summary>What each run must show</summary>
      <h4>The failing run</h4> ${clauses(failing)}
      <h4>The fixed run</h4> ${clauses(fixed)}
      ${button('Check both runs', () => on.check(exhibit))}
    </details>
    ${
      known.like.length > 0
        ? html`<p class="mute">Like it: ${known.like.map(
            (other, i) => html`${i > 0 ? ', ' : ''}<button type="button" class="quiet"
              @click=${() => on.choose(other.failing.name)}>${other.id}, ${other.title}</button>`,
          )}</p>`
        : nothing
    }
  `;
}

/** The two strips in large. @param {Strip} failing @param {Strip} fixed */
function twoTemplate(failing, fixed) {
  const figures = figuresOf(failing, fixed);
  const how = { bar: 13, most: mostOf(failing, fixed), label: '' };
  const row = (/** @type {string} */ label, /** @type {Figure} */ { long, tone }) =>
    html`<p><b>${label}</b><b class="figure" data-tone=${tone}>${long}</b></p>`;
  return html`<div class="two-strips">${row('As it failed', figures.failing)}${stripTemplate(failing, how)}${row(
    'With the fix',
    figures.fixed,
  )}${stripTemplate(fixed, how)}</div>`;
}

/** @param {Clause[] | undefined} asserted @param {Outcome[] | string | undefined} outcomes */
export function clausesTemplate(asserted, outcomes) {
  if (typeof outcomes === 'string') return html`<p class="field-error" role="alert">${outcomes}</p>`;
  if (!outcomes) return html`<ul class="clauses">${asserted?.map((one) => html`<li>${clauseTemplate(one)}</li>`)}</ul>`;
  return html`<ul class="clauses">
    ${outcomes.map(
      ({ met, measured, ...one }) =>
        html`<li data-met=${met ? 'true' : 'false'}><span
          aria-hidden="true">${met ? '✓' : '✗'}</span> ${clauseTemplate(one, measured)}<span
            class="visually-hidden">, ${met ? 'as expected' : 'not as expected'}</span></li>`,
    )}
  </ul>`;
}

/**
 * An assertion, its measured value, and the word by which a scenario names it.
 * @param {Clause} one
 * @param {string} [measured]
 */
const clauseTemplate = ({ clause, name }, measured) =>
  html`${clause}${measured ? `: ${measured}` : ''}${name ? html` <code class="mute">${name}</code>` : nothing}`;
