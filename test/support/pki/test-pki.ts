// The usual authorities of tests: a root, one below it that issues certificates of clients, and their
// revocation lists.
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import {
  type CertificateRequest,
  issue,
  issueAuthority,
  issueList,
  type TestCertificate,
} from './test-certificate.js';

export interface TestPki {
  readonly root: TestCertificate;
  readonly intermediate: TestCertificate;
  /** PEM of both, for `caFile`. */
  readonly bundle: string;
  /** PEM of the current lists of both; a client named here is revoked. */
  readonly lists: (...revoked: readonly TestCertificate[]) => Promise<string>;
  /** A certificate for a client, issued by the intermediate authority unless told otherwise. */
  readonly client: (request: ClientRequest) => Promise<TestCertificate>;
}

export interface ClientRequest extends Omit<CertificateRequest, 'extensions'> {
  readonly names?: JsonGeneralNames;
  readonly more?: readonly Extension[];
}

/** @param name sets one PKI apart from another, keys included */
export async function createTestPki(name = 'Test'): Promise<TestPki> {
  const root = await issueAuthority({ subject: `O=Example, CN=${name} Root`, key: `${name} root` });
  const intermediate = await issueAuthority({
    subject: `O=Example, CN=${name} Issuing`,
    key: `${name} issuing`,
    issuer: root,
  });
  return {
    root,
    intermediate,
    bundle: root.pem + intermediate.pem,
    lists: async (...revoked) => {
      const own = await issueList({ issuer: root });
      const issuing = await issueList({ issuer: intermediate, revoked });
      return own.pem + issuing.pem;
    },
    client: (request) =>
      issue({ issuer: intermediate, ...request, extensions: clientExtensions(request) }),
  };
}

function clientExtensions({ names, more = [] }: ClientRequest): readonly Extension[] {
  return [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
    ...(names === undefined ? [] : [new SubjectAlternativeNameExtension([...names])]),
    ...more,
  ];
}
