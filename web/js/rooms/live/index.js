/**
 * Records of real programs: the growing record that `leaselab serve --faults` or `leaselab test` is writing, and
 * records in files.
 *
 * Guarantee: the page's run has the trace hash of the record, or a message says that it does not. Non-guarantee: the
 * page keeps all calls of the record in memory, and nothing on the page affects the programs.
 */

import { wire } from '../engine/index.js';
import { startTools } from '../engine/tools.js';
import { streamOf } from '../evidence/stream.js';
import { Banner } from './banner.js';
import { Following } from './following.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Engine } from '../engine/engine.js' */

/** @typedef {{lab: Lab, notifier: Notifier}} Page */

/** The page's engine for records. @type {Promise<Engine> | undefined} */
let starting;

/** The banner of the page. @type {Banner | undefined} */
let banner;

/** @param {Lab} lab */
async function engineOf(lab) {
  starting ??= startTools(lab.assets)
    .then((engine) => {
      wire(lab, engine);
      return engine;
    })
    .catch((error) => {
      starting = undefined; // the next record tries again
      throw error;
    });
  return starting;
}

/** @param {Page} page */
export function open({ lab, notifier }) {
  banner ??= new Banner(lab.state);
  const bar = /** @type {Banner} */ (banner);

  /** Hands the page over to the record. @param {Engine} engine */
  async function show(engine) {
    const view = await engine.request('recordShow');
    const { source } = lab;
    if (source !== engine) {
      source.onView = () => {}; // it may continue to play
      source.request('pause').catch(() => {});
    }
    lab.takeOver(engine, view);
    lab.touched = false;
    lab.setSpeed(1);
    lab.resetPage({});
  }

  return {
    /** Follows the record of the server that sent the page. */
    async follow() {
      lab.reload = () => location.reload();
      const answer = await fetch(new URL('leaselab/record?follow', document.baseURI), { cache: 'no-store' });
      if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status}`);
      const engine = await engineOf(lab);
      const following = new Following({ lab, notifier, engine, banner: bar, show: () => show(engine) });
      await following.read(texts(answer.body));
    },

    /** Opens the record in a file. @param {File} file @param {() => unknown} asEvidence reads the file as evidence */
    async openFile(file, asEvidence) {
      notifier.say(`Reading ${file.name}.`);
      const engine = await engineOf(lab);
      await engine.request('recordBegin');
      const decoder = new TextDecoder();
      for await (const chunk of streamOf(file))
        await engine.request('recordFeed', { text: decoder.decode(chunk, { stream: true }) });
      const read = await engine.request('recordFeed', { text: decoder.decode(), over: true });
      if (read.end > 0 || !read.says) await show(engine);
      const { says, whole } = await engine.request('recordFeed', { text: '' }); // may have found damage
      const action = { label: 'Read it as evidence', run: asEvidence };
      bar.show({ text: `${file.name}: a record of real programs.`, action });
      if (says) notifier.notify(`${file.name}, ${says}. Everything before it is shown.`, { tone: 'error' });
      else
        notifier.notify(`${file.name} is open.${whole ? '' : ' It has no end: leaselab was killed while writing it.'}`);
    },
  };
}

/** @param {ReadableStream<Uint8Array>} body */
async function* texts(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
