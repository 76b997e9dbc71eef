/** The watches of the API that have a follower, by number. They end with the worker that runs them. */

/** @import { Follower } from '../desk/watches.js' */

/** @type {Map<number, Follower>} */
export const followers = new Map();
