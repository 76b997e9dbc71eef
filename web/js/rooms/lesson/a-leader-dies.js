/**
 * Lesson 1, "A leader dies": words and places only. What a step's kind means for the page is in progress.js and steps.js.
 * Braces hold values of the run (facts.js); **bold** and *emphasis* are all the markup there is.
 */

/** @import { Lesson } from './lessons.js' */

/** @type {Lesson} */
export const aLeaderDies = {
  number: 1,
  title: 'A leader dies',
  minutes: 3,
  teaser: 'a leads, then it dies, and no message says so. When will b or c lead?',
  run: {
    scenario: 'a-leader-at-work',
    from: 12e9,
    actAt: 20e9,
    act: 'crash',
    node: 'a',
    until: 36e9,
    viewport: { from: 10e9, to: 46e9 },
  },
  steps: [
    {
      kind: 'look',
      title: 'One job, three helpers.',
      text: [
        'a, b and c are three copies of one program. Only one may work, or the work is done twice. The one that works is the *leader*. Now it is a.',
      ],
      look: { region: 'stage' },
      until: 12e9,
    },
    {
      kind: 'look',
      title: 'The note.',
      text: [
        "They share a note, the *Lease*: who leads, and for how long that holds without a renewal: 15 s. About every 2 s, a renews it. Each tick in a's lane is one renewal.",
      ],
      look: { region: 'ticks', node: 'a' },
      note: true,
      until: 18.2e9,
      speed: 2,
    },
    {
      kind: 'look',
      title: 'The others only read.',
      text: [
        'b and c never talk to a. Every 2 to 4.4 s, at random, each reads the note. Has it changed? Then its own 15 s countdown starts again: the slope in its lane.',
      ],
      look: { region: 'slope', node: 'b' },
      until: 18.2e9,
    },
    {
      kind: 'act',
      title: 'Your turn.',
      text: ['Stop a: {press}choose **Crash a**.'],
      look: { region: 'crash' },
      done: 'a is gone. A crash sends no message.',
      wrong: 'That was {verb}. It makes a different story, kept as a branch. Undo, then crash a.',
      until: 20e9,
    },
    {
      kind: 'bet',
      title: 'Your bet.',
      text: [
        'It is 20 s. The note still names a and holds for 15 s. **When will b or c lead?** Drag the marker, click the ruler, or type.',
      ],
      note: true,
      until: 20e9,
    },
    {
      kind: 'see',
      title: 'See.',
      text: [],
      won: '**{winner} leads at {tookAt} s, {gap} s after the crash.**',
      off: '**{winner} leads at {tookAt} s, {gap} s after the crash. Your bet: {bet} s, {off} s too {side}.**',
      exact: '**{winner} leads at {tookAt} s, {gap} s after the crash. Your bet: {bet} s, to the millisecond.**',
      thoughts: {
        noticed:
          'You expected the others to notice. Nothing tells them: a silent leader looks like a dead one until the countdown ends.',
        gaveUp: '{renewDeadline} s is *renewDeadline*: after that a **living** leader gives up. A dead one cannot.',
        checked:
          'Nobody checks whether {actor} lives. They wait for their countdown, and at your {bet} s {winner} still has {left} s to go.',
        renewal:
          'You counted {lease} s from the last renewal. Very close: {winner} could take over from {freeAt}. But it only finds out at its next attempt, at {lookedAt}.',
        spotOn: 'Spot on. Part of it was luck: {winner} tries at random times. Can you say where the seconds went?',
        crash:
          "You counted {lease} s from the crash. {winner}'s countdown began {head} s earlier, when it last saw a change.",
        careful:
          'Too careful this time. In other runs it takes longer: over 600 runs of the real library, 13.8 to 20.4 s, half under 16.3 s (leader cut off at 60 s).',
        none: "No bet, fine. Watch {winner}'s slope: it reaches zero at {freeAt}, and {winner} tries at {lookedAt}.",
      },
      until: 36e9,
    },
    {
      kind: 'why',
      title: 'Where the time went.',
      text: [],
      sum: '{gap} s = {chain}.',
      parts: ["left on {winner}'s countdown", 'until {winner} tried again', 'to read and write the note'],
      other:
        'Why not {other}? {other} saw the same renewal later, at {otherSeen}, when {actor} was already dead. Its countdown lasts until {otherFree}. *Same note, two countdowns: each counts from its own look.*',
      until: 36e9,
    },
    {
      kind: 'transfer',
      title: 'One question to take away.',
      text: ['Which of these would **not** have helped here?'],
      seeds: 200,
      choices: [
        {
          id: 'lease',
          label: 'leaseDuration 10 s, renewDeadline 6 s',
          patch: [
            { path: 'elector.renewDeadline', value: '6s' },
            { path: 'elector.leaseDuration', value: '10s' },
          ],
        },
        { id: 'looks', label: 'retryPeriod 1 s', patch: [{ path: 'elector.retryPeriod', value: '1s' }] },
        {
          id: 'release',
          label: 'releaseOnCancel: release the Lease on exit',
          patch: [{ path: 'elector.releaseOnCancel', value: 'true' }],
          right: true,
        },
      ],
      rightWord: 'Right. ',
      right:
        '{right}A process releases the Lease as it exits; a crash leaves it no time to. Re-run: still {release.here}. Lease 10 s: {lease.here}, median {lease.median}. retryPeriod 1 s: {looks.here}, median {looks.median}.',
      wrong:
        'Re-run with {choice}: {here} here, median {median} of {seeds} runs against {plain}. It does help{exception}. Try another.',
      exception: ', though not in every run',
      keep: '**Keep: the gap is what was left of the lease as the next leader saw it, plus its wait until its next attempt.**',
      goal: 'Goal to try: gap under 5 s in a crash. What do you pay in requests?',
      next: 'Lesson 2: Why wait for a lease that died long ago?',
      until: 36e9,
    },
  ],
};
