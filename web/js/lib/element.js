/** The element of index.html with this id. Such an element always exists. @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
