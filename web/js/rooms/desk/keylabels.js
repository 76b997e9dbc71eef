/** The labels of the commands. Only the desk shows them, so the first view does without. */

/** By id of the table of keys. @type {Record<string, string>} */
const LABELS = {
  playPause: 'Play or pause',
  eventBack: 'Previous event',
  eventForth: 'Next event',
  landmarkBack: 'Previous landmark',
  landmarkForth: 'Next landmark',
  toStart: 'Go to the start',
  toLive: 'Go to live',
  fineBack: 'Step back slightly',
  fineForth: 'Step forward slightly',
  slower: 'Slower',
  faster: 'Faster',
  goTo: 'Go to a time…',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  panLeft: 'Move the view left',
  panRight: 'Move the view right',
  fit: 'Fit the run, or the marked span',
  laneUp: 'Lane above',
  laneDown: 'Lane below',
  markSpan: 'Mark a span: its start, then its end',
  lessonBack: 'Previous step of the lesson',
  lessonForth: 'Next step of the lesson',
  crash: 'Crash',
  pauseNode: 'Pause or resume',
  cut: 'Cut off or heal',
  stop: 'Stop gracefully',
  restart: 'Restart',
  add: 'Add a node',
  undo: 'Undo',
  redo: 'Redo',
  selectLease: 'Select the Lease',
  filter: 'Filter the events',
  api: 'API: type a kubectl command',
  compare: 'Compare two runs',
  copyLink: 'Copy the link',
  palette: 'Every command by name',
  help: 'Keys and help',
  escape: 'Close, then deselect',
};

/** @param {{id: string}} entry of the table of keys */
export function labelOf({ id }) {
  return LABELS[id] ?? id.replace(/^node(\d)$/, 'Select node $1');
}
