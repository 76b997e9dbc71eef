/** Submits a form. The engine checks the form first, so that a refusal appears in the form. */

/** @import { ActParams, CheckParams, EditParams, ErrorReply } from '../../protocol.js' */
/** @import { Form } from './form.js' */

/**
 * @typedef {object} AskPorts
 * @property {(params: CheckParams) => Promise<{error?: ErrorReply}>} check
 * @property {(op: 'edit' | 'act', params: EditParams & ActParams, words: string) => Promise<unknown>} change false if
 *   nothing changed
 * @property {() => void} redraw
 * @property {() => void} focusInvalid focuses the control with the refusal
 * @property {(words: string) => void} done
 */

/** Sends one request at a time and drops requests that arrive in the meantime. @param {AskPorts} ports */
export function openAsking({ check, change, redraw, focusInvalid, done }) {
  let busy = false;
  /**
   * @param {"edit" | "act"} op
   * @param {EditParams | ActParams} params of the operation
   * @param {Form} form
   * @param {string} words the message afterwards
   */
  return async (op, params, form, words) => {
    if (busy) return;
    busy = true;
    try {
      const { act: _, node, action, ...rest } = /** @type {EditParams & ActParams} */ (params);
      const { error } = await check({ ...{ path: '', value: '' }, ...rest, ...(action ? { action } : { node }) });
      form.refuse(error);
      redraw();
      if (error) focusInvalid();
      else if (await change(op, /** @type {EditParams & ActParams} */ (params), words)) done(words);
    } catch (error) {
      form.astray = /** @type {Error} */ (error).message;
      redraw();
    } finally {
      busy = false;
    }
  };
}
