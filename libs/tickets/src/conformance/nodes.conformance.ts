// Shared by the parts of the conformance suite: registries on one store, and helpers that get tickets from them.
import { setTimeout as pause } from 'node:timers/promises';
import type { TicketLifetimes } from '../lifetimes.js';
import { parseTicketId, type TicketId } from '../ticket-id.js';
import {
  handleOf,
  type Authentication,
  type Grant,
  type ProxyingService,
  type ServiceTicketRequest,
  type SessionService,
  type TicketRegistry,
} from '../ticket-registry.js';

export interface RegistryUnderTest {
  /** A registry on the same store as the others, as on another node. */
  make(lifetimes: TicketLifetimes): TicketRegistry;
  close(): Promise<void>;
}

const HOUR = 3_600_000;
export const LONG: TicketLifetimes = {
  grantingTicketMax: 8 * HOUR,
  grantingTicketIdle: 2 * HOUR,
  rememberedGrantingTicket: 14 * 24 * 3_600_000,
  serviceTicket: HOUR,
  proxyTicket: HOUR,
};
const LOGIN_TIME = new Date('2026-03-04T05:06:07.089Z');
/** As a consumed ticket tells it. */
export const TOLD_AUTHENTICATION: Omit<Authentication, 'methods'> = {
  principal: {
    id: 'ann',
    attributes: { mail: ['a@example.org', 'b@example.org'], odd: ['"\\{}'] },
  },
  handler: 'static',
  credentialType: 'UsernamePasswordCredential',
  authenticatedAt: LOGIN_TIME,
};
export const AUTHENTICATION: Authentication = {
  ...TOLD_AUTHENTICATION,
  methods: [{ method: 'password', at: LOGIN_TIME }],
};
export const SERVICE = 'https://app.example.org/';
export const proxyAt = (callbackUrl: string): ProxyingService => ({
  service: SERVICE,
  callbackUrl,
});
export const KINDS = ['TGT', 'ST', 'PGT', 'PT', 'PGTIOU', 'LR'] as const;
export const UNKNOWN = [
  'ST-x',
  'ST-0',
  'ST-9abc',
  'PT-1234567890123456789012',
  `ST-${'0'.repeat(200)}`,
];

/** Two nodes on one store, with the most frequent operations. */
export class Nodes {
  readonly registry: TicketRegistry;
  readonly otherNode: TicketRegistry;

  constructor(private readonly underTest: RegistryUnderTest) {
    this.registry = underTest.make(LONG);
    this.otherNode = underTest.make(LONG);
  }

  /** Another node, with its own lifetimes. */
  withLifetimes(lifetimes: Partial<TicketLifetimes>): TicketRegistry {
    return this.underTest.make({ ...LONG, ...lifetimes });
  }

  /** Alternates between the two nodes. */
  nodeOf(turn: number): TicketRegistry {
    return turn % 2 === 0 ? this.registry : this.otherNode;
  }

  login(user = AUTHENTICATION.principal.id): Promise<TicketId> {
    const principal = { ...AUTHENTICATION.principal, id: user };
    return this.registry.createTicketGrantingTicket({ ...AUTHENTICATION, principal });
  }

  async grant(tgt: TicketId, service = SERVICE): Promise<TicketId> {
    return idOf(await this.registry.grantServiceTicket(requestFor(tgt, { service })));
  }

  /** Signs in to a service that is recorded. @returns the consumed ticket */
  async signIn(tgt: TicketId, service = SERVICE): Promise<string> {
    const ticket = await this.grant(tgt, service);
    present(await this.registry.consume(ticket, { recordsService: true }));
    return ticket.text;
  }

  /** The recorded services of a session. */
  servicesOf(tgt: TicketId): Promise<readonly SessionService[]> {
    return this.otherNode.sessions.services(handleOf(tgt));
  }

  /** Removes all logout messages, but those that a node has taken. */
  async emptyQueue(): Promise<void> {
    const { logoutQueue } = this.registry;
    await logoutQueue.retry();
    await logoutQueue.address(10_000, () => []);
    for (const each of await logoutQueue.list({ state: 'waiting', limit: 10_000 })) {
      await logoutQueue.complete(each);
    }
  }

  async grantProxy(): Promise<{ tgt: TicketId; pgt: TicketId; pt: TicketId }> {
    const tgt = await this.login();
    const consumed = present(await this.registry.consume(await this.grant(tgt)));
    const { grantedBy } = consumed;
    const pgt = present(
      await this.registry.createProxyGrantingTicket(grantedBy, proxyAt('https://p1/')),
    );
    return { tgt, pgt, pt: idOf(await this.registry.grantProxyTicket(pgt, SERVICE)) };
  }

  /** Waits until the store reports the ticket as gone: the clock of the store decides. */
  async untilGone(id: TicketId): Promise<void> {
    while (await this.registry.isLive(id)) await pause(20);
  }
}

export function requestFor(
  grantingTicket: TicketId,
  options: Partial<ServiceTicketRequest> = {},
): ServiceTicketRequest {
  const rest = { service: SERVICE, withCredentials: false, newLoginOnly: false };
  return { grantingTicket, ...rest, ...options };
}

export function idOf(grant: Grant): TicketId {
  if (grant.outcome !== 'granted') throw new Error(grant.outcome);
  return grant.id;
}

export function read(text: string): TicketId {
  return present(parseTicketId(text));
}

export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the value is missing');
  return value;
}
