// An authority that vouches for servers on this machine, and for who calls them over TLS.
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

/** No two certificates here have one key. */
let keys = 0;

export class TestAuthority {
  private constructor(private readonly authority: TestCertificate) {}

  static async create(subject = 'CN=Test CA'): Promise<TestAuthority> {
    return new TestAuthority(await issueAuthority({ subject, key: nextKey() }));
  }

  /** Its own certificate, as PEM. */
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
