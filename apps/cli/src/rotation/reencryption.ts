// The options and keys of `tessera rotate`, and the re-encryption of a value with the newest key.
import { isUtf8 } from 'node:buffer';
import {
  CryptoError,
  formOf,
  JasyptCipher,
  KeyRing,
  selectorsOf,
  type Cipher,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { readCipherPassword } from '../encryption/cipher-input.js';
import { checkAlias, configuredKeys, iterationsOf, keysOfFile } from '../encryption/cipher-keys.js';
import { namesPassword, type CipherOptions } from '../encryption/cipher-options.js';
import { escapeForTerminal, type Terminal } from '../terminal.js';

type KeyOptions = Pick<
  CipherOptions,
  'alias' | 'passwordFile' | 'passwordEnv' | 'passwordStdin' | 'padding' | 'strong' | 'salt'
>;

export interface RotateOptions extends KeyOptions {
  readonly fromAlgorithm?: string;
  readonly fromIterations?: string;
  readonly fromProvider?: string;
  readonly fromIv?: boolean;
  readonly all?: boolean;
  readonly keepGoing?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface RotateRequest {
  readonly paths: readonly string[];
  /** The first one encrypts. Without key files, the settings name the keys. */
  readonly keyFiles: readonly string[];
  readonly options: RotateOptions;
  /** The `--key=value` arguments. */
  readonly settings: readonly string[];
  readonly terminal: Terminal;
}

/** @throws CliError, CryptoError or SettingsError that names the invalid option, key file or setting */
export async function openReencryption(request: RotateRequest): Promise<Reencryption> {
  const { keyFiles, options, settings, terminal } = request;
  checkOptions(request);
  const readPassword = passwordReader(request);
  const keys =
    keyFiles.length > 0
      ? await keysOfFiles(keyFiles, options, readPassword)
      : await configuredKeys(settings, true, terminal);
  return new Reencryption(keys, {
    isForAll: options.all ?? false,
    former: await formerCipher(options, readPassword),
  });
}

function checkOptions({ keyFiles, options }: RotateRequest): void {
  const { fromAlgorithm, fromIterations, fromProvider, fromIv } = options;
  if (fromAlgorithm === undefined && (fromIterations ?? fromProvider ?? fromIv) !== undefined) {
    throw new CliError('--from-iterations, --from-provider and --from-iv need --from-algorithm');
  }
  if (keyFiles.length === 0 && fromAlgorithm === undefined && namesPassword(options)) {
    throw new CliError('a password needs a --key-file or a --from-algorithm that it is for');
  }
  checkAlias(options.alias, keyFiles[0]);
}

/** Reads the password once for all files, because standard input contains it once. */
function passwordReader({ paths, options, terminal }: RotateRequest): () => Promise<string> {
  let password: Promise<string> | undefined;
  const request = { task: 'decrypt', texts: paths, options, terminal } as const;
  return () => (password ??= readCipherPassword(request));
}

/** The first file contains the key that encrypts. */
async function keysOfFiles(
  paths: readonly string[],
  options: KeyOptions,
  readPassword: () => Promise<string>,
): Promise<KeyRing> {
  const opened = paths.map((path, index) =>
    index === 0
      ? keysOfFile(path, options, { encrypts: true, alias: options.alias, readPassword })
      : keysOfFile(path, options, { encrypts: false, alias: undefined, readPassword }),
  );
  const keys = await Promise.all(opened);
  return new KeyRing(keys.flat());
}

async function formerCipher(
  { fromAlgorithm, fromIterations, fromProvider, fromIv }: RotateOptions,
  readPassword: () => Promise<string>,
): Promise<FormerCipher | undefined> {
  if (fromAlgorithm === undefined) return undefined;
  const cipher = JasyptCipher.open({
    algorithm: fromAlgorithm,
    password: await readPassword(),
    iterations: iterationsOf(fromIterations),
    provider: fromProvider,
    hasIvGenerator: fromIv,
  });
  return { name: fromAlgorithm, cipher };
}

/** The cipher that encrypted values before there was a key ring. */
export interface FormerCipher {
  readonly name: string;
  readonly cipher: Cipher;
}

/** `current`: the newest key encrypted the value already. */
export type Outcome =
  | {
      readonly is: 'reencrypted';
      readonly from: string;
      readonly to: string;
      readonly text: string;
    }
  | { readonly is: 'current' }
  | { readonly is: 'undecryptable'; readonly reason: string };

interface Decrypted {
  readonly from: string;
  readonly plain: Buffer;
}

const JASYPT_UNDECRYPTABLE = 'cannot be decrypted with the algorithm and password given';

/** Decrypts values with any of the keys and encrypts them with the newest one. */
export class Reencryption {
  /** The alias of the key that encrypts. */
  readonly newest: string;
  /** Whether {@link reencryptJasypt} can decrypt values. */
  readonly readsJasypt: boolean;
  private readonly isForAll: boolean;
  private readonly former: FormerCipher | undefined;

  /** @param keys at least one */
  constructor(
    readonly keys: KeyRing,
    options: { readonly isForAll: boolean; readonly former: FormerCipher | undefined },
  ) {
    this.newest = keys.aliases[0] ?? '';
    this.isForAll = options.isForAll;
    this.former = options.former;
    this.readsJasypt = options.former !== undefined;
  }

  /** @param text with its selectors, without `{cipher}` */
  async reencrypt(text: string): Promise<Outcome> {
    const selected = trySelectors(text);
    if (!selected) return { is: 'undecryptable', reason: 'has a selector that is not known' };
    const { alias, rest } = selected;
    const decrypted = await this.decrypt(rest, alias);
    if (!decrypted) return { is: 'undecryptable', reason: this.reasonFor(rest, alias) };
    const { from, plain } = decrypted;
    const reencrypted = await this.keys.encrypt(plain);
    plain.fill(0);
    const isCurrent = from === this.newest && formOf(rest) === formOf(reencrypted);
    if (isCurrent && !this.isForAll) return { is: 'current' };
    return { is: 'reencrypted', from, to: this.newest, text: reencrypted };
  }

  /** @param text from Jasypt's `ENC( )`, which no key of the key ring can decrypt */
  async reencryptJasypt(text: string): Promise<Outcome> {
    const decrypted = await this.decryptFormer(text);
    if (!decrypted) return { is: 'undecryptable', reason: JASYPT_UNDECRYPTABLE };
    const reencrypted = await this.keys.encrypt(decrypted.plain);
    decrypted.plain.fill(0);
    return { is: 'reencrypted', from: decrypted.from, to: this.newest, text: reencrypted };
  }

  /** Not every cipher detects a wrong key; bytes that are not UTF-8 show one, too. */
  private async decrypt(text: string, alias: string | undefined): Promise<Decrypted | undefined> {
    for (const from of this.aliasesFor(alias)) {
      const plain = await tryDecrypt(this.keys, `{key:${from}}${text}`);
      if (plain) return { from, plain };
    }
    return alias === undefined ? this.decryptFormer(text) : undefined;
  }

  private async decryptFormer(text: string): Promise<Decrypted | undefined> {
    if (!this.former) return undefined;
    const plain = await tryDecrypt(this.former.cipher, text);
    return plain && { from: this.former.name, plain };
  }

  private aliasesFor(alias: string | undefined): readonly string[] {
    const { aliases } = this.keys;
    if (alias === undefined) return aliases;
    return aliases.filter((known) => known.toLowerCase() === alias.toLowerCase());
  }

  private reasonFor(text: string, alias: string | undefined): string {
    if (alias !== undefined && this.aliasesFor(alias).length === 0) {
      return `names the key ${escapeForTerminal(alias)}, which is not given`;
    }
    const form = formOf(text);
    const writer = form.startsWith('v1.')
      ? `: it was written with ${form.slice('v1.'.length)}`
      : '';
    return `cannot be decrypted with the keys given${writer}`;
  }
}

function trySelectors(text: string): ReturnType<typeof selectorsOf> | undefined {
  try {
    return selectorsOf(text);
  } catch {
    return undefined;
  }
}

async function tryDecrypt(
  cipher: Pick<Cipher, 'decrypt'>,
  text: string,
): Promise<Buffer | undefined> {
  try {
    const plain = await cipher.decrypt(text);
    return isUtf8(plain) ? plain : undefined;
  } catch (error) {
    if (error instanceof CryptoError && error.code === 'TEXT_UNDECRYPTABLE') return undefined;
    throw error;
  }
}
