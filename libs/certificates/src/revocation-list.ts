// Parses a certificate revocation list (CRL).
import type { KeyObject } from 'node:crypto';
import { readPemBlocks } from './pem.js';
import { unreadable } from './certificate-error.js';
import { constructedContext, DerElement, DerFields, TAG } from './der/der-element.js';
import { time } from './der/der-values.js';
import { DistinguishedName } from './distinguished-name.js';
import { readGeneralName } from './general-name.js';
import { isSignature, signatureScheme } from './signature-scheme.js';
import { type ExtensionParts, readExtensionParts } from './standard-extensions.js';

const OID = {
  reason: '2.5.29.21',
  deltaIndicator: '2.5.29.27',
  distributionPoint: '2.5.29.28',
  /** The issuer that an entry and those after it apply to, where it is not that of the list. */
  certificateIssuer: '2.5.29.29',
} as const;

/** These extensions make a list partial, critical or not. */
const PARTIAL: readonly string[] = [OID.deltaIndicator, OID.distributionPoint];

/** The reason code removeFromCRL. */
const REMOVE_FROM_CRL = '0a0108';

/** The signed part. */
interface TbsCertList {
  readonly issuer: DistinguishedName;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly serials: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** @see RFC 5280 §5 */
export class RevocationList {
  private constructor(
    private readonly signed: TbsCertList,
    private readonly encoding: Buffer,
    private readonly algorithm: DerElement,
    private readonly signature: Buffer,
  ) {}

  /**
   * Reads a file with one list in DER, or any number in PEM.
   *
   * @throws CertificateError CERTIFICATE_UNREADABLE
   */
  static readFile(content: Buffer): readonly RevocationList[] {
    if (content[0] === TAG.sequence) return [RevocationList.read(content)];
    const blocks = readPemBlocks(content.toString('latin1'), 'X509 CRL');
    if (blocks.length === 0) throw unreadable('there is no revocation list, in DER or PEM');
    return blocks.map((block) => RevocationList.read(block));
  }

  /** @throws CertificateError CERTIFICATE_UNREADABLE */
  static read(der: Uint8Array): RevocationList {
    const fields = new DerFields(DerElement.read(der));
    const signed = fields.required(TAG.sequence);
    const algorithm = fields.required(TAG.sequence);
    const [unusedBits, ...signature] = fields.required(TAG.bitString).content;
    fields.end();
    const { inner, ...part } = readSigned(signed);
    if (unusedBits !== 0 || !inner.encoding.equals(algorithm.encoding)) {
      throw unreadable('the signature of the revocation list is not well formed');
    }
    return new RevocationList(part, signed.encoding, algorithm, Buffer.from(signature));
  }

  get issuer(): DistinguishedName {
    return this.signed.issuer;
  }

  get nextUpdate(): Date | undefined {
    return this.signed.nextUpdate;
  }

  /**
   * False for indirect lists, delta lists, lists of some reasons or certificates, and lists with unknown
   * critical extensions.
   */
  get isComplete(): boolean {
    return this.signed.isComplete;
  }

  /** Whether `key` signed the list with a strong scheme. */
  isSignedBy(key: KeyObject | undefined): boolean {
    const scheme = signatureScheme(this.algorithm);
    if (scheme === undefined || key === undefined) return false;
    return isSignature(this.signature, this.encoding, scheme, key);
  }

  /** A list without `nextUpdate` is never current. */
  isCurrent(now: Date): boolean {
    const { thisUpdate, nextUpdate } = this.signed;
    return thisUpdate <= now && nextUpdate !== undefined && now <= nextUpdate;
  }

  /**
   * Whether the list revokes a certificate of its issuer. A partial list may also do so.
   *
   * @param serial hex of the DER integer
   */
  includes(serial: string): boolean {
    return this.signed.serials.has(serial);
  }
}

function readSigned(element: DerElement): TbsCertList & { readonly inner: DerElement } {
  const fields = new DerFields(element);
  fields.optional(TAG.integer);
  const inner = fields.required(TAG.sequence);
  const issuer = DistinguishedName.read(fields.required(TAG.sequence));
  const thisUpdate = time(fields.required(TAG.utcTime, TAG.generalizedTime));
  const nextUpdate = fields.optional(TAG.utcTime, TAG.generalizedTime);
  const entries = fields.optional(TAG.sequence);
  const extensions = extensionsIn(fields.optional(constructedContext(0))?.onlyChild());
  fields.end();
  const { serials, hasOnlyPlainEntries } = readEntries(entries, issuer);
  return {
    inner,
    issuer,
    thisUpdate,
    nextUpdate: nextUpdate && time(nextUpdate),
    serials,
    isComplete:
      hasOnlyPlainEntries &&
      !extensions.some(({ isCritical, identifier }) => isCritical || PARTIAL.includes(identifier)),
  };
}

/** Lists may have hundreds of thousands of entries. No critical extension of an entry is supported. */
function readEntries(
  entries: DerElement | undefined,
  issuer: DistinguishedName,
): {
  readonly serials: ReadonlySet<string>;
  readonly hasOnlyPlainEntries: boolean;
} {
  const serials = new Set<string>();
  let hasOnlyPlainEntries = true;
  let isOwnIssuer = true;
  for (const entry of entries?.children() ?? []) {
    const { serial, extensions } = readEntry(entry);
    const named = extensions.find(({ identifier }) => identifier === OID.certificateIssuer);
    if (named !== undefined) isOwnIssuer = mayNameIssuer(named.value, issuer);
    if (isOwnIssuer && !extensions.some(isRemovedFromList)) serials.add(serial);
    hasOnlyPlainEntries &&= named === undefined && !extensions.some(({ isCritical }) => isCritical);
  }
  return { serials, hasOnlyPlainEntries };
}

/** Whether the extension names the issuer. True where that is unclear, so that the entry revokes. */
function mayNameIssuer(certificateIssuer: Buffer, issuer: DistinguishedName): boolean {
  try {
    const names = DerElement.read(certificateIssuer).expect(TAG.sequence).children();
    const directoryNames = names
      .map(readGeneralName)
      .flatMap((name) => (name.form === 'directoryName' ? [name.name.comparable] : []));
    return directoryNames.length === 0 || directoryNames.includes(issuer.comparable);
  } catch {
    return true;
  }
}

function readEntry(entry: DerElement): { serial: string; extensions: readonly ExtensionParts[] } {
  const fields = new DerFields(entry);
  const serial = fields.required(TAG.integer).hex;
  fields.required(TAG.utcTime, TAG.generalizedTime);
  const extensions = extensionsIn(fields.optional(TAG.sequence));
  fields.end();
  return { serial, extensions };
}

function isRemovedFromList({ identifier, value }: ExtensionParts): boolean {
  return identifier === OID.reason && value.toString('hex') === REMOVE_FROM_CRL;
}

function extensionsIn(sequence: DerElement | undefined): readonly ExtensionParts[] {
  return sequence?.children().map(readExtensionParts) ?? [];
}
