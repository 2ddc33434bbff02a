// Creates certificates and revocation lists, valid or invalid.
import { KeyObject } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  X509CrlGenerator,
} from '@peculiar/x509';
import { type TestAlgorithm, type TestKeys, testKeys } from './test-keys.js';

const DAY_MS = 86_400_000;

export interface TestCertificate {
  readonly der: Buffer;
  readonly pem: string;
  /** PKCS #8 in PEM. */
  readonly keyPem: string;
  readonly serialNumber: string;
  /** Needed to issue certificates with it. */
  readonly subject: string | JsonName;
  readonly keys: TestKeys;
}

export interface CertificateRequest {
  /** `O=Example, CN=Jane Doe`, most general part first; or the parts in that order. */
  readonly subject: string | JsonName;
  /** Self-signed by default. */
  readonly issuer?: Pick<TestCertificate, 'subject' | 'keys'>;
  readonly algorithm?: TestAlgorithm;
  /** Name of the key; the same name and algorithm give the same key. */
  readonly key?: string;
  readonly serialNumber?: string;
  /** Days from now; by default from yesterday for a year. */
  readonly days?: readonly [from: number, until: number];
  /** In place of the default key usage. */
  readonly extensions?: readonly Extension[];
}

const AUTHORITY_USAGE = (KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign) as KeyUsageFlags;

let serial = 0x1000;

/** Issues a client certificate by default; `extensions` can make it another kind. */
export async function issue(request: CertificateRequest): Promise<TestCertificate> {
  const { subject, issuer, algorithm = 'P-256', key, days: [from, until] = [-1, 365] } = request;
  const keys = await testKeys(algorithm, key);
  const signer = issuer ?? { subject, keys };
  const usage = new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
  const made = await X509CertificateGenerator.create({
    serialNumber: request.serialNumber ?? (serial += 1).toString(16),
    subject,
    issuer: signer.subject,
    publicKey: keys.pair.publicKey,
    signingKey: signer.keys.pair.privateKey,
    signingAlgorithm: signer.keys.signing,
    notBefore: daysFromNow(from),
    notAfter: daysFromNow(until),
    extensions: [...(request.extensions ?? [usage])],
  });
  const privateKey = KeyObject.from(keys.pair.privateKey);
  return {
    der: Buffer.from(made.rawData),
    pem: `${made.toString('pem')}\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serialNumber: made.serialNumber,
    subject,
    keys,
  };
}

export interface AuthorityRequest extends CertificateRequest {
  readonly pathLength?: number;
  readonly isAuthority?: boolean;
  /** keyCertSign and cRLSign by default. */
  readonly usage?: KeyUsageFlags;
  readonly more?: readonly Extension[];
}

/** Issues the certificate of an authority, with subject and authority key identifiers. */
export async function issueAuthority(request: AuthorityRequest): Promise<TestCertificate> {
  const { algorithm = 'P-256', key, issuer, pathLength, isAuthority = true } = request;
  const { pair } = await testKeys(algorithm, key);
  const usage = request.usage ?? AUTHORITY_USAGE;
  const issuerKey = issuer?.keys.pair.publicKey ?? pair.publicKey;
  const extensions = [
    new BasicConstraintsExtension(isAuthority, pathLength, true),
    new KeyUsagesExtension(usage, true),
    await SubjectKeyIdentifierExtension.create(pair.publicKey),
    await AuthorityKeyIdentifierExtension.create(issuerKey),
    ...(request.more ?? []),
  ];
  return issue({ ...request, extensions });
}

export interface ListRequest {
  readonly issuer: Pick<TestCertificate, 'subject' | 'keys'>;
  readonly revoked?: readonly Pick<TestCertificate, 'serialNumber'>[];
  /** Days from now; by default from yesterday to tomorrow. `null` omits `nextUpdate`. */
  readonly days?: readonly [from: number, until: number | null];
  readonly extensions?: readonly Extension[];
  readonly entryExtensions?: readonly Extension[];
}

/** Issues a revocation list. */
export async function issueList(request: ListRequest): Promise<{ pem: string; der: Buffer }> {
  const { issuer, revoked = [], days: [from, until] = [-1, 1] } = request;
  const list = await X509CrlGenerator.create({
    issuer: issuer.subject,
    thisUpdate: daysFromNow(from),
    ...(until === null ? {} : { nextUpdate: daysFromNow(until) }),
    entries: revoked.map(({ serialNumber }) => ({
      serialNumber,
      revocationDate: daysFromNow(-1),
      extensions: [...(request.entryExtensions ?? [])],
    })),
    extensions: [...(request.extensions ?? [])],
    signingKey: issuer.keys.pair.privateKey,
    signingAlgorithm: issuer.keys.signing,
  });
  // The PEM label of the library is CRL; the usual one is X509 CRL.
  const pem = PemConverter.encode(list.rawData, 'X509 CRL');
  return { pem: `${pem}\n`, der: Buffer.from(list.rawData) };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
