/** The museum: real incidents, each failing and mended. A chunk of its own, fetched when somebody opens it. */
import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { element } from '../../lib/element.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { addressOf, CLASSES, clauseText, exhibitsOf, matching } from './exhibits.js';

/** @import { Exhibit, Shipped } from './exhibits.js' */
/** @import { Outcome } from '../../protocol.js' */

/** @param {Pick<import('../desk/index.js').Page, "lab" | "notifier"> & {compare: (variants: {failing: string, mended: string}) => unknown}} ports */
export async function open({ lab, notifier, compare }) {
  /** The file the engine was started with: the browser has it already. @type {Shipped[]} */
  const shipped = await (await fetch(lab.assets.scenarios)).json();
  const exhibits = exhibitsOf(shipped);

  const text = signal('');
  const chosen = signal('');
  /** What a run to the end has shown, by scenario. @type {import('@preact/signals-core').Signal<Record<string, Outcome[] | string>>} */
  const weighed = signal({});

  const dialog = newDialog('museum', 'The museum of real incidents');
  const room = modal(dialog, template);

  /** @param {Shipped} variant */
  async function openVariant(variant) {
    dialog.close();
    if (!(await lab.open({ scenario: variant.name }, `“${variant.title}” will open`))) return;
    await lab.playPause();
    notifier.notify(variant.museum?.watch ?? '');
  }

  /** @param {Shipped} variant */
  async function weigh(variant) {
    try {
      const { outcomes } = await lab.ask('expect', { scenario: variant.name });
      weighed.value = { ...weighed.value, [variant.name]: outcomes };
      const met = outcomes.filter((/** @type {Outcome} */ one) => one.met).length;
      notifier.say(`${met} of ${outcomes.length} expectations came true.`);
    } catch (error) {
      weighed.value = { ...weighed.value, [variant.name]: /** @type {Error} */ (error).message };
    }
  }

  /** Up and down go from exhibit to exhibit. @param {KeyboardEvent} event */
  function keydown(event) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const all = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll('.museum-list button')]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(at + step + all.length) % Math.max(1, all.length)]?.focus();
    event.preventDefault();
  }

  /** @param {string} name of the failing variant: an incident may have more than one exhibit */
  function choose(name) {
    chosen.value = name;
    dialog.querySelector('article')?.scrollTo(0, 0);
    if (name) /** @type {HTMLElement | null} */ (dialog.querySelector('article h3'))?.focus();
  }

  /** @param {Exhibit[]} found */
  function listTemplate(found) {
    return CLASSES.map(([kind, heading]) => {
      const here = found.filter((one) => one.kind === kind);
      if (here.length === 0) return nothing;
      return html`<h3>${heading}</h3>
        <ul>
          ${here.map(
            (one) => html`<li>
              <button type="button" aria-current=${one.failing.name === chosen.value ? 'true' : nothing} @click=${() => choose(one.failing.name)}>
                <span class="museum-id">${one.id}</span><span>${one.title}</span>${one.lesson > 0 ? html`<span class="soft">lesson ${one.lesson}</span>` : nothing}
              </button>
            </li>`,
          )}
        </ul>`;
    });
  }

  /** @param {Shipped} variant */
  function clausesTemplate(variant) {
    const outcomes = weighed.value[variant.name];
    if (typeof outcomes === 'string') return html`<p class="field-error" role="alert">${outcomes}</p>`;
    if (!outcomes)
      return html`<ul class="clauses">${(variant.expect ?? []).map((clause) => html`<li>${clauseText(clause)}</li>`)}</ul>`;
    return html`<ul class="clauses">
      ${outcomes.map(
        (one) =>
          html`<li data-met=${one.met ? 'true' : 'false'}><span aria-hidden="true">${one.met ? '✓' : '✗'}</span> ${one.clause}: ${one.measured}<span class="visually-hidden">, ${one.met ? 'as expected' : 'not as expected'}</span></li>`,
      )}
    </ul>`;
  }

  /** @param {Shipped} variant @param {string} word @param {string} label */
  function variantTemplate(variant, word, label) {
    return html`<section aria-label=${label} data-variant=${word}>
      <h4>${label}</h4>
      <p>${variant.museum?.story}</p>
      <p><b>What to watch.</b> ${variant.museum?.watch}</p>
      <p class="museum-acts">
        <button type="button" class=${word === 'failing' ? 'primary' : nothing} @click=${() => openVariant(variant)}>Open ${word}</button>
        <button type="button" @click=${() => weigh(variant)}>Weigh it</button>
      </p>
      <h5>It is a test: what must come true</h5>
      ${clausesTemplate(variant)}
    </section>`;
  }

  /** @param {Exhibit | undefined} one */
  function exhibitTemplate(one) {
    if (!one)
      return html`<p class="empty">Choose an incident. Each really happened; its two runs differ in what cures it.</p>`;
    return html`
      <button type="button" class="museum-back" @click=${() => choose('')}>‹ All exhibits</button>
      <h3 tabindex="-1">${one.id} ${one.title}</h3>
      <p class="museum-sources">
        ${one.source.map((source) => html`<a href=${addressOf(source)} target="_blank" rel="noreferrer noopener">${source.replace('https://', '')}</a> `)}
        ${one.lesson > 0 ? html`<span class="soft">teaches lesson ${one.lesson}</span>` : nothing}
      </p>
      <p><button type="button" @click=${() => {
        dialog.close();
        compare({ failing: one.failing.name, mended: one.mended.name });
      }}>Compare the two</button></p>
      <div class="museum-variants">
        ${variantTemplate(one.failing, 'failing', 'As it happened')} ${variantTemplate(one.mended, 'mended', 'Mended')}
      </div>
    `;
  }

  function template() {
    const found = matching(exhibits, text.value);
    return html`
      ${dialogHead('The museum of real incidents', room.close)}
      <div class="museum-body">
        <div class="museum-list" @keydown=${keydown}>
          <input
            type="search"
            id="museum-text"
            aria-label="Search the museum"
            placeholder="project, symptom, B05, lesson 3…"
            autocomplete="off"
            .value=${text.value}
            @input=${(/** @type {any} */ event) => {
              text.value = event.target.value;
            }}
          />
          <p class="soft" role="status">${found.length} of ${exhibits.length} incidents</p>
          <nav aria-label="Incidents">${listTemplate(found)}</nav>
        </div>
        <article aria-label="Incident" tabindex="0">${exhibitTemplate(exhibits.find((one) => one.failing.name === chosen.value))}</article>
      </div>
    `;
  }
  effect(() => {
    dialog.dataset.chosen = chosen.value ? 'true' : 'false';
  });

  return {
    /** @param {string} [id] of the catalogue */
    show(id) {
      if (id) chosen.value = exhibits.find((one) => one.id === id)?.failing.name ?? '';
      room.show();
      element('museum-text').focus();
    },
  };
}
