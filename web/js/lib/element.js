/** An element of index.html, which always exists. @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
