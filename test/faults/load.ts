// Puts load on several nodes, and records the sessions they opened, the tickets they accepted and all their answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, UnansweredError, type TimedReply } from '../support/connection.js';
import { APP } from '../support/sso-node.js';

const RECONNECT_MS = 20;
/** Pause of a connection after each ticket, so that the load leaves the processors to what is tested. */
const PAUSE_MS = 100;

type Step = 'login' | 'grant' | 'validate';

export interface Answer {
  readonly step: Step;
  /** User of a login; of a ticket the URL of its service, which no other ticket has. */
  readonly subject: string;
  readonly node: number;
  readonly status: number;
  readonly ms: number;
  /** Time of the answer, as of `performance.now()`. */
  readonly at: number;
}

export interface LoadOptions {
  /** Port of each node, read for each connection, because a restarted node has another port. */
  readonly ports: readonly (() => number)[];
  readonly connectionsPerNode: number;
  /** Names with the password `Mellon`, used in turn; `casuser` by default. */
  readonly users?: readonly string[];
}

/** Tickets of all loads. */
let granted = 0;

export class Load {
  /** TGTs that were answered with 201. */
  readonly sessions = new Set<string>();
  /** Granted STs, with the number of times each was accepted. */
  readonly tickets = new Map<string, number>();
  readonly answers: Answer[] = [];
  /** Requests without an answer. */
  readonly unanswered: { readonly node: number; readonly reason: string }[] = [];
  /** Answers that are neither a success nor a well-formed 503 or refusal. */
  readonly unexpectedAnswers: string[] = [];
  /** URL of the service of each granted ST. */
  private readonly services = new Map<string, string>();
  private logins = 0;
  private stopping = false;
  private readonly workers: readonly Promise<void>[];

  constructor(private readonly options: LoadOptions) {
    this.workers = options.ports.flatMap((_, node) =>
      Array.from({ length: options.connectionsPerNode }, () => this.runWorker(node)),
    );
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.workers);
  }

  /** Answers of one node, or of all, since `moment`. */
  since(moment: number, node?: number): readonly Answer[] {
    return this.answers.filter(
      (answer) => answer.at >= moment && (node === undefined || answer.node === node),
    );
  }

  /** STs that were accepted more than once. */
  get replayed(): readonly string[] {
    return [...this.tickets].filter(([, times]) => times > 1).map(([ticket]) => ticket);
  }

  /** Validates every recorded ST again and checks every TGT. @returns the TGTs that are gone */
  async validateAllAgain(node = 0): Promise<readonly string[]> {
    const connection = await Connection.open(this.portOf(node));
    try {
      for (const ticket of this.tickets.keys()) await this.validate(connection, node, ticket);
      const gone: string[] = [];
      for (const tgt of this.sessions) {
        const reply = await connection.get(`/cas/v1/tickets/${tgt}`);
        if (reply.status !== 200) gone.push(tgt);
      }
      return gone;
    } finally {
      connection.close();
    }
  }

  private async runWorker(node: number): Promise<void> {
    while (!this.stopping) {
      try {
        await this.useConnection(node);
      } catch (error) {
        // The node does not listen, or died during the request.
        if (error instanceof UnansweredError) this.unanswered.push({ node, reason: error.message });
        await sleep(RECONNECT_MS);
      }
    }
  }

  private async useConnection(node: number): Promise<void> {
    const connection = await Connection.open(this.portOf(node));
    try {
      while (!this.stopping && connection.isOpen) await this.cycle(connection, node);
    } finally {
      connection.close();
    }
  }

  /** Logs in, then grants STs and validates each twice. Returns early if a step fails. */
  private async cycle(connection: Connection, node: number): Promise<void> {
    const tgt = await this.login(connection, node);
    if (tgt === undefined) return;
    for (let turn = 0; turn < 4 && connection.isOpen; turn += 1) {
      const ticket = await this.grant(connection, node, tgt);
      if (ticket === undefined) continue;
      for (let time = 0; time < 2 && connection.isOpen; time += 1) {
        await this.validate(connection, node, ticket);
      }
      await sleep(PAUSE_MS);
    }
  }

  private async login(connection: Connection, node: number): Promise<string | undefined> {
    const { users = ['casuser'] } = this.options;
    const user = users[this.logins++ % users.length]!;
    const credential = `username=${user}&password=Mellon`;
    const sent = connection.post('/cas/v1/tickets', credential, ['Accept: text/plain']);
    const reply = this.record('login', user, node, await sent);
    if (reply.status === 201) this.sessions.add(reply.body);
    else this.expectUnavailable('login', reply);
    return reply.status === 201 ? reply.body : undefined;
  }

  private async grant(
    connection: Connection,
    node: number,
    tgt: string,
  ): Promise<string | undefined> {
    const service = `${APP}${granted++}`;
    const sent = connection.post(
      `/cas/v1/tickets/${tgt}`,
      `service=${encodeURIComponent(service)}`,
    );
    const reply = this.record('grant', service, node, await sent);
    if (reply.status === 200) {
      this.tickets.set(reply.body, 0);
      this.services.set(reply.body, service);
    } else this.expectUnavailable('grant', reply);
    return reply.status === 200 ? reply.body : undefined;
  }

  private async validate(connection: Connection, node: number, ticket: string): Promise<void> {
    const service = this.services.get(ticket) ?? '';
    const query = `service=${encodeURIComponent(service)}&ticket=${ticket}`;
    const sent = connection.get(`/cas/p3/serviceValidate?${query}`);
    const reply = this.record('validate', service, node, await sent);
    if (reply.status === 200 && reply.body.includes('<cas:authenticationSuccess>')) {
      this.tickets.set(ticket, (this.tickets.get(ticket) ?? 0) + 1);
    } else if (reply.status !== 400 || !reply.body.includes('code="INVALID_TICKET"')) {
      this.expectUnavailable('validate', reply);
    }
  }

  private record(step: Step, subject: string, node: number, reply: TimedReply): TimedReply {
    const { status, ms } = reply;
    this.answers.push({ step, subject, node, status, ms, at: performance.now() });
    return reply;
  }

  private expectUnavailable(step: Step, reply: TimedReply): void {
    const isWellFormed =
      reply.status === 503 &&
      /^retry-after: [1-9]\d*\r?$/im.test(reply.head) &&
      (step !== 'validate' || reply.body.includes('code="INTERNAL_ERROR"'));
    if (!isWellFormed) this.unexpectedAnswers.push(`${step}: ${reply.head}\n${reply.body}`);
  }

  private portOf(node: number): number {
    const port = this.options.ports[node];
    if (port === undefined) throw new Error(`there is no node ${node}`);
    return port();
  }
}
