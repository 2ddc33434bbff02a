// Owns what an application says about an HTTPS listener of its own. Reading the files is elsewhere.

/** A file, and the setting that names it: messages name both. */
export interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

export interface TlsOptions {
  /** PEM: the server's own certificate, then those between it and the root. */
  readonly certificate: NamedFile;
  /** PEM, perhaps encrypted. */
  readonly key: NamedFile;
  readonly passphrase?: string | undefined;
  /** PEM: the authorities whose names help clients choose a certificate. They decide nothing. */
  readonly clientAuthorities?: NamedFile | undefined;
  /** Whether clients are asked for a certificate. None has to have one, and any is let in: who is asked judges it. */
  readonly asksForCertificate: boolean;
}
