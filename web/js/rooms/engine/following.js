/** The watches of the API that somebody follows, by number: they end with the worker that holds them. */
/** @type {Map<number, import('../desk/watches.js').Follower>} */
export const followers = new Map();
