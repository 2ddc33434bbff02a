// The extensions of a certificate that path validation uses, and its unknown critical extensions.
import 'reflect-metadata'; // required by @peculiar/x509, which only this file imports
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
} from '@peculiar/x509';
import { unreadable } from './certificate-error.js';
import { checkDer } from './der/check-der.js';
import { DerElement, DerFields, TAG } from './der/der-element.js';
import { objectIdentifier } from './der/der-values.js';
import { type GeneralName, readGeneralName } from './general-name.js';
import { NameConstraints } from './name-constraints.js';

const OID = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  /** Policies have no effect, because path validation here requires none. */
  policies: '2.5.29.32',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const KNOWN: ReadonlySet<string> = new Set(Object.values(OID));

const KEY_USES = ['digitalSignature', 'keyCertSign', 'cRLSign'] as const;

export type KeyUse = (typeof KEY_USES)[number];

/** The values of the extensions; undefined for absent ones. */
export interface StandardExtensions {
  readonly isAuthority: boolean;
  /** Maximum number of authorities below this one in a chain. */
  readonly pathLength: number | undefined;
  readonly keyUsage: ReadonlySet<KeyUse> | undefined;
  /** Object identifiers. */
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly subjectKeyIdentifier: string | undefined;
  readonly authorityKeyIdentifier: string | undefined;
  readonly alternativeNames: readonly GeneralName[];
  readonly nameConstraints: NameConstraints | undefined;
  /** Object identifiers of unsupported critical extensions. */
  readonly unknownCritical: readonly string[];
}

/**
 * @param extensions the elements of the SEQUENCE of extensions
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see RFC 5280 §4.2
 */
export function readExtensions(extensions: readonly DerElement[]): StandardExtensions {
  const found = new Extensions(extensions);
  const basic = found.read(OID.basicConstraints, BasicConstraintsExtension);
  const constraints = found.value(OID.nameConstraints);
  const names = found.value(OID.alternativeName)?.expect(TAG.sequence).children() ?? [];
  return {
    isAuthority: basic?.ca ?? false,
    pathLength: basic?.pathLength,
    keyUsage: keyUses(found.read(OID.keyUsage, KeyUsagesExtension)),
    extendedKeyUsage: found
      .read(OID.extendedKeyUsage, ExtendedKeyUsageExtension)
      ?.usages.map(String),
    subjectKeyIdentifier: found.read(OID.subjectKeyIdentifier, SubjectKeyIdentifierExtension)
      ?.keyId,
    authorityKeyIdentifier: found.read(OID.authorityKeyIdentifier, AuthorityKeyIdentifierExtension)
      ?.keyId,
    alternativeNames: names.map(readGeneralName),
    nameConstraints: constraints && NameConstraints.read(constraints),
    unknownCritical: found.unknownCritical,
  };
}

function keyUses(extension: KeyUsagesExtension | undefined): ReadonlySet<KeyUse> | undefined {
  if (extension === undefined) return undefined;
  return new Set(KEY_USES.filter((use) => (extension.usages & KeyUsageFlags[use]) !== 0));
}

class Extensions {
  readonly unknownCritical: string[] = [];
  private readonly byIdentifier = new Map<string, ExtensionParts>();

  constructor(extensions: readonly DerElement[]) {
    for (const element of extensions) {
      const extension = readExtensionParts(element);
      const { identifier, isCritical } = extension;
      if (this.byIdentifier.has(identifier)) throw unreadable('an extension stands there twice');
      this.byIdentifier.set(identifier, extension);
      if (isCritical && !KNOWN.has(identifier)) this.unknownCritical.push(identifier);
    }
  }

  /** @peculiar/x509 is lenient, so the value is checked to be DER first. */
  read<T>(identifier: string, type: new (raw: BufferSource) => T): T | undefined {
    if (this.value(identifier) === undefined) return undefined;
    const { encoding } = this.byIdentifier.get(identifier) ?? {};
    try {
      return encoding && new type(encoding);
    } catch (error) {
      throw unreadable(`the extension ${identifier} cannot be read`, error);
    }
  }

  value(identifier: string): DerElement | undefined {
    const extension = this.byIdentifier.get(identifier);
    if (extension === undefined) return undefined;
    const value = DerElement.read(extension.value);
    checkDer(value);
    return value;
  }
}

/** An extension of a certificate or a revocation list, its value unparsed. */
export interface ExtensionParts {
  /** Dotted: `2.5.29.19`. */
  readonly identifier: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
  readonly encoding: Buffer<ArrayBuffer>;
}

/** @throws CertificateError CERTIFICATE_UNREADABLE */
export function readExtensionParts(element: DerElement): ExtensionParts {
  const fields = new DerFields(element);
  const identifier = objectIdentifier(fields.required(TAG.objectIdentifier));
  const critical = fields.optional(TAG.boolean);
  const { content } = fields.required(TAG.octetString);
  fields.end();
  const isCritical = critical?.content[0] === 0xff;
  return { identifier, isCritical, value: content, encoding: element.encoding };
}
