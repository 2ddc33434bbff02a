// The methods of a login, by the names that clients know. @see RFC 8176
import type { Authentication, UsedMethod } from '@tessera/tickets';

const NAMES: Readonly<Record<UsedMethod['method'], string>> = {
  password: 'pwd',
  certificate: 'swk',
};

export function methodsOf({ methods }: Authentication): string[] {
  return [...new Set(methods.map(({ method }) => NAMES[method]))];
}
