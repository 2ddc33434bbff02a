// The extensions of a certificate that path validation uses, and its unknown critical extensions.
import { unreadable } from './certificate-error.js';
import { checkDer } from './der/check-der.js';
import {
  constructedContext,
  DerElement,
  DerFields,
  primitiveContext,
  TAG,
} from './der/der-element.js';
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

export type KeyUse = 'digitalSignature' | 'keyCertSign' | 'cRLSign';

/** Their bits in the first byte of the bit string. */
const KEY_USES: readonly (readonly [KeyUse, number])[] = [
  ['digitalSignature', 0x80],
  ['keyCertSign', 0x04],
  ['cRLSign', 0x02],
];

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
  const constraints = found.value(OID.nameConstraints);
  const names = found.value(OID.alternativeName)?.expect(TAG.sequence).children() ?? [];
  const usages = found.value(OID.extendedKeyUsage)?.expect(TAG.sequence).children();
  return {
    ...basicConstraints(found.value(OID.basicConstraints)),
    keyUsage: keyUses(found.value(OID.keyUsage)),
    extendedKeyUsage: usages?.map((usage) => objectIdentifier(usage)),
    subjectKeyIdentifier: found.value(OID.subjectKeyIdentifier)?.expect(TAG.octetString).hex,
    authorityKeyIdentifier: authorityKey(found.value(OID.authorityKeyIdentifier)),
    alternativeNames: names.map(readGeneralName),
    nameConstraints: constraints && NameConstraints.read(constraints),
    unknownCritical: found.unknownCritical,
  };
}

/** @see RFC 5280 §4.2.1.9 */
function basicConstraints(
  value: DerElement | undefined,
): Pick<StandardExtensions, 'isAuthority' | 'pathLength'> {
  if (value === undefined) return { isAuthority: false, pathLength: undefined };
  const fields = new DerFields(value);
  const isAuthority = fields.optional(TAG.boolean)?.content[0] === 0xff;
  const length = fields.optional(TAG.integer);
  fields.end();
  if ((length?.content[0] ?? 0) >= 0x80) throw unreadable('a path length is negative');
  return { isAuthority, pathLength: length && Number.parseInt(length.hex, 16) };
}

/** @see RFC 5280 §4.2.1.3 */
function keyUses(value: DerElement | undefined): ReadonlySet<KeyUse> | undefined {
  if (value === undefined) return undefined;
  const [, bits = 0] = value.expect(TAG.bitString).content;
  return new Set(KEY_USES.flatMap(([use, bit]) => ((bits & bit) === 0 ? [] : [use])));
}

/** @see RFC 5280 §4.2.1.1 */
function authorityKey(value: DerElement | undefined): string | undefined {
  if (value === undefined) return undefined;
  const fields = new DerFields(value);
  const key = fields.optional(primitiveContext(0));
  fields.optional(constructedContext(1));
  fields.optional(primitiveContext(2));
  fields.end();
  return key?.hex;
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
}

/** @throws CertificateError CERTIFICATE_UNREADABLE */
export function readExtensionParts(element: DerElement): ExtensionParts {
  const fields = new DerFields(element);
  const identifier = objectIdentifier(fields.required(TAG.objectIdentifier));
  const critical = fields.optional(TAG.boolean);
  const { content } = fields.required(TAG.octetString);
  fields.end();
  const isCritical = critical?.content[0] === 0xff;
  return { identifier, isCritical, value: content };
}
