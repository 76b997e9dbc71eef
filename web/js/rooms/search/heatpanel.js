/** The map: its controls, the map itself, the chosen cell, and the ways to save and share them. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { icon } from '../../lib/icons.js';
import { button, when } from '../../lib/parts.js';
import { download } from '../desk/files.js';
import { answerOf } from './answer.js';
import { isSame, usualValues } from './axis.js';
import { cellTemplate, DRAWN } from './cell.js';
import { commandTemplate, formTemplate, paceText, progressTemplate, SEEDS, seedsOf } from './form.js';
import { Heat } from './heat.js';
import { gridTemplate, legendTemplate, notesTemplate } from './map.js';
import { csvOf } from './save.js';

/** @import { Field, HeatPlan, HeatStudy, Opens, StudiedRun } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Price } from './cell.js' */
/** @import { StudyDraft } from './form.js' */
/** @import { MapProps, Named } from './map.js' */
/** @import { Pool } from './pool.js' */
/** @import { Strips } from './strip.js' */
/** @import { Subjects } from './subject.js' */

/**
 * The part of a link that holds a map.
 * @typedef {Omit<HeatStudy, "scenario"> & {kind: "heat", measure: string}} HeatLink
 */

/**
 * What the panel uses of the room.
 * @typedef {object} Room
 * @property {Pool} pool
 * @property {Strips} strips
 * @property {Subjects} subjects
 * @property {Pick<Page["lab"], "play" | "copy" | "tellFailure">} lab
 * @property {(run: StudiedRun | Opens, sentence: string, then?: () => unknown) => Promise<void>} openRun
 * @property {(study: object, scenario: object) => unknown} copyLink
 * @property {(scenario: object) => void} saveFile as scenario.yaml
 * @property {(run: Opens) => unknown} saveGoTest
 * @property {() => unknown} subject the choice of the run
 */

/** The axes of the first map, and how many values it shows below the run's own. */
const AXES = /** @type {const} */ ({ x: ['elector.leaseDuration', 2], y: ['elector.renewDeadline', 3] });

