/** The object panel: the Lease or another chosen object, one version at a time. */
import { cardTemplate, objectsTemplate } from './panels/objects.js';

/** @import { Page } from './index.js' */
/** @import { ObjectCallbacks } from './panels/objects.js' */

/** @typedef {Pick<Page, "state" | "lab" | "remember">} Ports */

/**
 * @param {Ports} ports
 * @param {Pick<ReturnType<typeof import('./panels/coordinated/election.js').openElection>, "other" | "pinned" |
 *   "pick">} the object to show instead of the Lease
 * @returns {() => unknown} the template
 */
export function openInspecting({ state, lab, remember }, { other, pinned, pick }) {
  const shownObject = () => other.value ?? state.object.value;
  /** @type {ObjectCallbacks} */
  const on = {
    version(version) {
      if (other.value) {
        pinned.value = version;
        return;
      }
      state.pinnedVersion.value = version;
      if (version > 0) state.selection.value = { kind: 'version', version };
    },
    format(format) {
      state.format.value = format;
    },
    copy() {
      const object = shownObject();
      if (object) lab.copy(state.format.value === 'yaml' ? object.text : object.json, `${object.kind} ${object.name}`);
    },
    field(field) {
      state.field.value = field;
    },
    pick,
    open() {
      state.cardOpen.value = false;
      remember({ seen: true });
    },
  };
  return () => {
    const view = state.view.value;
    if (state.cardOpen.value && state.layout.value === 'wide' && !view.lease.others) return cardTemplate(view, on);
    return objectsTemplate(
      view,
      shownObject(),
      {
        hello: state.hello.value,
        format: state.format.value,
        pinned: other.value ? pinned.value : state.pinnedVersion.value,
        field: state.field.value,
      },
      on,
    );
  };
}
