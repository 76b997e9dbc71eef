/**
 * The fault laboratory: every setting of the format, and every act. A chunk of its own, fetched when somebody opens it.
 * Its forms are made from the site's schema; values, refusals and what an act does are the engine's.
 */
import { controlsIn, formTemplates } from './form.js';
import {
  actGroups,
  changesBetween,
  controlOf,
  HEADINGS,
  headingOf,
  isEmpty,
  objectOf,
  readFormat,
  spelled,
  stepsOf,
  valueAt,
  withValue,
} from './schema.js';

/** @import { Field } from './schema.js' */
/** @import { ErrorReply, Settings } from '../../protocol.js' */
/** @typedef {import('./form.js').Form} Form */

/** Candidates that can be chosen one by one; a run may have thousands of entries. */
const MAX_SCOPES = 500;
const CANNOT = 'is read when the run begins; it needs a run from 0';

/**
 * What it is built with comes from the desk: a chunk that shared some of these with the others would split theirs.
 * @param {import('../desk/index.js').Page} page
 * @param {{html: typeof import('lit-html').html, nothing: typeof import('lit-html').nothing, render: typeof import('lit-html').render, formatInstant: typeof import('../../lib/format.js').formatInstant, Latest: typeof import('../../lib/latest.js').Latest}} kit
 */
