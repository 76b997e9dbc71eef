/**
 * The API tab: a kubectl-like line, a request editor, the answer, and the exchanges so far. It is a separate chunk.
 */
import { element } from '../../lib/element.js';
import { waitUntil } from '../../lib/until.js';
import { Answer } from './answer.js';
import { drawTab } from './drawing.js';
import { Editor } from './editor.js';
import { statusText } from './exchange.js';
import { Exchanges } from './exchanges.js';
import { Lines } from './lines.js';
import { Requests } from './requests.js';
import { prettyJson } from './table.js';

/** @import { Client } from '../desk/client.js' */

/**
 * @param {Pick<import('../desk/index.js').Page, "state" | "lab" | "notifier" | "select" | "currentTab" | "shortcut">}
 *   page
 * @param {Client} client
 */
export function open(page, client) {
  const { state, lab, notifier } = page;
  const say = (/** @type {string} */ sentence) => notifier.say(sentence);

  /**
   * Prints JSON the way kubectl prints YAML, once the engine has loaded. Until then it stays JSON, which is also YAML.
   * @param {string} json
   */
  const yamlOf = async (json) => {
    await waitUntil(() => state.phase.value !== 'opening');
    return lab.ask('yaml', { json }).then(
      ({ text }) => text,
      () => prettyJson(json),
    );
  };
  const yaml = (/** @type {unknown} */ value) => yamlOf(JSON.stringify(value));
  const lease = () => {
    const { name, namespace } = state.view.value.lease;
    return { namespace: namespace || 'default', name: name || 'demo' };
  };

  /* ---- the units ---- */

  const requests = new Requests(client);
  const answer = new Answer(client.sent, yamlOf);
  const editor = new Editor({
    lease,
    yaml,
    send: async (ask) => {
      requests.stop();
      lines.hide();
      const reply = await requests.send(ask);
      answer.showOwn(reply.id);
      say(reply.watch ? 'Watching.' : `${statusText(reply.status)}.`);
      if (reply.watch) {
        answer.chosen.value = 'lines';
        requests.follow(reply, { tell: () => {}, end: () => say('The watch has ended.') });
      }
      return reply;
    },
    say,
  });
  const lines = new Lines(requests, {
    lease,
    yaml,
    edit: (ask, how) => {
      editor.load(ask, how);
      const body = /** @type {HTMLTextAreaElement} */ (element('api-body'));
      body.focus();
      body.setSelectionRange(0, 0);
      body.scrollTop = 0;
    },
    onBegin: () => answer.showForeign(null),
    say,
  });
  const exchanges = new Exchanges(lab.ask.bind(lab), (shown) => {
    lines.leave();
    answer.showForeign(shown);
  });

  drawTab(page, client.sent, { requests, answer, editor, lines, exchanges, yaml: yamlOf });
  editor.choose({});

  return {
    /**
     * Moves the focus to the line, ready for typing. @param {string} typed letters that the visitor typed in the
     * meantime
     */
    focus(typed) {
      lines.text.value += typed;
      element('api-line').focus();
    },
  };
}
