/** The map: its controls, the map itself, the chosen cell, and the ways to save and share them. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { icon } from '../../lib/icons.js';
import { download } from '../desk/files.js';
import { answerOf } from './answer.js';
import { isSame, usualValues } from './axis.js';
import { cellTemplate, DRAWN } from './cell.js';
import { commandTemplate, formTemplate, progressTemplate, progressText, SEEDS, seedsOf } from './form.js';
import { Heat } from './heat.js';
import { gridTemplate, legendTemplate, notesTemplate } from './map.js';
import { csvOf } from './save.js';

/** @import { Field, HeatPlan, HeatStudy, StudiedRun } from '../../protocol.js' */
/** @import { Price } from './cell.js' */
/** @import { StudyDraft } from './form.js' */
/** @import { MapProps, Named } from './map.js' */
/** @import { Pool } from './pool.js' */
/** @import { Strips } from './strip.js' */

/**
 * The part of a link that holds a map.
 * @typedef {Omit<HeatStudy, "scenario"> & {kind: "heat", measure: string}} HeatLink
 */

/**
 * What the panel uses of the room.
 * @typedef {object} Room
 * @property {Pool} pool
 * @property {Strips} strips
 * @property {() => object} scenario of the study
 * @property {() => string} title of the scenario
 * @property {(scenario: object) => Promise<object | undefined>} crash a crash of the leader, with the same electors
 * @property {(run: StudiedRun, sentence: string, then?: () => unknown) => Promise<void>} openRun
 * @property {() => unknown} play
 * @property {(text: string, what: string) => unknown} copy
 * @property {(study: object, scenario: object) => unknown} copyLink
 * @property {(error: unknown) => void} tellFailure
 * @property {(scenario: object) => void} saveFile as scenario.yaml
 * @property {() => unknown} subject the choice of the run
 */

/** The axes of the first map, and how many values it shows below the run's own. */
const AXES = /** @type {const} */ ({ x: ['elector.leaseDuration', 2], y: ['elector.renewDeadline', 3] });

export class HeatPanel {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.heat = new Heat(room.pool, (plan) => this.#ownOf(plan));
    this.fields = signal(/** @type {Field[]} */ ([]));
    /** Null until the visitor chooses: the first map follows the run. @type {import('@preact/signals-core').Signal<StudyDraft | null>} */
    this.wanted = signal(null);
    /** The measure on the map. Empty: what this run violates. */
    this.measure = signal('');
    /** The chosen cell; -1: none. */
    this.chosen = signal(-1);
    /** The seed whose run the page is opening; -1: none. */
    this.opening = signal(-1);
    /** The worst runs of the chosen cell, by seed. @type {import('@preact/signals-core').Signal<Map<number, StudiedRun>>} */
    this.drawn = signal(new Map());
    this.price = signal(/** @type {Price | undefined} */ (undefined));
    /** Counts the choices, so that a late answer about an earlier one is dropped. */
    this.choices = 0;
  }

  /** Asks for the fields of the subject, and draws its first map. */
  async ask() {
    if (this.heat.scenario === this.room.scenario()) return;
    await this.#askFields();
    await this.start();
  }

