// Parses one X.509 certificate and checks its form.
import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import { unreadable } from './certificate-error.js';
import { checkDer } from './der/check-der.js';
import {
  constructedContext,
  DerElement,
  DerFields,
  primitiveContext,
  TAG,
} from './der/der-element.js';
import { time } from './der/der-values.js';
import { DistinguishedName } from './distinguished-name.js';
import { isStrongKey, signatureScheme } from './signature-scheme.js';
import { readExtensions, type StandardExtensions } from './standard-extensions.js';

/** The maximum size of the DER. */
export const MAX_CERTIFICATE_BYTES = 16 * 1024;

const MAX_SERIAL_BYTES = 21;

/** The signed part. */
interface TbsCertificate {
  /** Hex of the DER integer, as in revocation lists. */
  readonly serial: string;
  readonly algorithm: DerElement;
  readonly issuer: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly subject: DistinguishedName;
  readonly extensions: StandardExtensions;
}

/** An X.509 certificate. @see RFC 5280 §4.1 */
export class Certificate {
  private constructor(
    /** SHA-256 of the DER, in lower-case hex. */
    readonly fingerprint: string,
    readonly signed: TbsCertificate,
    /** Undefined for a key type that OpenSSL does not support. */
    readonly publicKey: KeyObject | undefined,
    private readonly native: X509Certificate,
  ) {}

  /** @throws CertificateError CERTIFICATE_UNREADABLE */
  static read(der: Uint8Array): Certificate {
    if (der.length > MAX_CERTIFICATE_BYTES) {
      throw unreadable(`the DER has more than ${MAX_CERTIFICATE_BYTES} bytes`);
    }
    const whole = DerElement.read(der);
    checkDer(whole);
    const fields = new DerFields(whole);
    const signed = readSigned(fields.required(TAG.sequence));
    const algorithm = fields.required(TAG.sequence);
    fields.required(TAG.bitString);
    fields.end();
    if (!algorithm.encoding.equals(signed.algorithm.encoding)) {
      throw unreadable('the two signature algorithms differ');
    }
    const native = readNatively(whole.encoding);
    const fingerprint = createHash('sha256').update(whole.encoding).digest('hex');
    return new Certificate(fingerprint, signed, keyOf(native), native);
  }

  get name(): string {
    return this.signed.subject.toString();
  }

  /** Whether subject and issuer have the same name. The signature may be of another key. */
  get isSelfIssued(): boolean {
    return this.signed.subject.encoding === this.signed.issuer.encoding;
  }

  get hasStrongKey(): boolean {
    return this.publicKey !== undefined && isStrongKey(this.publicKey);
  }

  get hasStrongSignature(): boolean {
    return signatureScheme(this.signed.algorithm) !== undefined;
  }

  /** Whether both have the same subject and key. */
  hasSameHolderAs(other: Certificate): boolean {
    return (
      this.signed.subject.encoding === other.signed.subject.encoding && this.hasSameKeyAs(other)
    );
  }

  hasSameKeyAs({ publicKey }: Certificate): boolean {
    return publicKey !== undefined && this.publicKey?.equals(publicKey) === true;
  }

  /** Whether the issuer's name, key identifier and key are those of `issuer`. */
  isIssuedBy(issuer: Certificate): boolean {
    const { issuer: name, extensions } = this.signed;
    const named = extensions.authorityKeyIdentifier;
    const own = issuer.signed.extensions.subjectKeyIdentifier;
    const isOtherKey = named !== undefined && own !== undefined && named !== own;
    return (
      name.encoding === issuer.signed.subject.encoding &&
      !isOtherKey &&
      isVerified(this.native, issuer.publicKey)
    );
  }
}

function readSigned(element: DerElement): TbsCertificate {
  const fields = new DerFields(element);
  const version = fields.optional(constructedContext(0))?.onlyChild().expect(TAG.integer)
    .content[0];
  const serial = fields.required(TAG.integer);
  const algorithm = fields.required(TAG.sequence);
  const issuer = DistinguishedName.read(fields.required(TAG.sequence));
  const [notBefore, notAfter] = readValidity(fields.required(TAG.sequence));
  const subject = DistinguishedName.read(fields.required(TAG.sequence));
  fields.required(TAG.sequence); // the key, read by node:crypto
  fields.optional(primitiveContext(1));
  fields.optional(primitiveContext(2));
  const extensions = fields.optional(constructedContext(3))?.onlyChild().expect(TAG.sequence);
  fields.end();
  checkSerial(serial.content);
  if (extensions !== undefined && version !== 2) throw unreadable('extensions need version 3');
  return {
    serial: serial.hex,
    algorithm,
    issuer,
    notBefore,
    notAfter,
    subject,
    extensions: readExtensions(extensions?.children() ?? []),
  };
}

/** Positive and at most 20 bytes, plus a leading zero. @see RFC 5280 §4.1.2.2 */
function checkSerial(serial: Buffer): void {
  const isPositive = (serial[0] ?? 0) < 0x80;
  if (!isPositive || serial.length > MAX_SERIAL_BYTES) {
    throw unreadable('the serial number is wrong');
  }
}

function readValidity(element: DerElement): readonly [notBefore: Date, notAfter: Date] {
  const fields = new DerFields(element);
  const moments = [0, 1].map(() => time(fields.required(TAG.utcTime, TAG.generalizedTime)));
  fields.end();
  return moments as [Date, Date];
}

function readNatively(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (error) {
    throw unreadable('the certificate cannot be read', error);
  }
}

function keyOf(native: X509Certificate): KeyObject | undefined {
  try {
    return native.publicKey;
  } catch {
    return undefined;
  }
}

function isVerified(native: X509Certificate, key: KeyObject | undefined): boolean {
  try {
    return key !== undefined && native.verify(key);
  } catch {
    return false; // the key type does not match the signature
  }
}
