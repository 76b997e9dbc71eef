/** The note under the timeline on a first visit: its three marks. */
import { html } from 'lit-html';
import { icon } from '../../../lib/icons.js';
import { MARKS, marksTemplate } from './legend.js';

/** The three marks that make up the picture. @param {() => void} close @param {() => void} more */
export const legendTemplate = (close, more) => html`<div class="legend">
    ${marksTemplate(MARKS.slice(0, 3))}
    <button type="button" class="quiet" @click=${more}>All marks</button>
    <button type="button" class="btn icon-only" aria-label="Dismiss the legend"
      @click=${close}>${icon('close')}</button>
  </div>`;
