import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type EncryptionErrorCode = 'NO_KEY' | 'NO_PUBLIC_KEY' | 'DECRYPTION_OFF';

/** The message is public. */
export class EncryptionError extends CodedError<EncryptionErrorCode> {}
