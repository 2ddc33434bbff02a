// Decides whether a service may obtain proxy tickets with a callback URL.
import { LRUCache } from 'lru-cache';
import { MAX_STEPS } from './matching/compiled-pattern.js';
import { parsedSpellings } from './matching/parsed-url.js';
import {
  foldCase,
  MAX_URL_LENGTH,
  type ServicePattern,
  servicePattern,
} from './matching/service-pattern.js';
import type { RegisteredService } from './registered-service.js';
import { ServiceError } from './service-error.js';

const NOTHING: ServicePattern = { cost: () => 0, matches: () => false };

/** Compiled patterns by their text. Few services may proxy. */
const patterns = new LRUCache<string, ServicePattern>({ max: 500 });

/**
 * True when the service's policy is a pattern that matches the whole URL, as written and as a URL parser reads it, without
 * regard to case. The caller checks the URL itself (its scheme and host).
 */
export function mayProxyTo(
  { proxyPolicy }: Pick<RegisteredService, 'proxyPolicy'>,
  callbackUrl: string,
): boolean {
  if (proxyPolicy.kind === 'refuse') return false;
  const pattern = patternOf(proxyPolicy.pattern);
  const spellings = parsedSpellings(callbackUrl);
  return (
    matches(pattern, callbackUrl) &&
    (spellings?.length === 0 || spellings?.some((each) => matches(pattern, each)) === true)
  );
}

function matches(pattern: ServicePattern, url: string): boolean {
  if (url.length > MAX_URL_LENGTH || pattern.cost(url.length) > MAX_STEPS) return false;
  return pattern.matches(url, foldCase(url));
}

function patternOf(text: string): ServicePattern {
  const known = patterns.get(text);
  if (known !== undefined) return known;
  const pattern = readPattern(text);
  patterns.set(text, pattern);
  return pattern;
}

function readPattern(text: string): ServicePattern {
  try {
    return servicePattern(text);
  } catch (error) {
    if (error instanceof ServiceError) return NOTHING;
    throw error;
  }
}
