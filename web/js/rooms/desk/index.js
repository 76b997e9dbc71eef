/**
 * The desk: dialogs, the palette, links, files, settings, and the panels that the page does not need for its first
 * frame. The desk loads right after that frame and opens the rooms.
 */
import { signal } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { countdownWords } from '../../page/stage/words.js';
import { Client } from './client.js';
import { openDialogs } from './dialogs/index.js';
import { commandsOf } from './dialogs/palette/commands.js';
import { lessonTitles } from './dialogs/palette/lessons.js';
import { openExplaining } from './explaining.js';
import { openFacade } from './facade.js';
import { openFiling } from './filing.js';
import { NodeGrid } from './grid.js';
import { openInspecting } from './inspecting.js';
import { openLinks } from './links.js';
import { openChecks } from './panels/checks.js';
import { openElection } from './panels/coordinated/election.js';
import { markObservations } from './panels/observations.js';
import { markReadiness } from './panels/readiness.js';
import { markResource } from './panels/resource.js';
import { openPanels } from './panels.js';
import { openRooms } from './rooms.js';
import { openRunning } from './running.js';
import { openTips } from './tips/tips.js';

/** @import { Commands, Run } from '../../page/actions.js' */
/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { Pages } from '../../page/pages.js' */
/** @import { Rooms } from '../../page/rooms.js' */
/** @import { Selection, State } from '../../page/state.js' */
/** @import { TimelineView } from '../../page/timeline/timeline.js' */

export { NodeGrid };

/**
 * The parts of the page. A unit or a room names the members that it uses and gets only those.
 * @typedef {object} Page
 * @property {State} state
 * @property {Lab} lab
 * @property {Notifier} notifier
 * @property {Run} run runs a command
 * @property {(id: string) => string} key the keys of a command, in printed form
 * @property {(id: string) => string} shortcut the same, in the form of aria-keyshortcuts
 * @property {(selection: Selection) => void} select
 * @property {(node: string) => void} selectNode
 * @property {(addend: number | null) => void} mark
 * @property {TimelineView} timeline
 * @property {(tab: string) => void} showTab
 * @property {() => string} currentTab
 * @property {(change: object) => void} remember stores settings for the next visit
 * @property {() => void} schedule draws the next frame
 * @property {Rooms} rooms
 * @property {Pages} pages
 */

/** @param {Page} page */
export function open(page) {
  const { state, lab, notifier, run, key, select, selectNode, mark, timeline, showTab, currentTab, remember } = page;
  const { rooms } = page;
  /**
   * The instant on screen. It advances whenever the text of a countdown changes, so that the panels agree with the
   * stage.
   */
  const now = signal(0);

  const lessons = lessonTitles(lab.assets.lessons);
  const dialogs = openDialogs(
    { state, lab, run, remember },
    {
      commands: () => commandsOf({ state, lab, run }, lessons.titles.value),
      theme,
    },
  );
  const links = openLinks({ state, lab, notifier, run, pages: page.pages, showTab }, dialogs.tellTooLong);
  const filing = openFiling({
    lab,
    notifier,
    playLesson: (text) => openedRooms.playLesson(text),
    readEvidence: (files) => openedRooms.readEvidence(files),
    readRecord: (files) => openedRooms.readRecord(files),
  });
  const running = openRunning({ state, lab, notifier, select, key });
  const explaining = openExplaining({ state, lab, notifier, select, mark, rooms });
  openTips({ state, timeline });
  const client = new Client({ state, lab, notifier });
  openFacade(client);
  const openedRooms = openRooms(page, client, lessons);
  links.startTelling(openedRooms.openBesides);

  const election = openElection({ state, lab, select, selectNode, showTab, currentTab, timeline });
  const checks = openChecks({ state, lab, select, currentTab });
  markObservations(timeline);
  markReadiness(timeline);
  markResource(timeline, select);
  openPanels(
    { state, lab, notifier, run, key, selectNode, currentTab, remember },
    {
      now,
      object: openInspecting({ state, lab }, election),
      beliefPanels: () => [election.template(), checks.template()],
    },
  );

  /** @param {"system" | "light" | "dark"} chosen */
  function theme(chosen) {
    state.theme.value = chosen;
    remember({ theme: chosen });
  }

  return {
    /** Draws the countdowns and the rooms that redraw with the page. */
    update() {
      const t = lab.now();
      const countdownsAt = (/** @type {number} */ ns) =>
        state.view.value.nodes.map((node) => countdownWords(node, ns)).join();
      if (countdownsAt(t) !== countdownsAt(now.value)) now.value = t;
      openedRooms.update();
    },
    /** Closes an open panel; false when none is open. */
    close() {
      if (page.pages.close()) return true;
      if (explaining.isOpen()) explaining.close();
      else return openedRooms.leaveLesson();
      return true;
    },
    /** Whether a lesson is open. */
    learning: openedRooms.isLearning,
    /** @type {Commands} */
    commands: {
      ...running.commands,
      ...openedRooms.commands,
      why: explaining.show,
      goTo: () => dialogs.open('goTo'),
      clock: () => dialogs.open('clock'),
      palette() {
        lessons.load();
        dialogs.open('palette');
      },
      help: () => dialogs.open('help'),
      copyLink: links.copyLink,
      saveJson: () => filing.save('json'),
      saveYaml: () => filing.save('yaml'),
      saveSession: () => filing.saveSession(),
      openFile: () => element('file').click(),
      themeSystem: () => theme('system'),
      themeLight: () => theme('light'),
      themeDark: () => theme('dark'),
    },
  };
}
