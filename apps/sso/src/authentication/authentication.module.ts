// Wires authentication for Nest: makes the handlers the settings name, in their order.
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing, type PasswordHashingOptions } from '@tessera/crypto';
import { AccountsHandler } from './accounts-handler.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { StaticHandler } from './static-handler.js';
import type { StaticUser } from './static-users.js';

export const HANDLER_NAMES = ['static', 'accounts'] as const;

export type HandlerName = (typeof HANDLER_NAMES)[number];

export interface AuthenticationOptions {
  /** The handlers to ask, in this order. */
  readonly handlers: readonly HandlerName[];
  /** For `static`. */
  readonly users?: readonly StaticUser[];
  /** For `accounts`: the connected database, with the entity UserAccount, and the cost of hashes. */
  readonly dataSource?: DataSource;
  readonly argon2?: PasswordHashingOptions;
}

@Module({})
export class AuthenticationModule {
  /** Provides the {@link Authenticator}. @throws Error for handlers whose options are missing or wrong */
  static forRoot(options: AuthenticationOptions): DynamicModule {
    const authenticator = new Authenticator(options.handlers.map((name) => make(name, options)));
    return {
      module: AuthenticationModule,
      providers: [{ provide: Authenticator, useFactory: () => authenticator }],
      exports: [Authenticator],
    };
  }
}

function make(name: HandlerName, options: AuthenticationOptions): AuthenticationHandler {
  switch (name) {
    case 'static':
      return new StaticHandler(options.users ?? []);
    case 'accounts':
      return makeAccountsHandler(options);
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
