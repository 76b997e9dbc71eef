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
    viewport: { from: 4e9, to: 44e9 },
  },
  steps: [
    {
      kind: 'look',
      title: 'One job, three helpers.',
      text: [
        'a, b and c are three copies of one program. Only one may work, or the work is done twice. The one that works is the *leader*. Now it is a.',
      ],
      look: { region: 'stage' },
      viewport: { from: 0, to: 20e9 },
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
      viewport: { from: 0, to: 20e9 },
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
      viewport: { from: 0, to: 20e9 },
      until: 18.2e9,
    },
    {
      kind: 'act',
      title: 'Your turn.',
      text: ['Crash a: {press}choose **Crash a**.'],
      look: { region: 'crash' },
      done: 'a is gone. A crash sends no message.',
      wrong: 'That was {verb}. It makes a different story, kept as a branch. Undo, then crash a.',
      until: 20e9,
    },
    {
      kind: 'bet',
      title: 'Your prediction.',
      text: [
        'It is 20 s. The note still names a and holds for 15 s. **When will b or c lead?** Drag the marker, click the ruler, or type: 35, or 15 for 15 s after the crash.',
      ],
      note: true,
      until: 20e9,
    },
    {
      kind: 'see',
      title: 'See.',
      text: [],
      won: '**{winner} leads at {tookAt} s, {gap} s after the crash.**',
      off: '**{winner} leads at {tookAt} s, {gap} s after the crash. You said {bet} s: {off} s too {side}.**',
      exact: '**{winner} leads at {tookAt} s, {gap} s after the crash. You said {bet} s: right to the millisecond.**',
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
        none: "No prediction, fine. Watch {winner}'s slope: it reaches zero at {freeAt}, and {winner} tries at {lookedAt}.",
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
      text: ['Which of these changes nothing after a crash?'],
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
        '{right}A process releases the Lease as it exits; a crash leaves it no time to. Run again with it: {release.here} as before. Lease 10 s: {lease.here} in this run, median {lease.median}. retryPeriod 1 s: {looks.here} in this run, median {looks.median}.',
      wrong:
        'Run again with {choice}: {here} in this run, {change} than the {gap} on screen. Over {seeds} seeds the median is {median}, {medianChange} than {plain} without it. It changes something. Try another.',
      keep: '**Takeaway: the gap is what was left of the lease as the next leader saw it, plus its wait until its next attempt.**',
      goal: 'Goal to try: gap under 5 s in a crash. What do you pay in requests?',
      next: 'Lesson 2: Why wait for a lease that died long ago?',
      until: 36e9,
    },
  ],
};
