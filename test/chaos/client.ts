// One client of the service: sends operations, one at a time, and records each.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type TimedReply } from '../support/connection.js';
import type { Applications } from './applications.js';
import type { Kind, Operation, Outcome, Recorder } from './record.js';
import type { Address, LoadTarget } from './target.js';

/** A request without an answer for this long is given up. */
const TIMEOUT_MS = 10_000;
/** Pause after a request without an answer: a node that is away refuses connections at once. */
const RETRY_MS = 50;
const PASSWORD = 'Mellon';

export interface Session {
  /** In the record. */
  readonly name: string;
  readonly user: string;
  /** The TGT of a session over REST; the cookie TGC of a browser. */
  readonly tgt?: string;
  readonly cookie?: string;
}

export interface Ticket {
  readonly id: string;
  readonly session: Session;
  readonly service: string;
}

interface Request {
  readonly kind: Kind;
  readonly to: Address;
  readonly send: (connection: Connection) => Promise<TimedReply>;
  /** Whether an answer below 500 is a success. */
  readonly isOk?: (reply: TimedReply) => boolean;
  readonly facts?: (reply: TimedReply | undefined) => Partial<Operation>;
}

export interface Performed {
  readonly outcome: Outcome;
  readonly reply: TimedReply | undefined;
}

