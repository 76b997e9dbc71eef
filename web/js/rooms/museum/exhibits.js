/** The exhibits: pairs of shipped scenarios that reproduce an incident, and the search through them. */
import words from './words.json' with { type: 'json' };

/**
 * @typedef {{catalogue: string, variant: string, partner?: string, class?: string, lesson?: number, source?: string[],
 *   story?: string, watch?: string}} Museum
 */
/**
 * @typedef {{name: string, title: string, summary?: string, seed?: number, actions?: {act: string}[],
 *   museum?: Museum}} Shipped a scenario of scenarios.json
 */
/**
 * @typedef {{id: string, title: string, kind: string, lesson: number, source: string[], failing: Shipped,
 *   fixed: Shipped}} Exhibit
 */

/**
 * The kinds of incidents with their headings, in the order of the list, as in sim/scenario/museum.go; patterns for what
 * people call things, each with the museum's word; and what to search for instead.
 */
export const { classes: CLASSES, synonyms: SYNONYMS, suggested: SUGGESTED } = words;

/** @param {Shipped[]} shipped @returns {Exhibit[]} in the order of the catalogue */
export function exhibitsOf(shipped) {
  const byName = new Map(shipped.map((one) => [one.name, one]));
  return shipped
    .flatMap((failing) => {
      const about = failing.museum;
      const fixed = byName.get(about?.partner ?? '');
      if (about?.variant !== 'failing' || !fixed) return [];
      const { catalogue: id, class: kind = '', lesson = 0, source = [] } = about;
      return [{ id, title: failing.title, kind, lesson, source, failing, fixed }];
    })
    .sort((a, b) => a.id.localeCompare(b.id));
}

/** The kinds of faults in a run, in the words of scenarios. @param {Exhibit} exhibit */
const actsOf = ({ failing }) => [...new Set((failing.actions ?? []).map(({ act }) => act))];

/** The text of an exhibit that the search covers. @param {Exhibit} exhibit */
function textOf(exhibit) {
  const { id, title, kind, lesson, source, failing, fixed } = exhibit;
  const heading = CLASSES.find(([name]) => name === kind)?.[1] ?? '';
  const words = [failing, fixed].flatMap((one) => [one.name, one.museum?.story, one.museum?.watch]);
  return [id, title, heading, lesson > 0 ? `lesson ${lesson}` : '', ...source, ...words, ...actsOf(exhibit)]
    .join(' ')
    .toLowerCase();
}

/** @param {string} text typed */
const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

/**
 * The exhibits that contain every typed word, or every word of what the museum calls it.
 * @param {Exhibit[]} exhibits @param {string} text
 */
export function filterExhibits(exhibits, text) {
  const typed = text.toLowerCase();
  const same = SYNONYMS.reduce((so, [pattern, word]) => so.replace(new RegExp(pattern, 'g'), word), typed);
  return exhibits.filter((exhibit) => {
    const all = textOf(exhibit);
    return [typed, same].some((one) => wordsOf(one).every((word) => all.includes(word)));
  });
}

/** Why the catalogue has a number that the museum does not show. @type {Record<string, string>} */
const MISSING = {
  B17: `B17 is not in the museum. A Curator client took the ZooKeeper node of its expired session for its new lock
    (apache/curator#1211). leaselab has no sessions that a server ends late, so no run can show it. B16 is close.`,
  B46: `B46 is not in the museum. Reviewers of kubernetes/kubernetes#124012 saw that candidates would not all get the
    same time to answer. No cluster reported it, and the museum shows only what happened. B47 is close.`,
};

/** Why a number that the visitor typed is not in the museum; "" for any other text. @param {string} text */
export const missingText = (text) => MISSING[text.trim().toUpperCase()] ?? '';

/**
 * The exhibits that are most like one: the same faults, then the same kind.
 * @param {Exhibit} exhibit @param {Exhibit[]} exhibits
 */
export function likeIt(exhibit, exhibits) {
  const acts = actsOf(exhibit);
  const score = (/** @type {Exhibit} */ other) =>
    2 * actsOf(other).filter((act) => acts.includes(act)).length + (other.kind === exhibit.kind ? 1 : 0);
  const others = exhibits.filter((other) => other.id !== exhibit.id && score(other) > 1);
  return others.sort((a, b) => score(b) - score(a)).slice(0, 2);
}

/**
 * The address of a source. GitHub redirects an issue's address to the pull request with that number.
 * @param {string} source
 */
export function addressOf(source) {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
  return issue ? `https://github.com/${issue[1]}/issues/${issue[2]}` : source;
}
