// The options of `tessera encrypt` and `tessera decrypt`, and which of them fit together.
import { CliError } from '../cli-error.js';

/** The default salt of Spring. */
export const SPRING_SALT = 'deadbeef';

/** `text` and `delux` are Spring's names for AES with CBC and AES with GCM. */
export const KINDS = ['aes-gcm', 'text', 'delux', 'rsa', 'jasypt'] as const;
export type Kind = (typeof KINDS)[number];

/** The exit code for a text that could not be decrypted, and for a batch with a line that failed. */
export const UNDECRYPTABLE = 3;

export interface CipherOptions {
  readonly kind?: Kind;
  readonly algorithm?: string;
  readonly iterations?: string;
  readonly provider?: string;
  /** Whether Jasypt uses an IV generator; by default, if the algorithm needs one. */
  readonly iv?: boolean;
  readonly salt?: string;
  readonly padding?: 'DEFAULT' | 'OAEP';
  readonly strong?: boolean;
  /** From Jasypt's argument `password=`. */
  readonly password?: string;
  readonly passwordFile?: string;
  readonly passwordEnv?: string;
  readonly passwordStdin?: boolean;
  readonly keyFile?: string;
  /** Of a key in a key store. */
  readonly alias?: string;
  readonly inputFile?: string;
  /** For Jasypt: hexadecimal digits instead of Base64. */
  readonly hexadecimal?: boolean;
  readonly prefix?: boolean;
  readonly json?: boolean;
  readonly batch?: boolean;
}

const PASSWORD_SOURCES = ['password', 'passwordFile', 'passwordEnv', 'passwordStdin'] as const;

const KEY_FILE_KINDS: readonly Kind[] = ['aes-gcm', 'rsa'];
/** Options of Jasypt, whose key is a password. */
const JASYPT_OPTIONS = ['algorithm', 'iterations', 'provider', 'iv'] as const;
const RSA_OPTIONS = ['padding', 'strong'] as const;
/** Options that do not apply to a file with an AES key. */
const RSA_FILE_OPTIONS = [...RSA_OPTIONS, 'salt'] as const;

/** Whether an option names the source of the password. */
export function namesPassword(options: CipherOptions): boolean {
  return has(options, PASSWORD_SOURCES);
}

/** Whether a password is the key. */
export function usesPassword(options: CipherOptions): boolean {
  const { keyFile, kind, salt } = options;
  const hasPasswordOption = namesPassword(options) || has(options, JASYPT_OPTIONS);
  return keyFile === undefined && (hasPasswordOption || kind !== undefined || salt !== undefined);
}

/**
 * @param texts number of texts in the arguments
 * @throws CliError naming options that do not fit together
 */
export function checkOptions(options: CipherOptions, texts: number): void {
  const { keyFile, kind = 'rsa', inputFile, batch = false, prefix, passwordStdin } = options;
  if (PASSWORD_SOURCES.filter((name) => options[name] !== undefined).length > 1) {
    throw new CliError('give the password in one way');
  }
  if (keyFile !== undefined && (has(options, JASYPT_OPTIONS) || !KEY_FILE_KINDS.includes(kind))) {
    throw new CliError('--key-file goes with --kind aes-gcm or rsa: other kinds take a password');
  }
  checkKind(options);
  if (texts > 1) throw new CliError(SEVERAL_TEXTS);
  if (texts + (inputFile === undefined ? 0 : 1) + (batch ? 1 : 0) > 1) {
    throw new CliError('give the text in one way: an argument, --input-file or --batch');
  }
  if (batch && prefix) throw new CliError('give --prefix or --batch, not both');
  if (passwordStdin && texts === 0 && inputFile === undefined) {
    throw new CliError('--password-stdin leaves no place for the text: use --input-file for it');
  }
}

/** @throws CliError naming an option that does not apply to the kind */
function checkKind(options: CipherOptions): void {
  const { keyFile, algorithm, kind = algorithm === undefined ? undefined : 'jasypt' } = options;
  const instead = kind === undefined ? '' : `, not ${kind}`;
  const jasypt = firstOf(options, JASYPT_OPTIONS);
  if (jasypt !== undefined && kind !== 'jasypt') {
    const needed = options.kind === undefined ? 'an --algorithm' : `--kind jasypt${instead}`;
    throw new CliError(`--${jasypt} goes with ${needed}`);
  }
  const rsa = firstOf(options, RSA_OPTIONS);
  if (rsa !== undefined && kind !== 'rsa' && (kind !== undefined || keyFile === undefined)) {
    throw new CliError(`--${rsa} goes with --kind rsa${instead}`);
  }
  if (options.salt === undefined) return;
  if (kind === 'jasypt') throw new CliError('--salt goes with other kinds: Jasypt makes its own');
  if (kind === 'aes-gcm') checkForAesFile(options);
}

/** For a key file with an AES key. @throws CliError naming an option of RSA */
export function checkForAesFile(options: CipherOptions): void {
  const unused = firstOf(options, RSA_FILE_OPTIONS);
  if (options.keyFile === undefined || unused === undefined) return;
  throw new CliError(`--${unused} goes with an RSA key, not with the AES key of a --key-file`);
}

/** The error for more than one text in the arguments. */
export const SEVERAL_TEXTS = 'more than one text: put one with white space between quotes';

function firstOf<T extends keyof CipherOptions>(
  options: CipherOptions,
  names: readonly T[],
): T | undefined {
  return names.find((name) => options[name] !== undefined);
}

function has(options: CipherOptions, names: readonly (keyof CipherOptions)[]): boolean {
  return names.some((name) => options[name] !== undefined);
}
