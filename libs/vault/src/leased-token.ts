// Owns one token for all requests: renewed before it expires, and got anew where that is no use. How is next door.
import { loggerFor, withoutRequestId } from '@tessera/logging';
import type { LogIn } from './logins.js';
import type { Login, TokenCalls, TokenProvider } from './tokens.js';
import { VaultError } from './vault-error.js';

const log = loggerFor('vault');

interface Lease extends Login {
  readonly since: number;
  /** When it is to be renewed. */
  readonly dueAt: number;
  readonly goodUntil: number;
  /** Of the login that this lease goes back to. */
  readonly firstLifetime: number;
}

/** What is left of a lifetime is time to try again while Vault is away. */
const SPENT = 2 / 3;
const SHORTEST_PAUSE_MS = 1_000;
/** `setTimeout` takes 24 days at most for what they are. */
const LONGEST_PAUSE_MS = 86_400_000;
/** A renewal that gives less than this part of the first lifetime comes near the end of all renewals. */
const WORTH_IT = 1 / 2;
/** A token as new as this is refused for what it may not do: another would fare no better. */
const NEW_MS = 5_000;

export class LeasedToken implements TokenProvider {
  private held: Lease | undefined;
  private underWay: Promise<string> | undefined;
  private alarm: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param now in milliseconds, from a clock that nobody sets */
  constructor(
    private readonly logIn: LogIn,
    private readonly now = (): number => performance.now(),
  ) {}

  async token(vault: TokenCalls): Promise<string> {
    if (this.held !== undefined && this.now() < this.held.dueAt) return this.held.token;
    this.underWay ??= this.prolong(vault).finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  refused(token: string): void {
    const { held } = this;
    if (held?.token === token && this.now() - held.since > NEW_MS) this.held = undefined;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.alarm);
  }

  /** A lease that still holds is kept where Vault gives no better one. */
  private async prolong(vault: TokenCalls): Promise<string> {
    const { held } = this;
    const isHeld = (): boolean => held !== undefined && this.now() < held.goodUntil;
    try {
      const renewed = held?.isRenewable && isHeld() ? await this.renewed(held, vault) : undefined;
      this.held = renewed ?? (await this.loggedIn(vault));
    } catch (error) {
      if (held === undefined || !isHeld()) throw error;
      log.warn({ error }, 'the token of Vault cannot be renewed for now');
      this.held = { ...held, dueAt: dueAt(this.now(), held.goodUntil) };
    }
    this.wait(this.held, vault);
    return this.held.token;
  }

  private async loggedIn(vault: TokenCalls): Promise<Lease> {
    const since = this.now();
    const login = await this.logIn(vault);
    return leaseOf(login, since, login.lifetime);
  }

  /** Undefined where a login is due instead. */
  private async renewed(held: Lease, vault: TokenCalls): Promise<Lease | undefined> {
    const since = this.now();
    try {
      const login = await vault.renew(held.token);
      const isWorthIt = login.lifetime >= held.firstLifetime * WORTH_IT;
      return isWorthIt ? leaseOf(login, since, held.firstLifetime) : undefined;
    } catch (error) {
      if (error instanceof VaultError && error.code === 'VAULT_REFUSED') return undefined;
      throw error;
    }
  }

  /** Keeps the token alive while nobody asks for it. */
  private wait(lease: Lease, vault: TokenCalls): void {
    clearTimeout(this.alarm);
    if (this.isClosed || lease.dueAt === Infinity) return;
    const pause = Math.min(lease.dueAt - this.now(), LONGEST_PAUSE_MS);
    const look = (): void => {
      if (this.held !== undefined && this.now() < this.held.dueAt) this.wait(this.held, vault);
      else this.token(vault).catch((error: unknown) => log.warn({ error }, 'no token from Vault'));
    };
    // It is of no request, whoever asked for the token before.
    this.alarm = withoutRequestId(() => setTimeout(look, pause).unref());
  }
}

function leaseOf(login: Login, since: number, firstLifetime: number): Lease {
  const goodUntil = since + login.lifetime;
  return { ...login, since, dueAt: dueAt(since, goodUntil), goodUntil, firstLifetime };
}

function dueAt(since: number, goodUntil: number): number {
  return since + Math.max((goodUntil - since) * SPENT, SHORTEST_PAUSE_MS);
}
