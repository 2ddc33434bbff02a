// Reads general names, such as the subject alternative names.
import { unreadable } from './certificate-error.js';
import {
  constructedContext,
  type DerElement,
  DerFields,
  primitiveContext,
  TAG,
} from './der/der-element.js';
import { ascii, objectIdentifier, text } from './der/der-values.js';
import { DistinguishedName } from './distinguished-name.js';

/** A name by its form. Forms that this library does not compare are `unsupported`. */
export type GeneralName =
  | { readonly form: 'rfc822Name' | 'dNSName' | 'uniformResourceIdentifier'; readonly text: string }
  | { readonly form: 'directoryName'; readonly name: DistinguishedName }
  /** 4 or 16 bytes in a name. A constraint has twice as many; the second half is the mask. */
  | { readonly form: 'iPAddress'; readonly bytes: Buffer }
  /** A user name in Active Directory. */
  | { readonly form: 'userPrincipalName'; readonly text: string }
  | { readonly form: 'unsupported' };

/** @see MS-WCCE §2.2.2.7.7.4 */
const USER_PRINCIPAL_NAME = '1.3.6.1.4.1.311.20.2.3';

const TEXT_FORMS = new Map([
  [primitiveContext(1), 'rfc822Name'],
  [primitiveContext(2), 'dNSName'],
  [primitiveContext(6), 'uniformResourceIdentifier'],
] as const);
const OTHER_NAME = constructedContext(0);
const DIRECTORY_NAME = constructedContext(4);
const IP_ADDRESS = primitiveContext(7);
const UNSUPPORTED = [constructedContext(3), constructedContext(5), primitiveContext(8)];

/**
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see RFC 5280 §4.2.1.6
 */
export function readGeneralName(element: DerElement): GeneralName {
  const { tag, content } = element;
  const form = TEXT_FORMS.get(tag);
  if (form !== undefined) return { form, text: ascii(content) };
  if (tag === DIRECTORY_NAME) {
    return { form: 'directoryName', name: DistinguishedName.read(element.onlyChild()) };
  }
  if (tag === IP_ADDRESS) return { form: 'iPAddress', bytes: content };
  if (tag === OTHER_NAME) return readOtherName(element);
  if (UNSUPPORTED.includes(tag)) return { form: 'unsupported' };
  throw unreadable('a general name has a form that is not known');
}

function readOtherName(element: DerElement): GeneralName {
  const fields = new DerFields(element, OTHER_NAME);
  const type = objectIdentifier(fields.required(TAG.objectIdentifier));
  const value = fields.required(constructedContext(0));
  fields.end();
  if (type !== USER_PRINCIPAL_NAME) return { form: 'unsupported' };
  const name = text(value.onlyChild().expect(TAG.utf8String));
  return name === undefined ? { form: 'unsupported' } : { form: 'userPrincipalName', text: name };
}
