// Owns what is wrong with lists of addresses whose word is taken for something.
import { AddressRanges, AddressRangesError } from './address-ranges.js';

/** Faults of the list, and a list that would take the word of any caller. */
export function* addressComplaints(
  key: string,
  elements: readonly string[],
): Iterable<{ readonly key: string; readonly message: string; readonly rule?: string }> {
  try {
    AddressRanges.parse(elements);
  } catch (error) {
    if (!(error instanceof AddressRangesError)) throw error;
    yield { key, message: error.message, rule: error.rule };
  }
  if (elements.some((element) => element.endsWith('/0'))) {
    yield { key, message: 'may not be everybody: any caller would be believed' };
  }
}
