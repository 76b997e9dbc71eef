/** The request editor: the draft, the proposals of each verb, and sending the request. */
import { signal } from '@preact/signals-core';
import { isObject } from '../../lib/shape.js';
import {
  bodyFor,
  DraftError,
  headersFor,
  readBody,
  readHeaders,
  readTarget,
  resourceOf,
  targetFor,
  verbFor,
  verbOf,
} from './draft.js';
import { mergePatch } from './merge.js';
import { findResource, RESOURCES, readPath } from './resources.js';

/** @import { Ask, SentRequest } from '../desk/client.js' */
/** @import { Draft } from './panel.js' */
/** @import { ApiObject } from './objects.js' */

/**
 * @typedef {object} EditorPorts
 * @property {() => {namespace: string, name: string}} lease the run's own Lease
 * @property {(value: unknown) => Promise<string>} yaml
 * @property {(ask: Ask) => Promise<SentRequest>} send sends a request and shows its answer
 * @property {(sentence: string) => void} say
 */

/** @type {Draft} */
const EMPTY = {
  id: '',
  verb: 'list',
  resource: 'leases',
  target: '',
  headers: '',
  body: '',
  error: '',
  canForce: false,
};

export class Editor {
  draft = signal(EMPTY);
  isSending = signal(false);
  /** The body that the last verb proposed. The next verb replaces it unless the visitor has changed it. */
  #proposal = '';

  /** @param {EditorPorts} ports */
  constructor(ports) {
    this.ports = ports;
  }

  verb() {
    return verbOf(this.draft.value.verb);
  }

  /** @param {Partial<Draft>} change */
  type(change) {
    this.draft.value = { ...this.draft.value, error: '', canForce: false, ...change };
  }

  /**
   * Chooses another verb or kind. It proposes a path, headers and, unless the visitor typed one, a body.
   * @param {{verb?: string, resource?: string}} change
   */
  async choose({ verb: id = this.draft.value.verb, resource: kind = this.draft.value.resource }) {
    const verb = verbOf(id);
    const resource = findResource(kind) ?? RESOURCES[0];
    const where = this.#whereOf(resource);
    const body = this.draft.value.body;
    this.type({
      verb: id,
      resource: resource.name,
      target: targetFor(verb, resource, where),
      headers: headersFor(verb).join('\n'),
      before: undefined,
    });
    if (body !== this.#proposal) return;
    const value = bodyFor(verb, resource, where);
    const text =
      value === undefined ? '' : Array.isArray(value) ? JSON.stringify(value, null, 2) : await this.ports.yaml(value);
    // Keep text that the visitor typed while the YAML tools loaded.
    const now = this.draft.value;
    if (now.verb !== id || now.resource !== resource.name || now.body !== body) return;
    this.#proposal = text;
    this.type({ body: text });
  }

  /**
   * The object of a proposal: the one in the path, or the run's Lease.
   * @param {import('./resources.js').Resource} resource
   */
  #whereOf({ name: kind }) {
    const at = readPath(this.draft.value.target);
    const lease = this.ports.lease();
    const usual = { leases: lease.name, namespaces: lease.namespace }[kind] ?? 'example';
    return { namespace: at?.namespace || lease.namespace, name: (at?.resource.name === kind && at.name) || usual };
  }

  /**
   * Puts a request into the editor.
   * @param {Ask} ask
   * @param {{verb?: string, before?: ApiObject}} [how] before: the object as the line read it
   */
  load({ method, target, headers, body }, { verb = verbFor({ method, target, headers }), before } = {}) {
    this.type({ verb, resource: resourceOf(target).name, target, headers: headers.join('\n'), body, before });
    this.#proposal = '';
  }

  /** @param {boolean} [anyway] sends the body's text without parsing it */
  async send(anyway = false) {
    const { target, headers, body, before } = this.draft.value;
    const { id, method } = this.verb();
    try {
      const ask = { method, target: readTarget(target), headers: readHeaders(headers), body: '' };
      const value = anyway || method === 'GET' ? undefined : await readBody(body);
      if (anyway) ask.body = body;
      else if (value !== undefined) ask.body = JSON.stringify(value);
      this.type({});
      this.isSending.value = true;
      if (id === 'edit') await this.#sendEdit(ask, value, before);
      else await this.ports.send(ask);
    } catch (error) {
      if (!(error instanceof DraftError)) throw error;
      this.type({ error: error.message, canForce: error.body });
      this.ports.say(error.message);
    } finally {
      this.isSending.value = false;
    }
  }

  /**
   * The difference from the earlier object, as a merge patch.
   * @param {Ask} ask
   * @param {unknown} value
   * @param {ApiObject} [before]
   */
  async #sendEdit(ask, value, before) {
    const patch = isObject(before) && isObject(value) ? mergePatch(before, value) : undefined;
    if (!patch) throw new DraftError('The object is unchanged, so nothing was sent.');
    await this.ports.send({ ...ask, body: JSON.stringify(patch) });
  }
}
