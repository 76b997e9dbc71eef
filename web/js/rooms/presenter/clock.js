/** The time since the presentation of a lesson began. */
import { signal } from '@preact/signals-core';

export class Clock {
  #from = 0;
  #timer = 0;

  /** @param {() => number} [now] in milliseconds */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.text = signal('0:00');
  }

  /** Starts the clock at zero, unless it is already running. */
  start() {
    if (this.#timer) return;
    this.#timer = window.setInterval(() => this.tick(), 500);
    this.restart();
  }

  restart() {
    this.#from = this.now();
    this.tick();
  }

  tick() {
    this.text.value = clockText(this.now() - this.#from);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }
}

/** @param {number} ms @returns {string} "12:05", "1:02:05" */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const twoDigits = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
}
