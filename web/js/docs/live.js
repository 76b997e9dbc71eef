/**
 * The live figures of a page. A figure measures again when a reader moves one of its fields, and the numbers in the
 * text change with it. All figures share one engine. Of the values that wait for it, only the newest count. What a
 * figure has measured before, it shows at once.
 */
import { Engine } from '../rooms/engine/engine.js';
import { measure, scenariosOf, shown } from './figures.js';
import { scenarioLink } from './link.js';

/** @import { Figure, Values } from './figures.js' */
/** @typedef {{numbers: Record<string, string>, says: string, html: string}} Shown */
/** @typedef {(figure: Figure, values: Values) => Promise<Shown>} Measure */

/** The most numbers of the text that change in a frame. */
const TOLD = 3;
let isLoading = true;

/** @param {HTMLFormElement[]} forms @param {(file: string) => string} address of a file of the site */
export async function openFigures(forms, address) {
  const { worker, exec, wasm, scenarios, module } = __DOCS__.engine;
  const files = { worker: address(worker), exec: address(exec), wasm: address(wasm), scenarios: address(scenarios) };
  const engine = new Engine({ ...files, module, passing: true });
  const started = engine.start();
  /** The newest measurement: the engine makes one at a time. @type {Promise<unknown>} */
  let turn = started;
  /** @type {Measure} */
  const measureNext = (figure, values) => {
    const mine = turn
      .catch(() => {})
      .then(() => started)
      .then(() => measure(figure, values, (op, ...given) => engine.request(op, ...given)));
    turn = mine;
    return mine;
  };
  /** @type {Record<string, Figure>} */
  const figures = JSON.parse(__FIGURES__);
  for (const form of forms) openFigure(form, figures[form.id], measureNext, address('index.html'));
  await started;
  isLoading = false;
}

/**
 * @param {HTMLFormElement} form @param {Figure} figure @param {Measure} measureNext @param {string} lab its address
 */
function openFigure(form, figure, measureNext, lab) {
  const main = form.closest('main');
  const inputs = [...form.querySelectorAll('input')];
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
  const link = /** @type {HTMLAnchorElement} */ (form.querySelector('a'));
  const picture = /** @type {HTMLElement} */ (form.querySelector('.picture'));
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll(`[data-number^="${form.id} "]`);
  /** @type {Map<string, Shown>} */
  const known = new Map();
  const isSwitch = (/** @type {HTMLInputElement} */ one) => one.type === 'checkbox';
  let wanted = '';
  let busy = false;
  let textIsNext = false;
  /** The last place that it looked at. */
  let last = 0;
  /** What the figure should show, and what its picture and the text show. @type {Shown | undefined} */
  let newest;
  let drawn = newest;
  let told = newest;
  /** The run that the link opens, if a reader has changed it. @type {object | undefined} */
  let run;

  /**
   * Changes some of the text's numbers, beginning where it stopped: each may lay out its paragraph again. Returns
   * whether all are right.
   * @param {Record<string, string>} numbers
   */
  function tell(numbers, most = places.length) {
    for (let looks = 0; looks < places.length; looks++) {
      const place = places[(last = (last + 1) % places.length)];
      const text = numbers[place.dataset.number?.split(' ')[1] ?? ''];
      if (text === undefined || text === place.textContent) continue;
      if (most-- === 0) return false;
      place.textContent = text;
    }
    return true;
  }

  /** @param {Shown} measured */
  function drawPicture({ says, html }) {
    output.textContent = says;
    if (!html) return;
    const drawn = document.createElement('div');
    drawn.innerHTML = html;
    for (const [i, one] of [...drawn.children].entries()) redraw(picture.children[i], one);
  }

  /** @param {Shown} measured */
  function show(measured) {
    const rests = newest === drawn && newest === told;
    newest = measured;
    if (rests) requestAnimationFrame(drawOrTell);
  }

  /** A frame of a drag has time for the picture or for the text: they take turns. */
  function drawOrTell() {
    if (!newest) return;
    const tells = newest === drawn || (textIsNext && newest !== told);
    if (!tells) drawPicture((drawn = newest));
    else if (tell(newest.numbers, TOLD)) told = newest;
    textIsNext = !tells;
    if (newest !== drawn || newest !== told) requestAnimationFrame(drawOrTell);
  }

  function update() {
    const values = Object.fromEntries(inputs.map((one) => [one.name, isSwitch(one) ? one.checked : one.valueAsNumber]));
    const invalid = inputs.find((one) => !one.checkValidity());
    link.hidden = Boolean(invalid);
    wanted = invalid ? '' : JSON.stringify(values);
    if (invalid) output.textContent = `${invalid.name}: ${invalid.validationMessage}`;
    if (invalid) return;
    const given = figure.fields.map((field) => [field.name, shown(field, values[field.name])]);
    if (isLoading) tell(Object.fromEntries(given));
    for (const [i, one] of inputs.entries()) if (one.type === 'range') one.ariaValueText = given[i][1];
    const before = known.get(wanted);
    if (before) show(before);
    else if (!busy) catchUp();
    run = scenariosOf(figure, values)[0];
  }

  /** Gives the link its address: only now, because a drag makes many runs. */
  async function aim() {
    if (run) link.href = `${lab}#${await scenarioLink(run)}`;
  }

  async function catchUp() {
    busy = true;
    if (isLoading) output.textContent = 'The engine is loading …';
    while (wanted && !known.has(wanted)) {
      const key = wanted;
      const measured = await measureNext(figure, JSON.parse(key)).catch(({ message }) => ({
        ...{ numbers: {}, says: message, html: '' },
      }));
      known.set(key, measured);
      // While the reader drags, the figure follows.
      if (wanted) show(known.get(wanted) ?? measured);
    }
    busy = false;
  }

  form.addEventListener('input', () => main?.setAttribute('data-moving', ''));
  form.addEventListener('input', update);
  form.addEventListener('change', () => main?.removeAttribute('data-moving'));
  form.addEventListener('change', aim);
  form.addEventListener('submit', (event) => event.preventDefault());
  if (inputs.some((one) => (isSwitch(one) ? one.checked : one.value !== one.defaultValue))) update();
}

/**
 * Changes a picture into another one. Only what differs changes: a frame has no time to lay out every word again.
 * @param {Element} shown @param {Element} drawn
 */
function redraw(shown, drawn) {
  if (shown.isEqualNode(drawn)) return;
  const [before, after] = [[...shown.children], [...drawn.children]];
  const isAlike = shown.tagName === drawn.tagName && before.length === after.length;
  if (!isAlike || (after.length === 0 && shown.textContent !== drawn.textContent)) {
    shown.replaceWith(drawn);
    return;
  }
  for (const name of new Set([...shown.getAttributeNames(), ...drawn.getAttributeNames()])) {
    const value = drawn.getAttribute(name);
    if (value === null) shown.removeAttribute(name);
    else if (value !== shown.getAttribute(name)) shown.setAttribute(name, value);
  }
  for (const [i, one] of before.entries()) redraw(one, after[i]);
}