export async function openFaults({ state, lab, announcer }, kit) {
  const { html, nothing, render, formatInstant, Latest } = kit;
  const format = readFormat(await (await fetch(lab.assets.schema)).json());
  const { template, anyFits } = formTemplates(format, kit);

  const dialog = document.createElement('dialog');
  dialog.id = 'faults';
  dialog.setAttribute('aria-labelledby', 'faults-title');
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  /** @type {"settings" | "acts"} */
  let room = 'settings';
  let text = '';
  let scope = '';
  let chosen = '';
  let when = 'now';
  let at = '';
  /** The whole form's error, where no control has it. */
  let astray = '';
  let busy = false;
  /** @type {Settings} */
  let known;

  const redraw = () => {
    render(page(), dialog);
  };

  /** @type {Form} */
  const settings = {
    id: 'setting',
    draft: {},
    nodes: [],
    error: null,
    note: noteOf,
    inForce: (path) => shownValue(valueAt(known.inForce, path)),
    set(path, value) {
      settings.draft = withValue(settings.draft, stepsOf(path), value);
      changed();
    },
    open: new Set(),
    redraw,
  };
  /** @type {Form} */
  const act = {
    id: 'act',
    draft: {},
    nodes: [],
    error: null,
    note: () => '',
    inForce: () => '',
    set(path, value) {
      act.draft = withValue(act.draft, stepsOf(path), value);
      refuse(act, null);
      redraw();
    },
    open: new Set(),
    redraw,
  };

  /* ---- values ---- */

  /** @param {any} value */
  function shownValue(value) {
    if (isEmpty(value)) return '';
    if (value === true) return 'on';
    if (value === false) return 'off';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** @param {string} path */
  const below = (path) => path.replace(/^(candidates|apiServers)\[\d+\]\./, '');
  const usualOf = (/** @type {string} */ path) => shownValue(valueAt(known.usual, path.replace(/\[\d+\]/g, '[0]')));

  /** @param {string} path */
  function takes(path) {
    const field = below(path);
    if (path !== field && field.startsWith('server')) return '';
    if (path === field && (field.startsWith('clock') || field.endsWith('Version'))) return '';
    return known.takes.find((one) => field.startsWith(one.path))?.when ?? '';
  }

  /** What is in force, what it would be by default, and when a change acts. @param {string} path */
  function noteOf(path) {
    const inForce = settings.inForce(path);
    const usual = usualOf(path);
    const value = inForce
      ? `Now ${inForce}${inForce === usual ? ', the default' : usual ? `; default ${usual}` : ''}. `
      : '';
    const acts = { now: 'Acts at once.', start: 'Acts at the next start.' }[takes(path)] ?? 'Needs a run from 0.';
    return value + acts;
  }

  const changes = () => changesBetween(format, known.scenario, settings.draft);

  /* ---- refusals ---- */

  /** Shows a refusal at the control it belongs to. @param {Form} form @param {ErrorReply | undefined | null} reply */
  function refuse(form, reply) {
    form.error = null;
    astray = '';
    if (!reply) return;
    const path = reply.path ?? '';
    form.error = { path, message: reply.message };
    redraw(); // what the path lies in unfolds
    const found = controlOf(path, controlsIn(dialog));
    if (found) form.error = { path: found, message: reply.message };
    else {
      form.error = null;
      astray = reply.message;
    }
  }

  const checking = new Latest(
    (params) => lab.ask('check', params),
    (answer) => {
      refuse(settings, answer?.error);
      redraw();
    },
  );

  function changed() {
    const now = changes();
    checking.reset();
    if (now.length > 0) checking.want(JSON.stringify(now), { path: '', value: '', changes: now, mode: 'rerun' });
    else refuse(settings, null);
    redraw();
  }

  /* ---- doing it ---- */

  /** Asks first, so that a refusal lands in the form; then does it. @param {string} op @param {any} params @param {Form} form @param {string} words */
  async function ask(op, params, form, words) {
    if (busy) return;
    busy = true;
    checking.reset();
    try {
      const { act: _, node, action, ...rest } = params;
      const asked = action ? { action, ...rest } : { node, ...rest };
      const { error } = await lab.ask('check', { path: '', value: '', ...asked });
      refuse(form, error);
      redraw();
      if (error) {
        const field = /** @type {HTMLElement | null} */ (dialog.querySelector('[aria-invalid="true"]'));
        const inside = /** @type {HTMLElement | null | undefined} */ (
          field?.matches('fieldset') ? field.querySelector('input') : field
        );
        inside?.focus();
        return;
      }
      lab.touch();
      const done = await lab.change(op, params, words);
      if (!done) return;
      dialog.close();
      announcer.act(`${words}.`);
    } catch (error) {
      astray = /** @type {Error} */ (error).message;
      redraw();
    } finally {
      busy = false;
    }
  }

  /** @param {string} mode */
  function apply(mode) {
    const now = changes();
    if (now.length === 0) return;
    const node = mode === 'restart' ? { node: restarted() } : {};
    const words = now.length === 1 ? `${now[0].path} is changed` : `${now.length} settings are changed`;
    ask('edit', { path: '', value: '', changes: now, mode, ...node }, settings, words);
  }

  /** Who starts again with the settings. */
  const restarted = () => (scope ? (valueAt(settings.draft, scope)?.name ?? '') : state.target.value);

  function inject() {
    const rule = format.rules.find((one) => one.act === chosen);
    if (!rule) return;
    const now = when === 'now';
    const instant = now ? '0s' : normalInstant(at);
    const action = { at: instant, act: chosen, ...objectOf(format, 'Action', act.draft, rule.takes) };
    const target = action.target ?? action.candidate?.name ?? '';
    const words = `${spelled(chosen)}${target ? ` ${target}` : ''}, ${now ? 'now' : `at ${instant}`}`;
    ask('act', { act: chosen, ...(target ? { node: target } : {}), action, now }, act, words);
  }

  /** "20" and "20 s" → "20s". @param {string} typed */
  function normalInstant(typed) {
    return objectOf(format, 'Action', { at: typed || '-' }, ['at']).at;
  }

  /* ---- settings ---- */

  /** @param {string} path @param {Field} field */
  function found(path, field) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const said = `${path} ${field.help} ${headingOf(below(path), scope)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  }

  function settingsTemplate() {
    const type = scope === '' ? 'Scenario' : scope.startsWith('apiServers') ? 'APIServer' : 'Candidate';
    const prefix = scope ? `${scope}.` : '';
    const all = format.fields(type).filter(({ name }) => scope !== '' || name !== 'candidates');
    const fits = text ? found : undefined;
    const sections = HEADINGS.map((heading) => {
      const rows = all.flatMap((field) => {
        const path = prefix + field.name;
        if (field.kind !== 'group')
          return headingOf(field.name, scope) === heading && (!fits || fits(path, field))
            ? [template(settings, field, path, field.needed ? 'needed' : '', fits)]
            : [];
        const inner = format
          .fields(field.type)
          .filter((one) => headingOf(`${field.name}.${one.name}`, scope) === heading)
          .filter((one) => !fits || anyFits(one, `${path}.${one.name}`, fits));
        if (inner.length === 0) return [];
        return [
          html`<div class="field part" data-part=${path}><h4>${field.name}</h4><p class="soft">${field.help}</p></div>`,
          ...inner.map((one) => template(settings, one, `${path}.${one.name}`, one.needed ? 'needed' : '', fits)),
        ];
      });
      return { heading, rows };
    }).filter(({ rows }) => rows.length > 0);
    return { sections };
  }

  /** @param {string} heading */
  const sectionId = (heading) => `faults-${heading.toLowerCase().replaceAll(' ', '-')}`;

  /** @param {string} next */
  async function setScope(next) {
    scope = next;
    refuse(settings, null);
    changed();
  }

  function scopes() {
    const { candidates = [], apiServers = [] } = settings.draft;
    const entry = (/** @type {any} */ one) => (one.replicas > 0 ? `${one.name} (${one.replicas} replicas)` : one.name);
    return [
      ['', 'The run, and what every node has'],
      ...candidates
        .slice(0, MAX_SCOPES)
        .map((/** @type {any} */ one, /** @type {number} */ i) => [`candidates[${i}]`, `Node ${entry(one)}`]),
      ...apiServers.map((/** @type {any} */ one, /** @type {number} */ i) => [
        `apiServers[${i}]`,
        `API server ${one.name}`,
      ]),
    ];
  }

  function settingsPage() {
    const { sections } = settingsTemplate();
    const now = changes();
    const kinds = now.map(({ path }) => takes(path));
    const underWay = now.length > 0 && !kinds.includes('');
    const stuck = now.find((_, i) => kinds[i] === '');
    const instant = formatInstant(state.view.value.cursor.t, 0);
    return html`
      <div class="faults-list">
        <label>Of <select id="faults-scope" @change=${(/** @type {any} */ event) => setScope(event.target.value)}>
          ${scopes().map(([value, label]) => html`<option value=${value} ?selected=${value === scope}>${label}</option>`)}
        </select></label>
        <input type="search" id="faults-text" aria-label="Search the settings" placeholder="dialect, watchdog, p99, queue…" autocomplete="off"
          .value=${text}
          @input=${(/** @type {any} */ event) => {
            text = event.target.value;
            redraw();
          }} />
        <nav aria-label="Groups of settings">
          <ul>${sections.map(({ heading, rows }) => html`<li><button type="button" @click=${() => goTo(heading)}>${heading} <span class="soft">${rows.length}</span></button></li>`)}</ul>
        </nav>
      </div>
      <form class="faults-form" aria-label="Settings" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        apply('rerun');
      }}>
        <div class="faults-scroll" tabindex="0" role="group" aria-label="Fields">
          ${sections.map(
            ({ heading, rows }) => html`<section aria-labelledby=${sectionId(heading)}>
              <h3 id=${sectionId(heading)} tabindex="-1">${heading}</h3>
              ${rows}
            </section>`,
          )}
          ${sections.length === 0 ? html`<p class="empty">No setting contains “${text}”.</p>` : nothing}
        </div>
        <footer>
          ${astray ? html`<p class="field-error" role="alert">${astray}</p>` : nothing}
          <p class="soft" role="status">${
            now.length === 0
              ? 'Nothing is changed.'
              : `${now.length === 1 ? '1 change' : `${now.length} changes`}: ${now
                  .slice(0, 4)
                  .map(({ path }) => path)
                  .join(', ')}${now.length > 4 ? ', …' : ''}. ${stuck ? `${stuck.path} ${CANNOT}.` : ''}`
          }</p>
          <p class="faults-buttons">
            <button type="submit" class="primary" ?disabled=${now.length === 0}>Run again from 0 with this</button>
            <button type="button" ?disabled=${!underWay} @click=${() => apply('now')}>${kinds.includes('start') ? `Change it at ${instant}, from the next start` : `Change it at ${instant}`}</button>
            ${
              underWay && kinds.includes('start') && restarted()
                ? html`<button type="button" @click=${() => apply('restart')}>Restart ${restarted()} with it now, at ${instant}</button>`
                : nothing
            }
            <button type="button" class="quiet" ?disabled=${now.length === 0} @click=${() => {
              settings.draft = known.scenario;
              changed();
            }}>Discard</button>
          </p>
        </footer>
      </form>
    `;
  }

  /** @param {string} heading */
  function goTo(heading) {
    const title = dialog.querySelector(`#${sectionId(heading)}`);
    title?.scrollIntoView({ block: 'start' });
    /** @type {HTMLElement | null} */ (title)?.focus({ preventScroll: true });
  }

  /* ---- acts ---- */

  /** @param {string} name */
  function choose(name) {
    if (chosen !== name) {
      chosen = name;
      act.draft = draftOf(name);
      act.open.clear();
    }
    refuse(act, null);
    redraw();
    /** @type {HTMLElement | null} */ (dialog.querySelector('.faults-form h3'))?.focus();
  }

  /** What an act begins with: the selected node, or a name for a new one. @param {string} name */
  function draftOf(name) {
    const rule = format.rules.find((one) => one.act === name);
    /** @type {any} */
    const draft = {};
    if (rule?.needs.includes('target') && known.nodes.includes(state.target.value)) draft.target = state.target.value;
    if (rule?.needs.includes('candidate')) {
      const free = [...'abcdefghijklmnopqrstuvwxyz'].find((letter) => !known.nodes.includes(letter));
      draft.candidate = { name: free ?? '' };
    }
    return draft;
  }

  /** @param {import('./schema.js').Rule} rule @param {string} name */
  function markOf(rule, name) {
    if (rule.needs.includes(name)) return 'needed';
    return rule.oneOf.includes(name) && rule.oneOf.length > 1 ? `needed: one of ${rule.oneOf.join(', ')}` : '';
  }

  function actsPage() {
    const rule = format.rules.find((one) => one.act === chosen);
    const cursor = formatInstant(state.view.value.cursor.t);
    const fields = format.fields('Action');
    const atError = act.error?.path === 'at';
    return html`
      <nav class="faults-list" aria-label="Faults and acts">
        ${actGroups(format.rules).map(
          ({ heading, rules }) => html`<h3>${heading}</h3>
            <ul class="acts-list">${rules.map(
              (one) =>
                html`<li><button type="button" aria-current=${one.act === chosen ? 'true' : nothing} @click=${() => choose(one.act)}>${spelled(one.act)}</button></li>`,
            )}</ul>`,
        )}
      </nav>
      <form class="faults-form" aria-label="Fault" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        inject();
      }}>
        <div class="faults-scroll" tabindex="0" role="group" aria-label="Fields">
          ${
            rule
              ? html`<h3 tabindex="-1">${spelled(rule.act)}</h3>
                <p>${rule.help}</p>
                <fieldset class="field when" data-path="at">
                  <legend>When</legend>
                  <label><input type="radio" name="when" value="now" .checked=${when === 'now'} @change=${() => setWhen('now')} /> <span>now, at ${cursor}</span></label>
                  <label><input type="radio" name="when" value="at" .checked=${when === 'at'} @change=${() => setWhen('at')} /> <span>at an instant</span></label>
                  ${
                    when === 'at'
                      ? html`<input id="act-at" type="text" aria-label="Instant" autocomplete="off" placeholder="34.5s" aria-invalid=${atError ? 'true' : 'false'} aria-describedby=${atError ? 'act-at-error' : 'act-at-help'} .value=${at} @input=${(
                          /** @type {any} */ event,
                        ) => {
                          at = event.target.value;
                          refuse(act, null);
                          redraw();
                        }} />
                        ${atError ? html`<p class="field-error" id="act-at-error" role="alert">${act.error?.message}</p>` : nothing}
                        <p class="soft" id="act-at-help">Before the edge it makes a branch there. Later it is planned: it stands in the script and happens when its time comes.</p>`
                      : nothing
                  }
                </fieldset>
                ${rule.takes.map((name) => {
                  const field = fields.find((one) => one.name === name);
                  return field ? template(act, field, name, markOf(rule, name)) : nothing;
                })}`
              : html`<p class="empty">Choose what is to happen. Each is an act of the run: it is in the link, and undo takes it back.</p>`
          }
        </div>
        <footer>
          ${astray ? html`<p class="field-error" role="alert">${astray}</p>` : nothing}
          <p class="faults-buttons"><button type="submit" class="primary" ?disabled=${!rule}>${rule ? `${spelled(rule.act)}${typeof act.draft.target === 'string' && act.draft.target ? ` ${act.draft.target}` : ''} ${when === 'now' ? 'now' : 'then'}` : 'Do it'}</button></p>
        </footer>
      </form>
    `;
  }

  /** @param {string} next */
  function setWhen(next) {
    when = next;
    refuse(act, null);
    redraw();
  }

  /* ---- the dialog ---- */

  /** @param {"settings" | "acts"} next */
  function enter(next) {
    room = next;
    astray = '';
    redraw();
    if (room === 'settings') changed();
  }

  function page() {
    const door = (/** @type {"settings" | "acts"} */ name, /** @type {string} */ label) =>
      html`<button type="button" aria-pressed=${room === name ? 'true' : 'false'} @click=${() => enter(name)}>${label}</button>`;
    return html`
      <header class="dialog-head">
        <h2 id="faults-title">All settings and faults</h2>
        <div class="faults-doors" role="group" aria-label="Room">${door('settings', 'Settings')}${door('acts', 'Faults')}</div>
        <button type="button" class="icon" aria-label="Close" @click=${() => dialog.close()}>×</button>
      </header>
      <div class="faults-body" data-room=${room}>${room === 'settings' ? settingsPage() : actsPage()}</div>
    `;
  }

  return {
    /** @param {"settings" | "acts"} [first] */
    async show(first) {
      if (state.view.value.playing) await lab.pause();
      try {
        known = await lab.ask('settings');
      } catch (error) {
        lab.toast(/** @type {Error} */ (error).message, { tone: 'error' });
        return;
      }
      if (scope && !valueAt(known.scenario, scope)) scope = '';
      settings.draft = known.scenario;
      settings.error = act.error = null;
      astray = '';
      settings.nodes = act.nodes = known.nodes;
      if (first) room = first;
      if (chosen && act.draft.target && !known.nodes.includes(act.draft.target)) act.draft = draftOf(chosen);
      redraw();
      if (!dialog.open) dialog.showModal();
      /** @type {HTMLElement | null} */ (dialog.querySelector('[aria-pressed="true"]'))?.focus();
    },
  };
}
