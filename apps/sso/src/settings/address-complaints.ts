// Owns what is wrong with lists of addresses whose word is taken for something.
import { AddressRanges, ServerError } from '@tessera/server';
import type { Complaint } from '@tessera/settings';

/** Faults of the list, and a list that would take the word of any caller. */
export function* addressComplaints(key: string, elements: readonly string[]): Iterable<Complaint> {
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
