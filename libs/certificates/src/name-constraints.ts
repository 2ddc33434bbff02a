// Name constraints: the names that an authority may certify.
import { CertificateError, unreadable } from './certificate-error.js';
import { constructedContext, type DerElement, DerFields, TAG } from './der/der-element.js';
import type { DistinguishedName } from './distinguished-name.js';
import { type GeneralName, readGeneralName } from './general-name.js';

/** The constraints of an authority on the names in all certificates below it. */
export class NameConstraints {
  private constructor(
    private readonly permitted: readonly ConstrainedName[],
    private readonly excluded: readonly ConstrainedName[],
    private readonly isDecidable: boolean,
  ) {}

  /**
   * @throws CertificateError CERTIFICATE_UNREADABLE
   * @see RFC 5280 §4.2.1.10
   */
  static read(value: DerElement): NameConstraints {
    const fields = new DerFields(value);
    const permitted = subtrees(fields.optional(constructedContext(0)));
    const excluded = subtrees(fields.optional(constructedContext(1)));
    fields.end();
    const isDecidable = [...permitted, ...excluded].every(isConstrainable);
    return new NameConstraints(
      permitted.filter(isConstrainable),
      excluded.filter(isConstrainable),
      isDecidable,
    );
  }

  /** @throws CertificateError CERTIFICATE_CONSTRAINTS */
  check(names: readonly GeneralName[]): void {
    if (!this.isDecidable) throw constraintError('name constraints that cannot be checked here');
    for (const name of names) {
      const permitted = this.permitted.filter(({ form }) => form === name.form);
      const isPermitted = permitted.length === 0 || permitted.some((base) => isWithin(name, base));
      if (!isPermitted || this.excluded.some((base) => isWithin(name, base))) {
        throw constraintError('a name that the issuer may not certify');
      }
    }
  }
}

function subtrees(element: DerElement | undefined): readonly GeneralName[] {
  return element?.children().map(subtree) ?? [];
}

/** RFC 5280 does not use `minimum` and `maximum`, which may follow the base. */
function subtree(element: DerElement): GeneralName {
  const [base, ...distances] = element.expect(TAG.sequence).children();
  if (base === undefined) throw unreadable('a name constraint has no name');
  return distances.length > 0 ? { form: 'unsupported' } : readGeneralName(base);
}

function constraintError(what: string): CertificateError {
  return new CertificateError('CERTIFICATE_CONSTRAINTS', what);
}

/** A form of name that constraints support. */
export type ConstrainedName = Exclude<
  GeneralName,
  { readonly form: 'unsupported' } | { readonly form: 'userPrincipalName' }
>;

function isConstrainable(name: GeneralName): name is ConstrainedName {
  return name.form !== 'unsupported' && name.form !== 'userPrincipalName';
}

/**
 * Whether a name lies within a base of the same form. False for names of other forms.
 *
 * @throws CertificateError CERTIFICATE_CONSTRAINTS for a name that cannot be compared
 * @see RFC 5280 §4.2.1.10
 */
function isWithin(name: GeneralName, base: ConstrainedName): boolean {
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
  const isBelow = name.isWithin(base);
  if (isBelow === undefined) throw undecidable('a subject with a value that is no text');
  return isBelow;
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

/** The base is a mailbox, a host (`example.org`), or all hosts of a domain (`.example.org`). */
function isMailboxWithin(mailbox: string, base: string): boolean {
  const [local, domain] = mailboxParts(mailbox);
  if (!base.includes('@')) return isHostWithin(domain, base);
  const [baseLocal, baseDomain] = mailboxParts(base);
  return local === baseLocal && domain === baseDomain;
}

function mailboxParts(mailbox: string): readonly [local: string, domain: string] {
  const at = mailbox.lastIndexOf('@');
  const local = mailbox.slice(0, Math.max(at, 0));
  // A quoted or commented local part could hide the start of the domain.
  if (!/^[^\s@"(),:;<>[\\\]]+$/.test(local)) throw undecidable('an e-mail address');
  return [local, host(mailbox.slice(at + 1))];
}

/** The base itself or any name below it. Every name is below the empty base. */
function isHostBelow(name: string, base: string): boolean {
  const parent = base.toLowerCase().replace(/^\./, '');
  const isBaseItself = name === parent && !base.startsWith('.');
  return parent === '' || isBaseItself || name.endsWith(`.${parent}`);
}

/** Below the base where it starts with a dot, else the base itself. */
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

/** The host name in lower case. */
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
