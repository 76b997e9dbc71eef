/** Programs that compete for a Lease over HTTP like client-go's elector, for specs that need real ones. */

const LEASES = 'apis/coordination.k8s.io/v1/namespaces/default/leases';
const DURATION_S = 2;
const RETRY_MS = 200;

export class Elector {
  /** @param {string} server @param {string} name */
  constructor(server, name) {
    this.address = `${server}leaselab/nodes/${name}/`;
    this.name = name;
    this.leads = false;
    this.observed = { holder: '', renewed: '', at: 0 };
    this.ends = new AbortController();
    this.over = this.#run();
  }

  /** Its process dies and sends nothing more. */
  async die() {
    this.ends.abort();
    await this.over;
  }

  async #run() {
    while (!this.ends.signal.aborted) {
      await this.#attempt().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #attempt() {
    const answer = await this.#ask('GET', `${LEASES}/demo`);
    if (answer.status === 404) {
      await this.#lead(await this.#ask('POST', LEASES, this.#lease()));
      return;
    }
    const lease = await answer.json();
    const { holderIdentity: holder = '', renewTime: renewed = '' } = lease.spec;
    const { observed } = this;
    if (observed.holder !== holder || observed.renewed !== renewed) this.observed = { holder, renewed, at: Date.now() };
    const expired = Date.now() - this.observed.at > DURATION_S * 1000;
    if (holder === this.name || expired) await this.#lead(await this.#ask('PUT', `${LEASES}/demo`, this.#lease(lease)));
  }

  /** @param {Response} answer to its write */
  async #lead({ ok }) {
    if (!ok || this.leads) return;
    this.leads = true;
    await this.#ask('PUT', 'leaselab/work');
  }

  /**
   * @param {{metadata: object, spec: {holderIdentity: string, acquireTime: string, leaseTransitions: number}}} [old]
   */
  #lease(old) {
    const now = new Date().toISOString().replace('Z', '000Z');
    const mine = old?.spec.holderIdentity === this.name;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: old?.metadata ?? { name: 'demo', namespace: 'default' },
      spec: {
        holderIdentity: this.name,
        leaseDurationSeconds: DURATION_S,
        acquireTime: mine ? old.spec.acquireTime : now,
        renewTime: now,
        leaseTransitions: old ? old.spec.leaseTransitions + (mine ? 0 : 1) : 0,
      },
    };
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  #ask(method, path, body) {
    return fetch(this.address + path, {
      method,
      signal: this.ends.signal,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }
}
