// Wires authentication for Nest: makes the handlers the settings name, in their order.
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing, type PasswordHashingOptions } from '@tessera/crypto';
import type { LdapOptions } from '@tessera/ldap';
import { AccountsHandler } from './accounts-handler.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { CREDENTIAL_READERS, type CredentialReader } from './credential-reader.js';
import { PasswordReader } from './password-reader.js';
import { StaticHandler } from './static-handler.js';
import type { StaticUser } from './static-users.js';
import { Throttles, type ThrottlePolicies } from './throttles.js';

export const HANDLER_NAMES = ['static', 'accounts', 'ldap'] as const;

export type HandlerName = (typeof HANDLER_NAMES)[number];

/** A kind of credential besides user names with passwords: how it is read and who checks it. */
export interface CredentialKind {
  readonly reader: CredentialReader;
  readonly handler: AuthenticationHandler;
}

export interface AuthenticationOptions {
  /** The handlers of passwords to ask, in this order. */
  readonly handlers: readonly HandlerName[];
  /** For `static`. */
  readonly users?: readonly StaticUser[];
  /** For `accounts`: the connected database, with the entity UserAccount, and the cost of hashes. */
  readonly dataSource?: DataSource;
  readonly argon2?: PasswordHashingOptions;
  /** For `ldap`. */
  readonly ldap?: LdapOptions;
  /** Certificates, where they are credentials. */
  readonly certificates?: CredentialKind | undefined;
  /** Where failed logins are counted, in the database; nowhere unless told. */
  readonly throttling?: ThrottlePolicies;
}

@Module({})
export class AuthenticationModule {
  /**
   * Provides the {@link Authenticator} and the readers of credentials.
   * @throws Error for handlers whose options are missing or wrong
   */
  static async forRoot(options: AuthenticationOptions): Promise<DynamicModule> {
    const further = options.certificates === undefined ? [] : [options.certificates];
    const handlers = await Promise.all(options.handlers.map((name) => make(name, options)));
    handlers.push(...further.map(({ handler }) => handler));
    const authenticator = new Authenticator(handlers, openThrottles(options));
    const readers = [...further.map(({ reader }) => reader), new PasswordReader()];
    return {
      module: AuthenticationModule,
      providers: [
        { provide: Authenticator, useFactory: () => authenticator },
        { provide: CREDENTIAL_READERS, useValue: readers },
      ],
      exports: [Authenticator, CREDENTIAL_READERS],
    };
  }
}

function openThrottles({ throttling, dataSource }: AuthenticationOptions): Throttles {
  if (!throttling) return Throttles.NONE;
  if (!dataSource) throw new Error('throttling needs a database');
  return Throttles.open(dataSource, throttling);
}

async function make(
  name: HandlerName,
  options: AuthenticationOptions,
): Promise<AuthenticationHandler> {
  switch (name) {
    case 'static':
      return new StaticHandler(options.users ?? []);
    case 'accounts':
      return makeAccountsHandler(options);
    case 'ldap':
      return openLdapHandler(options);
    default:
      throw new Error(`there is no authentication handler "${String(name satisfies never)}"`);
  }
}

function makeAccountsHandler({ dataSource, argon2 }: AuthenticationOptions): AccountsHandler {
  if (!dataSource) {
    throw new Error('the authentication handler "accounts" needs a database');
  }
  return new AccountsHandler(new AccountStore(dataSource), new PasswordHashing(argon2));
}

/** Loaded at need: most deployments have no directory. */
async function openLdapHandler({ ldap }: AuthenticationOptions): Promise<AuthenticationHandler> {
  if (!ldap) {
    throw new Error('the authentication handler "ldap" needs a directory');
  }
  const { LdapHandler } = await import('./ldap-handler.js');
  return LdapHandler.open(ldap);
}
