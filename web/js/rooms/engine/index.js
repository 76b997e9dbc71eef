/** Starts the engine, which takes over from the recorded run. It loads after the first frame. */

import { set } from '../../lib/control.js';
import { Engine } from './engine.js';
import { followers } from './following.js';
import { keepForReload, takeKept } from './keeping.js';
import { recycle } from './recycle.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { RecordedRun } from '../../page/opening.js' */

/** Starts the engine and hands the run over to it. @param {Lab} lab */
export async function open(lab) {
  const { state } = lab;
  const engine = new Engine(lab.assets);
  wire(lab, engine);
  state.hello.value = await engine.start();
  lab.reload = () => {
    if (keepForReload(engine.keep())) location.reload();
    else lab.notifier.notify('The run is too large to survive a reload. Save the session first.');
  };
  await handOver(lab, engine);
  state.progress.value = 1;
  state.phase.value = 'ready';
  recycle(engine, () => followers.size > 0);
  const queued = state.queued.value;
  state.queued.value = [];
  for (const { retry } of queued) await retry();
}

/** Tells the reader what happens to the engine. @param {Lab} lab @param {Engine} engine */
export function wire(lab, engine) {
  const { state } = lab;
  engine.onComputing = (computing) => set(state.computing, computing);
  engine.onProgress = (loaded, total) => set(state.progress, total > 0 ? Math.min(1, loaded / total) : 0);
  const { scenario } = lab.opening.frames[0];
  engine.onFailed = (sentence, loading) => {
    lab.fail('', sentence);
    const openDefault = () => lab.open({ scenario }, 'The scenario will open');
    const action = loading
      ? { label: 'Reload', run: lab.reload }
      : { label: 'Open the default scenario', run: openDefault };
    lab.notifier.notify(sentence, { tone: 'error', action });
  };
  engine.onReady = () => set(state.phase, 'ready');
  engine.onDeath = ({ how }) => {
    if (how === 'panic') return;
    const what = how === 'silent' ? 'has not answered for 5 s' : 'stopped without giving a reason';
    lab.notifier.notify(`The simulator ${what}, so it restarts. The run is kept.`, { tone: 'error' });
  };
  engine.onPanic = (report) => {
    lab.bug('The simulator crashed at this step. The run was replayed up to it and stays paused.', report);
  };
}

/** Opens the same run at the same instant, playing if it was playing. @param {Lab} lab @param {Engine} engine */
async function handOver(lab, engine) {
  const recorded = /** @type {RecordedRun} */ (lab.source);
  const { playing, speed, until } = recorded;
  recorded.stop();
  if (await openLinked(lab, engine)) return;
  const { scenario, seed } = recorded.frames[0];
  const params = { scenario, seed, cursor: recorded.cursor, live: recorded.live };
  const view = await engine.request('open', params);
  lab.takeOver(engine, view);
  if (playing) lab.receive(await engine.request('play', { speed, until: until < recorded.end ? until : undefined }));
}

/**
 * Opens the run that the page kept across a reload, or else the link that opened the page.
 * @param {Lab} lab
 * @param {Engine} engine
 */
async function openLinked(lab, engine) {
  const { linked } = lab;
  const save = takeKept();
  const savedView = save && (await engine.open(save).catch(() => undefined));
  lab.linked = undefined;
  const view =
    savedView ??
    (linked && (await engine.request('open', lab.openParams(linked)).catch((error) => badLink(lab, error))));
  lab.state.arrival.value = null;
  if (!view) return false;
  lab.takeOver(engine, view);
  lab.resetPage(linked ?? {});
  if (savedView) lab.touched = true;
  if (savedView && savedView.hash !== save?.hash)
    lab.notifier.notify('This version computes the run differently: the trace hash differs.', { tone: 'error' });
  return true;
}

/** @param {Lab} lab @param {Error} error */
function badLink(lab, error) {
  const reason = `This link could not be opened: ${error.message.replace(/\.?$/, '.')}`;
  lab.notifier.notify(`${reason} The default scenario is open instead.`, { tone: 'error' });
}
