/** Addresses of the built parts, relative to the page; written by build.mjs. */
declare const __ASSETS__: {
  worker: string;
  exec: string;
  wasm: string;
  module: { bytes: number; size: number; sha256: string };
  scenarios: string;
  schema: string;
  rest: string;
  styles: string;
};
/** Name of this build, and what the service worker keeps of it; written by build.mjs. */
declare const __VERSION__: string;
declare const __KEPT__: string[];
