/** Records a canvas as a video, in the format that this browser writes. */

/**
 * The first that a browser writes: MP4 says how long it is, WebM of a browser does not.
 * @type {[type: string, ending: string][]}
 */
const TYPES = [
  ['video/mp4;codecs=avc1.42E01F', 'mp4'],
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm', 'webm'],
  ['video/mp4', 'mp4'],
];
const FRAMES_PER_SECOND = 30;
/** The last picture stays so long, for those who read it. */
const STAYS_MS = 1000;

/** @returns {{type: string, ending: string} | undefined} undefined if this browser records nothing */
export function videoType() {
  if (typeof MediaRecorder === 'undefined' || !HTMLCanvasElement.prototype.captureStream) return undefined;
  const found = TYPES.find(([type]) => MediaRecorder.isTypeSupported(type));
  return found && { type: found[0], ending: found[1] };
}

/**
 * Records in real time: a clip of ten seconds takes ten. While the page is hidden the recording waits.
 * @param {HTMLCanvasElement} canvas
 * @param {{type: string, ms: number, frame: (share: number) => void, tell: (share: number) => void,
 *   signal: AbortSignal}} how frame draws the clip at a share of its length
 * @returns {Promise<Blob | undefined>} undefined if it was cancelled
 */
export function record(canvas, { type, ms, frame, tell, signal }) {
  frame(0);
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_SECOND), {
    mimeType: type,
    videoBitsPerSecond: 6_000_000,
  });
  /** @type {Blob[]} */
  const parts = [];
  let elapsed = 0;
  let last = performance.now();
  const hide = () => {
    last = performance.now();
    if (recorder.state === 'inactive') return;
    if (document.hidden) recorder.pause();
    else recorder.resume();
  };
  const stop = () => recorder.state !== 'inactive' && recorder.stop();
  return new Promise((resolve, reject) => {
    function next() {
      if (recorder.state === 'inactive') return;
      const now = performance.now();
      elapsed += now - last;
      last = now;
      frame(Math.min(1, elapsed / ms));
      tell(Math.min(1, elapsed / (ms + STAYS_MS)));
      if (elapsed >= ms + STAYS_MS) stop();
      else requestAnimationFrame(next);
    }
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onerror = () => reject(new Error('The browser stopped recording. Try a shorter clip.'));
    recorder.onstop = () => {
      document.removeEventListener('visibilitychange', hide);
      signal.removeEventListener('abort', stop);
      resolve(signal.aborted ? undefined : new Blob(parts, { type: recorder.mimeType || type }));
    };
    document.addEventListener('visibilitychange', hide);
    signal.addEventListener('abort', stop);
    recorder.start();
    requestAnimationFrame(next);
  });
}
