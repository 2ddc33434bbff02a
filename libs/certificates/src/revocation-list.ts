// A certificate revocation list (CRL): who issued it, until when it holds, and the numbers in it.
import type { KeyObject } from 'node:crypto';
import { readPemBlocks } from './pem.js';
import { unreadable } from './certificate-error.js';
import { constructedContext, DerElement, TAG } from './der/der-element.js';
import { DerFields } from './der/der-fields.js';
import { time } from './der/der-values.js';
import { DistinguishedName } from './distinguished-name.js';
import { readGeneralName } from './general-name.js';
import { isSignature, signatureScheme } from './signature-scheme.js';
import { type ExtensionParts, readExtensionParts } from './standard-extensions.js';

const OF = {
  reason: '2.5.29.21',
  deltaIndicator: '2.5.29.27',
  distributionPoint: '2.5.29.28',
  /** Whose certificates an entry and those behind it mean, where not the list's own issuer's. */
  certificateIssuer: '2.5.29.29',
} as const;

/** They make part of a list, however they are marked. */
const PARTIAL: readonly string[] = [OF.deltaIndicator, OF.distributionPoint];

/** The reason of entries that take another one back: removeFromCRL. */
const TAKEN_BACK = '0a0108';

/** What the signed part says. */
interface SignedPart {
  readonly issuer: DistinguishedName;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly serials: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** @see RFC 5280 §5 */
export class RevocationList {
  private constructor(
    private readonly signed: SignedPart,
    private readonly encoding: Buffer,
    private readonly algorithm: DerElement,
    private readonly signature: Buffer,
  ) {}

  /**
   * The lists in a file: one in DER, or any number in PEM.
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

  /** Until when the list holds. Undefined where it does not say when the next one comes. */
  get nextUpdate(): Date | undefined {
    return this.signed.nextUpdate;
  }

  /**
   * False for lists of which only a part is meant for us: indirect ones, changes to another list,
   * lists of some reasons or some certificates, and whatever else is marked critical.
   */
  get isComplete(): boolean {
    return this.signed.isComplete;
  }

  /** Whether `key` signed it, by a scheme that is not weak. */
  isSignedBy(key: KeyObject | undefined): boolean {
    const scheme = signatureScheme(this.algorithm);
    if (scheme === undefined || key === undefined) return false;
    return isSignature(this.signature, this.encoding, scheme, key);
  }

  /** A list that does not say when the next one comes is never current. */
  isCurrent(now: Date): boolean {
    const { thisUpdate, nextUpdate } = this.signed;
    return thisUpdate <= now && nextUpdate !== undefined && now <= nextUpdate;
  }

  /**
   * Whether it says that this certificate of its own issuer is revoked. True also where the list is not
   * complete.
   *
   * @param serial hex of the DER integer
   */
  names(serial: string): boolean {
    return this.signed.serials.has(serial);
  }
}

function readSigned(element: DerElement): SignedPart & { readonly inner: DerElement } {
  const fields = new DerFields(element);
  fields.optional(TAG.integer);
  const inner = fields.required(TAG.sequence);
  const issuer = DistinguishedName.read(fields.required(TAG.sequence));
  const thisUpdate = time(fields.required(TAG.utcTime, TAG.generalizedTime));
  const nextUpdate = fields.optional(TAG.utcTime, TAG.generalizedTime);
  const entries = fields.optional(TAG.sequence);
  const extensions = extensionsIn(fields.optional(constructedContext(0))?.onlyChild());
  fields.end();
  const { serials, areAllPlain } = readEntries(entries, issuer);
  return {
    inner,
    issuer,
    thisUpdate,
    nextUpdate: nextUpdate && time(nextUpdate),
    serials,
    isComplete:
      areAllPlain &&
      !extensions.some(({ isCritical, identifier }) => isCritical || PARTIAL.includes(identifier)),
  };
}

/** There may be hundreds of thousands. No critical extension of entries is understood here. */
function readEntries(
  entries: DerElement | undefined,
  issuer: DistinguishedName,
): {
  readonly serials: ReadonlySet<string>;
  readonly areAllPlain: boolean;
} {
  const serials = new Set<string>();
  let areAllPlain = true;
  let areOwn = true;
  for (const entry of entries?.children() ?? []) {
    const { serial, extensions } = readEntry(entry);
    const named = extensions.find(({ identifier }) => identifier === OF.certificateIssuer);
    if (named !== undefined) areOwn = mayName(named.value, issuer);
    if (areOwn && !extensions.some(isTakenBack)) serials.add(serial);
    areAllPlain &&= named === undefined && !extensions.some(({ isCritical }) => isCritical);
  }
  return { serials, areAllPlain };
}

/** Whether the extension names the issuer. True where that cannot be told, so that it revokes. */
function mayName(certificateIssuer: Buffer, issuer: DistinguishedName): boolean {
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

function isTakenBack({ identifier, value }: ExtensionParts): boolean {
  return identifier === OF.reason && value.toString('hex') === TAKEN_BACK;
}

function extensionsIn(sequence: DerElement | undefined): readonly ExtensionParts[] {
  return sequence?.children().map(readExtensionParts) ?? [];
}
