/** The groups of the chooser, with one sentence about what to watch in each scenario. Pure. */

/** @import { ScenarioInfo } from '../../protocol.js' */

/**
 * The groups: each has a heading and, by name, its scenarios with what to watch. @type {[string, Record<string,
 * string>][]}
 */
export const GROUPS = [
  [
    'Start here',
    {
      'a-leader-dies': 'The slopes of b and c after 20 s: whichever reaches zero first may acquire the Lease.',
      'a-leader-at-work': 'The ticks of a: each tall tick renews the Lease, and lifts the slopes of b and c again.',
      'first-election': 'The first 0.2 s: one of the three creates the Lease, and the other two find its name in it.',
    },
  ],
  [
    'The leader goes away',
    {
      crash: 'The gap after 60 s: what was left of the Lease, plus the wait until the next leader tries again.',
      'crash-any-time': 'The instant of the crash, which the seed draws: another seed gives another gap.',
      'cut-off':
        'The cut-off leader stops at the end of its renewDeadline, before another candidate may acquire the Lease.',
      'partition-leader':
        'The old leader stops after 10 s, another takes over later, and when the network heals nothing changes back.',
      'graceful-stop': 'The gap after 20 s is as long as after a crash, because the Lease is not released.',
      'graceful-stop-release':
        'holderIdentity becomes empty at 20 s, and the gap is only the wait until the next attempt.',
      'rolling-update': 'The leader at each turn: a hands over to b, which is stopped 10 s later.',
      'paused-leader':
        'The paused leader does no work, and when it resumes it still leads although another holds the Lease.',
      'suspended-machine': 'a wakes at 50 s, reads another holder at once, and leads until 60 s: two leaders for 24 s.',
    },
  ],
  [
    'The API server',
    {
      'api-outage-8s': 'The failed requests from the outage on: the leader keeps trying, and keeps the Lease.',
      'api-outage-30s': 'The leader gives up 10 s into the outage, and nobody can lead until the server is back.',
      'lossy-network': 'The lost messages of a from 20 s on: two failed tries in a row end its leadership at 30 s.',
      'long-tail': 'The requests that take seconds: the leader tries again, and keeps the Lease.',
      'lost-answer': 'The renewal at 22.3 s: b and c see it, and a learns of it 5 s later.',
      'stale-reads':
        'The slopes of b and c: they fall for 3 s longer than the Lease says, and the gap is 3 s longer, too.',
    },
  ],
  [
    'Clocks and names',
    {
      'clock-offset':
        'renewTime in the Lease is an hour off, and the gap after 20 s is as long as with correct clocks.',
      'clock-rate': 'After 20 s the slope of a falls more slowly than the others: b or c leads before a stops.',
      'same-name': 'Two lanes with a leading bar and one name in the Lease: leaseTransitions stays 0.',
    },
  ],
  [
    'Coordinated election',
    {
      'oldest-version-leads': 'preferredHolder in the first seconds: c is chosen before a has read that it leads.',
      'better-candidate': 'preferredHolder at 40 s: a stops renewing, and c gets the Lease when it has expired.',
      'hand-over': 'From 30 s on the Lease still names a although a no longer renews it.',
      'hand-over-release': 'After 30 s a releases the Lease, so the gap is far shorter than without release.',
      'upgrade-plain': 'Which version leads after each upgrade: here chance decides.',
      'upgrade-coordinated': 'Which version leads after each upgrade: the oldest one, while a candidate still has it.',
      'strategy-conflict':
        'After 20 s the candidates answer their pings, and nobody is elected until the upgrade at 60 s.',
      'unanswered-ping': 'At about 45 s b does not answer its ping, and the Lease goes to a.',
      'elected-ghost': 'The controller elects at every attempt after 32 s, and the Lease is never written again.',
      'lease-nobody-rewrites': 'a is elected again and again, and cannot lead until the Lease is deleted at 3 min.',
      'lease-without-holder': 'After 20 s the Lease has a preferredHolder and no holder.',
      'candidate-clock-behind': 'The writes of b after 20 s: one ping, and 183 answers.',
      'leader-clock-behind': 'After 40 s c gets the Lease without preferredHolder, and two lead until a has given up.',
      'lease-kills-api-server': 'The API servers crash one after the other, each as soon as it runs the controller.',
    },
  ],
  [
    'Large and long',
    {
      many: 'The gap after 60 s: with a hundred candidates one of them tries almost at once.',
      'fault-free': 'The number of requests: one leader, no change, for an hour.',
    },
  ],
];

/** Extra search words for events that a scenario's own words do not mention. @type {Record<string, string[]>} */
const ALSO = { 'two leaders': ['paused-leader', 'clock-rate', 'same-name', 'leader-clock-behind'] };

/**
 * Groups the scenarios. Scenarios without a group come last.
 * @param {ScenarioInfo[]} scenarios
 * @returns {{heading: string, scenarios: ScenarioInfo[]}[]}
 */
export function groupScenarios(scenarios) {
  const byName = new Map(scenarios.map((one) => [one.name, one]));
  const groups = GROUPS.map(([heading, watch]) => ({
    heading,
    scenarios: Object.keys(watch).flatMap((name) => byName.get(name) ?? []),
  }));
  const known = new Set(groups.flatMap((group) => group.scenarios));
  const others = scenarios.filter((one) => !known.has(one));
  return [...groups, { heading: 'Others', scenarios: others }].filter((group) => group.scenarios.length > 0);
}

/**
 * The scenarios whose title, line, heading, sentence or extra words contain every typed word.
 * @param {ScenarioInfo[]} scenarios
 * @param {string} text
 */
export function filterScenarios(scenarios, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searchText = (/** @type {ScenarioInfo} */ { name, title, summary }) => {
    const heading = GROUPS.find(([, watch]) => name in watch)?.[0] ?? '';
    const also = Object.keys(ALSO).filter((words) => ALSO[words].includes(name));
    return `${name} ${title} ${summary} ${heading} ${watchOf(name)} ${also.join(' ')}`.toLowerCase();
  };
  return scenarios.filter((one) => words.every((word) => searchText(one).includes(word)));
}

/** What to watch in a scenario; "" if it is not in the menu. @param {string} name */
export const watchOf = (name) => GROUPS.find(([, watch]) => name in watch)?.[1][name] ?? '';
