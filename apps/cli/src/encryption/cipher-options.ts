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
  const { keyFile, kind = 'rsa', inputFile, batch = false, passwordStdin } = options;
  if (PASSWORD_SOURCES.filter((name) => options[name] !== undefined).length > 1) {
    throw new CliError('give the password in one way');
  }
  if (keyFile !== undefined && (has(options, OF_PASSWORDS) || !KINDS_OF_KEY_FILES.includes(kind))) {
    throw new CliError('--key-file goes with --kind aes-gcm or rsa: other kinds take a password');
  }
  if (texts + (inputFile === undefined ? 0 : 1) + (batch ? 1 : 0) > 1) {
    throw new CliError('give the text in one way: an argument, --input-file or --batch');
  }
  if (passwordStdin && texts === 0 && inputFile === undefined) {
    throw new CliError('--password-stdin leaves no place for the text: use --input-file for it');
  }
}

function has(options: CipherOptions, names: readonly (keyof CipherOptions)[]): boolean {
  return names.some((name) => options[name] !== undefined);
}
