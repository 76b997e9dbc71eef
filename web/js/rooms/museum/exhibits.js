/** The exhibits: pairs of shipped scenarios that reproduce an incident, in groups by what went wrong. */

/**
 * @typedef {{catalogue: string, variant: string, partner?: string, class?: string, lesson?: number, source?: string[],
 *   story?: string, watch?: string}} Museum
 */
/**
 * @typedef {{name: string, title: string, summary?: string, seed?: number, museum?: Museum}} Shipped a scenario of
 *   scenarios.json
 */
/**
 * @typedef {{id: string, title: string, kind: string, lesson: number, source: string[], failing: Shipped,
 *   fixed: Shipped}} Exhibit
 */

/** The kinds of incidents with their headings, in the order of the list. sim/scenario/museum.go has the same list. */
export const CLASSES = /** @type {const} */ ([
  ['twoLeaders', 'Two leaders'],
  ['needlessChange', 'Needless changes'],
  ['gap', 'No leader for too long'],
  ['stuck', 'No leader comes back'],
  ['wrongRecord', 'The Lease is wrong'],
  ['herd', 'All at once'],
  ['coordinated', 'Coordinated election'],
  ['nodeHealth', 'Node health'],
  ['callbacks', 'Callbacks out of order'],
]);

/** @param {Shipped[]} shipped @returns {Exhibit[]} in the order of the headings, then of the catalogue */
export function exhibitsOf(shipped) {
  const byName = new Map(shipped.map((one) => [one.name, one]));
  const order = CLASSES.map(([name]) => /** @type {string} */ (name));
  return shipped
    .flatMap((failing) => {
      const about = failing.museum;
      const fixed = byName.get(about?.partner ?? '');
      if (about?.variant !== 'failing' || !fixed) return [];
      return [
        {
          id: about.catalogue,
          title: failing.title,
          kind: about.class ?? '',
          lesson: about.lesson ?? 0,
          source: about.source ?? [],
          failing,
          fixed,
        },
      ];
    })
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.id.localeCompare(b.id));
}

/** The text of an exhibit that the search covers. @param {Exhibit} exhibit */
function textOf({ id, title, kind, lesson, source, failing, fixed }) {
  const heading = CLASSES.find(([name]) => name === kind)?.[1] ?? '';
  const words = [failing, fixed].flatMap((one) => [one.name, one.museum?.story, one.museum?.watch]);
  return [id, title, heading, lesson > 0 ? `lesson ${lesson}` : '', ...source, ...words].join(' ').toLowerCase();
}

/** The exhibits that contain every typed word. @param {Exhibit[]} exhibits @param {string} text */
export function filterExhibits(exhibits, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return exhibits.filter((exhibit) => words.every((word) => textOf(exhibit).includes(word)));
}

/**
 * The address of a source. GitHub redirects an issue's address to the pull request with that number.
 * @param {string} source
 */
export function addressOf(source) {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
  return issue ? `https://github.com/${issue[1]}/issues/${issue[2]}` : source;
}
