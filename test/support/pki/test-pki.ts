// A root authority, an intermediate authority that issues client certificates, and their revocation lists.
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
  /** PEM of current revocation lists of both, with these client certificates revoked. */
  readonly lists: (...revoked: readonly TestCertificate[]) => Promise<string>;
  /** Issues a client certificate, by default from the intermediate authority. */
  readonly client: (request: ClientRequest) => Promise<TestCertificate>;
}

export interface ClientRequest extends Omit<CertificateRequest, 'extensions'> {
  readonly names?: JsonGeneralNames;
  readonly more?: readonly Extension[];
}

/** @param name of the PKI; another name gives other keys */
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
