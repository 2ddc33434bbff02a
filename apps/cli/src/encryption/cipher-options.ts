// What `tessera encrypt` and `tessera decrypt` can be told by options, whichever way they are written.
import { CliError } from '../cli-error.js';

/** What Spring's keys are made with where it is told none. */
export const SPRING_SALT = 'deadbeef';

/** How a value is protected. `text` and `delux` are Spring's names: AES with CBC, AES with GCM. */
export const KINDS = ['aes-gcm', 'text', 'delux', 'rsa', 'jasypt'] as const;
export type Kind = (typeof KINDS)[number];

/** The exit code for a text that could not be decrypted, and for a batch with a line that failed. */
export const UNDECRYPTABLE = 3;

export interface CipherOptions {
  readonly kind?: Kind;
  readonly algorithm?: string;
  readonly iterations?: string;
  readonly provider?: string;
  /** Whether Jasypt had an IV generator; where not given, whether the algorithm needs one. */
  readonly iv?: boolean;
  readonly salt?: string;
  readonly padding?: 'DEFAULT' | 'OAEP';
  readonly strong?: boolean;
  /** Given in Jasypt's way, in the arguments. */
  readonly password?: string;
  readonly passwordFile?: string;
  readonly passwordEnv?: string;
  readonly passwordStdin?: boolean;
  readonly keyFile?: string;
  /** Of a key in a key store. */
  readonly alias?: string;
  readonly inputFile?: string;
  /** Of Jasypt's texts: hexadecimal digits instead of Base64. */
  readonly hexadecimal?: boolean;
  readonly prefix?: boolean;
  readonly json?: boolean;
  readonly batch?: boolean;
}

const PASSWORD_SOURCES = ['password', 'passwordFile', 'passwordEnv', 'passwordStdin'] as const;

const KINDS_OF_KEY_FILES: readonly Kind[] = ['aes-gcm', 'rsa'];
/** What has a meaning only where a password is the key. */
const OF_PASSWORDS = ['algorithm', 'iterations', 'provider', 'iv'] as const;
const OF_RSA = ['padding', 'strong'] as const;
/** What an AES key of a file has no use for. */
const OF_RSA_FILES = [...OF_RSA, 'salt'] as const;

/** Whether it is said where the password comes from. */
export function namesPassword(options: CipherOptions): boolean {
  return has(options, PASSWORD_SOURCES);
}

/** Whether a password is the key. */
export function usesPassword(options: CipherOptions): boolean {
  const { keyFile, kind, salt } = options;
  const isMeant = namesPassword(options) || has(options, OF_PASSWORDS);
  return keyFile === undefined && (isMeant || kind !== undefined || salt !== undefined);
}

/**
 * @param texts how many there are among the arguments
 * @throws CliError naming options that do not go together
 */
export function checkOptions(options: CipherOptions, texts: number): void {
  const { keyFile, kind = 'rsa', inputFile, batch = false, prefix, passwordStdin } = options;
  if (PASSWORD_SOURCES.filter((name) => options[name] !== undefined).length > 1) {
    throw new CliError('give the password in one way');
  }
  if (keyFile !== undefined && (has(options, OF_PASSWORDS) || !KINDS_OF_KEY_FILES.includes(kind))) {
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

/** @throws CliError naming an option that the kind would leave unused */
function checkKind(options: CipherOptions): void {
  const { keyFile, algorithm, kind = algorithm === undefined ? undefined : 'jasypt' } = options;
  const instead = kind === undefined ? '' : `, not ${kind}`;
  const jasypt = firstOf(options, OF_PASSWORDS);
  if (jasypt !== undefined && kind !== 'jasypt') {
    const needed = options.kind === undefined ? 'an --algorithm' : `--kind jasypt${instead}`;
    throw new CliError(`--${jasypt} goes with ${needed}`);
  }
  const rsa = firstOf(options, OF_RSA);
  if (rsa !== undefined && kind !== 'rsa' && (kind !== undefined || keyFile === undefined)) {
    throw new CliError(`--${rsa} goes with --kind rsa${instead}`);
  }
  if (options.salt === undefined) return;
  if (kind === 'jasypt') throw new CliError('--salt goes with other kinds: Jasypt makes its own');
  if (kind === 'aes-gcm') checkForAesFile(options);
}

/** @throws CliError naming an option of RSA, where there is a key file and it holds an AES key */
export function checkForAesFile(options: CipherOptions): void {
  const unused = firstOf(options, OF_RSA_FILES);
  if (options.keyFile === undefined || unused === undefined) return;
  throw new CliError(`--${unused} goes with an RSA key, not with the AES key of a --key-file`);
}

/** What is said where arguments hold more than one text. */
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
