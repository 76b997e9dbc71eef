/**
 * Size limits of the page's files in KiB, as a browser receives them: gzip, or Zstandard for modules. `make test` fails
 * above a limit, and `make run` warns.
 */

/** All files that the first view needs, except the engine. */
export const FIRST_VIEW_KIB = 80;
/** The engine and the worker that loads it. */
export const ENGINE_KIB = 1400;
/** The engine with all operations, which a page fetches when a room first needs it. */
export const TOOLS_KIB = 2200;
