/**
 * Limits of the page's files, KiB as a browser gets them: gzip, of the engine Zstandard. The build fails above them; the
 * bench prints them beside what it weighs.
 */

/** Everything the first view needs besides the engine. */
export const FIRST_VIEW_KIB = 64;
/** The engine with the worker that loads it. */
export const ENGINE_KIB = 1300;
