/** The element of index.html with this id, which always exists. @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
