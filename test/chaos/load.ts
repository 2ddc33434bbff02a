// The load: workers that visit the service as applications, programs, browsers and operators do.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Applications } from './applications.js';
import { Client, type Session, type Ticket } from './client.js';
import { Random } from './random.js';
import type { Recorder } from './record.js';
import type { Address, LoadTarget } from './target.js';
import { ENDED_USERS, REGISTRAR } from './users.js';

const WORKERS = 12;
/** Between the steps of a visit, at most. */
const PAUSE_MS = 150;

export interface LoadOptions {
  readonly seed: number;
  readonly target: LoadTarget;
  readonly recorder: Recorder;
  readonly applications: Applications;
}

/** Between two probes. */
const PROBE_MS = 100;

/** Between two looks at a past session, and how many sessions are looked at: those of the last 10 s or so. */
const LOOK_BACK_MS = 25;
const REMEMBERED = 400;

/** How a session ends. */
type Fate = 'logout' | 'operator' | 'expiry';

export class Load {
  private isStopping = false;
  private readonly counters = { services: 0, ended: 0, registered: 0 };
  private readonly workers: readonly Promise<void>[];
  /** Sessions over REST that have ended, or are left to expire: a failover must bring none back, and lose none. */
  private readonly past: Session[] = [];
  /** Clients of probes that are not in use. */
  private readonly idle: Client[] = [];

  constructor(private readonly options: LoadOptions) {
    const workers = Array.from({ length: WORKERS }, (_, index) => this.work(index));
    this.workers = [...workers, this.probeAgainAndAgain(), this.lookBack()];
  }

  /** Lets each worker end its visit. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.workers);
  }

  private async work(index: number): Promise<void> {
    const random = Random.named(this.options.seed, `worker ${index}`);
    const client = this.newClient();
    // A session that outlives faults.
    let kept: Session | undefined;
    while (!this.isStopping) {
      await this.visit(client, random);
      kept = await this.use(kept, client, random);
      await this.administer(client, random);
      await sleep(random.between(0, PAUSE_MS));
    }
    if (kept) await client.logout(kept);
    client.close();
  }

  /** Begins a probe in each period, however long others take: workers that wait for a dead node say nothing of the rest. */
  private async probeAgainAndAgain(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    while (!this.isStopping) {
      const probe = this.probe().finally(() => underWay.delete(probe));
      underWay.add(probe);
      await sleep(PROBE_MS);
    }
    await Promise.all(underWay);
    for (const client of this.idle) client.close();
  }

  private async lookBack(): Promise<void> {
    const random = Random.named(this.options.seed, 'past sessions');
    const client = this.newClient();
    while (!this.isStopping) {
      if (this.past.length > 0) await client.check(random.pick(this.past));
      await sleep(LOOK_BACK_MS);
    }
    client.close();
  }

  private remember(session: Session): void {
    if (session.tgt === undefined) return;
    this.past.push(session);
    if (this.past.length > REMEMBERED) this.past.shift();
  }

  /** The shortest life of a session, all of it behind the proxy. */
  private async probe(): Promise<void> {
    const client = this.idle.pop() ?? this.newClient();
    const [user = ''] = this.options.target.users;
    const session = await client.login(user);
    const ticket = session && (await client.grant(session, this.newService()));
    if (ticket) await client.validate(ticket);
    if (session) await client.logout(session);
    this.idle.push(client);
  }

  private newClient(): Client {
    const { target, recorder, applications } = this.options;
    return new Client(target, recorder, applications);
  }

  /** The life of a session: login, tickets, end, and what is sent after its end. */
  private async visit(client: Client, random: Random): Promise<void> {
    const fate = this.fate(random);
    const user = this.userFor(fate, random);
    const isForm = random.chance(0.3);
    const session = await (isForm ? client.formLogin(user) : client.login(user));
    if (session === undefined) return;
    for (let turn = random.between(1, 4); turn > 0; turn -= 1) {
      const ticket = await client.grant(session, this.newService());
      if (ticket) await this.present(ticket, client, random);
      await sleep(random.between(0, PAUSE_MS));
    }
    this.remember(session);
    if (fate === 'expiry') return;
    const spare = await client.grant(session, this.newService());
    await this.end(session, fate, client, random);
    await this.useAfterEnd(session, spare, client, random);
  }

  private async present(ticket: Ticket, client: Client, random: Random): Promise<void> {
    const way = random.next();
    if (way < 0.4) await client.validate(ticket);
    else if (way < 0.6) {
      await client.validate(ticket);
      await client.validate(ticket, { to: this.anyNode(random) });
    } else if (way < 0.85) await this.race(ticket, client);
    else if (way < 0.9) await client.validate(ticket, { service: this.newService() });
    else {
      const proxied = await client.proxyTicket(ticket, this.newService());
      if (proxied) await this.race(proxied, client);
    }
  }

  /** Presents a ticket to all nodes at the same time. */
  private async race(ticket: Ticket, client: Client): Promise<void> {
    const { nodes } = this.options.target;
    await Promise.all(nodes.map((to) => client.validate(ticket, { to })));
  }

  private async end(session: Session, fate: Fate, client: Client, random: Random): Promise<void> {
    const { management } = this.options.target;
    if (fate === 'logout' || management === undefined) await client.logout(session);
    else await client.endByOperator(session, random.pick(management.nodes), management.token);
  }

  private async useAfterEnd(
    session: Session,
    spare: Ticket | undefined,
    client: Client,
    random: Random,
  ): Promise<void> {
    await client.grant(session, this.newService(), this.anyNode(random));
    if (spare) await client.validate(spare, { to: this.anyNode(random) });
    if (session.tgt !== undefined) await client.check(session, this.anyNode(random));
  }

  /** @returns the session, or a new one in its place */
  private async use(
    kept: Session | undefined,
    client: Client,
    random: Random,
  ): Promise<Session | undefined> {
    if (kept === undefined) return client.login(random.pick(this.options.target.users));
    const { reply } = await client.check(kept, this.anyNode(random));
    return reply?.status === 404 ? undefined : kept;
  }

  private async administer(client: Client, random: Random): Promise<void> {
    const { management } = this.options.target;
    if (random.chance(0.01)) {
      const session = await client.login(REGISTRAR);
      if (session) await client.register(session, (this.counters.registered += 1));
    }
    if (management && random.chance(0.005)) {
      await client.reload(this.anyNode(random), management.token);
    }
  }

  private fate(random: Random): Fate {
    const value = random.next();
    if (value < 0.7) return 'logout';
    return value < 0.8 ? 'operator' : 'expiry';
  }

  private userFor(fate: Fate, random: Random): string {
    const { users, management } = this.options.target;
    if (fate !== 'operator' || management === undefined) return random.pick(users);
    this.counters.ended += 1;
    return ENDED_USERS[this.counters.ended % ENDED_USERS.length] ?? '';
  }

  /** A URL that no other ticket has. */
  private newService(): string {
    this.counters.services += 1;
    return `${this.options.applications.url}/app/${this.counters.services}`;
  }

  private anyNode(random: Random): Address {
    return random.pick(this.options.target.nodes);
  }
}
