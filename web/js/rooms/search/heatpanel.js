/** The tab of heat maps: the form, the map, the chosen cell, and the ways to save and share them. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { plural } from '../../lib/format.js';
import { download } from '../desk/files.js';
import {
  commandTemplate,
  formTemplate,
  introTemplate,
  measureTemplate,
  progressTemplate,
  progressText,
  seedsOf,
  USUAL,
} from './form.js';
import { Heat } from './heat.js';
import { gridTemplate, hiddenOverlaps, legendTemplate, runsTemplate, toldTemplate } from './map.js';
import { csvOf } from './save.js';

/** @import { Field, HeatStudy, Opens } from '../../protocol.js' */
/** @import { MapProps } from './map.js' */
/** @import { Pool } from './pool.js' */

/**
 * The part of a link that holds a map.
 * @typedef {Omit<HeatStudy, "scenario"> & {kind: "heat", measure: string}} HeatLink
 */
/**
 * The parts of the room that the panel uses.
 * @typedef {object} Room
 * @property {Pick<Pool, "ask" | "stop" | "size">} pool
 * @property {() => object} scenario of the study
 * @property {(run: Opens, sentence: string) => Promise<void>} openRun
 * @property {(text: string, what: string) => unknown} copy
 * @property {(study: object, scenario: object) => unknown} copyLink
 * @property {(scenario: object) => unknown} of names the scenario of the results, if another one is open
 * @property {(error: unknown) => void} tellFailure
 * @property {() => void} saveScenario as scenario.yaml
 */

export class HeatPanel {
  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.heat = new Heat(room.pool);
    this.fields = signal(/** @type {Field[]} */ ([]));
    this.wanted = signal(USUAL);
    this.measure = signal('leaderlessP99');
    /** The chosen cell; -1: none. */
    this.chosen = signal(-1);
    /** The seed whose run the page is opening; -1: none. */
    this.opening = signal(-1);
  }

  /** Asks which fields the scenario offers. */
  async ask() {
    try {
      this.fields.value = (await this.room.pool.ask('heatFields', { scenario: this.room.scenario() })).fields;
    } catch (error) {
      this.room.tellFailure(error);
    }
  }

  async start() {
    const { seeds: text, ...wanted } = this.wanted.value;
    const seeds = seedsOf(text);
    if (seeds === undefined) {
      this.heat.error.value = { message: `Seeds "${text}" must be a whole number, 1 or more`, path: 'seeds' };
      return;
    }
    this.chosen.value = -1;
    await this.heat.start({ scenario: this.room.scenario(), ...wanted, seeds });
  }

  /** @param {HeatLink} link */
  async follow({ measure, x, y, first, seeds, varyPhase, duration }) {
    this.wanted.value = { x, y, first, seeds: String(seeds), varyPhase, duration };
    this.measure.value = measure;
    await this.start();
  }

  /** @param {number} cell */
  choose(cell) {
    this.chosen.value = cell;
    this.heat.show(cell, this.measure.value);
    // On a phone, the runs are below the map.
    if (matchMedia('(max-width: 719.98px)').matches)
      requestAnimationFrame(() => document.querySelector('#search .heat-detail')?.scrollIntoView({ block: 'start' }));
  }

  /** @param {number} seed */
  async openSeed(seed) {
    const { study } = this.heat;
    if (!study) return;
    this.opening.value = seed;
    try {
      const params = { study, cell: this.chosen.value, seed, measure: this.measure.value };
      const found = await this.room.pool.ask('heatOpen', params);
      await this.room.openRun({ label: '', ...found }, `Seed ${seed} is open. WHY explains it.`);
    } catch (error) {
      this.room.tellFailure(error);
    }
    this.opening.value = -1;
  }

  template() {
    const { heat, wanted } = this;
    void heat.version.value;
    const { runs, total, pace } = heat;
    const status = heat.status.value;
    return html`${formTemplate(
      { wanted: wanted.value, fields: this.fields.value, status, error: heat.error.value },
      {
        axis: (axis, to) => set(wanted, { ...wanted.value, [axis]: to }),
        change: (to) => set(wanted, { ...wanted.value, ...to }),
        start: () => this.start(),
      },
    )}
    ${progressTemplate({ status, done: runs, of: total || 1, words: progressText(runs, total, pace, status) }, heat)}
    ${heat.plan.value ? this.#bodyTemplate() : introTemplate()}`;
  }

  #mapProps() {
    const plan = this.heat.plan.value;
    const { study, cells } = this.heat;
    if (!plan || !study) return undefined;
    const index = Math.max(
      0,
      plan.measures.findIndex(({ id }) => id === this.measure.value),
    );
    const paths = { x: study.x.path, y: study.y.path };
    return { plan, cells, seeds: study.seeds, paths, measure: plan.measures[index], index, chosen: this.chosen.value };
  }

  #bodyTemplate() {
    const props = this.#mapProps();
    if (!props) return nothing;
    const { plan } = props;
    const overlaps = hiddenOverlaps(props);
    const chosen = this.chosen.value;
    const rule = plan.refused.find(({ cell }) => cell === chosen)?.rule;
    const { value: found } = this.heat.detail;
    const detail = found?.cell === chosen ? found.detail : null;
    const chooseMeasure = (/** @type {string} */ id) => {
      this.measure.value = id;
      if (chosen >= 0) this.heat.show(chosen, id);
    };
    return html`${this.room.of(this.heat.scenario)}<div class="heat-body">
      <div class="heat-picture">
        <div class="heat-measures">${measureTemplate(plan.measures, this.measure.value, chooseMeasure)}
          ${
            overlaps > 0
              ? html`<button type="button" class="heat-two" @click=${() => chooseMeasure('two')}>! Two leaders in
                ${plural(overlaps, 'cell')}: show how often</button>`
              : nothing
          }</div>
        <div class="heat-scroll">${gridTemplate(props, (cell) => this.choose(cell))}</div>
        ${legendTemplate(props)}
        ${this.#outTemplate(props)}
      </div>
      <section class="heat-detail" aria-label="The chosen cell">
        <div aria-live="polite">${
          chosen < 0
            ? html`<p class="mute">Choose a cell to see its runs, the worst first. Arrow keys move, Enter chooses.</p>`
            : toldTemplate(props, detail, rule)
        }</div>
        ${
          detail
            ? runsTemplate(props, detail, { open: (seed) => this.openSeed(seed), busy: this.opening.value })
            : nothing
        }
      </section>
    </div>`;
  }

  /** @param {Pick<MapProps, "plan" | "cells" | "paths">} shown */
  #outTemplate({ plan, cells, paths }) {
    const { room } = this;
    const { name = 'scenario' } = /** @type {{name?: string}} */ (this.heat.scenario);
    const save = () => download(`${name}-map.csv`, csvOf(plan, cells, paths), 'text/csv');
    const { scenario: _, ...spec } = this.heat.study ?? {};
    const link = () => room.copyLink({ kind: 'heat', ...spec, measure: this.measure.value }, this.heat.scenario);
    return html`<p class="heat-out" role="group" aria-label="Take it with you">
        <button type="button" @click=${link}>Copy the link</button>
        <button type="button" @click=${() => room.copy(plan.command, 'the command that makes the same runs')}>Copy the
          command</button>
        <button type="button" @click=${save}>Save CSV</button>
      </p>
      ${commandTemplate(plan.command, room.saveScenario)}`;
  }
}
