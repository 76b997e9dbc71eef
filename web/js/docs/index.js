/**
 * What scripts add to a page of the documentation: the search, the figures that a reader can change, and an offline
 * copy of the site. Without scripts the page is still complete text. Each part loads on first use.
 */
import { element } from '../lib/element.js';
import { loadOnce, missing } from '../lib/later.js';

const field = /** @type {HTMLInputElement} */ (element('search'));
const panel = element('results');
/** The script lies in the site's folder, whatever the depth of the page. */
const site = (/** @type {string} */ file) => new URL(file, import.meta.url).href;

missing.tell = (sentence) => {
  panel.dataset.open = 'true';
  panel.textContent = sentence;
};

/** The colors that the visitor chose in the lab. */
try {
  const { theme } = JSON.parse(localStorage.getItem(`leaselab ${new URL('.', import.meta.url).pathname}`) ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage, or an entry of another shape.
}

/* ---- search ---- */

const loadSearch = loadOnce(async () => (await import('./search.js')).openSearch(panel, site));
const look = async () => (await loadSearch())?.(field.value);
const links = () => [...panel.querySelectorAll('a')];

function close() {
  field.value = '';
  look();
  field.blur();
}

/** Moves the focus among the field and the results. @param {number} by */
function move(by) {
  const stops = [field, ...links()];
  const at = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
  if (at >= 0) stops[Math.min(Math.max(at + by, 0), stops.length - 1)].focus();
}

/** @param {KeyboardEvent} event */
function press(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const finds = (ctrlKey || metaKey) && key === 'k';
  if ((ctrlKey || metaKey || altKey) && !finds) return;
  const inside = /** @type {HTMLElement} */ (target).closest('search') !== null;
  const writing = /** @type {HTMLElement} */ (target).closest('input, textarea, select') !== null;
  if (finds || (key === '/' && !writing)) field.focus();
  else if (key === 'Escape' && inside) close();
  else if (key === 'ArrowDown' && inside) move(1);
  else if (key === 'ArrowUp' && inside) move(-1);
  else if (key === 'Enter' && target === field) links()[0]?.click();
  else return;
  event.preventDefault();
}

element('find').hidden = false;
field.addEventListener('focus', look);
field.addEventListener('input', look);
addEventListener('keydown', press);
addEventListener('click', ({ target }) => {
  if (!(/** @type {Element} */ (target).closest('search'))) panel.dataset.open = 'false';
});

/* ---- figures ---- */

const saves = /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData;
const figures = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll('form.live')]);
const openAll = loadOnce(async () => (await import('./live.js')).openFigures(figures, site));
for (const form of figures) {
  form.addEventListener('focusin', openAll, { once: true });
  form.addEventListener('pointerdown', openAll, { once: true });
}
/** The engine loads for the first figure that a reader sees, unless the reader saves data. */
const watch = new IntersectionObserver((entries) => {
  if (!entries.some((one) => one.isIntersecting)) return;
  watch.disconnect();
  openAll();
});
if (!saves)
  addEventListener('load', () => {
    for (const form of figures) watch.observe(form);
  });

/* ---- without a network ---- */

if ('serviceWorker' in navigator && !saves)
  addEventListener('load', () => {
    navigator.serviceWorker.register(site('sw.js'), { updateViaCache: 'none' }).catch(() => {});
  });
