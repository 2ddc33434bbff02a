// A certificate authority that issues TLS certificates for servers and clients on this machine.
import { SubjectAlternativeNameExtension } from '@peculiar/x509';
import {
  type CertificateRequest,
  issue,
  issueAuthority,
  type TestCertificate,
} from './test-certificate.js';

const DAY_MS = 86_400_000;

/** A certificate and its key, as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** Number of keys so far: each certificate has its own. */
let keys = 0;

export class TestAuthority {
  private constructor(private readonly authority: TestCertificate) {}

  static async create(subject = 'CN=Test CA'): Promise<TestAuthority> {
    return new TestAuthority(await issueAuthority({ subject, key: nextKey() }));
  }

  /** Certificate of the authority, as PEM. */
  get cert(): string {
    return this.authority.pem;
  }

  /** A certificate for `localhost` and 127.0.0.1, valid since yesterday. */
  async issue(
    subject: CertificateRequest['subject'],
    notAfter = new Date(Date.now() + DAY_MS),
  ): Promise<Identity> {
    const { pem, keyPem } = await issue({
      subject,
      issuer: this.authority,
      key: nextKey(),
      days: [-1, (notAfter.getTime() - Date.now()) / DAY_MS],
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
        ]),
      ],
    });
    return { cert: pem, key: keyPem };
  }
}

function nextKey(): string {
  keys += 1;
  return `authority ${keys}`;
}
