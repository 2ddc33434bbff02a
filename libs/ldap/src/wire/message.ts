// Owns what a message must look like, to the last element, before anything else reads it. Which message may
// come when is not known here.
import { isUtf8 } from 'node:buffer';
import { BerReader, notLdap } from './ber.js';

export const BIND_REQUEST = 0x60;
export const BIND_RESPONSE = 0x61;
export const SEARCH_REQUEST = 0x63;
export const SEARCH_ENTRY = 0x64;
export const SEARCH_DONE = 0x65;
export const SEARCH_REFERENCE = 0x73;
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
  /** The tag that says what the message is. */
  readonly operation: number;
  /** Of a message that is a result. */
  readonly code?: number | undefined;
}

/** How a server's messages are read; the code where it is a result. */
const CONTENTS = new Map<number, (body: BerReader) => number | undefined>([
  [BIND_RESPONSE, (body) => readResult(body, [SASL_CREDENTIALS])],
  [SEARCH_ENTRY, readEntry],
  [SEARCH_DONE, (body) => readResult(body, [])],
  [SEARCH_REFERENCE, readReference],
  [EXTENDED_RESPONSE, (body) => readResult(body, [RESPONSE_NAME, RESPONSE_VALUE])],
]);

/** Reads a whole message of a server. @throws Error where it is anything but one of those above, in full */
export function readMessage(bytes: Buffer): LdapMessage {
  const whole = new BerReader(bytes);
  const message = whole.inside(SEQUENCE);
  whole.end();
  const id = message.integer(INTEGER);
  const operation = message.tag ?? 0;
  const read = CONTENTS.get(operation);
  if (read === undefined) throw notLdap('a message that no client awaits');
  const body = message.inside(operation);
  const code = read(body);
  body.end();
  if (message.tag === CONTROLS) checkControls(message.inside(CONTROLS));
  message.end();
  return { id, operation, code };
}

/** What a message of ours asks: its content is our own. */
export function readRequest(bytes: Buffer): LdapMessage {
  const message = new BerReader(bytes).inside(SEQUENCE);
  return { id: message.integer(INTEGER), operation: message.tag ?? 0 };
}

/** @see RFC 4511 §4.1.9 @param more tags of what may follow */
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
  // A name that is mended where it is no text would be another's.
  if (!isUtf8(body.octets(OCTET_STRING))) throw notLdap('a name that is no text');
  const attributes = body.inside(SEQUENCE);
  // One that comes twice would take the place of the other, and one of this name that of the entry's own.
  const names = new Set(['dn']);
  while (attributes.tag !== undefined) {
    const attribute = attributes.inside(SEQUENCE);
    const name = attribute.octets(OCTET_STRING).toString('latin1').toLowerCase();
    if (names.has(name)) throw notLdap('an attribute that cannot be told from another');
    names.add(name);
    const values = attribute.inside(SET);
    while (values.tag !== undefined) values.octets(OCTET_STRING);
    attribute.end();
  }
}

/** Of whatever kind, because some servers send some that nobody asked for. @see RFC 4511 §4.1.11 */
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

/** A number that is missing would be taken for 0, "password expired". @see draft-behera-ldap-password-policy-11 §6.2 */
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
