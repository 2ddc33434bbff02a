// Authenticates the configured clients, and checks their rights.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { equalsInConstantTime, sha256, type PasswordHashing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { networkOf, rememberNetwork } from '@tessera/runtime';
import { readAuthorization, type Authorization, type ClientAddresses } from '@tessera/server';
import type { AuthenticationThrottle } from '@tessera/throttling';
import { CallerError } from './caller-error.js';
import type { Caller, Callers, Scope } from './callers.js';
import { ClientRights } from './client-rights.js';
import type { Client, Permission } from '../settings/client.js';

const log = loggerFor('callers');
/** Digits of a digest that tell wrong tokens apart. */
const TOKEN_NAME_LENGTH = 16;

/** Each request authenticates. The slow hash of a password is computed once, until the password changes. */
export class KnownCallers implements Callers {
  private readonly digests = new PrivateDigests();
  /** By client: the digest of the last password that was right. */
  private readonly verified = new Map<string, Buffer>();
  private readonly rights: ClientRights;

  constructor(
    private readonly clients: ReadonlyMap<string, Client>,
    private readonly hashing: PasswordHashing,
    private readonly throttle: AuthenticationThrottle,
    private readonly addresses: ClientAddresses,
  ) {
    this.rights = new ClientRights(clients.values());
  }

  async admit(request: IncomingMessage, permission: Permission, scope: Scope): Promise<Caller> {
    const authorization = readAuthorization(request.headers.authorization);
    if (authorization === undefined) throw unknownCaller();
    const address = this.addresses.of(request);
    const client = await this.identify(authorization, address);
    if (client === undefined) {
      const claim = this.claimOf(authorization);
      log.warn({ clientAddress: address, ...claim }, 'unknown caller');
      throw unknownCaller(claim.client);
    }
    const refusal = this.rights.refusalOf(client, permission, scope);
    if (refusal === undefined) return { name: client.name, address };
    const { applications, profiles } = scope;
    const fields = {
      clientAddress: address,
      client: client.name,
      permission,
      applications,
      profiles,
    };
    log.warn(fields, refusal);
    throw new CallerError('CALLER_NOT_ALLOWED', refusal, client.name);
  }

  /** For the log and the audit trail. An unknown name is left out: it could be a password in the wrong field. */
  private claimOf(claim: Authorization): { readonly scheme: string; readonly client?: string } {
    const { scheme } = claim;
    const isKnown = scheme === 'basic' && this.clients.has(claim.name);
    return isKnown ? { scheme, client: claim.name } : { scheme };
  }

  /**
   * A right token is accepted from a throttled address too: a random token cannot be guessed. Wrong tokens are counted,
   * each by itself and all together by address.
   */
  private identify(authorization: Authorization, address: string): Promise<Client | undefined> {
    if (authorization.scheme === 'basic') {
      const { name, password } = authorization;
      return this.guarded({ address, name }, () => this.byPassword(name, password, address));
    }
    const { token } = authorization;
    const client = this.byToken(sha256(token));
    if (client !== undefined) return Promise.resolve(client);
    const name = this.digests.of(token).toString('hex').slice(0, TOKEN_NAME_LENGTH);
    return this.guarded({ address, name: `token ${name}` }, () => Promise.resolve(undefined));
  }

  private guarded(
    subject: { readonly address: string; readonly name: string },
    attempt: () => Promise<Client | undefined>,
  ): Promise<Client | undefined> {
    return this.throttle.guard(subject, attempt, (found) => found === undefined);
  }

  private async byPassword(
    name: string,
    password: string,
    address: string,
  ): Promise<Client | undefined> {
    const client = this.clients.get(name);
    const hash = client?.passwordHash;
    if (client === undefined || hash === undefined) {
      await this.hashing.verifyDecoy(password);
      return undefined;
    }
    const digest = this.digests.of(password);
    const verified = this.verified.get(name);
    if (verified !== undefined && timingSafeEqual(verified, digest)) return client;
    if (!(await this.hashing.verify(hash, password))) return undefined;
    rememberNetwork(networkOf(address));
    this.verified.set(name, digest);
    return client;
  }

  /** Compares with every client, so that the time does not depend on the client. */
  private byToken(digest: string): Client | undefined {
    let found: Client | undefined;
    for (const client of this.clients.values()) {
      if (equalsInConstantTime(client.tokenHash ?? '', digest)) found = client;
    }
    return found;
  }
}

/** Digests by a random key of this process, so that none of them can be attacked offline. */
class PrivateDigests {
  private readonly key = randomBytes(32);

  of(secret: string): Buffer {
    return createHmac('sha256', this.key).update(secret, 'utf16le').digest();
  }
}

function unknownCaller(client?: string): CallerError {
  const message = 'a client has to say who it is, and to prove it';
  return new CallerError('CALLER_UNKNOWN', message, client);
}
