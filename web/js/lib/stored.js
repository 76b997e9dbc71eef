/** What the browser keeps between visits. The page also works in a browser without storage. */

/** The text of an entry; "" without one. @param {string} key */
export function readStored(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** The value of an entry in JSON, which any page of the origin can write; undefined without one. @param {string} key */
export function readStoredJson(key) {
  try {
    return /** @type {unknown} */ (JSON.parse(readStored(key)));
  } catch {
    return undefined;
  }
}

/** Keeps a text; "" removes the entry. @param {string} key @param {string} text */
export function writeStored(key, text) {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    // Nothing to tell: the visitor has turned the storage off, or it is full.
  }
}
