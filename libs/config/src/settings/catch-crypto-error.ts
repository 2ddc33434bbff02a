// Converts a CryptoError to a violation of the setting that causes it.
import { CryptoError } from '@tessera/crypto';
import type { ReportedViolation } from './violation.js';

export interface CryptoOutcome<T> {
  readonly result?: T;
  readonly violations: readonly ReportedViolation[];
}

/** Runs work and reports a CryptoError as a violation of a setting. Other errors are thrown. */
export async function catchCryptoError<T>(
  setting: string,
  work: () => T | Promise<T>,
): Promise<CryptoOutcome<T>> {
  try {
    return { result: await work(), violations: [] };
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    return { violations: [{ key: setting, message: error.message }] };
  }
}
