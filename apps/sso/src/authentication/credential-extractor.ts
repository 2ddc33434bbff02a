// Extracts credentials from requests; each kind of credential has one extractor.
import type { IncomingMessage } from 'node:http';
import { RequestError, type Form } from '@tessera/server';
import type {
  AuthenticationHandler,
  Credential,
  UsernamePasswordCredential,
} from './authentication-handler.js';

export interface CredentialExtractor {
  /** The form fields of this kind of credential. They are accepted in the body only, not in the query. */
  readonly fields: readonly string[];
  /**
   * The credential in the request; undefined without one.
   * @throws RequestError MALFORMED_REQUEST naming the invalid field
   */
  extract(form: Form, request: IncomingMessage): Credential | undefined;
}

/** Injection token of the extractors, in the order in which they are tried. */
export const CREDENTIAL_EXTRACTORS = Symbol('CREDENTIAL_EXTRACTORS');

const MAX_USERNAME_LENGTH = 255;

/** A kind of credential: its extractor and its handler. */
export interface CredentialKind {
  readonly extractor: CredentialExtractor;
  readonly handler: AuthenticationHandler;
}

export class PasswordExtractor implements CredentialExtractor {
  readonly fields = ['username', 'password'];

  extract(form: Form): UsernamePasswordCredential | undefined {
    if (!this.fields.some((name) => form.has(name))) return undefined;
    const username = form.line('username', MAX_USERNAME_LENGTH);
    const password = form.one('password');
    if (!username || !password) {
      const missing = [!username && 'username', !password && 'password'];
      const names = missing.filter((name) => name !== false).join(', ');
      throw new RequestError('MALFORMED_REQUEST', `missing: ${names}`);
    }
    const others = form.except(...this.fields);
    return { type: 'UsernamePasswordCredential', username, password, form: others };
  }
}
