/** Two timelines that share cursor and viewport. */

import { roleAt } from '../../page/timeline/lanelayout.js';
import { TimelineView } from '../../page/timeline/timeline.js';
import { markDifferences } from './marks.js';

/** @import { Viewport } from '../../page/state.js' */
/** @import { Compared, Comparison, Nanos, NodeView } from '../../protocol.js' */

const SIDES = /** @type {const} */ (['a', 'b']);

/** The nodes at an instant, with only their roles. @param {Compared} run @param {Nanos} t */
export const nodesAt = ({ view, timeline }, t) =>
  view.nodes.map((node) => {
    const lane = timeline.lanes.find(({ index }) => index === node.index);
    const role = /** @type {NodeView['role']} */ ((lane && roleAt(lane, t)) || 'waiting');
    return { ...node, role, roleWord: role, countdown: undefined };
  });

/**
 * A viewport of the same width that shows an instant; the same viewport if it already shows the instant.
 * @param {Viewport} viewport
 * @param {Nanos} t
 * @returns {Viewport}
 */
export function viewportWith({ from, to }, t) {
  if (t >= from && t <= to) return { from, to };
  const start = Math.max(0, t - (to - from) / 2);
  return { from: start, to: start + to - from };
}

/**
 * @param {HTMLElement} dialog with an element for each run
 * @param {() => {comparison: Comparison, chosen: number} | null} shown
 * @param {{go: (t: Nanos) => void, step: (direction: number) => void, show: (viewport: Viewport) => void}} on
 */
export function openPictures(dialog, shown, { go, step, show }) {
  /** @param {"a" | "b"} which */
  function picture(which) {
    const view = new TimelineView(/** @type {HTMLElement} */ (dialog.querySelector(`[data-run="${which}"]`)), {
      onScrub: go,
      onSelect(selection) {
        if (selection?.cursor) go(selection.cursor.t);
        else if (selection?.from !== undefined) go(selection.from);
      },
      onViewport: show,
      onSpan() {},
      onStep: step,
    });
    const differences = () => shown()?.comparison.differences ?? [];
    view.overlays.add(markDifferences(which, differences, () => shown()?.chosen ?? -1));
    return view;
  }
  const pictures = { a: picture('a'), b: picture('b') };

  /** @param {Nanos} now @param {Viewport} viewport */
  return (now, viewport) => {
    const comparison = shown()?.comparison;
    if (!comparison) return;
    for (const which of SIDES) {
      const { view, timeline } = comparison[which];
      const at = Math.min(now, view.live.t);
      pictures[which].update({
        view: { ...view, nodes: nodesAt(comparison[which], at), cursor: { t: at, n: -1 }, end: comparison.to },
        timeline,
        overview: timeline,
        viewport,
        selection: null,
        now: at,
        theme: document.documentElement.dataset.theme ?? '',
      });
    }
  };
}
