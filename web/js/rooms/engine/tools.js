/**
 * The second engine, for operations that few visitors need: checks of lessons, tests in Go, studies. It is a separate
 * worker, starts with the first question, and never runs the page's run.
 */
import { EngineError } from '../../lib/engineerror.js';
import { Engine } from './engine.js';

/** @import { Ask } from '../../protocol.js' */

/** The engine that all rooms share. @type {Promise<Engine> | undefined} */
let starting;

/** An engine with all operations. @param {typeof __ASSETS__} assets */
export async function startTools(assets) {
  const { wasm, module } = assets.tools;
  const engine = new Engine({ ...assets, wasm: new URL(wasm, document.baseURI).href, module, passing: true });
  await engine.start().catch(({ message }) => {
    throw new EngineError({ code: 'state', message });
  });
  return engine;
}

/** @param {typeof __ASSETS__} assets @returns {{ask: Ask}} */
export const openTools = (assets) => ({
  async ask(op, ...given) {
    starting ??= startTools(assets).catch((error) => {
      starting = undefined; // the next question tries again
      throw error;
    });
    return (await starting).request(op, ...given);
  },
});
