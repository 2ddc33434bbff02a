// Whether a name lies within another, for each form that name constraints can have.
import { CertificateError } from './certificate-error.js';
import type { DistinguishedName } from './distinguished-name.js';
import type { GeneralName } from './general-name.js';

/** A form of name for which "within" means something. */
export type ConstrainedName = Exclude<
  GeneralName,
  { readonly form: 'unsupported' } | { readonly form: 'userPrincipalName' }
>;

export function isConstrained(name: GeneralName): name is ConstrainedName {
  return name.form !== 'unsupported' && name.form !== 'userPrincipalName';
}

/**
 * False for names of another form than the base.
 *
 * @throws CertificateError CERTIFICATE_CONSTRAINTS where the name is of the base's form, but so
 *   written that nobody can tell
 * @see RFC 5280 §4.2.1.10
 */
export function lies(name: GeneralName, base: ConstrainedName): boolean {
  switch (base.form) {
    case 'directoryName':
      return name.form === base.form && isNameWithin(name.name, base.name);
    case 'iPAddress':
      return name.form === base.form && isAddressWithin(name.bytes, base.bytes);
    case 'dNSName':
      return name.form === base.form && isHostBelow(host(name.text), base.text);
    case 'rfc822Name':
      return name.form === base.form && isMailboxWithin(name.text, base.text);
    case 'uniformResourceIdentifier':
      return name.form === base.form && isHostWithin(hostOfUri(name.text), base.text);
  }
}

function isNameWithin(name: DistinguishedName, base: DistinguishedName): boolean {
  const isWithin = name.isWithin(base);
  if (isWithin === undefined) throw undecidable('a subject with a value that is no text');
  return isWithin;
}

function isAddressWithin(address: Buffer, base: Buffer): boolean {
  const size = address.length;
  const isAddress = size === 4 || size === 16;
  const isBase = base.length === 8 || base.length === 32;
  if (!isAddress || !isBase) throw undecidable('an IP address of no known size');
  if (base.length !== size * 2) return false;
  return address.every((byte, place) => {
    const mask = base[size + place] ?? 0xff;
    return (byte & mask) === ((base[place] ?? 0) & mask);
  });
}

/** A mailbox, all of a host (`example.org`), or all hosts below a domain (`.example.org`). */
function isMailboxWithin(mailbox: string, base: string): boolean {
  const [local, domain] = partsOf(mailbox);
  if (!base.includes('@')) return isHostWithin(domain, base);
  const [baseLocal, baseDomain] = partsOf(base);
  return local === baseLocal && domain === baseDomain;
}

function partsOf(mailbox: string): readonly [local: string, domain: string] {
  const at = mailbox.lastIndexOf('@');
  const local = mailbox.slice(0, Math.max(at, 0));
  // A quoted or commented local part could hide where the domain begins.
  if (!/^[^\s@"(),:;<>[\\\]]+$/.test(local)) throw undecidable('an e-mail address');
  return [local, host(mailbox.slice(at + 1))];
}

/** The base itself or any name below it; the whole world within the empty base. */
function isHostBelow(name: string, base: string): boolean {
  const parent = base.toLowerCase().replace(/^\./, '');
  const isBaseItself = name === parent && !base.startsWith('.');
  return parent === '' || isBaseItself || name.endsWith(`.${parent}`);
}

/** The base itself, or below it where it begins with a dot, never both. */
function isHostWithin(name: string, base: string): boolean {
  return base.startsWith('.') || base === ''
    ? isHostBelow(name, base)
    : name === base.toLowerCase();
}

function hostOfUri(uri: string): string {
  const name = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#@:[\]]+)(?::\d*)?(?:[/?#]|$)/i.exec(
    uri,
  )?.[1];
  if (name === undefined || /^[\d.]+$/.test(name)) throw undecidable('a URI without a host name');
  return host(name);
}

/** In lower case. */
function host(text: string): string {
  if (!/^(?:[a-z\d_*-]+\.)*[a-z\d_*-]+$/i.test(text)) throw undecidable('a host name');
  return text.toLowerCase();
}

function undecidable(what: string): CertificateError {
  return new CertificateError(
    'CERTIFICATE_CONSTRAINTS',
    `${what} that name constraints cannot judge`,
  );
}
