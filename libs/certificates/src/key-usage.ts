// What a certificate's key may be used for. An absent extension restricts nothing.
import type { Certificate } from './certificate.js';
import type { KeyUse } from './standard-extensions.js';

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0';

/** @see RFC 5280 §4.2.1.3 */
export function mayUseKey({ signed }: Certificate, use: KeyUse): boolean {
  return signed.extensions.keyUsage?.has(use) ?? true;
}

/**
 * Whether the key may sign revocation lists. Without a key usage, only an authority's may.
 *
 * @see RFC 5280 §4.2.1.3, §6.3.3 (f)
 */
export function maySignLists({ signed }: Certificate): boolean {
  const { keyUsage, isAuthority } = signed.extensions;
  return keyUsage?.has('cRLSign') ?? isAuthority;
}

/**
 * Whether the certificate may prove who a client is. "Any usage" is not enough: who issues
 * certificates for clients says so.
 *
 * @see RFC 5280 §4.2.1.12
 */
export function isForClients({ signed }: Certificate): boolean {
  return signed.extensions.extendedKeyUsage?.includes(CLIENT_AUTHENTICATION) ?? true;
}

/** Whether an authority may issue certificates for clients; "any usage" restricts nothing here. */
export function mayIssueForClients(authority: Certificate): boolean {
  const usages = authority.signed.extensions.extendedKeyUsage;
  return isForClients(authority) || (usages?.includes(ANY_EXTENDED_KEY_USAGE) ?? false);
}
