/** Asks for confirmation before it clears all progress of this class. */
import { html } from 'lit-html';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { sentence } from './words.js';

/** @param {() => unknown} startAgain */
export function nextClassDialog(startAgain) {
  const title = sentence('nextClassTitle');
  const room = modal(newDialog('next-class', title), () => {
    const agree = () => {
      room.close();
      startAgain();
    };
    return html`${dialogHead(title, room.close)}
      <p>${sentence('nextClassWords')}</p>
      <div class="dialog-foot">
        <button type="button" class="primary" @click=${agree}>${sentence('nextClassAgree')}</button>
        <button type="button" @click=${room.close}>${sentence('cancel')}</button>
      </div>`;
  });
  return room;
}
