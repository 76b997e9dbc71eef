/**
 * Limits of the page's files, KiB as a browser gets them: gzip, of modules Zstandard. `make test` fails above them,
 * `make run` warns, and `make bench` prints them beside what the files weigh.
 */

/** Everything the first view needs besides the engine. */
export const FIRST_VIEW_KIB = 80;
/** The engine with the worker that loads it. */
export const ENGINE_KIB = 1400;
/** The engine with all operations, which a page fetches when a room first needs it. */
export const TOOLS_KIB = 1950;
