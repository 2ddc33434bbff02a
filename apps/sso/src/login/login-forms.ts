// The state of login forms. It travels in the field `execution`, encrypted, so that no server keeps it.
import { Injectable } from '@nestjs/common';
import { randomId } from '@tessera/crypto';
import { SealingKey } from './login-key.js';
import type { LoginRequest } from './login-request.js';
import { LoginStore } from './login-store.js';

const LIFETIME_MS = 30 * 60_000;
/** 22 characters carry 130 bits. */
const ID_LENGTH = 22;

/**
 * `credentials` asks for them; `confirmation` asks a user with a session whether to go on to the service; `notice` tells the
 * user that the password ends soon; `new-password` asks for another one.
 */
export type LoginStep =
  | { readonly step: 'credentials' | 'confirmation' }
  | (PasswordSubject & {
      readonly step: 'notice';
      /** The TGT of the session that the login has started. */
      readonly tgt: string;
    })
  | (PasswordSubject & { readonly step: 'new-password' });

/** What a user has typed into the login form, apart from the password. */
export interface Typed {
  readonly username: string;
  readonly warn: boolean;
  readonly rememberMe: boolean;
}

/** Whose password it is: one that a handler has found right. */
export interface PasswordSubject {
  readonly typed: Typed;
  readonly handler: string;
}

export type LoginFormState = LoginStep & {
  readonly id: string;
  readonly login: LoginRequest;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
};

@Injectable()
export class LoginForms {
  constructor(
    private readonly key: SealingKey,
    private readonly store: LoginStore,
  ) {}

  /** The field `execution` of a new form. */
  issue(step: LoginStep, login: LoginRequest): Promise<string> {
    const state: LoginFormState = {
      ...step,
      id: randomId(ID_LENGTH),
      login,
      issuedAt: Date.now(),
    };
    return this.key.seal('login-form', state);
  }

  /** The state in a field `execution`, also of an expired form; undefined for a text that is not from this server. */
  async open(execution: string): Promise<LoginFormState | undefined> {
    return (await this.key.open('login-form', execution)) as LoginFormState | undefined;
  }

  isExpired({ issuedAt }: LoginFormState): boolean {
    return Date.now() - issuedAt > LIFETIME_MS;
  }

  /** Uses the form up. Of any number of callers, on any number of nodes, one gets `true`. */
  claim({ id }: LoginFormState): Promise<boolean> {
    // Twice the lifetime covers the difference between the clocks of nodes and database.
    return this.store.claimForm(id, 2 * LIFETIME_MS);
  }
}
