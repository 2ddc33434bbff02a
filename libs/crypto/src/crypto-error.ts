// The errors of this library. Messages may be shown to anybody; what caused them is for the log.

/** Every code a {@link CryptoError} can carry. */
export const CRYPTO_ERROR_CODES = [
  'PASSWORD_HASHING_BUSY',
  'PASSWORD_HASHING_SETTINGS',
  'TEXT_UNDECRYPTABLE',
  'CIPHER_UNSUPPORTED',
  'KEY_UNKNOWN',
  'SELECTOR_UNKNOWN',
  'KEY_UNUSABLE',
] as const;

export type CryptoErrorCode = (typeof CRYPTO_ERROR_CODES)[number];

const REFUSALS: readonly CryptoErrorCode[] = [
  'TEXT_UNDECRYPTABLE',
  'SELECTOR_UNKNOWN',
  'KEY_UNKNOWN',
];

/** What this library throws: a stable `code`, a message without secrets, a private `cause`. */
export class CryptoError extends Error {
  override readonly name = 'CryptoError';

  constructor(
    readonly code: CryptoErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** True where what was asked for is at fault: a text, a selector, an alias. */
  get isRefusal(): boolean {
    return REFUSALS.includes(this.code);
  }

  /** True where the same call may succeed later. */
  get isTemporary(): boolean {
    return this.code === 'PASSWORD_HASHING_BUSY';
  }
}
