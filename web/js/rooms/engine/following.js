/** The watches of the API that have a follower, by number. They end with the worker that holds them. */
/** @type {Map<number, import('../desk/watches.js').Follower>} */
export const followers = new Map();
