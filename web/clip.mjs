/**
 * Records the README's clip of the built page: clip.webp, *A leader dies* as it plays on the first visit. An animated WebP
 * plays in an <img>, and so in a README; Chromium writes its frames, and the container around them is made here.
 * CHROMIUM=… node clip.mjs
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shown, story, visit } from './shown.mjs';

/** @import { Page } from '@playwright/test' */
/** A changed part of the picture, and when it is shown. @typedef {{x: number, y: number, width: number, height: number, data: Buffer, at: number}} Frame */

const VIEWPORT = { width: 760, height: 720 };
const QUALITY = 0.4;
/** At most so many frames a second. */
const FRAME_MS = 300;
const HOLD_MS = 4000;
const WITHIN_MS = 60_000;

/** Bytes of a number, the lowest first. @param {number} value @param {number} count */
const bytes = (value, count) => Buffer.from(Array.from({ length: count }, (_, i) => (value >> (8 * i)) & 255));

/** @param {string} name @param {...Buffer} parts */
function chunk(name, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name), bytes(body.length, 4), body, Buffer.alloc(body.length % 2)]);
}

/** The picture's chunk of a WebP file. @param {Buffer} webp */
function picture(webp) {
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (webp.toString('latin1', at, at + 4).startsWith('VP8') && webp[at + 3] !== 'X'.charCodeAt(0))
      return webp.subarray(at, next);
    at = next;
  }
  throw new Error('the browser wrote a WebP without a picture');
}

/** Source: the WebP Container Specification, Animation. @param {{width: number, height: number}} size @param {Frame[]} frames */
function animated({ width, height }, frames) {
  const ANIMATION = 2;
  const DO_NOT_BLEND = 2;
  const shownFor = (/** @type {number} */ i) => (frames[i + 1] ? frames[i + 1].at - frames[i].at : HOLD_MS);
  const body = [
    chunk('VP8X', bytes(ANIMATION, 4), bytes(width - 1, 3), bytes(height - 1, 3)),
    chunk('ANIM', bytes(0xffffffff, 4), bytes(0, 2)),
    ...frames.map(({ x, y, width, height, data }, i) =>
      chunk(
        'ANMF',
        ...[x / 2, y / 2, width - 1, height - 1, shownFor(i)].map((value) => bytes(value, 3)),
        bytes(DO_NOT_BLEND, 1),
        picture(data),
      ),
    ),
  ];
  return chunk('RIFF', Buffer.from('WEBP'), ...body);
}

/** A tab that finds what has changed since the picture before and writes it as WebP. @param {Page} tab */
async function encoder(tab) {
  await tab.evaluate(() => {
    /** @type {ImageData | undefined} */
    let before;
    /** @param {string} png @param {number} quality */
    const encode = async (png, quality) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
      const { width, height } = bitmap;
      const whole = new OffscreenCanvas(width, height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (whole.getContext('2d'));
      context.drawImage(bitmap, 0, 0);
      const now = context.getImageData(0, 0, width, height);
      let [left, top, right, bottom] = before ? [width, height, 0, 0] : [0, 0, width, height];
      const [a, b] = [new Uint32Array(now.data.buffer), new Uint32Array((before ?? now).data.buffer)];
      for (let i = 0; i < a.length; i++) {
        if (a[i] === b[i]) continue;
        const [x, y] = [i % width, Math.floor(i / width)];
        [left, top, right, bottom] = [
          Math.min(left, x),
          Math.min(top, y),
          Math.max(right, x + 1),
          Math.max(bottom, y + 1),
        ];
      }
      before = now;
      if (right <= left) return undefined;
      const part = { x: left - (left % 2), y: top - (top % 2), width: 0, height: 0 }; // a frame begins at even pixels
      part.width = right - part.x;
      part.height = bottom - part.y;
      const canvas = new OffscreenCanvas(part.width, part.height);
      canvas.getContext('2d')?.drawImage(bitmap, -part.x, -part.y);
      const webp = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
      return { ...part, base64: btoa(Array.from(webp, (byte) => String.fromCharCode(byte)).join('')) };
    };
    Object.assign(globalThis, { encode });
  });
  return (/** @type {Buffer} */ png) =>
    tab.evaluate(
      ([base64, quality]) => /** @type {any} */ (globalThis).encode(base64, quality),
      /** @type {const} */ ([png.toString('base64'), QUALITY]),
    );
}

const path = fileURLToPath(new URL('clip.webp', import.meta.url));
await shown(async (browser, address) => {
  const encode = await encoder(await browser.newPage());
  const tab = await visit(browser, address, VIEWPORT);
  const pause = tab.locator('[data-command="playPause"]', { hasText: 'Pause' });
  await pause.waitFor();
  const { x, y, width, height } = await story(tab);
  const clip = { x: Math.ceil(x), y: Math.ceil(y), width: Math.floor(width), height: Math.floor(height) };
  /** @type {{png: Buffer, at: number}[]} */
  const taken = [];
  const begun = Date.now();
  for (;;) {
    const at = Date.now();
    const png = await tab.screenshot({ clip });
    // The hint that follows the story would take the timeline's place.
    if (!(await pause.isVisible()) || at - begun > WITHIN_MS) break;
    taken.push({ png, at });
    await tab.waitForTimeout(Math.max(0, FRAME_MS - (Date.now() - at)));
  }
  /** @type {Frame[]} */
  const frames = [];
  for (const { png, at } of taken) {
    const part = await encode(png);
    if (part) frames.push({ ...part, data: Buffer.from(part.base64, 'base64'), at });
  }
  const webp = animated(clip, frames);
  writeFileSync(path, webp);
  console.log(`${path}: ${frames.length} frames, ${(webp.length / 1024).toFixed(0)} KiB`);
});
