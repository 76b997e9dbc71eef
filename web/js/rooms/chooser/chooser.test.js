import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, enter, fire, settle, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';

const scenario = (/** @type {string} */ name) => ({ name, title: `Title of ${name}`, summary: `Summary of ${name}.` });

/**
 * Shows the chooser for a run of the first scenario.
 * @param {{opens?: boolean, still?: boolean, patch?: object[]}} [how]
 */
function chooser({ opens = true, still = false, patch } = {}) {
  const page = pageAt({ scenario: 'alpha' }, { open: async () => opens, ask: async () => ({ patch }) });
  Object.assign(globalThis, { matchMedia: () => ({ matches: still }) });
  page.state.hello.value = /** @type {any} */ ({ scenarios: ['alpha', 'beta'].map(scenario) });
  const unit = open(page.ports);
  unit.show();
  const [dialog] = page.added();
  const listedNames = () => all(dialog, 'nav button').map((one) => one.getAttribute('data-scenario'));
  return { ...page, ...unit, dialog, listedNames };
}

test('every scenario is listed, the open one marked, and the search has the focus', () => {
  const { dialog, listedNames, focusedId } = chooser();
  assert.deepEqual(listedNames().sort(), ['alpha', 'beta']);
  assert.equal(the(dialog, '[aria-current="true"]').getAttribute('data-scenario'), 'alpha');
  assert.equal(focusedId(), 'scenarios-text');
  assert.match(text(dialog), /2 of 2 scenarios/);
});

test('a search narrows the list; it is empty again when the chooser opens the next time', () => {
  const { dialog, listedNames, show } = chooser();
  enter(the(dialog, '#scenarios-text'), 'beta');
  assert.deepEqual(listedNames(), ['beta']);
  show();
  assert.equal(listedNames().length, 2);
});

test('from the search the arrow goes to the list, and Enter opens its first', () => {
  const { dialog, document } = chooser();
  const press = (/** @type {string} */ key) => fire(the(dialog, '#scenarios-text'), 'keydown', { key });
  assert.equal(press('x').defaultPrevented, false);
  assert.equal(press('ArrowDown').defaultPrevented, true);
  const first = /** @type {any} */ (document.activeElement);
  assert.equal(first.localName, 'button');
  let clicked = false;
  first.click = () => {
    clicked = true;
  };
  press('Enter');
  assert.equal(clicked, true);
});

test('a chosen scenario opens and plays, unless it was not opened or no motion is wanted', async () => {
  const ops = async (/** @type {any} */ how) => {
    const { dialog, done } = chooser(how);
    all(dialog, 'nav button')
      .find((one) => one.getAttribute('data-scenario') === 'beta')
      ?.click();
    await settle();
    assert.equal(dialog.open, false);
    return done.map(([name]) => name).filter((name) => name !== 'ask');
  };
  assert.deepEqual(await ops({}), ['open', 'play']);
  assert.deepEqual(await ops({ opens: false }), ['open']);
  assert.deepEqual(await ops({ still: true }), ['open']);
});

test('settings changed in the run before are offered, and only settings of every elector', async () => {
  const lease = { path: 'elector.leaseDuration', value: '30s' };
  const open = async (/** @type {object[]} */ ...patch) => {
    const it = chooser({ patch, still: true });
    await it.choose('beta');
    return it.done;
  };
  const done = await open(lease, { path: 'seed', value: '9' });
  const [, words, { action }] = /** @type {any} */ (done.at(-1));
  assert.equal(words, 'This run has its own settings, not leaseDuration 30s.');
  await action.run();
  assert.deepEqual(done.at(-1), ['change', 'edit', { path: '', value: '', changes: [lease], mode: 'rerun' }]);
  for (const patch of [[], [{ path: 'seed', value: '9' }]])
    assert.ok((await open(...patch)).every(([name]) => name !== 'notify'));
});

test('the museum and a file are a button away', () => {
  for (const [name, command] of [
    ['Real incidents: the museum…', 'museum'],
    ['Open a file…', 'openFile'],
  ]) {
    const { dialog, done } = chooser();
    button(dialog, name).click();
    assert.deepEqual([dialog.open, done], [false, [['run', command]]]);
  }
});
