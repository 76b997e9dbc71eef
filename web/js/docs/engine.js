/** The engine for one figure of the documentation: the page's worker, asked one request after another. */

/** @param {(file: string) => string} address of a file of the site */
export async function openEngine(address) {
  const { worker: script, exec, wasm, module } = __DOCS__.engine;
  const worker = new Worker(address(script));
  /** @type {{settle: (data: any) => void, fail: (error: Error) => void} | undefined} */
  let waiting;
  worker.onmessage = ({ data }) => {
    if (data.type === 'ready' || data.type === 'reply') waiting?.settle(data);
    else if (data.type === 'failed') waiting?.fail(new Error(data.message));
  };
  worker.onerror = ({ message }) => waiting?.fail(new Error(message));
  const answer = (/** @type {object} */ message) =>
    new Promise((settle, fail) => {
      waiting = { settle, fail };
      worker.postMessage(message);
    });
  await answer({ type: 'start', exec: address(exec), wasm: address(wasm), module });
  let id = 0;
  return {
    /** One at a time. @param {string} op @param {object} [params] @returns {Promise<unknown>} */
    async request(op, params = {}) {
      for (let ask = op; ; ask = 'goOn') {
        const request = ask === op ? { id: ++id, op, params } : { id: ++id, op: ask };
        const { reply } = await answer({ type: 'request', request });
        if (!reply.ok) throw new Error(reply.error.message);
        if (reply.result?.done !== false) return reply.result;
      }
    },
  };
}
