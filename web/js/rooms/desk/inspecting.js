/** The object panel: the Lease or another chosen object, one version at a time. */
import { set } from '../../lib/control.js';
import { objectsTemplate } from './panels/objects.js';

/** @import { Page } from './index.js' */
/** @import { ObjectCallbacks } from './panels/objects.js' */

/** @typedef {Pick<Page, "state" | "lab">} Ports */

/**
 * @param {Ports} ports
 * @param {Pick<ReturnType<typeof import('./panels/coordinated/election.js').openElection>, "other" | "pinned" |
 *   "pick">} the object to show instead of the Lease
 * @returns {() => unknown} the template
 */
export function openInspecting({ state, lab }, { other, pinned, pick }) {
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
    format: (format) => set(state.format, format),
    copy() {
      const object = shownObject();
      if (object) lab.copy(state.format.value === 'yaml' ? object.text : object.json, `${object.kind} ${object.name}`);
    },
    field: (field) => set(state.field, field),
    pick,
  };
  return () => {
    const { hello, format, field } = state;
    const version = other.value ? pinned.value : state.pinnedVersion.value;
    const shown = { hello: hello.value, format: format.value, pinned: version, field: field.value };
    return objectsTemplate(state.view.value, shownObject(), shown, on);
  };
}
