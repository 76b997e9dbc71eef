/** Addresses of the built parts, relative to the page; written by build.mjs. */
declare const __ASSETS__: {
  worker: string;
  exec: string;
  wasm: string;
  module: { bytes: number; size: number; sha256: string };
  tools: { wasm: string; module: { bytes: number; size: number; sha256: string } };
  scenarios: string;
  lessons: string;
  strips: string;
  schema: string;
  rest: string;
  styles: string;
  embed: string;
};
/** The address of the worker that reads evidence; written by build.mjs. */
declare const __EVIDENCE__: string;
/** What the script of the documentation loads, by names below the site; written by build.mjs. */
declare const __DOCS__: {
  sections: string;
  engine: {
    worker: string;
    exec: string;
    wasm: string;
    scenarios: string;
    module: { bytes: number; size: number; sha256: string };
  };
};
/** docs/figures.yaml as JSON; written by build.mjs. */
declare const __FIGURES__: string;
/** What the service worker has of its scope: the library of the page does not know it. */
interface ServiceWorkerScope {
  registration: { scope: string };
  clients: {
    get: (id: string) => Promise<Client | undefined>;
    matchAll: (how: { type: 'window' }) => Promise<readonly Client[]>;
    claim: () => Promise<void>;
  };
  addEventListener(
    type: 'install' | 'activate',
    on: (event: Event & { waitUntil: (work: Promise<unknown>) => void }) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    on: (
      event: Event & {
        request: Request;
        clientId: string;
        respondWith: (answer: Response | Promise<Response>) => void;
      },
    ) => void,
  ): void;
  addEventListener(
    type: 'message',
    on: (event: MessageEvent & { waitUntil: (work: Promise<unknown>) => void }) => void,
  ): void;
}
interface Client {
  postMessage: (message: object, transfer?: Transferable[]) => void;
}

/** What the engine's worker has of its scope, and what the engine puts there. */
interface EngineScope {
  onmessage: (event: MessageEvent) => void;
  postMessage: (message: object) => void;
  importScripts: (url: string) => void;
  location: { href: string };
  caches: CacheStorage;
  crypto?: { subtle?: SubtleCrypto };
  Go: new () => { importObject: WebAssembly.Imports; run: (instance: WebAssembly.Instance) => Promise<void> };
  leaselab: (request: string) => string;
  leaselabAlive: () => void;
}

/** The same of the worker that reads evidence. */
interface EvidenceScope extends EngineScope {
  leaselabFeed: (name: string, bytes: Uint8Array) => string;
  leaselabBytes: () => number;
  leaselabUnpack: (id: number, name: string, member: string, bytes?: Uint8Array | null) => Uint8Array<ArrayBuffer>;
}

/** Name of this build, and what the service worker keeps of it, at once and on first use; written by build.mjs. */
declare const __VERSION__: string;
declare const __KEPT__: string[];
declare const __KEPT_ON_USE__: string[];

/** How many lessons and incidents there are, for the header; written by build.mjs. */
declare const __COUNTS__: { lessons: number; incidents: number };
