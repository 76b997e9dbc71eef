/**
 * The page's end of the service worker's relay. It turns a fetch for the API into a request to the engine. It turns a
 * watch into a stream of frames, which waits for its reader.
 */
import { yamlTools } from '../../lib/yaml.js';

/** @import { Ask, Client } from './client.js' */

/**
 * The browser stops an idle service worker, and with it the streams through it. Messages at this interval keep it
 * alive.
 */
const PING_MS = 8000;

/** @param {Client} client */
export function openFacade(client) {
  const container = navigator.serviceWorker;
  if (!container) return;
  let streams = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let pings;
  /** @param {number} by */
  function count(by) {
    streams += by;
    if (streams > 0)
      pings ??= setInterval(() => container.controller?.postMessage({ type: 'ping', at: Date.now() }), PING_MS);
    else {
      clearInterval(pings);
      pings = undefined;
    }
  }

  container.addEventListener('message', ({ data, ports }) => {
    if (data?.type === 'knock') serve(ports[0]);
  });
  container.startMessages();

  /** Serves the single request of a port. @param {MessagePort} port */
  function serve(port) {
    let watch = 0;
    let wants = false;
    let isGone = false;
    port.onmessage = async ({ data }) => {
      if (data.type === 'more') {
        wants = true;
        client.poll();
      } else if (data.type === 'close') {
        isGone = true;
        if (watch) client.close(watch);
      } else if (data.type === 'request') {
        const reply = await client.send(await readable(data.ask), 'fetch');
        const { status, headers, answer } = reply;
        watch = reply.watch;
        port.postMessage({ type: 'answer', status, headers, body: answer, streams: watch > 0 });
        if (watch === 0) return;
        count(1);
        client.follow(reply, {
          wants: () => wants,
          tell: (frames) => {
            wants = false;
            port.postMessage({ type: 'frames', text: frames.join('') });
          },
          end: () => {
            count(-1);
            port.postMessage({ type: 'end' });
          },
        });
        if (isGone) client.close(watch);
      }
    };
    port.postMessage({ type: 'here' });
  }
}

/** Converts a valid YAML body to JSON, because the engine reads only JSON. @param {Ask} ask */
async function readable(ask) {
  const yaml = ask.headers.some((header) => /^content-type:.*yaml/i.test(header));
  if (!yaml || ask.body.trim() === '' || ask.body.trimStart().startsWith('{')) return ask;
  try {
    const { parseYaml } = await yamlTools();
    return { ...ask, body: JSON.stringify(parseYaml(ask.body)) };
  } catch {
    return ask;
  }
}
