/** Once the page is idle the service worker keeps what the first visit did not need, so that all of the site works offline. */

/** What a page asks its service worker for. */
export const KEEP_REST = 'keep the rest';

/** Browsers that do not tell when they are idle get this long. */
const PATIENCE_MS = 5000;

/** Asks for nothing where the visitor saves data. @param {ServiceWorkerContainer | undefined} container @param {(ask: () => void) => unknown} [whenIdle] */
export async function keepRest(container, whenIdle = idle) {
  if (!container) return;
  const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
  if (connection?.saveData) return;
  const { active } = await container.ready;
  whenIdle(() => active?.postMessage({ type: KEEP_REST }));
}

/** @param {() => void} ask */
function idle(ask) {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(ask);
  else setTimeout(ask, PATIENCE_MS);
}