export class HeatPanel {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.heat = new Heat(room.pool, (plan) => {
      this.#forget(); // a cell that was chosen on the map before this one
      return this.#ownOf(plan);
    });
    this.heat.onEnd = () => this.#showChosen();
    this.fields = signal(/** @type {Field[]} */ ([]));
    /** Null until the visitor chooses: the first map follows the run. */
    this.wanted = signal(/** @type {StudyDraft | null} */ (null));
    /** The measure on the map. Empty: what this run violates. */
    this.measure = signal('');
    /** The chosen cell; -1: none. */
    this.chosen = signal(-1);
    /** The seed whose run the page is opening; -1: none. */
    this.opening = signal(-1);
    /** The worst runs of the chosen cell, by seed. */
    this.drawn = signal(/** @type {Record<number, StudiedRun>} */ ({}));
    this.price = signal(/** @type {Price | undefined} */ (undefined));
    /** Counts the choices, and a late answer about an earlier one does not count. */
    this.choices = 0;
  }

  /** Asks for the fields of the subject, and draws its first map. */
  async ask() {
    if (this.heat.scenario === this.room.subjects.document) return;
    await this.#askFields();
    await this.start();
  }

  async #askFields() {
    const { fields } = await this.room.pool.ask('heatFields', { scenario: this.room.subjects.document });
    this.fields.value = fields;
  }

  /** @returns {StudyDraft} */
  get draft() {
    const axis = (/** @type {"x" | "y"} */ name) => {
      const [path, below] = AXES[name];
      const field = this.fields.value.find((one) => one.path === path);
      return { path, values: field ? usualValues(field, below) : '' };
    };
    return this.wanted.value ?? { x: axis('x'), y: axis('y'), first: 1, seeds: String(SEEDS), varyPhase: true };
  }

  async start() {
    const { seeds: text, ...wanted } = this.draft;
    const seeds = seedsOf(text);
    if (seeds === undefined) {
      this.heat.error.value = { message: `Runs "${text}" must be a whole number, 1 or more`, path: 'seeds' };
      return;
    }
    this.#forget();
    await this.heat.start({ scenario: this.room.subjects.document, ...wanted, seeds });
  }

  #forget() {
    this.chosen.value = -1;
    this.choices++;
  }

  /** Shows the chosen cell with the runs that came after the choice, or chooses one. */
  #showChosen() {
    const { detail, cells, status } = this.heat;
    const chosen = this.chosen.peek();
    if (chosen < 0 && status.peek() === 'done') this.#chooseFirst();
    else if ((cells[chosen]?.runs ?? 0) > (detail.peek()?.runs ?? 0)) this.choose(chosen);
  }

  /** Chooses the run's own settings, or the worst cell. */
  async #chooseFirst() {
    const props = this.#props();
    if (!props) return;
    const { own, index, measure, cells } = props;
    const known = cells.filter((cell) => cell !== undefined);
    known.sort((a, b) => (b.values[index] - a.values[index]) * (measure.least ? -1 : 1));
    const cell = own >= 0 && cells[own] ? own : known[0]?.cell;
    if (cell !== undefined) await this.choose(cell);
  }

  /** @param {HeatLink} link */
  async follow({ measure, x, y, first, seeds, varyPhase, duration }) {
    this.wanted.value = { x, y, first, seeds: String(seeds), varyPhase, duration };
    this.measure.value = measure;
    await this.#askFields();
    await this.start();
  }

  /** @param {number} cell */
  async choose(cell) {
    const mine = ++this.choices;
    this.chosen.value = cell;
    this.price.value = undefined;
    this.drawn.value = {};
    const props = this.#props();
    if (!props) return;
    try {
      await this.heat.show(cell, props.measure.id);
      const found = this.heat.detail.peek();
      const isLate = () => mine !== this.choices;
      if (isLate() || !found?.detail) return;
      for (const { seed } of found.detail.runs.slice(0, DRAWN)) {
        const run = await this.#run(seed);
        if (isLate()) return;
        this.drawn.value = { ...this.drawn.value, [seed]: run };
      }
      const price = props.measure.alarm ? await this.#askPrice(props) : undefined;
      if (!isLate()) this.price.value = price;
    } catch (error) {
      if (mine === this.choices) this.room.lab.tellFailure(error);
    }
  }

  /** The run of a seed in the chosen cell. @param {number} seed @param {Partial<HeatStudy>} [other] */
  #run(seed, other) {
    const study = { .../** @type {HeatStudy} */ (this.heat.study), ...other };
    const measure = this.#props()?.measure.id ?? '';
    return this.room.pool.ask('heatOpen', { study, cell: this.chosen.value, seed, measure });
  }

  /** A map of one cell. @param {MapProps} props @param {number} cell @param {Partial<HeatStudy>} [other] */
  #cellStudy({ plan, fields }, cell, other) {
    const [x, y] = [plan.x[cell % plan.x.length], plan.y[Math.floor(cell / plan.x.length)]];
    const axes = { x: { path: fields.x.path, values: x }, y: { path: fields.y.path, values: y } };
    return { .../** @type {HeatStudy} */ (this.heat.study), ...axes, ...other };
  }

  /**
   * What the settings of the chosen cell cost: how long nobody leads after a crash. Settings of acts cost nothing.
   * @param {MapProps} props @returns {Promise<Price | undefined>}
   */
  async #askPrice(props) {
    const { own, chosen, fields, seeds } = props;
    const scenario = await this.room.subjects.crash(this.heat.scenario);
    if (!scenario || ![fields.x, fields.y].every(({ path }) => /^(elector|network)\./.test(path))) return undefined;
    const median = async (/** @type {number} */ cell) => {
      const study = this.#cellStudy(props, cell, { scenario, seeds: Math.min(seeds, SEEDS), varyPhase: true });
      const { measures } = await this.room.pool.ask('heatPlan', { study });
      const { cells } = await this.room.pool.ask('heatCells', { study, cells: [0], seeds: study.seeds });
      return cells[0].values[measures.findIndex(({ id }) => id === 'leaderlessP50')];
    };
    return { here: await median(chosen), own: own >= 0 && own !== chosen ? await median(own) : undefined };
  }

  /** @param {number} seed */
  async openSeed(seed) {
    this.opening.value = seed;
    await this.#open(async () => this.room.openRun(await this.#run(seed), `Seed ${seed} is open. WHY explains it.`));
    this.opening.value = -1;
  }

  /** @param {() => Promise<void>} open */
  #open(open) {
    return open().catch((error) => this.room.lab.tellFailure(error));
  }

  /** Runs the subject with the settings of the chosen cell. */
  #use() {
    const { seed = 1 } = /** @type {{seed?: number}} */ (this.heat.scenario);
    return this.#open(async () => {
      const run = await this.#run(seed, { varyPhase: false });
      await this.room.openRun({ ...run, at: 0 }, 'Your run has these settings now.', () => this.room.lab.play());
    });
  }

  /** The cell with the run's own settings; -1 if the map has none. @param {HeatPlan} plan */
  #ownOf(plan) {
    const at = (/** @type {"x" | "y"} */ axis) => {
      const field = this.fields.value.find(({ path }) => path === this.heat.study?.[axis].path);
      return field ? plan[axis].findIndex((value) => isSame(value, field.now)) : -1;
    };
    const [x, y] = [at('x'), at('y')];
    return x < 0 || y < 0 ? -1 : y * plan.x.length + x;
  }

  /** @returns {MapProps | undefined} */
  #props() {
    const plan = this.heat.plan.value;
    const { study, cells } = this.heat;
    if (!plan || !study) return undefined;
    const own = this.#ownOf(plan);
    const at = (/** @type {string} */ id) => plan.measures.findIndex((one) => one.id === id);
    const broken = (own >= 0 ? cells[own] : cells.find((cell) => cell))?.values[at('doubleMax')] ?? 0;
    const index = Math.max(0, at(this.measure.value || (broken > 0 ? 'doubleMax' : 'leaderlessMax')));
    const named = (/** @type {string} */ path) =>
      this.fields.value.find((field) => field.path === path) ?? { path, label: path };
    /** @type {{x: Named, y: Named}} */
    const fields = { x: named(study.x.path), y: named(study.y.path) };
    const measure = plan.measures[index];
    return { plan, cells, seeds: study.seeds, fields, measure, index, own, chosen: this.chosen.value };
  }

  /** The answer, and what the visitor may take along. */
  head() {
    void this.heat.version.value;
    const props = this.#props();
    const { title, sub } = (props && answerOf(props, this.room.subjects.title)) ?? {
      title: 'How would it go with other settings?',
      sub: 'This page draws a rough map as soon as it opens. You need not fill in anything first.',
    };
    const save = () => {
      const { name = 'scenario' } = /** @type {{name?: string}} */ (this.heat.scenario);
      const { study, cells } = this.heat;
      if (props && study)
        download(`${name}-map.csv`, csvOf(props.plan, cells, { x: study.x.path, y: study.y.path }), 'text/csv');
    };
    const act = when(
      props,
      () => html`${button(html`${icon('share')}Copy the link`, () => this.#copyLink())}
        ${button(html`${icon('down')}Save as a table`, save)}`,
    );
    return { title, sub, act };
  }

  #copyLink() {
    const { scenario: _, ...spec } = this.heat.study ?? {};
    const measure = this.#props()?.measure.id ?? '';
    return this.room.copyLink({ kind: 'heat', ...spec, measure }, this.heat.scenario);
  }

  template() {
    const { heat } = this;
    void heat.version.value;
    const props = this.#props();
    const status = heat.status.value;
    const made = status === 'done' ? paceText(heat.progress, false) : '';
    return html`<div class="study-grid" data-kind="heat">
      <div class="study-left">${this.room.subject()}
        ${when(this.fields.value.length > 0, () => this.#formTemplate(props, made))}</div>
      <div class="study-middle">
        ${when(!made, () => progressTemplate(heat))}
        ${props ? this.#mapTemplate(props) : nothing}
        ${when(!props && status === '' && !heat.error.value, () => html`<p role="status">Drawing the first map…</p>`)}
      </div>
      <aside class="study-right" aria-label="The chosen cell">${
        props && props.chosen >= 0
          ? this.#cellTemplate(props)
          : html`<p class="mute">Choose a cell to see its runs, the worst first. Arrow keys move, Enter chooses.</p>`
      }</aside>
    </div>`;
  }

  /** @param {MapProps | undefined} props @param {string} made how many runs the map has, once it is done */
  #formTemplate(props, made) {
    const { error, plan } = this.heat;
    const now = { wanted: this.draft, fields: this.fields.value, plan: plan.value, error: error.value };
    const shown = { ...now, measure: props?.measure, made };
    return formTemplate(shown, {
      change: (to) => {
        this.wanted.value = { ...this.draft, ...to };
        this.start();
      },
      measure: (id) => {
        this.measure.value = id;
        if (this.chosen.value >= 0) this.choose(this.chosen.value);
      },
      start: () => this.start(),
    });
  }

  /** @param {MapProps} props */
  #mapTemplate(props) {
    return html`${legendTemplate(props)}
      <p class="heat-axes mute"><span>↑ ${props.fields.y.label}</span><span>${props.fields.x.label} →</span></p>
      <div class="heat-scroll">${gridTemplate(props, (cell) => this.#chooseByHand(cell))}</div>
      ${notesTemplate(props)}
      <details><summary>The command that makes the same runs</summary>
        ${commandTemplate(props.plan.command, () => this.room.saveFile(this.heat.scenario))}
        ${button('Copy the command', () =>
          this.room.lab.copy(props.plan.command, 'the command that makes the same runs'),
        )}
      </details>`;
  }

  /** @param {number} cell */
  #chooseByHand(cell) {
    this.choose(cell);
    // In one column, the runs are below the map.
    if (matchMedia('(max-width: 959.98px)').matches)
      requestAnimationFrame(() => document.querySelector('#search .study-right')?.scrollIntoView({ block: 'start' }));
  }

  /** @param {MapProps} props */
  #cellTemplate(props) {
    const { plan, chosen } = props;
    const { value: found } = this.heat.detail;
    const drawn = (/** @type {number} */ seed) => {
      const run = this.drawn.value[seed];
      return run && { at: run.at, strip: this.room.strips.of(run) };
    };
    const copy = async () => {
      const { command } = await this.room.pool.ask('heatPlan', { study: this.#cellStudy(props, chosen) });
      await this.room.lab.copy(command, 'the command that makes the runs of this cell');
    };
    return cellTemplate(
      props,
      {
        detail: found?.cell === chosen ? found.detail : null,
        rule: plan.refused.find(({ cell }) => cell === chosen)?.rule,
        price: this.price.value,
        drawn,
        busy: this.opening.value,
      },
      { open: (seed) => this.openSeed(seed), use: () => this.#use(), copy },
    );
  }
}
