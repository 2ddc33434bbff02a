// Verifies client certificates against the authorities and revocation lists of files, and takes
// changed files over. It opens no connection: what certificates name is never fetched.
import { loggerFor } from '@tessera/logging';
import { readPemBlocks } from './pem.js';
import { Certificate } from './certificate.js';
import { CertificateError, unreadable } from './certificate-error.js';
import type { DistinguishedName } from './distinguished-name.js';
import { validatePath } from './path-validation.js';
import { checkRevocation } from './revocation.js';
import { RevocationList } from './revocation-list.js';
import { RevocationLists } from './revocation-lists.js';
import { type CertificatePath, TrustStore } from './trust-store.js';
import { type VerifiedCertificate, verifiedCertificate } from './verified-certificate.js';
import { type FileKind, type SettingsFile, WatchedFile } from './watched-file.js';

const log = loggerFor('certificates');

const REFRESH_MS = 1_000;
const MOST_CERTIFICATES_IN_A_CHAIN = 8;

const BUNDLE: FileKind<readonly Certificate[]> = { mostBytes: 1024 * 1024, read: readBundle };
const LISTS: FileKind<readonly RevocationList[]> = {
  mostBytes: 10 * 1024 * 1024,
  read: (content) => RevocationList.readFile(content),
};

export interface CertificateVerifierOptions {
  /** PEM: trust anchors, which are self-signed, and authorities between them and the clients. */
  readonly caFile: SettingsFile;
  /** Certificate revocation lists, in PEM or DER. */
  readonly crlFiles: readonly SettingsFile[];
  /** Where there are any lists: refuse the certificates of issuers without a current one. */
  readonly crlRequired: boolean;
  /** Certificates in a chain, those of client and anchor included; 8 unless told. */
  readonly maxChainLength?: number;
}

/** A certificate of an authority, or a revocation list. */
export interface ExpiringEntry {
  readonly kind: 'ca' | 'crl';
  /** The common name of the authority. */
  readonly label: string;
  /** The whole name of the authority. */
  readonly name: string;
  readonly path: string;
  readonly expires: Date;
}

/**
 * Believes certificates or says why not. Changed files count within about a second, without anybody's asking: a revocation
 * must not wait until whatever else its owner does is in order.
 */
export class CertificateVerifier {
  private inForce: { readonly store: TrustStore; readonly lists: RevocationLists };
  private timer: NodeJS.Timeout | undefined;
  private refreshing = Promise.resolve();
  private isClosed = false;

  private constructor(
    private readonly bundle: WatchedFile<readonly Certificate[]>,
    private readonly lists: readonly WatchedFile<readonly RevocationList[]>[],
    private readonly options: CertificateVerifierOptions,
  ) {
    this.inForce = this.takeOverFiles();
    this.schedule();
  }

  /** @throws CertificateError CERTIFICATE_FILES_UNREADABLE, naming the setting and the path */
  static async open(options: CertificateVerifierOptions): Promise<CertificateVerifier> {
    const bundle = await WatchedFile.open(options.caFile, BUNDLE);
    const lists = await Promise.all(options.crlFiles.map((file) => WatchedFile.open(file, LISTS)));
    return new CertificateVerifier(bundle, lists, options);
  }

  /**
   * Believes the certificate of a client. That the client holds its key is for others to ask.
   *
   * @param der as `readCertificate` returns it, or TLS
   * @throws CertificateError with the reason, which is for the log and not for the client
   * @see RFC 5280 §6, without policies
   */
  verify(der: Uint8Array, now: Date): VerifiedCertificate {
    const leaf = Certificate.read(der);
    const length = this.options.maxChainLength ?? MOST_CERTIFICATES_IN_A_CHAIN;
    let refusal: CertificateError | undefined;
    for (const path of this.inForce.store.paths(leaf, length)) {
      try {
        this.check(path, now);
        return verifiedCertificate(leaf);
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal ?? untrusted(leaf);
  }

  /** The authorities and lists in force that say until when they hold. */
  get expiring(): readonly ExpiringEntry[] {
    const { content, path: bundlePath } = this.bundle;
    const authorities = content.map(({ signed }) =>
      entry('ca', signed.subject, { path: bundlePath, expires: signed.notAfter }),
    );
    const lists = this.lists.flatMap(({ path, content: inFile }) =>
      inFile.flatMap((list) => {
        const { issuer, nextUpdate: expires } = list;
        const isOfUse = expires !== undefined && !this.inForce.lists.isUnverified(list);
        return isOfUse ? entry('crl', issuer, { path, expires }) : [];
      }),
    );
    return [...authorities, ...lists];
  }

  /** Stops watching the files. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.refreshing;
  }

  private check(path: CertificatePath, now: Date): void {
    validatePath(path, now);
    checkRevocation(path, this.inForce.lists, now, this.requiresLists);
  }

  private get requiresLists(): boolean {
    return this.options.crlRequired && this.lists.length > 0;
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.refreshing = this.refresh();
    }, REFRESH_MS);
    this.timer.unref();
  }

  private async refresh(): Promise<void> {
    const changed = await Promise.all([this.bundle, ...this.lists].map((file) => file.refresh()));
    if (changed.includes(true)) this.inForce = this.takeOverFiles();
    this.schedule();
  }

  private takeOverFiles(): { readonly store: TrustStore; readonly lists: RevocationLists } {
    const store = new TrustStore(this.bundle.content);
    const lists = new RevocationLists(
      this.lists.flatMap(({ content }) => content),
      store,
    );
    for (const { path, content } of this.lists) {
      for (const list of content) warnOf(list, path, lists);
    }
    return { store, lists };
  }
}

function warnOf(list: RevocationList, path: string, lists: RevocationLists): void {
  const fields = { issuer: list.issuer.toString(), path };
  if (lists.isUnverified(list)) {
    log.warn(
      fields,
      'a revocation list cannot be verified: no authority of its issuer in ca-file signed it; certificates of that issuer are refused',
    );
  } else if (lists.isNeverCurrent(list)) {
    log.warn(
      fields,
      'a revocation list never counts as current: it is partial, names no next update, or no authority of ours that may sign lists signed it',
    );
  }
}

function entry(
  kind: ExpiringEntry['kind'],
  name: DistinguishedName,
  { path, expires }: Pick<ExpiringEntry, 'path' | 'expires'>,
): ExpiringEntry {
  return { kind, label: name.shortText, name: name.toString(), path, expires };
}

/** At least one certificate, and at least one that signed itself. */
function readBundle(content: Buffer): readonly Certificate[] {
  const blocks = readPemBlocks(content.toString('latin1'), 'CERTIFICATE');
  const certificates = blocks.map((der, index) => readNumbered(der, index + 1));
  if (new TrustStore(certificates).anchorCount === 0) {
    throw unreadable('there is no self-signed certificate of an authority to trust');
  }
  return certificates;
}

function readNumbered(der: Uint8Array, number: number): Certificate {
  try {
    return Certificate.read(der);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    throw unreadable(`certificate ${number}: ${error.message}`, error);
  }
}

function untrusted({ signed }: Certificate): CertificateError {
  const issuer = signed.issuer.toString().slice(0, 200);
  const message = `no chain of authorities we trust leads to the certificate; its issuer is ${issuer}`;
  return new CertificateError('CERTIFICATE_UNTRUSTED', message);
}
