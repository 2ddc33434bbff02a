// Validates the structure of whole LDAP messages.
import { isUtf8 } from 'node:buffer';
import { BerReader, notLdap } from './ber.js';

export const BIND_REQUEST = 0x60;
export const BIND_RESPONSE = 0x61;
export const SEARCH_REQUEST = 0x63;
export const SEARCH_ENTRY = 0x64;
export const SEARCH_DONE = 0x65;
export const SEARCH_REFERENCE = 0x73;
export const MODIFY_REQUEST = 0x66;
export const MODIFY_RESPONSE = 0x67;
export const EXTENDED_REQUEST = 0x77;
export const EXTENDED_RESPONSE = 0x78;

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const ENUMERATED = 0x0a;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTROLS = 0xa0;
const REFERRAL = 0xa3;
const SASL_CREDENTIALS = 0x87;
const RESPONSE_NAME = 0x8a;
const RESPONSE_VALUE = 0x8b;

const PASSWORD_POLICY = '1.3.6.1.4.1.42.2.27.8.5.1';
const POLICY_WARNING = 0xa0;
const TIME_BEFORE_EXPIRATION = 0x80;
const GRACE_LOGINS = 0x81;
const POLICY_ERROR = 0x81;

/** @see RFC 4511 §4.1.1 */
export interface LdapMessage {
  readonly id: number;
  /** The tag of the operation. */
  readonly operation: number;
  /** The result code, if the message is a result. */
  readonly code?: number | undefined;
}

/** Readers of a server's messages; they return the code of a result. */
const CONTENTS = new Map<number, (body: BerReader) => number | undefined>([
  [BIND_RESPONSE, (body) => readResult(body, [SASL_CREDENTIALS])],
  [SEARCH_ENTRY, readEntry],
  [SEARCH_DONE, (body) => readResult(body, [])],
  [SEARCH_REFERENCE, readReference],
  [MODIFY_RESPONSE, (body) => readResult(body, [])],
  [EXTENDED_RESPONSE, (body) => readResult(body, [RESPONSE_NAME, RESPONSE_VALUE])],
]);

/** Reads a whole message of a server. @throws Error for other operations and invalid structure */
export function readMessage(bytes: Buffer): LdapMessage {
  const whole = new BerReader(bytes);
  const message = whole.inside(SEQUENCE);
  whole.end();
  const id = message.integer(INTEGER);
  const operation = message.tag ?? 0;
  const read = CONTENTS.get(operation);
  if (read === undefined) throw notLdap('a message that clients do not expect');
  const body = message.inside(operation);
  const code = read(body);
  body.end();
  if (message.tag === CONTROLS) checkControls(message.inside(CONTROLS));
  message.end();
  return { id, operation, code };
}

/** Reads a request that ldapts wrote, without validation. */
export function readRequest(bytes: Buffer): LdapMessage {
  const message = new BerReader(bytes).inside(SEQUENCE);
  return { id: message.integer(INTEGER), operation: message.tag ?? 0 };
}

/** @see RFC 4511 §4.1.9 @param more tags of optional elements */
function readResult(body: BerReader, more: readonly number[]): number {
  const code = body.integer(ENUMERATED);
  body.octets(OCTET_STRING);
  body.octets(OCTET_STRING);
  if (body.tag === REFERRAL) readReference(body.inside(REFERRAL));
  for (const tag of more) if (body.tag === tag) body.octets(tag);
  return code;
}

function readReference(uris: BerReader): undefined {
  while (uris.tag !== undefined) uris.octets(OCTET_STRING);
}

/** @see RFC 4511 §4.5.2 */
function readEntry(body: BerReader): undefined {
  // Decoding invalid UTF-8 with replacement characters would make another user's name.
  if (!isUtf8(body.octets(OCTET_STRING))) throw notLdap('a name that is not UTF-8');
  const attributes = body.inside(SEQUENCE);
  // ldapts would replace the first of two equal attributes, and the entry's own name by an attribute `dn`.
  const names = new Set(['dn']);
  while (attributes.tag !== undefined) {
    const attribute = attributes.inside(SEQUENCE);
    const name = attribute.octets(OCTET_STRING).toString('latin1').toLowerCase();
    if (names.has(name)) throw notLdap('a duplicate attribute');
    names.add(name);
    const values = attribute.inside(SET);
    while (values.tag !== undefined) values.octets(OCTET_STRING);
    attribute.end();
  }
}

/** Accepts every type, because some servers send unrequested controls. @see RFC 4511 §4.1.11 */
function checkControls(controls: BerReader): void {
  while (controls.tag !== undefined) {
    const control = controls.inside(SEQUENCE);
    const type = control.octets(OCTET_STRING).toString('latin1');
    if (control.tag === BOOLEAN) control.integer(BOOLEAN);
    const value = control.tag === OCTET_STRING ? control.octets(OCTET_STRING) : Buffer.alloc(0);
    control.end();
    if (type === PASSWORD_POLICY && value.length > 0) checkPolicy(new BerReader(value));
  }
}

/** ldapts would read a missing number as 0, "password expired". @see draft-behera-ldap-password-policy-11 §6.2 */
function checkPolicy(value: BerReader): void {
  const policy = value.inside(SEQUENCE);
  value.end();
  if (policy.tag === POLICY_WARNING) {
    const warning = policy.inside(POLICY_WARNING);
    warning.integer(warning.tag === GRACE_LOGINS ? GRACE_LOGINS : TIME_BEFORE_EXPIRATION);
    warning.end();
  }
  if (policy.tag === POLICY_ERROR) policy.integer(POLICY_ERROR);
  policy.end();
}
