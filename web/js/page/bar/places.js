/**
 * The pages in the header of the site: the command that opens each, its name, its address from the lab, and what the
 * build has counted there.
 */
export const PLACES = /** @type {const} */ ([
  ['lab', 'Lab', '', ''],
  ['lessons', 'Lessons', '#lessons', 'lessons'],
  ['museum', 'Museum', '#museum', 'incidents'],
  ['search', 'Studies', '#studies', ''],
  ['numbers', 'Numbers', '#numbers', ''],
  ['evidence', 'Your logs', '#logs', ''],
]);
