// Makes certificates and revocation lists, good or as bad as a test wants them.
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
  /** What issuing with it takes. */
  readonly subject: string | JsonName;
  readonly keys: TestKeys;
}

export interface CertificateRequest {
  /** `O=Example, CN=Jane Doe`, the most general part first; or the parts in that order. */
  readonly subject: string | JsonName;
  /** Signed by itself where there is none. */
  readonly issuer?: Pick<TestCertificate, 'subject' | 'keys'>;
  readonly algorithm?: TestAlgorithm;
  /** Keeps keys of one algorithm apart. */
  readonly key?: string;
  readonly serialNumber?: string;
  /** Days from now; from yesterday for a year unless told. */
  readonly days?: readonly [from: number, until: number];
  /** In place of the usual ones of a client. */
  readonly extensions?: readonly Extension[];
}

const AUTHORITY_USAGE = (KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign) as KeyUsageFlags;

let serial = 0x1000;

/** A certificate of a client, unless `extensions` make something else of it. */
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
  /** keyCertSign and cRLSign unless told. */
  readonly usage?: KeyUsageFlags;
  readonly more?: readonly Extension[];
}

/** The certificate of an authority, with the identifiers of its own key and its issuer's. */
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
  /** Days from now; from yesterday to tomorrow unless told. An end of null leaves it out. */
  readonly days?: readonly [from: number, until: number | null];
  readonly extensions?: readonly Extension[];
  readonly entryExtensions?: readonly Extension[];
}

/** A revocation list, in PEM and DER. */
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
  // The library calls its armour CRL, which nobody else does.
  const pem = PemConverter.encode(list.rawData, 'X509 CRL');
  return { pem: `${pem}\n`, der: Buffer.from(list.rawData) };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}
