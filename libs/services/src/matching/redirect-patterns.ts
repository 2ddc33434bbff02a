// Where browsers are sent for OpenID Connect clients: patterns of imported clients, and origins.
import type { ClientDefinition } from '../client-definition.js';
import { redirectUriViolation, schemeViolation } from '../client-uris.js';
import { type ValuePattern, valuePattern } from './compiled-pattern.js';

const COMPILED = new WeakMap<readonly string[], readonly ValuePattern[]>();

/**
 * Whether a pattern matches the whole URI, which must be one that a client could register, and be written as a URL parser
 * writes its scheme, host and port.
 *
 * @param patterns valid, each for the URIs of one host
 */
export function matchesRedirectPattern(patterns: readonly string[], uri: string): boolean {
  if (patterns.length === 0) return false;
  const isAllowed =
    redirectUriViolation(uri) === undefined && schemeViolation(uri, 'web') === undefined;
  if (!isAllowed || !uri.startsWith(`${new URL(uri).origin}/`)) return false;
  return compiled(patterns).some((pattern) => pattern.matches(uri));
}

/** The address of the host of a pattern: `https://app.example.org/`. @param pattern valid, for the URIs of one host */
export function originOfPattern(pattern: string): string {
  const [origin = ''] = /^https?:\/\/[^/]+\//.exec(pattern.replaceAll('\\', '')) ?? [];
  return origin;
}

type RedirectTargets = Pick<ClientDefinition, 'redirectUris' | 'redirectUriPatterns'>;

/** Whether a client may send browsers to an origin, or a scheme of an application, to which it could not before. */
export function hasNewRedirectOrigin(
  client: RedirectTargets | null,
  before: RedirectTargets | null,
): boolean {
  const known = redirectOriginsOf(before);
  return redirectOriginsOf(client).some((origin) => !known.includes(origin));
}

function redirectOriginsOf(client: RedirectTargets | null): readonly string[] {
  const { redirectUris = [], redirectUriPatterns = [] } = client ?? {};
  return [...redirectUris, ...redirectUriPatterns.map(originOfPattern)].map((uri) => {
    const { origin, protocol } = URL.parse(uri) ?? { origin: uri, protocol: '' };
    return origin === 'null' ? protocol : origin;
  });
}

function compiled(patterns: readonly string[]): readonly ValuePattern[] {
  const known = COMPILED.get(patterns) ?? patterns.map(valuePattern);
  COMPILED.set(patterns, known);
  return known;
}
