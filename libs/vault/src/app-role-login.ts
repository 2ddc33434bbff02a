// Owns the tokens of an application that logs in by AppRole. Tokens are not renewed: before one expires, it logs in anew.
import type { LogIn, TokenProvider } from './tokens.js';

export interface AppRole {
  readonly roleId: string;
  readonly revealSecretId: () => string;
  /** Where the method is mounted: `approle`. */
  readonly mount: string;
}

interface HeldToken {
  readonly token: string;
  readonly since: number;
  readonly goodUntil: number;
}

/** What is left of a lifetime when the next login comes: time to try again while Vault is away. */
const SPENT = 2 / 3;
/** A token as new as this is refused for what it may not do: another would fare no better. */
const NEW_MS = 5_000;

export class AppRoleLogin implements TokenProvider {
  private held: HeldToken | undefined;
  private loggingIn: Promise<HeldToken> | undefined;

  /** @param now in milliseconds, from a clock that nobody sets */
  constructor(
    private readonly role: AppRole,
    private readonly now = (): number => performance.now(),
  ) {}

  async token(logIn: LogIn): Promise<string> {
    if (this.held !== undefined && this.now() < this.held.goodUntil) return this.held.token;
    this.loggingIn ??= this.logIn(logIn).finally(() => {
      this.loggingIn = undefined;
    });
    this.held = await this.loggingIn;
    return this.held.token;
  }

  refused(token: string): void {
    const { held } = this;
    if (held?.token === token && this.now() - held.since > NEW_MS) this.held = undefined;
  }

  private async logIn(logIn: LogIn): Promise<HeldToken> {
    const { roleId, revealSecretId, mount } = this.role;
    const credentials = { role_id: roleId, secret_id: revealSecretId() };
    const { token, lifetime } = await logIn(`auth/${mount}/login`, credentials);
    const since = this.now();
    return { token, since, goodUntil: since + lifetime * SPENT };
  }
}
