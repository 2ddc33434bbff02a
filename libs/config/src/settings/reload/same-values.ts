// Compares values of settings, including secrets.
import { Secret } from '../secret.js';

/** Deep equality of values, lists, maps and groups; secrets are compared by their text. */
export function sameValues(one: unknown, other: unknown): boolean {
  return one === other || plaintext(one) === plaintext(other);
}

/** The value as text, including secrets: only for comparisons. */
export function plaintext(value: unknown): string {
  return JSON.stringify([plain(value)]);
}

function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, member]) => [name, plain(member)]);
}
