/** Event handlers that pass on a control's value. With them, templates need not cast the event's target. */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @param {(value: string) => void} tell @returns {(event: Event) => void} */
export const withValue = (tell) => (event) => tell(/** @type {Control} */ (event.target).value);

/** @param {(checked: boolean) => void} tell @returns {(event: Event) => void} */
export const withChecked = (tell) => (event) => tell(/** @type {HTMLInputElement} */ (event.target).checked);

/**
 * Passes on whether a details element is now open.
 * @param {(open: boolean) => void} tell
 * @returns {(event: Event) => void}
 */
export const withOpen = (tell) => (event) => tell(/** @type {HTMLDetailsElement} */ (event.target).open);

/**
 * Passes on the values of a form when the visitor submits it, and stays on the page.
 * @param {(data: FormData) => unknown} act
 * @returns {(event: Event) => void}
 */
export const onSubmit = (act) => (event) => {
  event.preventDefault();
  act(new FormData(/** @type {HTMLFormElement} */ (event.target)));
};

/**
 * Sets a signal. An event handler can call this function where only an expression is possible.
 * @template T
 * @param {{value: T}} signal
 * @param {T} value
 */
export function set(signal, value) {
  signal.value = value;
}
