/** An element of index.html: it is always there. @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
