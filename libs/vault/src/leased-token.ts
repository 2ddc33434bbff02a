// The token for all requests to Vault: renewed before it expires, or replaced by a new login.
import { loggerFor, withoutRequest } from '@tessera/logging';
import { SingleFlight } from '@tessera/runtime';
import { leaseEvents, type LeaseEvent } from './lease-events.js';
import type { LogIn } from './logins.js';
import type { Login, TokenCalls, TokenProvider } from './tokens.js';
import { VaultError } from './vault-error.js';

const log = loggerFor('vault');

interface Lease extends Login {
  readonly since: number;
  readonly renewAt: number;
  readonly expiresAt: number;
  /** The lifetime that the login gave. */
  readonly firstLifetime: number;
}

/** The part of the lifetime after which a token is renewed; the rest is for retries while Vault is unavailable. */
const RENEW_AFTER = 2 / 3;
const MIN_DELAY_MS = 1_000;
/** `setTimeout` is limited to 24 days. */
const MAX_DELAY_MS = 86_400_000;
/** A renewal for less than this part of the first lifetime is near the maximum TTL: a new login is better. */
const MIN_RENEWED_PART = 1 / 2;
/** A newer token was refused for its policies: another one would be refused too. */
const MIN_REFUSED_AGE_MS = 5_000;

export class LeasedToken implements TokenProvider {
  private lease: Lease | undefined;
  private readonly flight = new SingleFlight<string>();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly logIn: LogIn,
    private readonly now = (): number => performance.now(),
  ) {}

  async token(vault: TokenCalls): Promise<string> {
    if (this.lease !== undefined && this.now() < this.lease.renewAt) {
      this.publish('used');
      return this.lease.token;
    }
    return this.flight.run('token', () => this.renewOrLogIn(vault));
  }

  refused(token: string): void {
    const { lease } = this;
    const isOld = lease !== undefined && this.now() - lease.since > MIN_REFUSED_AGE_MS;
    if (isOld && lease.token === token) this.lease = undefined;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.publish('closed');
  }

  /** Keeps a lease that has not expired when Vault gives no new one. */
  private async renewOrLogIn(vault: TokenCalls): Promise<string> {
    const { lease } = this;
    const isValid = (): boolean => lease !== undefined && this.now() < lease.expiresAt;
    try {
      const renewed =
        lease?.isRenewable && isValid() ? await this.renewed(lease, vault) : undefined;
      this.lease = renewed ?? (await this.loggedIn(vault));
      this.publish(renewed === undefined ? 'logged-in' : 'renewed');
    } catch (error) {
      this.publish('failed');
      if (lease === undefined || !isValid()) throw error;
      log.warn({ error }, 'the token of Vault cannot be renewed for now');
      this.lease = { ...lease, renewAt: renewAt(this.now(), lease.expiresAt) };
    }
    this.schedule(this.lease, vault);
    return this.lease.token;
  }

  private publish(type: LeaseEvent['type']): void {
    if (!leaseEvents.hasSubscribers) return;
    const { expiresAt } = this.lease ?? {};
    const timeLeft = expiresAt === undefined ? undefined : expiresAt - this.now();
    leaseEvents.publish({ holder: this, type, timeLeft });
  }

  private async loggedIn(vault: TokenCalls): Promise<Lease> {
    const since = this.now();
    const login = await this.logIn(vault);
    return leaseOf(login, since, login.lifetime);
  }

  /** Undefined when a login is needed instead. */
  private async renewed(lease: Lease, vault: TokenCalls): Promise<Lease | undefined> {
    const since = this.now();
    try {
      const login = await vault.renew(lease.token);
      const isLongEnough = login.lifetime >= lease.firstLifetime * MIN_RENEWED_PART;
      return isLongEnough ? leaseOf(login, since, lease.firstLifetime) : undefined;
    } catch (error) {
      if (error instanceof VaultError && error.code === 'VAULT_REFUSED') return undefined;
      throw error;
    }
  }

  /** Renews the token in time while there are no requests. */
  private schedule(lease: Lease, vault: TokenCalls): void {
    clearTimeout(this.timer);
    if (this.isClosed || lease.renewAt === Infinity) return;
    const delay = Math.min(lease.renewAt - this.now(), MAX_DELAY_MS);
    const renew = (): void => {
      const { lease: current } = this;
      if (current !== undefined && this.now() < current.renewAt) this.schedule(current, vault);
      else this.token(vault).catch((error: unknown) => log.warn({ error }, 'no token from Vault'));
    };
    // The renewal belongs to no request.
    this.timer = withoutRequest(() => setTimeout(renew, delay).unref());
  }
}

function leaseOf(login: Login, since: number, firstLifetime: number): Lease {
  const expiresAt = since + login.lifetime;
  return { ...login, since, renewAt: renewAt(since, expiresAt), expiresAt, firstLifetime };
}

function renewAt(since: number, expiresAt: number): number {
  return since + Math.max((expiresAt - since) * RENEW_AFTER, MIN_DELAY_MS);
}
