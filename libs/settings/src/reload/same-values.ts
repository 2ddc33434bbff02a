// Owns whether values of settings are the same, secrets by what they hold.
import { Secret } from '../secret.js';

/** Of values, lists, maps and groups of them. */
export function sameValues(one: unknown, other: unknown): boolean {
  return one === other || revealed(one) === revealed(other);
}

/** The value as text, with its secrets: for comparisons alone. */
export function revealed(value: unknown): string {
  return JSON.stringify([plain(value)]);
}

function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, member]) => [name, plain(member)]);
}
