// Finds patterns for a host that also match URLs with another host.
import { foldCase, servicePattern } from '../matching/service-pattern.js';
import { sampleUrls } from './unsupported-pattern.js';

const ORIGIN = /^(https?:\/\/)([^/?#]+)(.*)$/s;
const FOREIGN = 'evil.example';

/**
 * A URL of another host that the pattern matches as written: with `[^/]+` at the start of the host, or `.*` at its end.
 * Undefined where none was found, and for a pattern that is meant for every host. Such a URL is admitted only if it
 * matches as a URL parser reads it, too.
 *
 * @param pattern valid
 */
export function foreignUrlOf(pattern: string): string | undefined {
  const compiled = servicePattern(pattern);
  const isMatched = (url: string): boolean => compiled.matches(url, foldCase(url));
  const samples = sampleUrls(pattern).map((url) => ORIGIN.exec(url) ?? []);
  return samples
    .flatMap(([, scheme, host, rest]) => {
      if (scheme === undefined || isMatched(`${scheme}${FOREIGN}${rest}`)) return [];
      return [
        `${scheme}${host}.${FOREIGN}/`,
        `${scheme}${host}@${FOREIGN}/`,
        `${scheme}${FOREIGN}?${host}${rest}`,
        `${scheme}${FOREIGN}/${host}${rest}`,
      ];
    })
    .find(isMatched);
}
