// Owns what is wrong with lists of addresses whose word is taken for something.
import { ServerError } from '../server-error.js';
import { AddressRanges } from './address-ranges.js';

/** Faults of the list, and a list that would take the word of any caller. */
export function* addressComplaints(
  key: string,
  elements: readonly string[],
): Iterable<{ readonly key: string; readonly message: string }> {
  try {
    AddressRanges.parse(elements);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    yield { key, message: error.message };
  }
  if (elements.some((element) => element.endsWith('/0'))) {
    yield { key, message: 'may not be everybody: any caller would be believed' };
  }
}