export class Client {
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly target: LoadTarget,
    private readonly recorder: Recorder,
    private readonly applications: Applications,
  ) {}

  close(): void {
    for (const connection of this.connections.values()) connection.close();
  }

  async login(user: string): Promise<Session | undefined> {
    const { reply, outcome } = await this.perform({
      kind: 'login',
      to: this.target.proxy,
      send: (connection) =>
        connection.post(this.path('/v1/tickets'), credentials(user), ['Accept: text/plain']),
      isOk: ({ status }) => status === 201,
      facts: (answer) => ({
        user,
        ...(answer?.status === 201 && { session: this.recorder.nameOf(answer.body) }),
      }),
    });
    if (outcome !== 'ok' || reply === undefined) return undefined;
    return { name: this.recorder.nameOf(reply.body), user, tgt: reply.body };
  }

  /** Logs in as a browser does, without a service. */
  async formLogin(user: string): Promise<Session | undefined> {
    const to = this.target.proxy;
    const page = await this.perform({
      kind: 'form',
      to,
      send: (connection) => connection.get(this.path('/login')),
    });
    const execution = /name="execution" value="([^"]*)"/.exec(page.reply?.body ?? '')?.[1];
    if (execution === undefined) return undefined;
    const form = `${credentials(user)}&execution=${encodeURIComponent(execution)}&_eventId=submit`;
    let session: Session | undefined;
    await this.perform({
      kind: 'form-login',
      to,
      send: (connection) => connection.post(this.path('/login'), form),
      isOk: (reply) => cookieOf(reply) !== undefined,
      facts: (reply) => {
        const cookie = reply && cookieOf(reply);
        if (cookie === undefined) return { user };
        session = { name: this.recorder.nameOf(`TGT ${cookie}`), user, cookie };
        return { user, session: session.name };
      },
    });
    return session;
  }

  async grant(
    session: Session,
    service: string,
    to = this.target.proxy,
  ): Promise<Ticket | undefined> {
    const { tgt, cookie, name } = session;
    const query = `service=${encodeURIComponent(service)}`;
    const ticketIn = (reply: TimedReply | undefined): string | undefined =>
      tgt === undefined
        ? /^location: .*[?&]ticket=(ST-[\w-]+)/im.exec(reply?.head ?? '')?.[1]
        : /^ST-[\w-]+$/.exec(reply?.body ?? '')?.[0];
    const { reply } = await this.perform({
      kind: 'grant',
      to,
      send: (connection) =>
        tgt === undefined
          ? connection.get(this.path(`/login?${query}`), [`Cookie: TGC=${cookie}`])
          : connection.post(this.path(`/v1/tickets/${tgt}`), query),
      isOk: (answer) => ticketIn(answer) !== undefined,
      facts: (answer) => {
        const ticket = ticketIn(answer);
        return {
          session: name,
          service,
          ...(ticket !== undefined && { ticket: this.recorder.nameOf(ticket) }),
          // The login page in place of a ticket: the session was not found.
          ...(tgt === undefined && answer?.status === 200 && { status: 404 }),
        };
      },
    });
    const id = ticketIn(reply);
    return id === undefined ? undefined : { id, session, service };
  }

  /** @param change of where and how the ticket is presented */
  async validate(
    ticket: Ticket,
    change: {
      readonly to?: Address;
      readonly service?: string;
      readonly asksForPgt?: boolean;
    } = {},
  ): Promise<Performed> {
    const { to = this.target.proxy, service = ticket.service, asksForPgt = false } = change;
    const isProxied = ticket.id.startsWith('PT');
    const callback = asksForPgt ? `&pgtUrl=${encodeURIComponent(this.applications.callback)}` : '';
    const query = `service=${encodeURIComponent(service)}&ticket=${ticket.id}${callback}`;
    const path = this.path(`/p3/${isProxied ? 'proxy' : 'service'}Validate?${query}`);
    return this.perform({
      kind: isProxied ? 'proxy-validate' : 'validate',
      to,
      send: (connection) => connection.get(path),
      isOk: ({ body }) => body.includes('<cas:authenticationSuccess>'),
      facts: (reply) => {
        const user = /<cas:user>([^<]*)</.exec(reply?.body ?? '')?.[1];
        const { name: session } = ticket.session;
        const facts = { session, ticket: this.recorder.nameOf(ticket.id), service };
        return { ...facts, ...(user !== undefined && { user }) };
      },
    });
  }

  /** A proxy ticket by the callback of an accepted ticket. */
  async proxyTicket(ticket: Ticket, service: string): Promise<Ticket | undefined> {
    const { reply } = await this.validate(ticket, { asksForPgt: true });
    const iou = /<cas:proxyGrantingTicket>([^<]*)</.exec(reply?.body ?? '')?.[1];
    const pgt = iou === undefined ? undefined : this.applications.takeGrantingTicket(iou);
    if (pgt === undefined) return undefined;
    const query = `pgt=${pgt}&targetService=${encodeURIComponent(service)}`;
    const idIn = (text = ''): string | undefined => /<cas:proxyTicket>(PT-[^<]*)</.exec(text)?.[1];
    const proxied = await this.perform({
      kind: 'proxy-grant',
      to: this.target.proxy,
      send: (connection) => connection.get(this.path(`/proxy?${query}`)),
      isOk: ({ body }) => idIn(body) !== undefined,
      facts: (answer) => {
        const id = idIn(answer?.body);
        const facts = { session: ticket.session.name, service };
        return { ...facts, ...(id !== undefined && { ticket: this.recorder.nameOf(id) }) };
      },
    });
    const id = idIn(proxied.reply?.body);
    return id === undefined ? undefined : { id, session: ticket.session, service };
  }

  /** Whether a session over REST is there. */
  check({ tgt, name }: Session, to = this.target.proxy): Promise<Performed> {
    return this.perform({
      kind: 'check',
      to,
      send: (connection) => connection.get(this.path(`/v1/tickets/${tgt}`)),
      facts: () => ({ session: name }),
    });
  }

  logout({ tgt, cookie, name }: Session): Promise<Performed> {
    return this.perform({
      kind: 'logout',
      to: this.target.proxy,
      send: (connection) =>
        tgt === undefined
          ? connection.get(this.path('/logout'), [`Cookie: TGC=${cookie}`])
          : connection.delete(this.path(`/v1/tickets/${tgt}`)),
      facts: () => ({ session: name }),
    });
  }

  /** An operator ends all sessions of the user. */
  endByOperator({ user, name }: Session, to: Address, token: string): Promise<Performed> {
    return this.perform({
      kind: 'end-session',
      to,
      send: (connection) =>
        connection.delete(`/api/v1/sessions?user=${user}`, [`Authorization: Bearer ${token}`]),
      facts: () => ({ session: name }),
    });
  }

  register({ tgt, name }: Session, number: number): Promise<Performed> {
    const fields = new URLSearchParams({
      serviceId: `^https://registered-${number}\\.example\\.org/.*`,
      name: `registered ${number}`,
      description: 'by the load',
    });
    return this.perform({
      kind: 'register',
      to: this.target.proxy,
      send: (connection) =>
        connection.post(this.path(`/v1/services/add/${tgt}`), fields.toString()),
      facts: () => ({ session: name }),
    });
  }

  reload(to: Address, token: string): Promise<Performed> {
    return this.perform({
      kind: 'reload',
      to,
      send: (connection) =>
        connection.post(this.path('/actuator/refresh'), '', [`Authorization: Bearer ${token}`]),
    });
  }

  private path(path: string): string {
    return this.target.path + path;
  }

  private async perform(request: Request): Promise<Performed> {
    const { kind, to, isOk = ({ status }) => status === 200, facts } = request;
    const sent = performance.now();
    const reply = await this.send(request).catch(() => undefined);
    const answered = performance.now();
    const outcome = reply === undefined || reply.status >= 500 ? 'unknown' : judge(isOk(reply));
    const node = /^x-node: *(\S+)/im.exec(reply?.head ?? '')?.[1];
    this.recorder.operations.push({
      kind,
      to: to.name,
      ...(node !== undefined && { node }),
      sent,
      answered,
      ...(reply && { status: reply.status }),
      outcome,
      ...facts?.(reply),
    });
    if (reply === undefined) await sleep(RETRY_MS);
    return { outcome, reply };
  }

  private async send({ to, send }: Request): Promise<TimedReply> {
    const key = `${to.host}:${to.port}`;
    let connection = this.connections.get(key);
    if (connection?.isOpen !== true) {
      connection = await Connection.open(to.port, { host: to.host, timeout: TIMEOUT_MS });
      this.connections.set(key, connection);
    }
    return send(connection);
  }
}

function judge(isOk: boolean): Outcome {
  return isOk ? 'ok' : 'refused';
}

function credentials(user: string): string {
  return `username=${user}&password=${PASSWORD}`;
}

function cookieOf({ head }: TimedReply): string | undefined {
  return /^set-cookie: *TGC=([^;\s]+)/im.exec(head)?.[1];
}
