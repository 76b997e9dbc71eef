/**
 * Messages between the nodes and the API server: the server's lane with an arrow for each request, and the acts on a
 * message in transit. It is a separate chunk, which loads when the visitor zooms in far enough or picks a message.
 */
import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { onSubmit } from '../../lib/control.js';
import { durationOf, formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { messageName } from '../../page/stage/flight.js';
import { markLayer, placeStyle } from '../../page/timeline/twin.js';
import { layoutArrows } from './arrows.js';
import { actionOf, chosenOf, messageAt, possible } from './choice.js';
import does from './does.json' with { type: 'json' };
import { drawServer } from './drawing.js';
import { placeWords, requestWords } from './words.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Layout } from '../../page/timeline/layout.js' */
/** @import { Arrow } from './arrows.js' */
/** @import { MessageChoice, What } from './choice.js' */

/** More buttons than this would lie on top of each other. */
const MOST_BUTTONS = 80;
const BUTTON_PX = 24;

/** @param {Pick<Page, "state" | "lab" | "notifier" | "timeline">} ports */
export function open({ state, lab, notifier, timeline }) {
  const { dialog, show, close } = modal(newDialog('message', 'Message'), contents);
  /** @type {MessageChoice | undefined} */
  let chosen;
  let later = '2';

  const { root, draw } = markLayer('tl-marks tl-arrows', 'Requests');
  timeline.root.querySelector(':scope > .tl-marks')?.after(root);

  timeline.overlays.add((b, l, { timeline: data, view }) => {
    const arrows = data ? layoutArrows(l, data, view) : [];
    drawServer(b, l, arrows);
    drawButtons(l, arrows);
  });
  timeline.showServer();

  /** @param {Layout} l @param {Arrow[]} arrows */
  function drawButtons({ g, scale }, arrows) {
    const live = state.view.value.live.t;
    const visible = arrows.filter(({ x }) => x >= scale.x && x <= scale.x + scale.w).slice(0, MOST_BUTTONS);
    const key = (/** @type {Arrow} */ { index, tick, flight }) => `${index} ${tick.t} ${tick.end} ${flight?.message}`;
    const button = (/** @type {Arrow} */ { node, index, tick, flight, x }) => {
      const row = flight?.message === 'resource' ? g.resource : g.server;
      const choose = () => {
        const view = state.view.value;
        ask((flight && messageAt(view, null, node, flight)) ?? chosenOf(view, node, index, tick));
      };
      return html`<button type="button" class="tl-mark tl-arrow" tabindex="-1" aria-haspopup="dialog"
        aria-label=${requestWords(node, tick, live, flight)}
        .style=${placeStyle(x - BUTTON_PX / 2, row.y, BUTTON_PX, row.h)} @click=${choose}></button>`;
    };
    draw(html`${repeat(visible, key, button)}`);
  }

  /** @param {MessageChoice} one */
  async function ask(one) {
    if (state.view.value.playing) await lab.pause();
    chosen = one;
    show();
    /** @type {HTMLElement | null} */ (dialog.querySelector('button[name]'))?.focus();
  }

  /** @param {What} what */
  async function act(what) {
    if (!chosen) return;
    const one = chosen;
    close();
    lab.touch();
    const action = actionOf(what, one, durationOf(later), state.view.value);
    const now = one.at === undefined;
    const words = `${one.node} ${does[what].done}`;
    const view = await lab.change('act', { act: action.act, node: one.node, action, now }, words);
    if (view) notifier.say(`${words}.`);
  }

  /** @param {What} what */
  function choiceTemplate(what) {
    const { label, help } = does[what];
    const button = html`<button type=${what === 'later' ? 'submit' : 'button'} name=${what}
      @click=${what === 'later' ? nothing : () => act(what)}>${label}</button>`;
    if (what !== 'later') return html`<div class="message-choice">${button}<span>${help}</span></div>`;
    return html`<form class="message-choice" @submit=${onSubmit((data) => {
      later = String(data.get('by'));
      return act('later');
    })}>${button}<label>by <input name="by" type="number" min="0.001" max="3600" step="any" required
      .value=${later} /> s</label></form>`;
  }

  function contents() {
    if (!chosen) return nothing;
    const { node, tick, flight, at } = chosen;
    const where = flight
      ? placeWords(flight)
      : `You stop it at ${formatInstant(at ?? tick.t, 4)}, while it is on its way. That makes a new branch.`;
    return html`${dialogHead(`${node}'s ${messageName(flight ?? tick)}`, close)}
      <p>${requestWords(node, tick, state.view.value.live.t, flight)}.</p>
      <p class="mute">${where}</p>
      ${possible(chosen).map(choiceTemplate)}`;
  }

  return {
    /**
     * Opens the choice for a message: the given message, or the selected node's message at the cursor.
     * @param {{node: string, seq: number, message?: string}} [given]
     */
    async pick(given) {
      const found = messageAt(state.view.value, state.timeline.value, given?.node ?? state.target.value, given);
      if (found) await ask(found);
      else
        notifier.notify(
          'No message is on its way at the cursor. Zoom in until the requests show, and choose one there.',
        );
    },
  };
}
