// Verifies client certificates against the authorities and revocation lists in files, and reloads changed
// files. It opens no connections: URLs in certificates are never fetched.
import { loggerFor } from '@tessera/logging';
import { Poller } from '@tessera/runtime';
import { readPemBlocks } from './pem.js';
import { Certificate } from './certificate.js';
import { CertificateError, unreadable } from './certificate-error.js';
import type { DistinguishedName } from './distinguished-name.js';
import { validatePath } from './path-validation.js';
import { checkRevocation, RevocationLists } from './revocation.js';
import { RevocationList } from './revocation-list.js';
import { type CertificatePath, TrustStore } from './trust-store.js';
import { type VerifiedCertificate, verifiedCertificate } from './verified-certificate.js';
import { type FileKind, type SettingsFile, WatchedFile } from './watched-file.js';

const log = loggerFor('certificates');

const REFRESH_MS = 1_000;

const BUNDLE: FileKind<readonly Certificate[]> = { mostBytes: 1024 * 1024, read: readBundle };
const LISTS: FileKind<readonly RevocationList[]> = {
  mostBytes: 10 * 1024 * 1024,
  read: (content) => RevocationList.readFile(content),
};

export interface CertificateVerifierOptions {
  /** PEM: trust anchors, which are self-signed, and intermediate authorities. */
  readonly caFile: SettingsFile;
  /** Certificate revocation lists, in PEM or DER. */
  readonly crlFiles: readonly SettingsFile[];
  /** Whether every issuer needs a current list; has no effect without `crlFiles`. */
  readonly crlRequired: boolean;
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
 * Verifies client certificates. It polls the files every second, apart from the reload of settings: an
 * invalid setting must not delay a revocation.
 */
export class CertificateVerifier {
  private current: { readonly store: TrustStore; readonly lists: RevocationLists };
  private refreshing = Promise.resolve();
  private readonly poller = new Poller(
    () => REFRESH_MS,
    () => (this.refreshing = this.refresh()),
  );

  private constructor(
    private readonly bundle: WatchedFile<readonly Certificate[]>,
    private readonly lists: readonly WatchedFile<readonly RevocationList[]>[],
    private readonly options: CertificateVerifierOptions,
  ) {
    this.current = this.applyFiles();
    this.poller.restart();
  }

  /** @throws CertificateError CERTIFICATE_FILES_UNREADABLE, naming the setting and the path */
  static async open(options: CertificateVerifierOptions): Promise<CertificateVerifier> {
    const bundle = await WatchedFile.open(options.caFile, BUNDLE);
    const lists = await Promise.all(options.crlFiles.map((file) => WatchedFile.open(file, LISTS)));
    return new CertificateVerifier(bundle, lists, options);
  }

  /**
   * Verifies a client certificate. The caller verifies that the client holds its key.
   *
   * @param der from `readCertificate` or TLS
   * @throws CertificateError with the reason, for the log and not for the client
   * @see RFC 5280 §6, without policies
   */
  verify(der: Uint8Array, now: Date): VerifiedCertificate {
    const leaf = Certificate.read(der);
    let firstError: CertificateError | undefined;
    for (const path of this.current.store.paths(leaf)) {
      try {
        this.check(path, now);
        return verifiedCertificate(leaf);
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
        firstError ??= error;
      }
    }
    throw firstError ?? untrusted(leaf);
  }

  /** The expiry of the current authorities and of the current lists with a next update. */
  get expiring(): readonly ExpiringEntry[] {
    const { content, path: bundlePath } = this.bundle;
    const authorities = content.map(({ signed }) =>
      expiringEntry('ca', signed.subject, { path: bundlePath, expires: signed.notAfter }),
    );
    const lists = this.lists.flatMap(({ path, content: inFile }) =>
      inFile.flatMap((list) => {
        const { issuer, nextUpdate: expires } = list;
        const isOfUse = expires !== undefined && !this.current.lists.isUnverified(list);
        return isOfUse ? expiringEntry('crl', issuer, { path, expires }) : [];
      }),
    );
    return [...authorities, ...lists];
  }

  /** Stops polling the files. */
  async close(): Promise<void> {
    this.poller.stop();
    await this.refreshing;
  }

  private check(path: CertificatePath, now: Date): void {
    validatePath(path, now);
    checkRevocation(path, this.current.lists, now, this.requiresLists);
  }

  private get requiresLists(): boolean {
    return this.options.crlRequired && this.lists.length > 0;
  }

  private async refresh(): Promise<void> {
    const changed = await Promise.all([this.bundle, ...this.lists].map((file) => file.refresh()));
    if (changed.includes(true)) this.current = this.applyFiles();
  }

  private applyFiles(): { readonly store: TrustStore; readonly lists: RevocationLists } {
    const store = new TrustStore(this.bundle.content);
    const lists = new RevocationLists(
      this.lists.flatMap(({ content }) => content),
      store,
    );
    for (const { path, content } of this.lists) {
      for (const list of content) warnAboutList(list, path, lists);
    }
    return { store, lists };
  }
}

function warnAboutList(list: RevocationList, path: string, lists: RevocationLists): void {
  const fields = { issuer: list.issuer.toString(), path };
  if (lists.isUnverified(list)) {
    log.warn(
      fields,
      'a revocation list cannot be verified: no authority of its issuer in ca-file signed it; certificates of that issuer are refused',
    );
  } else if (lists.isNeverCurrent(list)) {
    log.warn(
      fields,
      'a revocation list never counts as current: it is partial, names no next update, or no authority in ca-file that may sign lists signed it',
    );
  }
}

function expiringEntry(
  kind: ExpiringEntry['kind'],
  name: DistinguishedName,
  { path, expires }: Pick<ExpiringEntry, 'path' | 'expires'>,
): ExpiringEntry {
  return { kind, label: name.shortText, name: name.toString(), path, expires };
}

/** Reads a bundle with at least one self-signed certificate. */
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
  const message = `no chain of trusted authorities leads to the certificate; its issuer is ${issuer}`;
  return new CertificateError('CERTIFICATE_UNTRUSTED', message);
}
