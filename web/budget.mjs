/**
 * Size limits of the page's files in KiB, as a browser receives them: gzip, or Zstandard for modules. `make test` fails
 * above a limit, and `make run` warns.
 */

/** Everything the first view needs besides the engine. */
export const FIRST_VIEW_KIB = 80;
/** The engine with the worker that loads it. */
export const ENGINE_KIB = 1400;
/** The engine with all operations, which a page fetches when a room first needs it. */
export const TOOLS_KIB = 1950;