  async #askFields() {
    const { fields } = await this.room.pool.ask('heatFields', { scenario: this.room.scenario() });
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
    this.chosen.value = -1;
    this.choices++;
    await this.heat.start({ scenario: this.room.scenario(), ...wanted, seeds });
    if (this.heat.status.value === 'done' && this.chosen.value < 0) await this.#chooseFirst();
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
    this.drawn.value = new Map();
    const props = this.#props();
    if (!props) return;
    await this.heat.show(cell, props.measure.id);
    const found = this.heat.detail.peek();
    if (mine !== this.choices || !found?.detail) return;
    const asked = [
      this.#drawRuns(
        mine,
        found.detail.runs.slice(0, DRAWN).map(({ seed }) => seed),
      ),
    ];
    if (props.measure.alarm) asked.push(this.#askPrice(mine, props));
    await Promise.all(asked).catch((error) => mine === this.choices && this.room.tellFailure(error));
  }

  /** @param {number} mine @param {number[]} seeds */
  async #drawRuns(mine, seeds) {
    for (const seed of seeds) {
      const run = await this.#run(seed);
      if (mine !== this.choices) return;
      this.drawn.value = new Map(this.drawn.value).set(seed, run);
    }
  }

  /** The run of a seed in the chosen cell. @param {number} seed */
  #run(seed) {
    const study = /** @type {HeatStudy} */ (this.heat.study);
    const measure = this.#props()?.measure.id ?? '';
    return this.room.pool.ask('heatOpen', { study, cell: this.chosen.value, seed, measure });
  }

  /**
   * What the settings of the chosen cell cost: how long nobody leads after a crash. Settings of acts cost nothing.
   * @param {number} mine @param {MapProps} props
   */
  async #askPrice(mine, { plan, own, chosen, fields, seeds }) {
    const crash = await this.room.crash(this.heat.scenario);
    if (![fields.x, fields.y].every(({ path }) => /^(elector|network)\./.test(path)) || !crash) return;
    const cells = [...new Set(own >= 0 ? [own, chosen] : [chosen])];
    const columns = plan.x.length;
    const medians = await Promise.all(
      cells.map(async (cell) => {
        const study = {
          scenario: crash,
          x: { path: fields.x.path, values: plan.x[cell % columns] },
          y: { path: fields.y.path, values: plan.y[Math.floor(cell / columns)] },
          first: 1,
          seeds: Math.min(seeds, SEEDS),
          varyPhase: true,
        };
        const { measures } = await this.room.pool.ask('heatPlan', { study });
        const made = await this.room.pool.ask('heatCells', { study, cells: [0], seeds: study.seeds });
        return made.cells[0].values[measures.findIndex(({ id }) => id === 'leaderlessP50')];
      }),
    );
    if (mine !== this.choices) return;
    this.price.value = { here: /** @type {number} */ (medians.at(-1)), own: cells.length > 1 ? medians[0] : undefined };
  }

  /** @param {number} seed */
  async openSeed(seed) {
    this.opening.value = seed;
    try {
      await this.room.openRun(await this.#run(seed), `Seed ${seed} is open. WHY explains it.`);
    } catch (error) {
      this.room.tellFailure(error);
    }
    this.opening.value = -1;
  }

  /** Runs the subject with the settings of the chosen cell. */
  async #use() {
    const study = { .../** @type {HeatStudy} */ (this.heat.study), varyPhase: false };
    const { seed = 1 } = /** @type {{seed?: number}} */ (study.scenario);
    try {
      const run = await this.room.pool.ask('heatOpen', { study, cell: this.chosen.value, seed, measure: '' });
      await this.room.openRun({ ...run, at: 0 }, 'Your run has these settings now.', () => this.room.play());
    } catch (error) {
      this.room.tellFailure(error);
    }
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
    return {
      plan,
      cells,
      seeds: study.seeds,
      fields,
      measure: plan.measures[index],
      index,
      own,
      chosen: this.chosen.value,
    };
  }

  /** The answer, and what the visitor may take along. */
  head() {
    void this.heat.version.value;
    const props = this.#props();
    const { title, sub } = (props && answerOf(props, this.room.title())) ?? {
      title: 'How would it go with other settings?',
      sub: 'A rough map is drawn as soon as this page opens. There is nothing to fill in first.',
    };
    const save = () => {
      const { name = 'scenario' } = /** @type {{name?: string}} */ (this.heat.scenario);
      const { study, cells } = this.heat;
      if (props && study)
        download(`${name}-map.csv`, csvOf(props.plan, cells, { x: study.x.path, y: study.y.path }), 'text/csv');
    };
    const act = props
      ? html`<button type="button" class="btn tint" @click=${() => this.#copyLink()}>${icon('share')}Copy the link</button>
        <button type="button" class="btn tint" @click=${save}>${icon('down')}Save as a table</button>`
      : nothing;
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
    const { runs, total, pace } = heat;
    const status = heat.status.value;
    return html`<div class="study-grid" data-kind="heat">
      <div class="study-left">${this.room.subject()}
      ${
        this.fields.value.length === 0
          ? nothing
          : formTemplate(
              {
                wanted: this.draft,
                fields: this.fields.value,
                plan: heat.plan.value,
                measure: props?.measure,
                status,
                error: heat.error.value,
              },
              {
                change: (to) => {
                  this.wanted.value = { ...this.draft, ...to };
                  this.start();
                },
                measure: (id) => {
                  this.measure.value = id;
                  if (this.chosen.value >= 0) this.choose(this.chosen.value);
                },
                start: () => this.start(),
              },
            )
      }</div>
      <div class="study-middle">
        ${progressTemplate({ status, done: runs, of: status === 'done' ? 0 : total || 1, words: progressText(runs, total, pace, status) }, heat)}
        ${props ? this.#mapTemplate(props) : status === '' && !heat.error.value ? html`<p role="status">Drawing the first map…</p>` : nothing}
      </div>
      <aside class="study-right" aria-label="The chosen cell">${
        props && props.chosen >= 0
          ? this.#cellTemplate(props)
          : html`<p class="mute">${
              props
                ? 'Choose a cell to see its runs, the worst first. Arrow keys move, Enter chooses.'
                : 'The runs of a cell show here, the worst first.'
            }</p>`
      }</aside>
    </div>`;
  }

  /** @param {MapProps} props */
  #mapTemplate(props) {
    return html`${legendTemplate(props)}
      <p class="heat-axes mute"><span>↑ ${props.fields.y.label}</span><span>${props.fields.x.label} →</span></p>
      <div class="heat-scroll">${gridTemplate(props, (cell) => this.#chooseByHand(cell))}</div>
      ${notesTemplate(props)}
      <details><summary>The command that makes the same runs</summary>
        ${commandTemplate(props.plan.command, () => this.room.saveFile(this.heat.scenario))}
        <button type="button" class="btn tint" @click=${() =>
          this.room.copy(
            props.plan.command,
            'the command that makes the same runs',
          )}>Copy the command</button></details>`;
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
    const { plan, chosen, fields } = props;
    const { value: found } = this.heat.detail;
    const study = /** @type {HeatStudy} */ (this.heat.study);
    const [x, y] = [plan.x[chosen % plan.x.length], plan.y[Math.floor(chosen / plan.x.length)]];
    return cellTemplate(
      props,
      {
        detail: found?.cell === chosen ? found.detail : null,
        rule: plan.refused.find(({ cell }) => cell === chosen)?.rule,
        price: this.price.value,
        drawn: (seed) => {
          const run = this.drawn.value.get(seed);
          return run && { at: run.at, strip: this.room.strips.of(run) };
        },
        busy: this.opening.value,
      },
      {
        open: (seed) => this.openSeed(seed),
        use: () => this.#use(),
        copy: async () => {
          const one = { ...study, x: { path: fields.x.path, values: x }, y: { path: fields.y.path, values: y } };
          const { command } = await this.room.pool.ask('heatPlan', { study: one });
          await this.room.copy(command, 'the command that makes the runs of this cell');
        },
      },
    );
  }
}
