// The port between requests and credentials: each kind of credential has one reader. Checking is the handlers' part.
import type { IncomingMessage } from 'node:http';
import type { Form } from '@tessera/server';
import type { Credential } from './authentication-handler.js';

export interface CredentialExtractor {
  /** The form fields that are its own: they count in the body alone. */
  readonly fields: readonly string[];
  /**
   * The credential of its kind that a request carries; undefined where there is none.
   * @throws RequestError MALFORMED_REQUEST naming the field at fault
   */
  read(form: Form, request: IncomingMessage): Credential | undefined;
}

/** Injection token of the readers of this deployment, in the order in which they are asked. */
export const CREDENTIAL_EXTRACTORS = Symbol('CREDENTIAL_READERS');
