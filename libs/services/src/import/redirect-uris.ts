// Reads the `serviceId` of an OpenID Connect service, a pattern of redirect URIs: as a list of URIs, or as patterns for one
// host each. They match no URI that the pattern does not match.
import { redirectUriViolation, schemeViolation } from '../client-uris.js';
import { compilePattern } from '../matching/compiled-pattern.js';
import { ServiceError } from '../service-error.js';
import { rewriteJavaPattern } from './java-pattern/java-pattern.js';
import {
  quoted,
  type RedirectBranch,
  redirectBranches,
  UnexpandablePattern,
} from './redirect-branches.js';
import { javaSyntaxIn } from './unsupported-pattern.js';

export interface RedirectUris {
  readonly uris: readonly string[];
  /** In RE2 syntax, each for the URIs of one host. */
  readonly patterns: readonly string[];
  /** What was left out, or is narrower than in the file. */
  readonly notes: readonly string[];
}

/** Or the reason why a client must not have any. */
export type ReadRedirectUris = RedirectUris | { readonly reason: string };

type ClientType = 'web' | 'native';
type Found = { readonly uri: string } | { readonly pattern: string } | { readonly reason: string };

const ANY_HOST = 'is open to every host, so that codes and tokens could be sent anywhere';
const NO_HOST =
  'does not name its hosts one by one, and a host with a wildcard may be of somebody else';
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[::1\])(?::\d{1,5})?/i;
/** Anything at all may follow. */
const ANYTHING = /^\.[*+]\??/;
const FOREIGN = ['https://evil.example/', 'http://evil.example/', 'https://evil.example/a/b?c=d'];

/** @param text as Apereo CAS reads it: a pattern of Java for the whole URI, without regard to case */
export function readRedirectUris(text: string, type: ClientType): ReadRedirectUris {
  const { pattern } = rewriteJavaPattern(text.trim(), { ignoreCase: true });
  const syntax = javaSyntaxIn(pattern);
  if (syntax !== undefined) {
    return { reason: `has Java syntax that RE2 reads otherwise: ${syntax}` };
  }
  try {
    const compiled = compilePattern(pattern, { ignoreCase: true });
    const matches = (uri: string): boolean => compiled.matcher(uri).matches();
    if (FOREIGN.some(matches)) return { reason: ANY_HOST };
    return resultOf(redirectBranches(pattern), type, matches);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof UnexpandablePattern) {
      return { reason: error.message };
    }
    throw error;
  }
}

function resultOf(
  branches: readonly RedirectBranch[],
  type: ClientType,
  matches: (uri: string) => boolean,
): ReadRedirectUris {
  const found = branches.map((branch) => read(branch, type));
  const uris = found.flatMap((each) => ('uri' in each && matches(each.uri) ? each.uri : []));
  const patterns = found.flatMap((each) => ('pattern' in each ? each.pattern : []));
  const reasons = [...new Set(found.flatMap((each) => ('reason' in each ? each.reason : [])))];
  if (uris.length + patterns.length === 0) return { reason: reasons[0] ?? 'matches no URI' };
  const wholes = [...new Set(patterns)];
  return {
    uris: [...new Set(uris)],
    patterns: wholes,
    notes: [
      ...(found.length > 1 && uris.length > 0
        ? [`is taken as ${[...new Set(uris)].join(', ')}`]
        : []),
      ...wholes.map((each) => `is taken as a pattern, ${each}: a list of URIs is safer`),
      ...reasons.map((reason) => `is taken in part, without an alternative that ${reason}`),
    ],
  };
}

function read({ text, rest }: RedirectBranch, type: ClientType): Found {
  if (rest === '') {
    const reason = redirectUriViolation(text) ?? schemeViolation(text, type);
    return reason === undefined ? { uri: text } : { reason };
  }
  const [written] = ORIGIN.exec(text) ?? [];
  if (written === undefined) return { reason: NO_HOST };
  const origin = written.toLowerCase();
  const reason = schemeViolation(`${origin}/`, type);
  if (reason !== undefined) return { reason };
  if (URL.parse(origin)?.origin !== origin) {
    return { reason: `has a host in an unusual form: ${origin}` };
  }
  const path = text.slice(written.length);
  if (path.startsWith('/')) return { pattern: quoted(origin + path) + rest };
  // The host could go on in the file. Here it ends.
  const tail = path === '' ? ANYTHING.exec(rest)?.[0] : undefined;
  if (tail === undefined) return { reason: NO_HOST };
  return { pattern: `${quoted(origin)}/.*${rest.slice(tail.length)}` };
}
