// Owns who is let in where clients are configured: finds out who calls. What that client is allowed are its rights.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { equalsInConstantTime, sha256, type PasswordHashing } from '@tessera/crypto';
import { loggerFor, type LogFields } from '@tessera/logging';
import { readAuthorization, type Authorization, type ClientAddresses } from '@tessera/server';
import type { AuthenticationThrottle } from '@tessera/throttling';
import { CallerError } from './caller-error.js';
import type { Callers, Permission, Scope } from './callers.js';
import { ClientRights } from './client-rights.js';
import type { Client } from './client.js';

const log = loggerFor('callers');
/** So many digits tell one wrong token from another. */
const NAME_OF_TOKEN = 16;

/** Clients prove who they are at each request; the slow hash of a password is computed once while it does not change. */
export class KnownCallers implements Callers {
  private readonly digests = new PrivateDigests();
  /** Of the last password of each client that was right. */
  private readonly proved = new Map<string, Buffer>();
  private readonly rights: ClientRights;

  constructor(
    private readonly clients: ReadonlyMap<string, Client>,
    private readonly hashing: PasswordHashing,
    private readonly throttle: AuthenticationThrottle,
    private readonly addresses: ClientAddresses,
  ) {
    this.rights = new ClientRights(clients.values());
  }

  async admit(request: IncomingMessage, permission: Permission, scope: Scope): Promise<string> {
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization === undefined) throw unknownCaller();
    const address = this.addresses.of(request);
    const client = await this.identify(authorization, address);
    if (client === undefined) {
      log.warn({ clientAddress: address, ...this.claimOf(authorization) }, 'unknown caller');
      throw unknownCaller();
    }
    const fault = this.rights.faultOf(client, permission, scope);
    if (fault === undefined) return `${client.name} at ${address}`;
    const { applications, profiles } = scope;
    const fields = {
      clientAddress: address,
      client: client.name,
      permission,
      applications,
      profiles,
    };
    log.warn(fields, fault);
    throw new CallerError('CALLER_NOT_ALLOWED', fault);
  }

  /** For the log: a name is named where it is a client's; any other could be a password in the wrong place. */
  private claimOf(claim: Authorization): LogFields {
    const { scheme } = claim;
    const isKnown = scheme === 'basic' && this.clients.has(claim.name);
    return isKnown ? { scheme, client: claim.name } : { scheme };
  }

  /**
   * A right token is let in whoever else failed from its address: it is random, so nobody comes upon it by trying. Wrong
   * ones are counted all the same, each for itself and all together for the address.
   */
  private identify(authorization: Authorization, address: string): Promise<Client | undefined> {
    if (authorization.scheme === 'basic') {
      const { name, password } = authorization;
      return this.guarded({ address, name }, () => this.byPassword(name, password));
    }
    const { token } = authorization;
    const client = this.byToken(sha256(token));
    if (client !== undefined) return Promise.resolve(client);
    const name = this.digests.of(token).toString('hex').slice(0, NAME_OF_TOKEN);
    return this.guarded({ address, name: `token ${name}` }, () => Promise.resolve(undefined));
  }

  private guarded(
    subject: { readonly address: string; readonly name: string },
    attempt: () => Promise<Client | undefined>,
  ): Promise<Client | undefined> {
    return this.throttle.guard(subject, attempt, (found) => found === undefined);
  }

  private async byPassword(name: string, password: string): Promise<Client | undefined> {
    const client = this.clients.get(name);
    const hash = client?.passwordHash;
    if (client === undefined || hash === undefined) {
      await this.hashing.verifyDecoy(password);
      return undefined;
    }
    const digest = this.digests.of(password);
    const proved = this.proved.get(name);
    if (proved !== undefined && timingSafeEqual(proved, digest)) return client;
    if (!(await this.hashing.verify(hash, password))) return undefined;
    this.proved.set(name, digest);
    return client;
  }

  /** Looks at every client, so that the time tells nothing of which one it is. */
  private byToken(digest: string): Client | undefined {
    let found: Client | undefined;
    for (const client of this.clients.values()) {
      if (equalsInConstantTime(client.tokenHash ?? '', digest)) found = client;
    }
    return found;
  }
}

/** Under a key of this process alone: they tell nobody anything, in memory or in the log. */
class PrivateDigests {
  private readonly key = randomBytes(32);

  of(secret: string): Buffer {
    return createHmac('sha256', this.key).update(secret, 'utf16le').digest();
  }
}

function unknownCaller(): CallerError {
  return new CallerError('CALLER_UNKNOWN', 'a client has to say who it is, and to prove it');
}
