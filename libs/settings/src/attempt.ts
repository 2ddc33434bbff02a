// Owns turning faults of keys into problems of the settings that name them.
import { CryptoError } from '@tessera/crypto';
import type { Problem } from './problem.js';

export interface Attempt<T> {
  readonly result?: T;
  readonly problems: readonly Problem[];
}

/** @param setting at fault where the work throws a CryptoError */
export async function attempt<T>(setting: string, work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { result: await work(), problems: [] };
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    return { problems: [{ key: setting, message: error.message }] };
  }
}
